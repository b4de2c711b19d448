/** Requests to the carrier about calls: how a call is named in them, and what counts as no answer. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import type { Call } from "./Call.ts"
import { type CallRef, CarrierSilent, type NamedCall } from "./Carrier.ts"

/** A carrier that has not answered by then is silent, whatever its provider makes of it. */
const requestMs = 30 * Instant.second

/** The carrier's answer to a request about a call, or its silence. */
export const answerTo = <A>(call: Call, request: Effect.Effect<A, CarrierSilent>): Effect.Effect<A | CarrierSilent> =>
  request.pipe(
    Effect.timeoutOrElse({
      duration: requestMs,
      orElse: () => Effect.fail(new CarrierSilent({ detail: `no answer within ${requestMs} ms` }))
    }),
    Effect.catch((silence) => Effect.as(Effect.logWarning(silence.message, call.id), silence))
  )

export const refOf = (call: Call): CallRef => ({
  callId: call.id,
  providerCallId: call.providerCallId,
  to: call.to,
  from: call.from,
  askedAt: call.startedAt
})

export const namedRef = (call: Call): NamedCall | null =>
  call.providerCallId === null ? null : { ...refOf(call), providerCallId: call.providerCallId }
