/** What one unit of a model costs, exactly: decimal text and integers, divided last. Pure. Source: docs/reference/metering.md#price. */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { type Nano, nanoPerCredit } from "./Money.ts"

export type Unit = "seconds" | "tokens" | "characters" | "images" | "queries"

/** A decimal number as an integer of 10^-12: every price that can be written is one. */
export type Pico = bigint

const places = 12
const picoPerOne = 10n ** BigInt(places)

const decimal = /^(\d+)(?:\.(\d+))?(?:e-(\d+))?$/

/**
 * The digits of a number as it is written, without any arithmetic on it; undefined for what has more than 12 decimal
 * places, is negative, or needs an exponent to be written (10^21 and above).
 */
export const parseDecimal = (value: number): Pico | undefined => {
  const m = decimal.exec(String(value))
  if (m === null) return undefined
  const [, whole = "", fraction = "", exponent = "0"] = m
  const shift = places - fraction.length - Number(exponent)
  return shift < 0 ? undefined : BigInt(whole + fraction) * 10n ** BigInt(shift)
}

const written = (pico: Pico): string => {
  const fraction = (pico % picoPerOne).toString().padStart(places, "0").replace(/0+$/, "")
  return `${pico / picoPerOne}${fraction === "" ? "" : `.${fraction}`}`
}

/** A JSON number from which an exact price can be read. Also for `pricing.usd_to_credits`, which must be above zero. */
export const Decimal = Schema.Number.check(
  Schema.makeFilter(
    (value: number) =>
      parseDecimal(value) !== undefined || `Expected zero or more, with at most ${places} decimal places`,
    { expected: `a number of zero or more with at most ${places} decimal places` }
  )
)

/** In US dollars, except `queries`, whose price is in credits. */
export type Price =
  | { readonly unit: "seconds"; readonly perHour: Pico }
  | { readonly unit: "characters"; readonly per10k: Pico }
  | {
      readonly unit: "images"
      readonly each: Pico
      /** The price is for each started block of this many pixels; null for an image of any size. */
      readonly pixels: number | null
    }
  | { readonly unit: "queries"; readonly credits: Pico }
  | {
      readonly unit: "tokens"
      /** Each per million. */
      readonly input: Pico
      readonly output: Pico
      readonly cachedInput: Pico
      /** Input that a cache keeps, for five minutes. */
      readonly cacheWrite: Pico
      /** Input that a cache keeps for an hour. */
      readonly cacheWriteHour: Pico
      /** Above 272,000 tokens of input the whole request costs 2x for input and 1.5x for output. */
      readonly longInputCostsMore: boolean
    }

const oneOf = "Expected exactly one price: usd_per_hour, usd_per_10k_characters, usd_per_image, credits_per_query, or"

const optional = Schema.optionalKey(Decimal)

/** The price of a model as the catalogue file has it. */
export const PriceFile = Schema.Struct({
  usd_per_hour: optional,
  usd_per_10k_characters: optional,
  usd_per_image: optional,
  image_pixels: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  credits_per_query: optional,
  input_usd_per_million_tokens: optional,
  output_usd_per_million_tokens: optional,
  /** The input's own price where it is missing. */
  cached_input_usd_per_million_tokens: optional,
  /** The input's own price where it is missing. */
  cache_write_usd_per_million_tokens: optional,
  /** Twice the input's price where writing costs extra at all; else the input's own price. */
  cache_write_1h_usd_per_million_tokens: optional,
  long_input_costs_more: Schema.optionalKey(Schema.Boolean)
}).check(
  Schema.makeFilter((file: object) => {
    const keys = Object.keys(file)
    const tokens = keys.filter((key) => key.endsWith("_tokens") || key === "long_input_costs_more")
    const kinds = "usd_per_image" in file ? keys.filter((key) => key !== "image_pixels") : keys
    const isOne =
      tokens.length === 0 ? kinds.length === 1 && kinds[0] !== "image_pixels" : tokens.length === keys.length
    return (isOne && (tokens.length === 0 || "input_usd_per_million_tokens" in file)) || `${oneOf} those of tokens`
  })
)

/** The same, for hosts that know no schemas. */
export interface FilePrice {
  readonly usd_per_hour?: number
  readonly usd_per_10k_characters?: number
  readonly usd_per_image?: number
  readonly image_pixels?: number
  readonly credits_per_query?: number
  readonly input_usd_per_million_tokens?: number
  readonly output_usd_per_million_tokens?: number
  readonly cached_input_usd_per_million_tokens?: number
  readonly cache_write_usd_per_million_tokens?: number
  readonly cache_write_1h_usd_per_million_tokens?: number
  readonly long_input_costs_more?: boolean
}

const exactly = (value: number): Pico => {
  const pico = parseDecimal(value)
  if (pico === undefined) throw new RangeError(`${value} is no decimal number of at most ${places} places`)
  return pico
}

/** Reads a file's price that `PriceFile` has let pass. */
export const fromFile = (file: FilePrice): Price => {
  if (file.usd_per_hour !== undefined) return { unit: "seconds", perHour: exactly(file.usd_per_hour) }
  if (file.usd_per_10k_characters !== undefined) {
    return { unit: "characters", per10k: exactly(file.usd_per_10k_characters) }
  }
  if (file.usd_per_image !== undefined) {
    return { unit: "images", each: exactly(file.usd_per_image), pixels: file.image_pixels ?? null }
  }
  if (file.credits_per_query !== undefined) return { unit: "queries", credits: exactly(file.credits_per_query) }
  const input = exactly(file.input_usd_per_million_tokens ?? 0)
  const cached = file.cached_input_usd_per_million_tokens
  const written = file.cache_write_usd_per_million_tokens
  const hour = file.cache_write_1h_usd_per_million_tokens
  const defaultHour = written === undefined ? input : 2n * input
  return {
    unit: "tokens",
    input,
    output: exactly(file.output_usd_per_million_tokens ?? 0),
    cachedInput: cached === undefined ? input : exactly(cached),
    cacheWrite: written === undefined ? input : exactly(written),
    cacheWriteHour: hour === undefined ? defaultHour : exactly(hour),
    longInputCostsMore: file.long_input_costs_more ?? false
  }
}

/** The price in the form of a catalogue file, for answers that show it. */
export const toFile = (price: Price): FilePrice => {
  const number = (pico: Pico) => Number(written(pico))
  switch (price.unit) {
    case "seconds":
      return { usd_per_hour: number(price.perHour) }
    case "characters":
      return { usd_per_10k_characters: number(price.per10k) }
    case "images":
      return {
        usd_per_image: number(price.each),
        ...(price.pixels === null ? {} : { image_pixels: price.pixels })
      }
    case "queries":
      return { credits_per_query: number(price.credits) }
    case "tokens":
      return {
        input_usd_per_million_tokens: number(price.input),
        output_usd_per_million_tokens: number(price.output),
        cached_input_usd_per_million_tokens: number(price.cachedInput),
        ...(price.cacheWrite === price.input ? {} : { cache_write_usd_per_million_tokens: number(price.cacheWrite) }),
        ...(price.cacheWriteHour === price.input
          ? {}
          : { cache_write_1h_usd_per_million_tokens: number(price.cacheWriteHour) }),
        ...(price.longInputCostsMore ? { long_input_costs_more: true } : {})
      }
  }
}

/** The catalogue file's price object, read into integers. */
export const Price = PriceFile.pipe(
  Schema.decodeTo(
    Schema.declare((value): value is Price => typeof value === "object" && value !== null),
    {
      decode: SchemaGetter.transform(fromFile),
      encode: SchemaGetter.transform(toFile)
    }
  )
)

/** What was used, or may be at most. */
export type Amount =
  | { readonly unit: "seconds"; readonly seconds: number }
  | { readonly unit: "characters"; readonly characters: number }
  | {
      readonly unit: "images"
      readonly images: number
      /** Of each image; absent where nobody named them. */
      readonly pixels?: number
    }
  | { readonly unit: "queries"; readonly queries: number }
  | {
      readonly unit: "tokens"
      /** The part of the prompt that no cache answered. */
      readonly inputTokens: number
      readonly outputTokens: number
      readonly cacheReadTokens: number
      readonly cacheCreationTokens: number
      /** The part of `cacheCreationTokens` that the cache keeps for an hour; absent: none. */
      readonly cacheCreationHourTokens?: number
    }

/** An amount of nothing. */
export const nothing = (unit: Unit): Amount => {
  switch (unit) {
    case "tokens":
      return { unit, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 }
    case "seconds":
      return { unit, seconds: 0 }
    case "characters":
      return { unit, characters: 0 }
    case "images":
      return { unit, images: 0 }
    case "queries":
      return { unit, queries: 0 }
  }
}

/** Calls of the plan that an amount is. Source: docs/reference/plans.md#caps. */
export const callsOf = (amount: Amount): number => (amount.unit === "images" ? amount.images : 1)

/** An amount in the columns of the usage log. */
export interface Figures {
  readonly units: number
  readonly unit: Unit
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
}

/** Tokens of every kind count as one unit each. */
export const figuresOf = (amount: Amount): Figures => {
  const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 }
  const { unit } = amount
  switch (unit) {
    case "tokens": {
      const { cacheCreationTokens, cacheReadTokens, inputTokens, outputTokens } = amount
      const units = inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens
      return { units, unit, inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }
    }
    case "seconds":
      return { units: amount.seconds, unit, ...none }
    case "characters":
      return { units: amount.characters, unit, ...none }
    case "images":
      return { units: amount.images, unit, ...none }
    case "queries":
      return { units: amount.queries, unit, ...none }
  }
}

/** More tokens of input than this, cached ones included, make a long request. */
export const longInputAbove = 272_000

const started = (amount: number): bigint => {
  if (!(amount >= 0)) throw new RangeError(`an amount of ${amount} cannot be billed`)
  return BigInt(Math.ceil(amount))
}

const divideUp = (numerator: bigint, divisor: bigint): bigint => (numerator + divisor - 1n) / divisor

/** A token's price is for a million of them, and in halves, since 1.5 is no integer. */
const halvesOfMillion = 2_000_000n

/**
 * What an amount costs, in nano-credits: multiplied first, divided last, rounded up once. Audio counts by the started
 * second. Throws on an amount of another unit than the price's: that is a mistake of the code.
 */
export const cost = (price: Price, amount: Amount, usdToCredits: number): Nano => costAt(usdToCredits)(price, amount)

/** `cost` at a rate that is read once. */
export const costAt = (usdToCredits: number): ((price: Price, amount: Amount) => Nano) => {
  const rate = exactly(usdToCredits) * nanoPerCredit
  const square = picoPerOne * picoPerOne
  const ofTokens = halvesOfMillion * square
  const inCredits = (pico: bigint, per: bigint) => divideUp(pico * rate, per * square)
  return (price, amount) => {
    if (price.unit === "queries" && amount.unit === "queries") {
      return divideUp(started(amount.queries) * price.credits * nanoPerCredit, picoPerOne)
    }
    if (price.unit === "seconds" && amount.unit === "seconds") {
      return inCredits(started(amount.seconds) * price.perHour, 3600n)
    }
    if (price.unit === "characters" && amount.unit === "characters") {
      return inCredits(started(amount.characters) * price.per10k, 10_000n)
    }
    if (price.unit === "images" && amount.unit === "images") {
      const { images, pixels = 1 } = amount
      const each = price.pixels === null ? 1n : divideUp(started(pixels), BigInt(price.pixels))
      return inCredits(started(images) * each * price.each, 1n)
    }
    if (price.unit === "tokens" && amount.unit === "tokens") {
      const uncached = started(amount.inputTokens)
      const hour = started(amount.cacheCreationHourTokens ?? 0)
      const kept = started(amount.cacheCreationTokens) - hour
      const cached = started(amount.cacheReadTokens)
      const isLong = price.longInputCostsMore && uncached + kept + hour + cached > BigInt(longInputAbove)
      const written = kept * price.cacheWrite + hour * price.cacheWriteHour
      const input = uncached * price.input + written + cached * price.cachedInput
      const output = started(amount.outputTokens) * price.output
      return divideUp((isLong ? 4n * input + 3n * output : 2n * (input + output)) * rate, ofTokens)
    }
    throw new RangeError(`a price for ${price.unit} says nothing about ${amount.unit}`)
  }
}
