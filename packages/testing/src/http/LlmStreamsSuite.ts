/**
 * Streams of language models: their head, events, signs of life, ends and breaks, clients that leave, and Idempotency-Keys.
 * Verifies: LANG-2, LANG-3, LANG-5, INFE-4, INFE-5.
 */
import type { StorageProvider } from "@trunkline/core"
import type { LlmApi } from "@trunkline/core/provider"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type LlmAnswer, llmBodies, llmEvents, type ScriptedEvent } from "../upstreams/index.ts"
import type { Fields } from "./Exchange.ts"
import { gate, type Start, unheld, until } from "./HttpWorld.ts"
import {
  apis,
  creditsOf,
  dataIn,
  errorOf,
  eventsIn,
  expectNoLeak,
  type LlmWorld,
  openLlmWorld,
  refusalOf
} from "./LlmWorld.ts"

const text = "one two three four"

/** The model that is at an upstream of the API itself. */
const modelOf: Readonly<Record<LlmApi, string>> = {
  chat_completions: "chat-model",
  messages: "messages-model",
  responses: "responses-model"
}

const idPattern: Readonly<Record<LlmApi, RegExp>> = {
  chat_completions: /^chatcmpl-\w+$/,
  messages: /^msg_\w+$/,
  responses: /^resp_\w+$/
}

/** The ids and the models that events name. */
const named = (api: LlmApi, events: ReadonlyArray<Fields | string>): ReadonlyArray<readonly [unknown, unknown]> =>
  events
    .map((event) => {
      if (typeof event === "string") return undefined
      return (api === "chat_completions" ? event : api === "messages" ? event.message : event.response) as
        | Fields
        | undefined
    })
    .filter((one) => one !== undefined)
    .map(({ id, model }) => [id, model])

/** An error as each API reports it within a stream: the last events, without what is different each time. */
const expectErrorEvents = (api: LlmApi, all: string, code: string, requestId: unknown) => {
  const events = eventsIn(all)
  const { data, event } = events.at(-1)!
  const error = { message: expect.any(String), type: "api_error", code, param: null, request_id: requestId }
  expect(all).not.toContain("[DONE]")
  if (api === "chat_completions") {
    expect([event, data]).toEqual([null, { error }])
  } else if (api === "messages") {
    expect([event, data]).toEqual(["error", { type: "error", error, request_id: requestId }])
  } else {
    const [failed] = events.slice(-2)
    const number = Number((failed!.data as Fields).sequence_number)
    expect([failed!.event, failed!.data]).toMatchObject([
      "response.failed",
      { type: "response.failed", response: { status: "failed", error: { code, message: expect.any(String) } } }
    ])
    expect([event, data]).toEqual([
      "error",
      { type: "error", sequence_number: number + 1, code, message: expect.any(String), param: null }
    ])
  }
}

/** How streams break, and the code that it is reported with. */
const breaks = [
  ["ends too early", { end: "ends" }, "upstream_error"],
  ["breaks off", { end: "breaks" }, "upstream_error"],
  [
    "reports an error",
    { error: { type: "error", error: { type: "overloaded_error", message: "leaky words" } } },
    "upstream_error"
  ],
  [
    "reports throttling",
    { error: { error: { code: "rate_limit_exceeded", message: "leaky words" } } },
    "upstream_error"
  ],
  ["sends what is no JSON", { raw: "data: {leaky\n\n" }, "upstream_error"],
  ["stalls", { end: "stays" }, "upstream_timeout"]
] as const

export const llmStreamsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`streams of language models through ${name}`, () => {
    let world: LlmWorld
    beforeAll(async () => {
      world = await openLlmWorld(start, storage)
    })
    afterAll(() => world.close())
    beforeEach(() => world.there.says(null))

    /** The events of a stream up to the third word, and the rest. */
    const parts = (api: LlmApi): readonly [ReadonlyArray<ScriptedEvent>, ReadonlyArray<ScriptedEvent>] => {
      const all = llmEvents[api](text)
      const third = all.findIndex((event) => JSON.stringify(event).includes("three"))
      return [all.slice(0, third), all.slice(third)]
    }

    const expectRow = (rows: ReadonlyArray<Fields>, status: number, fields: Fields) =>
      expect(rows).toMatchObject([{ status, service: "llm", ...fields }])

    describe.each(apis)("of the API %s", (api) => {
      const model = modelOf[api]
      const open = (fields: Fields = {}, sent: Parameters<LlmWorld["open"]>[2] = {}) =>
        world.open(api, { model, ...fields }, sent)
      const ask = (fields: Fields = {}, sent: Parameters<LlmWorld["ask"]>[2] = {}) =>
        world.ask(api, { model, stream: true, ...fields }, sent)

      // Verifies: G-734, G-735.
      it("has the upstream's events one for one, whatever pieces they come in, with our id and the model's", async () => {
        for (const cut of [undefined, 1, 7]) {
          world.there.says({ stream: llmEvents[api](text), ...(cut === undefined ? {} : { cut }) })
          const { headers, status, ...answer } = await ask({ stream_options: { include_usage: true } })
          expect(status).toBe(200)
          expect(headers).toMatchObject({ "content-type": "text/event-stream", ...unheld })
          expect(headers).not.toHaveProperty("content-length")
          expect(headers).not.toHaveProperty("content-encoding")
          const events = dataIn(answer.text)
          const [first, ...others] = named(api, events)
          expect(first).toEqual([expect.stringMatching(idPattern[api]), model])
          for (const other of others) expect(other).toEqual(first)
          expectNoLeak({ headers, text: answer.text }, world.there.origin)
          const [id] = first!
          const own = JSON.parse(
            JSON.stringify(llmEvents[api](text))
              .replaceAll(/"(chatcmpl-|msg_|resp_)there"/g, JSON.stringify(id))
              .replaceAll('"model-there"', JSON.stringify(model))
          )
          if (api !== "responses") expect(events).toEqual(own)
          else expect(events.map((event) => (event as Fields).type)).toEqual(own.map((event: Fields) => event.type))
          for (const { data, event } of eventsIn(answer.text)) {
            expect(event).toBe(api === "chat_completions" ? null : (data as Fields).type)
          }
        }
      })

      // Verifies: G-736.
      it("accepts lines that end in CRLF, drops comments, and keeps fields that it does not know", async () => {
        const events = llmEvents[api](text).map((event) =>
          event === "[DONE]" ? event : { ...event, unknown: { of: "theirs" } }
        )
        const plain = events
          .map((event) => {
            if (event === "[DONE]") return `: a comment\r\ndata: [DONE]\r\n\r\n`
            const type = (event as Fields).type
            return `: a comment\r\n${type === undefined ? "" : `event: ${type}\r\n`}data: ${JSON.stringify(event)}\r\n\r\n`
          })
          .join("")
        world.there.says({ stream: [Buffer.from(plain)] })
        const answer = await ask()
        expect(answer.text).not.toContain("comment")
        const known = dataIn(answer.text).filter((event) => typeof event !== "string")
        for (const event of known) expect(event).toHaveProperty("unknown.of", "theirs")
      })

      // Verifies: G-737.
      it("is an ordinary error where the first event is one, and may go on to a fallback", async () => {
        const error = { type: "error", error: { type: "overloaded_error", message: "leaky words" } }
        world.there.says({ stream: [error] })
        const failed = await ask()
        expect(refusalOf(failed)).toEqual([502, "upstream_error", null])
        expect(failed.headers["content-type"]).toMatch(/^application\/json/)
        expectNoLeak(failed, world.there.origin)
        world.there.says({ stream: [{ error: { type: "invalid_request_error", code: "context_length_exceeded" } }] })
        expect(refusalOf(await ask())).toEqual([
          400,
          "context_length_exceeded",
          api === "responses" ? "input" : "messages"
        ])
        world.there.says([{ stream: [{ error: { message: "leaky" } }] }, { stream: llmEvents.messages(text) }])
        const second = await world.ask(api, { model: "backed-model", stream: true })
        expect([second.status, second.headers["x-service-attempts"]]).toEqual([200, "2"])
        expect(second.text).toContain("four")
      })

      // Verifies: G-738, G-746.
      it("gets signs of life while no event comes, which a replay has too", async () => {
        const restless = await openLlmWorld(start, storage, { models: { streamPingMs: 100 } })
        try {
          const [before, after] = parts(api)
          const door = gate()
          restless.there.says({ stream: [...before, door.wait(), ...after] })
          const sent = { headers: { "idempotency-key": "restless" } }
          const stream = await restless.open(api, { model }, sent)
          const sign = api === "messages" ? 'event: ping\ndata: {"type":"ping"}\n\n' : ": ping\n\n"
          await stream.has(`${sign}${sign}`)
          door.open()
          const all = await stream.whole()
          expect(all).toContain("four")
          expect(dataIn(all.replaceAll(sign, "")).length).toBeGreaterThan(4)
          const again = await restless.ask(api, { model, stream: true }, sent)
          expect([again.text, again.headers["idempotent-replayed"]]).toEqual([all, "true"])
        } finally {
          await restless.close()
        }
      })

      // Verifies: G-739.
      it("ends with its end mark once, and drops what comes after it", async () => {
        world.there.says({ stream: [...llmEvents[api](text), { leaky: true }, "[DONE]"], end: "stays" })
        const all = (await ask()).text
        expect(all).not.toContain("leaky")
        const last = eventsIn(all).at(-1)!
        if (api === "chat_completions") expect(all.match(/\[DONE\]/g)).toHaveLength(1)
        else expect(all).not.toContain("[DONE]")
        if (api === "messages")
          expect([last.event, all.match(/event: message_stop/g)?.length]).toEqual(["message_stop", 1])
        if (api === "responses")
          expect([last.event, all.match(/event: response.completed/g)?.length]).toEqual(["response.completed", 1])
      })

      // Verifies: G-740.
      it.each(["ends", "breaks"] as const)(
        "is whole where the upstream %s after the answer, without an end mark",
        async (then) => {
          const { key, rows } = await world.payer()
          const events = llmEvents[api](text)
          world.there.says({ stream: api === "responses" ? events : events.slice(0, -1), end: then })
          const all = (await ask({}, { key })).text
          expect(all).toContain(
            { chat_completions: "data: [DONE]", messages: "event: message_stop", responses: "response.completed" }[api]
          )
          expect(all).not.toContain("error\n")
          expectRow(await rows(), 200, {
            input_tokens: 12,
            output_tokens: 7,
            credits: creditsOf({ input: 12, output: 7 })
          })
        }
      )

      // Verifies: G-741, G-742.
      it.each(breaks)("ends with an error event where the upstream %s, and costs nothing", async (_, how, code) => {
        const { credits, key, rows } = await world.payer()
        const [before] = parts(api)
        const extra = "error" in how ? [how.error] : "raw" in how ? [how.raw] : []
        world.there.says({ stream: [...before, ...extra], end: "end" in how ? how.end : "ends" })
        const answer = await ask({ model: code === "upstream_timeout" ? "hasty-model" : model }, { key })
        expect(answer.status).toBe(200)
        expect(answer.text).toContain("two")
        expectErrorEvents(api, answer.text, code, answer.headers["x-request-id"])
        expectNoLeak(answer, world.there.origin)
        expectRow(await rows(), 502, { credits: 0, units: 0 })
        expect(await credits()).toMatchObject({ balance: "1000", reserved: "0" })
      })

      // Verifies: G-743.
      it("is left at once by the upstream's side where its client leaves, which pays for what has come", async () => {
        const { credits, key, rows } = await world.payer()
        const [before, after] = parts(api)
        const door = gate()
        world.there.says({ stream: [...before, door.wait(), ...after] })
        const aborted = world.there.aborted()
        const stream = await open({}, { key })
        await stream.has("two")
        stream.leave()
        await world.there.until(() => world.there.aborted() === aborted + 1)
        door.open()
        const row = await until(async () => (await rows())[0])
        const input = api === "messages" ? 12 : 6
        // "one two " is 8 bytes.
        expect(row).toMatchObject({
          ...{ status: 499, input_tokens: input, output_tokens: 2, units: input + 2 },
          credits: creditsOf({ input, output: 2 })
        })
        expect((await credits()).reserved).toBe("0")
      })

      // Verifies: G-744.
      it("costs nothing where the client leaves before the first event", async () => {
        const { key, rows } = await world.payer()
        for (const answer of [{ does: "hang" }, { stream: [], end: "stays" }] as ReadonlyArray<LlmAnswer>) {
          world.there.says(answer)
          const [begun, aborted] = [world.there.begun(), world.there.aborted()]
          const { leave } = world.begin(api, { model, stream: true }, { key })
          await world.there.until(() => world.there.begun() === begun + 1)
          leave()
          await world.there.until(() => world.there.aborted() === aborted + 1)
        }
        const all = await until(async () => ((await rows()).length === 2 ? rows() : undefined))
        expect(all).toMatchObject([1, 2].map(() => ({ status: 499, credits: 0, units: 0 })))
      })

      // Verifies: G-745.
      it("goes on to its end under an Idempotency-Key, is billed in full and kept for the retry", async () => {
        const { key, rows } = await world.payer()
        const headers = { "idempotency-key": `left ${api}` }
        const [before, after] = parts(api)
        const door = gate()
        world.there.says({ stream: [...before, door.wait(), ...after] })
        const stream = await open({}, { key, headers })
        await stream.has("two")
        stream.leave()
        const running = await until(async () => {
          const answer = await ask({}, { key, headers })
          return answer.status === 409 ? answer : undefined
        })
        expect(errorOf(running).code).toBe("idempotency_in_progress")
        expect(running.headers["retry-after"]).toBe("1")
        door.open()
        const row = await until(async () => (await rows())[0])
        expect(row).toMatchObject({ status: 200, input_tokens: 12, output_tokens: 7 })
        const again = await ask({}, { key, headers })
        expect([again.status, again.headers["idempotent-replayed"]]).toEqual([200, "true"])
        expect(again.text).toContain("four")
        expect(
          again.text.startsWith(
            stream
              .text()
              .replaceAll(/(: ping|event: ping\ndata: \{"type":"ping"\})\n\n/g, "")
              .slice(0, 100)
          )
        ).toBe(true)
        expect(await rows()).toHaveLength(1)
      })

      // Verifies: G-746.
      it("is replayed byte for byte under its Idempotency-Key, and billed once", async () => {
        const { key, rows } = await world.payer()
        const headers = { "idempotency-key": `kept ${api}` }
        const first = await ask({}, { key, headers })
        const calls = world.there.calls.length
        const again = await ask({ temperature: null }, { key, headers })
        expect(again.text).toBe(first.text)
        expect([again.status, again.headers["content-type"]]).toEqual([200, "text/event-stream"])
        expect(again.headers).toMatchObject({ "idempotent-replayed": "true", ...unheld })
        expect(first.headers).not.toHaveProperty("idempotent-replayed")
        for (const other of [{ stream: false }, { model: "all-model" }, { temperature: 1 }]) {
          const reused = await ask(other, { key, headers })
          expect(refusalOf(reused)).toEqual([409, "idempotency_key_reused", null])
          expect(reused.headers["x-should-retry"]).toBe("false")
        }
        expect(world.there.calls.length).toBe(calls)
        expect(await rows()).toHaveLength(1)
      })

      // Verifies: G-747.
      it("is not kept where it broke: the key is free, and a retry runs again and is billed once", async () => {
        const { key, rows } = await world.payer()
        const headers = { "idempotency-key": `broken ${api}` }
        const [before] = parts(api)
        world.there.says([{ stream: before, end: "breaks" }, { stream: llmEvents[api](text) }])
        const broken = await ask({}, { key, headers })
        expectErrorEvents(api, broken.text, "upstream_error", broken.headers["x-request-id"])
        const retried = await ask({}, { key, headers })
        expect(retried.text).toContain("four")
        expect(retried.headers).not.toHaveProperty("idempotent-replayed")
        expect((await rows()).map(({ credits, status }) => [status, credits])).toEqual([
          [200, creditsOf({ input: 12, output: 7 })],
          [502, 0]
        ])
      })

      // Verifies: G-748.
      it("keeps its place of the key until it has ended", async () => {
        const { key } = await world.payer({ concurrency: 1 })
        const [before, after] = parts(api)
        const door = gate()
        world.there.says([{ stream: [...before, door.wait(), ...after] }, { stream: llmEvents[api](text) }])
        const stream = await open({}, { key })
        await stream.has("two")
        expect(refusalOf(await ask({}, { key }))).toEqual([429, "too_many_concurrent_requests", null])
        door.open()
        await stream.whole()
        expect((await ask({}, { key })).status).toBe(200)
      })

      // Verifies: G-749.
      it("of a whole answer: a client that leaves pays nothing, with an Idempotency-Key too", async () => {
        const { key, rows } = await world.payer()
        world.there.says({ does: "hang" })
        for (const headers of [{}, { "idempotency-key": `whole ${api}` }]) {
          const [begun, aborted] = [world.there.begun(), world.there.aborted()]
          const { leave } = world.begin(api, { model }, { key, headers })
          await world.there.until(() => world.there.begun() === begun + 1)
          leave()
          await world.there.until(() => world.there.aborted() === aborted + 1)
        }
        const all = await until(async () => ((await rows()).length === 2 ? rows() : undefined))
        expect(all).toMatchObject([1, 2].map(() => ({ status: 499, credits: 0, units: 0 })))
        world.there.says({ json: llmBodies[api]("hello") })
        const headers = { "idempotency-key": `whole ${api}` }
        expect((await world.ask(api, { model }, { key, headers })).status).toBe(200)
        const again = await world.ask(api, { model }, { key, headers })
        expect([again.status, again.headers["idempotent-replayed"]]).toEqual([200, "true"])
      })

      // Verifies: G-750.
      it("is read no further while its client does not read, and loses nothing", async () => {
        const words = Array.from({ length: 400 }, (_, n) => `${n} ${"x".repeat(2000)} `).join("")
        world.there.says({ stream: llmEvents[api](words) })
        const answer = await ask()
        expect(answer.text).toContain(`399 ${"x".repeat(10)}`.slice(0, 4))
        const all = dataIn(answer.text)
        expect(all.length).toBeGreaterThan(800)
      })
    })

    // Verifies: G-751.
    it("has its usage as the last chunk where a chat asks for it, and in no chunk otherwise", async () => {
      const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
      const chunks = llmEvents.chat_completions(text)
      const [last] = chunks.slice(-2)
      const contents = chunks.slice(0, -2) as ReadonlyArray<Fields>
      const ways: ReadonlyArray<ReadonlyArray<ScriptedEvent>> = [
        chunks,
        [...contents.map((chunk) => ({ ...chunk, usage: null })), { ...(last as Fields), choices: [] }, "[DONE]"],
        [...contents.map((chunk) => ({ ...chunk, usage })), "[DONE]"],
        [...contents.slice(0, -1), { ...contents.at(-1)!, usage }, "[DONE]"],
        [...contents, { usage }, "[DONE]"]
      ]
      for (const stream of ways) {
        world.there.says({ stream })
        const without = dataIn((await world.ask("chat_completions", { stream: true })).text)
        expect(without.filter((event) => typeof event === "object" && "usage" in event)).toEqual([])
        expect(without).toHaveLength(contents.length + 1)
        const asked = { stream: true, stream_options: { include_usage: true } }
        const all = dataIn((await world.ask("chat_completions", asked)).text)
        expect(all.at(-2)).toMatchObject({ choices: [], usage, object: "chat.completion.chunk", model: "chat-model" })
        expect(all.filter((event) => typeof event === "object" && "usage" in event)).toHaveLength(1)
        expect(all.at(-1)).toBe("[DONE]")
      }
      expect(world.there.calls.at(-1)!.json).toMatchObject({ stream_options: { include_usage: true } })
      world.there.says({ stream: [...contents, "[DONE]"] })
      const none = dataIn(
        (
          await world.ask("chat_completions", {
            model: "plain-model",
            stream: true,
            stream_options: { include_usage: true }
          })
        ).text
      )
      // "hello" with one message, and "one two three four".
      expect(none.at(-2)).toMatchObject({ usage: { prompt_tokens: 6, completion_tokens: 5, total_tokens: 11 } })
      expect(world.there.calls.at(-1)!.json).not.toHaveProperty("stream_options")
    })

    // Verifies: G-752.
    it("of several choices is whole when every one has its finish_reason", async () => {
      const chunk = (index: number, finish_reason: string | null, content = "x") => ({
        ...{ id: "chatcmpl-there", object: "chat.completion.chunk", created: 1, model: "model-there" },
        choices: [{ index, delta: { content }, finish_reason }]
      })
      const one = [chunk(0, null), chunk(1, null), chunk(0, "stop")]
      world.there.says({ stream: one })
      const broken = await world.ask("chat_completions", { n: 2, stream: true })
      expectErrorEvents("chat_completions", broken.text, "upstream_error", broken.headers["x-request-id"])
      world.there.says({ stream: [chunk(0, null), chunk(0, "stop")] })
      const missing = await world.ask("chat_completions", { n: 2, stream: true })
      expectErrorEvents("chat_completions", missing.text, "upstream_error", missing.headers["x-request-id"])
      world.there.says({ stream: [...one, chunk(1, "length")] })
      expect((await world.ask("chat_completions", { n: 2, stream: true })).text).toMatch(/\[DONE\]\n\n$/)
    })
  })
