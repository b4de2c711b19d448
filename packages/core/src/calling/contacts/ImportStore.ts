/** Port: where the rows of an import are gathered, compared and written, all of them at once and none by itself. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { ImportEffect, ImportPerson } from "./ContactImport.ts"

type ImportId = Ids.Id<"Import">

/** One import, and whom it is for. */
export interface ImportJob {
  readonly id: ImportId
  readonly tenantId: Ids.AccountId
  readonly campaignId: Ids.CampaignId
  readonly at: Instant.Instant
}

/** A person with the ids of the rows that the import may have to make. */
export interface StagedPerson extends ImportPerson {
  readonly crmId: Ids.CrmContactId
  readonly contactId: Ids.ContactId
}

/** What an import writes besides what it has staged. */
export interface ImportTerms {
  /** Consent that the form states for new contacts; the file has no word on it then. */
  readonly consentOfNew: boolean
  /** The place of the first added contact in the campaign's list. */
  readonly nextSeq: number
  readonly attached: number
}

export type Transact = <A, E, R>(
  program: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>>

/**
 * Where one import's rows are, and what runs its transactions. Both keep the promises of `Storage.transact`, and one
 * more: however many rows they touch, the event loop is not blocked. That is why imports have transactions of their own: on
 * SQLite those of the storage run on the event loop, where 100,000 rows would hold up everything for seconds.
 */
export interface ImportPlace {
  /** Runs what changes nothing but the staged rows. It may read everything, and holds up no other transaction. */
  readonly gather: Transact
  /** Runs what others are to see. */
  readonly commit: Transact
}

export class ImportStore extends Context.Service<
  ImportStore,
  {
    /**
     * Opens a place for the rows of one import. When the scope closes, they are gone; what a crashed process left behind
     * is removed by a later import. The other verbs belong into the transactions of this place.
     */
    readonly open: (job: ImportJob) => Effect.Effect<ImportPlace, StorageError, Scope.Scope>
    /**
     * Adds people to the staged rows; within one call each has another key. A person who is there already takes over
     * what the later rows say, as `ContactImport.and` does.
     */
    readonly stage: (
      job: ImportJob,
      people: ReadonlyArray<StagedPerson>
    ) => Effect.Effect<void, StorageError, Tx | Read>
    /**
     * Marks who is not to be put on the campaign, being on it or earlier in the file by `PhoneNumber.samePerson`, and
     * reports what `apply` would do. Changes nothing but the staged rows. `rows` is how many rows of the file are staged.
     */
    readonly compare: (
      job: ImportJob
    ) => Effect.Effect<ImportEffect & { readonly rows: number }, StorageError, Tx | Read>
    /**
     * Writes the staged people into the address book, and those that are not marked onto the campaign, in the order of
     * the file; the campaign's totals with them. After `compare`, in its transaction, under the locks of the account's
     * imports and of the campaign.
     */
    readonly apply: (job: ImportJob, terms: ImportTerms) => Effect.Effect<void, StorageError, Tx | Read>
  }
>()("@trunkline/core/calling/contacts/ImportStore") {}
