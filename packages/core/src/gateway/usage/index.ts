/**
 * Shows an account what it has used and what its plan leaves: rows, sums, a CSV file, and the counters of its plan.
 *
 * Needs     UsageLog, PlanUsage, ModelCatalogue.   Emits  nothing.
 * Not here  how use is measured and charged (gateway/run); the log itself and the counters (platform/billing).
 * Read      UsageRecord.ts, then UsageApi.ts and UsageHttp.ts. Source: docs/reference/usage.md, docs/reference/plans.md#counters.
 */
export { usageGroup } from "./UsageApi.ts"
export * as UsageHttp from "./UsageHttp.ts"
