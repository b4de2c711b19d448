/** What providers find wrong with their sections of the file. They load their client libraries, so only the server's commands import this. */
import {
  AddressPolicy,
  catalogueFaults,
  catalogueSettings,
  defaultModelFaults,
  frameAncestorFault,
  isObject,
  type ModelOptions,
  routeFaults,
  snakeName,
  wordFaults
} from "@trunkline/core/effect"
import { InvalidSimulatorOptions, simulator } from "@trunkline/providers/simulator"
import { InvalidTwilioOptions, type TwilioOptions, twilio } from "@trunkline/providers/twilio"
import * as Result from "effect/Result"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import type { Rules } from "./ConfigReader.ts"
import { property } from "./ConfigValue.ts"
import { defined } from "./Defined.ts"
import { messagingFaults } from "./Messaging.ts"
import { themeRules } from "./PageThemes.ts"
import { searchFaults } from "./SearchProviders.ts"
import { pricingOf, voiceDefaultsOf } from "./ServerOptions.ts"
import { upstreamFaults } from "./Upstreams.ts"

/** The rules of every section that a provider or the product must check. */
export const providerRules: Rules = {
  telephony: ({ telephony }) => telephonyRules(telephony),
  messaging: ({ messaging }, read) => [
    ...messagingRules(property(messaging, "reply")),
    ...messagingFaults(read.messaging)
  ],
  models: ({ models }, read, { catalogue }) => [
    ...modelRules(models),
    ...upstreamFaults(read.models),
    ...catalogueRules(read, catalogue)
  ],
  voice: (_, read, { catalogue }) =>
    defaultModelFaults(modelOptions(read, catalogue)).map(({ key, message }) => ({
      path: `voice.defaults.${snakeName(key)}`,
      message
    })),
  search: ({ search }, read) => [...searchRules(search), ...searchFaults(read.search)],
  webhooks: ({ webhooks }) => [
    ...networkRules(property(webhooks, "allow_networks")),
    ...portalRules(property(webhooks, "portal"))
  ]
}

const telephonyRules = (given: unknown): ReadonlyArray<Fault> => [
  ...answerRules(property(given, "answer")),
  ...speedRules(property(property(given, "simulator"), "speed")),
  ...(property(given, "provider") === "twilio" ? twilioRules(property(given, "twilio")) : [])
]

const answerRules = (answer: unknown): ReadonlyArray<Fault> => {
  const path = "telephony.answer.url"
  const [kind, url] = [property(answer, "kind"), property(answer, "url")]
  if ((kind === "say" || kind === "agent") && url !== undefined)
    return [{ path, message: 'goes with the kind "url" or "stream" alone: remove it' }]
  if (kind !== "url" && kind !== "stream") return []
  const schemes = kind === "url" ? ["https:", "http:"] : ["wss:"]
  return typeof url === "string" && URL.canParse(url) && schemes.includes(new URL(url).protocol)
    ? []
    : [{ path, message: `must be a URL that begins with ${schemes.join("// or ")}//, for the kind "${kind}"` }]
}

const speedRules = (speed: unknown): ReadonlyArray<Fault> => {
  if (typeof speed !== "number") return []
  try {
    simulator({ speed })
    return []
  } catch (error) {
    if (!(error instanceof InvalidSimulatorOptions)) throw error
    return [{ path: "telephony.simulator.speed", message: "must be a number of at least 0.001" }]
  }
}

const twilioNames = {
  account_sid: "accountSid",
  auth_token: "authToken",
  base_url: "baseUrl",
  public_url: "publicUrl",
  default_from: "defaultFrom",
  calls_per_second: "callsPerSecond"
} as const

const twilioNeeds: Readonly<Record<string, string>> = {
  account_sid: "the account's SID, AC and 32 hexadecimal digits",
  auth_token: "the account's token",
  public_url: "the address at which the carrier reaches this server"
}

const twilioMust: Readonly<Record<string, string>> = {
  account_sid: "must be AC and 32 hexadecimal digits",
  base_url: "must be an https URL without credentials, query or fragment; http for this machine alone",
  public_url:
    "must be an https URL without credentials, query or fragment, and without _ in its host name; http for this machine alone",
  default_from: "must be an E.164 number such as +15005550006"
}

/** Settings that can work, to put those to the test that are there. */
const working: TwilioOptions = {
  accountSid: `AC${"0".repeat(32)}`,
  authToken: "token",
  publicUrl: "https://example.com"
}

/** The provider itself knows what it can work with. */
const twilioRules = (given: unknown): ReadonlyArray<Fault> => {
  const missing = Object.entries(twilioNeeds)
    .filter(([key]) => property(given, key) === undefined)
    .map(([key, what]) => ({
      path: `telephony.twilio.${key}`,
      message: `is needed with the provider twilio: ${what}`
    }))
  const wrong = Object.entries(twilioNames).flatMap(([key, name]) => {
    const value = property(given, key)
    if (value === undefined || key === "auth_token") return []
    try {
      twilio({ ...working, [name]: value })
      return []
    } catch (error) {
      if (!(error instanceof InvalidTwilioOptions)) throw error
      const [problem = ""] = error.problems
      return [{ path: `telephony.twilio.${key}`, message: twilioMust[key] ?? problem.replace(/^\w+: /, "") }]
    }
  })
  return [...missing, ...wrong]
}

const messagingRules = (reply: unknown): ReadonlyArray<Fault> => {
  const [maxWait, quiet] = [property(reply, "max_wait_ms") ?? 12_000, property(reply, "quiet_ms") ?? 1_500]
  return Number(maxWait) < Number(quiet)
    ? [{ path: "messaging.reply.max_wait_ms", message: `must not be shorter than quiet_ms, which is ${quiet}` }]
    : []
}

/** An entry of a route in any shape, as far as it can be judged: its schema has reported what is wrong with its shape. */
const entryIn = (given: unknown) => {
  const model = property(given, "model")
  return { upstream: String(property(given, "upstream")), ...(typeof model === "string" ? { model } : {}) }
}

const maxFallbacks = 10

const modelRules = (given: unknown): ReadonlyArray<Fault> => {
  const routes = Object.entries(property(given, "routes") ?? {}).map(([model, route]) => {
    const fallbacks = property(route, "fallbacks")
    return [model, { ...entryIn(route), fallbacks: Array.isArray(fallbacks) ? fallbacks.map(entryIn) : [] }] as const
  })
  const upstreams = Object.keys(property(given, "upstreams") ?? {})
  return [
    ...routes
      .filter(([, { fallbacks }]) => fallbacks.length > maxFallbacks)
      .map(([model]) => ({
        path: `models.routes.${model}.fallbacks`,
        message: `must have at most ${maxFallbacks} entries`
      })),
    // The core itself knows which routes can work.
    ...routeFaults(Object.fromEntries(routes), upstreams).map(({ fallback, key, message, model }) => ({
      path: `models.routes.${model}${fallback === null ? "" : `.fallbacks.${fallback}`}.${key}`,
      message
    }))
  ]
}

/** What the product reads of models, prices and the defaults of voice. */
const modelOptions = (read: Sections, catalogue: unknown): ModelOptions => ({
  models: {
    ...(catalogue === null ? {} : { catalogue }),
    ...defined({ defaultMaxOutputTokens: read.models.default_max_output_tokens })
  },
  pricing: pricingOf(read),
  voice: { defaults: voiceDefaultsOf(read.voice) }
})

/** The product itself knows which models and prices it can use. A fault of a price begins with its option. */
const catalogueRules = (read: Sections, catalogue: unknown): ReadonlyArray<Fault> =>
  catalogueFaults(catalogueSettings(modelOptions(read, catalogue))).map((fault) => {
    const [, option, message] = /^(pricing(?:\.\w+)+): (.*)$/s.exec(fault) ?? []
    return option === undefined || message === undefined
      ? { path: "models.catalogue", message: fault }
      : { path: option.split(".").map(snakeName).join("."), message }
  })

const searchRules = (given: unknown): ReadonlyArray<Fault> => {
  const standard = property(given, "default")
  return typeof standard !== "string" || property(property(given, "providers"), standard) !== undefined
    ? []
    : [
        {
          path: "search.default",
          message: `names the search provider ${JSON.stringify(standard)}, which is not in search.providers: add it there`
        }
      ]
}

/** The address policy itself knows what networks it can exempt. */
const networkRules = (given: unknown): ReadonlyArray<Fault> => {
  if (!Array.isArray(given)) return []
  const read = AddressPolicy.parseNetworks(given.map((text) => (typeof text === "string" ? text : "")))
  return Result.isSuccess(read)
    ? []
    : read.failure.map(({ index, message, text }) => ({
        path: `webhooks.allow_networks.${index}`,
        message: `${message}; it is ${JSON.stringify(text)}`
      }))
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((text) => typeof text === "string")

/** The portal itself knows what it can be dressed with, framed by, and say. */
const portalRules = (given: unknown): ReadonlyArray<Fault> => {
  const origins = property(given, "frame_ancestors")
  const framing = isTexts(origins) ? frameAncestorFault(origins) : null
  return [
    ...(framing === null ? [] : [{ path: "webhooks.portal.frame_ancestors", message: framing }]),
    ...themeRules(property(given, "theme"), "webhooks.portal.theme"),
    ...wordRules(property(given, "words"))
  ]
}

const wordRules = (given: unknown): ReadonlyArray<Fault> => {
  if (!isObject(given)) return []
  const texts = Object.fromEntries(
    // The file's schema has refused the others.
    Object.entries(given).flatMap(([key, text]) =>
      typeof text === "string" && text.trim() !== "" ? [[key, text]] : []
    )
  )
  return wordFaults(texts).map(({ key, message }) => ({ path: `webhooks.portal.words.${key}`, message }))
}
