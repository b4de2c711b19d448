/** What the use cases of payments refuse. Source: docs/reference/errors.md. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const paymentErrors = {
  InvalidPayment: { status: 422, code: "invalid_payment" },
  PaymentCaptured: { status: 409, code: "payment_captured" },
  PaymentConfigurationNotFound: { status: 404, code: "payment_configuration_not_found" },
  PaymentNotFound: { status: 404, code: "payment_not_found" },
  ReferenceUsed: { status: 409, code: "reference_used" }
} as const satisfies ErrorTable

export class PaymentNotFound extends Schema.TaggedError<PaymentNotFound>()("PaymentNotFound", { id: Schema.String }) {
  override get message() {
    return "Payment not found"
  }
}

export class PaymentConfigurationNotFound extends Schema.TaggedError<PaymentConfigurationNotFound>()(
  "PaymentConfigurationNotFound",
  { name: Schema.String }
) {
  override get message() {
    return "Payment configuration not found at the business account of this number"
  }
}

/** Every fault at once, by the code's field names. */
export class InvalidPayment extends Schema.TaggedError<InvalidPayment>()("InvalidPayment", {
  faults: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ message }) => message).join("; ")
  }
}

export class ReferenceUsed extends Schema.TaggedError<ReferenceUsed>()("ReferenceUsed", {
  referenceId: Schema.String
}) {
  override get message() {
    return "A payment with this reference was requested from this number before, so nothing was sent. Choose another reference."
  }
}

export class PaymentCaptured extends Schema.TaggedError<PaymentCaptured>()("PaymentCaptured", { id: Schema.String }) {
  override get message() {
    return "This payment has been made, so its order cannot be cancelled, and nothing was sent."
  }
}
