/** The fields of a speech request, and what of them a model does. Pure. Source: docs/reference/gateway.md#parameters. */
import * as Result from "effect/Result"
import { isLonger } from "../../platform/kernel/index.ts"
import { type FeatureName, featureNames, type Model } from "../catalogue/Model.ts"
import type { FieldFault } from "../errors/InferenceErrors.ts"
import { type Mode, modes, type SpeechWork } from "../upstreams/SpeechWork.ts"

export type SpeechRoute = "transcriptions" | "translations"

export const formats = ["json", "text", "verbose_json", "diarized_json"] as const
export type SpeechFormat = (typeof formats)[number]

/** Fields in the order in which they came; a repeated one stands as often as it was sent. */
export type FormFields = ReadonlyArray<readonly [name: string, value: string]>

export interface SpeechRequest {
  readonly route: SpeechRoute
  /** Null for the default. */
  readonly model: string | null
  /** As it was sent; null for none. */
  readonly language: string | null
  readonly mode: Mode
  readonly format: SpeechFormat
  /** Whether the answer is a stream of events. */
  readonly stream: boolean
  readonly features: ReadonlyArray<readonly [name: FeatureName, value: string]>
  /** A requested option that no model here can serve; null for none. */
  readonly unserved: UnservedOption | null
}

/**
 * Options of the public API that no model here can serve, each with the values that are accepted because they change
 * nothing. An answer that ignored the others would look complete. Source: docs/reference/gateway.md#options.
 */
const servedValues = {
  timestamp_granularities: ["segment"],
  include: [],
  chunking_strategy: ["auto"],
  known_speaker_names: [],
  known_speaker_references: []
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>
export type UnservedOption = keyof typeof servedValues

// `entries` forgets which names there are.
const servedEntries = Object.entries(servedValues) as ReadonlyArray<
  readonly [name: UnservedOption, values: ReadonlyArray<string>]
>

type Reading = (value: string) => ReadonlyArray<string> | string

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

const between =
  (min: number, max: number): Reading =>
  (value) => {
    const text = value.trim()
    const found = number.test(text) ? Number(text) : Number.NaN
    return found >= min && found <= max ? [String(found)] : `Expected a number from ${min} to ${max}`
  }

const boolean: Reading = (value) => {
  const word = value.trim().toLowerCase()
  if (word === "true" || word === "1") return ["true"]
  // Off is the default of every upstream.
  return word === "false" || word === "0" ? [] : "Expected true or false"
}

const maxTextLength = 1000

const text: Reading = (value) => {
  const trimmed = value.trim()
  if (trimmed === "") return []
  return !isLonger(trimmed, maxTextLength) ? [trimmed] : `Expected at most ${maxTextLength} characters`
}

/** `true`, or a code that narrows the search. */
const languages: Reading = (value) => (/^\s*(?:true|false|1|0)\s*$/i.test(value) ? boolean(value) : text(value))

const readings: Readonly<Record<FeatureName, Reading>> = {
  diarize: boolean,
  utterances: boolean,
  utt_split: between(0, 10),
  paragraphs: boolean,
  numerals: boolean,
  measurements: boolean,
  dictation: boolean,
  profanity_filter: boolean,
  filler_words: boolean,
  multichannel: boolean,
  detect_entities: boolean,
  detect_language: languages,
  redact: text,
  keyterm: text,
  keywords: text,
  search: text,
  replace: text
}

const repeatable: ReadonlySet<FeatureName> = new Set([
  "detect_language",
  "redact",
  "keyterm",
  "keywords",
  "search",
  "replace"
])

/** Maximum number of values of a repeatable field. */
const maxRepeats = 100

/** Removes the brackets with which client libraries write the name of a list or of an object's field. */
const withoutBrackets = ([name, value]: FormFields[number]) => [name.replace(/\[[^[\]]*\]$/, ""), value] as const

/** Reads the fields of a form and reports every fault at once. Fields that the route does not have are ignored. */
export const readRequest = (route: SpeechRoute, fields: FormFields): Result.Result<SpeechRequest, Faults> => {
  const given = new Map<string, Array<string>>()
  for (const [name, value] of fields.map(withoutBrackets)) {
    const values = given.get(name)
    if (values === undefined) given.set(name, [value])
    else values.push(value)
  }
  /** The last value; an empty one counts as none. */
  const last = (name: string): string | null => given.get(name)?.at(-1)?.trim() || null
  const faults: Array<FieldFault> = []
  const read = (field: string, reading: Reading): ReadonlyArray<string> => {
    const values = given.get(field) ?? []
    const counted = repeatable.has(field as FeatureName) ? values : values.slice(-1)
    const readings = counted.map(reading)
    const message =
      values.length > maxRepeats
        ? `Expected at most ${maxRepeats} of them`
        : readings.find((one) => typeof one === "string")
    if (message !== undefined) faults.push({ field, message })
    return readings.flatMap((one) => (typeof one === "string" ? [] : one))
  }
  read("temperature", between(0, 2))
  const isTranscription = route === "transcriptions"
  const mode = isTranscription ? read("mode", modeOf)[0] : undefined
  const features = isTranscription
    ? featureNames.flatMap((name) => read(name, readings[name]).map((value) => [name, value] as const))
    : []
  const stream = isTranscription && read("stream", boolean).length > 0
  const unserved = servedEntries.find(([name, values]) =>
    (given.get(name) ?? []).some((value) => value.trim() !== "" && !values.includes(value.trim()))
  )
  if (faults.length > 0) return Result.fail(faults)
  return Result.succeed({
    route,
    model: last("model"),
    language: isTranscription ? last("language") : null,
    // A name that is no mode was a fault.
    mode: (mode as Mode | undefined) ?? "transcribe",
    format: formats.find((format) => format === last("response_format")) ?? "json",
    stream,
    features,
    // The public API has none of them on translations, where unknown fields are ignored.
    unserved: isTranscription ? (unserved?.[0] ?? null) : null
  })
}

export type Faults = ReadonlyArray<FieldFault>

const modeOf: Reading = (value) =>
  (modes as ReadonlyArray<string>).includes(value) ? [value] : `Expected one of ${modes.join(", ")}`

/** What a model is asked to do. `language` is what its upstream receives. */
export type SpeechTask = Pick<SpeechWork, "task" | "language" | "mode" | "features" | "diarize"> & {
  /** The language in the answer: the one that was sent, or `unknown`. */
  readonly reportedLanguage: string
  /** The task in the answer. */
  readonly reportedTask: "transcribe" | "translate"
}

const unknown = "unknown"

/** What of a request a model does. Modes that it lacks and features that it does not honour are ignored. */
export const taskOf = (request: SpeechRequest, model: Model): SpeechTask => {
  const { format, route } = request
  const modeIfAny = (mode: Mode) => (model.modes.includes(mode) ? mode : model.modes.length > 0 ? "transcribe" : null)
  if (route === "translations") {
    return {
      task: model.translates ? "translate" : "transcribe",
      language: null,
      mode: model.translates ? modeIfAny("translate") : modeIfAny("transcribe"),
      features: [],
      diarize: false,
      reportedLanguage: "en",
      reportedTask: "translate"
    }
  }
  const mode = modeIfAny(request.mode)
  const language = languageOf(request.language, model)
  return {
    task: "transcribe",
    language,
    mode,
    features: request.features.filter(([name]) => model.features.includes(name) && suits(name, language)),
    diarize: model.diarizes && (format === "verbose_json" || format === "diarized_json"),
    // The answer repeats the code as it was sent: `hi` stays `hi`.
    reportedLanguage: language === null ? unknown : (request.language ?? unknown),
    reportedTask: mode === "translate" ? "translate" : "transcribe"
  }
}

/**
 * A model whose `language_matching` is `locale` gets one of its locales, by the tag or by a bare language code, and detects
 * any other language; other models get what was sent. Source: docs/reference/models.md#languages.
 */
const languageOf = (sent: string | null, { dialects, languageMatching }: Model): string | null => {
  if (sent === null || languageMatching === "as_sent") return sent
  const tag = sent.toLowerCase()
  const wanted = (dialect: string) => dialect === tag || (!tag.includes("-") && dialect.startsWith(`${tag}-`))
  return dialects.find((dialect) => wanted(dialect.toLowerCase())) ?? null
}

const englishOnly: ReadonlySet<FeatureName> = new Set(["measurements", "dictation", "detect_entities"])

const suits = (feature: FeatureName, language: string | null): boolean =>
  !englishOnly.has(feature) || language === null || /^(?:en(?:-|$)|multi$)/i.test(language)

/** The maximum size of a file, unless its model has a lower one: 25 MiB. */
export const maxUploadBytes = 25 * 1024 * 1024
