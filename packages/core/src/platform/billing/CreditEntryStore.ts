/** Port: the ledger as it is read. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError } from "../storage/index.ts"
import type { LedgerEntry } from "./CreditStore.ts"

/** What is asked of the ledger; null for everything. `from` is included, `to` is not. */
export interface LedgerFilter {
  readonly kind: LedgerEntry["kind"] | null
  readonly from: Instant.Instant | null
  readonly to: Instant.Instant | null
}

export interface CreditEntryQuery extends LedgerFilter {
  readonly tenantId: Ids.AccountId
  /** The entry behind which the list begins; null for its beginning. */
  readonly after: string | null
}

export class CreditEntryStore extends Context.Service<
  CreditEntryStore,
  {
    /** Newest first. */
    readonly list: (
      query: CreditEntryQuery,
      page: Page
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, StorageError, Read>
    readonly count: (query: CreditEntryQuery) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/platform/billing/CreditEntryStore") {}
