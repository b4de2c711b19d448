/** Port: what an account has of kinds that are too many to be counted. The database counts every row that is added or removed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Ids from "../PlatformIds.ts"
import type { Read } from "./Storage.ts"
import type { StorageError } from "./StorageErrors.ts"

/** Numbers of rows, and bytes of what callers have written into them. */
export const accountTotals = [
  "suppression_entries",
  "knowledge_bytes",
  "kept_responses",
  "kept_response_bytes",
  "kept_answer_bytes"
] as const
export type AccountTotal = (typeof accountTotals)[number]

export class AccountTotals extends Context.Service<
  AccountTotals,
  {
    /**
     * One total: one indexed read of one row, however much there is. It counts committed rows, and those that the transaction that reads
     * it has written. A transaction that adds or removes rows locks their total until it ends.
     */
    readonly read: (tenantId: Ids.AccountId, name: AccountTotal) => Effect.Effect<number, StorageError, Read>
    /** All totals of an account; what it has nothing of is 0. */
    readonly all: (tenantId: Ids.AccountId) => Effect.Effect<Readonly<Record<AccountTotal, number>>, StorageError, Read>
  }
>()("@trunkline/core/platform/storage/AccountTotals") {}
