/** Requests about what the Cloud API counts of a business account, in the platform's own words. */
import type { AnalyticsPeriod, ChannelConnection, JsonObject, NetworkInterval } from "@trunkline/core/provider"
import { Instant } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type { CloudApiFailed, CloudApiRequests } from "./CloudApiRequests.ts"

type Done<A> = Effect.Effect<A, CloudApiFailed>

export interface AnalyticsRequests {
  /** `phone`: the digits of one number; null for all numbers of the business account. */
  readonly messageCounts: (
    number: ChannelConnection,
    asked: AnalyticsPeriod & { readonly interval: NetworkInterval; readonly phone: string | null }
  ) => Done<JsonObject>
  readonly pricing: (
    number: ChannelConnection,
    asked: AnalyticsPeriod & { readonly interval: NetworkInterval; readonly dimensions: ReadonlyArray<string> }
  ) => Done<JsonObject>
  /** Every page of the answer. */
  readonly templateCounts: (
    number: ChannelConnection,
    asked: AnalyticsPeriod & { readonly templateIds: ReadonlyArray<string> }
  ) => Done<ReadonlyArray<unknown>>
  readonly enableTemplateCounts: (number: ChannelConnection) => Done<void>
}

/** The platform has two words for one length. */
const messageIntervals: Readonly<Record<NetworkInterval, string>> = {
  half_hour: "HALF_HOUR",
  day: "DAY",
  month: "MONTH"
}

const pricingIntervals: Readonly<Record<NetworkInterval, string>> = {
  half_hour: "HALF_HOUR",
  day: "DAILY",
  month: "MONTHLY"
}

const seconds = ({ end, start }: AnalyticsPeriod): readonly [start: number, end: number] => [
  Math.floor(start / Instant.second),
  Math.ceil(end / Instant.second)
]

/** A field with its filters, as the platform writes them. */
const field = (name: string, period: AnalyticsPeriod, granularity: string, more: string): string => {
  const [start, end] = seconds(period)
  return `${name}.start(${start}).end(${end}).granularity(${granularity})${more}`
}

const dimensionsOf = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `.dimensions(${JSON.stringify(names.map((name) => name.toUpperCase()))})`

export const makeAnalyticsRequests = ({ ask, askFor, readAll }: CloudApiRequests): AnalyticsRequests => {
  const read = (number: ChannelConnection, fields: string) =>
    askFor(number, { method: "GET", path: [number.accountId], query: { fields } })
  return {
    messageCounts: (number, { interval, phone, ...period }) =>
      read(
        number,
        field("analytics", period, messageIntervals[interval], phone === null ? "" : `.phone_numbers([${phone}])`)
      ),
    pricing: (number, { dimensions, interval, ...period }) =>
      read(number, field("pricing_analytics", period, pricingIntervals[interval], dimensionsOf(dimensions))),
    templateCounts: (number, { templateIds, ...period }) => {
      const [start, end] = seconds(period)
      return readAll(number, {
        path: [number.accountId, "template_analytics"],
        query: {
          start: String(start),
          end: String(end),
          granularity: "daily",
          template_ids: `[${templateIds.join(",")}]`,
          metric_types: "sent,delivered,read,clicked"
        },
        of: "counts of templates"
      })
    },
    enableTemplateCounts: (number) =>
      Effect.asVoid(
        ask(number, { method: "POST", path: [number.accountId], query: { is_enabled_for_insights: "true" } })
      )
  }
}
