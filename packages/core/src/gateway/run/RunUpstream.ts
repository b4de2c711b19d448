/** Runs an upstream's work for a client that may leave before its end. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { Instant } from "../../platform/kernel/index.ts"
import { UpstreamFailed } from "../upstreams/Upstream.ts"

/** Time beyond the upstream's own: for reading its answer and recording it. */
export const marginMs = 30_000

export interface RunUpstream<A> {
  readonly work: Effect.Effect<A, UpstreamFailed>
  /** The maximum duration that the upstream promises. */
  readonly maxMs: number
  /** Makes an effect interruptible by the client: the caller's region is uninterruptible. */
  readonly interruptible: <B>(effect: Effect.Effect<B>) => Effect.Effect<B>
}

/**
 * The exit of a work. The work runs in a fiber of its own: a client that leaves interrupts it, but an answer that has arrived
 * is returned all the same, since it has been paid for. An upstream that exceeds its maximum fails with `timeout`.
 */
export const runUpstream = <A>({
  interruptible,
  maxMs,
  work
}: RunUpstream<A>): Effect.Effect<Exit.Exit<A, UpstreamFailed>> =>
  Effect.gen(function* () {
    const deadline = Instant.plus(yield* Instant.now, maxMs + marginMs / 2)
    const working = yield* Effect.forkDetach(work)
    const waiting = Effect.flatMap(Instant.now, (at) =>
      Effect.raceFirst(Effect.asVoid(Fiber.await(working)), Effect.sleep(Math.max(0, deadline - at)))
    )
    const waited = yield* Effect.exit(interruptible(waiting))
    // An answer that arrives in the same moment in which the client leaves is not lost.
    yield* Effect.yieldNow
    if (working.pollUnsafe() === undefined) {
      working.interruptUnsafe()
      yield* waiting
    }
    const ended = working.pollUnsafe()
    if (ended !== undefined && !(Exit.isFailure(ended) && Cause.hasInterruptsOnly(ended.cause))) return ended
    return Exit.isFailure(waited) ? Exit.failCause(waited.cause) : Exit.fail(overdue)
  })

export const overdue = new UpstreamFailed({
  why: "timeout",
  detail: "it did not end within the time that it promises",
  retryAfterSeconds: null,
  advice: null
})
