import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { streamedAnswer } from "../../../src/gateway/routes/index.ts"
import { AnswerOutlet, StreamedRuns } from "../../../src/gateway/run/index.ts"

/** Work that sends a piece where it is to, and then waits until it is ended; `log` has its course. */
const workOf = (outlet: AnswerOutlet<Uint8Array, string>, log: Array<string>, sendsAPiece: boolean) =>
  Effect.onInterrupt(
    Effect.gen(function* () {
      if (sendsAPiece) yield* outlet.send(Uint8Array.of(1), "first")
      log.push("waits")
      return yield* Effect.never
    }),
    () => Effect.sync(() => log.push("is interrupted"))
  )

const makeOutlet = AnswerOutlet.make<Uint8Array, string>({ maxWaiting: 4, isKept: true })

const withStreams = (title: string, test: () => Effect.Effect<void, unknown, StreamedRuns>) =>
  it.effect(title, () => Effect.provide(test(), StreamedRuns.layer))

describe("a run whose answer is streamed", () => {
  withStreams("is whole where the work ends before its answer has begun", () =>
    Effect.gen(function* () {
      const streams = yield* StreamedRuns
      const outlet = yield* makeOutlet
      expect(yield* streams.run(Effect.succeed("replay"), outlet, { goesOn: false })).toEqual({
        _tag: "Whole",
        result: "replay"
      })
    })
  )

  withStreams("fails as the work does before its answer has begun", () =>
    Effect.gen(function* () {
      const streams = yield* StreamedRuns
      const outlet = yield* makeOutlet
      const failed = yield* Effect.flip(streams.run(Effect.fail("refused"), outlet, { goesOn: false }))
      expect(failed).toBe("refused")
    })
  )

  withStreams("ends the work of a client that leaves before the first piece", () =>
    Effect.gen(function* () {
      const streams = yield* StreamedRuns
      const outlet = yield* makeOutlet
      const log: Array<string> = []
      const client = yield* Effect.forkChild(streams.run(workOf(outlet, log, false), outlet, { goesOn: false }))
      while (log.length === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(client)
      expect(log).toEqual(["waits", "is interrupted"])
    })
  )

  withStreams("ends the work of a client that leaves after the response has begun, and before it reads any of it", () =>
    Effect.gen(function* () {
      const streams = yield* StreamedRuns
      const outlet = yield* makeOutlet
      const log: Array<string> = []
      const response = Effect.gen(function* () {
        const ran = yield* streams.run(workOf(outlet, log, true), outlet, { goesOn: false })
        if (ran._tag === "Whole") throw new Error("the answer has not begun")
        const next = Queue.take(outlet.queue)
        yield* streamedAnswer({ contentType: "text/plain", headers: {}, next, abandon: ran.abandon })
        while (log.length === 0) yield* Effect.yieldNow
      })
      yield* Effect.scoped(response)
      expect(log).toEqual(["waits", "is interrupted"])
    })
  )

  withStreams("says who sends its answer, which is known with the first piece", () =>
    Effect.gen(function* () {
      const streams = yield* StreamedRuns
      const outlet = yield* makeOutlet
      const work = Effect.andThen(
        outlet.send(Uint8Array.of(1), "the second attempt"),
        outlet.send(Uint8Array.of(2), "nobody")
      )
      expect(yield* streams.run(work, outlet, { goesOn: false })).toMatchObject({
        _tag: "Stream",
        source: "the second attempt"
      })
    })
  )

  withStreams("goes on without its client where it is to, and keeps what nobody reads", () =>
    Effect.gen(function* () {
      const streams = yield* StreamedRuns
      const outlet = yield* makeOutlet
      const gone = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const work = Effect.gen(function* () {
        yield* outlet.send(Uint8Array.of(1), "first")
        yield* Deferred.await(gone)
        yield* outlet.add(Uint8Array.of(2))
        yield* Deferred.succeed(ended, undefined)
      })
      const ran = yield* streams.run(work, outlet, { goesOn: true })
      if (ran._tag === "Whole") throw new Error("the answer has not begun")
      yield* ran.abandon
      yield* Deferred.succeed(gone, undefined)
      yield* Deferred.await(ended)
      expect(outlet.kept).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
      const read = yield* Effect.exit(Queue.take(outlet.queue))
      expect(read._tag === "Failure" && Cause.hasInterrupts(read.cause)).toBe(true)
    })
  )

  withStreams("is waited for where it goes on without its client", () =>
    Effect.gen(function* () {
      const streams = yield* StreamedRuns
      const outlet = yield* makeOutlet
      const gate = yield* Deferred.make<void>()
      const work = Effect.andThen(outlet.send(Uint8Array.of(1), "first"), Deferred.await(gate))
      const ran = yield* streams.run(work, outlet, { goesOn: true })
      if (ran._tag === "Whole") throw new Error("the answer has not begun")
      yield* ran.abandon
      const idle = yield* Effect.forkChild(streams.idle)
      for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
      expect(idle.pollUnsafe()).toBeUndefined()
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(idle)
    })
  )

  withStreams("ends when all are cancelled, with or without its client", () =>
    Effect.gen(function* () {
      const streams = yield* StreamedRuns
      const log: Array<string> = []
      for (const goesOn of [true, false]) {
        const outlet = yield* makeOutlet
        yield* streams.run(workOf(outlet, log, true), outlet, { goesOn })
      }
      while (log.length < 2) yield* Effect.yieldNow
      yield* streams.cancel
      yield* streams.idle
      expect(log.slice(2)).toEqual(["is interrupted", "is interrupted"])
    })
  )
})
