/** Port: the contact list of a campaign as people read it and put it in order. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { CampaignContact } from "./CampaignContact.ts"
import type { ContactStatus, LastError } from "./ContactLifecycle.ts"
import type { ContactSearch } from "./ContactSearch.ts"

/** Which contacts of a campaign are listed. Null asks for nothing. */
export interface ContactListFilter {
  readonly status: ContactStatus | null
  readonly lastError: LastError | null
  /** What was noted of the latest call. */
  readonly outcome: string | null
  readonly search: ContactSearch | null
}

export const everyContact: ContactListFilter = { status: null, lastError: null, outcome: null, search: null }

/** How many contacts of a campaign there are of each kind; a kind that nobody is of is not there. */
export interface ContactTally {
  readonly byStatus: ReadonlyMap<ContactStatus, number>
  readonly byLastError: ReadonlyMap<LastError, number>
  /** Contacts that wait for an instant which has not come. */
  readonly later: number
}

export type ListedContact = Pick<CampaignContact, "id" | "tenantId" | "campaignId">

/** Which failed contacts are to be called again. */
export type RetryChoice =
  | { readonly _tag: "Contacts"; readonly ids: ReadonlyArray<Ids.ContactId> }
  | { readonly _tag: "LastErrors"; readonly lastErrors: ReadonlyArray<LastError> }

export class ContactListStore extends Context.Service<
  ContactListStore,
  {
    /** In the order in which they were added. */
    readonly list: (
      campaignId: Ids.CampaignId,
      filter: ContactListFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<CampaignContact>, StorageError, Read>
    /** The first of those behind a place in the list. There are more unless none is returned. */
    readonly after: (
      campaignId: Ids.CampaignId,
      filter: ContactListFilter,
      seq: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CampaignContact>, StorageError, Read>
    readonly count: (campaignId: Ids.CampaignId, filter: ContactListFilter) => Effect.Effect<number, StorageError, Read>
    /** Removes a contact alone: its campaign has the totals. */
    readonly remove: (contact: ListedContact) => Effect.Effect<void, StorageError, Tx>
    /**
     * Has failed contacts wait again, due at once and as if they had never been called, but for those that are suppressed. Returns
     * how many. The campaign is locked.
     */
    readonly retry: (
      campaign: Pick<CampaignContact, "tenantId" | "campaignId">,
      which: RetryChoice
    ) => Effect.Effect<number, StorageError, Tx>
    /** Failed contacts whose last attempt failed for one of these reasons. */
    readonly countFailed: (
      campaignId: Ids.CampaignId,
      lastErrors: ReadonlyArray<LastError>
    ) => Effect.Effect<number, StorageError, Read>
    readonly tally: (campaignId: Ids.CampaignId, at: Instant.Instant) => Effect.Effect<ContactTally, StorageError, Read>
  }
>()("@trunkline/core/calling/campaigns/ContactListStore") {}
