/** The time that an upstream has for its next piece. */
import * as Effect from "effect/Effect"
import { UpstreamFailed } from "../../gateway/upstreams/index.ts"
import { Instant } from "../../platform/kernel/index.ts"

const overdue = (detail: string) =>
  new UpstreamFailed({ why: "timeout", detail, retryAfterSeconds: null, advice: null, hasBegun: true })

/** One stage's time, over all attempts of its model's route. */
export class Deadline {
  #until: Instant.Instant

  constructor(until: Instant.Instant) {
    this.#until = until
  }

  /** A piece has come: the next one has this time. */
  readonly extend = (at: Instant.Instant, milliseconds: number): void => {
    this.#until = Instant.plus(at, milliseconds)
  }

  /** Ends a run whose next piece does not come in time. Then the stage's time is over, and no other upstream is asked. */
  readonly bound = <A>(run: Effect.Effect<A, UpstreamFailed>): Effect.Effect<A, UpstreamFailed> =>
    Effect.flatMap(Instant.now, (at) => (at >= this.#until ? this.#late : Effect.raceFirst(run, this.#wait)))

  get #late(): Effect.Effect<never, UpstreamFailed> {
    return Effect.fail(overdue("nothing came within the time of its stage"))
  }

  get #wait(): Effect.Effect<never, UpstreamFailed> {
    return Effect.flatMap(Instant.now, (at) =>
      at >= this.#until
        ? this.#late
        : Effect.andThen(
            Effect.sleep(this.#until - at),
            Effect.suspend(() => this.#wait)
          )
    )
  }
}
