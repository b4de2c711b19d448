/** The contract of bills that customers pay in the chat. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { IsCollection } from "../../platform/http/index.ts"
import { ActsOutside } from "../../platform/http/KeyedWrites.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { orderStatuses } from "../channels/index.ts"
import { ofNumber, ofPlatform, PlatformId, Recipient, UserId } from "../routes/MessagingApi.ts"
import { maxAmount } from "./BillTotals.ts"
import { PaymentRecord } from "./Payment.ts"
import { paymentStatuses } from "./PaymentMoves.ts"

/** A segment of paths of the platform's: dots alone would be another path. */
const isOtherPath = (reference: string): boolean => reference === "." || reference === ".."

export const ReferenceId = Fields.text(1, 35).check(
  Schema.isPattern(/^[\w.-]*$/, { expected: "letters, digits, hyphens, underscores and dots" }),
  Schema.makeFilter((reference: string) => !isOtherPath(reference) || "Expected more than dots", {
    toJsonSchema: () => ({})
  })
)

export const ConfigurationName = Fields.text(1, 60)

const Amount = Fields.integer(1, maxAmount)

const PictureLink = Fields.text(1, 2048).check(
  Schema.makeFilter(
    (given: string) => /^https:\/\/[^\s/]/i.test(given) || "Expected an address that begins with https://",
    {
      toJsonSchema: () => ({})
    }
  )
)

/** One product or service of a bill. */
export const newPaymentItem = {
  retailer_id: Fields.text(1, 100),
  name: Fields.text(1, 60),
  amount: Amount,
  quantity: Fields.integer(1, 9999),
  sale_amount: Fields.optional(Amount)
}

const Item = Schema.Struct(newPaymentItem).check(
  Schema.makeFilter(
    ({ amount, sale_amount }) =>
      (sale_amount ?? amount) <= amount || { path: ["sale_amount"], issue: "Expected at most the amount" }
  )
)

export const itemsOf = <S extends Schema.Constraint>(item: S) =>
  Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(100))

/** What a caller asks for. */
export const newPayment = {
  phone_number_id: PlatformId,
  to: Fields.optional(Recipient),
  user_id: Fields.optional(UserId),
  reference_id: ReferenceId,
  configuration: ConfigurationName,
  kind: Schema.Literals(["digital", "physical"]),
  currency: Schema.Literals(["INR"]),
  items: itemsOf(Item),
  tax: Fields.optional(Amount),
  shipping: Fields.optional(Amount),
  discount: Fields.optional(Amount),
  body: Fields.name(1024),
  footer: Fields.optional(Fields.name(60)),
  header_image: Fields.optional(PictureLink),
  expires_at: Fields.optional(Instant.AnyIso)
}

export const NewPaymentFields = Schema.Struct(newPayment).check(
  Schema.makeFilter(
    ({ to, user_id }) =>
      (to ?? user_id ?? null) !== null || { path: ["to"], issue: "Field required, or user_id instead" }
  )
)
export type NewPaymentFields = typeof NewPaymentFields.Type

/** The type does not say what stands on the wire: one with a key of the brand's does not compile in projects that check the types of libraries. */
const newPaymentBody = ({ userIdField }: Brand): Schema.Codec<NewPaymentFields, object> =>
  NewPaymentFields.pipe(Schema.encodeKeys({ user_id: userIdField })).annotate({ identifier: "NewPayment" })

export const paymentUpdate = {
  status: Schema.Literals(orderStatuses),
  body: Fields.name(1024),
  description: Fields.optional(Fields.name(120))
}

const PaymentUpdate = Schema.Struct(paymentUpdate).annotate({ identifier: "PaymentUpdate" })

export const paymentPages = { limit: 500, standard: 100, offset: 1_000_000 }

export const paymentsQuery = {
  ...Fields.page(paymentPages),
  status: Schema.optionalKey(Schema.Literals(paymentStatuses)),
  reference_id: Schema.optionalKey(ReferenceId)
}

const text = Schema.NullOr(Schema.String)

const Configuration = Schema.Struct({
  name: Schema.String,
  status: text,
  provider: text,
  merchant_id: text,
  vpa: text,
  category_code: text,
  purpose_code: text
}).annotate({ identifier: "PaymentConfiguration" })

/** As of a new payment. */
const paymentBody = ({ messageIdField, userIdField }: Brand): Schema.Codec<typeof PaymentRecord.schema.Type, object> =>
  PaymentRecord.schema
    .pipe(Schema.encodeKeys({ msgid: messageIdField, user_id: userIdField }))
    .annotate({ identifier: "Payment" })

const one = { payment_id: Ids.schema<"Payment">() }

const failures = [...ofPlatform, Unprocessable] as const

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const textsOf = ({ messageIdField, userIdField }: Brand) => ({
  "query.phone_number_id": "The chat platform's id of the connected number",
  "query.status": "Returns only payments with this status",
  "query.reference_id": "Returns only payments with this reference",
  phone_number_id: "The chat platform's id of the number that sends the bill",
  to: "Phone number of the customer, with the country code",
  [userIdField]: "The chat platform's id of the customer",
  phone: "Phone number of the customer; null where it is not known",
  reference_id: "The account's own id of the order, which a number can use once",
  "NewPayment.configuration": "Name of the payment configuration that the money goes to",
  kind: "Whether goods are delivered by wire or by hand",
  currency: "Currency as three letters",
  items: "What is to be paid for; at most 100",
  retailer_id: "The account's own id of the product",
  "NewPayment.name": "Name of the product",
  "NewPayment.amount": "Price of one piece, in paise",
  quantity: "Number of pieces",
  sale_amount: "Price of one piece that is paid instead of amount; null where amount is",
  tax: "Tax that is added, in paise; null for none",
  shipping: "Cost of delivery that is added, in paise; null for none",
  discount: "What is taken off the bill, in paise; null for nothing",
  body: "Text of the message",
  footer: "Small text below it; null for none",
  header_image: "Address of a picture above it, which begins with https; null for none",
  "NewPayment.expires_at": "Time until which it can be paid, 5 minutes to 30 days ahead; null for no end",
  expires_at: "Time until which it can be paid; null for no end",
  "Payment.status": "How far the payment has come",
  amount: "What is to be paid in all, in paise",
  [messageIdField]: "The chat platform's id of the message; null where it is not known to be sent",
  conversation_id: "Id of the conversation that the bill is in",
  transactions: "Attempts to pay",
  order_status: "How far the order has come, as the customer was last sent; null before",
  "PaymentUpdate.status": "How far the order has come",
  description: "Why the order has this status; null where nothing is said",
  name: "Name of the configuration",
  "PaymentConfiguration.status": "Status in the chat platform's words; null where it names none",
  provider: "Payment provider; null where it is not named",
  merchant_id: "Id of the account at the provider; null where it is not named",
  vpa: "Address of the payment interface; null where there is none",
  category_code: "Category of the merchant; null where it is not named",
  purpose_code: "Purpose of the payments; null where it is not named"
})

const groupOf = (brand: Brand) => {
  const Payment = paymentBody(brand)
  return HttpApiGroup.make("chatPayments")
    .add(
      HttpApiEndpoint.get("listConfigurations", "/payment-configurations", {
        query: ofNumber,
        success: Schema.Array(Configuration),
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described("List payment configurations", "Returns where the money of a number's business account can go.")
        ),
      HttpApiEndpoint.get("getConfiguration", "/payment-configurations/:name", {
        params: { name: ConfigurationName },
        query: ofNumber,
        success: Configuration,
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described("Get a payment configuration", "Returns one configuration of a number's business account.")
        ),
      HttpApiEndpoint.post("create", "/payments", {
        payload: newPaymentBody(brand),
        success: Payment.pipe(HttpApiSchema.status(201)),
        error: [...failures, Conflict]
      })
        .annotate(NeedsScope, "channel:send")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described(
            "Request a payment",
            "Sends a customer a bill to pay in the chat, once for each reference of a number."
          )
        ),
      HttpApiEndpoint.get("list", "/payments", { query: paymentsQuery, success: Schema.Array(Payment) })
        .annotate(NeedsScope, "channel:read")
        .annotate(IsCollection, true)
        .annotateMerge(described("List payments", "Returns the payments that were requested, newest first.")),
      HttpApiEndpoint.get("get", "/payments/:payment_id", { params: one, success: Payment, error: NotFound })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(described("Get a payment", "Returns one payment.")),
      HttpApiEndpoint.post("refresh", "/payments/:payment_id/refresh", {
        params: one,
        success: Payment,
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          described(
            "Look up a payment",
            "Asks the chat platform about a payment now, and returns it with what it says."
          )
        ),
      HttpApiEndpoint.post("update", "/payments/:payment_id/status", {
        params: one,
        payload: PaymentUpdate,
        success: Payment,
        error: [...failures, Conflict]
      })
        .annotate(NeedsScope, "channel:send")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described(
            "Set the status of an order",
            "Sends the customer how far the order has come, and withdraws the bill where that is `canceled`."
          )
        )
    )
    .prefix(`/api/v1/${brand.channel}`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Bills that customers pay in the chat, and what becomes of them")
    .annotate(BodyExamples, {
      create: {
        phone_number_id: "106540352242922",
        to: "+91 98765 43210",
        reference_id: "order-1009",
        configuration: "shop",
        kind: "physical",
        currency: "INR",
        items: [{ retailer_id: "tea", name: "Tea, 100 g", amount: 25000, quantity: 2 }],
        shipping: 5000,
        body: "Your order is ready to be sent."
      },
      update: { status: "shipped", body: "Your order is on its way." }
    })
    .annotate(FieldTexts, textsOf(brand))
}

/** By its name: the type of the whole contract would be too long for the compiler, if it had this one written out in it. */
export interface PaymentsGroup extends ReturnType<typeof groupOf> {}

export const paymentsGroup = (brand: Brand): PaymentsGroup => groupOf(brand)
