/** The ledger, as the account's people read it. Source: docs/reference/credits.md#ledger. */
import * as Effect from "effect/Effect"
import { type Page, type Paged, tracedFn } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { Storage } from "../storage/index.ts"
import { CreditEntryStore, type LedgerFilter } from "./CreditEntryStore.ts"
import type { LedgerEntry } from "./CreditStore.ts"

export const makeCreditEntries = Effect.gen(function* () {
  const storage = yield* Storage
  const store = yield* CreditEntryStore

  /** Newest first. */
  const list = tracedFn("CreditEntries.list")(function* (tenantId: Ids.AccountId, filter: LedgerFilter, page: Page) {
    const query = { ...filter, tenantId, after: null }
    return { items: yield* store.list(query, page), total: yield* store.count(query) } satisfies Paged<LedgerEntry>
  }, storage.read)

  /** Newest first, behind an entry; for files, which are read page by page. */
  const after = tracedFn("CreditEntries.after")(function* (
    tenantId: Ids.AccountId,
    filter: LedgerFilter,
    last: string | null,
    limit: number
  ) {
    return yield* store.list({ ...filter, tenantId, after: last }, { limit, offset: 0 })
  }, storage.read)

  return { list, after }
})
