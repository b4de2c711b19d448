/** The failure of a search provider as it is answered: never a word of the provider's own. Pure. Source: docs/reference/search.md#failures. */
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { languageModelFailureCodes } from "../run/InferenceRefusals.ts"
import type { UpstreamFailed } from "../upstreams/Upstream.ts"

/** What a failure is answered and logged with: a search fails as a language model does. */
export const searchFailureCodes = languageModelFailureCodes

const failed = "The search provider failed."
const unusable =
  "The search provider cannot be used at the moment. The fault has been logged under this answer's X-Request-Id."

const sentences: Readonly<Record<UpstreamFailed["why"], string>> = {
  refused_input: "The search provider refused the request.",
  content_policy: "The search provider refused the query.",
  context_too_long: "The query is too long for the search provider.",
  too_large: "The request is too large for the search provider.",
  throttled: "The search provider is asked too often at the moment. Wait for as long as Retry-After says.",
  timeout: "The search provider did not answer in time.",
  unreachable: "The search provider cannot be reached at the moment. Try again shortly.",
  failed,
  not_found: failed,
  wrong_route: failed,
  unreadable: failed,
  unsupported: failed,
  operator: unusable
}

export const searchFailureRefusal = ({ retryAfterSeconds, why }: UpstreamFailed): InferenceRefused =>
  refuse(searchFailureCodes[why], {
    message: sentences[why],
    showsRequestId: why !== "refused_input" && why !== "too_large",
    ...(why === "throttled" ? { retryAfterSeconds: retryAfterSeconds ?? 1 } : {})
  })
