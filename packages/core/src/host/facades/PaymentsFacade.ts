/** Bills that customers pay in the chat, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type {
  BillItem,
  PaymentConfiguration as KnownConfiguration,
  OrderStatus
} from "../../messaging/channels/index.ts"
import {
  type Payment,
  PaymentRecord,
  type PaymentStatus,
  Payments,
  type ShownTransaction,
  shownPayment
} from "../../messaging/payments/index.ts"
import * as PaymentsApi from "../../messaging/payments/PaymentsApi.ts"
import { givenPayment } from "../../messaging/payments/PaymentsHttp.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Instant, type Paged, Wire } from "../../platform/kernel/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "../Facade.ts"
import * as Ids from "../HostIds.ts"
import { phoneNumberId } from "./ChannelArguments.ts"

/** One product or service of a bill. Amounts are in paise. */
export interface NewPaymentItem extends Pick<BillItem, "retailerId" | "name" | "amount" | "quantity"> {
  /** The price that is paid instead of `amount`. */
  readonly saleAmount?: number | null
}

/** A bill. Amounts are whole numbers of paise; what it comes to is computed. Source: docs/reference/payments.md#bill. */
export interface NewPaymentRequest {
  /** The platform's id of a connected number. */
  readonly phoneNumberId: string
  /** An international number, however it is punctuated. */
  readonly to?: string | null
  /** Instead of it: the customer as conversations and events say. */
  readonly userId?: string | null
  /** Your own id of the order: 1 to 35 letters, digits, hyphens, underscores and dots. */
  readonly referenceId: string
  /** The name of a payment configuration of the number's business account. */
  readonly configuration: string
  /** `digital` or `physical` goods. */
  readonly kind: "digital" | "physical"
  /** `INR`. */
  readonly currency: "INR"
  /** At most 100. */
  readonly items: ReadonlyArray<NewPaymentItem>
  /** Added to the items. */
  readonly tax?: number | null
  /** Added to the items. */
  readonly shipping?: number | null
  /** Taken off. */
  readonly discount?: number | null
  /** Text of the message. */
  readonly body: string
  /** Small text below it. */
  readonly footer?: string | null
  /** Address of a picture above it, which begins with `https://`. */
  readonly headerImage?: string | null
  /** Until when it can be paid, 5 minutes to 30 days ahead: a `Date`, milliseconds since 1970 UTC, or an ISO 8601 instant. Left out or null: no end. */
  readonly expiresAt?: Date | number | string | null
}

/** Where the money of a business account can go. A field that the platform does not name is null. */
export interface PaymentConfigurationView {
  /** The name that a bill names it by. */
  readonly name: string
  /** In the platform's words. */
  readonly status: string | null
  /** The payment provider. */
  readonly provider: string | null
  /** The id of the account at the provider. */
  readonly merchantId: string | null
  /** The address of the payment interface. */
  readonly vpa: string | null
  /** The category of the merchant. */
  readonly categoryCode: string | null
  /** The purpose of the payments. */
  readonly purposeCode: string | null
}

/** A payment, as it is shown. Source: docs/reference/payments.md#record. */
export interface PaymentView {
  /** The id of the payment. */
  readonly id: Ids.PaymentId
  /** Your own id of the order. */
  readonly referenceId: string
  /** The platform's id of the number that has sent the bill. */
  readonly phoneNumberId: string
  /** The customer, as conversations and events call them. */
  readonly userId: string | null
  /** The customer's phone; null where it is not known. */
  readonly phone: string | null
  /** How far the payment has come. */
  readonly status: PaymentStatus
  /** What is to be paid in all, in paise. */
  readonly amount: number
  /** Three letters. */
  readonly currency: string
  /** The platform's id of the message; null where it is not known to be sent. */
  readonly msgid: string | null
  /** The conversation that the bill is in. */
  readonly conversationId: Ids.ConversationId
  /** Attempts to pay. */
  readonly transactions: ReadonlyArray<ShownTransaction>
  /** How far the order has come, as the customer was last sent; null before. */
  readonly orderStatus: OrderStatus | null
  /** Until when it can be paid; null for no end. */
  readonly expiresAt: Instant.Instant | null
  /** When it was requested. */
  readonly createdAt: Instant.Instant
  /** When it last changed. */
  readonly updatedAt: Instant.Instant
}

/** Which payments are listed, and which page of them. */
export interface PaymentsQuery extends PageOptions {
  /** Payments with this status alone. */
  readonly status?: PaymentStatus
  /** Payments with this reference alone. */
  readonly referenceId?: string
}

/** What a customer is sent about an order. */
export interface PaymentUpdate {
  /** `canceled` withdraws the bill. */
  readonly status: OrderStatus
  /** Text of the message. */
  readonly body: string
  /** Why the order has this status. */
  readonly description?: string | null
}

/** Source: docs/reference/payments.md. */
export interface PaymentsFacade {
  /** Where the money of the number's business account can go. */
  readonly configurations: (
    accountId: string,
    phoneNumberId: string,
    options?: CallOptions
  ) => Promise<ReadonlyArray<PaymentConfigurationView>>
  /** Rejects with `payment_configuration_not_found` (404) where there is none of this name. */
  readonly configuration: (
    accountId: string,
    phoneNumberId: string,
    name: string,
    options?: CallOptions
  ) => Promise<PaymentConfigurationView>
  /** Sends a bill, once. Rejects with `reference_used` (409) where the number has used the reference before. */
  readonly create: (accountId: string, payment: NewPaymentRequest, options?: CallOptions) => Promise<PaymentView>
  /** One payment. Rejects with `payment_not_found` (404) where the account has none of this id. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<PaymentView>
  /** Newest first. */
  readonly list: (accountId: string, query?: PaymentsQuery) => Promise<Paged<PaymentView>>
  /** Asks the platform about a payment now. */
  readonly refresh: (accountId: string, id: string, options?: CallOptions) => Promise<PaymentView>
  /** Sends the customer how far the order has come. Rejects with `payment_captured` (409) where a paid one would be cancelled. */
  readonly setStatus: (
    accountId: string,
    id: string,
    update: PaymentUpdate,
    options?: CallOptions
  ) => Promise<PaymentView>
}

const { accountId, argument, callOptions, listOptions, record } = Arguments

const { expires_at: _, items: __, ...fields } = PaymentsApi.newPayment

const item = Schema.Struct(Wire.fromWire(PaymentsApi.newPaymentItem)).check(
  Schema.makeFilter(
    ({ amount, saleAmount }) =>
      (saleAmount ?? amount) <= amount || { path: ["saleAmount"], issue: "Expected at most the amount" }
  )
)

const bill = Schema.Struct({
  ...Wire.fromWire(fields),
  items: PaymentsApi.itemsOf(item),
  expiresAt: Fields.optional(Instant.Given)
}).check(
  Schema.makeFilter(
    ({ to, userId }) =>
      (to ?? userId ?? null) !== null || { path: ["to"], issue: "Field required, or a userId instead" }
  )
)

const listed = listOptions(
  Schema.Struct({ ...Wire.fromWire(PaymentsApi.paymentsQuery), ...Arguments.signal }),
  PaymentsApi.paymentPages
)

const shown = (payment: Payment): PaymentView => PaymentRecord.shown(shownPayment(payment))

const shownConfiguration = ({ updatedAt: _, ...configuration }: KnownConfiguration): PaymentConfigurationView =>
  configuration

export const paymentsFacade = (method: Method): PaymentsFacade => {
  const one = [accountId, argument("id", Ids.schema<"Payment">())] as const
  return {
    configurations: method([accountId, phoneNumberId, callOptions], (tenantId, number) =>
      Effect.map(
        Payments.use((p) => p.configurations(tenantId, number)),
        (all) => all.map(shownConfiguration)
      )
    ),
    configuration: method(
      [accountId, phoneNumberId, argument("name", PaymentsApi.ConfigurationName), callOptions],
      (tenantId, number, name) =>
        Effect.map(
          Payments.use((p) => p.configuration(tenantId, number, name)),
          shownConfiguration
        )
    ),
    create: method([accountId, record("payment", bill), callOptions], (tenantId, given) =>
      ofAccount(
        tenantId,
        Effect.map(
          Payments.use((p) =>
            p.create(tenantId, givenPayment({ ...Wire.toWire(given), items: given.items.map(Wire.toWire) }))
          ),
          shown
        )
      )
    ),
    get: method([...one, callOptions], (tenantId, id) =>
      Effect.map(
        Payments.use((p) => p.get(tenantId, id)),
        shown
      )
    ),
    list: method([accountId, listed], (tenantId, { limit, offset, referenceId = null, status = null }) =>
      Effect.map(
        Payments.use((p) => p.list(tenantId, { referenceId, status }, { limit, offset })),
        shownPage(shown)
      )
    ),
    refresh: method([...one, callOptions], (tenantId, id) =>
      Effect.map(
        Payments.use((p) => p.refresh(tenantId, id)),
        shown
      )
    ),
    setStatus: method(
      [...one, record("update", Schema.Struct(PaymentsApi.paymentUpdate)), callOptions],
      (tenantId, id, { body, description = null, status }) =>
        Effect.map(
          Payments.use((p) => p.update(tenantId, id, { status, body, description })),
          shown
        )
    )
  }
}
