/** Audio as it comes from an upstream: pieces, time and size. Verifies: OPAI-11. */
import { assert, describe, it } from "@effect/vitest"
import { type FakeUpstream, type StreamPiece, startFakeOpenAi, type UpstreamMood } from "@trunkline/testing/upstreams"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { jsonBody, makeBoundedHttp } from "../../src/http/index.ts"
import { makeSpeaking, type SpeakingLimits } from "../../src/upstream/Speaking.ts"
import { failureOf, speakRequest } from "./SpeakWorks.ts"

const limits: SpeakingLimits = { refusalMs: 2_000, streamMs: 5_000, maxBytes: 1024 * 1024 }

const fake = Effect.acquireRelease(
  Effect.promise(() => startFakeOpenAi()),
  (one) => Effect.promise(one.close)
)

const runOf = ({ origin }: FakeUpstream, timeoutMs = 400, change: Partial<SpeakingLimits> = {}) =>
  makeSpeaking(
    { baseUrl: `${origin}/v1`, apiKey: null, timeoutMs },
    ({ fields }) => ({ path: "/audio/speech", headers: {}, body: jsonBody(fields) }),
    makeBoundedHttp(),
    { ...limits, ...change }
  )

const nothing = () => Effect.void
const ask = (upstream: FakeUpstream, timeoutMs?: number, change?: Partial<SpeakingLimits>) =>
  runOf(upstream, timeoutMs, change)({ ...speakRequest(), onBytes: nothing })

const audio = (pieces: Iterable<StreamPiece>, then: "ends" | "breaks" | "stays" = "ends"): UpstreamMood => ({
  ...{ does: "stream", pieces, end: then },
  headers: { "content-type": "audio/mpeg" }
})

/** Endless, but for a client that goes. */
function* everySoOften(): Generator<string | number> {
  for (;;) {
    yield "abc"
    yield 10
  }
}

const until = (upstream: FakeUpstream, holds: () => boolean) => Effect.promise(() => upstream.until(holds))

describe("audio", () => {
  // Verifies: G-898.
  it.live("is handed on piece by piece, before the rest has come", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const first = yield* Deferred.make<string>()
      let goOn = () => {}
      const gate = new Promise<void>((resolve) => {
        goOn = resolve
      })
      upstream.behave(audio(["one", gate, "two"]))
      const pieces: Array<string> = []
      const onBytes = (bytes: Uint8Array) => {
        pieces.push(Buffer.from(bytes).toString())
        return Effect.asVoid(Deferred.succeed(first, pieces[0]!))
      }
      const speaking = yield* Effect.forkChild(runOf(upstream, 5_000)({ ...speakRequest(), onBytes }))
      assert.strictEqual(yield* Deferred.await(first), "one")
      goOn()
      assert.deepStrictEqual(yield* Fiber.join(speaking), { ended: true })
      assert.deepStrictEqual(pieces, ["one", "two"])
    })
  )

  // Verifies: G-899.
  it.live("is read no further than its reader asks, and the reader may be slow", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const piece = new Uint8Array(64 * 1024)
      const total = 400
      upstream.behave(audio(Array.from({ length: total }, () => piece)))
      const free = yield* Deferred.make<void>()
      let taken = 0
      const onBytes = (bytes: Uint8Array) => {
        taken += bytes.length
        return Deferred.await(free)
      }
      const run = runOf(upstream, 1_500, { maxBytes: 100 * 1024 * 1024, streamMs: 60_000 })
      const speaking = yield* Effect.forkChild(run({ ...speakRequest(), onBytes }))
      yield* until(upstream, () => upstream.sent() > 0)
      // Longer than the wait for a piece may be: it is the reader that is slow.
      yield* Effect.sleep(2_000)
      assert.isBelow(upstream.sent(), total * piece.length)
      yield* Deferred.succeed(free, undefined)
      yield* Fiber.join(speaking)
      assert.strictEqual(taken, total * piece.length)
    })
  )

  // Verifies: G-910, G-911.
  it.live.each([
    ["no head", { does: "hang" }, { why: "timeout", detail: "no answer within 400 ms" }],
    ["a head without audio", audio([], "stays"), { why: "timeout", detail: "no audio within 400 ms" }],
    ["audio that stalls", audio(["abc"], "stays"), { why: "timeout", detail: "no further audio within 400 ms" }],
    ["audio that breaks off", audio(["abc"], "breaks"), { why: "unreadable", detail: "the audio broke off" }],
    [
      "less than was announced",
      { does: "truncate" },
      { why: "unreadable", detail: "answered 200 with something else" }
    ],
    ["nothing", audio([]), { why: "unreadable", detail: "an answer without audio" }],
    [
      "JSON",
      { does: "answer", body: { audio: "" } },
      { why: "unreadable", detail: "answered 200 with something else" }
    ],
    ["a page", { does: "answer", body: "<p>" }, { why: "unreadable", detail: "answered 200 with something else" }],
    ["a reset", { does: "reset" }, { why: "unreachable", detail: "the connection ended before there was an answer" }]
  ] as ReadonlyArray<[string, UpstreamMood, object]>)("that does not come fails: %s", ([_, mood, failure]) =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(mood)
      assert.deepStrictEqual(yield* failureOf(ask(upstream)), failure as never)
    })
  )

  it.live("that announces more than comes has broken off", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave({
        ...{ does: "raw" },
        bytes: "HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\ncontent-length: 99\r\n\r\nRIFF"
      })
      assert.deepStrictEqual(yield* failureOf(ask(upstream)), { why: "unreadable", detail: "the audio broke off" })
    })
  )

  // Verifies: G-910.
  it.live("without end is closed after its time, and beyond its size", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(audio(everySoOften()))
      assert.deepStrictEqual(yield* failureOf(ask(upstream, 2_000, { streamMs: 200 })), {
        ...{ why: "timeout", detail: "the audio did not end within 200 ms" }
      })
      upstream.behave(audio(everySoOften()))
      assert.deepStrictEqual(yield* failureOf(ask(upstream, 2_000, { maxBytes: 32 })), {
        ...{ why: "unreadable", detail: `an answer of more than ${32 / 1024 / 1024} MiB` }
      })
      yield* until(upstream, () => upstream.aborted() === 2)
    })
  )

  // Verifies: G-903.
  it.live("is let go when nobody waits for it any longer", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(audio(everySoOften()))
      const taken = yield* Deferred.make<void>()
      const onBytes = () => Effect.asVoid(Deferred.succeed(taken, undefined))
      const speaking = yield* Effect.forkChild(runOf(upstream, 2_000)({ ...speakRequest(), onBytes }))
      yield* Deferred.await(taken)
      yield* Fiber.interrupt(speaking)
      yield* until(upstream, () => upstream.aborted() === 1)
    })
  )
})
