/** Verifies: CLNT-1, CLNT-2, CLNT-3, CLNT-4, CLNT-6. */
import { assert, describe, it } from "@effect/vitest"
import { type FakeUpstream, type StreamPiece, startFakeUpstream, type UpstreamMood } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { type BoundedHttp, makeBoundedHttp, type OpenedResponse } from "../../src/http/index.ts"
import { standstill } from "../upstream/GenerateWorks.ts"

const upstream = (mood: UpstreamMood) =>
  Effect.acquireRelease(
    Effect.promise(() => startFakeUpstream({ answers: () => mood })),
    (one) => Effect.promise(one.close)
  )
const stream = (pieces: Iterable<StreamPiece>, end: "ends" | "breaks" | "stays" = "ends") =>
  upstream({ does: "stream", pieces, end })

const client = Effect.acquireRelease(
  Effect.sync(() => makeBoundedHttp()),
  (http) => Effect.promise(http.close)
)
const open = (http: BoundedHttp, { origin }: FakeUpstream, headMs = 5_000) =>
  http.open({ method: "GET", url: new URL(origin), headers: {}, body: null, headMs })

/** Everything up to the end, as a text. */
const rest = Effect.fnUntraced(function* (response: OpenedResponse) {
  const pieces: Array<Uint8Array> = []
  for (;;) {
    const piece = yield* response.read(5_000)
    if (piece === null) return Buffer.concat(pieces).toString()
    pieces.push(piece)
  }
})

const megabyte = "x".repeat(1024 * 1024)
const repeated = (times: number): ReadonlyArray<string> => Array<string>(times).fill(megabyte)

describe("a response that is read while it comes", () => {
  it.live("has its head before its body, and the body's bytes in their order", () =>
    Effect.gen(function* () {
      const gate = Promise.withResolvers<void>()
      const there = yield* stream(["one ", gate.promise, "two ", 5, "three"])
      const response = yield* open(yield* client, there)
      assert.deepStrictEqual(
        [response.status, response.header("content-type"), response.header("x-none")],
        [200, "text/event-stream", null]
      )
      assert.strictEqual(Buffer.from((yield* response.read(5_000)) ?? []).toString(), "one ")
      gate.resolve()
      assert.strictEqual(yield* rest(response), "two three")
      assert.isNull(yield* response.read(0))
    })
  )

  it.live("is waited for as long as its reader says, and no longer", () =>
    Effect.gen(function* () {
      const there = yield* stream(["one"], "stays")
      const response = yield* open(yield* client, there)
      yield* response.read(5_000)
      assert.strictEqual((yield* Effect.flip(response.read(20))).reason, "late")
    })
  )

  it.live("that breaks off is never accepted as a whole one", () =>
    Effect.gen(function* () {
      const there = yield* stream(["one", 20], "breaks")
      const response = yield* open(yield* client, there)
      assert.strictEqual(Buffer.from((yield* response.read(5_000)) ?? []).toString(), "one")
      assert.strictEqual((yield* Effect.flip(response.read(5_000))).reason, "broken")
      assert.strictEqual((yield* Effect.flip(response.read(5_000))).reason, "broken")
    })
  )

  it.live("comes no faster than it is read", () =>
    Effect.gen(function* () {
      const there = yield* stream(repeated(100))
      const response = yield* open(yield* client, there)
      // What it sends without a reader is what sockets and the buffer hold.
      assert.isBelow(yield* standstill(there), 20 * megabyte.length)
      assert.strictEqual((yield* rest(response)).length, 100 * megabyte.length)
    })
  )
})

describe("the connection of a response that is read while it comes", () => {
  it.live("is used again after the end", () =>
    Effect.gen(function* () {
      const there = yield* stream([megabyte, "two"])
      const http = yield* client
      for (let nth = 0; nth < 5; nth += 1) {
        yield* Effect.scoped(Effect.flatMap(open(http, there), rest))
        yield* Effect.sleep(5)
      }
      assert.strictEqual(there.connections(), 1)
      assert.strictEqual(there.aborted(), 0)
    })
  )

  it.live("is used again although the last bytes were not fetched, and those are of nobody else", () =>
    Effect.gen(function* () {
      const there = yield* stream(["x".repeat(400_000), "last"])
      const http = yield* client
      for (let nth = 0; nth < 3; nth += 1) {
        const response = yield* Effect.scoped(
          Effect.tap(open(http, there), (response) => Effect.andThen(response.read(5_000), Effect.sleep(50)))
        )
        assert.strictEqual(response.status, 200)
        const text = yield* Effect.scoped(Effect.flatMap(open(http, there), rest))
        assert.strictEqual(text, `${"x".repeat(400_000)}last`)
      }
    })
  )

  it.live("is closed by the scope's end before the response has ended", () =>
    Effect.gen(function* () {
      const there = yield* stream(["one"], "stays")
      const scope = yield* Scope.make()
      const http = yield* client
      const response = yield* Scope.provide(open(http, there), scope)
      yield* response.read(5_000)
      assert.strictEqual(there.aborted(), 0)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(() => there.until(() => there.aborted() === 1))
    })
  )

  it.live("is closed by an interruption, before the head and after it", () =>
    Effect.gen(function* () {
      const http = yield* client
      const hanging = yield* upstream({ does: "hang" })
      const early = yield* Effect.forkChild(Effect.scoped(open(http, hanging)))
      yield* Effect.promise(() => hanging.until(() => hanging.calls.length === 1))
      yield* Fiber.interrupt(early)
      yield* Effect.promise(() => hanging.until(() => hanging.aborted() === 1))

      const there = yield* stream(["one"], "stays")
      const late = yield* Effect.forkChild(Effect.scoped(Effect.flatMap(open(http, there), rest)))
      yield* Effect.promise(() => there.until(() => there.sent() === 3))
      yield* Fiber.interrupt(late)
      yield* Effect.promise(() => there.until(() => there.aborted() === 1))
    })
  )

  it.live("is closed in the middle of 100 MB", () =>
    Effect.gen(function* () {
      const there = yield* stream(repeated(100))
      const http = yield* client
      yield* Effect.scoped(Effect.flatMap(open(http, there), (response) => response.read(5_000)))
      yield* Effect.promise(() => there.until(() => there.aborted() === 1))
      assert.isBelow(there.sent(), 20 * megabyte.length)
    })
  )

  it.live("is not opened for who was interrupted before", () =>
    Effect.gen(function* () {
      const there = yield* stream(["one"])
      const fiber = yield* Effect.forkChild(Effect.scoped(open(yield* client, there)), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      yield* Effect.sleep(100)
      assert.strictEqual(there.begun(), 0)
    })
  )
})

describe("a response that does not begin", () => {
  it.live.each([
    ["in time", { does: "hang" }, { reason: "timeout", isSent: true, detail: "no answer in time" }],
    [
      "at all",
      { does: "reset" },
      { reason: "unreachable", isSent: true, detail: "the connection ended before there was an answer" }
    ],
    [
      "as one of HTTP",
      { does: "raw", bytes: "SSH-2.0-leaky\r\n\r\n" },
      { reason: "unreadable", isSent: true, detail: "the answer is not HTTP" }
    ]
  ] as ReadonlyArray<[string, UpstreamMood, object]>)("%s fails with its reason", ([_, mood, expected]) =>
    Effect.gen(function* () {
      const there = yield* upstream(mood)
      const { detail, isSent, reason } = yield* Effect.flip(
        open(yield* client, there, mood.does === "hang" ? 500 : 5_000)
      )
      assert.deepStrictEqual({ reason, isSent, detail }, expected as never)
      yield* Effect.promise(() => there.until(() => mood.does !== "hang" || there.aborted() === 1))
    })
  )
})
