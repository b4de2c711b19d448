/** Port: what an account knows of the people whom it writes to. Calling implements it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { MatchKey } from "../numbers/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError } from "../storage/index.ts"

/** A person in the address book. */
export interface BookEntry {
  readonly phone: string
  readonly name: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly company: string | null
  readonly optedIn: boolean
  readonly custom: Readonly<Record<string, string>>
}

/** Whom of the address book a list is made of. */
export interface Segment {
  readonly tags: ReadonlyArray<string>
  /** Whether one of the tags is enough, or all are needed. */
  readonly match: "any" | "all"
  /** Nobody who has one of these. */
  readonly excludeTags: ReadonlyArray<string>
  /** Those alone who have agreed to be messaged. */
  readonly optedIn: boolean
}

export interface AddressBook {
  /**
   * The person of each number, in the order of the keys; null where nobody has it. Of several with one number the newest; `optedIn` is
   * true where one of them has agreed.
   */
  readonly ofNumbers: (
    tenantId: Ids.AccountId,
    keys: ReadonlyArray<MatchKey>
  ) => Effect.Effect<ReadonlyArray<BookEntry | null>, StorageError, Read>
  /**
   * Looks at the first `limit` people behind `after`, oldest first, and returns those of a segment among them, which may be none; `next`
   * is null where there are no more. Null for `after` begins.
   */
  readonly inSegment: (
    tenantId: Ids.AccountId,
    segment: Segment,
    after: string | null,
    limit: number
  ) => Effect.Effect<{ readonly entries: ReadonlyArray<BookEntry>; readonly next: string | null }, StorageError, Read>
  /** Which of these numbers are on the account's do-not-call list, in the order of the keys. */
  readonly doNotCall: (
    tenantId: Ids.AccountId,
    keys: ReadonlyArray<MatchKey>
  ) => Effect.Effect<ReadonlyArray<boolean>, StorageError, Read>
}

/** Without calling there is neither an address book nor a do-not-call list. */
export const AddressBook = Context.Reference<AddressBook>("@trunkline/core/platform/overview/AddressBook", {
  defaultValue: () => ({
    ofNumbers: (_, keys) => Effect.succeed(keys.map(() => null)),
    inSegment: () => Effect.succeed({ entries: [], next: null }),
    doNotCall: (_, keys) => Effect.succeed(keys.map(() => false))
  })
})
