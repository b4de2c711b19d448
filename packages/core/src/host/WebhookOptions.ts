/** Reads what a host decides about webhooks; what cannot be used fails the start. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Brand } from "../http/index.ts"
import {
  AddressPolicy,
  frameAncestorFault,
  type PortalSettings,
  standardLimits,
  themeFaults,
  WebhookSettings
} from "../webhooks/index.ts"
import type { TrunklineOptions } from "./Options.ts"
import { TrunklineError } from "./TrunklineError.ts"

const refuse = (message: string) => new TrunklineError("webhooks_refused", 500, message)

const positive = (name: string, value: number): number => {
  if (Number.isInteger(value) && value > 0) return value
  throw refuse(`webhooks.${name} must be a whole number above zero; it is ${value}`)
}

/** What the portal's page is made with. Source: docs/webhooks-portal.md#policy. */
export const portalSettings = ({ webhooks = {} }: TrunklineOptions): PortalSettings => {
  const { frameAncestors = ["'self'"], theme = {} } = webhooks.portal ?? {}
  const framing = frameAncestorFault(frameAncestors)
  const faults = [
    ...(framing === null ? [] : [`webhooks.portal.frameAncestors: ${framing}`]),
    ...themeFaults(theme).map(({ key, message }) => `webhooks.portal.theme.${key} ${message}`)
  ]
  if (faults.length > 0) throw refuse(faults.join("; "))
  return { frameAncestors, theme, allowsHttp: (webhooks.allowNetworks ?? []).length > 0 }
}

const settings = (options: TrunklineOptions, { headerPrefix }: Brand) => {
  const { webhooks = {} } = options
  portalSettings(options)
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
