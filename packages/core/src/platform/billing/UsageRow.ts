/** A row of the usage log, and how rows are selected and summed up. Pure. Source: docs/reference/metering.md#log. */
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Nano } from "./Money.ts"
import type { Service } from "./Plans.ts"
import type { Figures } from "./Price.ts"

/** What a request used; it becomes a row of the usage log. Source: docs/reference/metering.md#log. */
export interface UsageDetails extends Figures {
  readonly requestId: string
  readonly model: string
  /** The status of the answer. */
  readonly httpStatus: number
  readonly latencyMs: number
  readonly sessionId: string | null
  readonly traceId: string | null
}

export interface UsageRow extends UsageDetails {
  readonly id: Ids.UsageId
  readonly tenantId: Ids.AccountId
  readonly keyId: Ids.KeyId | null
  readonly service: Service
  /** What was billed. */
  readonly credits: Nano
  readonly createdAt: Instant.Instant
}

/** Never more than the last 90 days. `from` is included, `to` is not. */
export interface UsageFilter {
  readonly service: Service | null
  readonly model: string | null
  readonly keyId: Ids.KeyId | null
  readonly sessionId: string | null
  readonly traceId: string | null
  readonly from: Instant.Instant | null
  readonly to: Instant.Instant | null
}

export interface ServiceTotals {
  readonly service: Service
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  readonly audioSeconds: number
  readonly credits: Nano
}

/** By what sums of an interval are divided. */
export const usageGroups = ["service", "model", "key"] as const
export type UsageGroup = (typeof usageGroups)[number]

/** Sums of an interval, or of one group in it. */
export interface IntervalTotals
  extends Pick<ServiceTotals, "calls" | "inputTokens" | "outputTokens" | "audioSeconds" | "credits"> {
  readonly start: Instant.Instant
  /** Null without groups, and of what no key was used for. */
  readonly group: string | null
}

/** What a session has used of one model. */
export interface SessionUsage {
  readonly service: Service
  readonly model: string
  /** Tokens of input that were not cached. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly audioSeconds: number
  readonly characters: number
  readonly credits: Nano
}
