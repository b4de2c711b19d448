/** One request at one upstream, whole and streamed: docs/reference/language-models.md#streams. Verifies: LANG-2, LANG-3, LANG-5. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import type { Models } from "../../../src/gateway/catalogue/index.ts"
import { LlmOutlet } from "../../../src/gateway/llm/LlmOutlet.ts"
import { readLlmRequest } from "../../../src/gateway/llm/LlmRequest.ts"
import { LlmRun } from "../../../src/gateway/llm/LlmRun.ts"
import type { Json, LlmApi, LlmEvent } from "../../../src/gateway/llm/translate/Translation.ts"
import { type GenerateWork, type Upstream, UpstreamFailed } from "../../../src/gateway/upstreams/index.ts"

const place = { attempts: 1, isOnly: true }
const model = { id: "ours", limits: {} } as Models.Model
const chunk = (delta: object, finish_reason: string | null = null): LlmEvent => ({
  event: null,
  data: { id: "theirs", model: "theirs", choices: [{ index: 0, delta, finish_reason }] }
})
const withError = ({ data, event }: LlmEvent): LlmEvent => ({
  event,
  data: { ...data, choices: [{ ...(data.choices as ReadonlyArray<Json>)[0], error: { message: "leaky words" } }] }
})
const failure = (why: UpstreamFailed["why"]) =>
  new UpstreamFailed({ why, detail: "it broke off", retryAfterSeconds: null, advice: null, param: null })

/** An upstream that sends these events, and then ends or fails. */
const upstream = (
  events: ReadonlyArray<LlmEvent>,
  end: UpstreamFailed | "without its mark" | null,
  apis: ReadonlyArray<LlmApi>
) => ({
  upstream: { name: "fake", apis } as unknown as Upstream,
  model: "theirs",
  run: ({ onEvents }: GenerateWork) =>
    Effect.gen(function* () {
      for (const event of events) if (!(yield* onEvents!([event]))) break
      return yield* end instanceof UpstreamFailed
        ? Effect.fail(end)
        : Effect.succeed({ json: null, hasEndMark: end === null })
    })
})

interface RunOptions {
  readonly api?: LlmApi
  readonly body?: Json
  readonly isForAgent?: boolean
}

const streamed = (
  events: ReadonlyArray<LlmEvent>,
  end: UpstreamFailed | "without its mark" | null = null,
  { api = "chat_completions", body = {}, isForAgent = false }: RunOptions = {}
) =>
  Effect.gen(function* () {
    const prompt = { messages: [{ role: "user", content: "hi" }], max_tokens: 5 }
    const asked = { model: "ours", ...(api === "responses" ? { input: "hi" } : prompt), stream: true, ...body }
    const request = readLlmRequest({ api, body: asked, bytes: 10, headers: {} })
    const outlet = yield* LlmOutlet.make(api, true)
    const answer = { id: "id-1", createdAt: 1, freshId: (prefix: string) => `${prefix}_1` }
    const run = new LlmRun({ request, model, maxOutputTokens: 100, answer, outlet, isForAgent })
    const route = upstream(events, end, ["chat_completions"])
    const work = Result.getOrThrow(run.workFor(route))
    const exit = yield* Effect.result(run.run(route, work, place))
    return {
      run,
      outlet,
      text: outlet.text,
      answer: Result.getOrNull(exit),
      failed: Result.isFailure(exit) ? exit.failure : null
    }
  })

describe("a stream", () => {
  it.effect("has our id and model in every event", () =>
    Effect.gen(function* () {
      const { failed, text } = yield* streamed([chunk({ content: "Hi" }), chunk({}, "stop")])
      assert.isNull(failed)
      assert.notInclude(text, "theirs")
      assert.strictEqual(text.match(/"id":"id-1","model":"ours"/g)?.length, 2)
    })
  )

  it.effect("shows the usage as one last chunk where it was asked for, also where the upstream counts nothing", () =>
    Effect.gen(function* () {
      const body = { stream_options: { include_usage: true } }
      const { text } = yield* streamed([chunk({ content: "12345" }), chunk({}, "stop")], null, { body })
      assert.match(text, /"choices":\[\],"usage":\{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7/)
      assert.strictEqual(text.match(/usage/g)?.length, 1)
    })
  )

  it.effect("that breaks before its first event may be tried elsewhere, with its own reason", () =>
    Effect.gen(function* () {
      const { failed, outlet } = yield* streamed([], failure("throttled"))
      assert.deepInclude(failed, { why: "throttled", hasBegun: false })
      assert.isFalse(outlet.hasBegun)
    })
  )

  it.effect("that breaks after it is tried nowhere else", () =>
    Effect.gen(function* () {
      for (const [why, known] of [
        ["throttled", "failed"],
        ["timeout", "timeout"]
      ] as const) {
        const { failed, run } = yield* streamed([chunk({ content: "12345" })], failure(why))
        assert.deepInclude(failed, { why: known, hasBegun: true })
        assert.deepInclude(run.usageSoFar, { input: 5, output: 2 })
      }
    })
  )

  it.effect("that ends before its answer is complete has failed", () =>
    Effect.gen(function* () {
      const { failed } = yield* streamed([chunk({ content: "Hi" })], "without its mark")
      assert.deepInclude(failed, { why: "unreadable", hasBegun: true })
    })
  )

  it.effect("that ends with its mark has answered, whatever its choices say", () =>
    Effect.gen(function* () {
      const { failed } = yield* streamed([chunk({ content: "Hi" })])
      assert.isNull(failed)
    })
  )

  it.effect("that breaks off after its whole answer has answered", () =>
    Effect.gen(function* () {
      const { answer, failed } = yield* streamed([chunk({ content: "Hi" }), chunk({}, "stop")], failure("failed"))
      assert.isNull(failed)
      assert.deepInclude(answer?.usage, { input: 5, output: 1 })
    })
  )

  it.effect("is translated event by event where the upstream speaks another API", () =>
    Effect.gen(function* () {
      const { text } = yield* streamed([chunk({ content: "Hi" }), chunk({}, "stop")], null, { api: "messages" })
      const names = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
      assert.deepStrictEqual(names, [
        ...["message_start", "ping", "content_block_start", "content_block_delta", "content_block_stop"],
        ...["message_delta", "message_stop"]
      ])
    })
  )

  it.effect.each(["chat_completions", "messages", "responses"] as const)(
    "of the %s API that ends with a failure breaks, and is not billed",
    (api) =>
      Effect.gen(function* () {
        for (const last of [chunk({}, "network_error"), withError(chunk({}, "error")), withError(chunk({}, "stop"))]) {
          const { failed, text } = yield* streamed([chunk({ content: "Half an" }), last], null, { api })
          assert.deepInclude(failed, { why: "failed", hasBegun: true })
          assert.notInclude(text, "leaky words")
        }
        const { failed } = yield* streamed([chunk({}, "error")], null, { api })
        assert.deepInclude(failed, { why: "failed", hasBegun: false })
      })
  )

  it.effect("that ends with a word that nobody knows has failed, but for a client that reads the word itself", () =>
    Effect.gen(function* () {
      const events = [chunk({ content: "Hi" }), chunk({}, "mystery")]
      for (const [options, why] of [
        [{}, undefined],
        [{ isForAgent: true }, "failed"],
        [{ api: "messages" }, "failed"]
      ] as const) {
        assert.strictEqual((yield* streamed(events, null, options)).failed?.why, why)
      }
    })
  )

  it.effect("waits while its client reads too slowly, and goes on without it once it has gone", () =>
    Effect.gen(function* () {
      const outlet = yield* LlmOutlet.make("chat_completions", false)
      const writing = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 200 }), () => outlet.write([chunk({})], place), { discard: true })
      )
      yield* outlet.begun
      for (let nth = 0; nth < 20; nth++) yield* Effect.yieldNow
      assert.isUndefined(writing.pollUnsafe())
      yield* Queue.take(outlet.queue)
      yield* outlet.abandon
      for (let nth = 0; nth < 20; nth++) yield* Effect.yieldNow
      assert.isDefined(writing.pollUnsafe())
    })
  )
})

describe("a whole answer", () => {
  const answered = (choice: Json) =>
    Effect.gen(function* () {
      const asked = { model: "ours", messages: [{ role: "user", content: "hi" }], max_tokens: 5 }
      const request = readLlmRequest({ api: "chat_completions", body: asked, bytes: 10, headers: {} })
      const answer = { id: "id-1", createdAt: 1, freshId: (prefix: string) => `${prefix}_1` }
      const run = new LlmRun({ request, model, maxOutputTokens: 100, answer, outlet: null })
      const json = { choices: [{ index: 0, message: { role: "assistant", content: "Half an" }, ...choice }] }
      const route = {
        ...upstream([], null, ["chat_completions"]),
        run: () => Effect.succeed({ json, hasEndMark: false })
      }
      const exit = yield* Effect.result(run.run(route, Result.getOrThrow(run.workFor(route)), place))
      return { failed: Result.isFailure(exit) ? exit.failure : null }
    })

  it.effect("with an error in its choice, or a failure as its end, has failed and is not billed", () =>
    Effect.gen(function* () {
      for (const choice of [{ finish_reason: "error" }, { finish_reason: "stop", error: { message: "leaky words" } }]) {
        const { failed } = yield* answered(choice)
        assert.deepInclude(failed, { why: "failed", hasBegun: false })
      }
      assert.isNull((yield* answered({ finish_reason: "mystery" })).failed)
    })
  )
})
