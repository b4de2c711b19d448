/** A person in the account's address book, whom campaigns and conversations may refer to. */
import type { Ids, Instant } from "../kernel/index.ts"
import type { PhoneNumber } from "../suppression/index.ts"

/** Source: docs/contacts.md#crm. */
export interface CrmContact {
  readonly id: Ids.CrmContactId
  readonly tenantId: Ids.AccountId
  /** As it was given. */
  readonly phone: string
  readonly matchKey: PhoneNumber.MatchKey
  readonly name: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly company: string | null
  readonly tags: ReadonlyArray<string>
  readonly notes: string | null
  /** Consent to be messaged. An import may give it and never takes it away. */
  readonly optedIn: boolean
  readonly custom: Readonly<Record<string, string>>
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
}
