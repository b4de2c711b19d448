/** What was used, as people and programs read it. Source: docs/metering.md#log. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant, Page, Paged } from "../kernel/index.ts"
import type { StorageError } from "../storage/index.ts"
import type { Used } from "./Metering.ts"
import type { Nano } from "./Money.ts"
import type { Service } from "./Plans.ts"

export interface UsageRow extends Used {
  readonly id: Ids.UsageId
  readonly tenantId: Ids.AccountId
  readonly keyId: Ids.KeyId | null
  readonly service: Service
  /** What was billed. */
  readonly credits: Nano
  readonly createdAt: Instant.Instant
}

/** At most the last 90 days, whatever is asked. */
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

export class UsageLog extends Context.Service<
  UsageLog,
  {
    readonly summary: (
      tenantId: Ids.AccountId,
      filter: UsageFilter
    ) => Effect.Effect<ReadonlyArray<ServiceTotals>, StorageError>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: UsageFilter,
      page: Page
    ) => Effect.Effect<Paged<UsageRow>, StorageError>
    /** Newest first, after a row; for exports, which read page by page. */
    readonly after: (
      tenantId: Ids.AccountId,
      filter: UsageFilter,
      last: Ids.UsageId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<UsageRow>, StorageError>
  }
>()("@trunkline/core/billing/UsageLog") {}
