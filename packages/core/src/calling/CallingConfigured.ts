/** What a host decides about calls, as the rooms know it. */
import * as Layer from "effect/Layer"
import { Money } from "../platform/billing/index.ts"
import { effective, type Settings } from "../platform/settings/index.ts"
import { settings } from "./CallingOptions.ts"
import { TelephonySettings } from "./calls/index.ts"

export const configured = (options: Settings.ValuesOf<typeof settings>) => {
  const { answer = { kind: "standard" as const }, onAnswer, pricing } = effective(settings, options)
  return Layer.succeed(TelephonySettings, {
    creditsPerMinute: Money.fromConfigured(pricing.callCreditsPerMinute),
    answer: onAnswer === undefined ? answer : { kind: "host", onAnswer }
  })
}
