/**
 * Every option of the library has a key in the file, by its own path or as the table says, or a reason here why not.
 * Verifies: SERV-5.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DashboardOptions } from "@trunkline/core"
import type { Settings } from "@trunkline/core/provider"
import { optionSettings, wavHeader } from "@trunkline/core/provider"
import { snakeName } from "@trunkline/core/storage"
import type { CloudApiOptions } from "@trunkline/providers/cloud-api"
import type { EmbeddedOptions } from "@trunkline/providers/embedded"
import type { OpenAiOptions } from "@trunkline/providers/openai"
import type { SimulatorOptions } from "@trunkline/providers/simulator"
import type { TwilioOptions } from "@trunkline/providers/twilio"
import { configOf } from "@trunkline/server"
import type { PostgresOptions } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Result from "effect/Result"
import { afterAll, describe, expect, it, vi } from "vitest"
import { sections } from "../src/ConfigFile.ts"
import { carriers } from "../src/ProviderKinds.ts"
import { optionsOf } from "../src/ServerOptions.ts"

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

/** Options whose key has another path or another form, and those that need none. All others have their own path as their key. */
const elsewhere: Readonly<Record<string, Row>> = {
  areas: { because: "the server has all of them" },
  storage: { because: "DATABASE_URL; its settings are those of Postgres below" },
  telephony: { key: "telephony.provider", value: "simulator", sets: provider("telephony") },
  outbound: { because: "always there; NODE_EXTRA_CA_CERTS adds authorities for all of Node" },
  reference: { because: "always there, for the root of the server" },
  dashboard: { key: "dashboard.name", value: "Acme Calls", sets: provider("dashboard") },
  audioLength: { because: "always there, and has no settings" },
  recordings: { key: "voice.recordings_folder", value: "./sound", sets: provider("recordings") },
  "voice.detector": { because: "Silero where it is installed, with the settings of models.embedded" },
  encryptionKey: { because: "derived from TRUNKLINE_SECRET" },
  previousEncryptionKeys: { key: "secrets.previous", value: ["before"], sets: [expect.stringMatching(/^.{32,}$/)] },
  answer: { key: "telephony.answer", value: { kind: "stream", url: "wss://media.example" } },
  onAnswer: { because: "a function; telephony.answer with the kind url asks a program for each call" },
  "brand.theme.logo": { because: "the file names an image, the library has the image itself: Config.test.ts" },
  "webhooks.portal.theme.logo": {
    key: "webhooks.portal.theme.logo",
    value: "logo.svg",
    sets: `data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}`
  },
  "auth.jwt.jwksUrl": { key: "auth.jwt.jwks_url", value: "https://keys.example/jwks.json" },
  "auth.jwt.jwks": { key: "auth.jwt.jwks_url", value: "keys.json", sets: { keys: [{ kty: "OKP" }] } },
  "auth.authenticate": { because: "a function; a sign-in of one's own signs tokens, see auth.jwt" },
  "models.catalogue": { key: "models.catalogue", value: "models.json", sets: { models: [] } },
  "models.upstreams": {
    key: "models.upstreams",
    value: { a: { kind: "openai", base_url: "http://127.0.0.1:1/v1" } },
    sets: { a: provider("upstream") }
  },
  "models.fallback": { key: "models.embedded_fallback", value: true, sets: provider("upstream") },
  "search.providers": {
    key: "search.providers",
    value: { a: { kind: "searxng", base_url: "http://127.0.0.1:1" } },
    sets: { a: provider("search") }
  },
  "messaging.platform": { key: "messaging.product", value: "whatsapp", sets: provider("messaging") },
  "messaging.channels": {
    key: "messaging.telegram.public_url",
    value: "https://chat.example",
    sets: [provider("messaging")]
  },
  clock: { because: "for demonstrations and tests: a server has the machine's clock" },
  log: { because: "a function; the server writes lines of JSON to standard error" }
}

/** A sample of the others: a value of each form, and those whose names the operator chooses. */
const samples: Readonly<Record<string, Row>> = {
  "webhooks.allowNetworks": { key: "webhooks.allow_networks", value: ["10.0.0.0/8"] },
  "webhooks.portal.theme.colorScheme": { key: "webhooks.portal.theme.color_scheme", value: "dark" },
  "webhooks.portal.words": { key: "webhooks.portal.words", value: { "action.pause": "Anhalten" } },
  "brand.licence": { key: "brand.licence", value: { name: "Terms of Acme" } },
  "brand.productAliases": {
    key: "brand.product_aliases",
    value: [{ product: "other", user_id_field: "other_id" }],
    sets: [{ product: "other", userIdField: "other_id" }]
  },
  "auth.jwt.secret": { key: "auth.jwt.secret", value: "s" },
  "auth.jwt.audience": { key: "auth.jwt.audience", value: ["calling", "chat"] },
  "auth.jwt.roles": { key: "auth.jwt.roles", value: { ops: "admin" } },
  "limits.perIpPerMinute": { key: "limits.per_ip_per_minute", value: null },
  "limits.keptResponseBytes": { key: "limits.kept_response_bytes", value: 20 },
  "pricing.defaults": {
    key: "pricing.defaults",
    value: { stt: { usd_per_hour: 2 }, llm: { input_usd_per_million_tokens: 2, output_usd_per_million_tokens: 3 } }
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
  "models.breaker": { key: "models.breaker", value: null },
  "search.default": {
    key: "search",
    value: { providers: { a: { kind: "brave", api_key: "k" } }, default: "a" },
    sets: "a"
  },
  "messaging.appSecret": { key: "messaging.app_secret", value: "a" },
  "voice.defaults": {
    key: "voice.defaults",
    value: { stt_model: "nova-3", llm_model: "oss-120b", tts_model: "flite", voice: "kal16", language: "hi" },
    sets: { sttModel: "nova-3", llmModel: "oss-120b", ttsModel: "flite", voice: "kal16", language: "hi" }
  }
}

const upstream = (key: string, value: unknown): Row => ({
  key: "models.upstreams.a",
  value: { kind: "openai", base_url: "http://127.0.0.1:1/v1", [key]: value }
})

/** Options of what is plugged in, which cannot be looked at from outside: their keys are known, and that is all. */
const plugged: Record<
  | `postgres.${keyof PostgresOptions | "url"}`
  | `twilio.${keyof TwilioOptions}`
  | `simulator.${keyof SimulatorOptions}`
  | `cloudApi.${keyof CloudApiOptions}`
  | `openai.${keyof OpenAiOptions}`
  | `embedded.${keyof EmbeddedOptions}`
  | `dashboard.${keyof DashboardOptions}`,
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
  "cloudApi.appId": { key: "messaging.app_id", value: "670843887433847" },
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
  "dashboard.enabled": { key: "dashboard.enabled", value: false },
  "dashboard.publicUrl": { key: "dashboard.public_url", value: "https://calls.example/phone" },
  "dashboard.name": { key: "dashboard.name", value: "Acme Calls" },
  "dashboard.accent": { key: "dashboard.accent", value: "#0a5c36" },
  "dashboard.font": { key: "dashboard.font", value: "Inter, system-ui" },
  "dashboard.colorScheme": { key: "dashboard.color_scheme", value: "dark" },
  "dashboard.logo": { key: "dashboard.logo", value: "logo.svg" },
  "dashboard.logoDark": { key: "dashboard.logo_dark", value: "logo.svg" },
  "dashboard.icon": { key: "dashboard.icon", value: "logo.svg" },
  "dashboard.words": { key: "dashboard.words", value: { "sign-in.heading": "Welcome back" } },
  "dashboard.hidden": { key: "dashboard.hidden", value: ["inbox", "keys"] },
  "dashboard.helpUrl": { key: "dashboard.help_url", value: "https://help.example/" },
  "dashboard.tokenUrl": { key: "dashboard.token_url", value: "/account/token" },
  "dashboard.signInUrl": { key: "dashboard.sign_in_url", value: "https://example.com/sign-in" },
  "dashboard.frameAncestors": { key: "dashboard.frame_ancestors", value: ["'self'", "https://app.example"] },
  "dashboard.outcomes": { key: "dashboard.outcomes", value: ["Yes", "No"] },
  "dashboard.previewHoldSeconds": { key: "dashboard.preview_hold_seconds", value: 30 },
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

/** The paths of the options below settings, each with its form; what is given as a whole is one of them. */
const leavesOf = (
  settings: Settings.Settings,
  nameOf: (name: string) => string,
  above: ReadonlyArray<string> = []
): ReadonlyArray<readonly [path: string, form: Settings.Form]> =>
  Object.entries(settings).flatMap(([name, { form }]) => {
    const path = [...above, nameOf(name)]
    return form.fields === undefined || form.isWhole
      ? [[path.join("."), form] as const]
      : leavesOf(form.fields, nameOf, path)
  })

const inLibrary = leavesOf(optionSettings.form.fields ?? {}, (name) => name)
const plain = inLibrary.filter(([path]) => elsewhere[path] === undefined)

describe("the configuration file", () => {
  const set = async (file: unknown, option: string): Promise<unknown> => {
    const config = Result.getOrThrow(read(file))
    const options = await optionsOf({
      config,
      storage: sqlite(":memory:"),
      secret: "a secret of this installation alone"
    })
    return at(options, option)
  }

  // Verifies: D-247.
  it("has a key for every option of the library, or a reason why not", () => {
    const keys = new Set(leavesOf(sections, snakeName).map(([path]) => path))
    expect(plain.map(([path]) => path.split(".").map(snakeName).join(".")).filter((key) => !keys.has(key))).toEqual([])
    expect(Object.keys(elsewhere).filter((path) => inLibrary.every(([option]) => option !== path))).toEqual([])
    expect(plain.length).toBeGreaterThan(80)
  })

  // Verifies: D-247.
  it.each(keyed({ ...elsewhere, ...samples }))("sets by $key the option $option of the library", async (row) => {
    expect(await set(fileOf(row.key, row.value), row.option)).toEqual(row.sets ?? row.value)
  })

  // Verifies: D-247.
  it.each(plain.filter(([, { standard }]) => standard != null))(
    "sets the option %s by its own path",
    async (path, form) => {
      const key = path.split(".").map(snakeName).join(".")
      expect(await set(fileOf(key, form.standard), path)).toEqual(form.standard)
    }
  )

  // Verifies: B-111.
  it.each(keyed(plugged))("knows $key, which is $option of what is plugged in", ({ key, value }) => {
    expect(Result.getOrThrow(read(fileOf(key, value)))).toBeTruthy()
    expect(Result.isFailure(read(fileOf(`${key}_`, value)))).toBe(!key.startsWith("models.upstreams."))
  })

  // Verifies: D-247.
  it("says for every option without a key why it has none", () => {
    for (const row of Object.values({ ...elsewhere, ...plugged })) {
      if ("because" in row) expect(row.because).toMatch(/\w/)
    }
  })

  // Verifies: ROOM-2.
  it("names the areas that a server has, and makes and passes on nothing for the others", async () => {
    const optionsFor = (file: object) =>
      optionsOf({
        config: Result.getOrThrow(read(file)),
        storage: sqlite(":memory:"),
        secret: "a secret of this installation alone"
      })
    const makesCarrier = vi.spyOn(carriers[0]!, "make")
    const { areas, ...rest } = await optionsFor({ server: { areas: ["gateway", "webhooks"] } })
    expect(makesCarrier).not.toHaveBeenCalled()
    expect(areas).toEqual([{ area: "gateway" }, { area: "webhooks" }])
    for (const name of ["telephony", "answer", "messaging", "voice", "recordings"])
      expect(rest).not.toHaveProperty(name)
    for (const name of ["models", "webhooks", "outbound", "limits"]) expect(rest).toHaveProperty(name)
    expect(Result.isFailure(read({ server: { areas: ["phone"] } }))).toBe(true)
  })
})
