/** The ledger, as the account's people read it. Source: docs/reference/credits.md#ledger. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Page, type Paged, tracedFn } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { CreditEntryStore, type LedgerFilter } from "./CreditEntryStore.ts"
import type { LedgerEntry } from "./CreditStore.ts"

export class CreditEntries extends Context.Service<
  CreditEntries,
  {
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: LedgerFilter,
      page: Page
    ) => Effect.Effect<Paged<LedgerEntry>, StorageError>
    /** Newest first, behind an entry; for files, which are read page by page. */
    readonly after: (
      tenantId: Ids.AccountId,
      filter: LedgerFilter,
      last: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, StorageError>
  }
>()("@trunkline/core/platform/billing/CreditEntries") {
  static readonly layer = Layer.effect(
    CreditEntries,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* CreditEntryStore

      const list = tracedFn("CreditEntries.list")(function* (
        tenantId: Ids.AccountId,
        filter: LedgerFilter,
        page: Page
      ) {
        const query = { ...filter, tenantId, after: null }
        return { items: yield* store.list(query, page), total: yield* store.count(query) }
      }, storage.read)

      const after = tracedFn("CreditEntries.after")(function* (
        tenantId: Ids.AccountId,
        filter: LedgerFilter,
        last: string | null,
        limit: number
      ) {
        return yield* store.list({ ...filter, tenantId, after: last }, { limit, offset: 0 })
      }, storage.read)

      return CreditEntries.of({ list, after })
    })
  )
}
