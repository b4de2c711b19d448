/** What becomes of messages that are bills, and what is reported of their payments, in the caller's transaction. Source: docs/reference/payments.md#status. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../../platform/kernel/index.ts"
import { lock } from "../../platform/storage/index.ts"
import { type BillingNumber, type Message, PaymentMessages } from "../messages/index.ts"
import { afterAccepted, afterReport } from "./PaymentChanges.ts"
import { PaymentStore } from "./PaymentStore.ts"

/** Serialises what is done about one reference of a number. */
export const lockReference = ({ phoneNumberId, tenantId }: BillingNumber, referenceId: string) =>
  lock("payment", `${tenantId} ${phoneNumberId} ${referenceId}`)

const isBill = ({ body, direction, type }: Message): boolean =>
  direction === "outbound" && type === "interactive" && body.type === "order_details"

export const layer = Layer.effect(
  PaymentMessages,
  Effect.gen(function* () {
    const store = yield* PaymentStore

    /** The payment of a message, which nobody else changes; null where the message is no bill of ours. */
    const locked = Effect.fnUntraced(function* (message: Message) {
      if (!isBill(message)) return null
      const { id, tenantId } = message
      const found = yield* store.byMessage(tenantId, id)
      if (found === null) return null
      yield* lockReference(found, found.referenceId)
      return yield* store.byMessage(tenantId, id)
    })

    return PaymentMessages.of({
      accepted: Effect.fnUntraced(function* (message) {
        const payment = message.msgid === null ? null : yield* locked(message)
        if (payment !== null) yield* store.save(afterAccepted(payment, message.msgid!))
      }),
      refused: Effect.fnUntraced(function* (message) {
        const payment = yield* locked(message)
        if (payment?.status === "requested") yield* store.remove(payment.tenantId, payment.id)
      }),
      lock: Effect.fnUntraced(function* (number, reports) {
        const references = new Set(reports.map(({ referenceId }) => referenceId))
        for (const referenceId of [...references].toSorted()) yield* lockReference(number, referenceId)
      }),
      reported: Effect.fnUntraced(function* ({ phoneNumberId, tenantId }, report) {
        const payment = yield* store.byReference(tenantId, phoneNumberId, report.referenceId)
        if (payment !== null) yield* store.save(afterReport(payment, report, yield* Instant.now))
      })
    })
  })
)
