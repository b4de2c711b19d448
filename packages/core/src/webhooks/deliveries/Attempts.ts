/**
 * Attempts under way. Each is an object: one fiber asks the endpoint, its end is a callback, and its deadline is a place in a line that
 * has one timer. Attempts that end in one turn of the event loop are handled together.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Claim } from "./ClaimAhead.ts"
import { late, type Outcome } from "./Delivery.ts"
import type { ClaimedDelivery } from "./DeliveryStore.ts"

interface Attempt {
  readonly claim: Claim
  /** Its deadline, in milliseconds of the clock that nobody sets. */
  readonly until: number
  fiber: Fiber.Fiber<Outcome> | undefined
  isLate: boolean
}

export interface EndedAttempt {
  readonly claim: Claim
  readonly exit: Exit.Exit<Outcome>
}

interface Work {
  /** One attempt, which is interrupted at its deadline. */
  readonly attempt: (row: ClaimedDelivery) => Effect.Effect<Outcome>
  readonly timeoutMs: number
  readonly ended: (attempts: ReadonlyArray<EndedAttempt>) => Effect.Effect<void>
}

export class Attempts {
  readonly #run: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>
  readonly #clock: Clock.Clock
  readonly #work: Work
  /** In the order of their deadlines, which is that of their beginnings. */
  readonly #underWay = new Set<Attempt>()
  #ended: Array<EndedAttempt> = []
  #watching: Fiber.Fiber<void> | undefined

  constructor(run: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>, clock: Clock.Clock, work: Work) {
    this.#run = run
    this.#clock = clock
    this.#work = work
  }

  begin(claim: Claim): void {
    const attempt: Attempt = { claim, until: this.#now + this.#work.timeoutMs, fiber: undefined, isLate: false }
    this.#underWay.add(attempt)
    attempt.fiber = this.#run(this.#work.attempt(claim.row))
    attempt.fiber.addObserver((exit) => this.#end(attempt, exit))
    this.#watching ??= this.#run(this.#watch)
  }

  get #now(): number {
    return Number(this.#clock.monotonicTimeNanosUnsafe()) / 1_000_000
  }

  /** Interrupts every attempt under way. */
  readonly cancel: Effect.Effect<void> = Effect.suspend(() =>
    Fiber.interruptAll([...this.#underWay].flatMap(({ fiber }) => fiber ?? []))
  )

  /** Interrupts the timer too: nothing begins any more. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.#watching?.interruptUnsafe()
    return this.cancel
  })

  #end(attempt: Attempt, exit: Exit.Exit<Outcome>): void {
    this.#underWay.delete(attempt)
    const { claim, isLate } = attempt
    this.#ended.push({
      claim,
      exit: isLate && Exit.hasInterrupts(exit) ? Exit.succeed(late(this.#work.timeoutMs)) : exit
    })
    if (this.#ended.length === 1) this.#run(this.#handle)
  }

  readonly #handle = Effect.andThen(
    Effect.yieldNow,
    Effect.suspend(() => {
      const ended = this.#ended
      this.#ended = []
      return this.#work.ended(ended)
    })
  )

  /** Waits for one deadline after the other, as long as there are attempts. */
  readonly #watch = Effect.gen({ self: this }, function* (this: Attempts) {
    yield* Effect.yieldNow
    for (const attempt of this.#underWay) {
      while (this.#underWay.has(attempt) && attempt.until > this.#now) {
        yield* Effect.sleep(Math.ceil(attempt.until - this.#now))
      }
      this.#expire(attempt)
    }
    this.#watching = undefined
  })

  #expire(attempt: Attempt): void {
    if (!this.#underWay.delete(attempt)) return
    attempt.isLate = true
    attempt.fiber?.interruptUnsafe()
  }
}

/** The attempts of one process, which end with the scope. */
export const makeAttempts = (work: Work): Effect.Effect<Attempts, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const clock = yield* Clock.Clock
    return yield* Effect.acquireRelease(
      Effect.sync(() => new Attempts(run, clock, work)),
      (attempts) => attempts.close
    )
  })
