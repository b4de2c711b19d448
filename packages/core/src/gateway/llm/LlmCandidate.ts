/** A run of a language model with its price rule, as it is metered. Source: docs/reference/language-models.md#tokens. */

import type * as Models from "../catalogue/Model.ts"
import type { Candidate } from "../run/RunAttempt.ts"
import { maxStreamMs } from "../run/StreamedRun.ts"
import type { LlmRequest } from "./LlmRequest.ts"
import type { LlmAnswer, LlmRun } from "./LlmRun.ts"
import { amountOf, maxAmount } from "./tokens/TokenCount.ts"

/** Reserves the most that the request can use, and charges what its upstream counts, else the estimate. */
export const llmCandidate = (
  run: LlmRun,
  { answers, isStreamed, size }: LlmRequest,
  model: Models.Model,
  maxOutputTokens: number
): Candidate<"generate", LlmAnswer> => {
  const { price } = model
  if (price.unit !== "tokens") throw new Error(`the language model ${model.id} has a price for ${price.unit}`)
  const max = maxAmount(price, size, maxOutputTokens * answers)
  return {
    model,
    isServedBy: (route) => run.isServedBy(route),
    work: (route) => run.workFor(route),
    run: (route, work, place) => run.run(route, work, place),
    ...(isStreamed ? { maxMs: maxStreamMs } : {}),
    maxAmount: max,
    amountOf: ({ usage }) => amountOf(usage),
    amountSoFar: () => (run.usageSoFar === null ? null : amountOf(run.usageSoFar))
  }
}
