/** Requests about payments of the Cloud API: one verb is one request. */
import type { ChannelConnection, PaymentConfiguration, PaymentFacts } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type { CloudApiFailed, CloudApiRequests } from "./CloudApiRequests.ts"
import { configurationsIn, paymentIn } from "./PaymentAnswers.ts"
import { refusedHere } from "./PlatformAnswers.ts"

type Done<A> = Effect.Effect<A, CloudApiFailed>

export interface PaymentRequests {
  readonly paymentConfigurations: (number: ChannelConnection) => Done<ReadonlyArray<PaymentConfiguration>>
  readonly paymentConfiguration: (number: ChannelConnection, name: string) => Done<PaymentConfiguration | null>
  readonly payment: (
    number: ChannelConnection,
    bill: { readonly configuration: string; readonly referenceId: string }
  ) => Done<PaymentFacts | null>
}

/** A name or a reference as one segment of a path: dots alone would be another path. */
const segmentOf = (name: string) =>
  /^\.{1,2}$/.test(name)
    ? refusedHere(400, 100, "The name is not one of the platform's.")
    : Effect.succeed(encodeURIComponent(name))

export const makePaymentRequests = ({ askFor }: CloudApiRequests): PaymentRequests => ({
  paymentConfigurations: (number) =>
    Effect.map(askFor(number, { method: "GET", path: [number.accountId, "payment_configurations"] }), configurationsIn),
  paymentConfiguration: Effect.fnUntraced(function* (number, name) {
    const path = [number.accountId, `payment_configuration/${yield* segmentOf(name)}`] as const
    const found = configurationsIn(yield* askFor(number, { method: "GET", path }))
    return found.find((one) => one.name === name) ?? null
  }),
  payment: Effect.fnUntraced(function* (number, { configuration, referenceId }) {
    const below = `payments/${yield* segmentOf(configuration)}/${yield* segmentOf(referenceId)}`
    return paymentIn(referenceId, yield* askFor(number, { method: "GET", path: [number.id, below] }))
  })
})
