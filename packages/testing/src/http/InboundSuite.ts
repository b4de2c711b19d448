/** The endpoint that the chat platform delivers to, as the platform sees it. Verifies: CHAT-1, HTTP-4. */
import type { StorageProvider, TrunklineOptions } from "@trunkline/core"
import { channelProvider, Storage, StorageError } from "@trunkline/core/provider"
import { storageProvider } from "@trunkline/core/storage"
import type { StorageLayer } from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeChat } from "../inference/FakeChat.ts"
import {
  FakeChatPlatform,
  freshWamid,
  inboundBody,
  inboundChange,
  inboundMessages,
  type SignedBody,
  sampleBodies,
  sampleBusinessAccount,
  sampleNumber,
  signed
} from "../messaging/index.ts"
import type { Answer, Fields } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type ServeOptions, type Start, until } from "./HttpWorld.ts"

const { inbound, inboundStatus } = sampleBodies

const root = "/api/v1/messaging"
const path = `${root}/inbound`
const appSecret = "what deliveries are signed with"
const verifyToken = "what the platform was told"
const other = { phoneNumberId: "222222222222222", displayPhoneNumber: "+1 555 000 0002" }

/** A storage that is unavailable while `isAway` says so. */
const shaky = (provider: StorageProvider, isAway: () => boolean): StorageProvider =>
  storageProvider(
    Layer.effectContext(
      Effect.map(Layer.build(provider.layer as StorageLayer), (context) => {
        const real = Context.get(context, Storage)
        const unless = <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.suspend(
            (): Effect.Effect<A, E | StorageError, R> =>
              isAway() ? Effect.fail(new StorageError({ reason: "unavailable", detail: "the suite says so" })) : work
          )
        return Context.add(context, Storage, {
          ready: unless(real.ready),
          durable: unless(real.durable),
          read: (program) => unless(real.read(program)),
          transact: (program) => unless(real.transact(program)),
          transactWith: (options) => (program) => unless(real.transactWith(options)(program))
        })
      })
    )
  )

export const inboundSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`deliveries of the chat platform through ${name}`, () => {
    const platform = new FakeChatPlatform().owns(sampleBusinessAccount, other.phoneNumberId)
    const model = new FakeChat()
    let world: HttpWorld
    let isAway = false

    const options = (more: TrunklineOptions["messaging"] = { appSecret, verifyToken }): Partial<TrunklineOptions> => ({
      messaging: { platform: channelProvider(platform.layer), reply: { quietMs: 0 }, ...more },
      models: { upstreams: { fake: model.provider }, routes: { "*": { upstream: "fake" } } },
      workers: { dialer: false, deliveries: false }
    })

    const open = async (core: Partial<TrunklineOptions>, serve: ServeOptions = {}) => {
      const opened = await openWorld(start, () => shaky(storage(), () => isAway), { core, serve })
      for (const { displayPhoneNumber, phoneNumberId } of [sampleNumber, other]) {
        const { status } = await opened.send("POST", `${root}/phone_numbers`, {
          key: opened.key,
          json: {
            phone_number_id: phoneNumberId,
            business_account_id: sampleBusinessAccount,
            access_token: "EAAG-a-token",
            display_phone_number: displayPhoneNumber
          }
        })
        expect(status).toBe(201)
      }
      return opened
    }

    beforeAll(async () => {
      world = await open(options())
    })
    afterAll(() => world.close())

    const post = ({ bytes, headers }: SignedBody, to = world): Promise<Answer> =>
      to.send("POST", path, { body: bytes, headers: { ...headers } })
    const deliver = (body: unknown, to = world) => post(signed(body, appSecret), to)

    let made = 0
    /** A customer who has never written. */
    const stranger = (): string => {
      made += 1
      return `4917${String(made).padStart(8, "0")}`
    }
    const text = (from: string, body: string, more: object = {}) =>
      inbound.text(body, { from, from_user_id: undefined, timestamp: String(Math.floor(Date.now() / 1000)), ...more })

    /** What is stored of a customer, over all numbers, the number with the earliest conversation first. */
    const stored = async (from: string, of = world): Promise<ReadonlyArray<Fields>> => {
      const found = await of.send("GET", `${root}/conversations?limit=500`, { key: of.key })
      const own = found.items.filter((conversation) => conversation.phone === from).reverse()
      const all = own.map(({ id }) => of.send("GET", `${root}/conversations/${id}/messages?limit=500`, { key: of.key }))
      return (await Promise.all(all)).flatMap(({ items }) => items.toReversed())
    }
    const textsOf = async (from: string) => (await stored(from)).map((message) => message.text)

    const asks = (query: Readonly<Record<string, string>>, to = world) =>
      to.send("GET", `${path}?${new URLSearchParams(query)}`)
    const subscribe = { "hub.mode": "subscribe", "hub.verify_token": verifyToken, "hub.challenge": "1158201444" }

    // Verifies: N-14.
    it("answers the platform's challenge with the bare text, and a wrong token with 403", async () => {
      const { headers, status, text: answer } = await asks(subscribe)
      expect({ status, answer }).toEqual({ status: 200, answer: "1158201444" })
      expect(headers["content-type"]).toMatch(/^text\/plain/)
      for (const token of ["", "another", `${verifyToken} `]) {
        const refused = await asks({ ...subscribe, "hub.verify_token": token })
        expect(refused.status, token).toBe(403)
        expect(refused.text).not.toContain("1158201444")
      }
    })

    it("refuses a challenge that lacks a parameter: 400", async () => {
      for (const missing of Object.keys(subscribe)) {
        const query = Object.fromEntries(Object.entries(subscribe).filter(([key]) => key !== missing))
        expect((await asks(query)).status, missing).toBe(400)
      }
      expect((await asks({ ...subscribe, "hub.mode": "unsubscribe" })).status).toBe(400)
    })

    it("stores deliveries that are signed with the app secret: 200 without a body", async () => {
      const from = stranger()
      const { status, text: answer } = await deliver(inboundMessages(text(from, "Hi")))
      expect({ status, answer }).toEqual({ status: 200, answer: "" })
      expect(await stored(from)).toMatchObject([{ type: "text", text: "Hi", direction: "inbound", status: "received" }])
    })

    // Verifies: M-4, N-15.
    it("stores nothing that is unsigned, or signed over other bytes: 401", async () => {
      const from = stranger()
      const body = inboundMessages(text(from, "Grüße 👋"))
      const { bytes, headers } = signed(body, appSecret)
      const signature = String(headers["x-hub-signature-256"])
      const again = new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(bytes))))
      const wrong: ReadonlyArray<readonly [string, Uint8Array, string | undefined]> = [
        ["unsigned", bytes, undefined],
        ["empty", bytes, ""],
        ["another secret", bytes, String(signed(body, "another").headers["x-hub-signature-256"])],
        ["of another body", bytes, String(signed({ ...body, more: 1 }, appSecret).headers["x-hub-signature-256"])],
        ["cut", bytes, signature.slice(0, -1)],
        ["longer", bytes, `${signature}0`],
        ["without its scheme", bytes, signature.slice("sha256=".length)],
        ["over a body that was parsed and written again", again, signature]
      ]
      for (const [what, sent, header] of wrong) {
        const { "x-hub-signature-256": _, ...others } = headers
        const answer = await world.send("POST", path, {
          body: sent,
          headers: { ...others, ...(header === undefined ? {} : { "x-hub-signature-256": header }) }
        })
        expect(answer.status, what).toBe(401)
      }
      expect(await stored(from)).toEqual([])
    })

    it("accepts text beyond ASCII, escaped as the platform writes it or not", async () => {
      const from = stranger()
      const words = "Grüße 👋🏽 e\u0301 名 👩‍👩‍👧‍👦"
      await deliver(inboundMessages(text(from, words)))
      expect((await deliver(JSON.stringify(inboundMessages(text(from, words))))).status).toBe(200)
      expect(await textsOf(from)).toEqual([words, words])
    })

    it("refuses a signed body that is no JSON: 400; stores nothing of JSON that is no delivery: 200", async () => {
      for (const body of ["", "{", "hello"]) expect((await deliver(body)).status, body).toBe(400)
      // The signature holds, and the JSON too: it is refused for its depth and its elements.
      const from = stranger()
      const delivery = JSON.stringify(inboundMessages(text(from, "Hi")))
      for (const more of [`${"[".repeat(500_000)}${"]".repeat(500_000)}`, `[${"0,".repeat(200_000)}0]`]) {
        expect((await deliver(delivery.replace(/\}$/, `,"more":${more}}`))).status).toBe(400)
      }
      expect(await stored(from)).toEqual([])
      for (const body of ["[]", "null", "{}", '{"entry":[{"changes":[{"field":"account_update","value":{}}]}]}']) {
        expect((await deliver(body)).status, body).toBe(200)
      }
    })

    // Verifies: M-2.
    it("stores every message of two entries with two changes each, and every status", async () => {
      const [one, two] = [stranger(), stranger()]
      const texts = (from: string, change: number) => [0, 1, 2].map((nth) => text(from, `${change}.${nth}`))
      const changes = [one, two, one, two].map((from, nth) =>
        inboundChange({
          ...(nth < 2 ? {} : other),
          messages: texts(from, nth),
          statuses: [inboundStatus(freshWamid(), "read")]
        })
      )
      const body = inboundBody([changes[0], changes[1]], [changes[2], changes[3]])
      expect((await deliver(body)).status).toBe(200)
      expect(await textsOf(one)).toEqual(["0.0", "0.1", "0.2", "2.0", "2.1", "2.2"])
      expect(await textsOf(two)).toEqual(["1.0", "1.1", "1.2", "3.0", "3.1", "3.2"])
    })

    it("keeps messages of unknown types as they came", async () => {
      const from = stranger()
      const more = { from, from_user_id: undefined }
      await deliver(inboundMessages(inbound.unheardOf(more), inbound.unsupported(more), inbound.reaction("👍", more)))
      expect(await stored(from)).toMatchObject([
        { type: "hologram", content: { beam: { colour: "blue" } } },
        { type: "unsupported" },
        { type: "reaction", content: { emoji: "👍" } }
      ])
    })

    it("acknowledges a delivery for a number that no account has connected", async () => {
      const from = stranger()
      const change = inboundChange({ phoneNumberId: "333333333333333", messages: [text(from, "Hi")] })
      expect((await deliver(inboundBody([change]))).status).toBe(200)
      expect(await stored(from)).toEqual([])
    })

    it("stores one of twenty identical concurrent deliveries, and acknowledges them all", async () => {
      const from = stranger()
      const body = signed(inboundMessages(text(from, "Hi"), text(from, "there")), appSecret)
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(body)))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
      expect(await textsOf(from)).toEqual(["Hi", "there"])
    })

    it("answers 503 while it cannot store, and stores the delivery when it is repeated", async () => {
      const from = stranger()
      const body = signed(inboundMessages(text(from, "Hi")), appSecret)
      isAway = true
      const { body: answer, status } = await post(body).finally(() => {
        isAway = false
      })
      expect(status).toBe(503)
      expect(answer).toEqual({ detail: expect.any(String) })
      expect(await stored(from)).toEqual([])
      expect((await post(body)).status).toBe(200)
      expect(await textsOf(from)).toEqual(["Hi"])
    })

    it("accepts no delivery and no challenge where no secret and no token are configured", async () => {
      const bare = await open(options({}))
      try {
        expect((await deliver(inboundMessages(text(stranger(), "Hi")), bare)).status).toBe(401)
        expect((await post(signed(inboundMessages(), ""), bare)).status).toBe(401)
        expect((await asks({ ...subscribe, "hub.verify_token": "" }, bare)).status).toBe(403)
        expect((await asks(subscribe, bare)).status).toBe(403)
      } finally {
        await bare.close()
      }
    })

    // Verifies: M-5, N-16.
    it("acknowledges before the model runs, marks the message read, and sends the reply when it is ready", async () => {
      const run = model.waits()
      const { items } = await world.send("GET", `${root}/phone_numbers`, { key: world.key })
      const linked = items.find(({ phone_number_id }) => phone_number_id === sampleNumber.phoneNumberId)!
      const bot = await world.send("POST", "/api/v1/bots", {
        key: world.key,
        json: { name: "Agent", system_prompt: "You sell tea." }
      })
      await world.send("POST", `${root}/phone_numbers/${linked.id}/link-bot`, {
        key: world.key,
        json: { bot_id: bot.body.id }
      })
      await world.core.start()
      const from = stranger()
      const message = text(from, "Which tea?")
      expect((await deliver(inboundMessages(message))).status).toBe(200)
      await Effect.runPromise(run.begun)
      const read = () => platform.of("markRead").filter(({ body }) => body.id === message.id)
      await until(async () => (read().length >= 2 ? true : undefined))
      expect(platform.texts(from)).toEqual([])
      await Effect.runPromise(run.answer("Green tea 🍵"))
      await until(async () => (platform.texts(from).length > 0 ? true : undefined))
      expect(platform.texts(from)).toEqual(["Green tea 🍵"])
      const answer = await until(async () => (await stored(from)).find(({ status }) => status === "sent"))
      expect(answer).toMatchObject({ direction: "outbound", role: "assistant", text: "Green tea 🍵" })
    })
  })
