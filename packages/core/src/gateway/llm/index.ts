/**
 * Language models in the forms of three public APIs: chat completions, messages and responses, whole and as streams.
 *
 * Promises  LANG-1 a request goes to the upstream as it came where the upstream speaks its API, and is translated or refused, never
 *                  shortened, where it does not.
 *           LANG-2 answers and events have our ids and the model that was asked for, and nothing else of ours.
 *           LANG-3 a stream that breaks ends with an error event, costs nothing, and is never tried again once it has begun.
 *           LANG-4 tokens are billed as the upstream counts them, else by estimate, and never more than the account can pay.
 *           LANG-5 a client that leaves pays for what it got; with an Idempotency-Key the run goes on, and is kept for the retry.
 *           LANG-6 a response that was billed and is to be kept is found by its account alone, until it expires or is deleted.
 * Needs     InferenceRoutes, ResponseStore, LlmSettings.          Emits  nothing by itself.
 * Not here  admission, reservation, fallbacks and the usage log (gateway/run); what upstreams speak (packages/providers).
 * Read      Translation.ts and LlmRequest.ts, then LlmRun.ts, Llm.ts and LlmHttp.ts; KeptResponses.ts. Source: docs/reference/language-models.md.
 */
export { chatToMessages } from "./ChatToMessages.ts"
export { choiceFault } from "./FinishReason.ts"
export { conversationOf, isResponseId, type KeptResponse } from "./KeptResponse.ts"
export { KeptResponses } from "./KeptResponses.ts"
export { Llm } from "./Llm.ts"
export { llmCandidate } from "./LlmCandidate.ts"
export { readLlmLine } from "./LlmLineHttp.ts"
export type { LlmRequest } from "./LlmRequest.ts"
export { readLlmRequest } from "./LlmRequest.ts"
export { LlmRun, type LlmSink } from "./LlmRun.ts"
export { LlmSettings, standardLlmSettings } from "./LlmSettings.ts"
export { translationTo } from "./LlmTranslations.ts"
export { chatUsage, responsesUsage } from "./LlmUsage.ts"
export { outputLimitField } from "./OutputLimitField.ts"
export { ResponseStore } from "./ResponseStore.ts"
export { type ChatPiece, headOfCall, piecesOf } from "./ResponsesChatPieces.ts"
export { type KeptItem, outputItems } from "./ResponsesItems.ts"
export { type StreamedCall, StreamedCalls } from "./StreamedCalls.ts"
