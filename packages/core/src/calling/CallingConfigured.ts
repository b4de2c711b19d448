/** What a host decides about calls, as the rooms know it. */
import * as Layer from "effect/Layer"
import { CallPrice, Money } from "../platform/billing/index.ts"
import { effective, layerOf, type Settings } from "../platform/settings/index.ts"
import { settings, type TelephonyProvider } from "./CallingOptions.ts"
import { type Carrier, layerCallMedia, TelephonySettings } from "./calls/index.ts"
import { noCarrier } from "./calls/NoCarrier.ts"

export const configured = (options: Settings.ValuesOf<typeof settings>) => {
  const { answer = { kind: "standard" as const }, onAnswer, pricing } = effective(settings, options)
  const creditsPerMinute = Money.fromConfigured(pricing.callCreditsPerMinute)
  return Layer.merge(
    Layer.succeed(TelephonySettings, {
      creditsPerMinute,
      answer: onAnswer === undefined ? answer : { kind: "host", onAnswer }
    }),
    Layer.succeed(CallPrice, creditsPerMinute)
  )
}

/** A carrier may keep its state in the storage, which is there when it is opened. */
type CarrierLayer = Layer.Layer<Carrier, unknown>

/** Who places calls, and the media of calls. Without a carrier everything but calling works. */
export const opened = ({ telephony }: { readonly telephony?: TelephonyProvider }) =>
  Layer.provideMerge(telephony === undefined ? noCarrier : layerOf<CarrierLayer>(telephony), layerCallMedia)
