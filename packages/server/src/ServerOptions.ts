/** The library's options as the environment and the file say: everything that a server runs with. */
import type { StorageProvider, TrunklineOptions } from "@trunkline/core"
import { audioLength, outbound } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { twilio } from "@trunkline/providers/twilio"
import type { Config } from "./ConfigReader.ts"
import { defined } from "./Defined.ts"
import { messagingOf } from "./Messaging.ts"
import { basicOptions } from "./Product.ts"
import { searchOf } from "./SearchProviders.ts"
import { embeddedProvider, providerOf } from "./Upstreams.ts"

type Options<Name extends keyof TrunklineOptions> = NonNullable<TrunklineOptions[Name]>

type Entry = NonNullable<Config["models"]["routes"]>[string]

const entryOf = ({ model, upstream }: Pick<Entry, "model" | "upstream">) => ({ upstream, ...defined({ model }) })

const breakerOf = (section: NonNullable<Config["models"]["breaker"]> | null) =>
  section === null ? null : defined({ failures: section.failures, openMs: section.open_ms })

const modelsOf = ({ catalogue, models }: Config): Options<"models"> => ({
  ...(catalogue === null ? {} : { catalogue }),
  upstreams: Object.fromEntries(
    Object.entries(models.upstreams ?? {}).map(([name, section]) => [name, providerOf(section)])
  ),
  routes: Object.fromEntries(
    Object.entries(models.routes ?? {}).map(([model, { fallbacks, retries, ...entry }]) => [
      model,
      { ...entryOf(entry), ...defined({ retries, fallbacks: fallbacks?.map(entryOf) }) }
    ])
  ),
  ...(models.breaker === undefined ? {} : { breaker: breakerOf(models.breaker) }),
  ...defined({ streamPingMs: models.stream_ping_ms, defaultMaxOutputTokens: models.default_max_output_tokens }),
  ...defined({ responsesKeptDays: models.responses_kept_days }),
  ...(models.embedded_fallback === false ? {} : { fallback: embeddedProvider(models.embedded) })
})

const webhooksOf = ({ logo, webhooks }: Config): Options<"webhooks"> => {
  const { frame_ancestors, theme = {} } = webhooks.portal ?? {}
  return defined({
    allowNetworks: webhooks.allow_networks,
    teamChatHosts: webhooks.team_chat_hosts,
    timeoutMs: webhooks.timeout_ms,
    concurrency: webhooks.concurrency,
    perEndpoint: webhooks.per_endpoint,
    portal: defined({
      frameAncestors: frame_ancestors,
      theme: defined({
        accent: theme.accent,
        font: theme.font,
        colorScheme: theme.color_scheme,
        logo: logo ?? undefined
      })
    })
  })
}

const limitsOf = ({ limits }: Config): Options<"limits"> =>
  defined({
    perIpPerMinute: limits.per_ip_per_minute,
    jsonBodyBytes: limits.json_body_bytes,
    fileBytes: limits.file_bytes,
    batchRequests: limits.batch_requests,
    batchConcurrency: limits.batch_concurrency,
    batchWindowSeconds: limits.batch_window_seconds
  })

const pricingOf = ({ pricing }: Config): Options<"pricing"> =>
  defined({
    callCreditsPerMinute: pricing.call_credits_per_minute,
    usdToCredits: pricing.usd_to_credits,
    defaults: pricing.defaults as Options<"pricing">["defaults"]
  })

const simulatorOf = ({ calleeAudio, telephony }: Config) =>
  simulator({ speed: telephony.simulator?.speed, calleeAudio: calleeAudio ?? undefined })

/** What is read before a storage is opened. */
export interface ServerSettings {
  readonly config: Config
  readonly storage: StorageProvider
  readonly secret: string
}

export const optionsOf = (settings: ServerSettings): TrunklineOptions => {
  const { config } = settings
  const { messaging, telephony, workers } = config
  return {
    ...basicOptions(settings),
    telephony: config.twilio === null ? simulatorOf(config) : twilio(config.twilio),
    outbound: outbound(),
    audioLength: audioLength(),
    webhooks: webhooksOf(config),
    limits: limitsOf(config),
    pricing: pricingOf(config),
    models: modelsOf(config),
    search: searchOf(config.search),
    messaging: messagingOf(messaging),
    workers: defined({
      dialer: workers.dialer,
      deliveries: workers.deliveries,
      replies: workers.replies,
      batches: workers.batches
    }),
    // Its address is there wherever its kind needs one: see answerRules.
    ...(telephony.answer === undefined ? {} : { answer: telephony.answer as Options<"answer"> })
  }
}
