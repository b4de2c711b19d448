/** What became of messages, for a host that uses promises. */
import * as Schema from "effect/Schema"
import * as AnalyticsApi from "../../messaging/analytics/AnalyticsApi.ts"
import { Analytics, type DeliveryInterval, type DeliveryRow } from "../../messaging/analytics/index.ts"
import {
  type NetworkInterval,
  type NetworkMessages,
  type NetworkPricing,
  type PricingDimension,
  pricingDimensions,
  type TemplateResults
} from "../../messaging/channels/index.ts"
import { PlatformDigits } from "../../messaging/routes/MessagingApi.ts"
import { Instant, Wire } from "../../platform/kernel/index.ts"
import * as Arguments from "../Arguments.ts"
import type { CallOptions, Method } from "../Facade.ts"
import { phoneNumberId } from "./ChannelArguments.ts"

/** Which messages are counted, and by which intervals. Source: docs/reference/analytics.md#delivery. */
export interface DeliveryCountsQuery {
  /** The first instant. Default 30 days before `to`. */
  readonly from?: Date | number | string
  /** Messages before it alone. Default now. A period has at most 92 days. */
  readonly to?: Date | number | string
  /** `hour`, `day` or `total`. Default `day`. */
  readonly granularity?: DeliveryInterval
  /** The IANA name of the zone of hours and days. Default `UTC`. */
  readonly timezone?: string
  /** Messages of this connected number alone, by the platform's id. */
  readonly phoneNumberId?: string
  /** Messages of this template campaign alone, and the replies to it. */
  readonly campaignId?: string
  /** Messages of this type alone, such as `template`. */
  readonly type?: string
}

/** What is asked of the platform. */
export interface PlatformPeriod {
  /** The first instant. */
  readonly start: Date | number | string
  /** The first instant after the period; must be after `start`. */
  readonly end: Date | number | string
}

export interface PlatformMessagesQuery extends PlatformPeriod {
  /** `half_hour`, `day` or `month`. Default `day`. */
  readonly granularity?: NetworkInterval
  /** False for all numbers of the business account. Default true. */
  readonly thisNumber?: boolean
}

export interface PlatformPricingQuery extends PlatformPeriod {
  /** `half_hour`, `day` or `month`. Default `day`. */
  readonly granularity?: NetworkInterval
  /** What prices are divided by. Default nothing. */
  readonly dimensions?: ReadonlyArray<PricingDimension>
}

export interface TemplateResultsQuery extends PlatformPeriod {
  /** The platform's ids of 1 to 10 templates. */
  readonly templateIds: ReadonlyArray<string>
}

/** What became of messages. What the platform does not say is null. Source: docs/reference/analytics.md. */
export interface AnalyticsFacade {
  /** What the account's own records say, of every channel; the platform is not asked. Every interval stands there, oldest first. */
  readonly delivery: (
    accountId: string,
    query?: DeliveryCountsQuery,
    options?: CallOptions
  ) => Promise<ReadonlyArray<DeliveryRow>>
  /** Messages as the platform counts them. */
  readonly messages: (
    accountId: string,
    phoneNumberId: string,
    query: PlatformMessagesQuery,
    options?: CallOptions
  ) => Promise<ReadonlyArray<NetworkMessages>>
  /** Messages as the platform prices them. */
  readonly pricing: (
    accountId: string,
    phoneNumberId: string,
    query: PlatformPricingQuery,
    options?: CallOptions
  ) => Promise<ReadonlyArray<NetworkPricing>>
  /** What became of templates by day, of at most the last 90 days. */
  readonly templates: (
    accountId: string,
    phoneNumberId: string,
    query: TemplateResultsQuery,
    options?: CallOptions
  ) => Promise<ReadonlyArray<TemplateResults>>
  /** Has the platform count what becomes of templates from now on, for good. */
  readonly enableTemplates: (accountId: string, phoneNumberId: string, options?: CallOptions) => Promise<void>
}

const { accountId, callOptions, options, record } = Arguments

const deliveryQuery = Arguments.given<DeliveryCountsQuery>()(
  Schema.Struct({
    from: Schema.optionalKey(Instant.Given),
    to: Schema.optionalKey(Instant.Given),
    ...Wire.fromWire(AnalyticsApi.deliveryFilters)
  })
)

const period = { start: Instant.Given, end: Instant.Given }

const messagesQuery = Arguments.given<PlatformMessagesQuery>()(
  Schema.Struct({
    ...period,
    granularity: Schema.optionalKey(AnalyticsApi.NetworkIntervalName),
    thisNumber: Schema.optionalKey(Schema.Boolean)
  })
)

const pricingQuery = Arguments.given<PlatformPricingQuery>()(
  Schema.Struct({
    ...period,
    granularity: Schema.optionalKey(AnalyticsApi.NetworkIntervalName),
    dimensions: Schema.optionalKey(Schema.Array(Schema.Literals(pricingDimensions)))
  })
)

const templatesQuery = Arguments.given<TemplateResultsQuery>()(
  Schema.Struct({
    ...period,
    templateIds: Schema.Array(PlatformDigits).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(AnalyticsApi.maxTemplateIds)
    )
  })
)

export const analyticsFacade = (method: Method): AnalyticsFacade => ({
  delivery: method([accountId, options(deliveryQuery, "query"), callOptions], (tenantId, query) =>
    Analytics.use((a) =>
      a.delivery(tenantId, {
        from: query.from ?? null,
        to: query.to ?? null,
        interval: query.granularity ?? "day",
        timezone: query.timezone ?? "UTC",
        phoneNumberId: query.phoneNumberId ?? null,
        campaignId: query.campaignId ?? null,
        type: query.type ?? null
      })
    )
  ),
  messages: method(
    [accountId, phoneNumberId, record("query", messagesQuery), callOptions],
    (tenantId, number, { end, granularity: interval = "day", start, thisNumber = true }) =>
      Analytics.use((a) => a.messages(tenantId, number, { start, end, interval, ofNumberAlone: thisNumber }))
  ),
  pricing: method(
    [accountId, phoneNumberId, record("query", pricingQuery), callOptions],
    (tenantId, number, { dimensions = [], end, granularity: interval = "day", start }) =>
      Analytics.use((a) => a.pricing(tenantId, number, { start, end, interval, dimensions }))
  ),
  templates: method(
    [accountId, phoneNumberId, record("query", templatesQuery), callOptions],
    (tenantId, number, query) => Analytics.use((a) => a.templates(tenantId, number, query))
  ),
  enableTemplates: method([accountId, phoneNumberId, callOptions], (tenantId, number) =>
    Analytics.use((a) => a.enableTemplates(tenantId, number))
  )
})
