/**
 * Every case of the chat and messages routes both ways: through a relay, and through the route's own fibers. Answers, what the upstream
 * gets, rows of the usage log and money are the same. Verifies: RELY-1, RELY-2, RELY-3, RELY-4.
 */
import type { KeyOptions, StorageProvider, Trunkline } from "@trunkline/core"
import { Instant, internalsOf } from "@trunkline/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type LlmAnswer, llmBodies, llmEvents } from "../upstreams/index.ts"
import type { Answer, Fields, Sent } from "./Exchange.ts"
import { type Start, until } from "./HttpWorld.ts"
import { type LlmPayer, type LlmWorld, openLlmWorld, paths } from "./LlmWorld.ts"

/** What became of a request at the relay: it answered it, handed it over to the route, or did not take it. */
type Way = "answers" | "hands over" | "does not take"

interface Case {
  readonly api?: "chat_completions" | "messages"
  readonly way: Way
  /** Of the request, beside those of a small one. */
  readonly fields?: Fields
  readonly sent?: Sent
  /** What its upstream does; absent: it answers with a text. */
  readonly says?: LlmAnswer | ReadonlyArray<LlmAnswer>
  /** Of the key that asks. */
  readonly key?: KeyOptions
  readonly account?: Parameters<Trunkline["admin"]["changeAccount"]>[1]
  /** Requests that are made before it, by the same key. */
  readonly before?: number
  /** The client leaves once the text has come. */
  readonly leavesAfter?: string
}

const chat = llmBodies.chat_completions("hello there")
const message = llmBodies.messages("hello there")
const events = llmEvents.chat_completions("one two three")
const messageEvents = llmEvents.messages("one two three")
const { usage: _, ...unmetered } = chat
const withChoices = (...choices: ReadonlyArray<unknown>) => ({ json: { ...chat, choices } })
const choice = { index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }
const refused = (status: number, error: unknown = { message: "no", code: "leaky" }, headers = {}) => ({
  json: { error },
  status,
  headers
})
const stream = (...pieces: ReadonlyArray<never>) => ({ stream: pieces })

const cases: Readonly<Record<string, Case>> = {
  "a chat": { way: "answers" },
  "a chat with fields that nobody here knows": { way: "answers", fields: { seed: 7, own: { deep: [1, "ü", null] } } },
  "a chat with fields that are null": { way: "answers", fields: { max_tokens: null, stream: null } },
  "a chat with several answers": {
    way: "answers",
    fields: { n: 2, max_tokens: 50 },
    says: withChoices(choice, { ...choice, index: 1 })
  },
  "a chat whose numbers have more digits than a float": {
    way: "hands over",
    sent: { body: '{"model":"chat-model","messages":[{"role":"user","content":"x"}],"seed":12345678901234567890}' }
  },
  "a message": { api: "messages", way: "answers" },
  "a message with headers of its API": {
    api: "messages",
    way: "answers",
    sent: { headers: { "anthropic-version": "2023-01-01", "anthropic-beta": "one,two" } }
  },
  "a message by the header of its API": {
    api: "messages",
    way: "answers",
    sent: { headers: { "x-trace-id": "trace" } }
  },
  "a request with ids of its caller": {
    way: "answers",
    sent: { headers: { "x-request-id": "mine", "x-session-id": "session", "x-trace-id": "trace" } }
  },
  "an answer without usage": { way: "answers", says: { json: unmetered } },
  "an answer with a part of its usage": { way: "answers", says: { json: { ...chat, usage: { prompt_tokens: 5 } } } },
  "an answer with digits that a float has not": {
    way: "answers",
    says: { does: "answer", body: JSON.stringify(chat).replace('"created":', '"big":12345678901234567890,"created":') }
  },
  "an answer without choices": { way: "hands over", says: withChoices() },
  "an answer without a message": { way: "hands over", says: withChoices({ index: 0 }) },
  "an answer that says that its server has failed": {
    way: "hands over",
    says: withChoices({ ...choice, finish_reason: "error" })
  },
  "an answer that is no JSON": { way: "hands over", says: { does: "answer", body: "no JSON" } },
  "an error in the place of an answer": {
    way: "hands over",
    says: { json: { error: { message: "no", code: "bad" } } }
  },
  "an upstream that refuses the request": {
    way: "hands over",
    says: refused(400, { message: "no", param: "messages" })
  },
  "an upstream that refuses our key": { way: "hands over", says: refused(401) },
  "an upstream that is busy": { way: "hands over", says: refused(429, {}, { "retry-after": "7" }) },
  "an upstream that has failed": { way: "hands over", says: refused(500) },
  "an upstream that answers too late": {
    way: "hands over",
    fields: { model: "hasty-model" },
    says: { does: "hang" } as never
  },
  "a failure with another upstream after it": {
    way: "hands over",
    fields: { model: "backed-model" },
    says: [refused(500), { json: message }]
  },
  "a request for a model that is translated": {
    way: "hands over",
    fields: { model: "messages-model" },
    says: { json: message }
  },
  "a request without a model": { way: "hands over", fields: { model: undefined } },
  "a request for a model that nobody has": { way: "hands over", fields: { model: "no-model" } },
  "a request for a model of another kind": { way: "hands over", fields: { model: "listening-model" } },
  "a request for a model in maintenance": { way: "hands over", fields: { model: "resting-model" } },
  "a request for a model of another plan": { way: "hands over", fields: { model: "paid-model" } },
  "a request for a model without limits of its own": { way: "answers", fields: { model: "unlimited-model" } },
  "a request for a model without a route": { way: "hands over", fields: { model: "nowhere-model" } },
  "a request that is too long for its model": {
    way: "hands over",
    fields: { model: "small-model", user: "x".repeat(500) }
  },
  "a request of too many tokens": { way: "hands over", fields: { max_tokens: 5000 } },
  "a request with a picture for a model that sees none": {
    way: "hands over",
    fields: {
      model: "blind-model",
      messages: [
        { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }] }
      ]
    }
  },
  "an option that is refused": { way: "hands over", fields: { service_tier: "flex" } },
  "a body that is no JSON": { way: "hands over", sent: { body: "{" } },
  "a body that is no UTF-8": { way: "hands over", sent: { body: new Uint8Array([123, 34, 255, 34, 125]) } },
  "an empty body": { way: "hands over", sent: { body: "" } },
  "a body of another type": { way: "hands over", sent: { body: "{}", headers: { "content-type": "text/plain" } } },
  "a body in chunks": { way: "answers", sent: { chunked: true } },
  "a large body": { way: "does not take", fields: { user: "x".repeat(300_000) } },
  "a request with an Idempotency-Key that is too long": {
    way: "does not take",
    sent: { headers: { "idempotency-key": "x".repeat(256) } }
  },
  "a request without a key": { way: "does not take", sent: { key: "" } },
  "a request with a key that nobody has": { way: "does not take", sent: { key: "tl_live_nobody" } },
  "a key without the permission": { way: "does not take", key: { permissions: ["stt"] } },
  "a key for other models": { way: "hands over", key: { models: ["messages-model"] } },
  "a key for other domains": { way: "does not take", key: { domains: ["example.com"] } },
  "a key of this domain": {
    way: "answers",
    key: { domains: ["example.com"] },
    sent: { headers: { origin: "https://example.com" } }
  },
  "a key with a limit a minute": { way: "answers", key: { requestsPerMinute: 10 }, before: 2 },
  "a key whose minute is used up": { way: "hands over", key: { requestsPerMinute: 3 }, before: 2 },
  "a key whose budget is used up": { way: "hands over", key: { budget: "0.000001" } },
  "an account whose credit does not cover the request": {
    way: "hands over",
    account: { plan: "starter" },
    fields: { model: "coin-model", max_tokens: 1000, n: 2 }
  },
  "an account whose budget is used up": { way: "hands over", account: { monthlyBudget: 0n } },
  "an account in its grace period": {
    way: "answers",
    account: { paymentMethod: "grace", paymentDeadline: Instant.make(Date.UTC(2100, 0, 1)) as never }
  },
  "a stream": { way: "answers", fields: { stream: true } },
  "a stream that shows its usage": {
    way: "answers",
    fields: { stream: true, stream_options: { include_usage: true } }
  },
  "a stream in pieces of a byte": { way: "answers", fields: { stream: true }, says: { stream: events, cut: 1 } },
  "a stream without an end mark": { way: "answers", fields: { stream: true }, says: { stream: events.slice(0, -1) } },
  "a stream without usage": {
    way: "answers",
    fields: { stream: true },
    says: { stream: events.filter((one) => one === "[DONE]" || !("usage" in one)) }
  },
  "a stream of several answers": { way: "answers", fields: { stream: true, n: 2 }, says: { stream: events } },
  "a stream that breaks off": {
    way: "answers",
    fields: { stream: true },
    says: { stream: events.slice(0, 2), end: "breaks" }
  },
  "a stream that ends too early": { way: "answers", fields: { stream: true }, says: { stream: events.slice(0, 2) } },
  "a stream that breaks off after its whole answer": {
    way: "answers",
    fields: { stream: true },
    says: { stream: events.slice(0, -1), end: "breaks" }
  },
  "a stream with an error in the middle": {
    way: "answers",
    fields: { stream: true },
    says: { stream: [...events.slice(0, 2), { error: { message: "no", code: "leaky" } }] }
  },
  "a stream that begins with an error": {
    way: "hands over",
    fields: { stream: true },
    says: { stream: [{ error: { message: "no" } }] }
  },
  "a stream without an event": { way: "hands over", fields: { stream: true }, says: stream() },
  "a stream that is refused": { way: "hands over", fields: { stream: true }, says: refused(400) },
  "a stream in the place of which a whole answer comes": {
    way: "hands over",
    fields: { stream: true },
    says: { json: chat }
  },
  "a stream with an event that is no JSON": {
    way: "answers",
    fields: { stream: true },
    says: { stream: [...events.slice(0, 2), "data: {\n\n"] as never }
  },
  "a stream whose server says that it has failed": {
    way: "answers",
    fields: { stream: true },
    says: { stream: [...events.slice(0, 2), { choices: [{ index: 0, delta: {}, finish_reason: "error" }] }] }
  },
  "a stream of messages": { api: "messages", way: "answers", fields: { stream: true } },
  "a stream of messages without its last event": {
    api: "messages",
    way: "answers",
    fields: { stream: true },
    says: { stream: messageEvents.slice(0, -1) }
  },
  "a stream of messages that breaks off": {
    api: "messages",
    way: "answers",
    fields: { stream: true },
    says: { stream: messageEvents.slice(0, 3), end: "breaks" }
  },
  "a client that leaves a stream": {
    way: "answers",
    fields: { stream: true },
    says: { stream: [...events.slice(0, 3)], end: "stays" },
    leavesAfter: "one"
  }
}

interface Side {
  readonly world: LlmWorld
  readonly ways: Array<Way>
}

/** What is different each time. */
const plain = (text: string): string =>
  text
    .replace(/\b(chatcmpl-|msg_)(?!there)\w{20,}/g, "$1…")
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "…")
    .replace(/(?<="created":)\d+/g, (seconds) => (Math.abs(Date.now() / 1000 - Number(seconds)) < 600 ? "…" : seconds))

const plainHeaders = (headers: Answer["headers"]): Fields => {
  const { "keep-alive": _keep, date: _date, connection: _connection, host: _host, ...others } = headers
  // Until the end of a day or a month: the two requests are not sent in the same second.
  const isFar = Number(others["retry-after"]) > 3600
  // Of the key's minute some seconds pass between its requests, how many depends on the machine.
  const isNew = Number(others["x-ratelimit-reset"]) > 30
  const near = {
    ...others,
    ...(isFar ? { "retry-after": "…" } : {}),
    ...(isNew ? { "x-ratelimit-reset": "…" } : {})
  }
  return Object.fromEntries(Object.entries(near).map(([name, value]) => [name, plain(String(value))]))
}

const plainRow = ({ created_at: _, id: __, key_id: _key, latency_ms: ___, request_id, ...row }: Fields): Fields => ({
  ...row,
  request_id: plain(String(request_id))
})

export const RelaySuite = (name: string, start: Start, storage: () => StorageProvider): void => {
  describe(`${name}: a request through a relay`, () => {
    let sides: { readonly relayed: Side; readonly routed: Side }

    const open = async (isRelayed: boolean): Promise<Side> => {
      const ways: Array<Way> = []
      const world = await openLlmWorld((core, options) => {
        const internals = internalsOf(core)
        const { relay } = internals
        expect(relay).not.toBeNull()
        const watched: typeof relay = (request, connection) => {
          const nth = ways.push("does not take") - 1
          const handOver = () => {
            ways[nth] = "hands over"
            connection.handOver()
          }
          const isTaken = isRelayed && relay!(request, { ...connection, handOver })
          if (isTaken && ways[nth] !== "hands over") ways[nth] = "answers"
          return isTaken
        }
        Object.assign(internals, { relay: watched })
        return start(core, options)
      }, storage)
      return { world, ways }
    }

    beforeAll(async () => {
      const [relayed, routed] = await Promise.all([open(true), open(false)])
      sides = { relayed, routed }
    })

    afterAll(async () => {
      await Promise.all([sides.relayed.world.close(), sides.routed.world.close()])
    })

    /** The key and the account are in memory, as they are now. */
    const remember = (world: LlmWorld, key: string) => world.send("GET", "/v1/models", { key })

    /** With a key it is sent a second time where it was answered. */
    const run = async ({ ways, world }: Side, given: Case, idempotencyKey: string | null = null) => {
      const { account, api = "chat_completions", before = 0, fields, key, leavesAfter, says = null, sent } = given
      const payer = await world.payer({ more: "10", ...key })
      const { admin } = world.core
      await admin.changeAccount(payer.account, { plan: "enterprise", ...account })
      world.there.says(null)
      await remember(world, payer.key)
      for (let n = 0; n < before; n++) await world.ask(api, {}, { key: payer.key })
      world.there.says(says)
      const asked = world.there.calls.length
      const nth = ways.length
      const keyed = idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }
      const whole = { key: payer.key, ...sent, headers: { ...sent?.headers, ...keyed } }
      const answer =
        leavesAfter === undefined ? await world.ask(api, fields, whole) : await left(world, payer, given, leavesAfter)
      const again = idempotencyKey === null || answer?.status !== 200 ? null : await world.ask(api, fields, whole)
      const rows = await until(async () => {
        const found = await payer.rows()
        const { reserved } = await payer.credits()
        return Number(reserved) === 0 && (leavesAfter === undefined || found.length > 0) ? found : undefined
      })
      return {
        way: ways[nth],
        answers: [answer, again].filter((one) => one !== null),
        there: world.there.calls
          .slice(asked)
          .map(({ headers, json, path }) => ({ path, json, headers: plainHeaders(headers) })),
        rows: rows.map(plainRow),
        balance: (await payer.credits()).balance
      }
    }

    const left = async (
      world: LlmWorld,
      { key }: LlmPayer,
      { api = "chat_completions", fields }: Case,
      after: string
    ) => {
      const opened = await world.open(api, fields, { key })
      await opened.has(after)
      opened.leave()
      return null
    }

    const comparable = ({ answers, way: _way, ...others }: Awaited<ReturnType<typeof run>>) => ({
      ...others,
      answers: answers.map(({ headers, status, text }) => ({
        status,
        headers: plainHeaders(headers),
        text: plain(text)
      }))
    })

    it.each(Object.entries(cases))("%s is answered, billed and logged as by its route", async (_, given) => {
      const relayed = await run(sides.relayed, given)
      const routed = await run(sides.routed, given)
      expect(comparable(relayed)).toEqual(comparable(routed))
      expect(relayed.way).toBe(given.way)
      expect(relayed.rows).toHaveLength(routed.rows.length)
    })

    const keyed = Object.entries(cases).filter(([, { leavesAfter, sent }]) => {
      const isKeyed = sent?.headers !== undefined && "idempotency-key" in sent.headers
      return leavesAfter === undefined && !isKeyed
    })

    it.each(keyed)(
      "%s, under an Idempotency-Key, is answered, billed, logged and replayed as by its route",
      async (name, given) => {
        const relayed = await run(sides.relayed, given, name)
        const routed = await run(sides.routed, given, name)
        expect(comparable(relayed)).toEqual(comparable(routed))
        expect(relayed.way).toBe(given.way)
        const [first, again] = relayed.answers
        if (first?.status !== 200) return
        // A stream that breaks off is no success, and so runs anew.
        const isReplayed = again?.headers["idempotent-replayed"] === "true"
        if (isReplayed) expect(again?.text).toBe(first.text)
        expect(relayed.rows.filter(({ status }) => status === 200)).toHaveLength(
          (given.before ?? 0) + (isReplayed ? 1 : 0)
        )
      }
    )

    /** Each side by itself, with a payer of its own and a head for its requests. */
    const bothWays = async <A>(play: (side: Side, payer: LlmPayer, sent: Sent) => Promise<A>): Promise<A> => {
      const one = async (side: Side) => {
        const payer = await side.world.payer({ more: "10" })
        await side.world.core.admin.changeAccount(payer.account, { plan: "enterprise" })
        side.world.there.says(null)
        await remember(side.world, payer.key)
        return play(side, payer, { key: payer.key, headers: { "idempotency-key": "once" } })
      }
      const relayed = await one(sides.relayed)
      expect(relayed).toEqual(await one(sides.routed))
      return relayed
    }

    const gate = () => Promise.withResolvers<void>()

    it("an Idempotency-Key whose first request runs is refused to the same request and to another one", async () => {
      const found = await bothWays(async ({ world }, _, sent) => {
        const goOn = gate()
        world.there.says({ stream: [goOn.promise, ...events] as never })
        const asked = world.there.calls.length
        const first = world.ask("chat_completions", { stream: true }, sent)
        await until(async () => (world.there.calls.length > asked ? true : undefined))
        const same = await world.ask("chat_completions", { stream: true }, sent)
        const other = await world.ask("chat_completions", {}, sent)
        goOn.resolve()
        const { text } = await first
        const again = await world.ask("chat_completions", { stream: true }, sent)
        expect(again.text).toBe(text)
        return [same, other].map(({ headers, status, text }) => [status, plainHeaders(headers), plain(text)])
      })
      expect(found.map(([status]) => status)).toEqual([409, 409])
    })

    it.each([
      ["in the middle of its answer", "chat-model", 2],
      ["before its first event", "chat-model", 0],
      ["before its first attempt fails", "backed-model", 0]
    ])(
      "a stream under an Idempotency-Key whose client leaves %s goes on, is billed in full, and is replayed",
      async (_, model, sent) => {
        const found = await bothWays(async ({ world }, payer, head) => {
          const goOn = gate()
          const fields = { stream: true, model }
          const whole = { stream: [...events.slice(0, sent), goOn.promise, ...events.slice(sent)] as never }
          const failing = [{ stream: [goOn.promise], end: "breaks" as const }, { stream: messageEvents }]
          world.there.says(model === "chat-model" ? whole : (failing as never))
          const asked = world.there.calls.length
          if (sent > 0) {
            const opened = await world.open("chat_completions", fields, head)
            await opened.has("one")
            opened.leave()
          } else {
            const begun = world.begin("chat_completions", fields, head)
            await until(async () => (world.there.calls.length > asked ? true : undefined))
            begun.leave()
          }
          await new Promise((resolve) => setTimeout(resolve, 100))
          goOn.resolve()
          const rows = await until(async () => {
            const found = await payer.rows()
            return found.some(({ status }) => status === 200) ? found : undefined
          })
          const again = await world.ask("chat_completions", fields, head)
          const { balance, reserved } = await payer.credits()
          return {
            rows: rows.map(plainRow),
            credits: { balance, reserved },
            again: [again.status, plainHeaders(again.headers), plain(again.text)]
          }
        })
        expect(found.again[0]).toBe(200)
        expect(found.again[1]).toMatchObject({ "idempotent-replayed": "true" })
      }
    )

    it("a key that is revoked is refused by the next request, and an account that has changed is judged anew", async () => {
      const { ways, world } = sides.relayed
      world.there.says(null)
      const payer = await world.payer({ more: "10" })
      await remember(world, payer.key)
      expect((await world.ask("chat_completions", {}, { key: payer.key })).status).toBe(200)
      expect(ways.at(-1)).toBe("answers")
      await world.core.admin.revokeKey(payer.keyId)
      expect((await world.ask("chat_completions", {}, { key: payer.key })).status).toBe(401)
      expect(ways.at(-1)).toBe("hands over")
    })

    it("a request that is handed over counts once for its address", async () => {
      const core = { limits: { perIpPerMinute: 3 } }
      const world = await openLlmWorld(start, storage, { core })
      try {
        await remember(world, world.key)
        const statuses: Array<number> = []
        for (const model of ["chat-model", "no-model", "chat-model"]) {
          statuses.push((await world.ask("chat_completions", { model }, { key: world.key })).status)
        }
        expect(statuses).toEqual([200, 404, 429])
      } finally {
        await world.close()
      }
    })

    it("paths with the alias of client libraries are relayed", async () => {
      const { ways, world } = sides.relayed
      world.there.says(null)
      await remember(world, world.key)
      const answer = await world.send("POST", `/openai${paths.chat_completions}`, {
        key: world.key,
        json: { model: "chat-model", messages: [{ role: "user", content: "hello" }] }
      })
      expect([answer.status, ways.at(-1)]).toEqual([200, "answers"])
    })
  })
}
