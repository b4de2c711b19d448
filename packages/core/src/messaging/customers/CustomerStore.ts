/**
 * Port: customers, found by phone, by the platform's own id of people, or by both. Lock ("customer-of", name) before a customer
 * is looked up and added; lock ("customer", id) before one is changed.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { Customer, CustomerActivity, CustomerIdentity } from "./Customer.ts"

export class CustomerStore extends Context.Service<
  CustomerStore,
  {
    readonly add: (customer: Customer) => Effect.Effect<void, StorageError, Tx>
    readonly byId: (id: Ids.CustomerId) => Effect.Effect<Customer | null, StorageError, Read>
    /** Who has this phone, then who has another form of it: several only until they are merged. */
    readonly byPhone: (
      phoneId: Ids.PhoneId,
      phone: string
    ) => Effect.Effect<ReadonlyArray<Customer>, StorageError, Read>
    readonly byRef: (phoneId: Ids.PhoneId, userRef: string) => Effect.Effect<Customer | null, StorageError, Read>
    readonly saveIdentity: (identity: CustomerIdentity) => Effect.Effect<void, StorageError, Tx>
    readonly saveActivity: (activity: CustomerActivity) => Effect.Effect<void, StorageError, Tx>
    /**
     * These phones are forms of one number from now on, by each of which its customer is found. Lock ("customer-of", name) of each
     * before.
     */
    readonly joinForms: (
      number: { readonly id: Ids.PhoneId; readonly tenantId: Ids.AccountId },
      phones: ReadonlyArray<string>
    ) => Effect.Effect<void, StorageError, Tx | Read>
    /**
     * Two customers are one person: conversations and messages of `from` become those of `into`, and `from` is removed, so that
     * `into` may be saved with its phone and user ref. Lock both before they are read.
     */
    readonly absorb: (customers: {
      readonly from: Ids.CustomerId
      readonly into: Ids.CustomerId
    }) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/messaging/customers/CustomerStore") {}
