/** Ports: payments, and what deliveries have said of configurations of payments. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { Payment, PaymentStatus } from "./Payment.ts"

/** Which payments are asked for; null for all. */
export interface PaymentFilter {
  readonly status: PaymentStatus | null
  readonly referenceId: string | null
}

/** Lock ("payment", …) of a number and a reference before the payment is looked for and written. */
export class PaymentStore extends Context.Service<
  PaymentStore,
  {
    readonly add: (payment: Payment) => Effect.Effect<void, StorageError, Tx>
    readonly find: (tenantId: Ids.AccountId, id: Ids.PaymentId) => Effect.Effect<Payment | null, StorageError, Read>
    readonly byReference: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      referenceId: string
    ) => Effect.Effect<Payment | null, StorageError, Read>
    /** The payment whose bill a message is. */
    readonly byMessage: (
      tenantId: Ids.AccountId,
      messageId: Ids.MessageId
    ) => Effect.Effect<Payment | null, StorageError, Read>
    readonly save: (payment: Payment) => Effect.Effect<void, StorageError, Tx>
    readonly remove: (tenantId: Ids.AccountId, id: Ids.PaymentId) => Effect.Effect<void, StorageError, Tx>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: PaymentFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Payment>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, filter: PaymentFilter) => Effect.Effect<number, StorageError, Read>
    /** When the first payment is due; null for none. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Takes payments that are due at `at`: nobody else takes them before `until`. */
    readonly claimDue: (
      at: Instant.Instant,
      until: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Payment>, StorageError, Tx>
  }
>()("@trunkline/core/messaging/payments/PaymentStore") {}

/** What a delivery has said of a configuration. Each account keeps its own. */
export interface KnownConfiguration {
  readonly tenantId: Ids.AccountId
  readonly channel: string
  readonly businessAccountId: string
  readonly name: string
  readonly status: string
  /** When the network wrote it. */
  readonly reportedAt: Instant.Instant
}

export type ConfigurationOwner = Pick<KnownConfiguration, "tenantId" | "channel" | "businessAccountId">

export class KnownConfigurationStore extends Context.Service<
  KnownConfigurationStore,
  {
    /** Those of a business account, in no order. */
    readonly of: (owner: ConfigurationOwner) => Effect.Effect<ReadonlyArray<KnownConfiguration>, StorageError, Read>
    /** Adds it, or writes it anew, unless what is there was written later. */
    readonly save: (known: KnownConfiguration) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/messaging/payments/KnownConfigurationStore") {}
