/** One attempt at an answer: the request to an entry of a route, and its outcome. Pure. */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Prices } from "../../platform/billing/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Model } from "../catalogue/Model.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import {
  type Capabilities,
  type Capability,
  type Upstream,
  type UpstreamFailed,
  UpstreamParam,
  type UpstreamRoute,
  UpstreamWhy
} from "../upstreams/Upstream.ts"
import type { Outcome } from "./CircuitBreaker.ts"

/** An attempt among those of its request. */
export interface AttemptPlace {
  /** How many attempts were made, this one included. */
  readonly attempts: number
  /** No attempt was made before it, and none may follow. */
  readonly isOnly: boolean
}

/** The model that is to answer, with its work and its price rule. `Answer` is what a run of the work returns. */
export interface Candidate<C extends Capability, Answer = Capabilities[C]["answer"]> {
  readonly model: Model
  /** Whether an upstream can run the work at all; one that cannot is nobody. Absent: every one that has the capability. */
  readonly isServedBy?: (route: UpstreamRoute<C>) => boolean
  /** The work for an entry of the model's route, or why that entry cannot carry the request. */
  readonly work: (route: UpstreamRoute<C>) => Result.Result<Capabilities[C]["work"], InferenceRefused>
  readonly run: (
    route: UpstreamRoute<C>,
    work: Capabilities[C]["work"],
    place: AttemptPlace
  ) => Effect.Effect<Answer, UpstreamFailed>
  /** Maximum duration of one attempt in milliseconds, where it is not the upstream's. */
  readonly maxMs?: number
  /** The amount that is billed when the client leaves in the middle of its answer; null for nothing. */
  readonly amountSoFar?: () => Prices.Amount | null
  /** The upper bound of what it can use: reserved before the run. */
  readonly maxAmount: Prices.Amount
  /** What it did use: charged after the run. */
  readonly amountOf: (answer: Answer) => Prices.Amount
}

export interface Answered<C extends Capability, Answer = Capabilities[C]["answer"]> {
  readonly candidate: Candidate<C, Answer>
  readonly upstream: Upstream
  readonly answer: Answer
  readonly amount: Prices.Amount
  /** How many attempts were made, this one included. */
  readonly attempts: number
}

/** No upstream is configured to run the model. */
export class NoUpstream extends Schema.TaggedError<NoUpstream>()("NoUpstream", { model: Schema.String }) {
  override get message() {
    return `no upstream is configured to run the model ${this.model}: see models.routes`
  }
}

/** The upstream that was asked last failed, and none is left. The message is for the operator's log. */
export class RunFailed extends Schema.TaggedError<RunFailed>()("RunFailed", {
  upstream: Schema.String,
  why: UpstreamWhy,
  detail: Schema.String,
  retryAfterSeconds: Schema.NullOr(Schema.Int),
  advice: Schema.NullOr(Schema.String),
  /** How many attempts were made, the last one included. */
  attempts: Schema.Int,
  param: UpstreamParam
}) {
  override get message() {
    return `upstream ${this.upstream}: ${this.why}: ${this.detail}`
  }
}

export interface Failed {
  readonly _tag: "Failed"
  readonly error: RunFailed
  /** What the upstream said. */
  readonly failure: UpstreamFailed
  readonly endedAt: Instant.Instant
}

export interface Broken {
  readonly _tag: "Broken"
  /** Has no error: a defect, or the interruption by the client. */
  readonly cause: Cause.Cause<never>
}

export type Unanswered = Failed | Broken
export type Attempt<C extends Capability, Answer> = ({ readonly _tag: "Answered" } & Answered<C, Answer>) | Unanswered

interface EndedRun<C extends Capability, Answer> {
  readonly candidate: Candidate<C, Answer>
  readonly route: UpstreamRoute<C>
  readonly exit: Exit.Exit<Answer, UpstreamFailed>
  readonly attempts: number
  readonly endedAt: Instant.Instant
}

/** An attempt that has its answer. */
export const answeredBy = <C extends Capability, Answer>(
  answered: Omit<Answered<C, Answer>, "amount">
): Extract<Attempt<C, Answer>, { readonly _tag: "Answered" }> => ({
  _tag: "Answered",
  ...answered,
  amount: answered.candidate.amountOf(answered.answer)
})

/** An ended run of an upstream as an attempt. */
export const attemptOf = <C extends Capability, Answer>({
  attempts,
  candidate,
  endedAt,
  exit,
  route: { upstream }
}: EndedRun<C, Answer>): Attempt<C, Answer> => {
  if (Exit.isSuccess(exit)) return answeredBy({ candidate, upstream, answer: exit.value, attempts })
  const failed = Cause.findErrorOption(exit.cause)
  if (failed._tag === "None") return { _tag: "Broken", cause: exit.cause as Cause.Cause<never> }
  const failure = failed.value
  const { advice, detail, param, retryAfterSeconds, why } = failure
  const error = new RunFailed({ upstream: upstream.name, why, detail, retryAfterSeconds, advice, param, attempts })
  return { _tag: "Failed", error, failure, endedAt }
}

/** Whether a failure is one that a circuit breaker counts. Source: docs/reference/upstreams.md#breaker. */
const isCounted: Readonly<Record<UpstreamWhy, boolean>> = {
  refused_input: false,
  content_policy: false,
  context_too_long: false,
  too_large: false,
  throttled: false,
  timeout: true,
  unreachable: true,
  failed: true,
  not_found: false,
  wrong_route: false,
  unreadable: false,
  operator: true,
  unsupported: false
}

/** What the end of a run says about its upstream. */
export const outcomeOf = (exit: Exit.Exit<unknown, UpstreamFailed>): Outcome => {
  if (Exit.isSuccess(exit)) return "succeeded"
  const failed = Cause.findErrorOption(exit.cause)
  return failed._tag === "Some" && isCounted[failed.value.why] ? "failed" : "neither"
}
