/** The configuration file's schema: every key, and for each a sentence of what it must be. */
import {
  type AccountLimit,
  accountLimitNames,
  accountLimits,
  languageOf,
  retentionDays,
  snakeName
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"

export type Environment = Readonly<Record<string, string | undefined>>

/** The requests of an address in a minute are stored one by one, so their number is bounded. */
const maxPerMinute = 100_000
const maxBodyBytes = 1_073_741_824

/** A stop waits for attempts, and an endpoint that hangs occupies its slots for this time. */
const maxAttemptMs = 60_000

const optional = Schema.optionalKey

/** One value, and the sentence that reports it where it is wrong. */
const setting = <A>(must: string, isRight: (value: unknown) => boolean) =>
  Schema.declare((value: unknown): value is A => isRight(value), { message: must })

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const text = setting<string>("must be a text that is not empty", isText)
const language = setting<string>(
  "must be a language tag such as de or pt-BR",
  (value) => typeof value === "string" && languageOf(value) !== null
)
const flag = setting<boolean>("must be true or false", (value) => typeof value === "boolean")
const texts = Schema.Array(text)

const oneOf = <const A extends string>(...words: ReadonlyArray<A>) =>
  setting<A>(`must be ${words.map((word) => `"${word}"`).join(" or ")}`, (value) => words.includes(value as A))

const whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  setting<number>(
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${min}`
      : `must be a whole number from ${min} to ${max}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
  )

const wholeOrNull = (min: number, max: number) =>
  setting<number | null>(
    `must be a whole number from ${min} to ${max}, or null for no limit`,
    (value) => value === null || (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
  )

const positive = setting<number>("must be a number above zero", (value) => isNumber(value) && value > 0)

const price = setting<number>(
  "must be a number of credits from 0 to 999999999, with up to nine decimal places",
  (value) => isNumber(value) && value >= 0 && value <= 999_999_999 && Number(value.toFixed(9)) === value
)

const url = (...schemes: ReadonlyArray<string>) =>
  setting<string>(
    `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    (value) =>
      typeof value === "string" && URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1))
  )

const web = url("https", "http")

const host = setting<string>(
  "must be a host name alone, such as hooks.slack.com",
  (value) =>
    typeof value === "string" &&
    URL.canParse(`https://${value}/`) &&
    new URL(`https://${value}/`).hostname === value.toLowerCase()
)

const field = setting<string>(
  "must be a field name: lower-case letters, digits and _",
  (value) => typeof value === "string" && /^[a-z][a-z0-9_]*$/.test(value)
)

const secretMust = 'must be a text that is not empty, or {"env": "NAME"} with the name of an environment variable'

const isReference = (value: unknown): value is { readonly env: string } =>
  typeof value === "object" && value !== null && "env" in value && isText(value.env) && Object.keys(value).length === 1

/** A secret is in the file, or in an environment variable that the file names. No message shows it. */
const secretOf = (environment: Environment) => {
  const read = (value: unknown): Effect.Effect<Redacted.Redacted<string>, SchemaIssue.Issue> => {
    if (isText(value)) return Effect.succeed(Redacted.make(value))
    if (!isReference(value)) return Effect.fail(new SchemaIssue.InvalidValue({ message: secretMust }))
    const found = environment[value.env]
    return found === undefined || found === ""
      ? Effect.fail(
          new SchemaIssue.InvalidValue({
            message: `names the environment variable ${value.env}, which is not set: set it, or put the secret here`
          })
        )
      : Effect.succeed(Redacted.make(found))
  }
  return Schema.Unknown.pipe(
    Schema.decodeTo(Schema.Redacted(Schema.String), {
      decode: SchemaGetter.transformEffect(read) as never,
      encode: SchemaGetter.forbidden(() => "secrets are not written") as never
    })
  ) as unknown as Schema.Codec<Redacted.Redacted<string>, unknown>
}

/** A value in the place of the list may be a secret too, and is not shown either. */
const secretsOf = (secret: ReturnType<typeof secretOf>) =>
  Schema.Unknown.pipe(
    Schema.decodeTo(Schema.Array(secret), {
      decode: SchemaGetter.transformEffect((value: unknown) =>
        Array.isArray(value)
          ? Effect.succeed(value as ReadonlyArray<unknown>)
          : Effect.fail(new SchemaIssue.InvalidValue({ message: "must be a list in brackets" }))
      ),
      encode: SchemaGetter.forbidden(() => "secrets are not written")
    })
  )

/** Services of upstreams. */
const services = oneOf("stt", "llm", "tts", "embedding", "image")

const modelPrice = setting<number>("must be a number from 0", (value) => isNumber(value) && value >= 0)

const prices = Schema.Struct({
  usd_per_hour: optional(modelPrice),
  usd_per_10k_characters: optional(modelPrice),
  usd_per_image: optional(modelPrice),
  credits_per_query: optional(modelPrice),
  input_usd_per_million_tokens: optional(modelPrice),
  output_usd_per_million_tokens: optional(modelPrice),
  cached_input_usd_per_million_tokens: optional(modelPrice),
  long_input_costs_more: optional(flag)
})

/** Settings of the embedded engine, whose bounds are the engine's own. Source: docs/reference/embedded.md#settings. */
const engine = {
  model: optional(oneOf("tiny", "base")),
  models_folder: optional(text),
  install: optional(flag),
  npm: optional(text),
  threads: optional(whole(0)),
  queue: optional(whole(0)),
  longest_seconds: optional(whole(0)),
  timeout_ms: optional(whole(1)),
  idle_ms: optional(whole(0))
}

type Secret = ReturnType<typeof secretOf>

/** What the texts say is checked by the pages' own rules. */
const theme = Schema.Struct({
  accent: optional(text),
  font: optional(text),
  color_scheme: optional(oneOf("system", "light", "dark")),
  logo: optional(text)
})

const brand = Schema.Struct({
  name: optional(text),
  description: optional(text),
  url: optional(web),
  logo: optional(web),
  licence: optional(Schema.Struct({ name: text, url: optional(web) })),
  theme: optional(theme),
  key_prefix: optional(text),
  header_prefix: optional(text),
  channel: optional(text),
  message_id_field: optional(text),
  message_ids_field: optional(text),
  user_id_field: optional(text),
  product_aliases: optional(Schema.Array(Schema.Struct({ product: text, user_id_field: field })))
})

const auth = (secret: Secret) =>
  Schema.Struct({
    jwt: optional(
      Schema.Struct({
        secret: optional(secret),
        jwks_url: optional(text),
        claims: optional(Schema.Struct({ subject: optional(text), account: optional(text), role: optional(text) })),
        issuer: optional(text),
        audience: optional(Schema.Union([text, Schema.Array(text)])),
        roles: optional(Schema.Record(Schema.String, oneOf("owner", "admin", "member", "viewer", "read_only")))
      })
    ),
    check_origin: optional(flag),
    allowed_origins: optional(Schema.Array(text))
  })

const secrets = (secret: Secret) => Schema.Struct({ previous: optional(secretsOf(secret)) })

const database = (secret: Secret) =>
  Schema.Struct({
    schema: optional(text),
    connections: optional(whole(1)),
    statement_timeout_ms: optional(whole(1)),
    pooler: optional(oneOf("session", "transaction")),
    direct_url: optional(secret),
    failover_look_up_ms: optional(whole(0))
  })

const telephony = (secret: Secret) =>
  Schema.Struct({
    provider: optional(oneOf("simulator", "twilio")),
    answer: optional(Schema.Struct({ kind: oneOf("say", "agent", "url", "stream"), url: optional(text) })),
    simulator: optional(Schema.Struct({ speed: optional(positive), callee_audio: optional(text) })),
    twilio: optional(
      Schema.Struct({
        account_sid: optional(text),
        auth_token: optional(secret),
        base_url: optional(text),
        public_url: optional(text),
        default_from: optional(text),
        calls_per_second: optional(positive)
      })
    )
  })

const messaging = (secret: Secret) =>
  Schema.Struct({
    base_url: optional(web),
    product: optional(text),
    app_secret: optional(secret),
    verify_token: optional(secret),
    check_business_account: optional(flag),
    timeout_ms: optional(whole(1, 600_000)),
    telegram: optional(
      Schema.Struct({ public_url: web, api_url: optional(web), timeout_ms: optional(whole(1, 600_000)) })
    ),
    web_chat: optional(
      Schema.Struct({
        secret,
        messages_per_minute: optional(whole(1, 1_000_000)),
        visitors_per_minute: optional(whole(1, 1_000_000))
      })
    ),
    reply: optional(
      Schema.Struct({ quiet_ms: optional(whole(0)), max_wait_ms: optional(whole(0)), places: optional(whole(1)) })
    )
  })

const entry = { upstream: text, model: optional(text) }

const route = Schema.Struct({
  ...entry,
  retries: optional(whole(0, 3)),
  fallbacks: optional(Schema.Array(Schema.Struct(entry)))
})

const breaker = Schema.NullOr(
  Schema.Struct({ failures: optional(whole(1, 1000)), open_ms: optional(whole(100, 3_600_000)) })
)

const models = (secret: Secret) =>
  Schema.Struct({
    catalogue: optional(text),
    upstreams: optional(
      Schema.Record(
        Schema.String,
        Schema.Struct({
          kind: oneOf("openai", "anthropic", "sarvam", "deepgram", "embedded"),
          base_url: optional(web),
          api_key: optional(secret),
          serves: optional(Schema.Array(services)),
          apis: optional(Schema.Array(oneOf("chat_completions", "responses", "messages"))),
          stream_usage: optional(flag),
          ...engine
        })
      )
    ),
    routes: optional(Schema.Record(Schema.String, route)),
    breaker: optional(breaker),
    stream_ping_ms: optional(whole(100, 600_000)),
    default_max_output_tokens: optional(whole(1, 10_000_000)),
    responses_kept_days: optional(whole(0, 3650)),
    embedded_fallback: optional(flag),
    embedded: optional(Schema.Struct(engine))
  })

const search = (secret: Secret) =>
  Schema.Struct({
    default: optional(text),
    providers: optional(
      Schema.Record(
        Schema.String,
        Schema.Struct({
          kind: oneOf("brave", "tavily", "searxng"),
          base_url: optional(web),
          api_key: optional(secret),
          timeout_ms: optional(whole(1, 600_000))
        })
      )
    )
  })

const perAccount = optional(wholeOrNull(1, 1_000_000))

/** Source: docs/reference/configuration.md#voice. */
const voice = Schema.Struct({
  defaults: optional(
    Schema.Struct({
      stt_model: optional(text),
      llm_model: optional(text),
      tts_model: optional(text),
      voice: optional(Schema.NullOr(text)),
      language: optional(text)
    })
  ),
  settings_timeout_ms: optional(whole(100, 600_000)),
  idle_timeout_seconds: optional(whole(1, 86_400)),
  function_timeout_ms: optional(whole(100, 600_000)),
  stt_timeout_ms: optional(whole(100, 600_000)),
  llm_timeout_ms: optional(whole(100, 600_000)),
  tts_timeout_ms: optional(whole(100, 600_000)),
  max_sessions: optional(whole(1, 100_000)),
  max_account_sessions: optional(whole(1, 100_000)),
  concurrent_sessions: optional(
    Schema.Struct({ free: perAccount, starter: perAccount, pro: perAccount, enterprise: perAccount })
  ),
  recordings_folder: optional(text),
  recordings_keep_days: optional(whole(1, 36_500)),
  events: optional(Schema.Struct({ transcript: optional(flag) })),
  alerts_every_seconds: optional(whole(1, 86_400))
})

const webhooks = Schema.Struct({
  allow_networks: optional(texts),
  team_chat_hosts: optional(Schema.Array(host)),
  timeout_ms: optional(whole(1, maxAttemptMs)),
  concurrency: optional(whole(1)),
  per_endpoint: optional(whole(1)),
  portal: optional(
    Schema.Struct({
      frame_ancestors: optional(texts),
      theme: optional(theme),
      language: optional(language),
      words: optional(Schema.Record(Schema.String, text))
    })
  )
})

const accountNumber = ({ mayBeOff, most }: AccountLimit) => optional(mayBeOff ? wholeOrNull(1, most) : whole(1, most))

/** Source: docs/reference/plans.md#numbers. */
const accountNumbers = Object.fromEntries(
  accountLimitNames.map((name) => [snakeName(name), accountNumber(accountLimits[name])])
)

const limits = Schema.Struct({
  per_ip_per_minute: optional(wholeOrNull(1, maxPerMinute)),
  sockets: optional(wholeOrNull(1, 1_000_000)),
  json_body_bytes: optional(whole(1, maxBodyBytes)),
  file_bytes: optional(whole(1, maxBodyBytes)),
  batch_requests: optional(whole(1, 1_000_000)),
  batch_concurrency: optional(whole(1, 1000)),
  batch_window_seconds: optional(whole(1, 2_592_000)),
  ...accountNumbers
})

const pricing = Schema.Struct({
  call_credits_per_minute: optional(price),
  usd_to_credits: optional(positive),
  defaults: optional(
    Schema.Struct({
      stt: optional(prices),
      llm: optional(prices),
      tts: optional(prices),
      image: optional(prices),
      embedding: optional(prices),
      search: optional(prices)
    })
  )
})

const workers = Schema.Struct({
  dialer: optional(flag),
  deliveries: optional(flag),
  replies: optional(flag),
  batches: optional(flag),
  analysis: optional(flag)
})

const keptDays = (minimum: number) => optional(wholeOrNull(minimum, retentionDays.max))

const retention = Schema.Struct({
  usage_days: keptDays(retentionDays.min.usage),
  deliveries_days: keptDays(retentionDays.min.deliveries),
  events_days: keptDays(retentionDays.min.events),
  calls_days: keptDays(retentionDays.min.calls),
  messages_days: keptDays(retentionDays.min.messages)
})

const server = Schema.Struct({ public_url: optional(web) })

const metrics = Schema.Struct({ port: optional(whole(0, 65_535)) })

/** The sections of the file. Source: docs/reference/configuration.md#file. */
export const sectionsOf = (environment: Environment) => {
  const secret = secretOf(environment)
  return {
    brand,
    server,
    auth: auth(secret),
    secrets: secrets(secret),
    database: database(secret),
    telephony: telephony(secret),
    messaging: messaging(secret),
    models: models(secret),
    search: search(secret),
    voice,
    webhooks,
    limits,
    pricing,
    workers,
    retention,
    metrics
  }
}

type Schemas = ReturnType<typeof sectionsOf>
export type SectionName = keyof Schemas
/** The content of the file with its secrets; a missing section is empty. */
export type Sections = { readonly [Name in SectionName]: Schemas[Name]["Type"] }
