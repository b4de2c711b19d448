/** Verifies: SERV-1. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { configOf, loadConfig } from "@trunkline/server"
import * as Result from "effect/Result"
import { afterAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "trunkline-config-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, "models.json"), JSON.stringify({ models: [] }))
writeFileSync(join(folder, "broken.json"), "{")
writeFileSync(join(folder, "unknown-category.json"), JSON.stringify({ models: [{ id: "x", category: "x" }] }))
writeFileSync(join(folder, "logo.svg"), "<svg/>")
writeFileSync(join(folder, "large.png"), "x".repeat(65 * 1024))

const faults = (value: unknown, environment: Record<string, string> = {}) => {
  const config = configOf(value, environment, { folder })
  return Result.isFailure(config) ? config.failure : []
}

/** Every documented key, with a value that works. */
const complete = {
  brand: {
    name: "Acme",
    description: "Calls for shops.",
    url: "https://acme.example",
    logo: "https://acme.example/logo.svg",
    key_prefix: "acme_",
    header_prefix: "X-Acme-",
    channel: "chat",
    message_id_field: "mid",
    message_ids_field: "mids",
    user_id_field: "uid",
    product_aliases: [{ product: "other", user_id_field: "other_id" }]
  },
  auth: {
    jwt: {
      secret: "s",
      jwks_url: "https://keys.example/jwks.json",
      claims: { subject: "sub", account: "acc", role: "r" }
    }
  },
  secrets: { previous: ["before", { env: "TOKEN" }] },
  telephony: {
    provider: "twilio",
    answer: { kind: "stream", url: "wss://media.example/x" },
    simulator: { speed: 2 },
    twilio: {
      account_sid: `AC${"0".repeat(32)}`,
      auth_token: { env: "TOKEN" },
      base_url: "https://api.twilio.com",
      public_url: "https://calls.example",
      default_from: "+15005550006",
      calls_per_second: 1
    }
  },
  messaging: {
    base_url: "https://graph.example/v1",
    product: "p",
    app_secret: "a",
    verify_token: "v",
    reply: { quiet_ms: 0, max_wait_ms: 1, places: 1 },
    timeout_ms: 1
  },
  models: {
    catalogue: "models.json",
    upstreams: {
      a: { kind: "openai", base_url: "http://localhost:1/v1", api_key: "k", serves: ["stt"], timeout_ms: 1 },
      b: { kind: "openai", base_url: "http://localhost:1/v1", apis: ["responses"], stream_usage: false },
      c: { kind: "anthropic", api_key: { env: "TOKEN" } }
    },
    routes: {
      "*": { upstream: "a", retries: 3, fallbacks: [{ upstream: "a" }] },
      b: { upstream: "a", model: "c", fallbacks: [{ upstream: "a", model: "d" }] }
    },
    breaker: { failures: 1000, open_ms: 100 },
    stream_ping_ms: 100,
    default_max_output_tokens: 10_000_000,
    responses_kept_days: 3650,
    embedded_fallback: true,
    embedded: {
      ...{ model: "base", models_folder: "weights", install: false, npm: "npm", threads: 1, queue: 0 },
      ...{ longest_seconds: 1, timeout_ms: 1, idle_ms: 0 }
    }
  },
  search: {
    default: "own",
    providers: {
      web: { kind: "brave", api_key: { env: "TOKEN" }, base_url: "https://search.example", timeout_ms: 1 },
      other: { kind: "tavily", api_key: "k" },
      own: { kind: "searxng", base_url: "http://searxng:8080" }
    }
  },
  database: { schema: "phone", connections: 1, statement_timeout_ms: 1 },
  webhooks: {
    allow_networks: ["127.0.0.0/8"],
    team_chat_hosts: ["Hooks.slack.com"],
    timeout_ms: 1,
    concurrency: 1,
    per_endpoint: 1,
    portal: {
      frame_ancestors: ["'self'", "https://*.example.com"],
      theme: { accent: "#0a5c36", font: "Inter, system-ui", color_scheme: "light", logo: "logo.svg" },
      language: "pt-BR",
      words: { "action.pause": "Pausar" }
    }
  },
  limits: {
    per_ip_per_minute: null,
    json_body_bytes: 1,
    file_bytes: 1,
    batch_requests: 1,
    batch_concurrency: 1,
    batch_window_seconds: 1
  },
  pricing: {
    call_credits_per_minute: 0.5,
    usd_to_credits: 96,
    defaults: { stt: { usd_per_hour: 0 }, llm: { input_usd_per_million_tokens: 1, long_input_costs_more: true } }
  },
  workers: { dialer: false, deliveries: false, replies: false, batches: false },
  retention: { usage_days: 92, deliveries_days: 31, events_days: null, calls_days: 31, messages_days: 31 }
}

const twilio = (change: object) => ({
  telephony: { provider: "twilio", twilio: { ...complete.telephony.twilio, ...change } }
})

const oneUpstream = { upstreams: { a: { kind: "openai", base_url: "http://localhost:1/v1" } } }

/** A file, the paths of its faults, and words of the first fault. */
const wrong: ReadonlyArray<readonly [file: object, paths: ReadonlyArray<string>, words: RegExp]> = [
  [{ nonsense: 1 }, ["nonsense"], /those here are brand, server, auth/],
  [{ telephny: {} }, ["telephny"], /did you mean telephony/],
  [{ brand: 5 }, ["brand"], /object in braces; it is 5/],
  [{ brand: [] }, ["brand"], /object in braces; it is a list/],
  [{ brand: { chanel: "x" } }, ["brand.chanel"], /did you mean channel/],
  [{ brand: { name: " " } }, ["brand.name"], /text that is not empty/],
  [{ brand: { url: "acme.example" } }, ["brand.url"], /begins with https/],
  [{ brand: { key_prefix: "" } }, ["brand.key_prefix"], /text that is not empty/],
  [{ brand: { key_prefix: "svc" } }, ["brand.key_prefix"], /followed by _ or -/],
  [{ brand: { header_prefix: "X Y" } }, ["brand.header_prefix"], /header/],
  [{ brand: { channel: "contacts" } }, ["brand.channel"], /already a path or a scope: choose another/],
  [{ brand: { user_id_field: "User" } }, ["brand.user_id_field"], /lower-case/],
  [{ brand: { user_id_field: "msgid" } }, ["brand"], /must differ/],
  [{ brand: { product_aliases: [{ product: "a" }] } }, ["brand.product_aliases.0.user_id_field"], /is needed here/],
  [{ brand: { product_aliases: [{ product: "messaging", user_id_field: "a" }] } }, ["brand"], /messaging stands twice/],
  [
    { brand: { product_aliases: ["a", "b"].map((user_id_field) => ({ product: "x", user_id_field })) } },
    ["brand"],
    /x stands twice/
  ],
  [{ brand: { product_aliases: [{ product: "x", user_id_field: "input" }] } }, ["brand"], /cannot be called input/],
  [{ auth: { jwt: { secret: "" } } }, ["auth.jwt.secret"], /environment variable/],
  [{ auth: { jwt: { secret: { env: "NOT_SET" } } } }, ["auth.jwt.secret"], /NOT_SET, which is not set/],
  [{ auth: { jwt: { secret: { env: "TOKEN", x: 1 } } } }, ["auth.jwt.secret"], /environment variable/],
  [{ auth: { jwt: { jwks_url: "nowhere.json" } } }, ["auth.jwt.jwks_url"], /cannot be read/],
  [{ auth: { jwt: { claims: { role: 1 } } } }, ["auth.jwt.claims.role"], /text/],
  [{ secrets: { previous: "before" } }, ["secrets.previous"], /must be a list in brackets$/],
  [{ secrets: { previous: ["", " "] } }, ["secrets.previous.0", "secrets.previous.1"], /text that is not empty/],
  [{ secrets: { previous: ["a", { env: "NOT_SET" }] } }, ["secrets.previous.1"], /NOT_SET, which is not set/],
  [{ secrets: { previous: ["a", "now"] } }, ["secrets.previous.1"], /is the present secret: remove it here/],
  [{ secrets: { previous: ["t", "b", { env: "TOKEN" }] } }, ["secrets.previous.2"], /in the list already: remove it/],
  [{ secrets: { previos: [] } }, ["secrets.previos"], /did you mean previous/],
  [{ telephony: { provider: "vonage" } }, ["telephony.provider"], /"simulator" or "twilio"; it is "vonage"/],
  [{ telephony: { answer: {} } }, ["telephony.answer.kind"], /is needed here/],
  [{ telephony: { answer: { kind: "url" } } }, ["telephony.answer.url"], /https:\/\//],
  [{ telephony: { answer: { kind: "url", url: "wss://x" } } }, ["telephony.answer.url"], /https:\/\//],
  [{ telephony: { answer: { kind: "stream", url: "https://x" } } }, ["telephony.answer.url"], /wss:\/\//],
  [{ telephony: { answer: { kind: "say", url: "https://x" } } }, ["telephony.answer.url"], /remove it/],
  [{ telephony: { answer: { kind: "agent", url: "https://x" } } }, ["telephony.answer.url"], /remove it/],
  [
    { telephony: { simulator: { callee_audio: "nowhere.wav" } } },
    ["telephony.simulator.callee_audio"],
    /cannot be read/
  ],
  [{ telephony: { simulator: { callee_audio: "logo.svg" } } }, ["telephony.simulator.callee_audio"], /a WAV file/],
  [{ telephony: { simulator: { speed: 0 } } }, ["telephony.simulator.speed"], /0.001|above zero/],
  [{ telephony: { simulator: { speed: 0.0001 } } }, ["telephony.simulator.speed"], /0.001/],
  [
    { telephony: { provider: "twilio" } },
    ["telephony.twilio.account_sid", "telephony.twilio.auth_token", "telephony.twilio.public_url"],
    /is needed with the provider twilio/
  ],
  [twilio({ account_sid: "AC1" }), ["telephony.twilio.account_sid"], /32 hexadecimal/],
  [twilio({ auth_token: { env: "NOT_SET" } }), ["telephony.twilio.auth_token"], /NOT_SET/],
  [twilio({ public_url: "http://calls.example" }), ["telephony.twilio.public_url"], /https/],
  [twilio({ public_url: "http://a_b.example?x" }), ["telephony.twilio.public_url"], /without _ in its host name/],
  [twilio({ base_url: "https://a:b@c.example" }), ["telephony.twilio.base_url"], /without credentials/],
  [twilio({ default_from: "12345678" }), ["telephony.twilio.default_from"], /E\.164/],
  [twilio({ calls_per_second: 0 }), ["telephony.twilio.calls_per_second"], /above zero/],
  [{ messaging: { base_url: "graph.example" } }, ["messaging.base_url"], /https:\/\//],
  [{ messaging: { base_url: "http://graph.example/v1" } }, ["messaging.base_url"], /must be https, since tokens/],
  [
    { messaging: { base_url: "https://a:b@graph.example" } },
    ["messaging.base_url"],
    /must be a URL without credentials/
  ],
  [{ messaging: { product: "two words" } }, ["messaging.product"], /a word of at most 64/],
  [{ messaging: { app_secret: { env: "NOT_SET" } } }, ["messaging.app_secret"], /NOT_SET/],
  [
    { messaging: { reply: { quiet_ms: 13_000 } } },
    ["messaging.reply.max_wait_ms"],
    /silence before a reply, which is 13000/
  ],
  [{ models: { upstreams: { a: {} } } }, ["models.upstreams.a.kind"], /is needed here/],
  [
    { models: { upstreams: { a: { kind: "openai", serves: ["x"] } } } },
    ["models.upstreams.a.serves.0", "models.upstreams.a.base_url"],
    /"stt" or/
  ],
  [
    { models: { upstreams: { a: { kind: "openai", serves: ["search"] } } } },
    ["models.upstreams.a.serves.0", "models.upstreams.a.base_url"],
    /"stt" or/
  ],
  [
    { models: { upstreams: { a: { kind: "openai", api_key: { env: "NOT_SET" } } } } },
    ["models.upstreams.a.api_key", "models.upstreams.a.base_url"],
    /NOT_SET/
  ],
  [{ models: { upstreams: { a: { kind: "openai" } } } }, ["models.upstreams.a.base_url"], /where the server is/],
  [{ models: { upstreams: { a: { kind: "sarvam" } } } }, ["models.upstreams.a.api_key"], /a key/],
  [{ models: { upstreams: { a: { kind: "anthropic" } } } }, ["models.upstreams.a.api_key"], /a key/],
  [
    { models: { upstreams: { a: { kind: "anthropic", api_key: "k", apis: ["messages"], stream_usage: true } } } },
    ["models.upstreams.a.apis", "models.upstreams.a.stream_usage"],
    /the kind "openai": remove it/
  ],
  [
    { models: { upstreams: { a: { kind: "openai", apis: [] }, b: { kind: "anthropic", serves: ["stt"] } } } },
    [
      "models.upstreams.a.base_url",
      "models.upstreams.a.apis",
      "models.upstreams.b.api_key",
      "models.upstreams.b.serves"
    ],
    /where the server is/
  ],
  [
    { models: { upstreams: { a: { kind: "openai", base_url: "http://localhost:1", apis: ["chat"] } } } },
    ["models.upstreams.a.apis.0"],
    /"chat_completions"/
  ],
  [
    { models: { upstreams: { a: { kind: "openai", base_url: "http://speech.example/v1", api_key: "k" } } } },
    ["models.upstreams.a.base_url"],
    /https/
  ],
  [
    { models: { upstreams: { a: { kind: "embedded", base_url: "http://x.example", serves: ["llm"] } } } },
    ["models.upstreams.a.base_url", "models.upstreams.a.serves"],
    /somewhere else/
  ],
  [{ models: { embedded: { model: "large" } } }, ["models.embedded.model"], /"tiny" or "base"/],
  [{ models: { embedded: { threads: 65 } } }, ["models.embedded.threads"], /64/],
  // Verifies: H-251.
  [{ search: { providers: { a: {} } } }, ["search.providers.a.kind"], /is needed here/],
  // Verifies: ROOM-2, SETT-2.
  [
    { server: { areas: ["gateway"] }, voice: { max_sessions: 0, recordings_folder: "x" } },
    ["voice"],
    /^voice: belongs to the area voice, which is not among server\.areas: add it there, or remove this option$/
  ],
  [
    {
      server: { areas: ["webhooks"] },
      webhooks: { per_endpoint: 3, allow_networks: [] },
      workers: { deliveries: true, dialer: false },
      limits: { file_bytes: 1 },
      telephony: { answer: { kind: "say" } },
      messaging: { base_url: "nowhere" },
      retension: {}
    },
    ["telephony", "messaging", "limits.file_bytes", "workers.dialer", "retension"],
    /^telephony: belongs to the area calling, /
  ],
  [
    { server: { areas: ["gateway"] }, webhooks: { timeout_ms: 5, allow_networks: [] } },
    ["webhooks.timeout_ms"],
    /belongs to the area webhooks/
  ],
  [
    { search: { providers: { a: { kind: "google" } } } },
    ["search.providers.a.kind"],
    /"brave" or "tavily" or "searxng"/
  ],
  [{ search: { providers: { a: { kind: "brave" } } } }, ["search.providers.a.api_key"], /a key/],
  [{ search: { providers: { a: { kind: "tavily" } } } }, ["search.providers.a.api_key"], /a key/],
  [{ search: { providers: { a: { kind: "searxng" } } } }, ["search.providers.a.base_url"], /where the server is/],
  [
    { search: { providers: { a: { kind: "brave", api_key: { env: "NOT_SET" } } } } },
    ["search.providers.a.api_key"],
    /NOT_SET/
  ],
  [
    { search: { providers: { a: { kind: "searxng", base_url: "http://search.example", api_key: "k" } } } },
    ["search.providers.a.base_url"],
    /https/
  ],
  [
    { search: { providers: { a: { kind: "brave", api_key: "k", timeout_ms: 0 } } } },
    ["search.providers.a.timeout_ms"],
    /from 1 to 600000/
  ],
  [
    { search: { providers: { a: { kind: "brave", apikey: "k" } } } },
    ["search.providers.a.apikey", "search.providers.a.api_key"],
    /api_key/
  ],
  [{ search: { default: "web" } }, ["search.default"], /"web", which is not in search.providers/],
  [{ search: { default: "web", providers: [] } }, ["search.providers", "search.default"], /must be an object/],
  [{ models: { catalogue: "nowhere.json" } }, ["models.catalogue"], /cannot be read/],
  [{ models: { catalogue: "broken.json" } }, ["models.catalogue"], /not valid JSON/],
  [
    { models: { routes: { m: { upstream: "b" } } } },
    ["models.routes.m.upstream"],
    /no upstream "b" in models.upstreams/
  ],
  // Verifies: H-176.
  [
    { models: { ...oneUpstream, routes: { m: { upstream: "a", fallbacks: [{ upstream: "a" }, { upstream: "b" }] } } } },
    ["models.routes.m.fallbacks.1.upstream"],
    /no upstream "b" in models.upstreams/
  ],
  [
    {
      models: {
        ...oneUpstream,
        routes: { "*": { upstream: "a", model: "b", fallbacks: [{ upstream: "a", model: "c" }] } }
      }
    },
    ["models.routes.*.model", "models.routes.*.fallbacks.0.model"],
    /cannot stand in for all/
  ],
  [
    { models: { ...oneUpstream, routes: { m: { upstream: "a", fallbacks: Array(11).fill({ upstream: "a" }) } } } },
    ["models.routes.m.fallbacks"],
    /at most 10/
  ],
  [
    { models: { ...oneUpstream, routes: { m: { upstream: "b", retries: 4, fallbacks: [{ upstream: "c" }] } } } },
    ["models.routes.m.retries", "models.routes.m.upstream", "models.routes.m.fallbacks.0.upstream"],
    /from 0 to 3/
  ],
  // Verifies: H-176.
  [
    { models: { breaker: { failures: 0, open_ms: 99 } } },
    ["models.breaker.failures", "models.breaker.open_ms"],
    /from 1 to 1000/
  ],
  [{ models: { breaker: { failures: 1001 } } }, ["models.breaker.failures"], /from 1 to 1000/],
  [
    { models: { stream_ping_ms: 99, default_max_output_tokens: 0 } },
    ["models.stream_ping_ms", "models.default_max_output_tokens"],
    /from 100 to 600000/
  ],
  [{ models: { stream_ping_ms: 600_001 } }, ["models.stream_ping_ms"], /from 100 to 600000/],
  [{ models: { default_max_output_tokens: 10_000_001 } }, ["models.default_max_output_tokens"], /from 1 to 10000000/],
  [{ models: { breaker: { open_ms: 3_600_001 } } }, ["models.breaker.open_ms"], /from 100 to 3600000/],
  // Verifies: G-713.
  [{ models: { responses_kept_days: -1 } }, ["models.responses_kept_days"], /from 0 to 3650/],
  [{ models: { responses_kept_days: 3651 } }, ["models.responses_kept_days"], /from 0 to 3650/],
  [{ models: { responses_kept_days: 0.5 } }, ["models.responses_kept_days"], /from 0 to 3650/],
  [{ webhooks: { allow_networks: ["fd00::/8", "10.0.0.0/33"] } }, ["webhooks.allow_networks.1"], /at most 32 bits/],
  [
    { webhooks: { allow_networks: ["10.0.0.7/8"] } },
    ["webhooks.allow_networks.0"],
    /start at its first .*"10\.0\.0\.7/
  ],
  [
    { webhooks: { allow_networks: ["lan", 7] } },
    ["webhooks.allow_networks.0", "webhooks.allow_networks.1"],
    /; it is "lan"/
  ],
  [{ webhooks: { team_chat_hosts: ["https://a.b"] } }, ["webhooks.team_chat_hosts.0"], /host name alone/],
  [{ webhooks: { team_chat_hosts: ["a.b:8443"] } }, ["webhooks.team_chat_hosts.0"], /host name alone/],
  [{ webhooks: { timeout_ms: 1.5 } }, ["webhooks.timeout_ms"], /whole number from 1 to 60000/],
  [{ webhooks: { timeout_ms: 60_001 } }, ["webhooks.timeout_ms"], /whole number from 1 to 60000/],
  [{ webhooks: { concurrency: 0 } }, ["webhooks.concurrency"], /at least 1/],
  [{ webhooks: { portal: { frame_ancestors: ["*"] } } }, ["webhooks.portal.frame_ancestors"], /\* is no origin/],
  [{ webhooks: { portal: { frame_ancestors: [] } } }, ["webhooks.portal.frame_ancestors"], /one origin at least/],
  [{ webhooks: { portal: { language: "de_DE" } } }, ["webhooks.portal.language"], /such as de or pt-BR/],
  // Verifies: B-110.
  [
    {
      dashboard: {
        accent: "blue",
        logo: "logo.gif",
        icon: "no.svg",
        words: { "sign-in.heding": "x" },
        hidden: ["inboks"],
        outcomes: ["a", "a"],
        preview_hold_seconds: 0
      }
    },
    [
      "dashboard.accent",
      "dashboard.hidden.0",
      "dashboard.outcomes",
      "dashboard.preview_hold_seconds",
      "dashboard.words.sign-in.heding",
      "dashboard.logo",
      "dashboard.icon"
    ],
    /such as #2154c4/
  ],
  [{ dashboard: { logo_dark: "large.png" } }, ["dashboard.logo_dark"], /at most 64 KiB/],
  [{ dashboard: { frame_ancestors: ["*"] } }, ["dashboard.frame_ancestors"], /\* is no origin/],
  [{ dashboard: { token_url: "mailto:x" } }, ["dashboard.token_url"], /such as \/account\/token/],
  [{ server: { areas: ["gateway"] }, dashboard: { name: "x" } }, ["dashboard"], /belongs to the area dashboard/],
  [{ webhooks: { portal: { words: { "list.label": " " } } } }, ["webhooks.portal.words.list.label"], /not empty/],
  [
    { webhooks: { portal: { words: { "action.pauze": "Halt" } } } },
    ["webhooks.portal.words.action.pauze"],
    /did you mean action\.pause\?/
  ],
  [
    { webhooks: { portal: { words: { "events.found.few": "{n}" } } } },
    ["webhooks.portal.words.events.found.few", "webhooks.portal.words.events.found.few"],
    /must have \{count\}/
  ],
  [{ webhooks: { portal: { theme: { accent: "blue" } } } }, ["webhooks.portal.theme.accent"], /such as #2154c4/],
  [{ webhooks: { portal: { theme: { font: "a;b" } } } }, ["webhooks.portal.theme.font"], /font families/],
  [{ brand: { theme: { accent: "blue" } } }, ["brand.theme.accent"], /such as #2154c4/],
  [{ brand: { theme: { logo: "logo.gif" } } }, ["brand.theme.logo"], /ends in \.png/],
  [{ brand: { licence: { name: "" } } }, ["brand.licence.name"], /./],
  [{ server: { public_url: "calls.example.com" } }, ["server.public_url"], /URL/],
  [{ webhooks: { portal: { theme: { color_scheme: "x" } } } }, ["webhooks.portal.theme.color_scheme"], /"system"/],
  [{ webhooks: { portal: { theme: { logo: "logo.gif" } } } }, ["webhooks.portal.theme.logo"], /ends in \.png/],
  [{ webhooks: { portal: { theme: { logo: "no.svg" } } } }, ["webhooks.portal.theme.logo"], /cannot be read/],
  [{ webhooks: { portal: { theme: { logo: "large.png" } } } }, ["webhooks.portal.theme.logo"], /at most 64 KiB/],
  [{ messaging: { timeout_ms: 600_001 } }, ["messaging.timeout_ms"], /from 1 to 600000/],
  [{ database: { connections: 0 } }, ["database.connections"], /at least 1/],
  [{ limits: { per_ip_per_minute: "200" } }, ["limits.per_ip_per_minute"], /null for no limit; it is "200"/],
  [{ limits: { json_body_bytes: 0 } }, ["limits.json_body_bytes"], /whole number from 1/],
  [{ limits: { batch_requests: 1_000_001 } }, ["limits.batch_requests"], /whole number from 1/],
  [{ limits: { batch_concurrency: 1001 } }, ["limits.batch_concurrency"], /whole number from 1/],
  [{ limits: { batch_window_seconds: 0 } }, ["limits.batch_window_seconds"], /whole number from 1/],
  [{ retention: { usage_days: 91 } }, ["retention.usage_days"], /from 92 to 36500/],
  [{ retention: { deliveries_days: 30 } }, ["retention.deliveries_days"], /from 31 to 36500/],
  [{ retention: { events_days: 0 } }, ["retention.events_days"], /from 31 to 36500/],
  [{ retention: { calls_days: 30 } }, ["retention.calls_days"], /from 31 to 36500/],
  [{ retention: { messages_days: 1.5 } }, ["retention.messages_days"], /from 31 to 36500/],
  [{ workers: { batches: 1 } }, ["workers.batches"], /true or false/],
  [{ limits: { file_bytes: 1_073_741_825 } }, ["limits.file_bytes"], /whole number from 1/],
  [{ pricing: { call_credits_per_minute: -1 } }, ["pricing.call_credits_per_minute"], /nine decimal places/],
  [{ pricing: { call_credits_per_minute: 1e-10 } }, ["pricing.call_credits_per_minute"], /nine decimal places/],
  [{ pricing: { usd_to_credits: 0 } }, ["pricing.usd_to_credits"], /above zero/],
  [{ pricing: { defaults: { stt: { usd: 1 } } } }, ["pricing.defaults.stt.usd"], /no setting/],
  [{ workers: { dialer: "yes" } }, ["workers.dialer"], /true or false/]
]

describe("the configuration file", () => {
  it("may be empty", () => {
    expect(faults({})).toEqual([])
  })

  // Verifies: H-31, H-70, H-108, H-142, H-146.
  it("accepts every documented key", () => {
    expect(faults(complete, { TOKEN: "t" })).toEqual([])
  })

  // Verifies: H-142, H-143, H-144, H-145.
  it.each(wrong)("%j is refused, with the path and what to do", (file, paths, words) => {
    const found = faults(file, { TOKEN: "t", TRUNKLINE_SECRET: "now" })
    expect(found.map((fault) => fault.split(": ")[0])).toEqual(paths)
    expect(found[0]).toMatch(words)
  })

  // Verifies: D-287.
  it("is refused with all faults of a section at once: of its form, upstreams, routes and models", () => {
    const unset = (name: string) => ({ env: name })
    const file = {
      models: {
        catalogue: "unknown-category.json",
        upstreams: {
          there: { kind: "openai", base_url: "https://api.example/v1", api_key: unset("A"), apis: ["chat"] },
          mine: { kind: "openai" },
          indic: { kind: "sarvam", api_key: unset("B"), serves: ["llm"] },
          deep: { kind: "deepgram" },
          what: { kind: "groq", base_url: "x" },
          here: { kind: "embedded", threads: 65, base_ur: "x" }
        },
        routes: {
          one: { upstream: "ther" },
          two: { upstreams: "mine" },
          "*": { upstream: "mine", model: "m" }
        }
      },
      search: {
        providers: { b: { kind: "brave" }, t: { kind: "tavily", api_key: unset("C") }, s: { kind: "searxng" } }
      },
      messaging: { app_secret: unset("D"), reply: { quiet_ms: 10, max_wait_ms: 5 }, web_chat: { secret: "short" } }
    }
    expect(faults(file).map((fault) => fault.split(": ")[0]!.trim())).toEqual([
      "messaging.app_secret",
      "models.upstreams.there.api_key",
      "models.upstreams.there.apis.0",
      "models.upstreams.indic.api_key",
      "models.upstreams.what.kind",
      "models.upstreams.what.base_url",
      "models.upstreams.here.base_ur",
      "models.routes.two.upstreams",
      "models.routes.two.upstream",
      "search.providers.t.api_key",
      "messaging.reply.max_wait_ms",
      "messaging.web_chat.secret",
      "models.routes.one.upstream",
      "models.routes.*.model",
      "models.catalogue",
      "models.upstreams.mine.base_url",
      "models.upstreams.indic.serves",
      "models.upstreams.deep.api_key",
      "models.upstreams.here.threads",
      "search.providers.b.api_key",
      "search.providers.s.base_url"
    ])
  })

  // Verifies: D-287.
  it("is refused for models that cannot be used too, under the names of the file", () => {
    expect(faults({ voice: { defaults: { stt_model: "nobody", tts_model: "saaras:v3" } }, models: {} })).toEqual([
      'voice.defaults.stt_model: There is no model "nobody" in the catalogue',
      "voice.defaults.tts_model: The model saaras:v3 cannot speak"
    ])
    expect(faults({ pricing: { defaults: { stt: { usd_per_image: 1 } } } })).toEqual([
      expect.stringMatching(/^pricing\.defaults\.stt: ./)
    ])
  })

  it("is refused with all faults of all sections at once", () => {
    const alone = [
      { brand: { channel: "contacts" } },
      { auth: { jwt: { secret: { env: "NOT_SET" } } } },
      { secrets: { previous: [{ env: "NOT_SET" }] } },
      { telephony: { provider: "twilio", answer: { kind: "url" }, simulator: { sped: 1 } } },
      { messaging: { reply: { quiet_ms: "1" } } },
      { models: { upstreams: { a: { kind: "x" } }, routes: { m: { upstream: "b" } } } },
      { search: { default: "b", providers: { a: { kind: "x" } } } },
      { webhooks: { timeout_ms: 0 } },
      { limits: { per_ip_per_minute: "200" } },
      { pricing: { usd_to_credits: 0 } },
      { workers: { dialer: 1 } },
      { nonsense: 1 }
    ]
    const together = faults(Object.assign({}, ...alone))
    expect([...together].sort()).toEqual(alone.flatMap((file) => faults(file)).sort())
    expect(together.length).toBeGreaterThan(13)
  })

  it("never shows a secret", () => {
    const found = faults({
      ...twilio({ auth_token: ["hunter2"] }),
      auth: { jwt: { secret: { env: "TOKEN", also: "hunter2" } } },
      messaging: { app_secret: { text: "hunter2" } }
    })
    expect(found).toHaveLength(3)
    const previous = ["hunter2", ["hunter2", "hunter2"], [["hunter2"]]].flatMap((previous) =>
      faults({ secrets: { previous } })
    )
    expect(previous).toHaveLength(3)
    expect([...found, ...previous].join()).not.toContain("hunter2")
  })

  it("may name secrets of the environment", () => {
    const config = Result.getOrThrow(configOf({ auth: { jwt: { secret: { env: "S" } } } }, { S: "from outside" }))
    expect(config.auth.jwt!.secret!.text).toBe("from outside")
    expect(JSON.stringify(config)).not.toContain("from outside")
  })

  it("may name a file of public keys, found from where the file is", () => {
    writeFileSync(join(folder, "keys.json"), JSON.stringify({ keys: [{ kty: "OKP" }] }))
    writeFileSync(join(folder, "config.json"), JSON.stringify({ auth: { jwt: { jwks_url: "keys.json" } } }))
    expect(loadConfig({ TRUNKLINE_CONFIG: join(folder, "config.json") }).keySet).toEqual({
      jwks: { keys: [{ kty: "OKP" }] }
    })
    writeFileSync(join(folder, "keys.json"), JSON.stringify([]))
    expect(faults({ auth: { jwt: { jwks_url: "keys.json" } } })[0]).toMatch(/holds no key set/)
  })

  it("may name folders of weights, found from where the file is", () => {
    const embedded = { models_folder: "weights" }
    const file = { models: { embedded, upstreams: { a: { kind: "embedded", models_folder: "/srv/weights" } } } }
    const { models } = Result.getOrThrow(configOf(file, {}, { folder: "/etc/trunkline" }))
    expect(models.embedded?.modelsFolder).toBe("/etc/trunkline/weights")
    expect(models.upstreams?.a).toMatchObject({ modelsFolder: "/srv/weights" })
  })

  it("is read by a command as far as the command needs it", () => {
    const file = { ...twilio({ auth_token: { env: "NOT_SET" } }), brand: { key_prefix: "acme_" } }
    const config = configOf(file, {}, { sections: ["brand", "auth"] })
    expect(Result.getOrThrow(config).brand.keyPrefix).toBe("acme_")
    expect(Result.isFailure(configOf({ brnad: {} }, {}, { sections: ["brand", "auth"] }))).toBe(true)
  })

  it.each([[[]], ["text"], [null], [5]])("is an object, not %j", (value) => {
    expect(faults(value)).toHaveLength(1)
  })
})

describe("the text of the file", () => {
  const found = (text: string): string => {
    const path = join(folder, "text.json")
    writeFileSync(path, text)
    try {
      loadConfig({ TRUNKLINE_CONFIG: path })
      return "in order"
    } catch (error) {
      return (error as Error).message
    }
  }

  it.each([
    ["", /line 1, column 1: a value is missing/],
    ['{\n "limits": {},\n}', /line 2, column 15|line 3, column 1/],
    ['{"limits": {} "brand": {}}', /line 1, column 15: a comma is missing/],
    ['{"limits": {}', /a closing brace/],
    ["{\n  // words\n}", /line 2, column 3: JSON has no comments/],
    ['{"a": tru}', /line 1, column 7: this is no JSON value/],
    ['{"limits": {},\n "limits": {}}', /line 2, column 2: the key "limits" stands twice/]
  ])("%j is reported with its line and column", (text, words) => {
    expect(found(text)).toMatch(words)
  })

  it("may begin with a byte order mark", () => {
    expect(found("\uFEFF{}")).toBe("in order")
  })

  it("is refused when the file does not exist", () => {
    expect(() => loadConfig({ TRUNKLINE_CONFIG: join(folder, "nowhere.json") })).toThrow(/ENOENT/)
  })
})

describe("the configurations that guides show", () => {
  const guides = new URL("../../../docs/guides/", import.meta.url)
  const sections = new Set(["server", "brand", "dashboard", "messaging", "models", "telephony", "voice", "webhooks"])
  const shown = readdirSync(guides, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) =>
      [...readFileSync(new URL(name, guides), "utf8").matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, text = ""]) => ({
        name,
        value: JSON.parse(text.replace("AC…", `AC${"0".repeat(32)}`)) as object
      }))
    )
    .filter(({ value }) => Object.keys(value).every((key) => sections.has(key)))

  it("are taken as they stand", () => {
    expect(shown.length).toBeGreaterThan(6)
    const named = [...JSON.stringify(shown).matchAll(/"env":"(\w+)"/g)].map(([, name = ""]) => [name, "a".repeat(40)])
    const wrong = shown.flatMap(({ name, value }) =>
      faults(value, Object.fromEntries(named)).map((fault) => `${name}: ${JSON.stringify(fault)}`)
    )
    expect(wrong).toEqual([])
  })
})
