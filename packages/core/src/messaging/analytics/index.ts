/**
 * Counts what became of messages: by our own records of every channel, and by what a channel's network counts.
 *
 * Promises  ANLY-1 every message of a period is counted in exactly one interval of the local clock, whatever the zone does.
 *           ANLY-2 a message that was read was delivered and sent, and one that has failed is none of these.
 *           ANLY-3 a network is asked only about a period that it may be asked about; what it leaves out is null.
 * Needs     DeliveryCountStore, TemplateCampaigns, ConnectedNumbers, ChatChannels.   Emits  nothing.
 * Not here  what analytics look like on the wire (packages/providers), the counts of one campaign (messaging/template-campaigns).
 * Read      AnalyticsPeriods.ts, CountSlices.ts, DeliveryRows.ts, then Analytics.ts. Source: docs/reference/analytics.md.
 */
export {
  Analytics,
  type DeliveryQuery,
  type MessagesQuery,
  type PricingQuery,
  type TemplateResultsQuery
} from "./Analytics.ts"
export { InvalidPeriod } from "./AnalyticsErrors.ts"
export { type DeliveryInterval, type DividedPeriod, dividedPeriod } from "./AnalyticsPeriods.ts"
export { DeliveryCountStore, type DeliveryFilter } from "./DeliveryCountStore.ts"
export type { DeliveryRow, FailureCode, StatusCount } from "./DeliveryRows.ts"
