/** The carrier of a host without telephony: it places no call. Use cases refuse calls before they ask it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CallbackRefused, Carrier, CarrierSilent, TelephonyConfigured } from "./Carrier.ts"

const detail = "This installation has no telephony: its operator must pass `telephony` when it starts."

const silent = Effect.fail(new CarrierSilent({ detail }))

const carrier = Layer.succeed(Carrier, {
  // No provider has this name, so that no callback is accepted.
  traits: {
    name: "",
    startsPerSecond: null,
    needsCaller: false,
    defaultFrom: null,
    proof: { lookUps: 1, overMs: 0 },
    silenceMs: 0
  },
  place: () => silent,
  end: () => silent,
  leaveMessage: () => silent,
  find: () => silent,
  read: () => Effect.fail(new CallbackRefused({ reason: "unsupported", detail })),
  listen: () => Effect.void
})

export const noCarrier = Layer.merge(carrier, Layer.succeed(TelephonyConfigured, false))
