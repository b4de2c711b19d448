/** Works of the language models' APIs for the tests of upstreams, and a log of what becomes of them. */
import { assert } from "@effect/vitest"
import type {
  GenerateExchange,
  GenerateWork,
  Json,
  LlmApi,
  LlmEvent,
  OpenGenerate,
  Run,
  UpstreamFailed
} from "@trunkline/core/provider"
import { Instant } from "@trunkline/core/provider"
import { type FakeLlmServer, type FakeLlmServerOptions, startFakeLlmServer } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

export const key = "sk-topsecret"

export const startedFake = (options: FakeLlmServerOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startFakeLlmServer(options)),
    (one): Effect.Effect<void> => Effect.promise(one.close)
  )

export const bodies: Readonly<Record<LlmApi, Json>> = {
  chat_completions: { model: "there", messages: [{ role: "user", content: "Hi" }], unknown_field: [1, null] },
  messages: { model: "there", messages: [{ role: "user", content: "Hi" }], max_tokens: 5, unknown_field: [1, null] },
  responses: { model: "there", input: "Hi", unknown_field: [1, null] }
}

/** The time of day for the callback form. */
export const noon = () => Instant.make(Date.UTC(2026, 0, 1, 12))

export const generateWork = (api: LlmApi, change: Partial<GenerateWork> = {}): GenerateWork => ({
  api,
  task: "generate",
  body: bodies[api],
  bytes: 0,
  headers: {},
  onEvents: null,
  ...change
})

/** The callback form as the other one: it is paused for as long as `onEvents` runs. */
export const byCallbacks =
  (open: OpenGenerate): Run<"generate"> =>
  ({ onEvents, ...work }) =>
    Effect.callback((resume) => {
      const events = (some: ReadonlyArray<LlmEvent>): boolean => {
        const running = Effect.runFork(onEvents!(some))
        const done = running.pollUnsafe()
        if (done !== undefined) return Exit.isSuccess(done) && done.value
        exchange.pause()
        running.addObserver(() => exchange.resume())
        return true
      }
      const exchange: GenerateExchange = open(
        { ...work, isStreamed: onEvents !== null },
        { events, ended: (answer) => resume(Effect.succeed(answer)), failed: (error) => resume(Effect.fail(error)) },
        noon
      )
      return Effect.sync(exchange.cancel)
    })

/** Runs a work that is streamed and collects its events. */
export const streamed = (run: Run<"generate">, api: LlmApi, change: Partial<GenerateWork> = {}) => {
  const events: Array<LlmEvent> = []
  const onEvents = (some: ReadonlyArray<LlmEvent>) => Effect.sync(() => events.push(...some) > 0)
  const body = { ...bodies[api], stream: true }
  const ran = run(generateWork(api, { body, onEvents, ...change }))
  return { events, ran: Effect.map(ran, (answer) => ({ answer, events })) }
}

/** Fails with it: nothing that came from outside, no key and no address is in any of it. */
export const failureOf = (effect: Effect.Effect<unknown, UpstreamFailed>) =>
  Effect.map(Effect.flip(effect), (failed) => {
    const all = JSON.stringify({ ...failed, message: failed.message, stack: failed.stack })
    for (const secret of [key, "leaky", "org-1234", "127.0.0.1", "inner.example"]) assert.notInclude(all, secret)
    assert.isNull(failed.advice)
    return { why: failed.why, detail: failed.detail }
  })

/** The same of a stream, and whether it failed after its first event, as it must say. */
export const failureOfStream = ({ events, ran }: ReturnType<typeof streamed>) =>
  Effect.gen(function* () {
    const failed = yield* Effect.flip(ran)
    assert.strictEqual(failed.hasBegun, events.length > 0)
    return yield* failureOf(Effect.fail(failed))
  })

/** Waits until a stream has begun and nothing more of it is sent, through many turns of the event loop that both sides share. */
export const standstill = Effect.fnUntraced(function* (fake: Pick<FakeLlmServer, "sent">) {
  let [sent, turns] = [0, 0]
  while (turns < 20) {
    yield* Effect.sleep(10)
    turns = fake.sent() === sent && sent > 0 ? turns + 1 : 0
    sent = fake.sent()
  }
  return sent
})

/** Waits until a claim about the fake holds. */
export const until = (fake: FakeLlmServer, holds: () => boolean) => Effect.promise(() => fake.until(holds))
