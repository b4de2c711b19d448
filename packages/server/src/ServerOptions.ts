/** The library's options as the environment and the file say: everything that a server runs with. */
import type { StorageProvider, TrunklineOptions } from "@trunkline/core"
import { accountLimitNames, snakeName } from "@trunkline/core/effect"
import { apiReference, audioLength, outbound, recordings } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { twilio } from "@trunkline/providers/twilio"
import type { Config } from "./ConfigReader.ts"
import { defined } from "./Defined.ts"
import { messagingOf } from "./Messaging.ts"
import { themeOf } from "./PageThemes.ts"
import { basicOptions } from "./Product.ts"
import { searchOf } from "./SearchProviders.ts"
import { detectorProvider, embeddedProvider, providerOf } from "./Upstreams.ts"

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

const retentionOf = ({ retention }: Config): Options<"retention"> =>
  defined({
    usageDays: retention.usage_days,
    deliveriesDays: retention.deliveries_days,
    eventsDays: retention.events_days,
    callsDays: retention.calls_days,
    messagesDays: retention.messages_days
  })

const webhooksOf = ({ portalLogo, webhooks }: Config): Options<"webhooks"> => {
  const { frame_ancestors, language, theme, words } = webhooks.portal ?? {}
  return defined({
    allowNetworks: webhooks.allow_networks,
    teamChatHosts: webhooks.team_chat_hosts,
    timeoutMs: webhooks.timeout_ms,
    concurrency: webhooks.concurrency,
    perEndpoint: webhooks.per_endpoint,
    portal: defined({
      frameAncestors: frame_ancestors,
      theme: themeOf(theme, portalLogo),
      language,
      words
    })
  })
}

/** Under the names of the library. */
const numbersOf = (limits: Config["limits"]) =>
  Object.fromEntries(
    accountLimitNames.map((name) => [name, (limits as Readonly<Record<string, number | null>>)[snakeName(name)]])
  )

const limitsOf = ({ limits }: Config): Options<"limits"> =>
  defined({
    ...numbersOf(limits),
    perIpPerMinute: limits.per_ip_per_minute,
    sockets: limits.sockets,
    jsonBodyBytes: limits.json_body_bytes,
    fileBytes: limits.file_bytes,
    batchRequests: limits.batch_requests,
    batchConcurrency: limits.batch_concurrency,
    batchWindowSeconds: limits.batch_window_seconds
  })

/** Beside the database and the secret, where nothing else is named. */
const recordingsOf = ({ voice }: Config) =>
  recordings({
    folder: voice.recordings_folder ?? "./data/recordings",
    ...defined({ keepDays: voice.recordings_keep_days })
  })

export const pricingOf = ({ pricing }: Pick<Config, "pricing">): Options<"pricing"> =>
  defined({
    callCreditsPerMinute: pricing.call_credits_per_minute,
    usdToCredits: pricing.usd_to_credits,
    defaults: pricing.defaults as Options<"pricing">["defaults"]
  })

/** The models of agents that name none. */
export const voiceDefaultsOf = ({ defaults = {} }: Config["voice"]): NonNullable<Options<"voice">["defaults"]> =>
  defined({
    sttModel: defaults.stt_model,
    llmModel: defaults.llm_model,
    ttsModel: defaults.tts_model,
    voice: defaults.voice,
    language: defaults.language
  })

const voiceOf = ({ models, voice }: Config): Options<"voice"> =>
  defined({
    detector: detectorProvider(models.embedded),
    defaults: voiceDefaultsOf(voice),
    settingsTimeoutMs: voice.settings_timeout_ms,
    idleTimeoutSeconds: voice.idle_timeout_seconds,
    functionTimeoutMs: voice.function_timeout_ms,
    sttTimeoutMs: voice.stt_timeout_ms,
    llmTimeoutMs: voice.llm_timeout_ms,
    ttsTimeoutMs: voice.tts_timeout_ms,
    maxSessions: voice.max_sessions,
    maxAccountSessions: voice.max_account_sessions,
    concurrentSessions: voice.concurrent_sessions,
    events: voice.events,
    alertsEverySeconds: voice.alerts_every_seconds
  })

const simulatorOf = ({ calleeAudio, telephony }: Config) =>
  simulator({ speed: telephony.simulator?.speed, calleeAudio: calleeAudio ?? undefined })

/** What is read before a storage is opened. */
export interface ServerSettings {
  readonly config: Config
  readonly storage: StorageProvider
  readonly secret: string
}

/** Beside what commands need: how tokens are verified that others have signed, and which pages may act for whom. */
const authOf = ({ auth, keySet }: Config, basic: Options<"auth">): Options<"auth"> => ({
  ...basic,
  jwt: { ...basic.jwt, ...keySet },
  ...defined({ checkOrigin: auth.check_origin, allowedOrigins: auth.allowed_origins })
})

export const optionsOf = (settings: ServerSettings): TrunklineOptions => {
  const { config } = settings
  const { messaging, telephony, workers } = config
  const basic = basicOptions(settings)
  return {
    ...basic,
    auth: authOf(config, basic.auth ?? {}),
    telephony: config.twilio === null ? simulatorOf(config) : twilio(config.twilio),
    outbound: outbound(),
    reference: apiReference(defined({ url: config.server.public_url })),
    audioLength: audioLength(),
    recordings: recordingsOf(config),
    webhooks: webhooksOf(config),
    limits: limitsOf(config),
    retention: retentionOf(config),
    pricing: pricingOf(config),
    models: modelsOf(config),
    search: searchOf(config.search),
    voice: voiceOf(config),
    messaging: messagingOf(messaging),
    workers: defined({
      dialer: workers.dialer,
      deliveries: workers.deliveries,
      replies: workers.replies,
      batches: workers.batches,
      analysis: workers.analysis
    }),
    // Its address is there wherever its kind needs one: see answerRules.
    ...(telephony.answer === undefined ? {} : { answer: telephony.answer as Options<"answer"> })
  }
}
