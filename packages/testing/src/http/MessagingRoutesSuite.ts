/** The chat channel as its callers see it: numbers, conversations, sending, files and templates. Verifies: CHAT-5, CHAT-7. */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import type { StorageProvider, TrunklineOptions } from "@trunkline/core"
import {
  ChannelUnreachable,
  channelProvider,
  Ids,
  Instant,
  internalsOf,
  Storage,
  StorageError
} from "@trunkline/core/provider"
import { ConnectedNumberStore, storageProvider } from "@trunkline/core/storage"
import type { StorageLayer } from "@trunkline/core/testing"
import { PlatformRefused } from "@trunkline/providers/cloud-api"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  type Answering,
  accepts,
  FakeChatPlatform,
  inboundMessages,
  inboundStatuses,
  platformLeak,
  refusedWith,
  refuses,
  sampleBodies,
  sampleCustomer,
  sampleNumber,
  signed,
  silent,
  unreachable,
  waits
} from "../messaging/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"
import { malformed } from "./MalformedFormSuite.ts"
import { upload } from "./Upload.ts"
import { utc, uuid } from "./WebhookWorld.ts"

const { inbound, inboundMessage, inboundStatus } = sampleBodies

const root = "/api/v1/messaging"
const numbers = `${root}/phone_numbers`
const conversations = `${root}/conversations`
const messages = `${root}/messages`
const media = `${root}/media`
const templates = `${root}/templates`

const appSecret = "what deliveries are signed with"
const token = "EAAG-a-token-of-the-number"
const { phoneNumberId } = sampleNumber
const businessAccountId = "102290129340398"

/** 2026-11-21T09:30:00Z: when the sample customer's messages were sent. */
const start = Date.UTC(2026, 10, 21, 9, 30)

const connection = {
  phone_number_id: phoneNumberId,
  business_account_id: businessAccountId,
  access_token: token,
  display_phone_number: "+1 555-078-3881"
}

const detailOf = ({ body }: Answer): string => String(body.detail)
const faultsOf = ({ body }: Answer): ReadonlyArray<Fields> => body.detail as ReadonlyArray<Fields>

/** A text message of a conversation, as its list shows it. */
const textMessage = (conversation: Fields, fields: Fields): Fields => ({
  id: expect.stringMatching(uuid),
  conversation_id: conversation.id,
  type: "text",
  content: { body: fields.text },
  order: null,
  context: null,
  error: null,
  edited_at: null,
  deleted_at: null,
  original: null,
  sent_by: null,
  flow: null,
  created_at: expect.stringMatching(utc),
  ...fields
})

/** A text whose paragraphs fill three messages. */
const long = ["a", "b", "c"].map((char) => char.repeat(4000)).join("\n\n")

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

export const messagingRoutesSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`the chat channel through ${name}`, () => {
    const platform = new FakeChatPlatform().owns(businessAccountId, "200", "201", "202", "203", "204", "205")
    let world: HttpWorld
    /** The product's clock stands still, and its waits take a thousandth of their time. */
    let now = start
    /** Everything that was ever answered. */
    const answers: Array<string> = []

    const optionsOf = (fake: FakeChatPlatform): Partial<TrunklineOptions> => ({
      messaging: { platform: channelProvider(fake.layer), appSecret },
      clock: { now: () => now, speed: 1000 },
      workers: { replies: false }
    })

    const ask = async (method: string, path: string, json?: unknown, over: Sent = {}): Promise<Answer> => {
      const answer = await world.send(method, path, {
        key: world.key,
        ...(json === undefined ? {} : { json }),
        ...over
      })
      answers.push(answer.text)
      return answer
    }

    const send = (fields: object, over: Sent = {}) =>
      ask("POST", messages, { phone_number_id: phoneNumberId, to: sampleCustomer.phone, ...fields }, over)

    const connect = (fields: object = {}, key = world.key) =>
      ask("POST", numbers, { ...connection, ...fields }, { key })

    /** A delivery of the platform's. */
    const delivered = async (body: unknown): Promise<void> => {
      const { bytes, headers } = signed(body, appSecret)
      expect((await world.send("POST", `${root}/inbound`, { body: bytes, headers })).status).toBe(200)
    }

    /** A customer writes now. */
    const writes = (text: string, from: object = { from_user_id: undefined }) =>
      delivered(inboundMessages(inbound.text(text, { timestamp: String(Math.floor(now / 1000)), ...from })))

    /** A customer whom nobody else in this test knows has just written. */
    let customers = 0
    const customer = async (): Promise<string> => {
      customers += 1
      const phone = `1650556${String(customers).padStart(4, "0")}`
      await writes("Hello", { from: phone, from_user_id: undefined })
      return phone
    }

    const conversationOf = async (userId: string, status = "open"): Promise<Fields> => {
      const { items } = await ask("GET", `${conversations}?limit=500&status=${status}`)
      return items.find(({ user_id }) => user_id === userId)!
    }

    /** Messages of a customer's conversation, oldest first. */
    const saidTo = async (userId: string): Promise<ReadonlyArray<Fields>> =>
      (await ask("GET", `${conversations}/${(await conversationOf(userId)).id}/messages`)).items.toReversed()

    /** Runs a program on the product's own services. */
    const inside = <A, E, R>(program: Effect.Effect<A, E, R>): Promise<A> =>
      // The product provides all of its services.
      Effect.runPromiseWith(internalsOf(world.core).context as Context.Context<R>)(program)

    const within = async (core: Partial<TrunklineOptions>, use: (other: HttpWorld) => Promise<void>) => {
      const other = await openWorld(begin, storage, { core })
      try {
        await use(other)
      } finally {
        await other.close()
      }
    }

    const fails = async (fields: object, answering: Answering): Promise<Answer> => {
      platform.next(answering)
      return send({ ...fields, type: "template", template: contents.template })
    }

    beforeAll(async () => {
      world = await openWorld(begin, storage, { core: optionsOf(platform) })
      expect((await connect()).status).toBe(201)
    })
    afterAll(() => world.close())
    beforeEach(() => {
      platform.calls.length = 0
      platform.accepted.length = 0
      now = start
    })

    describe("numbers", () => {
      // Verifies: M-3, M-24, M-25, N-9, N-12.
      it("are connected once the platform delivers their account's events, and shown without their token", async () => {
        const wanted = { ...connection, phone_number_id: "200", display_phone_number: null }
        const { body, status } = await connect(wanted)
        expect({ status, body }).toEqual({
          status: 201,
          body: {
            id: expect.stringMatching(uuid),
            channel: "cloud-api",
            phone_number_id: "200",
            business_account_id: businessAccountId,
            display_phone_number: null,
            bot_id: null,
            ai_autoreply_enabled: true,
            platform: null,
            created_at: "2026-11-21T09:30:00.000Z",
            updated_at: "2026-11-21T09:30:00.000Z"
          }
        })
        expect(platform.calls.map(({ verb }) => verb)).toEqual(["hasNumber", "subscribe"])
        for (const { number } of platform.calls) {
          expect([number.accountId, Redacted.value(number.credentials)]).toEqual([businessAccountId, token])
        }
        const { headers, items } = await ask("GET", `${numbers}?limit=1`)
        expect([items, headers["x-total-count"]]).toEqual([[body], "2"])
        expect((await ask("GET", `${numbers}/${body.id}`)).body).toEqual(body)
        await ask("DELETE", `${numbers}/${body.id}`)
      })

      // Verifies: N-13.
      it("get another token when the account connects them again: 200, and all else stays", async () => {
        platform.owns("9", "201")
        const { body: first } = await connect({ phone_number_id: "201" })
        await ask("PATCH", `${numbers}/${first.id}`, { ai_autoreply_enabled: false })
        const { display_phone_number: _, ...rest } = connection
        const again = { ...rest, phone_number_id: "201", business_account_id: "9", access_token: "EAAG-another" }
        const { body, status } = await ask("POST", numbers, again)
        expect({ status, body }).toEqual({
          status: 200,
          body: { ...first, business_account_id: "9", ai_autoreply_enabled: false }
        })
        await send({ phone_number_id: "201", type: "template", template: contents.template })
        expect(Redacted.value(platform.accepted[0]!.number.credentials)).toBe("EAAG-another")
        await ask("DELETE", `${numbers}/${first.id}`)
      })

      // Verifies: N-13.
      it("belong to one account at a time: 409, before the platform is asked", async () => {
        const answer = await connect({ business_account_id: "666" }, world.stranger)
        expect(answer.status).toBe(409)
        expect(detailOf(answer)).toMatch(/another account/)
        expect(platform.calls).toEqual([])
        expect((await ask("GET", numbers, undefined, { key: world.stranger })).items).toEqual([])
      })

      // Verifies: N-56.
      it("are connected by whom the platform names as their business account, and by nobody else", async () => {
        platform.owns("9", "900")
        for (const [fields, key] of [
          [{ phone_number_id: "200", business_account_id: "9" }, world.stranger],
          [{ phone_number_id: "299" }, world.key],
          [{ phone_number_id: "20" }, world.key],
          [{ phone_number_id: "telegram:1" }, world.key]
        ] as const) {
          platform.calls.length = 0
          const answer = await connect(fields, key)
          expect(answer.status).toBe(422)
          expect(detailOf(answer)).toMatch(/does not name this phone number among those of the business account/)
          expect(platform.calls.map(({ verb }) => verb)).toEqual(["hasNumber"])
        }
        expect((await ask("GET", numbers, undefined, { key: world.stranger })).items).toEqual([])
        const { body, status } = await connect({ phone_number_id: "200" })
        expect(status).toBe(201)
        await ask("DELETE", `${numbers}/${body.id}`)
      })

      // Verifies: N-56.
      it("are not connected where the platform does not say whose they are", async () => {
        for (const [failure, status, words] of [
          [refusedWith(190, 401), 422, /access token.*\(platform code 190\)$/],
          [refusedWith(200, 403), 422, /\(platform code 200\)$/],
          [refusedWith(4, 400, 17), 429, /\(platform code 4\)$/],
          [new ChannelUnreachable({ isCertain: true, detail: "connections are refused" }), 502, /cannot be reached/],
          [new ChannelUnreachable({ isCertain: false, detail: "no answer in time" }), 502, /did not answer/]
        ] as const) {
          platform.fails("hasNumber", failure)
          platform.calls.length = 0
          const answer = await connect({ phone_number_id: "202" })
          expect([answer.status, detailOf(answer)]).toEqual([status, expect.stringMatching(words)])
          expect(platform.calls.map(({ verb }) => verb)).toEqual(["hasNumber"])
        }
        platform.fails("hasNumber", null)
      })

      it("are not stored when the platform refuses, and the answer has the reason in our words with its code", async () => {
        for (const [failure, status, words] of [
          [refusedWith(190, 401), 422, /access token.*\(platform code 190\)$/],
          [refusedWith(80007, 400, 17), 429, /Send again later.*80007/],
          [refusedWith(131016, 500), 502, /out of order.*131016/],
          [refusedWith(null, 502), 502, /out of order/]
        ] as const) {
          platform.fails("subscribe", failure)
          const answer = await connect({ phone_number_id: "202" })
          expect([answer.status, answer.headers["retry-after"]]).toEqual([status, status === 429 ? "17" : undefined])
          expect(detailOf(answer)).toMatch(words)
          expect(answer.text).not.toContain(platformLeak)
        }
        platform.fails("subscribe", null)
        expect((await ask("GET", numbers)).items.map(({ phone_number_id }) => phone_number_id)).not.toContain("202")
        const { body, status } = await connect({ phone_number_id: "202" }, world.stranger)
        expect(status).toBe(201)
        await ask("DELETE", `${numbers}/${body.id}`, undefined, { key: world.stranger })
      })

      it("keep their old token when the platform refuses a new one", async () => {
        const { body } = await connect({ phone_number_id: "203" })
        platform.fails("subscribe", refusedWith(190, 401))
        expect((await connect({ phone_number_id: "203", access_token: "EAAG-bad" })).status).toBe(422)
        platform.fails("subscribe", null)
        await send({ phone_number_id: "203", type: "template", template: contents.template })
        expect(Redacted.value(platform.accepted[0]!.number.credentials)).toBe(token)
        await ask("DELETE", `${numbers}/${body.id}`)
      })

      // Verifies: N-53.
      it("leave a line in the log that says whether the platform was asked", async () => {
        const failures = [
          refusedWith(190, 401),
          new PlatformRefused({ ...refusedWith(190, 401), message: "No token.", isLocal: true })
        ]
        const before = world.log.length
        for (const failure of failures) {
          platform.fails("subscribe", failure)
          await connect({ phone_number_id: "204" })
        }
        platform.fails("subscribe", null)
        const lines = world.log.slice(before).map(({ message }) => message)
        expect(lines.filter((line) => line.includes("chat platform"))).toEqual([
          "the chat platform refused: status 401, code 190",
          "the chat platform was not asked: No token."
        ])
      })

      // Verifies: M-44, N-53.
      it("have fields that are checked before the platform is asked", async () => {
        const wrong = { phone_number_id: "a/b", business_account_id: "", access_token: `EAAG${"x".repeat(5000)}` }
        const answer = await ask("POST", numbers, wrong)
        expect(answer.status).toBe(422)
        const fields = ["phone_number_id", "business_account_id", "access_token"]
        expect(faultsOf(answer).map(({ loc }) => loc)).toEqual(
          expect.arrayContaining(fields.map((field) => ["body", field]))
        )
        for (const access_token of [[token], { token }, "", null]) {
          const refused = await connect({ access_token })
          expect(faultsOf(refused).map(({ loc }) => (loc as ReadonlyArray<unknown>)[1])).toEqual(["access_token"])
        }
        for (const access_token of ["EAAG…", "EAAG one", "EAAG\r\nx: y"]) {
          const refused = await connect({ access_token })
          expect(refused.status).toBe(422)
          const message = expect.stringContaining("a character that no access token has")
          expect(faultsOf(refused)).toEqual([expect.objectContaining({ loc: ["body", "access_token"], msg: message })])
          expect(refused.text).not.toContain(access_token)
        }
        expect(platform.calls).toEqual([])
      })

      // Verifies: M-13, M-52.
      it("are switched on and off; an empty change changes nothing", async () => {
        const { body: number } = await connect()
        const path = `${numbers}/${number.id}`
        now += 1000
        const { body } = await ask("PATCH", path, { ai_autoreply_enabled: false })
        expect(body).toEqual({ ...number, ai_autoreply_enabled: false, updated_at: "2026-11-21T09:30:01.000Z" })
        expect((await ask("PATCH", path, {})).body).toMatchObject({ ai_autoreply_enabled: false })
        expect((await ask("PATCH", path, { ai_autoreply_enabled: null })).status).toBe(422)
        expect((await ask("PATCH", path, { ai_autoreply_enabled: true })).body).toMatchObject({
          ai_autoreply_enabled: true
        })
      })

      // Verifies: M-1, M-26, N-10.
      it("are linked to an agent of the account, and unlinked by null or by its removal", async () => {
        const { body: number } = await connect()
        const path = `${numbers}/${number.id}/link-bot`
        const { body: bot } = await ask("POST", "/api/v1/bots", { name: "Asha" })
        const { body: foreign } = await ask("POST", "/api/v1/bots", { name: "Eve" }, { key: world.stranger })
        expect((await ask("POST", path, { bot_id: bot.id })).body.bot_id).toBe(bot.id)
        for (const bot_id of [foreign.id, nobody]) {
          expect(await ask("POST", path, { bot_id })).toMatchObject({
            status: 404,
            body: { detail: "Agent not found" }
          })
        }
        expect((await ask("POST", path, {})).status).toBe(422)
        expect((await ask("GET", `${numbers}/${number.id}`)).body.bot_id).toBe(bot.id)
        expect((await ask("POST", path, { bot_id: null })).body.bot_id).toBeNull()
        await ask("POST", path, { bot_id: bot.id })
        expect((await ask("DELETE", `/api/v1/bots/${bot.id}`)).status).toBe(204)
        expect((await ask("GET", `${numbers}/${number.id}`)).body.bot_id).toBeNull()
      })

      // Verifies: M-52, N-10.
      it("that are disconnected send nothing, and have their history when their account connects them again", async () => {
        const { body: number } = await connect({ phone_number_id: "204" })
        const path = `${numbers}/${number.id}`
        const { body: bot } = await ask("POST", "/api/v1/bots", { name: "Asha" })
        await ask("POST", `${path}/link-bot`, { bot_id: bot.id })
        await send({ phone_number_id: "204", to: "16505557777", type: "template", template: contents.template })
        const before = await conversationOf("16505557777")
        const gone = await ask("DELETE", path)
        expect([gone.status, gone.text]).toEqual([204, ""])
        for (const answer of [
          await ask("GET", path),
          await ask("PATCH", path, { ai_autoreply_enabled: true }),
          await ask("POST", `${path}/link-bot`, { bot_id: null }),
          await ask("DELETE", path),
          await send({ phone_number_id: "204", type: "template", template: contents.template })
        ]) {
          expect([answer.status, detailOf(answer)]).toEqual([404, "This phone number is not connected to the account"])
        }
        const kept = await inside(
          Storage.use(({ read }) =>
            read(ConnectedNumberStore.use((store) => store.known(Ids.as<"Account">(world.account), "204")))
          )
        )
        expect(kept!.token).toBe("")
        const back = await connect({ phone_number_id: "204" })
        expect([back.status, back.body]).toEqual([201, { ...number, bot_id: bot.id }])
        expect(await conversationOf("16505557777")).toEqual({ ...before, bot_id: bot.id })
        await ask("DELETE", path)
        const { body: theirs, status } = await connect({ phone_number_id: "204" }, world.stranger)
        expect([status, theirs.id === number.id, theirs.bot_id]).toEqual([201, false, null])
        expect((await connect({ phone_number_id: "204" })).status).toBe(409)
        await ask("DELETE", `${numbers}/${theirs.id}`, undefined, { key: world.stranger })
      })

      it("of another account are not found", async () => {
        const { body: number } = await connect()
        for (const [method, path, json] of [
          ["GET", `${numbers}/${number.id}`],
          ["PATCH", `${numbers}/${number.id}`, { ai_autoreply_enabled: false }],
          ["DELETE", `${numbers}/${number.id}`],
          ["POST", `${numbers}/${number.id}/link-bot`, { bot_id: null }]
        ] as const) {
          const foreign = await ask(method, path, json, { key: world.stranger })
          const unknown = await ask(method, path.replace(String(number.id), nobody), json)
          expect([foreign.status, foreign.text], `${method} ${path}`).toEqual([404, unknown.text])
        }
      })
    })

    describe("conversations", () => {
      // Verifies: N-28.
      it("have the messages of a customer and the number, and the end of the reply window", async () => {
        const { body: number } = await connect()
        const phone = await customer()
        const conversation = await conversationOf(phone)
        expect(conversation).toEqual({
          id: expect.stringMatching(uuid),
          phone_id: number.id,
          phone_number_id: phoneNumberId,
          user_id: phone,
          phone,
          name: "Ada",
          bot_id: null,
          ai_autoreply_enabled: true,
          status: "open",
          unread_count: 1,
          needs_person: true,
          assigned_to: null,
          last_message: {
            direction: "inbound",
            role: "user",
            type: "text",
            text: "Hello",
            status: "received",
            created_at: "2026-11-21T09:30:00.000Z"
          },
          window_expires_at: "2026-11-22T09:30:00.000Z",
          last_message_at: "2026-11-21T09:30:00.000Z",
          created_at: "2026-11-21T09:30:00.000Z"
        })
        expect((await ask("GET", `${conversations}/${conversation.id}`)).body).toEqual(conversation)
        await send({ to: phone, text: "Good day" })
        expect(await saidTo(phone)).toEqual([
          textMessage(conversation, {
            msgid: expect.stringMatching(/^wamid\./),
            direction: "inbound",
            role: "user",
            text: "Hello",
            status: "received"
          }),
          textMessage(conversation, {
            msgid: platform.accepted[0]!.id,
            direction: "outbound",
            role: "agent",
            text: "Good day",
            status: "sent"
          })
        ])
      })

      it("show what its writer has edited or deleted, with what was sent", async () => {
        const phone = await customer()
        const [sent] = await saidTo(phone)
        const timestamp = String(Math.floor(now / 1000))
        const from = { from: phone, from_user_id: undefined, timestamp }
        const named = { original_message_id: sent!.msgid }
        const message = { type: "text", text: { body: "three pizzas" } }
        await delivered(inboundMessages(inboundMessage("edit", { ...named, message }, from)))
        const edited = {
          ...sent,
          text: "three pizzas",
          content: { body: "three pizzas" },
          edited_at: "2026-11-21T09:30:00.000Z",
          original: { text: "Hello", content: { body: "Hello" } }
        }
        expect(await saidTo(phone)).toEqual([edited])
        await delivered(inboundMessages(inboundMessage("revoke", named, from)))
        expect(await saidTo(phone)).toEqual([{ ...edited, deleted_at: "2026-11-21T09:30:00.000Z" }])
      })

      // Verifies: N-28.
      it("name a customer by the platform's id, or by the phone's digits where there is none", async () => {
        await writes("Hi", { from: undefined, from_user_id: "US.77" })
        expect(await conversationOf("US.77")).toMatchObject({ phone: null, user_id: "US.77" })
        await writes("Hi", { from: "16505550199", from_user_id: "US.78" })
        expect(await conversationOf("US.78")).toMatchObject({ phone: "16505550199", user_id: "US.78" })
      })

      // Verifies: N-25.
      it("are listed with the latest message first, by number and status, in pages", async () => {
        const first = await customer()
        now += 1000
        const second = await customer()
        const listed = async (query: string) => {
          const { headers, items } = await ask("GET", `${conversations}?${query}`)
          return { total: Number(headers["x-total-count"]), users: items.map(({ user_id }) => user_id) }
        }
        const { total, users } = await listed("limit=2")
        expect(users).toEqual([second, first])
        now += 1000
        await send({ to: first, text: "Are you there?" })
        expect((await listed("limit=2")).users).toEqual([first, second])
        expect(await listed("limit=1&offset=1")).toEqual({ total, users: [second] })
        const { body: number } = await connect()
        const { body: other } = await connect({ phone_number_id: "205" })
        expect((await listed(`phone_id=${number.id}&status=open`)).users).toContain(first)
        expect(await listed(`phone_id=${other.id}`)).toEqual({ total: 0, users: [] })
        expect((await listed(`status=ended&phone_id=${number.id}`)).users).not.toContain(first)
        for (const query of ["status=closed", "phone_id=1", "limit=501"]) {
          expect((await ask("GET", `${conversations}?${query}`)).status, query).toBe(422)
        }
        await ask("DELETE", `${numbers}/${other.id}`)
      })

      // Verifies: N-25.
      it("have messages that are listed newest first, in pages", async () => {
        const phone = await customer()
        for (const text of ["one", "two", "three"]) await send({ to: phone, text })
        const { id } = await conversationOf(phone)
        const { headers, items } = await ask("GET", `${conversations}/${id}/messages?limit=2`)
        expect(headers["x-total-count"]).toBe("4")
        expect(items.map(({ text }) => text)).toEqual(["three", "two"])
        const { items: rest } = await ask("GET", `${conversations}/${id}/messages?limit=2&offset=2`)
        expect(rest.map(({ text }) => text)).toEqual(["one", "Hello"])
      })

      // Verifies: M-14.
      it("are taken over by a human operator, and handed back to the agent", async () => {
        const phone = await customer()
        const conversation = await conversationOf(phone)
        const path = `${conversations}/${conversation.id}`
        const taken = await ask("PATCH", path, { ai_autoreply_enabled: false })
        expect(taken.body).toEqual({ ...conversation, ai_autoreply_enabled: false })
        expect((await ask("PATCH", path, {})).body).toEqual(taken.body)
        expect((await ask("GET", path)).body).toEqual(taken.body)
        expect((await ask("PATCH", path, { ai_autoreply_enabled: null })).status).toBe(422)
        expect((await ask("PATCH", path, { ai_autoreply_enabled: true })).body).toEqual(conversation)
      })

      // Verifies: N-26.
      it("end after a day's silence; the next conversation starts with their takeover, and they cannot be changed any more", async () => {
        const phone = await customer()
        const before = await conversationOf(phone)
        await ask("PATCH", `${conversations}/${before.id}`, { ai_autoreply_enabled: false })
        now += Instant.day
        await writes("Hello again", { from: phone, from_user_id: undefined })
        const ended = await conversationOf(phone, "ended")
        const after = await conversationOf(phone)
        expect([ended.id, after.id === before.id]).toEqual([before.id, false])
        expect(after.ai_autoreply_enabled).toBe(false)
        const answer = await ask("PATCH", `${conversations}/${before.id}`, { ai_autoreply_enabled: true })
        expect([answer.status, detailOf(answer)]).toEqual([
          409,
          "This conversation has ended. Change the customer's open one instead."
        ])
      })

      // Verifies: N-23.
      it("show the status of a message, which never moves back", async () => {
        const phone = await customer()
        const { body } = await send({ to: phone, text: "Hi" })
        const status = async () => (await saidTo(phone)).at(-1)!.status
        for (const [report, shown] of [
          ["delivered", "delivered"],
          ["sent", "delivered"],
          ["read", "read"],
          ["delivered", "read"]
        ] as const) {
          await delivered(inboundStatuses(inboundStatus(String(body.msgid), report)))
          expect(await status(), report).toBe(shown)
        }
      })

      it("show a message with an unknown outcome as failed, with a sentence about it, until the platform reports it", async () => {
        const phone = await customer()
        platform.next(silent(true))
        const answer = await send({ to: phone, text: "Hi" })
        expect(answer.status).toBe(502)
        expect(detailOf(answer)).toMatch(/not known/)
        const message = (await saidTo(phone)).at(-1)!
        expect(message).toMatchObject({
          msgid: null,
          status: "failed",
          error: { code: null, message: expect.stringMatching(/not known/) }
        })
        const ours = { biz_opaque_callback_data: message.id }
        await delivered(inboundStatuses(inboundStatus(platform.accepted[0]!.id, "delivered", ours)))
        expect((await saidTo(phone)).at(-1)).toMatchObject({ status: "delivered", error: null })
      })

      it("of another account are not found", async () => {
        const { id } = await conversationOf(await customer())
        for (const [method, below, json] of [
          ["GET", ""],
          ["GET", "/messages"],
          ["PATCH", "", { ai_autoreply_enabled: false }]
        ] as const) {
          const foreign = await ask(method, `${conversations}/${id}${below}`, json, { key: world.stranger })
          expect([foreign.status, detailOf(foreign)]).toEqual([404, "Conversation not found"])
        }
        expect((await ask("GET", conversations, undefined, { key: world.stranger })).items).toEqual([])
      })
    })

    describe("sending", () => {
      // Verifies: M-27, M-28.
      it("answers with the platform's id and the recipient", async () => {
        const phone = await customer()
        const { body, status } = await send({ to: phone, text: "Hello" })
        const [taken, ...more] = platform.accepted
        expect({ status, body, more }).toEqual({
          status: 200,
          body: { msgid: taken!.id, msgids: [taken!.id], contacts: [{ input: phone, user_id: phone }] },
          more: []
        })
        expect(taken!.body).toEqual({
          recipient_type: "individual",
          to: phone,
          type: "text",
          text: { body: "Hello" },
          biz_opaque_callback_data: expect.stringMatching(uuid)
        })
        const sent = (await world.core.events.read(null, 1000)).findLast(({ event }) => event === "message.sent")
        expect(sent!.data).toMatchObject({ msgid: taken!.id, user_id: phone, role: "agent", text: "Hello" })
      })

      // Verifies: N-35.
      it("accepts a text as the platform's object, and the message that it answers", async () => {
        const text = { body: "See https://example.com", preview_url: true }
        await send({ to: await customer(), text, context: { message_id: "wamid.BEFORE" } })
        expect(platform.accepted[0]!.body).toMatchObject({ text, context: { message_id: "wamid.BEFORE" } })
        expect((await saidTo(platform.accepted[0]!.to)).at(-1)).toMatchObject({
          context: { message_id: "wamid.BEFORE" }
        })
      })

      // Verifies: M-46, N-35.
      it("sends every type under the platform's own name for its content", async () => {
        const phone = await customer()
        for (const [type, content] of Object.entries(contents)) {
          const answer = await send({ to: phone, type, [type]: content })
          expect(answer.status, type).toBe(200)
          expect(platform.accepted.at(-1)!.body, type).toMatchObject({ to: phone, type, [type]: content })
        }
        const said = (await saidTo(phone)).slice(1)
        expect(said.map(({ type }) => type)).toEqual(Object.keys(contents))
        expect(said.filter(({ text }) => text !== null).map(({ text }) => text)).toEqual(["A picture", "Which?"])
        expect(said.find(({ type }) => type === "contacts")!.content).toEqual({ contacts: contents.contacts })
      })

      // Verifies: M-19, N-30.
      it("sends no free text to a customer who has never written, and a template always", async () => {
        const { text: _, ...rest } = { text: "Hi", ...contents }
        for (const [type, content] of Object.entries({ ...rest, text: "Hi" })) {
          const answer = await send({ to: "16505558888", type, [type]: content })
          expect(answer.status, type).toBe(type === "template" ? 200 : 422)
          if (type !== "template") expect(detailOf(answer)).toMatch(/never written.*Send a template, or wait/)
        }
        expect(platform.accepted).toHaveLength(1)
      })

      // Verifies: M-18, M-21.
      it("closes the reply window 24 hours after the customer's last message, to the millisecond, and returns the instant", async () => {
        const phone = await customer()
        now = start + Instant.day - 1
        expect((await send({ to: phone, text: "In time" })).status).toBe(200)
        now = start + Instant.day
        const late = await send({ to: phone, text: "Too late" })
        expect(late.status).toBe(422)
        expect(detailOf(late)).toBe(
          "The 24-hour window closed at 2026-11-22T09:30:00.000Z, 24 hours after the customer's last message: " +
            "free-form messages cannot be sent. Send a template, or wait for the user to message."
        )
        expect(platform.accepted).toHaveLength(1)
        expect((await send({ to: phone, type: "template", template: contents.template })).status).toBe(200)
        expect((await send({ to: phone, text: "A template opens nothing" })).status).toBe(422)
        await writes("I am here", { from: phone, from_user_id: undefined })
        expect((await send({ to: phone, text: "Welcome back" })).status).toBe(200)
      })

      it("accepts numbers of 6 to 15 digits with any punctuation", async () => {
        const phone = await customer()
        const [, area, rest] = /^1(\d{3})(\d{7})$/.exec(phone)!
        for (const to of [`+${phone}`, `+1 (${area}) ${rest}`, `1-${area}.${rest}`, `1/${area}/${rest}`]) {
          expect((await send({ to, text: "Hi" })).status, to).toBe(200)
        }
        expect(new Set(platform.accepted.map(({ to }) => to))).toEqual(new Set([phone]))
        const template = { type: "template", template: contents.template }
        for (const [to, status] of [
          ["12345", 422],
          ["123456", 200],
          ["1".repeat(15), 200],
          ["1".repeat(16), 422],
          ["+1 650 555 CALL 1234", 422],
          ["", 422],
          [16_505_551_234, 422]
        ] as const) {
          const answer = await send({ to, ...template })
          expect(answer.status, String(to)).toBe(status)
          if (status === 422) expect(faultsOf(answer)[0]!.loc).toEqual(["body", "to"])
        }
        const { status, ...nobody } = await send({ to: undefined, text: "Hi" })
        expect([status, faultsOf(nobody as Answer)]).toMatchObject([422, [{ loc: ["body", "to"] }]])
      })

      it("sends to customers without a known phone by the id that conversations show", async () => {
        await writes("Hi", { from: undefined, from_user_id: "US.501" })
        const { body } = await send({ to: undefined, user_id: "US.501", text: "Hello" })
        expect(body.contacts).toEqual([{ input: "US.501", user_id: "US.501" }])
        expect(platform.accepted[0]!.body).toMatchObject({ recipient: "US.501", text: { body: "Hello" } })
        expect(platform.accepted[0]!.body).not.toHaveProperty("to")
        await writes("Hi", { from: "16505550502", from_user_id: "US.502" })
        expect((await send({ to: undefined, user_id: "US.502", text: "Hello" })).status).toBe(200)
        const phone = await customer()
        expect((await send({ to: undefined, user_id: phone, text: "Hello" })).status).toBe(200)
        expect(platform.accepted.slice(1).map(({ body: { to } }) => to)).toEqual(["16505550502", phone])
        expect((await send({ to: undefined, user_id: "US.503", text: "Hello" })).status).toBe(422)
      })

      // Verifies: M-29, N-36.
      it("splits a long text into messages, in their order, each with an id", async () => {
        const phone = await customer()
        const context = { message_id: "wamid.BEFORE" }
        const { body, status } = await send({ to: phone, text: long, context })
        const ids = platform.accepted.map(({ id }) => id)
        expect({ status, ids: body.msgids, first: body.msgid }).toEqual({ status: 200, ids, first: ids[0] })
        expect(platform.texts(phone)).toEqual(long.split("\n\n"))
        expect(platform.accepted.map((taken) => taken.body.context)).toEqual([context, undefined, undefined])
        expect((await saidTo(phone)).slice(1).map(({ context, msgid, status }) => [context, msgid, status])).toEqual(
          ids.map((id, nth) => [nth === 0 ? context : null, id, "sent"])
        )
        expect((await send({ to: phone, text: "x".repeat(4096) })).body.msgids).toHaveLength(1)
        expect((await send({ to: phone, text: "x".repeat(65_537) })).status).toBe(422)
      })

      it("waits when a later part is throttled, and continues with that part", async () => {
        const phone = await customer()
        platform.next(accepts)
        platform.next(refuses(130429), 2)
        platform.next(unreachable)
        const { body, status } = await send({ to: phone, text: long })
        expect([status, body.msgids]).toEqual([200, platform.accepted.map(({ id }) => id)])
        expect(platform.texts(phone)).toEqual(long.split("\n\n"))
        expect(platform.of("send")).toHaveLength(6)
        expect((await saidTo(phone)).slice(1).map(({ status }) => status)).toEqual(["sent", "sent", "sent"])
      })

      // Verifies: N-34.
      it("stops after ten seconds of throttling, and returns how many parts were sent and when to retry", async () => {
        const phone = await customer()
        platform.next(accepts)
        platform.does(refuses(131056))
        const answer = await send({ to: phone, text: long })
        platform.does(accepts)
        expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "6"])
        expect(detailOf(answer)).toMatch(/\(platform code 131056\) 1 of 3 parts were sent\.$/)
        // After 1, 2, 4 and the 3 seconds that are left of ten.
        expect(platform.of("send")).toHaveLength(6)
        expect(platform.texts(phone)).toEqual(["a".repeat(4000)])
        expect((await saidTo(phone)).slice(1)).toMatchObject([{ status: "sent" }, { error: { code: 131056 } }])
        platform.calls.length = 0
        platform.next(accepts)
        platform.next(refuses(130429, 400, 11))
        const longer = await send({ to: phone, text: long })
        expect([longer.status, longer.headers["retry-after"], platform.of("send").length]).toEqual([429, "11", 2])
      })

      it("retries no part that the platform refuses, or that it may have accepted", async () => {
        const phone = await customer()
        for (const [answering, status, words] of [
          [refuses(131026), 422, /131026\) 1 of 3 parts were sent\.$/],
          [silent(true), 502, /not known.* 1 of 3 parts were sent\.$/],
          [refuses(null, 502), 502, /1 of 3 parts were sent\.$/]
        ] as const) {
          platform.calls.length = 0
          platform.next(accepts)
          platform.next(answering)
          const answer = await send({ to: phone, text: long })
          expect(answer.status).toBe(status)
          expect(detailOf(answer)).toMatch(words)
          expect(platform.of("send")).toHaveLength(2)
        }
      })

      // Verifies: M-42, N-33.
      it("reports a failure of the platform in our words, with its code and without its text", async () => {
        for (const [answering, status, words, retryAfter] of [
          [refuses(131026), 422, /cannot be delivered.*\(platform code 131026\)$/],
          [refuses(131047), 422, /template.*\(platform code 131047\)$/],
          [refuses(190, 401), 422, /access token.*\(platform code 190\)$/],
          [refuses(132001, 404), 422, /no approved template.*\(platform code 132001\)$/],
          [refuses(999, 400), 422, /refused.*\(platform code 999\)$/],
          [refuses(null, 400), 422, /refused the message\.$/],
          [refuses(130429), 429, /Send again later.*\(platform code 130429\)$/, "6"],
          [refuses(131048, 400, 90), 429, /slowed.*\(platform code 131048\)$/, "90"],
          [refuses(null, 429), 429, /Send again later/, "6"],
          [refuses(131000, 500), 502, /out of order.*\(platform code 131000\)$/],
          [refuses(2, 503), 502, /out of order.*\(platform code 2\)$/],
          [refuses(null, 503), 502, /out of order/],
          [unreachable, 502, /cannot be reached, so nothing was sent/],
          [silent(false), 502, /not known/]
        ] as const) {
          const answer = await fails({ to: "16505559001" }, answering)
          expect([answer.status, answer.headers["retry-after"]], detailOf(answer)).toEqual([status, retryAfter])
          expect(detailOf(answer)).toMatch(words)
          expect(answer.text).not.toContain(platformLeak)
        }
        // One attempt each: nothing was sent, and the caller can ask again.
        expect(platform.of("send")).toHaveLength(14)
        const said = await saidTo("16505559001")
        expect(new Set(said.map(({ status }) => status))).toEqual(new Set(["failed"]))
        expect(said[0]).toMatchObject({ msgid: null, error: { code: 131026, message: expect.any(String) } })
      })

      it("distinguishes a storage that is unavailable before a message is sent from one that is unavailable after", async () => {
        let isAway = false
        const away = new StorageError({ reason: "unavailable", detail: "the test has cut the line" })
        const breaking = Layer.effect(
          Storage,
          Effect.map(Storage, (real) => ({
            ...real,
            transact: (program) => (isAway ? Effect.fail(away) : real.transact(program)),
            transactWith: (options) => (program) => (isAway ? Effect.fail(away) : real.transactWith(options)(program))
          }))
        )
        const layer = Layer.provideMerge(breaking, storage().layer as StorageLayer)
        const fake = new FakeChatPlatform()
        await within({ ...optionsOf(fake), storage: storageProvider(layer) }, async (other) => {
          const post = (path: string, json: object) => other.send("POST", path, { key: other.key, json })
          await post(numbers, connection)
          const welcome = {
            ...{ phone_number_id: phoneNumberId, to: sampleCustomer.phone },
            ...{ type: "template", template: contents.template }
          }
          isAway = true
          const before = await post(messages, welcome)
          expect([before.status, fake.accepted.length]).toEqual([503, 0])
          expect(detailOf(before)).toMatch(/Nothing was changed/)
          isAway = false
          fake.next((_, accept) => {
            isAway = true
            return accept
          })
          const after = await post(messages, welcome)
          isAway = false
          expect([after.status, fake.accepted.length]).toEqual([502, 1])
          expect(detailOf(after)).toMatch(/not known/)
        })
      })

      it("sends a message to its end when its caller has disconnected", async () => {
        const phone = await customer()
        const door = waits()
        platform.next(accepts)
        platform.next(door.answering)
        const leaving = new AbortController()
        const body = JSON.stringify({ phone_number_id: phoneNumberId, to: phone, text: long })
        const headers = { authorization: `Bearer ${world.key}`, "content-type": "application/json" }
        const asked = fetch(world.served.origin + messages, { method: "POST", body, headers, signal: leaving.signal })
        await Effect.runPromise(door.begun)
        leaving.abort()
        await expect(asked).rejects.toThrow()
        // The host has heard of it.
        await new Promise((resolve) => setTimeout(resolve, 20))
        await Effect.runPromise(door.go())
        await until(async () => (platform.texts(phone).length === 3 ? true : undefined))
        const said = await until(async () => {
          const parts = (await saidTo(phone)).slice(1)
          return parts.every(({ status }) => status === "sent") ? parts : undefined
        })
        expect(said).toHaveLength(3)
        expect(platform.interrupted).toBe(0)
      })

      // Verifies: N-32.
      it("needs a number of the account: another account's and an unknown one are 404", async () => {
        const text = { text: "Hi" }
        for (const answer of [
          await send({ ...text, phone_number_id: "999" }),
          await send(text, { key: world.stranger })
        ]) {
          expect([answer.status, detailOf(answer)]).toEqual([404, "This phone number is not connected to the account"])
        }
        expect(platform.calls).toEqual([])
      })

      it("names the invalid field of a content", async () => {
        const to = await customer()
        for (const [fields, field] of [
          [{}, "text"],
          [{ text: "" }, "text"],
          [{ text: " \n" }, "text"],
          [{ text: { preview_url: true } }, "text"],
          [{ text: 5 }, "text"],
          [{ type: "image" }, "image"],
          [{ type: "image", text: "Hi" }, "image"],
          [{ type: "image", image: "1" }, "image"],
          [{ type: "contacts", contacts: [] }, "contacts"],
          [{ type: "contacts", contacts: { name: {} } }, "contacts"],
          [{ type: "contacts", contacts: Array.from({ length: 257 }, () => ({})) }, "contacts"],
          [{ type: "poll", poll: {} }, "type"]
        ] as const) {
          const answer = await send({ to, ...fields })
          expect(answer.status, JSON.stringify(fields).slice(0, 100)).toBe(422)
          expect((faultsOf(answer)[0]!.loc as ReadonlyArray<unknown>).slice(0, 2)).toEqual(["body", field])
        }
        expect(platform.calls).toEqual([])
      })

      // Verifies: M-30.
      it("needs the scope of sending, which reading and writing do not imply", async () => {
        const lacking = await world.keyWith("messaging:read", "messaging:write")
        const refused = await send({ text: "Hi" }, { key: lacking })
        expect([refused.status, detailOf(refused)]).toEqual([403, expect.stringContaining("messaging:send")])
        const sender = await world.keyWith("messaging:send")
        expect((await send({ to: await customer(), text: "Hi" }, { key: sender })).status).toBe(200)
        expect((await ask("GET", conversations, undefined, { key: sender })).status).toBe(403)
      })
    })

    describe("files and templates", () => {
      const form = (fields: Parameters<typeof upload>[0], type?: string) => {
        const made = upload({ fields: [["phone_number_id", phoneNumberId]], fileName: "a.jpg", ...fields })
        const body =
          type === undefined
            ? made.body
            : Buffer.from(made.body.toString("latin1").replace("audio/wav", type), "latin1")
        return { body, headers: made.headers }
      }

      // Verifies: N-38.
      it("uploads a file to the platform as it is, and returns its id", async () => {
        const file = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251)
        for (const fileFirst of [false, true]) {
          const { body, status } = await ask("POST", media, undefined, form({ file, fileFirst }, "image/jpeg"))
          expect(status).toBe(200)
          expect(platform.of("upload").at(-1)!.body).toEqual({
            contentType: "image/jpeg",
            fileName: "a.jpg",
            size: file.length
          })
          expect(platform.files.get(String(body.id))!.bytes).toEqual(file)
        }
      })

      it("returns a file with its type, as a download that no browser shows", async () => {
        const bytes = Uint8Array.from([0xff, 0xd8, 0, 0xff])
        const get = async (type: string) => {
          const url = `${world.served.origin}${media}/${platform.addFile(type, bytes)}?phone_number_id=${phoneNumberId}`
          return fetch(url, { headers: { authorization: `Bearer ${world.key}` } })
        }
        const answer = await get("image/jpeg")
        expect(answer.status).toBe(200)
        expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          "content-type": "image/jpeg",
          "content-disposition": "attachment",
          "x-content-type-options": "nosniff"
        })
        expect((await get("audio/ogg; codecs=opus")).headers.get("content-type")).toBe("audio/ogg; codecs=opus")
        expect((await get("text/html\r\nset-cookie: a=b")).headers.get("content-type")).toBe("application/octet-stream")
      })

      it("limits files by their type before the platform is asked", async () => {
        const mebibyte = 1024 * 1024
        const large = new Uint8Array(5 * mebibyte + 1)
        const refused = await ask("POST", media, undefined, form({ file: large }, "image/jpeg"))
        expect(refused.status).toBe(422)
        expect(faultsOf(refused)).toMatchObject([{ loc: ["body", "file"], type: "too_large" }])
        expect(platform.calls).toEqual([])
        expect((await ask("POST", media, undefined, form({ file: large }, "application/pdf"))).status).toBe(200)
        expect((await ask("POST", media, undefined, form({ file: large.subarray(1) }, "image/jpeg"))).status).toBe(200)
      })

      it("takes no room for what an upload only announces, and refuses another's number before the file has come", async () => {
        const file = new Uint8Array(10)
        /** Sends the beginning of a form of 100 MiB, and no more. */
        const begin = (number: string | null) => {
          const { body, headers } = upload({
            file,
            fileName: "a.jpg",
            fields: number === null ? [] : [["phone_number_id", number]]
          })
          const length = { ...headers, "content-length": 100 * 1024 * 1024, authorization: `Bearer ${world.stranger}` }
          const client = request(`${world.served.origin}${media}`, { method: "POST", headers: length })
          client.on("error", () => undefined)
          client.write(body.subarray(0, body.byteLength - 40))
          return client
        }
        const idle = Array.from({ length: 4 }, () => begin(null))
        expect((await ask("POST", media, undefined, form({ file }, "image/jpeg"))).status).toBe(200)
        const foreign = begin(phoneNumberId)
        const [refused] = (await once(foreign, "response")) as [IncomingMessage]
        expect(refused.statusCode).toBe(404)
        for (const client of [...idle, foreign]) client.destroy()
      })

      it("names the missing field of a form", async () => {
        for (const [fields, names] of [
          [{ file: null }, ["file"]],
          [{ file: new Uint8Array(0) }, ["file"]],
          [{ file: null, fields: [] }, ["phone_number_id", "file"]]
        ] as const) {
          const answer = await ask("POST", media, undefined, form(fields))
          expect(answer.status).toBe(422)
          expect(faultsOf(answer).map(({ loc }) => (loc as ReadonlyArray<unknown>)[1])).toEqual(names)
        }
      })

      // Verifies: HTTP-5.
      it("refuses a form that is none with 422, and serves the next request", async () => {
        for (const { body, contentType, what } of malformed) {
          const answer = await ask("POST", media, undefined, { body, headers: { "content-type": contentType } })
          expect(answer.status, `${what}: ${answer.text}`).toBe(422)
        }
        expect((await ask("GET", numbers)).status).toBe(200)
      })

      // Verifies: M-46, N-38.
      it("passes templates on in both directions, as the platform writes them", async () => {
        const template = { name: "welcome", language: "en_US", category: "UTILITY", components: [{ type: "BODY" }] }
        const path = `${templates}?phone_number_id=${phoneNumberId}`
        const made = await ask("POST", path, template)
        expect([made.status, made.body]).toEqual([200, { id: "1", status: "PENDING", category: "UTILITY" }])
        const { body, status } = await ask("GET", `${path}&limit=2&status=APPROVED&after=abc`)
        expect([status, body]).toEqual([200, { data: [template] }])
        expect(platform.calls.map(({ body, verb }) => [verb, body])).toEqual([
          ["createTemplate", template],
          ["templates", { limit: "2", status: "APPROVED", after: "abc" }]
        ])
        expect((await ask("GET", templates)).status).toBe(422)
      })

      it("needs a number of the account, and reports the platform's failures as sending does", async () => {
        const file = new Uint8Array(10)
        const requests = (id: string, over: Sent = {}): ReadonlyArray<() => Promise<Answer>> => [
          () => ask("POST", media, undefined, { ...form({ file, fields: [["phone_number_id", id]] }), ...over }),
          () => ask("GET", `${media}/1?phone_number_id=${id}`, undefined, over),
          () => ask("GET", `${templates}?phone_number_id=${id}`, undefined, over),
          () => ask("POST", `${templates}?phone_number_id=${id}`, { name: "x" }, over)
        ]
        for (const request of [...requests("999"), ...requests(phoneNumberId, { key: world.stranger })]) {
          const answer = await request()
          expect([answer.status, detailOf(answer)]).toEqual([404, "This phone number is not connected to the account"])
        }
        expect(platform.calls).toEqual([])
        const verbs = ["upload", "media", "templates", "createTemplate"] as const
        for (const [failure, status] of [
          [refusedWith(100), 422],
          [refusedWith(4, 400, 3), 429],
          [refusedWith(131016, 500), 502]
        ] as const) {
          for (const verb of verbs) platform.fails(verb, failure)
          for (const request of requests(phoneNumberId)) {
            const answer = await request()
            expect([answer.status, answer.headers["retry-after"]]).toEqual([status, status === 429 ? "3" : undefined])
            expect(answer.text).not.toContain(platformLeak)
          }
        }
        for (const verb of verbs) platform.fails(verb, null)
      })
    })

    it("starts without a platform, and names on the routes that need one what to configure", () =>
      within({ workers: { replies: false } }, async (other) => {
        const { body: form, headers } = upload({ file: new Uint8Array(1), fields: [["phone_number_id", "1"]] })
        const ofNumber = "?phone_number_id=1"
        for (const [method, path, sent] of [
          ["POST", numbers, { json: connection }],
          ["POST", messages, { json: { phone_number_id: "1", to: "16505551234", text: "Hi" } }],
          ["POST", media, { body: form, headers }],
          ["GET", `${media}/1${ofNumber}`, {}],
          ["GET", templates + ofNumber, {}],
          ["POST", templates + ofNumber, { json: { name: "x" } }]
        ] as const) {
          const answer = await other.send(method, path, { key: other.key, ...sent })
          expect(answer.status, `${method} ${path}`).toBe(503)
          expect(detailOf(answer)).toMatch(/configure `messaging` with a platform/)
        }
        for (const path of [numbers, conversations]) {
          expect((await other.send("GET", path, { key: other.key })).status).toBe(200)
        }
      }))

    // Verifies: M-45.
    it("uses the words of the brand, and no others", () => {
      const fake = new FakeChatPlatform()
      const brand = { channel: "chat", messageIdField: "wamid", messageIdsField: "wamids", userIdField: "wa_id" }
      return within({ ...optionsOf(fake), brand }, async (other) => {
        const chat = "/api/v1/chat"
        const asked = (method: string, path: string, json?: unknown) =>
          other.send(method, chat + path, { key: other.key, ...(json === undefined ? {} : { json }) })
        const { body: number } = await asked("POST", "/phone_numbers", connection)
        const sent = await asked("POST", "/messages", {
          phone_number_id: phoneNumberId,
          wa_id: "16505551234",
          type: "template",
          template: contents.template
        })
        const id = fake.accepted[0]!.id
        expect(sent.body).toEqual({
          wamid: id,
          wamids: [id],
          contacts: [{ input: "16505551234", wa_id: "16505551234" }]
        })
        const listed = await asked("GET", `/conversations?phone_id=${number.id}`)
        expect(listed.items).toMatchObject([{ wa_id: "16505551234", phone: "16505551234" }])
        const said = await asked("GET", `/conversations/${listed.items[0]!.id}/messages`)
        expect(said.items).toMatchObject([{ wamid: id, type: "template" }])
        const lacking = await other.send("GET", `${chat}/conversations`, { key: await other.keyWith("chat:send") })
        expect(detailOf(lacking)).toContain("chat:read")
        const everything = [sent, listed, said, lacking].map(({ text }) => text).join()
        expect(everything).not.toMatch(/messaging|msgid|user_id/)
        expect((await other.host("GET", conversations)).status).toBe(404)
        expect(JSON.stringify(other.core.openapi())).not.toMatch(/\/messaging\b|"msgids?"/)
      })
    })

    // Verifies: M-9, N-11.
    it("returns a token in no answer, no line of the log and no event", async () => {
      await connect({ access_token: "EAAG-the-last-one" })
      const said = JSON.stringify([answers, world.log, await world.core.events.read(null, 1000)])
      expect(said).toContain(phoneNumberId)
      expect(said).not.toContain("EAAG")
      expect(answers.length).toBeGreaterThan(100)
    })
  })
