/** Templates as a campaign reads them before it starts and sends them, exactly as the platform is asked. Verifies: CLAP-1, CLAP-3. */
import { assert, describe, it } from "@effect/vitest"
import { contentOf, Ids, type Recipient } from "@trunkline/core/provider"
import type { FakePlatform } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { cloudChannel } from "../../src/cloud-api/index.ts"
import { clientOf, fakePlatform, number, token } from "./Numbers.ts"

const fields =
  "id,name,language,status,category,quality_score,components,parameter_format,rejected_reason,previous_category"

const template = (id: number, name: string, language = "en") => ({
  id: String(id),
  name,
  language,
  status: "APPROVED",
  category: "MARKETING",
  quality_score: { score: "GREEN" },
  components: [{ type: "BODY", text: "Dear {{1}}" }]
})

const channelAt = (fake: FakePlatform) =>
  Effect.map(clientOf(fake), (client) => cloudChannel(client, { signing: null, verification: null }))

const templatesAt = (fake: FakePlatform) => Effect.map(channelAt(fake), ({ network }) => network.templates!)

describe("a template that is filled", () => {
  it.live("is sent with its components and our id of it, and with nothing else", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const channel = yield* channelAt(fake)
      const { contentOf: filled, shapeOf } = channel.network.templates!
      const shape = shapeOf([
        { type: "HEADER", format: "IMAGE" },
        { type: "BODY", text: "Dear {{name}}" },
        { type: "BUTTONS", buttons: [{ type: "URL", text: "Track", url: "https://shop.example/{{1}}" }] }
      ])
      const values = { "header.media": "https://files.example/a.png", "body.name": "Ada", "buttons.0": "t/7" }
      const content = (values: Readonly<Record<string, string>>) =>
        contentOf("template", filled({ name: "sale", language: "en_US", shape, values }))
      const ref = Ids.as<"Message">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11")
      const send = (to: Recipient, values: Readonly<Record<string, string>>) =>
        channel.send(number, to, { content: content(values), answers: null, options: {} }, ref)
      const sent = yield* send({ _tag: "Phone", phone: "491701234567" }, values)
      yield* send({ _tag: "User", id: "US.1" }, {})
      const frame = {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        type: "template",
        biz_opaque_callback_data: ref
      }
      const template = { name: "sale", language: { code: "en_US" } }
      assert.deepStrictEqual(
        fake.of("send").map(({ body }) => body),
        [
          {
            ...frame,
            to: "491701234567",
            template: {
              ...template,
              components: [
                { type: "header", parameters: [{ type: "image", image: { link: "https://files.example/a.png" } }] },
                { type: "body", parameters: [{ type: "text", parameter_name: "name", text: "Ada" }] },
                { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "t/7" }] }
              ]
            }
          },
          { ...frame, recipient: "US.1", template: { ...template, components: [] } }
        ]
      )
      assert.strictEqual(sent.id, fake.messages[0]!.id)
    })
  )
})

describe("templates of a name", () => {
  it.live("are those of exactly this name, in every language, with what is known of them", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.templates.push(
        template(1, "welcome"),
        template(2, "welcome_back"),
        template(3, "welcome", "de"),
        template(4, "a_welcome"),
        template(5, "Welcome"),
        template(6, "goodbye"),
        { name: "welcome", language: "fr" }
      )
      const { named } = yield* templatesAt(fake)
      const known = (id: string, language: string) => ({
        id,
        name: "welcome",
        language,
        status: "APPROVED",
        category: "MARKETING",
        quality: "GREEN",
        components: [{ type: "BODY", text: "Dear {{1}}" }]
      })
      assert.deepStrictEqual(yield* named(number, "welcome"), [known("1", "en"), known("3", "de")])
      const [request, ...others] = fake.requests
      assert.lengthOf(others, 0)
      assert.deepInclude(request, {
        method: "GET",
        path: `/${number.accountId}/message_templates`,
        query: { name: "welcome", fields, limit: "100" },
        token,
        body: null
      })
      assert.deepStrictEqual(yield* named(number, "elsewhere"), [])
    })
  )

  it.live("are read page by page to the end", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      for (let id = 1; id <= 250; id += 1) fake.templates.push(template(id, id % 50 === 0 ? "sale" : `sale_${id}`))
      const { named } = yield* templatesAt(fake)
      assert.deepStrictEqual(
        (yield* named(number, "sale")).map(({ id }) => id),
        ["50", "100", "150", "200", "250"]
      )
      assert.deepStrictEqual(
        fake.requests.map(({ query }) => query),
        [undefined, "100", "200"].map((after) => ({
          name: "sale",
          fields,
          limit: "100",
          ...(after === undefined ? {} : { after })
        }))
      )
    })
  )

  it.live("are not known where their pages do not end", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const body = { data: [template(1, "sale")], paging: { cursors: { after: "again" }, next: "https://x.example/" } }
      fake.behave({ does: "answer", status: 200, body }, ["templates"])
      const { named } = yield* templatesAt(fake)
      assert.deepInclude(yield* Effect.flip(named(number, "sale")), {
        _tag: "ChannelUnreachable",
        isCertain: false,
        detail: "named more than 100 pages of templates"
      } as never)
      assert.lengthOf(fake.requests, 100)
    })
  )

  it.live("are asked for once more where the connection fails, on every page", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      for (let id = 1; id <= 101; id += 1) fake.templates.push(template(id, "sale", `en_${id}`))
      const { named } = yield* templatesAt(fake)
      fake.next({ does: "reset" }, 1, "templates")
      fake.next({ does: "accept" }, 1, "templates")
      fake.next({ does: "reset" }, 1, "templates")
      assert.lengthOf(yield* named(number, "sale"), 101)
      assert.lengthOf(fake.requests, 4)
      fake.next({ does: "reset" }, 2, "templates")
      assert.deepInclude(yield* Effect.flip(named(number, "sale")), { _tag: "ChannelUnreachable" } as never)
      assert.lengthOf(fake.requests, 6)
    })
  )

  it.live("are not known where the platform refuses or says something else", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { named } = yield* templatesAt(fake)
      fake.next({ does: "refuse", code: 190 }, 1, "templates")
      assert.deepInclude(yield* Effect.flip(named(number, "sale")), { class: "credentials", code: 190 } as never)
      fake.next({ does: "answer", status: 200, body: { success: true } }, 1, "templates")
      assert.deepInclude(yield* Effect.flip(named(number, "sale")), {
        detail: "answered without the business account's templates"
      } as never)
      assert.lengthOf(fake.requests, 2)
    })
  )
})
