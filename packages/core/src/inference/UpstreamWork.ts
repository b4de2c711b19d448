/** An upstream's work for somebody who may leave: what it came to, and how what was held for it ends. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { Instant } from "../kernel/index.ts"
import type { StorageError } from "../storage/index.ts"
import { UpstreamFailed } from "./Upstream.ts"

/** Beyond what the upstream takes: reading the answer and writing it down. */
const marginMs = 30_000

/** How long a hold lives, for a request of at most `longestMs`: longer than the request does. */
export const leaseOf = (longestMs: number): number => longestMs + marginMs

/** An upstream that has an answer has been paid: its bill is written, also past a storage that fails for a moment. */
export const persistently = {
  schedule: Schedule.exponential("50 millis"),
  times: 5,
  while: (error: { readonly _tag: string }) => error._tag === "StorageError"
}

/** What ends by itself when its time is over is not worth an answer. */
export const quietly = (ending: Effect.Effect<void, StorageError>): Effect.Effect<void> =>
  Effect.catchCause(ending, (cause) => Effect.logError("what a request held is held until its lease ends", cause))

/**
 * What a work comes to, run in an uninterruptible region: `left` is the way out for whoever asked. When they go, the work is given up,
 * unless it has its answer: a fiber of its own has it, whatever became of this one. The port promises an end within
 * `longestMs`, and whoever breaks the promise holds up nobody.
 */
export const cameTo = <A>(
  work: Effect.Effect<A, UpstreamFailed>,
  longestMs: number,
  left: <B>(waiting: Effect.Effect<B>) => Effect.Effect<B>
): Effect.Effect<Exit.Exit<A, UpstreamFailed>> =>
  Effect.gen(function* () {
    const until = Instant.plus(yield* Instant.now, longestMs + marginMs / 2)
    const working = yield* Effect.forkDetach(work)
    const waiting = Effect.flatMap(Instant.now, (at) =>
      Effect.raceFirst(Effect.asVoid(Fiber.await(working)), Effect.sleep(Math.max(0, until - at)))
    )
    const waited = yield* Effect.exit(left(waiting))
    // An answer that is there is not thrown away because whoever asked left in the same moment.
    yield* Effect.yieldNow
    if (working.pollUnsafe() === undefined) {
      working.interruptUnsafe()
      yield* waiting
    }
    const ended = working.pollUnsafe()
    if (ended !== undefined && !(Exit.isFailure(ended) && Cause.hasInterruptsOnly(ended.cause))) return ended
    return Exit.isFailure(waited) ? Exit.failCause(waited.cause) : Exit.fail(overdue)
  })

const overdue = new UpstreamFailed({
  why: "timeout",
  detail: "it did not end within the time that it promises",
  retryAfterSeconds: null,
  advice: null
})
