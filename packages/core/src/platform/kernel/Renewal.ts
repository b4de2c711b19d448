/** Leases that are renewed while their work runs. They are short, so that what a process that died has reserved is soon free. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Instant from "./Instant.ts"

/** How long a lease lasts after its last renewal, in milliseconds. */
export const leaseMs = 2 * Instant.minute

/** Renewals in the time of one lease: some may fail, or come late. */
const renewals = 4

interface Renewed<E> {
  readonly leaseMs: number
  /** Makes the lease last until then. */
  readonly renew: (until: Instant.Instant) => Effect.Effect<void, E>
}

/** Runs work, and renews its lease until the work has ended. A renewal that fails is tried again when the next one is due. */
export const renewing = <A, E, R, E2>(work: Effect.Effect<A, E, R>, { leaseMs, renew }: Renewed<E2>) => {
  const renewOnce = Effect.flatMap(Instant.now, (now) => renew(Instant.plus(now, leaseMs)))
  const renewNext = Effect.andThen(
    Effect.sleep(leaseMs / renewals),
    Effect.catchCause(renewOnce, (cause) => Effect.logWarning("a lease could not be renewed", cause))
  )
  return Effect.acquireUseRelease(
    Effect.forkDetach(Effect.interruptible(Effect.forever(renewNext))),
    () => work,
    (fiber) => Fiber.interrupt(fiber)
  )
}
