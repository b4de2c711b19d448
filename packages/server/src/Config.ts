/** The configuration file: its whole schema, and every fault of a file at once, each with its path and what to do. */
import { readFileSync } from "node:fs"
import { type Brand, brandFaults, neutralBrand } from "@trunkline/core/effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { UsageError } from "./UsageError.ts"

const optional = Schema.optionalKey
const Text = Schema.NonEmptyString
const Positive = Schema.Finite.check(Schema.isGreaterThan(0))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
const Url = Schema.String.check(Schema.makeFilter((text: string) => URL.canParse(text) || "expected a URL"))

/** A secret stands in the file, or the file names the environment variable that holds it. */
const Secret = Schema.Union([Text, Schema.Struct({ env: Text })])

const BrandPart = Schema.Struct({
  key_prefix: optional(Text),
  header_prefix: optional(Text),
  channel: optional(Text),
  message_id_field: optional(Text),
  message_ids_field: optional(Text),
  user_id_field: optional(Text),
  product_aliases: optional(Schema.Array(Schema.Struct({ product: Text, user_id_field: Text })))
})

const AuthPart = Schema.Struct({
  jwt: optional(
    Schema.Struct({
      secret: optional(Secret),
      jwks_url: optional(Text),
      claims: optional(Schema.Struct({ subject: optional(Text), account: optional(Text), role: optional(Text) }))
    })
  )
})

const TelephonyPart = Schema.Struct({
  provider: optional(Schema.Literals(["simulator", "twilio"])),
  answer: optional(
    Schema.Union([
      Schema.Struct({ kind: Schema.Literal("say") }),
      Schema.Struct({ kind: Schema.Literal("url"), url: Url }),
      Schema.Struct({ kind: Schema.Literal("stream"), url: Url })
    ])
  ),
  simulator: optional(Schema.Struct({ speed: optional(Positive) })),
  twilio: optional(
    Schema.Struct({
      account_sid: Text,
      auth_token: Secret,
      base_url: optional(Url),
      public_url: Url,
      default_from: optional(Text),
      calls_per_second: optional(Positive)
    })
  )
})

const MessagingPart = Schema.Struct({
  base_url: optional(Url),
  product: optional(Text),
  app_secret: optional(Secret),
  verify_token: optional(Secret),
  reply: optional(
    Schema.Struct({
      quiet_ms: optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
      max_wait_ms: optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
    })
  )
})

const ModelsPart = Schema.Struct({
  catalogue: optional(Text),
  upstreams: optional(
    Schema.Record(
      Schema.String,
      Schema.Struct({
        kind: Schema.Literals(["openai", "sarvam", "deepgram", "embedded"]),
        base_url: optional(Url),
        api_key: optional(Secret),
        serves: optional(Schema.Array(Schema.Literals(["stt", "llm", "tts", "image", "embedding", "search"]))),
        timeout_ms: optional(Count)
      })
    )
  ),
  routes: optional(Schema.Record(Schema.String, Schema.Struct({ upstream: Text, model: optional(Text) }))),
  embedded_fallback: optional(Schema.Boolean)
})

const File = Schema.Struct({
  brand: optional(BrandPart),
  auth: optional(AuthPart),
  telephony: optional(TelephonyPart),
  messaging: optional(MessagingPart),
  models: optional(ModelsPart),
  webhooks: optional(
    Schema.Struct({
      allow_networks: optional(Schema.Array(Text)),
      team_chat_hosts: optional(Schema.Array(Text)),
      timeout_ms: optional(Count)
    })
  ),
  limits: optional(
    Schema.Struct({ per_ip_per_minute: optional(Schema.NullOr(Count)), json_body_bytes: optional(Count) })
  ),
  pricing: optional(
    Schema.Struct({
      call_credits_per_minute: optional(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
      usd_to_credits: optional(Positive),
      defaults: optional(Schema.Record(Schema.String, Schema.Record(Schema.String, Positive)))
    })
  ),
  workers: optional(
    Schema.Struct({
      dialer: optional(Schema.Boolean),
      deliveries: optional(Schema.Boolean),
      replies: optional(Schema.Boolean)
    })
  )
})

type Parsed = typeof File.Type

/** The file with its secrets read. */
export interface Config extends Omit<Parsed, "brand"> {
  readonly brand: Brand
  readonly jwtSecret: string | undefined
  readonly twilioToken: string | undefined
}

const explain = SchemaIssue.makeFormatterStandardSchemaV1()

type Environment = Readonly<Record<string, string | undefined>>

const secretOf = (
  secret: string | { readonly env: string } | undefined,
  path: string,
  environment: Environment,
  faults: Array<string>
): string | undefined => {
  if (secret === undefined || typeof secret === "string") return secret
  const value = environment[secret.env]
  if (value === undefined || value === "") faults.push(`${path}: the environment variable ${secret.env} is not set`)
  return value
}

const brandOf = ({ brand = {} }: Parsed): Brand => ({
  keyPrefix: brand.key_prefix ?? neutralBrand.keyPrefix,
  headerPrefix: brand.header_prefix ?? neutralBrand.headerPrefix,
  channel: brand.channel ?? neutralBrand.channel,
  messageIdField: brand.message_id_field ?? neutralBrand.messageIdField,
  messageIdsField: brand.message_ids_field ?? neutralBrand.messageIdsField,
  userIdField: brand.user_id_field ?? neutralBrand.userIdField,
  productAliases: (brand.product_aliases ?? []).map(({ product, user_id_field }) => ({
    product,
    userIdField: user_id_field
  }))
})

const sections = File.fields
const options = { errors: "all", onExcessProperty: "error" } as const

/** The sections that can be read each by itself, so that a fault in one does not hide those of another. */
const readable = (value: unknown): Parsed => {
  if (typeof value !== "object" || value === null) return {}
  const read = Object.entries(value).flatMap(([name, part]) => {
    const schema = sections[name as keyof typeof sections] as Schema.Codec<unknown, unknown> | undefined
    const decoded = schema === undefined ? undefined : Schema.decodeUnknownResult(schema)(part, options)
    return decoded !== undefined && Result.isSuccess(decoded) ? [[name, decoded.success] as const] : []
  })
  return Object.fromEntries(read) as Parsed
}

/** Reads a configuration, or says everything that is wrong with it. */
export const configOf = (value: unknown, environment: Environment): Result.Result<Config, ReadonlyArray<string>> => {
  const decoded = Schema.decodeUnknownResult(File)(value, options)
  const faults: Array<string> = Result.isSuccess(decoded)
    ? []
    : explain(decoded.failure.issue).issues.map(
        ({ message, path = [] }) => `${path.map(String).join(".") || "the file"}: ${message}`
      )
  const parsed = Result.isSuccess(decoded) ? decoded.success : readable(value)
  const jwtSecret = secretOf(parsed.auth?.jwt?.secret, "auth.jwt.secret", environment, faults)
  const twilioToken = secretOf(parsed.telephony?.twilio?.auth_token, "telephony.twilio.auth_token", environment, faults)
  secretOf(parsed.messaging?.app_secret, "messaging.app_secret", environment, faults)
  secretOf(parsed.messaging?.verify_token, "messaging.verify_token", environment, faults)
  for (const [name, { api_key }] of Object.entries(parsed.models?.upstreams ?? {})) {
    secretOf(api_key, `models.upstreams.${name}.api_key`, environment, faults)
  }
  if (parsed.telephony?.provider === "twilio" && parsed.telephony.twilio === undefined) {
    faults.push("telephony.twilio: the provider twilio needs account_sid, auth_token and public_url")
  }
  const brand = brandOf(parsed)
  faults.push(...brandFaults(brand).map((fault) => `brand: ${fault}`))
  return faults.length === 0 ? Result.succeed({ ...parsed, brand, jwtSecret, twilioToken }) : Result.fail(faults)
}

/** Reads the file that `TRUNKLINE_CONFIG` names, or the defaults where it names none. */
export const loadConfig = (environment: Environment): Config => {
  const path = environment.TRUNKLINE_CONFIG
  const value = path === undefined || path === "" ? {} : parse(path)
  const config = configOf(value, environment)
  if (Result.isSuccess(config)) return config.success
  throw new UsageError(
    `the configuration ${path ?? ""} cannot be used:\n${config.failure.map((fault) => `  ${fault}`).join("\n")}`
  )
}

const parse = (path: string): unknown => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    throw new UsageError(`the configuration ${path} cannot be read: ${(error as Error).message}`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`the configuration ${path} is not JSON: ${(error as Error).message}`)
  }
}
