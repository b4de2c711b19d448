/** Port: calls of a service and conversations in a calendar month, as single conditional statements. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Month } from "./Month.ts"
import type { Service } from "./Plans.ts"

export interface QuotaPeriod {
  readonly tenantId: Ids.AccountId
  readonly service: Service | "conversation"
  readonly month: Month
}

/** Calls that count, and calls that run. */
export interface CallCounts {
  readonly used: number
  readonly pending: number
}

/** Calls that begin together. `cap`: of the month; null for none. */
export interface BegunCalls {
  readonly calls: number
  readonly cap: number | null
}

export class QuotaStore extends Context.Service<
  QuotaStore,
  {
    /** Adds running calls, in one statement: false, and nothing changed, when the cap has no room for all of them. */
    readonly begin: (period: QuotaPeriod, begun: BegunCalls) => Effect.Effect<boolean, StorageError, Tx>
    readonly counts: (period: QuotaPeriod) => Effect.Effect<CallCounts, StorageError, Read>
    /** Subtracts `pending` from the calls that run, and adds `used`, which may be negative, to those that count. */
    readonly end: (period: QuotaPeriod, ended: CallCounts) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/QuotaStore") {}
