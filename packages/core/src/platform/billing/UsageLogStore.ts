/** Port: the usage log. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { IntervalTotals, ServiceTotals, SessionUsage, UsageFilter, UsageGroup, UsageRow } from "./UsageRow.ts"

/** A position in the log, which is read from the newest row on: later rows of the reading are before it. */
export interface UsagePosition {
  readonly createdAt: Instant.Instant
  readonly id: Ids.UsageId
}

/** Rows that were written at or after `since` and before the position. */
export interface UsageQuery extends Pick<UsageFilter, "service" | "model" | "keyId" | "sessionId" | "traceId"> {
  readonly tenantId: Ids.AccountId
  readonly since: Instant.Instant
  readonly before: UsagePosition
}

/** Rows of an interval that were written at or after `since` and before `before`. */
export interface UsageSpan {
  /** The start of the interval. */
  readonly start: Instant.Instant
  readonly since: Instant.Instant
  readonly before: Instant.Instant
}

export class UsageLogStore extends Context.Service<
  UsageLogStore,
  {
    readonly add: (row: UsageRow) => Effect.Effect<void, StorageError, Tx>
    readonly position: (
      tenantId: Ids.AccountId,
      id: Ids.UsageId
    ) => Effect.Effect<UsagePosition | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      query: UsageQuery,
      page: { readonly limit: number; readonly offset: number }
    ) => Effect.Effect<ReadonlyArray<UsageRow>, StorageError, Read>
    readonly count: (query: UsageQuery) => Effect.Effect<number, StorageError, Read>
    /** Whether a key has ever made a request that stands in the log. */
    readonly hasOfKeys: (tenantId: Ids.AccountId) => Effect.Effect<boolean, StorageError, Read>
    readonly totals: (query: UsageQuery) => Effect.Effect<ReadonlyArray<ServiceTotals>, StorageError, Read>
    /**
     * Sums of the rows within each of these spans, which follow each other, and in them of each group; a span or group without rows has
     * none. In the order of the spans, and then of the groups.
     */
    readonly series: (
      query: UsageQuery,
      spans: ReadonlyArray<UsageSpan>,
      by: UsageGroup | null
    ) => Effect.Effect<ReadonlyArray<IntervalTotals>, StorageError, Read>
    /** Sums of all rows of a session by service and model, in no order. */
    readonly ofSession: (
      tenantId: Ids.AccountId,
      sessionId: string
    ) => Effect.Effect<ReadonlyArray<SessionUsage>, StorageError, Read>
  }
>()("@trunkline/core/platform/billing/UsageLogStore") {}
