/** Reads what a host decides about webhooks; what cannot be used fails the start. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Brand } from "../http/index.ts"
import { AddressPolicy, standardLimits, WebhookSettings } from "../webhooks/index.ts"
import type { TrunklineOptions } from "./Options.ts"
import { TrunklineError } from "./TrunklineError.ts"

const refuse = (message: string) => new TrunklineError("webhooks_refused", 500, message)

const positive = (name: string, value: number): number => {
  if (Number.isInteger(value) && value > 0) return value
  throw refuse(`webhooks.${name} must be a whole number above zero; it is ${value}`)
}

/** A page's origin as a policy names it, or a keyword. What could end the directive or the header is none. */
const source = /^(?:'self'|'none'|https?:\/\/(?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::(?:\d+|\*))?)$/

/** Which pages may frame the portal. Source: docs/webhooks-portal.md#policy. */
export const frameAncestors = ({ webhooks }: TrunklineOptions): ReadonlyArray<string> => {
  const given = webhooks?.portal?.frameAncestors ?? ["'self'"]
  const wrong = given.find((one) => !source.test(one))
  if (wrong !== undefined) {
    throw refuse(
      `webhooks.portal.frameAncestors: ${wrong} is no origin such as https://app.example.com, 'self' or 'none'`
    )
  }
  if (given.length === 0 || (given.length > 1 && given.includes("'none'"))) {
    throw refuse("webhooks.portal.frameAncestors needs one origin at least, and 'none' only by itself")
  }
  return given
}

const settings = (options: TrunklineOptions, { headerPrefix }: Brand) => {
  const { webhooks = {} } = options
  frameAncestors(options)
  const exempt = AddressPolicy.parseNetworks(webhooks.allowNetworks ?? [])
  if (Result.isFailure(exempt)) {
    throw refuse(
      exempt.failure.map(({ index, message, text }) => `webhooks.allowNetworks[${index}] ${text} ${message}`).join("; ")
    )
  }
  const places = positive("concurrency", webhooks.concurrency ?? standardLimits.places)
  return {
    headerPrefix,
    exempt: exempt.success,
    teamChatHosts: webhooks.teamChatHosts ?? ["hooks.slack.com"],
    timeoutMs: positive("timeoutMs", webhooks.timeoutMs ?? 10_000),
    limits: {
      places,
      firstOnly: Math.floor(places / 4),
      perEndpoint: positive("perEndpoint", webhooks.perEndpoint ?? standardLimits.perEndpoint)
    }
  }
}

export const webhookSettings = (options: TrunklineOptions, brand: Brand) =>
  Layer.effect(
    WebhookSettings,
    Effect.sync(() => settings(options, brand))
  )
