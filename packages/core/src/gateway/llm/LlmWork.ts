/** A request of a language model that takes it: its run, and its price. Pure but for the ids that it is given. */
import { Instant } from "../../platform/kernel/index.ts"
import type * as Models from "../catalogue/Model.ts"
import { languageModelFailureCodes } from "../run/InferenceRefusals.ts"
import type { Candidate } from "../run/RunAttempt.ts"
import { llmCandidate } from "./LlmCandidate.ts"
import { inputFaults } from "./LlmInputFaults.ts"
import type { LlmRequest } from "./LlmRequest.ts"
import { type LlmAnswer, LlmRun, type LlmSink } from "./LlmRun.ts"
import type { LlmApi } from "./translate/Translation.ts"

export interface LlmWork {
  readonly run: LlmRun
  readonly candidate: Candidate<"generate", LlmAnswer>
}

/** Makes ids for the parts of an answer: `fresh("fc")` is `fc_…`. */
export const freshIds =
  (next: () => string) =>
  (prefix: string): string =>
    `${prefix}_${next().replaceAll("-", "")}`

/** `next`: makes a UUID. `outlet`: null for an answer that is not streamed, or whose stream is sent by somebody else. */
export const llmWork = (
  request: LlmRequest,
  model: Models.Model,
  { at, next, outlet }: { readonly at: Instant.Instant; readonly next: () => string; readonly outlet: LlmSink | null }
): LlmWork => {
  const maxOutputTokens = request.outputLimit?.tokens ?? maxOutputTokensOf(model)
  const answer = {
    id: `${idPrefixes[request.api]}${next().replaceAll("-", "")}`,
    freshId: freshIds(next),
    createdAt: Math.floor(at / Instant.second)
  }
  const run = new LlmRun({ request, model, maxOutputTokens, answer, outlet })
  return { run, candidate: llmCandidate(run, request, model, maxOutputTokens) }
}

const idPrefixes: Readonly<Record<LlmApi, string>> = {
  chat_completions: "chatcmpl-",
  messages: "msg_",
  responses: "resp_"
}

const maxOutputTokensOf = ({ id, limits }: Models.Model): number => {
  if (limits.maxOutputTokens === null) throw new Error(`the language model ${id} has no max_output_tokens`)
  return limits.maxOutputTokens
}

/** What the routes of language models call the failures of their upstreams. */
export const llmFailures = (api: LlmApi) =>
  ({
    capability: "generate",
    failureCodes: languageModelFailureCodes,
    inputFaults: inputFaults[api]
  }) as const
