/**
 * Decides which model answers a request, and turns speech into text at the price of its length.
 *
 * Promises  INFE-1 what may not run is refused before any upstream hears of it, in one documented order, and is not billed.
 *           INFE-2 a request is billed for the audio that its data holds, whatever its header, its format or its answer says.
 *           INFE-3 nothing of an upstream's body, headers, address or key is ever in an answer or an event.
 *           INFE-4 one Idempotency-Key runs and bills once, also in flight, across processes, after a crash and after a stall.
 *           INFE-5 whatever ends a request early, its place and its hold are given back, and what an upstream did is billed.
 *           INFE-6 no model silently stands in for another.
 * Needs     Upstreams, AudioLength, IdempotencyStore, Metering, KeyLimits, UsageLog.  Tells  nothing by itself.
 * Not here  prices, plans and limits (billing); what upstreams speak (packages/providers).
 * Read      ModelCatalogue.ts and InferenceErrors.ts, then Speech.ts. Source: docs/gateway.md, docs/models.md.
 */
export * as Admission from "./Admission.ts"
export { AudioLength, AudioRefused, type FrameReader, type Measured } from "./AudioLength.ts"
export type { PriceSettings } from "./CatalogueFile.ts"
export { type ChatAsked, ChatModel, ChatReason, ChatRefused } from "./ChatModel.ts"
export { ChunkBytes } from "./ChunkBytes.ts"
export { fingerprintOf, Idempotency, type Keep, type KeptAnswer, keptJson, type Once, type Ran } from "./Idempotency.ts"
export { IdempotencyStore, type KeyedRun } from "./IdempotencyStore.ts"
export {
  type ErrorType,
  errorTypes,
  type FieldFault,
  type InferenceCode,
  InferenceRefused,
  inferenceCodes,
  isVainToRetry,
  refuse,
  refuseFields,
  retryAfterOf,
  storageUnavailable,
  typeOf
} from "./InferenceErrors.ts"
export * as Models from "./Model.ts"
export { modelAccess, type PlanAccess } from "./ModelAccess.ts"
export { CatalogueRefused, type CatalogueSettings, catalogueFaults, ModelCatalogue } from "./ModelCatalogue.ts"
export { freeBytes } from "./OwnBytes.ts"
export * as Routing from "./Routing.ts"
export { routeFaults } from "./Routing.ts"
export { Speech, type SpeechAsked, type SpeechCaller, type SpeechResult } from "./Speech.ts"
export {
  type Audio,
  type ChatAnswer,
  type ChatImage,
  type ChatMessage,
  type ChatTool,
  type ChatWork,
  type Mode,
  type Segment,
  type SpeechAnswer,
  type SpeechWork,
  type ToolCall,
  type Upstream,
  UpstreamFailed,
  Upstreams,
  type UpstreamWhy
} from "./Upstream.ts"
