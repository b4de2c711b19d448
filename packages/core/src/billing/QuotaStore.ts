/** Port: calls of a service in a calendar month, as single conditional statements. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Month } from "./Month.ts"
import type { Service } from "./Plans.ts"

export interface QuotaPeriod {
  readonly tenantId: Ids.AccountId
  readonly service: Service
  readonly month: Month
}

/** Calls that count, and calls that run. */
export interface CallCounts {
  readonly used: number
  readonly pending: number
}

export class QuotaStore extends Context.Service<
  QuotaStore,
  {
    /** Adds a running call, in one statement: false, and nothing changed, when the cap is reached. Null: no cap. */
    readonly begin: (period: QuotaPeriod, cap: number | null) => Effect.Effect<boolean, StorageError, Tx>
    readonly counts: (period: QuotaPeriod) => Effect.Effect<CallCounts, StorageError, Read>
    /** Subtracts `pending` from the calls that run, and adds `used` to those that count. */
    readonly end: (period: QuotaPeriod, ended: CallCounts) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/billing/QuotaStore") {}
