/** Handlers of bills that customers pay in the chat. */
import * as Effect from "effect/Effect"
import { actorOf, CurrentPrincipal, doerOf, type Principal } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { messagingErrors, type PaymentConfiguration } from "../channels/index.ts"
import * as MessagingHttp from "../routes/MessagingHttp.ts"
import { type Payment, PaymentRecord, shownPayment } from "./Payment.ts"
import { paymentErrors } from "./PaymentErrors.ts"
import { type By, type NewPayment, Payments } from "./Payments.ts"
import { type NewPaymentFields, paymentPages, paymentsGroup } from "./PaymentsApi.ts"

const answer = answering({ ...messagingErrors, ...paymentErrors, ...storageErrors })

/** A bill as it comes, with what is left out. */
export const givenPayment = (given: NewPaymentFields): NewPayment => ({
  phoneNumberId: given.phone_number_id,
  // The contract needs one of them.
  to: MessagingHttp.recipientOf(given.to ?? undefined, given.user_id ?? undefined)!,
  referenceId: given.reference_id,
  configuration: given.configuration,
  kind: given.kind,
  currency: given.currency,
  items: given.items.map(({ amount, name, quantity, retailer_id, sale_amount }) => ({
    retailerId: retailer_id,
    name,
    amount,
    quantity,
    saleAmount: sale_amount ?? null
  })),
  tax: given.tax ?? null,
  shipping: given.shipping ?? null,
  discount: given.discount ?? null,
  body: given.body,
  footer: given.footer ?? null,
  headerImage: given.header_image ?? null,
  expiresAt: given.expires_at ?? null
})

export const paymentRecord = (payment: Payment) => PaymentRecord.toWire(shownPayment(payment))

const configurationRecord = ({ updatedAt: _, ...configuration }: PaymentConfiguration) => Wire.toWire(configuration)

const byOf = (caller: Principal["caller"]): By => ({
  actor: actorOf(caller),
  sentBy: caller._tag === "Key" ? null : doerOf(caller)
})

export const layer = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(paymentsGroup(brand)),
    "chatPayments",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* Payments
      return handlers.handleAll({
        listConfigurations: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const items = yield* answer(service.configurations(tenantId, query.phone_number_id))
          return yield* list({ items, total: items.length }, configurationRecord)
        }),
        getConfiguration: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          const found = service.configuration(tenantId, query.phone_number_id, params.name)
          return configurationRecord(yield* answer(found))
        }),
        create: Effect.fnUntraced(function* ({ payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          return paymentRecord(yield* answer(service.create(tenantId, givenPayment(payload), byOf(caller))))
        }),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const { reference_id: referenceId = null, status = null } = query
          const found = service.list(tenantId, { status, referenceId }, pageOf(query, paymentPages.standard))
          return yield* list(yield* answer(found), paymentRecord)
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return paymentRecord(yield* answer(service.get(tenantId, params.payment_id)))
        }),
        refresh: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return paymentRecord(yield* answer(service.refresh(tenantId, params.payment_id)))
        }),
        update: Effect.fnUntraced(function* ({ params, payload: { body, description = null, status } }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const update = { status, body, description }
          return paymentRecord(yield* answer(service.update(tenantId, params.payment_id, update, byOf(caller))))
        })
      })
    })
  )
