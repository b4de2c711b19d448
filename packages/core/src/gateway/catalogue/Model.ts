/** A model of the catalogue, and who may call it. Pure. Source: docs/reference/models.md#catalogue. */
import * as Schema from "effect/Schema"
import type { Scopes } from "../../platform/accounts/index.ts"
import type { Plan, Prices } from "../../platform/billing/index.ts"
import type { Mode } from "../upstreams/SpeechWork.ts"
import { type Capability, routedCapability } from "../upstreams/Upstream.ts"

export const ModelCategory = Schema.Literals(["llm", "stt", "tts", "image", "embedding"])
export type ModelCategory = typeof ModelCategory.Type

/** `maintenance` and `retired` are known by their id and run nothing. Source: docs/reference/models.md#status. */
export const ModelStatus = Schema.Literals(["active", "maintenance", "retired"])
export type ModelStatus = typeof ModelStatus.Type

/** Source: docs/reference/models.md#languages. */
export const LanguageMatching = Schema.Literals(["as_sent", "locale"])
export type LanguageMatching = typeof LanguageMatching.Type

/** Further transcription parameters, in the words of the form. Source: docs/reference/models.md#features. */
export const featureNames = [
  "diarize",
  "utterances",
  "utt_split",
  "paragraphs",
  "numerals",
  "measurements",
  "dictation",
  "profanity_filter",
  "filler_words",
  "multichannel",
  "detect_entities",
  "detect_language",
  "redact",
  "keyterm",
  "keywords",
  "search",
  "replace"
] as const
export type FeatureName = (typeof featureNames)[number]

export interface Model {
  readonly id: string
  readonly category: ModelCategory
  /** Plans whose accounts may call it. */
  readonly tiers: ReadonlyArray<Plan>
  /** Its own, else its category's default. */
  readonly price: Prices.Price
  /** Where its own price is published; null for a default. */
  readonly source: string | null
  /** Of one request; null where the model sets none. */
  readonly limits: {
    /** Of audio. */
    readonly seconds: number | null
    /** Of a file, and of the whole request where there is none. */
    readonly bytes: number | null
    /** Texts at a time. */
    readonly inputs: number | null
    /** Unicode code points of a text that is spoken; every speech synthesis model has one. */
    readonly characters: number | null
    /** Size of a vector, of embedding models. */
    readonly dimensions: number | null
    /** Tokens of input and output together; every language model has one. */
    readonly contextWindow: number | null
    /** Every language model has one. */
    readonly maxOutputTokens: number | null
  }
  /** Only for voice sessions: a request with a file is refused. */
  readonly streamingOnly: boolean
  /** The model that the refusal of a file recommends. */
  readonly alternative: string | null
  /** Empty where the model ignores the mode. */
  readonly modes: ReadonlyArray<Mode>
  /** Into English, on the translation route. */
  readonly translates: boolean
  /** Returns speakers, in segments. */
  readonly diarizes: boolean
  /** Language codes that it takes; empty where none are published. */
  readonly dialects: ReadonlyArray<string>
  /** `locale`: it takes only its `dialects`, and detects any other language. `as_sent`: it takes any text. */
  readonly languageMatching: LanguageMatching
  /** What a voice session passes to it in place of a language that it lacks; null where it takes any text. */
  readonly fallbackLanguage: string | null
  /** Those that it honours. */
  readonly features: ReadonlyArray<FeatureName>
  /** Whether a voice session may use it. */
  readonly voice: boolean
  /** Whether its prompts may hold images. */
  readonly vision: boolean
  /** False for one that can be called and is shown in no list. */
  readonly listed: boolean
  readonly status: ModelStatus
  /** What replaces one that is retired. */
  readonly successor: string | null
}

/** Whether accounts of a plan may call a model. Its status is another question. */
export const mayCall = (model: Model, plan: Plan): boolean => model.tiers.includes(plan)

/** Whether voice sessions alone use the model: a language model of theirs takes no other requests. */
const isForSessions = ({ category, streamingOnly, voice }: Model): boolean =>
  streamingOnly || (category === "llm" && voice)

/**
 * Whether this installation answers a request that names the model. A file needs an upstream; a voice session needs none,
 * because the host's media layer runs the model. Source: docs/reference/models.md#available.
 */
export const isConfigured = (model: Model, hasUpstream: (capability: Capability) => boolean): boolean => {
  if (model.status !== "active") return false
  const capability = isForSessions(model) ? null : routedCapability(model.category)
  return capability === null ? model.voice : hasUpstream(capability)
}

/** The permission that a key needs for the model. */
export const permissionFor = (model: Model): Scopes.Permission =>
  isForSessions(model) || model.category === "embedding" ? "llm" : model.category

/** Whether lists show a model: a retired one is gone from them, one under maintenance is not. */
export const isListed = (model: Model): boolean => model.listed && model.status !== "retired"
