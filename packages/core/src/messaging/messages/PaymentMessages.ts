/** Port: what becomes of bills that were sent, and what the channel's network reports of their payments. Source: docs/reference/payments.md#status. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { InboundPayment } from "./InboundBatch.ts"
import type { Message } from "./Message.ts"

/** The number that a bill was sent from. */
export interface BillingNumber {
  readonly tenantId: Ids.AccountId
  readonly phoneNumberId: string
}

export class PaymentMessages extends Context.Service<
  PaymentMessages,
  {
    /** The channel has accepted a message: where it is a bill, the payment has its id. */
    readonly accepted: (message: Message) => Effect.Effect<void, StorageError, Tx | Read>
    /** The channel has certainly not accepted a message: where it is a bill, there is no payment, and its reference is free. */
    readonly refused: (message: Message) => Effect.Effect<void, StorageError, Tx | Read>
    /** Nobody else changes the payments of these reports before the end of the transaction. After all other locks of a delivery. */
    readonly lock: (
      number: BillingNumber,
      reports: ReadonlyArray<InboundPayment>
    ) => Effect.Effect<void, StorageError, Tx>
    /** Applies a report, which needs its lock. One about no payment of ours changes nothing. */
    readonly reported: (number: BillingNumber, report: InboundPayment) => Effect.Effect<void, StorageError, Tx | Read>
  }
>()("@trunkline/core/messaging/messages/PaymentMessages") {}
