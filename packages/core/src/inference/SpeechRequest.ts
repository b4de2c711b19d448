/** What the fields of a speech request say, and what of it a model does. Pure. Source: docs/gateway.md#parameters. */
import * as Result from "effect/Result"
import { isLonger } from "../kernel/index.ts"
import type { FieldFault } from "./InferenceErrors.ts"
import { type FeatureName, featureNames, type Model } from "./Model.ts"
import { type Mode, modes, type SpeechWork } from "./Upstream.ts"

export type SpeechRoute = "transcriptions" | "translations"

export const formats = ["json", "text", "verbose_json", "diarized_json"] as const
export type SpeechFormat = (typeof formats)[number]

/** Fields in the order in which they came; a repeated one stands as often as it was sent. */
export type FormFields = ReadonlyArray<readonly [name: string, value: string]>

export interface SpeechRequest {
  readonly route: SpeechRoute
  readonly model: string
  /** As it was sent; null for none. */
  readonly language: string | null
  readonly mode: Mode
  readonly format: SpeechFormat
  /** Whether the answer is a stream of events. */
  readonly stream: boolean
  readonly features: ReadonlyArray<readonly [name: FeatureName, value: string]>
  /** An option that no model here can serve; null for none. */
  readonly unserved: UnservedOption | null
}

/**
 * Options of the public API that no model here can serve, each with the values that are accepted because they change
 * nothing. An answer that ignored the others would look complete. Source: docs/gateway.md#options.
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

export const standardModel = "saaras:v3"

type Reading = (value: string) => ReadonlyArray<string> | string

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const between =
  (least: number, most: number): Reading =>
  (value) => {
    const text = value.trim()
    const found = number.test(text) ? Number(text) : Number.NaN
    return found >= least && found <= most ? [String(found)] : `Expected a number from ${least} to ${most}`
  }

const boolean: Reading = (value) => {
  const word = value.trim().toLowerCase()
  if (word === "true" || word === "1") return ["true"]
  // What is off is what an upstream does without being told.
  return word === "false" || word === "0" ? [] : "Expected true or false"
}

const longest = 1000

const text: Reading = (value) => {
  const said = value.trim()
  if (said === "") return []
  return !isLonger(said, longest) ? [said] : `Expected at most ${longest} characters`
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

/** How often a field may be repeated. */
const mostRepeats = 100

/** Client libraries write the name of a list, and of an object's field, with brackets. */
const named = ([name, value]: FormFields[number]) => [name.replace(/\[[^\]]*\]$/, ""), value] as const

/** Reads the form. Every fault is told at once; fields that a route does not have are passed over, faults and all. */
export const readRequest = (route: SpeechRoute, fields: FormFields): Result.Result<SpeechRequest, Faults> => {
  const given = new Map<string, Array<string>>()
  for (const [name, value] of fields.map(named)) {
    const values = given.get(name)
    if (values === undefined) given.set(name, [value])
    else values.push(value)
  }
  /** The last one counts, and an empty one counts as none. */
  const last = (name: string): string | null => given.get(name)?.at(-1)?.trim() || null
  const faults: Array<FieldFault> = []
  const read = (field: string, reading: Reading): ReadonlyArray<string> => {
    const values = given.get(field) ?? []
    const counted = repeatable.has(field as FeatureName) ? values : values.slice(-1)
    const told = counted.map(reading)
    const message =
      values.length > mostRepeats
        ? `Expected at most ${mostRepeats} of them`
        : told.find((one) => typeof one === "string")
    if (message !== undefined) faults.push({ field, message })
    return told.flatMap((one) => (typeof one === "string" ? [] : one))
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
    model: last("model") ?? standardModel,
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

/** What a model is asked to do. `language` is what it is told. */
export type SpeechTask = Pick<SpeechWork, "task" | "language" | "mode" | "features" | "diarize"> & {
  /** What the answer says: the language that was sent, or that the model finds out. */
  readonly languageTold: string
  /** The answer's own word for what was done. */
  readonly taskTold: "transcribe" | "translate"
}

const unknown = "unknown"

/** What of a request a model does. Modes that it lacks and features that it does not honour are passed over. */
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
      languageTold: "en",
      taskTold: "translate"
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
    // The code itself is told as it was sent: `hi` stays `hi`.
    languageTold: language === null ? unknown : (request.language ?? unknown),
    taskTold: mode === "translate" ? "translate" : "transcribe"
  }
}

/** Saaras takes locales, and finds out for itself what it is not told in one of them; other models get what was sent. */
const languageOf = (sent: string | null, { dialects, id }: Model): string | null => {
  if (sent === null || !id.startsWith("saaras:")) return sent
  const wanted = (sent.includes("-") ? sent : `${sent}-IN`).toLowerCase()
  return dialects.find((dialect) => dialect.toLowerCase() === wanted) ?? null
}

const englishOnly: ReadonlySet<FeatureName> = new Set(["measurements", "dictation", "detect_entities"])

const suits = (feature: FeatureName, language: string | null): boolean =>
  !englishOnly.has(feature) || language === null || /^(?:en(?:-|$)|multi$)/i.test(language)

/** A file may have so many bytes, unless its model takes fewer: 25 MiB. */
export const mostBytes = 25 * 1024 * 1024
