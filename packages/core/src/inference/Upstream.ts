/** Port: whoever really runs a model. Adapters stand in packages/providers. Source: docs/upstreams.md. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A file as it was uploaded, in the parts in which it came. */
export interface Audio {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly size: number
  readonly fileName: string
  readonly contentType: string
  /** True where nobody else has these bytes, and each part is alone in its buffer: what was sent for good may be freed. */
  readonly mayFree: boolean
}

export const modes = ["transcribe", "translate", "verbatim", "translit", "codemix"] as const
export type Mode = (typeof modes)[number]

export interface SpeechWork {
  readonly task: "transcribe" | "translate"
  /** The model as the upstream calls it. */
  readonly model: string
  /** The model as it was asked for. */
  readonly asked: string
  readonly audio: Audio
  /** Null: the upstream finds it out. */
  readonly language: string | null
  /** Null where the model has no modes. */
  readonly mode: Mode | null
  /** Further parameters in the words of the specification, repeated ones as repeats. Empty but for models that have them. */
  readonly features: ReadonlyArray<readonly [name: string, value: string]>
  /** Whether the answer needs speakers. */
  readonly diarize: boolean
}

export interface Segment {
  readonly id: string
  readonly speaker: string
  /** Seconds. */
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface SpeechAnswer {
  readonly text: string
  /** Seconds that the upstream has measured, if it tells; for audio that we could not measure. */
  readonly seconds: number | null
  /** Empty unless speakers were asked for and told. */
  readonly segments: ReadonlyArray<Segment>
}

/** A picture for a model that sees. */
export interface ChatImage {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** What a model wants done; `arguments` is what it wrote, which may be no JSON. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export type ChatMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string; readonly images: ReadonlyArray<ChatImage> }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: ReadonlyArray<ToolCall> }
  | { readonly role: "tool"; readonly callId: string; readonly text: string }

export interface ChatTool {
  readonly name: string
  readonly description: string
  /** A JSON schema of an object. */
  readonly parameters: { readonly [name: string]: unknown }
}

export interface ChatWork {
  /** The model as the upstream calls it. */
  readonly model: string
  /** The model as it was asked for. */
  readonly asked: string
  readonly messages: ReadonlyArray<ChatMessage>
  readonly tools: ReadonlyArray<ChatTool>
  readonly maxOutputTokens: number
}

export interface ChatAnswer {
  /** Empty where it only wants tools. */
  readonly text: string
  readonly toolCalls: ReadonlyArray<ToolCall>
  /** As the upstream counts them; null where it does not tell. Input includes what was cached. */
  readonly tokens: { readonly input: number; readonly cachedInput: number; readonly output: number } | null
}

/**
 * Why an upstream gave nothing, told apart as our own answers need it. `refused_input`: it refuses what it was sent, such as
 * a file that is no audio or a prompt beyond the model's context. `operator`: it refuses our key, our quota or our payment,
 * which is never the caller's fault.
 */
export const UpstreamWhy = Schema.Literals([
  "refused_input",
  "too_large",
  "throttled",
  "timeout",
  "unreachable",
  "failed",
  "unreadable",
  "operator",
  "unsupported"
])
export type UpstreamWhy = typeof UpstreamWhy.Type

/**
 * `detail` is for the operator's log alone, and holds no secret. `advice` is for the caller: it names no vendor and nothing
 * that only an operator can change.
 */
export class UpstreamFailed extends Schema.TaggedError<UpstreamFailed>()("UpstreamFailed", {
  why: UpstreamWhy,
  detail: Schema.String,
  /** Of `throttled`. */
  retryAfterSeconds: Schema.NullOr(Schema.Int),
  advice: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return this.detail
  }
}

export interface Upstream {
  /** Under which it is configured. */
  readonly name: string
  readonly kind: "openai" | "sarvam" | "deepgram" | "embedded"
  /** Null where it does not serve speech. Ends within its own time-out; an interruption ends the request to it. */
  readonly transcribe: ((work: SpeechWork) => Effect.Effect<SpeechAnswer, UpstreamFailed>) | null
  /** Null where it serves no language models. Ends within its own time-out; an interruption ends the request to it. */
  readonly chat: ((work: ChatWork) => Effect.Effect<ChatAnswer, UpstreamFailed>) | null
  /** Said in `X-Service-Served-By` of every answer that comes from it; null for none. */
  readonly servedBy: string | null
  /** Longest that one request takes, in milliseconds. */
  readonly longestMs: number
}

export class Upstreams extends Context.Service<
  Upstreams,
  {
    /** Who runs a model of a service, and under which name there; null when nobody is configured to. */
    readonly route: (
      service: "stt" | "llm",
      model: string
    ) => { readonly upstream: Upstream; readonly model: string } | null
    /** Longest that any of them takes for one request, in milliseconds; 0 where there is none. */
    readonly longestMs: number
  }
>()("@trunkline/core/inference/Upstreams") {}
