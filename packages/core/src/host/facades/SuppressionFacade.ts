/** The do-not-call list, for a host that uses promises. */
import * as Effect from "effect/Effect"
import { type Added, Suppression, type SuppressionEntry, SuppressionRecord } from "../../calling/suppression/index.ts"
import * as SuppressionApi from "../../calling/suppression/SuppressionApi.ts"
import type { Instant, Paged } from "../../platform/kernel/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "../Facade.ts"
import * as Ids from "../HostIds.ts"

/** Source: docs/reference/suppression.md#routes. */
export interface NewDoNotCall {
  /** The number that is called no more, however it is written. */
  readonly phone: string
  /** Why, for people who read the list. */
  readonly reason?: string | null
}

const newEntries = SuppressionApi.NewEntries.fields.entries

/** Source: docs/reference/suppression.md#routes. */
export interface DoNotCallRecord {
  /** The id of the entry. */
  readonly id: Ids.EntryId
  /** As it was given. */
  readonly phone: string
  /** Why, for people who read the list; null where nobody said. */
  readonly reason: string | null
  /** When the entry was made. */
  readonly createdAt: Instant.Instant
}

export interface SuppressionFacade {
  /** Adds up to 1000 numbers. Source: docs/reference/suppression.md#promise. */
  readonly add: (accountId: string, entries: ReadonlyArray<NewDoNotCall>, options?: CallOptions) => Promise<Added>
  /** Removes an entry: the number may be called again. */
  readonly remove: (accountId: string, entryId: string, options?: CallOptions) => Promise<void>
  /** Newest first. */
  readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<DoNotCallRecord>>
}

const shownEntry: (entry: SuppressionEntry) => DoNotCallRecord = SuppressionRecord.shown

const { argument, campaignAccountId: accountId, callOptions, paged, records } = Arguments

export const suppressionFacade = (method: Method): SuppressionFacade => ({
  add: method([accountId, records("entries", newEntries), callOptions], (tenantId, entries) =>
    ofAccount(
      tenantId,
      Suppression.use((s) =>
        s.add(
          tenantId,
          entries.map(({ phone, reason = null }) => ({ phone, reason }))
        )
      )
    )
  ),
  remove: method([accountId, argument("entryId", Ids.schema<"SuppressionEntry">()), callOptions], (tenantId, entryId) =>
    Suppression.use((s) => s.remove(tenantId, entryId))
  ),
  list: method([accountId, paged(SuppressionApi.entryPages)], (tenantId, page) =>
    Effect.map(
      Suppression.use((s) => s.list(tenantId, page)),
      shownPage(shownEntry)
    )
  )
})
