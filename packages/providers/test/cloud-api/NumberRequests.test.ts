/** Requests about numbers and templates, exactly as the platform gets them: docs/reference/messaging.md#number-management. */
import { assert, describe, it } from "@effect/vitest"
import type { PlatformRequest } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { clientOf, failureOf, fakePlatform, number, token } from "./Numbers.ts"

const pin = Redacted.make("482915")

const shown = ({ body, method, path, query, token }: PlatformRequest) => ({ method, path, query, body, token })

describe("requests about a number", () => {
  it.live("name every field that is read of it", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { facts } = yield* clientOf(fake)
      fake.facts.set(number.id, {
        display_phone_number: "+1 555-078-3881",
        verified_name: "Northwind",
        status: "CONNECTED",
        quality_rating: "GREEN",
        name_status: "APPROVED",
        code_verification_status: "VERIFIED",
        is_pin_enabled: true,
        throughput: { level: "HIGH" },
        whatsapp_business_manager_messaging_limit: "TIER_2K",
        messaging_limit_tier: "TIER_250"
      })
      assert.deepStrictEqual(yield* facts(number), {
        displayPhoneNumber: "+1 555-078-3881",
        verifiedName: "Northwind",
        status: "CONNECTED",
        qualityRating: "GREEN",
        nameStatus: "APPROVED",
        codeVerificationStatus: "VERIFIED",
        isPinEnabled: true,
        throughput: { level: "HIGH", perSecond: 1000 },
        messagingLimit: { tier: "TIER_2K", perDay: 2000 }
      })
      const [request] = fake.of("object")
      assert.deepInclude(shown(request!), { method: "GET", path: `/${number.id}`, token })
      for (const field of Object.keys(fake.facts.get(number.id)!)) assert.include(request!.query.fields, field)
    })
  )

  it.live("register it, deregister it and set its PIN", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { deregister, register, setPin } = yield* clientOf(fake)
      yield* register(number, { pin, region: null })
      yield* register(number, { pin, region: "DE" })
      yield* setPin(number, pin)
      yield* deregister(number)
      assert.deepStrictEqual(
        fake.requests.map(({ body, method, path }) => [method, path, body]),
        [
          ["POST", `/${number.id}/register`, { messaging_product: "whatsapp", pin: "482915" }],
          [
            "POST",
            `/${number.id}/register`,
            { messaging_product: "whatsapp", pin: "482915", data_localization_region: "DE" }
          ],
          ["POST", `/${number.id}`, { pin: "482915" }],
          ["POST", `/${number.id}/deregister`, null]
        ]
      )
    })
  )

  it.live("read and change its profile", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { changeProfile, profile } = yield* clientOf(fake)
      yield* changeProfile(number, { about: "Open", websites: ["https://example.com"], profilePictureHandle: "4::a" })
      assert.deepStrictEqual(fake.of("changeProfile")[0]?.body, {
        messaging_product: "whatsapp",
        about: "Open",
        websites: ["https://example.com"],
        profile_picture_handle: "4::a"
      })
      assert.deepInclude(yield* profile(number), { about: "Open", websites: ["https://example.com"], email: null })
      assert.strictEqual(fake.of("profile")[0]?.path, `/${number.id}/whatsapp_business_profile`)
    })
  )

  it.live("block people by their phones and by their ids, and say who could not be blocked", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { block, unblock } = yield* clientOf(fake)
      fake.unblockable.add("16505559999")
      const people = [
        { _tag: "Phone", phone: "16505551234" },
        { _tag: "Phone", phone: "16505559999" },
        { _tag: "User", id: "US.13491208655302741918" }
      ] as const
      const { done, failed } = yield* block(number, people)
      assert.deepStrictEqual(
        done.map(({ input }) => input),
        ["16505551234", "US.13491208655302741918"]
      )
      assert.deepStrictEqual(failed, [{ input: "16505559999", code: 131047 }])
      assert.deepStrictEqual(fake.of("block")[0]?.body, {
        messaging_product: "whatsapp",
        block_users: [{ user: "16505551234" }, { user: "16505559999" }, { user_id: "US.13491208655302741918" }]
      })
      assert.lengthOf((yield* unblock(number, people.slice(0, 1))).done, 1)
      assert.deepInclude(shown(fake.of("unblock")[0]!), { method: "DELETE", path: `/${number.id}/block_users` })
      fake.next({ does: "refuse", code: 139101 }, 1, "block")
      assert.deepInclude(yield* failureOf(block(number, people)), { _tag: "PlatformRefused", code: 139101 } as never)
    })
  )
})

describe("a request whose connection fails", () => {
  it.live("is tried once more where it only reads, and never where it changes something", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { changeTemplate, facts, template } = yield* clientOf(fake)
      fake.templates.push({ id: "5", name: "welcome" })
      fake.next({ does: "reset" }, 1, "object")
      assert.deepInclude(yield* facts(number), { status: null } as never)
      fake.next({ does: "reset" }, 2, "object")
      assert.deepInclude(yield* failureOf(template(number, "5", {})), { _tag: "ChannelUnreachable" } as never)
      fake.next({ does: "reset" }, 1, "changeObject")
      assert.deepInclude(yield* failureOf(changeTemplate(number, "5", {})), { _tag: "ChannelUnreachable" } as never)
      assert.lengthOf(fake.of("object"), 4)
      assert.lengthOf(fake.of("changeObject"), 1)
    })
  )
})

describe("requests about templates", () => {
  it.live("read, change, unpause and delete one of them", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { changeTemplate, removeTemplate, template, unpauseTemplate } = yield* clientOf(fake)
      const welcome = { id: "594425479261596", name: "welcome", language: "en_US", status: "PAUSED" }
      fake.templates.push(welcome)
      assert.deepStrictEqual(yield* template(number, welcome.id, {}), welcome)
      assert.deepStrictEqual(yield* template(number, welcome.id, { fields: "name", access_token: "x" }), welcome)
      yield* changeTemplate(number, welcome.id, { category: "MARKETING" })
      yield* unpauseTemplate(number, welcome.id)
      yield* removeTemplate(number, { name: "welcome", id: welcome.id })
      yield* removeTemplate(number, { name: "welcome", id: null })
      const list = `/${number.accountId}/message_templates`
      assert.deepStrictEqual(
        fake.requests.map(({ body, method, path, query }) => [method, path, query, body]),
        [
          [
            "GET",
            `/${welcome.id}`,
            {
              fields:
                "id,name,language,status,category,quality_score,components,parameter_format,rejected_reason,previous_category"
            },
            null
          ],
          ["GET", `/${welcome.id}`, { fields: "name" }, null],
          ["POST", `/${welcome.id}`, {}, { category: "MARKETING" }],
          ["POST", `/${welcome.id}/unpause`, {}, null],
          ["DELETE", list, { name: "welcome", hsm_id: welcome.id }, null],
          ["DELETE", list, { name: "welcome" }, null]
        ]
      )
    })
  )

  it.live("keep an example in two requests, the second with the bytes", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { keepExample } = yield* clientOf(fake, { appId: "670843887433847" })
      const file = { contentType: "image/png", fileName: "header.png", bytes: new Uint8Array([1, 2, 3]) }
      assert.strictEqual(yield* keepExample!(number, file), "4::aW1hZ2UvcG5n:ARa")
      const [begun, filled] = fake.requests
      assert.deepInclude(shown(begun!), {
        method: "POST",
        path: "/670843887433847/uploads",
        query: { file_name: "header.png", file_length: "3", file_type: "image/png" }
      })
      assert.strictEqual(filled?.headers.file_offset, "0")
      assert.strictEqual(filled?.headers.authorization, `OAuth ${token}`)
      assert.strictEqual(filled?.headers["content-length"], "3")
      for (const id of ["https://elsewhere.example/upload", "upload:../me", 5, null]) {
        fake.next({ does: "answer", status: 200, body: { id } }, 1, "beginUpload")
        assert.deepInclude(yield* failureOf(keepExample!(number, file)), { _tag: "ChannelUnreachable" } as never)
      }
      assert.isNull((yield* clientOf(fake)).keepExample)
    })
  )
})
