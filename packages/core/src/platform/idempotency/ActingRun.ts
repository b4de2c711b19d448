/** The run of a request that changes or sends something itself, as the storage sees it. Source: docs/reference/http-conventions.md#idempotency. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage, type Tx } from "../storage/index.ts"
import { IdempotencyStore } from "./IdempotencyStore.ts"
import { type ClaimedRun, ClaimLost } from "./IdempotentRequest.ts"

export class ActingRun {
  readonly claimed: ClaimedRun
  /** True where the work says that nothing of what it did stands. */
  hasLeftNothing = false
  /** True where the run was begun anew elsewhere before it had done anything: then nothing of it was committed. */
  hasLostClaim = false
  #isNoted = false
  #hasEnded = false

  constructor(claimed: ClaimedRun) {
    this.claimed = claimed
  }

  /** True while its next transaction has to note that it acts. What outlives the run is not of it. */
  get mustNote(): boolean {
    return !(this.#isNoted || this.#hasEnded)
  }

  noted(): void {
    this.#isNoted = true
  }

  end(): void {
    this.#hasEnded = true
  }
}

/** The run that the present work is of; null for all other work. */
export const CurrentRun = Context.Reference<ActingRun | null>("@trunkline/core/platform/idempotency/CurrentRun", {
  defaultValue: () => null
})

/** Says that nothing of what the present request did stands, so that its key may be used again. */
export const leavesNothing: Effect.Effect<void> = Effect.map(CurrentRun, (run) => {
  if (run !== null) run.hasLeftNothing = true
})

/**
 * The storage, in which the first transaction of a run under an Idempotency-Key notes that the run acts. It is committed in full: a
 * power cut that loses what was done must not lose the note, since others may have been asked by then.
 */
export const notingStorage: Layer.Layer<Storage, never, Storage | IdempotencyStore> = Layer.effect(
  Storage,
  Effect.gen(function* () {
    const { act } = yield* IdempotencyStore
    const storage = yield* Storage

    const noted = <A, E, R>(run: ActingRun, program: Effect.Effect<A, E, R>) => {
      const note: Effect.Effect<void, never, Tx> = Effect.flatMap(Effect.orDie(act(run.claimed)), (isHeld) => {
        if (isHeld) return Effect.void
        run.hasLostClaim = true
        return Effect.die(new ClaimLost())
      })
      return Effect.tap(storage.transact(Effect.andThen(note, program)), () => Effect.sync(() => run.noted()))
    }

    const noting =
      (transact: Storage["Service"]["transact"]): Storage["Service"]["transact"] =>
      (program) =>
        Effect.withFiber((fiber) => {
          const run = Context.get(fiber.context, CurrentRun)
          return run?.mustNote === true ? noted(run, program) : transact(program)
        })

    return Storage.of({
      ...storage,
      transact: noting(storage.transact),
      transactWith: (options) => noting(storage.transactWith(options))
    })
  })
)
