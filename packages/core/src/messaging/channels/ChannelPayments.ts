/** Port: bills that customers pay in the chat, and what the channel's network knows of their payments. Source: docs/reference/payments.md. */
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { PaymentFacts } from "../messages/InboundBatch.ts"
import type { JsonObject } from "../messages/JsonObject.ts"
import type { ChannelConnection } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"

/** Where the money of a business account goes. A field that the network does not name is null. */
export interface PaymentConfiguration {
  readonly name: string
  /** In the network's words. */
  readonly status: string | null
  readonly provider: string | null
  readonly merchantId: string | null
  /** The address of a payment interface that money is sent to. */
  readonly vpa: string | null
  readonly categoryCode: string | null
  readonly purposeCode: string | null
  /** When the network has last changed it. */
  readonly updatedAt: Instant.Instant | null
}

/** One product or service of a bill. Amounts are whole numbers of the smallest unit of the currency. */
export interface BillItem {
  readonly retailerId: string
  readonly name: string
  readonly amount: number
  readonly quantity: number
  /** The price that holds instead of `amount`; null where that holds. */
  readonly saleAmount: number | null
}

export interface Bill {
  readonly referenceId: string
  readonly configuration: { readonly name: string; readonly provider: string }
  readonly kind: "digital" | "physical"
  readonly currency: string
  readonly items: ReadonlyArray<BillItem>
  readonly subtotal: number
  readonly tax: number | null
  readonly shipping: number | null
  readonly discount: number | null
  readonly total: number
  readonly body: string
  readonly footer: string | null
  /** The address of a picture. */
  readonly headerImage: string | null
  readonly expiresAt: Instant.Instant | null
}

/** How far an order has come. */
export const orderStatuses = ["processing", "partially_shipped", "shipped", "completed", "canceled"] as const
export type OrderStatus = (typeof orderStatuses)[number]

export interface OrderUpdate {
  readonly referenceId: string
  readonly status: OrderStatus
  readonly description: string | null
  readonly body: string
}

export interface ChannelPayments {
  /** The content of a message of the type `interactive`, in the words of the public API. */
  readonly billOf: (bill: Bill) => JsonObject
  /** The same, for a message that says how far an order has come. */
  readonly updateOf: (update: OrderUpdate) => JsonObject
  readonly configurations: (
    connection: ChannelConnection
  ) => Effect.Effect<ReadonlyArray<PaymentConfiguration>, ChannelFailed>
  /** Null where the business account has none of this name. */
  readonly configuration: (
    connection: ChannelConnection,
    name: string
  ) => Effect.Effect<PaymentConfiguration | null, ChannelFailed>
  /** What the network knows of the payment of a bill; null for nothing. */
  readonly lookUp: (
    connection: ChannelConnection,
    bill: { readonly configuration: string; readonly referenceId: string }
  ) => Effect.Effect<PaymentFacts | null, ChannelFailed>
}
