/**
 * Is the port to the servers that run models: it says what each kind of work asks of one, and what it answers.
 *
 * Needs     nothing.                             Emits  nothing.
 * Not here  what upstreams speak: packages/providers. Which of them runs a request: gateway/run.
 * Read      Upstream.ts, then GenerateWork.ts and SpeechWork.ts. Source: docs/reference/gateway.md.
 */
export { boundedReads } from "./BoundedReads.ts"
export type { ChatAnswer, ChatImage, ChatMessage, ChatTool, ChatWork, ToolCall } from "./ChatWork.ts"
export { ChunkBytes } from "./ChunkBytes.ts"
export { type EmbedAnswer, type EmbedWork, numbersOf, type Vector, type WrittenVector } from "./EmbeddingWork.ts"
export type { GenerateAnswer, GenerateWork, Json, LlmApi, LlmEvent } from "./GenerateWork.ts"
export type { ImageAnswer, ImageWork } from "./ImageWork.ts"
export type { ListenOptions, LiveSound } from "./ListenWork.ts"
export { type AudioFormat, audioFormats, type SpeakAnswer, type SpeakRequest, type SpeakWork } from "./SpeakWork.ts"
export type { Audio, Mode, Segment, SpeechAnswer, SpeechWork } from "./SpeechWork.ts"
export { argumentsOf, distinctId, wellFormedCall } from "./ToolCalls.ts"
export {
  type Capabilities,
  type Capability,
  type FieldRefusal,
  type GenerateExchange,
  type GenerateReceiver,
  type ListenConnection,
  type Listening,
  type OpenGenerate,
  type RoutePlan,
  type Run,
  serviceOf,
  type Upstream,
  UpstreamFailed,
  type UpstreamRoute,
  Upstreams,
  type UpstreamWhy
} from "./Upstream.ts"
