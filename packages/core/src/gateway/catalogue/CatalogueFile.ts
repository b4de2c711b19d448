/** The file that lists models: its format, and everything that can be wrong with one. Pure. Source: docs/reference/models.md#file. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { Plan, Prices, type Service } from "../../platform/billing/index.ts"
import { modes } from "../upstreams/SpeechWork.ts"
import { featureNames, LanguageMatching, type Model, ModelCategory, ModelStatus } from "./Model.ts"
import shipped from "./models.json" with { type: "json" }

const optional = Schema.optionalKey
const flag = optional(Schema.Boolean)
const max = optional(Schema.Int.check(Schema.isGreaterThan(0)))
const id = Schema.String.check(Schema.isPattern(/^\S+$/, { message: "Expected an id without white space" }))

/** A list, or the id of the model that has the same one. */
const shared = <S extends Schema.Top>(of: S) => optional(Schema.Union([Schema.Array(of), id]))

const Entry = Schema.Struct({
  id,
  category: ModelCategory,
  tiers: optional(Schema.Array(Plan)),
  price: optional(Prices.PriceFile),
  source: optional(Schema.String),
  limits: optional(
    Schema.Struct({
      seconds: max,
      bytes: max,
      inputs: max,
      characters: max,
      dimensions: max,
      context_window: max,
      max_output_tokens: max
    })
  ),
  limits_source: optional(Schema.String),
  streaming_only: flag,
  alternative: optional(id),
  modes: optional(Schema.Array(Schema.Literals(modes))),
  translates: flag,
  diarizes: flag,
  dialects: shared(Schema.NonEmptyString),
  language_matching: optional(LanguageMatching),
  fallback_language: optional(Schema.NonEmptyString),
  features: shared(Schema.Literals(featureNames)),
  voice: flag,
  vision: flag,
  listed: flag,
  status: optional(ModelStatus),
  successor: optional(id)
})
type Entry = typeof Entry.Type

/** The models of requests that name none. */
const DefaultModels = Schema.Struct({ stt: id, llm: id })
export type DefaultModels = typeof DefaultModels.Type

/** Entries are read one by one, so that a fault in one does not hide a fault in another. */
const File = Schema.Struct({
  replace: flag,
  default_models: optional(Schema.Struct({ stt: optional(id), llm: optional(id) })),
  models: Schema.Array(Schema.Unknown)
})

/** Prices of models that have none of their own, by service. */
type DefaultPrices = Readonly<Record<Service, Prices.Price>>

export interface PriceSettings {
  readonly defaults?: Readonly<Partial<Record<Service, Prices.FilePrice>>>
}

const shippedDefaults: Readonly<Record<Service, Prices.FilePrice>> = {
  llm: { input_usd_per_million_tokens: 1, output_usd_per_million_tokens: 4 },
  stt: { usd_per_hour: 0.5 },
  tts: { usd_per_10k_characters: 0.4 },
  image: { usd_per_image: 0.1 },
  embedding: { input_usd_per_million_tokens: 0.1 },
  search: { credits_per_query: 1 }
}

const unitOf: Readonly<Record<Service, Prices.Unit>> = {
  llm: "tokens",
  stt: "seconds",
  tts: "characters",
  image: "images",
  embedding: "tokens",
  search: "queries"
}

/** Characters of one text that a speech synthesis model without an own limit reads. */
const defaultCharacters = 4096

/**
 * Figures of a language model whose entry has none. They are small because clients plan by them.
 * Source: docs/reference/models.md#figures.
 */
const defaultContextWindow = 32_768

type Read<A> = Result.Result<A, ReadonlyArray<string>>

const formatted = SchemaIssue.makeFormatterStandardSchemaV1()

/** Decodes strictly; each fault begins with its place. */
const decoded = <A>(schema: Schema.Codec<A, unknown>, value: unknown, place: string): Read<A> =>
  Result.mapError(
    Schema.decodeUnknownResult(schema)(value, { errors: "all", onExcessProperty: "error" }),
    ({ issue }) =>
      formatted(issue).issues.map(({ message, path = [] }) => `${[place, ...path.map(String)].join(".")}: ${message}`)
  )

/** Reads the default prices, the shipped ones where a host has none. */
export const readDefaults = (given: PriceSettings["defaults"] = {}): Read<DefaultPrices> => {
  const faults: Array<string> = []
  const read = (service: Service): Prices.Price => {
    const place = `pricing.defaults.${service}`
    const file = decoded(Prices.PriceFile, given[service] ?? shippedDefaults[service], place)
    if (Result.isFailure(file)) faults.push(...file.failure)
    const price = Prices.fromFile(Result.getOrElse(file, () => shippedDefaults[service]))
    if (price.unit !== unitOf[service]) faults.push(`${place}: ${wrongUnit(service)}`)
    return price
  }
  const services = Object.keys(shippedDefaults) as ReadonlyArray<Service>
  const prices = Object.fromEntries(services.map((service) => [service, read(service)])) as DefaultPrices
  const known = new Set<string>(services)
  faults.push(
    ...Object.keys(given)
      .filter((key) => !known.has(key))
      .map((key) => `pricing.defaults.${key}: there is no such service`)
  )
  return faults.length > 0 ? Result.fail(faults) : Result.succeed(prices)
}

const wrongUnit = (service: Service): string => `${service} is billed by ${unitOf[service]}; give a price of that kind`

/** What an entry has that says nothing else. */
interface CatalogueDefaults {
  readonly prices: DefaultPrices
  /** Of a language model. */
  readonly defaultMaxOutputTokens: number
}

interface CatalogueContent {
  readonly models: ReadonlyArray<Model>
  readonly defaultModels: DefaultModels
}

/**
 * Reads a host's catalogue over the shipped one, or lists everything that is wrong with it. `undefined` is the shipped
 * one alone. Entries replace those of the same id in their place, new ones follow.
 */
export const readCatalogue = (host: unknown, defaults: CatalogueDefaults): Read<CatalogueContent> => {
  const ours = shippedEntries()
  const theirs =
    host === undefined
      ? { entries: [], ids: [], replace: false, defaultModels: {}, faults: [] }
      : entriesOf(host, "catalogue")
  const kept = theirs.replace ? [] : ours.entries
  const merged = over(kept, theirs.entries)
  // An entry that could not be read is there all the same: a request that names it is not wrong.
  const ids = new Set([...merged.map((entry) => entry.id), ...theirs.ids])
  const byId = new Map(merged.map((entry) => [entry.id, entry]))
  const replaced = new Set(theirs.ids)
  const changed = [...kept.filter((entry) => !replaced.has(entry.id)), ...theirs.entries]
  const faults = [
    ...ours.faults,
    ...theirs.faults,
    ...changed.flatMap((entry) => rulesOf(entry, ids, byId)),
    ...Object.entries(theirs.defaultModels).flatMap(([service, model]) =>
      ids.has(model) ? [] : [`catalogue.default_models.${service}: there is no model ${model}`]
    )
  ]
  if (faults.length > 0) return Result.fail(faults)
  return Result.succeed({
    models: merged.map((entry) => modelOf(entry, byId, defaults)),
    defaultModels: { ...shipped.default_models, ...theirs.defaultModels }
  })
}

interface Entries {
  readonly entries: ReadonlyArray<Entry>
  /** Of the entries that could not be read as well. */
  readonly ids: ReadonlyArray<string>
  readonly replace: boolean
  readonly defaultModels: Partial<DefaultModels>
  readonly faults: ReadonlyArray<string>
}

const entriesOf = (value: unknown, place: string): Entries => {
  const file = decoded(File, value, place)
  if (Result.isFailure(file)) return { entries: [], ids: [], replace: false, defaultModels: {}, faults: file.failure }
  const { default_models: defaultModels = {}, models, replace = false } = file.success
  const ids = models.map(idOf)
  const read = models.map((entry, index) => decoded(Entry, entry, placeOf(place, index, ids[index])))
  const twice = ids.flatMap((one, index) =>
    one !== undefined && ids.indexOf(one) < index ? [`${placeOf(place, index, one)}: stands twice`] : []
  )
  return {
    entries: read.flatMap((one) => (Result.isSuccess(one) ? [one.success] : [])),
    ids: ids.filter((one) => one !== undefined),
    replace,
    defaultModels,
    faults: [...read.flatMap((one) => (Result.isFailure(one) ? one.failure : [])), ...twice]
  }
}

let ofShipped: Entries | undefined

/** Read once: a product reads its catalogue three times while it starts, and tests start many. */
const shippedEntries = (): Entries => {
  ofShipped ??= entriesOf(shipped, "shipped")
  return ofShipped
}

const idOf = (entry: unknown): string | undefined =>
  typeof entry === "object" && entry !== null && "id" in entry && typeof entry.id === "string" ? entry.id : undefined

const placeOf = (place: string, index: number, name: string | undefined): string =>
  `${place}.models[${index}]${name === undefined ? "" : ` (${name})`}`

const over = (ours: ReadonlyArray<Entry>, theirs: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  // A Map keeps the place of a key that is set again.
  [...new Map([...ours, ...theirs].map((entry) => [entry.id, entry])).values()]

type ById = ReadonlyMap<string, Entry>

/** What holds between entries, and between the keys of one. */
const rulesOf = (entry: Entry, ids: ReadonlySet<string>, byId: ById): ReadonlyArray<string> => {
  const { alternative, category, limits = {}, price, status, streaming_only, successor } = entry
  const faults: Array<string> = []
  const known = (key: "alternative" | "successor" | "dialects" | "features"): Entry | undefined => {
    const name = entry[key]
    if (typeof name !== "string") return undefined
    if (!ids.has(name)) faults.push(`${key}: there is no model ${name}`)
    return byId.get(name)
  }
  const other = known("alternative")
  if (alternative !== undefined && streaming_only !== true) faults.push("alternative: goes with streaming_only alone")
  if (other?.streaming_only === true) faults.push(`alternative: ${other.id} takes no file either`)
  if (other !== undefined && other.category !== category) faults.push(`alternative: ${other.id} is of another category`)
  if (successor !== undefined && status !== "retired") faults.push("successor: goes with the status retired alone")
  if (known("successor")?.status === "retired") faults.push(`successor: ${successor} is retired as well`)
  for (const key of ["dialects", "features"] as const) {
    const owner = known(key)
    if (owner !== undefined && typeof owner[key] === "string") {
      faults.push(`${key}: ${owner.id} has no list of its own, name ${owner[key]}`)
    }
  }
  const { context_window: window, max_output_tokens: output } = limits
  if (window !== undefined && output !== undefined && output > window) {
    faults.push("limits: max_output_tokens is above context_window")
  }
  if (price !== undefined && Prices.fromFile(price).unit !== unitOf[category]) {
    faults.push(`price: ${wrongUnit(category)}`)
  }
  return faults.map((fault) => `model ${entry.id}: ${fault}`)
}

/** A list of the entry's own, or that of the model which it names. */
const listOf = <A>(
  own: ReadonlyArray<A> | string | undefined,
  of: (id: string) => ReadonlyArray<A> | string | undefined
) => {
  const list = typeof own === "string" ? of(own) : own
  return list === undefined || typeof list === "string" ? [] : list
}

const limitsOf = ({ category, limits = {} }: Entry, defaultMaxOutputTokens: number): Model["limits"] => {
  const { bytes = null, context_window = null, dimensions = null, inputs = null, seconds = null } = limits
  const { max_output_tokens = null } = limits
  const characters = limits.characters ?? (category === "tts" ? defaultCharacters : null)
  const rest = { seconds, bytes, inputs, characters, dimensions }
  if (category !== "llm") return { ...rest, contextWindow: context_window, maxOutputTokens: max_output_tokens }
  const output = max_output_tokens ?? defaultMaxOutputTokens
  const contextWindow = context_window ?? Math.max(defaultContextWindow, output)
  return { ...rest, contextWindow, maxOutputTokens: Math.min(output, contextWindow) }
}

const modelOf = (entry: Entry, byId: ById, { defaultMaxOutputTokens, prices }: CatalogueDefaults): Model => ({
  id: entry.id,
  category: entry.category,
  tiers: entry.tiers ?? ["starter", "pro", "enterprise"],
  price: entry.price === undefined ? prices[entry.category] : Prices.fromFile(entry.price),
  source: entry.price === undefined ? null : (entry.source ?? null),
  limits: limitsOf(entry, defaultMaxOutputTokens),
  streamingOnly: entry.streaming_only ?? false,
  alternative: entry.alternative ?? null,
  modes: entry.modes ?? [],
  translates: entry.translates ?? false,
  diarizes: entry.diarizes ?? false,
  dialects: listOf(entry.dialects, (owner) => byId.get(owner)?.dialects),
  languageMatching: entry.language_matching ?? "as_sent",
  fallbackLanguage: entry.fallback_language ?? null,
  features: listOf(entry.features, (owner) => byId.get(owner)?.features),
  voice: entry.voice ?? entry.streaming_only ?? false,
  vision: entry.vision ?? false,
  listed: entry.listed ?? true,
  status: entry.status ?? "active",
  successor: entry.successor ?? null
})
