/**
 * Decides which model answers a request, runs it under a reservation and charges what it used.
 *
 * Promises  INFE-1 what may not run is refused before any upstream is asked, in one documented order, and is not billed.
 *           INFE-2 a request is billed for the audio that its data holds, whatever its header, its format or its answer says.
 *           INFE-3 nothing of an upstream's body, headers, address or key is ever in an answer or an event.
 *           INFE-4 one Idempotency-Key runs and bills once, also in flight, across processes, after a crash and after a stall.
 *           INFE-5 whatever ends a request early, its slot and its reservation are released, and an upstream's answer is billed.
 *           INFE-6 no model stands in for another but where the operator's routes say so.
 * Needs     Upstreams, AudioLength, Idempotency, Metering, KeyLimits, UsageLog.  Emits  nothing by itself.
 * Not here  prices, plans and limits (billing); what upstreams speak (packages/providers), keys of requests (idempotency).
 * Read      ModelCatalogue.ts and InferenceErrors.ts, then MeteredRun.ts, InferenceRoutes.ts and Speech.ts. Source: docs/gateway.md, docs/models.md.
 */

export { movingRefusal } from "./AccountRefusals.ts"
export * as Admission from "./Admission.ts"
export { AnswerOutlet } from "./AnswerOutlet.ts"
export { containerOf } from "./AudioContainer.ts"
export { AudioLength, AudioRefused, type FrameReader, type Measured } from "./AudioLength.ts"
export { boundedReads } from "./BoundedReads.ts"
export type { PriceSettings } from "./CatalogueFile.ts"
export { ChatModel, ChatReason, ChatRefused, type ChatRequest } from "./ChatModel.ts"
export type { ChatAnswer, ChatImage, ChatMessage, ChatTool, ChatWork, ToolCall } from "./ChatWork.ts"
export { ChunkBytes } from "./ChunkBytes.ts"
export type { BreakerSettings } from "./CircuitBreaker.ts"
export { CircuitBreakers } from "./CircuitBreakers.ts"
export { DirectRequests } from "./DirectRequests.ts"
export type { EmbedAnswer, EmbedWork, Vector } from "./EmbeddingWork.ts"
export type { GenerateAnswer, GenerateWork, Json, LlmApi, LlmEvent } from "./GenerateWork.ts"
export type { ImageAnswer, ImageWork } from "./ImageWork.ts"
export {
  answerInference,
  InferenceBadRequest,
  InferenceConflict,
  InferenceNotFound,
  inferenceErrors,
  MessagesRefused,
  refuseForStorage,
  refuseWith
} from "./InferenceAnswers.ts"
export { CurrentCaller, InferenceAuth, SignedInAccess } from "./InferenceAuth.ts"
export { inferenceEnvelope, messagesEnvelope } from "./InferenceEnvelope.ts"
export {
  attemptsHeader,
  codeless,
  type ErrorType,
  errorBodyOf,
  errorTypes,
  type FieldFault,
  type InferenceCode,
  InferenceRefused,
  inferenceCodes,
  refuse,
  refuseFields,
  refuseState,
  retryAfterOf,
  storageUnavailable,
  typeOf
} from "./InferenceErrors.ts"
export { bodyReaderOf, InferenceRequestErrors } from "./InferenceFaults.ts"
export { contractPath, isInference } from "./InferencePath.ts"
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
export { Room } from "./InferenceRoom.ts"
export {
  type InferenceCaller,
  type InferenceRoute,
  InferenceRoutes,
  type RouteRequest,
  runHeaders
} from "./InferenceRoutes.ts"
export { maxItems, maxParts, promptItems } from "./ItemBounds.ts"
export { bytesRefusal, type JsonRequest, jsonFingerprint, unwritableRefusal, withoutNullFields } from "./JsonRequest.ts"
export { answerJson, type JsonInput, readJsonRequest } from "./JsonRequestHttp.ts"
export { allowanceHeaders, type NotAdmitted } from "./KeyAdmission.ts"
export { type KeyConnection, keyConnections } from "./KeyConnections.ts"
export { listAnswer } from "./ListAnswer.ts"
export type { ListenOptions, LiveSound } from "./ListenWork.ts"
export {
  logFailure as logReleaseFailure,
  MeteredRun,
  type MeteredRunError,
  type RunContext,
  type SpendingError,
  settleRetry
} from "./MeteredRun.ts"
export * as Models from "./Model.ts"
export { modelAccess, type PlanAccess } from "./ModelAccess.ts"
export { type ModelCaller, type ModelProblem, modelProblem } from "./ModelAdmission.ts"
export {
  CatalogueRefused,
  type CatalogueSettings,
  catalogueFaults,
  ModelCatalogue,
  modelsIn
} from "./ModelCatalogue.ts"
export { encodeHeaders, encodeResult } from "./RouteResultHttp.ts"
export * as Routing from "./Routing.ts"
export { type RouteEntry, type RouteFault, routeFaults } from "./Routing.ts"
export { type Answered, type Candidate, NoUpstream, RunFailed } from "./RunAttempt.ts"
export { runAttempts, Turns } from "./RunAttempts.ts"
export { type RouteResult, runOnce } from "./RunOnce.ts"
export { marginMs, runUpstream } from "./RunUpstream.ts"
export {
  type AudioFormat,
  audioFormats,
  type SpeakAnswer,
  type SpeakRequest,
  type SpeakWork
} from "./SpeakWork.ts"
export { Speech, type SpeechInput } from "./Speech.ts"
export { billedSeconds } from "./SpeechBilling.ts"
export { type SpeechTask, taskOf as speechTaskOf } from "./SpeechRequest.ts"
export type { Audio, Mode, Segment, SpeechAnswer, SpeechWork } from "./SpeechWork.ts"
export { streamedAnswer } from "./StreamedAnswerHttp.ts"
export { afterBegun, maxStreamMs, type StreamedRun, StreamedRuns } from "./StreamedRun.ts"
export { argumentsOf, distinctId, wellFormedCall } from "./ToolCalls.ts"
export {
  type Capabilities,
  type Capability,
  type FieldRefusal,
  type ListenConnection,
  type Listening,
  type RoutePlan,
  type Run,
  serviceOf,
  type Upstream,
  UpstreamFailed,
  type UpstreamRoute,
  Upstreams,
  type UpstreamWhy
} from "./Upstream.ts"
export { readWav, type WavFile, type WavFormat } from "./Wav.ts"
