/** A host's clock as the Clock service: everything that waits in the product waits by it. */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Instant } from "../platform/kernel/index.ts"
import type { HostClock } from "../platform/PlatformOptions.ts"

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
      const until = performance.now() + Duration.toMillis(duration) / speed
      let timer: ReturnType<typeof setTimeout>
      // A timer may fire up to a millisecond early, which is long on a clock that runs fast.
      const wait = (): void => {
        const left = until - performance.now()
        timer = setTimeout(
          () => (performance.now() < until ? wait() : resume(Effect.void)),
          Math.max(0, Math.min(left, Instant.maxTimerMs))
        )
      }
      wait()
      return Effect.sync(() => clearTimeout(timer))
    })
})

/** A clock that starts at an instant and runs `speed` times as fast as the machine's. */
export const accelerated = (startsAt: number, speed: number): HostClock => {
  const began = performance.now()
  return { speed, now: () => startsAt + (performance.now() - began) * speed }
}
