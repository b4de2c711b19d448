/** A host's clock as the Clock service: everything that waits in the product waits by it. */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { HostClock } from "./Options.ts"

const nanos = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1000)) * 1000n

export const fromHost = ({ now, speed }: HostClock): Clock.Clock => ({
  currentTimeMillisUnsafe: now,
  currentTimeMillis: Effect.sync(now),
  currentTimeNanosUnsafe: () => nanos(now()),
  currentTimeNanos: Effect.sync(() => nanos(now())),
  monotonicTimeNanosUnsafe: () => nanos(performance.now() * speed),
  monotonicTimeNanos: Effect.sync(() => nanos(performance.now() * speed)),
  sleep: (duration) =>
    Effect.callback<void>((resume) => {
      const timer = setTimeout(() => resume(Effect.void), Math.max(0, Duration.toMillis(duration) / speed))
      return Effect.sync(() => clearTimeout(timer))
    })
})

/** A clock that starts at an instant and runs `speed` times as fast as the machine's. */
export const accelerated = (startsAt: number, speed: number): HostClock => {
  const began = performance.now()
  return { speed, now: () => startsAt + (performance.now() - began) * speed }
}
