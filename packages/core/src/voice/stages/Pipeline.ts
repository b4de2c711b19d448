/** Service: the stages of a conversation, each a metered request to a model. Source: docs/reference/voice-agent.md#pipeline. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { ChatMessage, ChatTool, ToolCall } from "../../gateway/upstreams/index.ts"
import type { Payer } from "../../platform/billing/index.ts"
import type { ListenModel, ModelChoices, SpeakModel, ThinkModel } from "../agent/index.ts"
import type * as Ids from "../VoiceIds.ts"

/**
 * A stage has no result.
 *
 * - `failed`      the upstream failed, took too long or said nothing usable, and so did the fallbacks
 * - `credits`     the balance does not cover the request
 * - `budget`      the key's budget, its expiry or revocation, the monthly budget or the plan
 * - `unavailable` no upstream runs the model, or it is out of service
 *
 * `detail` is for the operator's log and holds no secret.
 */
export class StageFailed extends Schema.TaggedError<StageFailed>()("StageFailed", {
  reason: Schema.Literals(["failed", "credits", "budget", "unavailable"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/**
 * What a client is warned of: a request of a stage failed. After one of thinking or speaking a fallback is asked; after one of
 * listening, too, or the words of the caller are lost.
 */
export type StageWarning = "LISTEN_REQUEST_FAILED" | "THINK_REQUEST_FAILED" | "SPEAK_REQUEST_FAILED"

/** Listening, thinking or speaking. */
export type Stage = "listen" | "think" | "speak"

export interface PipelineOptions {
  readonly sessionId: Ids.VoiceSessionId
  readonly payer: Payer
  readonly listen: ListenModel
  readonly onWarning: (warning: StageWarning) => void
}

export interface Transcript {
  /** Empty where there are no words. */
  readonly text: string
  readonly model: string
}

/** One utterance while it is spoken. Its sound is 16-bit mono at 16 kHz. */
export interface Utterance {
  readonly add: (samples: Int16Array) => void
  /** The utterance is over: its transcript, billed by started seconds. Interrupting it ends the request upstream. */
  readonly end: Effect.Effect<Transcript, StageFailed>
  /** It was no speech: nothing is transcribed or billed that has not been sent. */
  readonly drop: () => void
}

export interface ThinkRequest {
  readonly turnId: Ids.TurnId
  readonly choices: ModelChoices<ThinkModel>
  /** The system's message first. */
  readonly messages: ReadonlyArray<ChatMessage>
  readonly tools: ReadonlyArray<ChatTool>
  /** Text to be spoken, as the model writes it. Called synchronously, in order. */
  readonly onText: (text: string) => void
  /** Thoughts that the model gives; never spoken. */
  readonly onThought: (text: string) => void
}

export interface Thought {
  /** All that was given to `onText`. */
  readonly text: string
  readonly toolCalls: ReadonlyArray<ToolCall>
  readonly model: string
  /** True where the answer broke off after some of its text had come. */
  readonly isBroken: boolean
}

export interface SpeechRequest {
  readonly turnId: Ids.TurnId
  readonly choices: ModelChoices<SpeakModel>
  /** Without Markdown and other signs that are not spoken. */
  readonly text: string
  readonly language: string
  /** A sentence that is always the same: its sound is kept for the account, and costs nothing again. */
  readonly isFixed: boolean
  /** Sound of 16-bit mono at 24 kHz, as it comes; whole samples. Called synchronously, in order. */
  readonly onSound: (samples: Int16Array) => void
}

/** The stages of one session. */
export interface SessionPipeline {
  /** True where the listening model itself decides when a turn ends: `onTurnEnded` says so. */
  readonly decidesTurns: boolean
  /** An utterance begins. `onTurnEnded` is called where the listening model decides that the turn is over. */
  readonly listen: (turnId: Ids.TurnId, onTurnEnded: () => void) => Utterance
  /**
   * Thinks. Asks the choices in their order until one has given text or a call; one that fails is passed over for 30 seconds.
   * An answer without text and calls has failed. Interrupting it ends the request upstream within 200 ms; what was used is billed.
   */
  readonly think: (request: ThinkRequest) => Effect.Effect<Thought, StageFailed>
  /** Speaks a text, with the same rules. Succeeds with the model once all of its sound has come; null for a kept sound. */
  readonly speak: (request: SpeechRequest) => Effect.Effect<string | null, StageFailed>
  /** The listening model from the next utterance on. */
  readonly setListening: (listen: ListenModel) => void
}

export class VoicePipeline extends Context.Service<
  VoicePipeline,
  {
    /** The stages of a session. The scope's end interrupts what runs, closes the connections, and comes once every request has its bill. */
    readonly open: (options: PipelineOptions) => Effect.Effect<SessionPipeline, never, Scope.Scope>
    /** Why a model cannot serve a stage at the moment, in a sentence for the client; null where it can. */
    readonly problem: (stage: Stage, model: string) => string | null
  }
>()("@trunkline/core/voice/stages/VoicePipeline") {}
