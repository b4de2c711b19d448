/** Port: the account's address book. The import adds to it, see ImportStore. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Page } from "../../platform/kernel/index.ts"
import type { KeyRange } from "../../platform/numbers/index.ts"
import type { Segment } from "../../platform/overview/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { CrmContact } from "./CrmContact.ts"

/** Which contacts are found. Null asks for nothing. */
export interface CrmContactSearch {
  /** A part of a name, of first and last name together, of the email address or of the company, in any case. */
  readonly text: string | null
  /** One of the contact's tags, exactly. */
  readonly tag: string | null
}

/** All of them. */
export const everybody: CrmContactSearch = { text: null, tag: null }

export class ContactStore extends Context.Service<
  ContactStore,
  {
    readonly find: (
      tenantId: Ids.AccountId,
      id: Ids.CrmContactId
    ) => Effect.Effect<CrmContact | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      search: CrmContactSearch,
      page: Page
    ) => Effect.Effect<ReadonlyArray<CrmContact>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, search: CrmContactSearch) => Effect.Effect<number, StorageError, Read>
    /** Contacts whose key lies in a half-open range of `PhoneNumber.seekRange`, at most 1,111, newest first. */
    readonly between: (
      tenantId: Ids.AccountId,
      range: KeyRange,
      search: CrmContactSearch
    ) => Effect.Effect<ReadonlyArray<CrmContact>, StorageError, Read>
    /** Contacts whose keys lie in one of several ranges, which do not overlap, in no order. */
    readonly near: (
      tenantId: Ids.AccountId,
      ranges: ReadonlyArray<KeyRange>
    ) => Effect.Effect<ReadonlyArray<CrmContact>, StorageError, Read>
    /**
     * Looks at the first `limit` contacts behind one, oldest first, null for all, and returns those of a segment among them. `next` is
     * the last that it has looked at; null where there are no more.
     */
    readonly segment: (
      tenantId: Ids.AccountId,
      segment: Segment,
      after: Ids.CrmContactId | null,
      limit: number
    ) => Effect.Effect<
      { readonly contacts: ReadonlyArray<CrmContact>; readonly next: Ids.CrmContactId | null },
      StorageError,
      Read
    >
    // A writer has the lock ("contact-import", tenantId), under which imports write too.
    /** Adds a contact unless one with the same key exists: false then. */
    readonly add: (contact: CrmContact) => Effect.Effect<boolean, StorageError, Tx>
    /** Writes all of a contact but its account, its number and when it was made. */
    readonly save: (contact: CrmContact) => Effect.Effect<void, StorageError, Tx>
    /** False where the account has no such contact. */
    readonly remove: (tenantId: Ids.AccountId, id: Ids.CrmContactId) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/calling/contacts/ContactStore") {}
