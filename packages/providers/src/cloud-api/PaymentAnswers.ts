/** Reads what the platform says of payments, in answers and in deliveries: what it does not say, or says otherwise, is missing. Pure. */
import type {
  InboundPayment,
  JsonObject,
  PaymentConfiguration,
  PaymentFacts,
  PaymentTransaction
} from "@trunkline/core/provider"
import { idOf, instantOf, listOf, objectOf, textOf } from "./PlatformValues.ts"

/** Both lists and single configurations come in lists, which may stand below a name of their own. */
export const configurationsIn = (answer: JsonObject): ReadonlyArray<PaymentConfiguration> =>
  [answer, ...listOf(answer.data).map(objectOf)]
    .flatMap((one) => [one, ...listOf(one.payment_configurations).map(objectOf)])
    .flatMap(configurationIn)

const configurationIn = (given: JsonObject): ReadonlyArray<PaymentConfiguration> => {
  const name = textOf(given.configuration_name)
  if (name === null) return []
  return [
    {
      name,
      status: textOf(given.status),
      provider: textOf(given.provider_name)?.toLowerCase() ?? null,
      merchantId: textOf(given.provider_mid),
      vpa: textOf(given.merchant_vpa),
      categoryCode: codeOf(given.merchant_category_code),
      purposeCode: codeOf(given.purpose_code),
      updatedAt: instantOf(given.updated_timestamp)
    }
  ]
}

/** A code, or a code with its description. */
const codeOf = (given: unknown): string | null => textOf(objectOf(given).code) ?? textOf(given)

const statuses: ReadonlyMap<unknown, NonNullable<PaymentFacts["status"]>> = new Map([
  ["pending", "pending"],
  ["captured", "captured"],
  ["failed", "failed"]
])

/** In the smallest unit, of which the platform's value may be a multiple; null where that is no whole number. */
const amountIn = (given: unknown): number | null => {
  const { offset, value } = objectOf(given)
  const [units, parts] = [Number(textOf(value) ?? Number.NaN), Number(textOf(offset) ?? Number.NaN)]
  if (!Number.isSafeInteger(units) || !Number.isSafeInteger(parts) || parts <= 0) return null
  const amount =
    (BigInt(units) * 100n) % BigInt(parts) === 0n ? Number((BigInt(units) * 100n) / BigInt(parts)) : Number.NaN
  return Number.isSafeInteger(amount) ? amount : null
}

const transactionIn = (given: JsonObject): ReadonlyArray<PaymentTransaction> => {
  const id = idOf(given.id)
  if (id === null) return []
  const { code, reason } = objectOf(given.error)
  return [
    {
      id,
      type: textOf(objectOf(given.method).type) ?? textOf(given.type),
      status: textOf(given.status),
      at: instantOf(given.updated_timestamp) ?? instantOf(given.created_timestamp),
      error: textOf(reason) ?? textOf(code)
    }
  ]
}

/** No other reference was ever given to the platform. */
const isReference = (id: string | null): id is string => id !== null && id.length <= 35 && /^[\w.-]+$/.test(id)

const factsIn = (given: JsonObject, status: unknown): PaymentFacts | null => {
  const referenceId = idOf(given.reference_id)
  if (!isReference(referenceId)) return null
  return {
    referenceId,
    status: statuses.get(status) ?? null,
    // Sources name it in two ways.
    amount: amountIn(given.amount ?? given.total_amount),
    currency: textOf(given.currency),
    transactions: [...listOf(given.transactions), ...listOf(given.transaction)].map(objectOf).flatMap(transactionIn)
  }
}

/** What the platform knows of the payment of a reference; null for nothing. */
export const paymentIn = (referenceId: string, answer: JsonObject): PaymentFacts | null =>
  [answer, ...listOf(answer.payments).map(objectOf)]
    .flatMap((one) => factsIn(one, one.status) ?? [])
    .find((one) => one.referenceId === referenceId) ?? null

/** A status of a delivery that is about a payment, and not about the message. */
export const isPaymentReport = (report: JsonObject): boolean => report.type === "payment"

export const paymentReportsIn = (statuses: ReadonlyArray<JsonObject>): ReadonlyArray<InboundPayment> =>
  statuses.filter(isPaymentReport).flatMap(({ payment, status }) => factsIn(objectOf(payment), status) ?? [])
