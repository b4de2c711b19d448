/** What the messages of a campaign are likely to cost, by the operator's own rates: integers of a millionth. Pure. Source: docs/reference/template-campaigns.md#cost. */
import type { SettingFault } from "../../platform/settings/index.ts"

/** What one message costs, by the category of its template; decimal texts. */
export interface MessageRate {
  /** The first digits of the numbers that it is for; empty for all others. */
  readonly prefix: string
  readonly marketing: string
  readonly utility: string
  readonly authentication: string
}

const categories = ["marketing", "utility", "authentication"] as const

const places = 6
const one = 10n ** BigInt(places)

const decimal = /^(\d{1,9})(?:\.(\d{1,6}))?$/

/** A decimal text in millionths; null for any other text. */
const millionths = (text: string): bigint | null => {
  const [, whole, fraction = ""] = decimal.exec(text) ?? []
  return whole === undefined ? null : BigInt(whole) * one + BigInt(fraction.padEnd(places, "0"))
}

const written = (amount: bigint): string => `${amount / one}.${(amount % one).toString().padStart(places, "0")}`

/** As many digits as a telephone number has. */
const prefixForm = /^\d{0,15}$/

/** Everything that is wrong with rates, by their place in the list. */
export const rateFaults = (rates: ReadonlyArray<MessageRate>): ReadonlyArray<SettingFault> => {
  const seen = new Set<string>()
  return rates.flatMap((rate, index) => {
    const isAgain = seen.has(rate.prefix)
    seen.add(rate.prefix)
    return [
      ...(prefixForm.test(rate.prefix)
        ? []
        : [{ path: [index, "prefix"], message: "must be the first digits of numbers, 15 at most, or empty" }]),
      ...(isAgain ? [{ path: [index, "prefix"], message: "must be in the list once: another rate has it" }] : []),
      ...categories
        .filter((category) => millionths(rate[category]) === null)
        .map((category) => ({
          path: [index, category],
          message: `must be a decimal text with up to ${places} decimal places, such as 0.0118`
        }))
    ]
  })
}

export interface PricedPerson {
  /** The digits of the number; null for a person who is known by an id alone, and has the rate for all others. */
  readonly digits: string | null
  /** The network takes nothing for a message to this person now. */
  readonly isFree: boolean
}

interface CostGiven {
  /** In the network's words; null where it is not known. */
  readonly category: string | null
  readonly rates: ReadonlyArray<MessageRate>
  readonly currency: string
}

/** An estimate to which people are still added. */
export interface CostCount extends Pick<CostGiven, "category" | "currency"> {
  /** The category's rates by prefix, as they are written. */
  readonly rates: ReadonlyMap<string, string>
  readonly messages: number
  readonly free: number
  /** Messages that cost something, by prefix. */
  readonly byPrefix: ReadonlyMap<string, number>
  /** Messages that cost something, and that no rate is for. */
  readonly withoutRate: number
}

export interface CostEstimate {
  readonly category: string | null
  readonly messages: number
  readonly free: number
  readonly currency: string
  /** Null where no rate is for some of the messages that are not free. */
  readonly cost: string | null
  /** The messages that are not free, the longest prefix first among those that begin alike. */
  readonly byPrefix: ReadonlyArray<{
    readonly prefix: string
    readonly messages: number
    readonly rate: string
    readonly cost: string
  }>
}

/** An estimate without people. A list of any length is estimated a part at a time. */
export const costBegun = ({ category, currency, rates }: CostGiven): CostCount => {
  const priced = categories.find((name) => name === category?.toLowerCase())
  return {
    category,
    currency,
    rates: new Map(priced === undefined ? [] : rates.map((rate) => [rate.prefix, rate[priced]])),
    messages: 0,
    free: 0,
    byPrefix: new Map(),
    withoutRate: 0
  }
}

/** The longest prefix of the digits that has a rate; null for none. */
const prefixOf = (digits: string, rates: CostCount["rates"], maxLength: number): string | null => {
  for (let length = Math.min(maxLength, digits.length); length >= 0; length--) {
    const prefix = digits.slice(0, length)
    if (rates.has(prefix)) return prefix
  }
  return null
}

/** The estimate with more people. */
export const costWith = (count: CostCount, people: ReadonlyArray<PricedPerson>): CostCount => {
  const maxLength = Math.max(0, ...[...count.rates.keys()].map(({ length }) => length))
  const byPrefix = new Map(count.byPrefix)
  let { free, withoutRate } = count
  for (const { digits, isFree } of people) {
    const prefix = isFree ? null : prefixOf(digits ?? "", count.rates, maxLength)
    if (isFree) free++
    else if (prefix === null) withoutRate++
    else byPrefix.set(prefix, (byPrefix.get(prefix) ?? 0) + 1)
  }
  return { ...count, messages: count.messages + people.length, free, byPrefix, withoutRate }
}

/** Digits alone compare as they are written; `~` stands behind all of them. */
const byPlace = (a: string, b: string): number => (`${a}~` < `${b}~` ? -1 : 1)

export const costResult = (count: CostCount): CostEstimate => {
  const parts = [...count.byPrefix]
    .sort(([a], [b]) => byPlace(a, b))
    .map(([prefix, messages]) => {
      const rate = count.rates.get(prefix) ?? ""
      return { prefix, messages, rate, amount: BigInt(messages) * (millionths(rate) ?? 0n) }
    })
  const { category, currency, free, messages, withoutRate } = count
  return {
    category,
    messages,
    free,
    currency,
    cost: withoutRate > 0 ? null : written(parts.reduce((sum, { amount }) => sum + amount, 0n)),
    byPrefix: parts.map(({ amount, ...part }) => ({ ...part, cost: written(amount) }))
  }
}
