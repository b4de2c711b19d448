/** Asks the entries of a model's route in their order until one answers. Source: docs/reference/upstreams.md#fallbacks. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { Instant } from "../../platform/kernel/index.ts"
import type { FailedAttempt } from "../admission/HandedOver.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import type { Capabilities, Capability, RoutePlan, UpstreamFailed, UpstreamRoute } from "../upstreams/Upstream.ts"
import { stepAfter } from "./AttemptPlan.ts"
import type { HalfOpen } from "./CircuitBreaker.ts"
import type { CircuitBreakers } from "./CircuitBreakers.ts"
import { type Attempt, attemptOf, type Candidate, type Failed, outcomeOf } from "./RunAttempt.ts"
import { runUpstream } from "./RunUpstream.ts"

type Work<C extends Capability> = Capabilities[C]["work"]

/** An attempt that is about to be made. Its breaker counts it as begun. */
interface Turn<C extends Capability> {
  readonly route: UpstreamRoute<C>
  readonly work: Work<C>
  readonly trial: HalfOpen | null
  /** How often the entry has been asked before. */
  readonly retried: number
  readonly afterMs: number
}

/** The turns of the entries of one request. */
export class Turns<C extends Capability, Answer> {
  readonly candidate: Candidate<C, Answer>
  readonly breakers: CircuitBreakers["Service"]
  readonly #plan: RoutePlan<C>
  readonly #left: Array<UpstreamRoute<C>>
  readonly #works = new Map<UpstreamRoute<C>, Result.Result<Work<C>, InferenceRefused>>()

  constructor(candidate: Candidate<C, Answer>, plan: RoutePlan<C>, breakers: CircuitBreakers["Service"]) {
    this.candidate = candidate
    this.breakers = breakers
    this.#plan = plan
    this.#left = [...plan.entries]
  }

  /** Fails where the first entry cannot carry the request: then the caller must change it. */
  get carried(): Result.Result<unknown, InferenceRefused> {
    return this.#workOf(this.#plan.entries[0])
  }

  /** The turn of the next entry; null where none is left. The first one is there where the request is carried. */
  next(at: Instant.Instant): Turn<C> | null {
    for (let route = this.#left.shift(); route !== undefined; route = this.#left.shift()) {
      const turn = this.#turn(route, at, { retried: 0, afterMs: 0 })
      if (turn !== null) return turn
    }
    return null
  }

  /** The turn of the first entry whose attempt was made without a trial. */
  made(): Turn<C> {
    const route = this.#left.shift()!
    return { route, work: Result.getOrThrow(this.#workOf(route)), trial: null, retried: 0, afterMs: 0 }
  }

  /** The turn after a failed one; null where the request ends with it. */
  after({ retried, route }: Turn<C>, failure: UpstreamFailed, at: Instant.Instant): Turn<C> | null {
    const step = stepAfter(failure, { retried, retries: this.#plan.retries })
    if (step._tag === "End") return null
    const again = step._tag === "Again" ? this.#turn(route, at, { retried: retried + 1, afterMs: step.afterMs }) : null
    return again ?? this.next(at)
  }

  /** Whether no other attempt follows, however this one ends. */
  isLast({ retried }: Turn<C>): boolean {
    return this.#left.length === 0 && retried >= this.#plan.retries
  }

  #turn(route: UpstreamRoute<C>, at: Instant.Instant, wait: Pick<Turn<C>, "retried" | "afterMs">): Turn<C> | null {
    const work = this.#workOf(route)
    if (Result.isFailure(work) || this.#isPassedOver(route, at)) return null
    return { route, work: work.success, trial: this.breakers.begin(route, at), ...wait }
  }

  /** Whether its breaker is open, and that of another entry which can carry the request is not. */
  #isPassedOver(route: UpstreamRoute<C>, at: Instant.Instant): boolean {
    const isOpen = (one: UpstreamRoute<C>) => this.breakers.isOpen(one, at)
    return isOpen(route) && this.#plan.entries.some((one) => !isOpen(one) && Result.isSuccess(this.#workOf(one)))
  }

  #workOf(route: UpstreamRoute<C>): Result.Result<Work<C>, InferenceRefused> {
    const work = this.#works.get(route) ?? this.candidate.work(route)
    this.#works.set(route, work)
    return work
  }
}

interface AttemptSettings {
  /** Makes an effect interruptible by the client: the caller's region is uninterruptible. */
  readonly interruptible: <B>(effect: Effect.Effect<B>) => Effect.Effect<B>
  /** Records an attempt that failed and is not the last one. */
  readonly record: (failed: Failed) => Effect.Effect<void>
  /** The first attempt, where it has been made and has failed. Null or absent for none. */
  readonly first?: Pick<FailedAttempt, "endedAt" | "failure"> | null
}

/** The last attempt of a request: the answer, or what ended it. */
export const runAttempts = Effect.fnUntraced(function* <C extends Capability, Answer>(
  turns: Turns<C, Answer>,
  { first = null, interruptible, record }: AttemptSettings
) {
  const { breakers, candidate } = turns
  // The plan has a route that can take the request, and skips it only for another one that can.
  let turn = first === null ? turns.next(yield* Instant.now)! : turns.made()
  for (let attempts = 1; ; attempts++) {
    const { route, trial, work } = turn
    const maxMs = candidate.maxMs ?? route.upstream.maxMs
    const place = { attempts, isOnly: attempts === 1 && turns.isLast(turn) }
    const running = Effect.suspend(() => candidate.run(route, work, place))
    const made = attempts === 1 ? first : null
    const exit = made === null ? yield* runUpstream({ work: running, maxMs, interruptible }) : Exit.fail(made.failure)
    const endedAt = made === null ? yield* Instant.now : made.endedAt
    yield* breakers.end(route, { trial, outcome: outcomeOf(exit), at: endedAt })
    const attempt: Attempt<C, Answer> = attemptOf({ candidate, route, exit, attempts, endedAt })
    const next = attempt._tag === "Failed" ? turns.after(turn, attempt.failure, endedAt) : null
    if (attempt._tag !== "Failed" || next === null) return attempt
    const waited = yield* Effect.exit(interruptible(next.afterMs === 0 ? Effect.void : Effect.sleep(next.afterMs)))
    if (Exit.isFailure(waited)) {
      // The client has gone, and nobody waits for another attempt.
      yield* breakers.end(next.route, { trial: next.trial, outcome: "neither", at: yield* Instant.now })
      return attempt
    }
    yield* record(attempt)
    turn = next
  }
})
