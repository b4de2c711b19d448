/**
 * Every option of the library has a key in the file, or a reason here why not; and every key of the file is documented.
 * An option that is added to the library without a row here does not compile. Verifies: SERV-5.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TrunklineOptions } from "@trunkline/core"
import { type AccountLimitName, accountLimitNames, snakeName, wavHeader } from "@trunkline/core/effect"
import type { CloudApiOptions } from "@trunkline/providers/cloud-api"
import type { EmbeddedOptions } from "@trunkline/providers/embedded"
import type { OpenAiOptions } from "@trunkline/providers/openai"
import type { SimulatorOptions } from "@trunkline/providers/simulator"
import type { TwilioOptions } from "@trunkline/providers/twilio"
import { configOf } from "@trunkline/server"
import type { PostgresOptions } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Result from "effect/Result"
import { afterAll, describe, expect, it } from "vitest"
import { sectionsOf } from "../src/ConfigFile.ts"
import { optionsOf } from "../src/ServerOptions.ts"

/** Options that are set as a whole: providers and answers, which have a kind, functions, lists and maps. */
type Whole =
  | string
  | number
  | boolean
  | bigint
  | null
  | Uint8Array
  | ReadonlyArray<unknown>
  | { readonly kind: unknown }
  | ((...given: never) => unknown)

/** The paths of all options below a type. Prices and models are set in the words of their files, as a whole. */
type Paths<T> = {
  [K in keyof T & string]-?: K extends "defaults" | "catalogue"
    ? K
    : NonNullable<T[K]> extends Whole
      ? K
      : string extends keyof NonNullable<T[K]>
        ? K
        : `${K}.${Paths<NonNullable<T[K]>>}`
}[keyof T & string]

type Row =
  /** A key of the file, a value of it, and the value of the library's option, where that is another. */
  | { readonly key: string; readonly value: unknown; readonly sets?: unknown }
  /** Why no key is needed. */
  | { readonly because: string }

const folder = mkdtempSync(join(tmpdir(), "trunkline-options-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, "keys.json"), JSON.stringify({ keys: [{ kty: "OKP" }] }))
writeFileSync(join(folder, "models.json"), JSON.stringify({ models: [] }))
writeFileSync(join(folder, "logo.svg"), "<svg/>")
writeFileSync(
  join(folder, "hello.wav"),
  Buffer.concat([wavHeader({ rate: 8000, channels: 1, bytes: 320 }), Buffer.alloc(320)])
)

const provider = (kind: string) => expect.objectContaining({ kind })

/** How many things of each kind an account may have: each by another number. */
const accountNumbers = Object.fromEntries(
  accountLimitNames.map((name, i) => [`limits.${name}`, { key: `limits.${snakeName(name)}`, value: 20 + i }])
) as Record<`limits.${AccountLimitName}`, Row>

const options: Record<Paths<TrunklineOptions>, Row> = {
  storage: { because: "DATABASE_URL; its settings are those of Postgres below" },
  telephony: { key: "telephony.provider", value: "simulator", sets: provider("telephony") },
  outbound: { because: "always there; NODE_EXTRA_CA_CERTS adds authorities for all of Node" },
  reference: { because: "always there, for the root of the server" },
  audioLength: { because: "always there, and has no settings" },
  recordings: { key: "voice.recordings_folder", value: "./sound", sets: provider("recordings") },
  "voice.detector": { because: "Silero where it is installed, with the settings of models.embedded" },
  encryptionKey: { because: "derived from TRUNKLINE_SECRET" },
  previousEncryptionKeys: { key: "secrets.previous", value: ["before"], sets: [expect.stringMatching(/^.{32,}$/)] },
  "webhooks.allowNetworks": { key: "webhooks.allow_networks", value: ["10.0.0.0/8"] },
  "webhooks.teamChatHosts": { key: "webhooks.team_chat_hosts", value: ["chat.example"] },
  "webhooks.timeoutMs": { key: "webhooks.timeout_ms", value: 5 },
  "webhooks.concurrency": { key: "webhooks.concurrency", value: 6 },
  "webhooks.perEndpoint": { key: "webhooks.per_endpoint", value: 7 },
  "webhooks.portal.frameAncestors": { key: "webhooks.portal.frame_ancestors", value: ["https://app.example"] },
  "webhooks.portal.theme.accent": { key: "webhooks.portal.theme.accent", value: "#123456" },
  "webhooks.portal.theme.font": { key: "webhooks.portal.theme.font", value: "Inter" },
  "webhooks.portal.theme.colorScheme": { key: "webhooks.portal.theme.color_scheme", value: "dark" },
  "webhooks.portal.theme.logo": {
    key: "webhooks.portal.theme.logo",
    value: "logo.svg",
    sets: `data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}`
  },
  "webhooks.portal.language": { key: "webhooks.portal.language", value: "de" },
  "webhooks.portal.words": { key: "webhooks.portal.words", value: { "action.pause": "Anhalten" } },
  answer: { key: "telephony.answer", value: { kind: "stream", url: "wss://media.example" } },
  onAnswer: { because: "a function; telephony.answer with the kind url asks a program for each call" },
  "brand.name": { key: "brand.name", value: "Acme" },
  "brand.description": { key: "brand.description", value: "Calls and messages of Acme" },
  "brand.url": { key: "brand.url", value: "https://acme.example" },
  "brand.logo": { key: "brand.logo", value: "https://acme.example/logo.svg" },
  "brand.licence.name": { key: "brand.licence.name", value: "Terms of Acme" },
  "brand.licence.url": { because: "a licence without a name is none: BrandConfig.test.ts" },
  "brand.theme.accent": { key: "brand.theme.accent", value: "#0a5c36" },
  "brand.theme.font": { key: "brand.theme.font", value: "Inter, system-ui" },
  "brand.theme.colorScheme": { key: "brand.theme.color_scheme", value: "dark" },
  "brand.theme.logo": { because: "the file names an image, the library has the image itself: Config.test.ts" },
  "brand.keyPrefix": { key: "brand.key_prefix", value: "acme_" },
  "brand.headerPrefix": { key: "brand.header_prefix", value: "X-Acme-" },
  "brand.channel": { key: "brand.channel", value: "chat" },
  "brand.messageIdField": { key: "brand.message_id_field", value: "mid" },
  "brand.messageIdsField": { key: "brand.message_ids_field", value: "mids" },
  "brand.userIdField": { key: "brand.user_id_field", value: "uid" },
  "brand.productAliases": {
    key: "brand.product_aliases",
    value: [{ product: "other", user_id_field: "other_id" }],
    sets: [{ product: "other", userIdField: "other_id" }]
  },
  "auth.jwt.secret": { key: "auth.jwt.secret", value: "s" },
  "auth.jwt.jwksUrl": { key: "auth.jwt.jwks_url", value: "https://keys.example/jwks.json" },
  "auth.jwt.jwks.keys": { key: "auth.jwt.jwks_url", value: "keys.json", sets: [{ kty: "OKP" }] },
  "auth.jwt.claims.subject": { key: "auth.jwt.claims.subject", value: "who" },
  "auth.jwt.claims.account": { key: "auth.jwt.claims.account", value: "acc" },
  "auth.jwt.claims.role": { key: "auth.jwt.claims.role", value: "may" },
  "auth.jwt.issuer": { key: "auth.jwt.issuer", value: "https://id.example" },
  "auth.jwt.audience": { key: "auth.jwt.audience", value: ["calling", "chat"] },
  "auth.jwt.roles": { key: "auth.jwt.roles", value: { ops: "admin" } },
  "auth.checkOrigin": { key: "auth.check_origin", value: false },
  "auth.allowedOrigins": { key: "auth.allowed_origins", value: ["https://app.example"] },
  "auth.authenticate": { because: "a function; a sign-in of one's own signs tokens, see auth.jwt" },
  "limits.perIpPerMinute": { key: "limits.per_ip_per_minute", value: null },
  "limits.sockets": { key: "limits.sockets", value: 99 },
  "limits.jsonBodyBytes": { key: "limits.json_body_bytes", value: 8 },
  "limits.batchRequests": { key: "limits.batch_requests", value: 10 },
  "limits.batchConcurrency": { key: "limits.batch_concurrency", value: 11 },
  "limits.batchWindowSeconds": { key: "limits.batch_window_seconds", value: 12 },
  "limits.fileBytes": { key: "limits.file_bytes", value: 9 },
  ...accountNumbers,
  "retention.usageDays": { key: "retention.usage_days", value: 100 },
  "retention.deliveriesDays": { key: "retention.deliveries_days", value: 40 },
  "retention.eventsDays": { key: "retention.events_days", value: 50 },
  "retention.callsDays": { key: "retention.calls_days", value: 60 },
  "retention.messagesDays": { key: "retention.messages_days", value: 70 },
  "pricing.callCreditsPerMinute": { key: "pricing.call_credits_per_minute", value: 0.5 },
  "pricing.usdToCredits": { key: "pricing.usd_to_credits", value: 90 },
  "pricing.defaults": {
    key: "pricing.defaults",
    value: {
      stt: { usd_per_hour: 2 },
      llm: { input_usd_per_million_tokens: 2, output_usd_per_million_tokens: 3 },
      tts: { usd_per_10k_characters: 2 },
      image: { usd_per_image: 2 },
      embedding: { input_usd_per_million_tokens: 2 },
      search: { credits_per_query: 2 }
    }
  },
  "models.catalogue": { key: "models.catalogue", value: "models.json", sets: { models: [] } },
  "models.upstreams": {
    key: "models.upstreams",
    value: { a: { kind: "openai", base_url: "http://127.0.0.1:1/v1" } },
    sets: { a: provider("upstream") }
  },
  "models.routes": {
    key: "models",
    value: {
      upstreams: { a: { kind: "embedded" } },
      routes: {
        "*": { upstream: "a" },
        m: { upstream: "a", model: "n", retries: 2, fallbacks: [{ upstream: "a" }, { upstream: "a", model: "o" }] }
      }
    },
    sets: {
      "*": { upstream: "a" },
      m: { upstream: "a", model: "n", retries: 2, fallbacks: [{ upstream: "a" }, { upstream: "a", model: "o" }] }
    }
  },
  "models.breaker.failures": { key: "models.breaker.failures", value: 7 },
  "models.streamPingMs": { key: "models.stream_ping_ms", value: 20_000 },
  "models.defaultMaxOutputTokens": { key: "models.default_max_output_tokens", value: 999 },
  "models.breaker.openMs": { key: "models.breaker.open_ms", value: 700 },
  "models.responsesKeptDays": { key: "models.responses_kept_days", value: 7 },
  "models.fallback": { key: "models.embedded_fallback", value: true, sets: provider("upstream") },
  "search.providers": {
    key: "search.providers",
    value: { a: { kind: "searxng", base_url: "http://127.0.0.1:1" } },
    sets: { a: provider("search") }
  },
  "search.default": {
    key: "search",
    value: { providers: { a: { kind: "brave", api_key: "k" } }, default: "a" },
    sets: "a"
  },
  "messaging.platform": { key: "messaging.product", value: "whatsapp", sets: provider("messaging") },
  "messaging.channels": {
    key: "messaging.telegram.public_url",
    value: "https://chat.example",
    sets: [provider("messaging")]
  },
  "messaging.appSecret": { key: "messaging.app_secret", value: "a" },
  "messaging.verifyToken": { key: "messaging.verify_token", value: "v" },
  "messaging.checkBusinessAccount": { key: "messaging.check_business_account", value: true },
  "messaging.reply.quietMs": { key: "messaging.reply.quiet_ms", value: 9 },
  "messaging.reply.maxWaitMs": { key: "messaging.reply.max_wait_ms", value: 1510 },
  "messaging.reply.places": { key: "messaging.reply.places", value: 11 },
  "voice.defaults": {
    key: "voice.defaults",
    value: { stt_model: "nova-3", llm_model: "oss-120b", tts_model: "flite", voice: "kal16", language: "hi" },
    sets: { sttModel: "nova-3", llmModel: "oss-120b", ttsModel: "flite", voice: "kal16", language: "hi" }
  },
  "voice.settingsTimeoutMs": { key: "voice.settings_timeout_ms", value: 101 },
  "voice.idleTimeoutSeconds": { key: "voice.idle_timeout_seconds", value: 102 },
  "voice.functionTimeoutMs": { key: "voice.function_timeout_ms", value: 103 },
  "voice.sttTimeoutMs": { key: "voice.stt_timeout_ms", value: 104 },
  "voice.llmTimeoutMs": { key: "voice.llm_timeout_ms", value: 105 },
  "voice.ttsTimeoutMs": { key: "voice.tts_timeout_ms", value: 106 },
  "voice.maxSessions": { key: "voice.max_sessions", value: 107 },
  "voice.maxAccountSessions": { key: "voice.max_account_sessions", value: 108 },
  "voice.concurrentSessions.free": { key: "voice.concurrent_sessions.free", value: 1 },
  "voice.concurrentSessions.starter": { key: "voice.concurrent_sessions.starter", value: 3 },
  "voice.concurrentSessions.pro": { key: "voice.concurrent_sessions.pro", value: null },
  "voice.concurrentSessions.enterprise": { key: "voice.concurrent_sessions.enterprise", value: 9 },
  "voice.events.transcript": { key: "voice.events.transcript", value: false },
  "voice.alertsEverySeconds": { key: "voice.alerts_every_seconds", value: 109 },
  "workers.dialer": { key: "workers.dialer", value: false },
  "workers.deliveries": { key: "workers.deliveries", value: false },
  "workers.replies": { key: "workers.replies", value: false },
  "workers.batches": { key: "workers.batches", value: false },
  "workers.analysis": { key: "workers.analysis", value: false },
  "clock.now": { because: "for demonstrations and tests: a server has the machine's clock" },
  "clock.speed": { because: "for demonstrations and tests: a server has the machine's clock" },
  log: { because: "a function; the server writes lines of JSON to standard error" }
}

const upstream = (key: string, value: unknown): Row => ({
  key: "models.upstreams.a",
  value: { kind: "openai", base_url: "http://127.0.0.1:1/v1", [key]: value }
})

/** Options of what is plugged in, which cannot be looked at from outside: their keys are known, and that is all. */
const plugged: Record<
  | `postgres.${Paths<PostgresOptions>}`
  | `twilio.${keyof TwilioOptions}`
  | `simulator.${keyof SimulatorOptions}`
  | `cloudApi.${keyof CloudApiOptions}`
  | `openai.${keyof OpenAiOptions}`
  | `embedded.${keyof EmbeddedOptions}`,
  Row
> = {
  "postgres.url": { because: "DATABASE_URL" },
  "postgres.schema": { key: "database.schema", value: "phone" },
  "postgres.connections": { key: "database.connections", value: 20 },
  "postgres.statementTimeoutMs": { key: "database.statement_timeout_ms", value: 5000 },
  "postgres.pooler": { key: "database.pooler", value: "transaction" },
  "postgres.directUrl": { key: "database.direct_url", value: "postgres://u@a:5432/d" },
  "postgres.failoverLookUpMs": { key: "database.failover_look_up_ms", value: 60_000 },
  "twilio.accountSid": { key: "telephony.twilio.account_sid", value: `AC${"0".repeat(32)}` },
  "twilio.authToken": { key: "telephony.twilio.auth_token", value: "t" },
  "twilio.baseUrl": { key: "telephony.twilio.base_url", value: "https://carrier.example" },
  "twilio.publicUrl": { key: "telephony.twilio.public_url", value: "https://calls.example" },
  "twilio.defaultFrom": { key: "telephony.twilio.default_from", value: "+15005550006" },
  "twilio.callsPerSecond": { key: "telephony.twilio.calls_per_second", value: 2 },
  "simulator.speed": { key: "telephony.simulator.speed", value: 2 },
  "simulator.calleeAudio": { key: "telephony.simulator.callee_audio", value: "hello.wav" },
  "cloudApi.baseUrl": { key: "messaging.base_url", value: "https://graph.example/v1" },
  "cloudApi.product": { key: "messaging.product", value: "p" },
  "cloudApi.timeoutMs": { key: "messaging.timeout_ms", value: 5000 },
  "openai.baseUrl": upstream("base_url", "https://speech.example/v1"),
  "openai.apiKey": upstream("api_key", "k"),
  "openai.timeoutMs": upstream("timeout_ms", 5),
  "openai.serves": upstream("serves", ["stt"]),
  "openai.apis": upstream("apis", ["responses", "messages"]),
  "openai.streamUsage": upstream("stream_usage", false),
  "embedded.modelsFolder": { key: "models.embedded.models_folder", value: "weights" },
  "embedded.model": { key: "models.embedded.model", value: "base" },
  "embedded.install": { key: "models.embedded.install", value: false },
  "embedded.npm": { key: "models.embedded.npm", value: "npm" },
  "embedded.threads": { key: "models.embedded.threads", value: 2 },
  "embedded.queue": { key: "models.embedded.queue", value: 2 },
  "embedded.longestSeconds": { key: "models.embedded.longest_seconds", value: 60 },
  "embedded.timeoutMs": { key: "models.embedded.timeout_ms", value: 5000 },
  "embedded.idleMs": { key: "models.embedded.idle_ms", value: 5000 },
  "embedded.serves": { key: "models.upstreams.a", value: { kind: "embedded", serves: ["embedding"] } },
  "embedded.log": { because: "a function; the server writes the lines to its log" }
}

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((of, name) => (of as Readonly<Record<string, unknown>> | undefined)?.[name], value)

const fileOf = (key: string, value: unknown): unknown =>
  key
    .split(".")
    .reverse()
    .reduce((inner: unknown, name) => ({ [name]: inner }), value)

const read = (file: unknown) => Result.mapError(configOf(file, {}, { folder }), (faults) => faults.join("\n"))

const keyed = (rows: Readonly<Record<string, Row>>) =>
  Object.entries(rows).flatMap(([option, row]) => ("key" in row ? [{ option, ...row }] : []))

describe("the configuration file", () => {
  // Verifies: D-247.
  it.each(keyed(options))("sets by $key the option $option of the library", ({ key, option, sets, value }) => {
    const config = Result.getOrThrow(read(fileOf(key, value)))
    const secret = "a secret of this installation alone"
    expect(at(optionsOf({ config, storage: sqlite(":memory:"), secret }), option)).toEqual(sets ?? value)
  })

  it.each(keyed(plugged))("knows $key, which is $option of what is plugged in", ({ key, value }) => {
    expect(Result.getOrThrow(read(fileOf(key, value)))).toBeTruthy()
    expect(Result.isFailure(read(fileOf(`${key}_`, value)))).toBe(!key.startsWith("models.upstreams."))
  })

  // Verifies: D-247.
  it("says for every option without a key why it has none", () => {
    for (const row of Object.values({ ...options, ...plugged })) {
      if ("because" in row) expect(row.because).toMatch(/\w/)
    }
  })

  interface Shape {
    readonly fields?: Readonly<Record<string, Shape>>
    readonly value?: Shape
    readonly schema?: Shape
  }

  /** The paths of all keys below a schema; a name that the operator chooses is `<name>`. */
  const keysIn = ({ fields, schema, value }: Shape, path: string): ReadonlyArray<string> => {
    if (fields !== undefined) return Object.entries(fields).flatMap(([name, inner]) => keysIn(inner, `${path}.${name}`))
    if (value !== undefined) return keysIn(value, `${path}.<name>`)
    return schema === undefined ? [path] : keysIn(schema, path)
  }

  // Verifies: D-247.
  it("has every key in its documentation", () => {
    const page = readFileSync(new URL("../../../docs/reference/configuration.md", import.meta.url), "utf8")
    const keys = Object.entries(sectionsOf({})).flatMap(([name, schema]) => keysIn(schema as Shape, name))
    expect(keys.length).toBeGreaterThan(50)
    // Some are documented with what they stand in: `models.routes.<model>`, `pricing.defaults.<category>`.
    const isDocumented = (key: string): boolean =>
      page.includes(`\`${key}\``) ||
      page.includes(`\`${key}.<`) ||
      (key.split(".").length > 2 && isDocumented(key.slice(0, key.lastIndexOf("."))))
    expect(keys.filter((key) => !isDocumented(key))).toEqual([])
  })
})
