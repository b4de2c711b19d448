/** Port: what a channel's network counts of a number's business account. Source: docs/reference/analytics.md#network. */
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { ChannelConnection } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"

/** Intervals by which a network counts: half hours, days or months. */
export const networkIntervals = ["half_hour", "day", "month"] as const
export type NetworkInterval = (typeof networkIntervals)[number]

/** What prices may be divided by. */
export const pricingDimensions = ["phone", "country", "pricing_type", "pricing_category", "tier"] as const
export type PricingDimension = (typeof pricingDimensions)[number]

/** From the first instant, and before the last one. */
export interface AnalyticsPeriod {
  readonly start: Instant.Instant
  readonly end: Instant.Instant
}

// What a network leaves out is null.

/** Messages in one interval, as the channel's network counts them. */
export interface NetworkMessages {
  readonly start: Instant.Instant | null
  readonly end: Instant.Instant | null
  readonly sent: number | null
  readonly delivered: number | null
}

/** Messages in one interval and what they cost, in the currency of the business account. */
export interface NetworkPricing {
  readonly start: Instant.Instant | null
  readonly end: Instant.Instant | null
  /** How many messages. */
  readonly volume: number | null
  readonly cost: number | null
  /** The number that sent them. */
  readonly phone: string | null
  readonly country: string | null
  readonly pricingType: string | null
  readonly pricingCategory: string | null
  readonly tier: string | null
}

/** How often a button of a template was tapped. */
export interface ButtonClicks {
  readonly type: string | null
  /** The text of the button. */
  readonly button: string | null
  readonly count: number | null
}

/** What became of a template on one day. */
export interface TemplateResults {
  readonly templateId: string | null
  readonly start: Instant.Instant | null
  readonly sent: number | null
  readonly delivered: number | null
  readonly read: number | null
  readonly clicked: ReadonlyArray<ButtonClicks> | null
}

export interface ChannelAnalytics {
  /** Messages of the business account by interval. `phone`: those of this number alone, by its digits; null for all numbers. */
  readonly messages: (
    connection: ChannelConnection,
    asked: AnalyticsPeriod & { readonly interval: NetworkInterval; readonly phone: string | null }
  ) => Effect.Effect<ReadonlyArray<NetworkMessages>, ChannelFailed>
  /** Messages of the business account and their prices by interval, and by each of the dimensions. */
  readonly pricing: (
    connection: ChannelConnection,
    asked: AnalyticsPeriod & {
      readonly interval: NetworkInterval
      readonly dimensions: ReadonlyArray<PricingDimension>
    }
  ) => Effect.Effect<ReadonlyArray<NetworkPricing>, ChannelFailed>
  /** What became of templates, by day. */
  readonly templates: (
    connection: ChannelConnection,
    asked: AnalyticsPeriod & { readonly templateIds: ReadonlyArray<string> }
  ) => Effect.Effect<ReadonlyArray<TemplateResults>, ChannelFailed>
  /** Has the network count what becomes of templates, from now on and for good. */
  readonly enableTemplates: (connection: ChannelConnection) => Effect.Effect<void, ChannelFailed>
}
