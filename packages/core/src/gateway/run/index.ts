/**
 * Runs a request under a reservation, tries upstreams in turn, and charges what was used.
 *
 * Needs     Upstreams, Metering, Idempotency, UsageLog.   Emits  nothing.
 * Not here  which model and which upstreams: gateway/catalogue. Promises INFE-2 to INFE-5 stand in the area.
 * Read      RunAttempts.ts, then MeteredRun.ts and RunOnce.ts. Source: docs/reference/gateway.md.
 */
export { AnswerOutlet } from "./AnswerOutlet.ts"
export { ChatModel, ChatReason, ChatRefused, type ChatRequest } from "./ChatModel.ts"
export type { BreakerSettings } from "./CircuitBreaker.ts"
export { CircuitBreakers } from "./CircuitBreakers.ts"
export {
  failureRefusal,
  type InputFaults,
  idempotencyRefusal,
  imageFailureCodes,
  languageModelFailureCodes,
  limitRefusal,
  modelRefusal,
  noUpstreamRefusal,
  otherCategoryRefusal,
  speechFailureCodes,
  spendingRefusal as meteringRefusal
} from "./InferenceRefusals.ts"
export {
  logFailure as logReleaseFailure,
  MeteredRun,
  type MeteredRunError,
  type RunContext,
  type SpendingError,
  settleRetry
} from "./MeteredRun.ts"
export { type Answered, type AttemptPlace, type Candidate, NoUpstream, RunFailed } from "./RunAttempt.ts"
export { runAttempts, Turns } from "./RunAttempts.ts"
export { type RouteResult, runOnce } from "./RunOnce.ts"
export { marginMs, runUpstream } from "./RunUpstream.ts"
export { afterBegun, maxStreamMs, type StreamedRun, StreamedRuns } from "./StreamedRun.ts"
