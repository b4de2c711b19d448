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
 * Read      LlmRequest.ts and translate/Translation.ts, then LlmRun.ts, Llm.ts and LlmHttp.ts; kept/KeptResponses.ts.
 *           The folders chat, messages and responses have what one API alone needs; translate carries a request of one to an upstream
 *           of another, and its answer back; tokens counts; kept has the responses that are kept.
 *           Source: docs/reference/language-models.md.
 */

export { type ChatPiece, headOfCall, piecesOf } from "./chat/AnswerPieces.ts"
export { choiceFault } from "./chat/FinishReason.ts"
export { outputLimitField } from "./chat/OutputLimitField.ts"
export { type StreamedCall, StreamedCalls } from "./chat/StreamedCalls.ts"
export { endMark, pingText, textOf } from "./EventText.ts"
export { conversationOf, isResponseId, type KeptResponse } from "./kept/KeptResponse.ts"
export { KeptResponses } from "./kept/KeptResponses.ts"
export { ResponseStore } from "./kept/ResponseStore.ts"
export { Llm } from "./Llm.ts"
export { llmCandidate } from "./LlmCandidate.ts"
export { llmRefusal } from "./LlmChecks.ts"
export { LlmRelays, type RelayedApi, type RelayOf } from "./LlmHttp.ts"
export { readLlmLine } from "./LlmLineHttp.ts"
export type { LlmRequest } from "./LlmRequest.ts"
export { readLlmRequest } from "./LlmRequest.ts"
export { type LlmAnswer, LlmRun, type LlmSink } from "./LlmRun.ts"
export { LlmSettings, standardLlmSettings } from "./LlmSettings.ts"
export { type LlmWork, llmFailures, llmWork } from "./LlmWork.ts"
export { type KeptItem, outputItems } from "./responses/ResponsesItems.ts"
export { errorEvents } from "./StreamErrors.ts"
export { failureOf, type StreamReader } from "./StreamReader.ts"
export { chatUsage, responsesUsage } from "./tokens/LlmUsage.ts"
export { chatToMessages } from "./translate/chat-to-messages/ChatToMessages.ts"
export { type ChosenTranslation, translationTo } from "./translate/LlmTranslations.ts"
