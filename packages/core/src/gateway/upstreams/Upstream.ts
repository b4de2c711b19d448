/** Port: a service that runs models. Adapters stand in packages/providers. Source: docs/reference/upstreams.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Service } from "../../platform/billing/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import type { ChatAnswer, ChatWork } from "./ChatWork.ts"
import type { EmbedAnswer, EmbedWork } from "./EmbeddingWork.ts"
import type { GenerateAnswer, GenerateWork, LlmApi, LlmEvent } from "./GenerateWork.ts"
import type { ImageAnswer, ImageWork } from "./ImageWork.ts"
import type { ListenOptions, LiveSound } from "./ListenWork.ts"
import type { AudioFormat, SpeakAnswer, SpeakRequest, SpeakWork } from "./SpeakWork.ts"
import type { SpeechAnswer, SpeechWork } from "./SpeechWork.ts"

/** What upstreams can do, with the work and the answer of each capability. */
export interface Capabilities {
  readonly transcribe: { readonly work: SpeechWork; readonly answer: SpeechAnswer }
  /** For our own agents. */
  readonly chat: { readonly work: ChatWork; readonly answer: ChatAnswer }
  /** For the routes of language models. */
  readonly generate: { readonly work: GenerateWork; readonly answer: GenerateAnswer }
  /** A text as speech. */
  readonly speak: { readonly work: SpeakWork; readonly answer: SpeakAnswer }
  readonly embed: { readonly work: EmbedWork; readonly answer: EmbedAnswer }
  readonly generateImages: { readonly work: ImageWork; readonly answer: ImageAnswer }
}
export type Capability = keyof Capabilities

/** The service under which each capability is priced, counted and logged, and which models have it by category. */
export const serviceOf = {
  transcribe: "stt",
  chat: "llm",
  generate: "llm",
  speak: "tts",
  embed: "embedding",
  generateImages: "image"
} as const satisfies Record<Capability, Service>

/** Capabilities that have a route of `/v1/*`; `chat` runs for our own agents alone. */
const routedCapabilities: ReadonlyArray<Capability> = ["transcribe", "generate", "speak", "embed", "generateImages"]

/** The capability by which a route runs models of a category; null where no route does. */
export const routedCapability = (category: Service): Capability | null =>
  routedCapabilities.find((capability) => serviceOf[capability] === category) ?? null

/**
 * Why an upstream returned no answer, in the classes that our own answers need. `refused_input`: it refuses the input, such as
 * a file that is not audio. `content_policy`: it refuses to work on what the input says. `context_too_long`: it refuses a prompt beyond the model's context. `failed`: a fault of its own.
 * `not_found`: it answers 404, since it lacks the path or the model. `wrong_route`: it refuses for another reason that is not in
 * the request, such as a redirection. `operator`: it refuses our key, our quota
 * or our payment, which is never the caller's fault.
 */
export const UpstreamWhy = Schema.Literals([
  "refused_input",
  "content_policy",
  "context_too_long",
  "too_large",
  "throttled",
  "timeout",
  "unreachable",
  "failed",
  "not_found",
  "wrong_route",
  "unreadable",
  "operator",
  "unsupported"
])
export type UpstreamWhy = typeof UpstreamWhy.Type

/** A field of a request, such as `messages.0.content`: an upstream wrote it. Null where it is left out. */
export const UpstreamParam = Schema.NullOr(Schema.String).pipe(Schema.withConstructorDefault(Effect.succeed(null)))

/**
 * `detail` is for the operator's log alone, and holds no secret. `advice` is for the caller: it names no vendor and nothing
 * that only an operator can change.
 */
export class UpstreamFailed extends Schema.TaggedError<UpstreamFailed>()("UpstreamFailed", {
  why: UpstreamWhy,
  detail: Schema.String,
  /** Of `throttled` and `failed`. */
  retryAfterSeconds: Schema.NullOr(Schema.Int),
  advice: Schema.NullOr(Schema.String),
  /** Of `refused_input`, `content_policy` and `context_too_long`: the field of the request that it is about, where the upstream names one. */
  param: UpstreamParam,
  /** True where the caller has got a part of the answer already: then nothing is tried again. */
  hasBegun: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false)))
}) {
  override get message() {
    return this.detail
  }
}

/** Runs a work to its answer. Ends within the upstream's `maxMs`; an interruption ends the request to it. */
export type Run<C extends Capability> = (
  work: Capabilities[C]["work"]
) => Effect.Effect<Capabilities[C]["answer"], UpstreamFailed>

/**
 * Gets what an upstream answers. One of `ended` and `failed` is called, once, and nothing after it. Nothing is called while the
 * exchange is paused, nor before `openGenerate` or `resume` has returned.
 */
export interface GenerateReceiver {
  /** Of a stream: its events in their order, those together that have come together. False: it takes no more, and `ended` follows. */
  readonly events: (events: ReadonlyArray<LlmEvent>) => boolean
  readonly ended: (answer: GenerateAnswer) => void
  readonly failed: (error: UpstreamFailed) => void
}

/** A request to an upstream whose answer is passed on by callbacks. */
export interface GenerateExchange {
  /** The upstream is read no further until `resume`; what has come waits. The time in which nobody reads does not count against it. */
  readonly pause: () => void
  readonly resume: () => void
  /** Ends the request to the upstream. Nothing is called from then on. */
  readonly cancel: () => void
}

/**
 * Sends a work whose answer is passed on by callbacks. The body is written at once: one of `largeBytes` or more belongs to
 * `generate`, which writes it in pieces. `now`: of the Clock service.
 */
export type OpenGenerate = (
  work: Omit<GenerateWork, "onEvents"> & { readonly isStreamed: boolean },
  receiver: GenerateReceiver,
  now: () => Instant.Instant
) => GenerateExchange

/** One session's connection. It is made with the first utterance, and again after it has broken. */
export interface ListenConnection {
  /**
   * Sends an utterance while it is spoken, and answers once it has ended and its text is there. A second one waits until the first
   * has its answer. A connection that breaks is made again once, and all of the utterance is sent again. An interruption ends the connection.
   */
  readonly hear: (sound: LiveSound) => Effect.Effect<SpeechAnswer, UpstreamFailed>
}

/** How an upstream hears utterances while they are spoken. */
export interface Listening {
  /** Whether a model of this name decides itself when a turn ends. */
  readonly decidesTurns: (model: string) => boolean
  /** The connection of a session, which is closed with the scope. */
  readonly open: (options: ListenOptions) => Effect.Effect<ListenConnection, never, Scope.Scope>
}

/** For the caller: the field that an upstream cannot take, and a sentence that names no vendor. */
export interface FieldRefusal {
  readonly param: string
  readonly message: string
}

export interface Upstream {
  /** Its name in the configuration. */
  readonly name: string
  /** The provider that implements it, such as `openai`. */
  readonly provider: string
  /** A capability that is absent is not served. */
  readonly capabilities: { readonly [C in Capability]?: Run<C> }
  /** The callback form of `generate`. Absent: its requests are run by `generate` alone. */
  readonly openGenerate?: OpenGenerate
  /** The APIs of language models that it speaks, of one that has `generate`; a request is translated to one of them. */
  readonly apis?: ReadonlyArray<LlmApi>
  /** Why it cannot speak the request, of one that has `speak`; null where it can. Absent: it takes every request. */
  readonly speakRefusal?: (request: SpeakRequest) => FieldRefusal | null
  /** Why it cannot embed the request, of one that has `embed`; null where it can. Absent: it takes every request. */
  readonly embedRefusal?: (work: EmbedWork) => FieldRefusal | null
  /** Format of speech for requests that name none; `mp3` where it is absent. */
  readonly speakFormat?: AudioFormat
  /** Of one that has `transcribe`: hears utterances while they are spoken. Absent: it gets each as a whole. */
  readonly listening?: Listening
  /** Why it can run nothing of a capability until the operator has installed something; null where it can. For the log. Absent: it always can. */
  readonly fault?: (capability: Capability) => string | null
  /**
   * Loads what it runs a capability with, and keeps it loaded for as long as the scope is open. Completes once a request finds nothing
   * left to load. Absent: it has nothing to load.
   */
  readonly keepWarm?: (capability: Capability) => Effect.Effect<void, UpstreamFailed, Scope.Scope>
  /**
   * By capability: models that it runs under their own ids, without a route, beside others in whose place it stands.
   */
  readonly namedModels?: { readonly [C in Capability]?: ReadonlyArray<string> }
  /**
   * By capability: the only models that it runs, each of them without a route, where `*` does not take it. `X-Service-Served-By` names
   * the one that has answered.
   */
  readonly ownModels?: { readonly [C in Capability]?: ReadonlyArray<string> }
  /** Value of `X-Service-Served-By` in every answer that comes from it; null for none. */
  readonly servedBy: string | null
  /** Maximum duration of one request that is not streamed, in milliseconds. */
  readonly maxMs: number
}

/** Who runs a model, and under which name there. */
export interface UpstreamRoute<C extends Capability> {
  readonly upstream: Upstream
  readonly model: string
  readonly run: Run<C>
}

/** Who may run a model. Source: docs/reference/upstreams.md#fallbacks. */
export interface RoutePlan<C extends Capability> {
  /** In the order in which they are asked. */
  readonly entries: readonly [UpstreamRoute<C>, ...ReadonlyArray<UpstreamRoute<C>>]
  /** How often an entry is asked again before the next one is. */
  readonly retries: number
}

export class Upstreams extends Context.Service<
  Upstreams,
  {
    /** The route of a model for a capability; null when no upstream is configured to run it. */
    readonly route: <C extends Capability>(capability: C, model: string) => RoutePlan<C> | null
    /** The model on this machine for a capability to which no route leads; null where one does, or there is no such model. */
    readonly standIn: (capability: Capability) => string | null
    /** Every upstream to which a route of the capability leads; without any the one on this machine. */
    readonly serving: (capability: Capability) => ReadonlyArray<Upstream>
  }
>()("@trunkline/core/gateway/upstreams/Upstreams") {}
