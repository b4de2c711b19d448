/** What became of one candidate of a run, and which candidate is tried next. Pure but for the attempts themselves. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import type { Prices } from "../billing/index.ts"
import type { Model } from "./Model.ts"
import {
  type Capabilities,
  type Capability,
  type Upstream,
  type UpstreamFailed,
  type UpstreamRoute,
  UpstreamWhy
} from "./Upstream.ts"

/** A model that may answer, with its work and its price rule. */
export interface Candidate<C extends Capability> {
  readonly model: Model
  /** The work under the model's name at its upstream. */
  readonly work: (upstreamModel: string) => Capabilities[C]["work"]
  /** The upper bound of what it can use: reserved before the run. */
  readonly maxAmount: Prices.Amount
  /** What it did use: charged after the run. */
  readonly amountOf: (answer: Capabilities[C]["answer"]) => Prices.Amount
}

export interface Answered<C extends Capability> {
  readonly candidate: Candidate<C>
  readonly upstream: Upstream
  readonly answer: Capabilities[C]["answer"]
  readonly amount: Prices.Amount
}

/** No upstream is configured to run the model. */
export class NoUpstream extends Schema.TaggedError<NoUpstream>()("NoUpstream", { model: Schema.String }) {
  override get message() {
    return `no upstream is configured to run the model ${this.model}: see models.routes`
  }
}

/** The upstream that was asked last failed, and no candidate is left. The message is for the operator's log. */
export class RunFailed extends Schema.TaggedError<RunFailed>()("RunFailed", {
  upstream: Schema.String,
  why: UpstreamWhy,
  detail: Schema.String,
  retryAfterSeconds: Schema.NullOr(Schema.Int),
  advice: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return `upstream ${this.upstream}: ${this.why}: ${this.detail}`
  }
}

export interface Broken<C extends Capability> {
  readonly _tag: "Broken"
  readonly candidate: Candidate<C>
  /** Has no error: a defect, or the interruption by the client. */
  readonly cause: Cause.Cause<never>
}

export type Unanswered<C extends Capability> =
  | { readonly _tag: "NoUpstream"; readonly candidate: Candidate<C> }
  | { readonly _tag: "Failed"; readonly candidate: Candidate<C>; readonly error: RunFailed }
  | Broken<C>

export type Attempt<C extends Capability> = ({ readonly _tag: "Answered" } & Answered<C>) | Unanswered<C>

/** An ended run of an upstream as an attempt. */
export const attemptOf = <C extends Capability>(
  candidate: Candidate<C>,
  { upstream }: UpstreamRoute<C>,
  exit: Exit.Exit<Capabilities[C]["answer"], UpstreamFailed>
): Attempt<C> => {
  if (Exit.isSuccess(exit)) {
    const answer = exit.value
    return { _tag: "Answered", candidate, upstream, answer, amount: candidate.amountOf(answer) }
  }
  const failed = Cause.findErrorOption(exit.cause)
  if (failed._tag === "None") return { _tag: "Broken", candidate, cause: exit.cause as Cause.Cause<never> }
  const { advice, detail, retryAfterSeconds, why } = failed.value
  return {
    _tag: "Failed",
    candidate,
    error: new RunFailed({ upstream: upstream.name, why, detail, retryAfterSeconds, advice })
  }
}

/**
 * Tries the candidates in their order. Returns the first answer, or else the last attempt: a candidate that failed for what
 * is wrong with the input is the last one, since the input is wrong for every model, and so is one that was interrupted.
 */
export const tryCandidates = Effect.fnUntraced(function* <C extends Capability>(
  [first, ...others]: readonly [Candidate<C>, ...ReadonlyArray<Candidate<C>>],
  attempt: (candidate: Candidate<C>) => Effect.Effect<Attempt<C>>
) {
  let last = yield* attempt(first)
  for (const candidate of others) {
    if (!mayFallBack(last)) return last
    last = yield* attempt(candidate)
  }
  return last
})

/** Whether another candidate may answer where this one did not. */
const mayFallBack = <C extends Capability>(attempt: Attempt<C>): boolean =>
  attempt._tag === "NoUpstream" || (attempt._tag === "Failed" && !inputFaults.includes(attempt.error.why))

const inputFaults: ReadonlyArray<UpstreamWhy> = ["refused_input", "too_large"]
