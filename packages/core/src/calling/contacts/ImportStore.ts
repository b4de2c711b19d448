/** Port: how the people of an import are staged, compared and written, all of them at once and none by itself. In the transactions of its `ImportPlace`. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ListKind } from "../../platform/overview/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { ImportRun } from "../csv/index.ts"
import type { ImportEffect, ImportPerson } from "./ContactImport.ts"

/** One import, and the list that it is for. */
export interface ImportJob extends ImportRun {
  readonly tenantId: Ids.AccountId
  readonly list: ListKind
  readonly campaignId: Ids.CampaignId | Ids.Id<"TemplateCampaign">
}

/** A person with the ids of the rows that the import may have to make. */
export interface StagedPerson extends ImportPerson {
  readonly crmId: Ids.CrmContactId
  readonly contactId: Ids.ContactId | Ids.Id<"TemplateContact">
}

/** What an import writes besides what it has staged. */
export interface ImportTerms {
  /** Consent that the form states for new contacts; the file has no word on it then. */
  readonly consentOfNew: boolean
  /** The place of the first added contact in the list. */
  readonly nextSeq: number
}

export class ImportStore extends Context.Service<
  ImportStore,
  {
    /**
     * Adds people to the staged rows; within one call each has another key. A person who is there already takes over
     * what the later rows say, as `ContactImport.and` does.
     */
    readonly stage: (
      job: ImportJob,
      people: ReadonlyArray<StagedPerson>
    ) => Effect.Effect<void, StorageError, Tx | Read>
    /**
     * Marks who is not to be put on the list, being on it or earlier in the file by `PhoneNumber.samePerson`, and
     * reports what `apply` would do. Changes nothing but the staged rows. `rows` is how many rows of the file are staged.
     */
    readonly compare: (
      job: ImportJob
    ) => Effect.Effect<ImportEffect & { readonly rows: number }, StorageError, Tx | Read>
    /**
     * Writes the staged people into the address book, and those that are not marked onto the list, in the order of the
     * file; whose list it is counts them. After `compare`, in its transaction, under the locks of the account's imports and of the list.
     */
    readonly apply: (job: ImportJob, terms: ImportTerms) => Effect.Effect<void, StorageError, Tx | Read>
  }
>()("@trunkline/core/calling/contacts/ImportStore") {}
