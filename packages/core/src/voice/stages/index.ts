/**
 * Decides how a conversation's stages are asked: listening, thinking and speaking, each a metered request to a model.
 *
 * Promises  PIPE-1 one request of a stage is one row of the usage log, with the session's id and the turn's.
 *           PIPE-2 a stage that takes longer than its time, fails or says nothing is asked of the fallbacks, and then has failed.
 *           PIPE-3 nothing waits for a whole: text and sound are passed on as they come.
 *           PIPE-4 a stage that is interrupted is ended upstream within 200 ms; what it has used is billed.
 *           PIPE-5 a fixed sentence is spoken by a model once, and costs nothing again.
 *           PIPE-6 nothing of an upstream's words, address or key is in what a stage returns.
 * Needs     MeteredRun, ModelCatalogue, Upstreams, Authentication.    Emits  nothing.
 * Not here  turns (voice/turns), who may connect (voice/sessions), what upstreams speak (packages/providers).
 * Read      Pipeline.ts, then StageRuns.ts and ModelFallbacks.ts, then ListenStage.ts, ThinkStage.ts and SpeakStage.ts. Source: docs/reference/voice-agent.md#pipeline.
 */
export {
  type PipelineOptions,
  type SessionPipeline,
  type SpeechRequest,
  type Stage,
  StageFailed,
  type StageWarning,
  type ThinkRequest,
  type Thought,
  type Transcript,
  type Utterance,
  VoicePipeline
} from "./Pipeline.ts"
export { standardVoicePipelineSettings, VoicePipelineSettings } from "./PipelineSettings.ts"
