/** The compatible send as a program written for the chat platform sees it. Verifies: CHAT-5, CHAT-7, COMP-2, HTTP-4. */
import type { StorageProvider, TrunklineOptions } from "@trunkline/core"
import { type Brand, channelProvider, Storage, StorageError } from "@trunkline/core/provider"
import { storageProvider } from "@trunkline/core/storage"
import type { StorageLayer } from "@trunkline/core/testing"
import { PlatformRefused } from "@trunkline/providers/cloud-api"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  FakeChatPlatform,
  inboundMessages,
  platformLeak,
  refuses,
  sampleBodies,
  sampleNumber,
  signed,
  silent,
  unreachable
} from "../messaging/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

const { inbound } = sampleBodies

const number = sampleNumber.phoneNumberId
const path = `/api/v1/messaging/${number}/messages`
const appSecret = "what deliveries are signed with"
const token = "EAAG-a-token-of-the-number"
const customer = "16505551234"

const hello = { messaging_product: "messaging", to: customer, type: "text", text: { body: "Hello" } }
const welcome = { ...hello, type: "template", template: { name: "welcome", language: { code: "en_US" } } }

const errorOf = ({ body }: Answer): Fields => body.error as Fields
const refusalOf = (answer: Answer): Fields => ({ status: answer.status, ...errorOf(answer) })

export const compatibleSendSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the compatible send through ${name}`, () => {
    const platform = new FakeChatPlatform()
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage, { core: optionsOf(platform) })
      await connect(world)
    })
    afterAll(() => world.close())
    beforeEach(() => {
      platform.calls.length = 0
      platform.accepted.length = 0
    })

    const optionsOf = (
      fake: FakeChatPlatform,
      brand: Partial<Brand> = { productAliases: [{ product: "other-name", userIdField: "other_id" }] }
    ): Partial<TrunklineOptions> => ({
      brand,
      messaging: { platform: channelProvider(fake.layer), appSecret },
      auth: { jwt: { secret: "a secret for the tokens of this test" } },
      workers: { replies: false }
    })

    const within = async (core: Partial<TrunklineOptions>, use: (other: HttpWorld) => Promise<void>) => {
      const other = await openWorld(start, storage, { core })
      try {
        await connect(other, core.brand?.channel)
        await use(other)
      } finally {
        await other.close()
      }
    }

    const send = (json: unknown, over: Sent & { readonly path?: string } = {}): Promise<Answer> =>
      world.send("POST", over.path ?? path, { key: world.key, json, ...over })

    /** A customer wrote some hours ago. */
    const writes = async (from: string, hoursAgo: number) => {
      const timestamp = String(Math.floor(Date.now() / 1000 - hoursAgo * 3600))
      const message = inbound.text("Hi", { from, from_user_id: undefined, timestamp })
      const { bytes, headers } = signed(inboundMessages(message), appSecret)
      const answer = await world.send("POST", "/api/v1/messaging/inbound", { body: bytes, headers: { ...headers } })
      expect(answer.status).toBe(200)
    }

    const eventsTo = async (of: string) =>
      (await world.core.events.read(null, 1000)).filter(({ data }) => "user_id" in data && data.user_id === of)

    /** Messages of the conversation with a customer, oldest first. */
    const messagesTo = async (of: string) => {
      const [begun] = await eventsTo(of)
      const { conversation_id } = { conversation_id: null, ...begun!.data }
      const conversation = `/api/v1/messaging/conversations/${conversation_id}`
      return (await world.send("GET", `${conversation}/messages`, { key: world.key })).items.toReversed()
    }

    describe("messages and read marks", () => {
      // Verifies: M-8, M-31, M-36, N-27.
      it("sends the body as it came, answers in the platform's form, and writes it into the conversation", async () => {
        const to = "16505550001"
        const body = {
          messaging_product: "messaging",
          recipient_type: "individual",
          to,
          context: { message_id: "wamid.BEFORE" },
          type: "text",
          text: { preview_url: true, body: "Hello 👋" },
          unknown_to_us: { kept: [1, null] }
        }
        const { body: answer, headers, status } = await send(body)
        const [sent, ...more] = platform.accepted
        expect(more).toEqual([])
        expect({ status, answer }).toEqual({
          status: 200,
          answer: {
            messaging_product: "messaging",
            contacts: [{ input: to, user_id: to }],
            messages: [{ id: sent!.id }]
          }
        })
        expect(headers["x-request-id"]).toBeDefined()
        const { messaging_product: _, ...rest } = body
        expect(sent!.body).toEqual({ ...rest, biz_opaque_callback_data: expect.any(String) })
        expect(sent!.number).toMatchObject({ id: number })
        expect(Redacted.value(sent!.number.credentials)).toBe(token)
        const events = await eventsTo(to)
        expect(events.map(({ event }) => event)).toEqual(["conversation.started", "message.sent"])
        const written = { msgid: sent!.id, role: "agent", type: "text", text: "Hello 👋" }
        expect(events[1]!.data).toMatchObject(written)
        expect(await messagesTo(to)).toMatchObject([
          { ...written, content: body.text, context: body.context, status: "sent", error: null }
        ])
      })

      // Verifies: N-40.
      it("accepts the platform's version in the path, which changes nothing", async () => {
        for (const version of ["v23.0", "v1.0", "v100.12"]) {
          const answer = await send(hello, { path: `/api/v1/messaging/${version}/${number}/messages` })
          expect([answer.status, answer.body.messaging_product], version).toEqual([200, "messaging"])
        }
        expect(platform.accepted).toHaveLength(3)
      })

      // Verifies: N-39.
      it("adds fields that may be left out, and removes punctuation from a phone number", async () => {
        const to = "+1 650 555 0002"
        const { body } = await send({ messaging_product: "messaging", to, text: { body: "Hi" } })
        expect(body.contacts).toEqual([{ input: to, user_id: "16505550002" }])
        expect(platform.accepted[0]!.body).toMatchObject({
          to: "16505550002",
          type: "text",
          recipient_type: "individual"
        })
      })

      it("sends to the platform's own id of a person, too", async () => {
        const { to: _, ...nobody } = hello
        const { body } = await send({ ...nobody, recipient: "US.13491208655302741918" })
        const contact = { input: "US.13491208655302741918", user_id: "US.13491208655302741918" }
        expect(body.contacts).toEqual([contact])
        expect(platform.accepted[0]!.body).not.toHaveProperty("to")
      })

      // Verifies: M-35.
      it("sends every type", async () => {
        const contents: Readonly<Record<string, unknown>> = {
          template: { name: "welcome", language: { code: "en_US" }, components: [{ type: "body", parameters: [] }] },
          image: { link: "https://example.com/a.jpg", caption: "A picture" },
          audio: { id: "1" },
          video: { id: "1" },
          document: { id: "1", filename: "a.pdf" },
          sticker: { id: "1" },
          interactive: { type: "button", body: { text: "Which?" }, action: { buttons: [] } },
          location: { latitude: 1.5, longitude: -2 },
          contacts: [{ name: { formatted_name: "Ada" }, phones: [{ phone: "+16505551111" }] }],
          reaction: { message_id: "wamid.A", emoji: "👍" }
        }
        for (const [type, content] of Object.entries(contents)) {
          const answer = await send({ messaging_product: "messaging", to: customer, type, [type]: content })
          expect(answer.status, type).toBe(200)
          expect(platform.accepted.at(-1)!.body, type).toMatchObject({ type, [type]: content })
        }
      })

      it("passes on what the platform says about its acceptance of a message", async () => {
        platform.next((_, accept) =>
          Effect.map(accept, (taken) => ({ ...taken, messageStatus: "held_for_quality_assessment" }))
        )
        const { body } = await send(welcome)
        expect(body.messages).toEqual([{ id: platform.accepted[0]!.id, message_status: "held_for_quality_assessment" }])
      })

      it("returns the platform's digits of the person where they differ from the request's", async () => {
        const contact = { input: "+52 1 55 1234 5678", phone: "525512345678", userRef: null }
        platform.next((_, accept) => Effect.map(accept, (taken) => ({ ...taken, contact })))
        const { body } = await send({ ...welcome, to: contact.input })
        expect(body.contacts).toEqual([{ input: contact.input, user_id: contact.phone }])
        platform.next((_, accept) => Effect.map(accept, (taken) => ({ ...taken, contact: null })))
        expect((await send(welcome)).body.contacts).toEqual([{ input: customer, user_id: customer }])
      })

      // Verifies: N-43.
      it("answers with the product value of the request, and with that product's name for the person", async () => {
        const { body } = await send({ ...hello, messaging_product: "other-name" })
        expect(body).toMatchObject({
          messaging_product: "other-name",
          contacts: [{ input: customer, other_id: customer }]
        })
        expect(Object.keys((body.contacts as ReadonlyArray<Fields>)[0]!)).toEqual(["input", "other_id"])
        const { to: _, ...nobody } = hello
        const { body: byRef } = await send({ ...nobody, messaging_product: "other-name", recipient: "US.1" })
        expect(byRef.contacts).toEqual([{ input: "US.1", other_id: "US.1", user_id: "US.1" }])
        const refused = await send({ ...hello, messaging_product: "other-name", type: "poll" })
        expect(errorOf(refused).error_data).toMatchObject({ messaging_product: "other-name" })
      })

      // Verifies: N-44.
      it("marks a message read, with or without a typing indicator", async () => {
        const mark = { messaging_product: "messaging", status: "read", message_id: "wamid.SEEN" }
        for (const [body, typing] of [
          [mark, false],
          [{ ...mark, typing_indicator: { type: "text" } }, true]
        ] as const) {
          const answer = await send(body)
          expect([answer.status, answer.body]).toEqual([200, { success: true }])
          expect(platform.of("markRead").at(-1)!.body).toEqual({ id: "wamid.SEEN", typing })
        }
        expect(platform.accepted).toEqual([])
        expect(refusalOf(await send({ ...mark, message_id: undefined }))).toMatchObject({ status: 400, code: 100 })
        expect(refusalOf(await send(mark, { path: path.replace(number, "1") }))).toMatchObject({
          status: 400,
          code: 100
        })
      })
    })

    describe("keys, bodies and methods", () => {
      // Verifies: M-37, N-41.
      it("accepts keys that may send, and refuses all others in the platform's form", async () => {
        const portal = await world.core.admin.createPortalToken(world.account)
        for (const key of ["svc_unknown", "EAAG-a-token-of-the-platform", portal.token]) {
          const answer = await send(hello, { key })
          expect(answer.body).toEqual({
            error: {
              message: "(#190) The access token cannot be used",
              type: "OAuthException",
              code: 190,
              error_data: { messaging_product: "messaging", details: expect.any(String) },
              fbtrace_id: answer.headers["x-request-id"]
            }
          })
          expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, "Bearer"])
        }
        expect(refusalOf(await world.send("POST", path, { json: hello }))).toMatchObject({ status: 401, code: 190 })
        const without = await send(hello, { key: await world.keyWith("messaging:read", "messaging:write") })
        expect(refusalOf(without)).toMatchObject({ status: 403, code: 10, type: "OAuthException" })
        expect((errorOf(without).error_data as Fields).details).toContain("messaging:send")
        const viewer = await world.core.admin.createToken(world.account, { role: "viewer" })
        expect(refusalOf(await send(hello, { key: viewer.token }))).toMatchObject({ status: 403, code: 10 })
        const { admin } = world.core
        const off = await admin.createAccount({ name: "Off" })
        const { text: key } = await admin.createKey(off.id)
        await admin.changeAccount(off.id, { status: "inactive" })
        expect(refusalOf(await send(hello, { key }))).toMatchObject({ status: 403, code: 10 })
        expect(platform.calls).toEqual([])
        const member = await admin.createToken(world.account, { role: "member" })
        expect((await send(hello, { key: member.token })).status).toBe(200)
        expect((await send(hello, { key: await world.keyWith("messaging:send") })).status).toBe(200)
      })

      it("names the request by its id, as the platform does", async () => {
        const headers = { "x-request-id": "trace-1" }
        expect(errorOf(await send({}, { headers })).fbtrace_id).toBe("trace-1")
        expect(errorOf(await world.send("GET", path, { headers })).fbtrace_id).toBe("trace-1")
      })

      // Verifies: M-39, N-41.
      it("refuses a body that it cannot read in the platform's form, without `detail` and without a list of fields", async () => {
        const json = { "content-type": "application/json" }
        const table: ReadonlyArray<readonly [sent: Sent, status: number, said: RegExp]> = [
          [{ body: '{"to":', headers: json }, 400, /not valid JSON/],
          [{ body: `{"to":${"[".repeat(1_000_000)}`, headers: json }, 400, /nested more than 200 levels deep/],
          [{ body: `[${"0,".repeat(200_000)}0]`, headers: json }, 400, /more than 200,000 elements/],
          [{ body: "", headers: json }, 400, /must be a JSON object/],
          [{ body: "[]", headers: json }, 400, /must be a JSON object/],
          [{ body: '"text"', headers: json }, 400, /must be a JSON object/],
          [{ body: "null", headers: json }, 400, /must be a JSON object/],
          [{ body: "{}", headers: json }, 400, /messaging_product must be "messaging"/],
          [{ json: { ...hello, messaging_product: "whatsapp" } }, 400, /messaging_product must be "messaging"/],
          [{ json: { ...hello, to: undefined } }, 400, /to is required/],
          [{ json: { ...hello, type: "poll" } }, 400, /type must be one of/],
          [{ body: "to=1", headers: { "content-type": "application/x-www-form-urlencoded" } }, 415, /content type/],
          [{ json: { ...hello, padding: "x".repeat(10 * 1024 * 1024) } }, 413, /too large/]
        ]
        for (const [sent, status, said] of table) {
          const answer = await world.send("POST", path, { key: world.key, ...sent })
          expect(refusalOf(answer), answer.text).toMatchObject({ status, type: "OAuthException", code: 100 })
          expect(errorOf(answer).message).toMatch(said)
          expect(Object.keys(answer.body)).toEqual(["error"])
        }
        expect(platform.calls).toEqual([])
      })

      it("answers other methods, and invalid versions, in the platform's form", async () => {
        for (const method of ["GET", "PUT", "DELETE"]) {
          for (const at of [path, `/api/v1/messaging/v23.0/${number}/messages`]) {
            const answer = await world.send(method, at, { key: world.key })
            expect(refusalOf(answer), `${method} ${at}`).toMatchObject({ status: 405, code: 100 })
            expect(answer.headers.allow).toBe("POST")
          }
        }
        const nonsense = await send(hello, { path: `/api/v1/messaging/latest/${number}/messages` })
        expect(refusalOf(nonsense)).toMatchObject({ status: 404, code: 100 })
      })

      // Verifies: M-38.
      it("refuses a text that is too long, and never splits it", async () => {
        expect((await send({ ...hello, text: { body: "x".repeat(4096) } })).status).toBe(200)
        const answer = await send({ ...hello, text: { body: "x".repeat(4097) } })
        expect(refusalOf(answer)).toMatchObject({
          status: 400,
          code: 100,
          message: "(#100) text.body must be at most 4096 characters"
        })
        expect(platform.accepted).toHaveLength(1)
      })
    })

    describe("numbers and the reply window", () => {
      // Verifies: M-32.
      it("serves the account's own numbers alone, and answers for another account's number as for an unknown one", async () => {
        const answers = []
        for (const [id, key] of [
          ["1", world.key],
          [number, world.stranger],
          ["%00", world.key],
          ["a%2Fb", world.key],
          ["x".repeat(90), world.key]
        ] as const) {
          const answer = await send(hello, { path: `/api/v1/messaging/${id}/messages`, key })
          expect(refusalOf(answer), id).toMatchObject({
            status: 400,
            code: 100,
            message: expect.stringMatching(/does not exist/)
          })
          answers.push(String(errorOf(answer).message).replace(`"${id}"`, ""))
        }
        expect(answers[1]).toBe(answers[0])
        expect(platform.calls).toEqual([])
        const gone = "106540352242999"
        platform.owns("102290129340398", gone)
        const connected = await connect(world, "messaging", gone)
        expect((await send(hello, { path: path.replace(number, gone) })).status).toBe(200)
        expect((await world.send("DELETE", connected, { key: world.key })).status).toBe(204)
        expect(refusalOf(await send(hello, { path: path.replace(number, gone) }))).toMatchObject({
          status: 400,
          code: 100
        })
      })

      // Verifies: M-41.
      it("refuses everything but templates once the customer's reply window is closed, without asking the platform", async () => {
        const to = "16505550010"
        await writes(to, 24.01)
        for (const type of ["text", "image", "reaction", "contacts"]) {
          const content = type === "contacts" ? [{}] : type === "text" ? { body: "Hi" } : {}
          const answer = await send({ messaging_product: "messaging", to, type, [type]: content })
          expect(refusalOf(answer), type).toMatchObject({ status: 400, code: 131047, type: "OAuthException" })
          expect(String((errorOf(answer).error_data as Fields).details).split(" ")[4]).toMatch(
            /^\d{4}-\d\d-\d\dT.*Z\.$/
          )
        }
        expect(platform.calls).toEqual([])
        expect((await send({ ...welcome, to })).status).toBe(200)
        await writes(to, 23.99)
        expect((await send({ ...hello, to })).status).toBe(200)
      })

      // Verifies: N-31.
      it("lets the platform decide about a customer who has never written", async () => {
        const to = "16505550011"
        expect((await send({ ...hello, to })).status).toBe(200)
        platform.next(refuses(131047))
        expect(refusalOf(await send({ ...hello, to }))).toMatchObject({ status: 400, code: 131047 })
        expect(platform.of("send")).toHaveLength(2)
        expect(await messagesTo(to)).toMatchObject([{ status: "sent" }, { status: "failed", error: { code: 131047 } }])
      })
    })

    describe("failures of the platform", () => {
      it.each([
        [400, 100, null],
        [400, 131026, null],
        [400, 130429, 7],
        [429, 130429, 30],
        [400, 80007, null],
        [401, 190, null],
        [403, 10, null],
        [404, 132001, null],
        [500, 131000, null],
        [503, 2, 1]
      ])("passes on a refusal of the platform's as it came: %s, code %s, wait %s", async (status, code, wait) => {
        platform.next(refuses(code, status, wait))
        // Past the suite's client, which takes no 500.
        const answer = await world.host("POST", path, { key: world.key, json: welcome })
        expect(refusalOf(answer)).toMatchObject({ status, code, message: platformLeak, type: "OAuthException" })
        expect(answer.headers["retry-after"]).toBe(wait === null ? undefined : String(wait))
        expect(errorOf(answer).fbtrace_id).toBe(answer.headers["x-request-id"])
        expect(world.log.map(({ message }) => message).join()).not.toContain(platformLeak)
      })

      // Verifies: M-40, N-42.
      it("keeps the details, the type and the subcode of a refusal", async () => {
        const error = { type: "GraphMethodException", error_subcode: 33, fbtrace_id: "theirs" }
        platform.next(() =>
          Effect.fail(
            new PlatformRefused({
              httpStatus: 400,
              code: 132000,
              message: "(#132000) Number of parameters does not match",
              details: "expected 2, got 1",
              retryAfterSeconds: null,
              body: { error }
            })
          )
        )
        const answer = await send(welcome)
        expect(answer.body.error).toEqual({
          message: "(#132000) Number of parameters does not match",
          type: "GraphMethodException",
          code: 132000,
          error_subcode: 33,
          error_data: { messaging_product: "messaging", details: "expected 2, got 1" },
          fbtrace_id: answer.headers["x-request-id"]
        })
      })

      it.each([
        [502, 502, 2],
        [302, 502, 2],
        [429, 429, 4],
        [404, 404, 100]
      ])("answers %s without a code with the code that says what its status says", async (from, status, code) => {
        platform.next(refuses(null, from))
        expect(refusalOf(await send(welcome))).toMatchObject({ status, code })
      })

      // Verifies: N-42.
      it("answers 503 and code 2 when the platform cannot be reached, and says whether the message may have been sent", async () => {
        platform.next(unreachable)
        const certain = await send(welcome)
        expect(refusalOf(certain)).toMatchObject({ status: 503, code: 2 })
        expect((errorOf(certain).error_data as Fields).details).toMatch(/Nothing was sent/)
        platform.next(silent(true))
        const unclear = await send(welcome)
        expect(refusalOf(unclear)).toMatchObject({ status: 503, code: 2 })
        expect((errorOf(unclear).error_data as Fields).details).toMatch(/not known/)
        expect(platform.of("send")).toHaveLength(2)
      })
    })

    describe("failures of the service itself", () => {
      it("answers 503 and code 2 while the storage is unavailable", async () => {
        let broken: "read" | "transactWith" | null = null
        const away = new StorageError({ reason: "unavailable", detail: "the test has cut the line" })
        const breaking = Layer.effect(
          Storage,
          Effect.map(Storage, (real) => ({
            ...real,
            read: (program) => (broken === "read" ? Effect.fail(away) : real.read(program)),
            transactWith: (options) => (program) =>
              broken === "transactWith" ? Effect.fail(away) : real.transactWith(options)(program)
          }))
        )
        const provider = storage()
        const layer = Layer.provideMerge(breaking, provider.layer as StorageLayer)
        await within({ ...optionsOf(platform), storage: storageProvider(layer) }, async (other) => {
          for (const what of ["read", "transactWith"] as const) {
            broken = what
            const answer = await other.send("POST", path, { key: other.key, json: welcome })
            expect(refusalOf(answer), what).toMatchObject({ status: 503, code: 2, type: "OAuthException" })
            expect((errorOf(answer).error_data as Fields).details).toMatch(/nothing was sent/)
            expect(answer.text).not.toContain("cut the line")
          }
          expect(platform.of("send")).toEqual([])
          broken = null
          expect((await other.send("POST", path, { key: other.key, json: welcome })).status).toBe(200)
        })
      })

      it("answers 500 and code 1 for an internal failure, without any detail of it", async () => {
        let fails = false
        const authenticate = async () => {
          if (fails) throw new Error("a secret of the host")
          return null
        }
        await within({ ...optionsOf(platform), auth: { authenticate } }, async (other) => {
          fails = true
          // Past the suite's client, which takes no 500.
          const answer = await other.host("POST", path, { key: other.key, json: hello })
          expect(refusalOf(answer)).toMatchObject({ status: 500, code: 1, type: "OAuthException" })
          expect(answer.text).not.toContain("secret")
        })
      })

      it("answers 503 and code 2 after it was stopped while its host still runs", () =>
        within(optionsOf(platform), async (other) => {
          await other.core.stop()
          const answer = await other.send("POST", path, { key: other.key, json: hello })
          expect(refusalOf(answer)).toMatchObject({ status: 503, code: 2 })
        }))
    })

    describe("limits, brands and secrets", () => {
      it("counts an address's requests like all others: 429 with Retry-After and the platform's code for it", () =>
        within({ ...optionsOf(platform), limits: { perIpPerMinute: 2 } }, async (other) => {
          expect((await other.send("POST", path, { key: other.key, json: hello })).status).toBe(200)
          const answer = await other.send("POST", path, { key: other.key, json: hello })
          expect(refusalOf(answer)).toMatchObject({ status: 429, code: 4, type: "OAuthException" })
          expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(60)
          // What the platform delivers comes from few addresses, and is not counted.
          const { bytes, headers } = signed(inboundMessages(), appSecret)
          const delivery = { body: bytes, headers: { ...headers } }
          expect((await other.send("POST", "/api/v1/messaging/inbound", delivery)).status).toBe(200)
        }))

      it("uses each brand's words alone when two products run in one process", async () => {
        const fake = new FakeChatPlatform()
        const chat = { channel: "chat", messageIdField: "note_id", userIdField: "person_id", keyPrefix: "acme_" }
        await within(optionsOf(fake, { ...chat, productAliases: [] }), async (other) => {
          const at = `/api/v1/chat/${number}/messages`
          const ask = (json: unknown, sent: Sent = {}) => other.send("POST", at, { key: other.key, json, ...sent })
          const wrong = { ...hello, messaging_product: "messaging" }
          const answers = [
            await ask({ ...hello, messaging_product: "chat" }),
            await ask(wrong),
            await ask(hello, { key: world.key }),
            await ask(hello, { key: await other.keyWith("chat:read") }),
            await other.send("GET", at),
            await ask({ ...hello, messaging_product: "chat", type: "poll" }),
            await ask({ ...welcome, messaging_product: "chat", to: undefined, recipient: "US.1" }),
            await ask([]),
            await other.send("POST", `/api/v1/chat/latest/${number}/messages`, { key: other.key, json: hello })
          ]
          expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 403, 405, 400, 200, 400, 404])
          expect(answers[0]!.body).toMatchObject({
            messaging_product: "chat",
            contacts: [{ input: customer, person_id: customer }]
          })
          for (const { text } of answers) expect(text).not.toMatch(/messaging(?!_product)|user_id|other/)
          expect((await other.host("POST", path, { key: other.key, json: hello })).status).toBe(404)
          const ours = await send(hello)
          expect(ours.body).toMatchObject({ messaging_product: "messaging", contacts: [{ user_id: customer }] })
          for (const { text } of [ours, await send({ ...hello, messaging_product: "chat" })]) {
            expect(text).not.toMatch(/chat|person_id/)
          }
        })
      })

      it("never returns the number's token", async () => {
        const said = JSON.stringify([world.log, await world.core.events.read(null, 1000), await send(hello)])
        expect(said).toContain(number)
        expect(said).not.toContain(token)
      })
    })
  })

/** Connects a number to the account; returns its path. */
const connect = async (world: HttpWorld, channel = "messaging", phoneNumberId: string = number): Promise<string> => {
  const numbers = `/api/v1/${channel}/phone_numbers`
  const json = { phone_number_id: phoneNumberId, business_account_id: "102290129340398", access_token: token }
  const { body, status } = await world.send("POST", numbers, { key: world.key, json })
  expect(status).toBe(201)
  return `${numbers}/${body.id}`
}
