/** What every upstream must be told: where it is, with which key, and how long to wait. */
import { serviceOf } from "@trunkline/core/effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/** Services that upstreams can be configured for: those of the capabilities. */
const services = Object.values(serviceOf)
export type Service = (typeof services)[number]

/** Settings as a host writes them. Source: docs/upstreams.md#settings. */
export interface UpstreamOptions {
  /** Scheme, host and the path that comes before the API's own. */
  readonly baseUrl?: string | undefined
  /** Kept redacted, and never part of a message. */
  readonly apiKey?: string | Redacted.Redacted<string> | undefined
  /** Until the answer begins, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined
  /** What it is asked for. Default: all that its kind can. */
  readonly serves?: ReadonlyArray<Service> | undefined
}

/** The same settings, checked and complete. */
export interface UpstreamSettings {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string> | null
  readonly timeoutMs: number
  readonly serves: ReadonlyArray<Service>
}

/** What a provider adds to settings that are left out. */
export interface KindDefaults {
  readonly provider: string
  /** Null where a host must say it. */
  readonly baseUrl: string | null
  readonly needsKey: boolean
  readonly serves: ReadonlyArray<Service>
}

/** Settings that cannot work; every fault is named at once. */
export class InvalidUpstreamOptions extends Schema.TaggedError<InvalidUpstreamOptions>()("InvalidUpstreamOptions", {
  kind: Schema.String,
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `${this.kind}: ${this.problems.join("; ")}`
  }
}

/** Ten minutes: nobody holds a request longer. */
const longestMs = 600_000

const standardMs = 60_000

/** Networks whose addresses mean nothing on the internet, and names that only such networks give. */
const privateHosts = [
  /^127(\.\d{1,3}){3}$/,
  /^10(\.\d{1,3}){3}$/,
  /^192\.168(\.\d{1,3}){2}$/,
  /^172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}$/,
  /^\[(::1|f[cd][0-9a-f]{2}:.*)\]$/,
  /^[^.:[\]]+$/,
  /\.(internal|local|localhost|lan|home\.arpa)$/
]

const isPrivate = (hostname: string): boolean => privateHosts.some((pattern) => pattern.test(hostname))

const isPlain = (text: string): boolean => {
  const { hostname, protocol } = new URL(text)
  return protocol === "http:" && !isPrivate(hostname)
}

const address = (text: string): string | undefined => {
  if (!URL.canParse(text)) return "expected an absolute URL"
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:") return "expected https or http"
  if (url.username !== "" || url.password !== "") return "expected a URL without credentials"
  if (url.search !== "" || url.hash !== "") return "expected a URL without query and fragment"
  return undefined
}

const Options = Schema.Struct({
  baseUrl: Schema.optional(Schema.String.check(Schema.makeFilter(address))),
  apiKey: Schema.optional(Schema.Redacted(Schema.String)),
  timeoutMs: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: longestMs }))),
  serves: Schema.optional(Schema.Array(Schema.Literals(services)).check(Schema.isMinLength(1)))
})

const decode = Schema.decodeUnknownResult(Options)
const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the options of a kind and fills in what was left out. The key's own text is in no message. */
export const upstreamSettings = (
  defaults: KindDefaults,
  options: UpstreamOptions
): Result.Result<UpstreamSettings, InvalidUpstreamOptions> => {
  const decoded = decode({ ...options, ...hidden(options) }, { errors: "all", onExcessProperty: "error" })
  const problems = [
    ...(Result.isFailure(decoded) ? faultsOf(decoded.failure.issue) : []),
    ...missing(defaults, options)
  ]
  if (Result.isFailure(decoded) || problems.length > 0) {
    return Result.fail(new InvalidUpstreamOptions({ kind: defaults.provider, problems }))
  }
  const given = decoded.success
  return Result.succeed({
    baseUrl: (given.baseUrl ?? defaults.baseUrl ?? "").replace(/\/+$/, ""),
    apiKey: given.apiKey ?? null,
    timeoutMs: given.timeoutMs ?? standardMs,
    serves: given.serves ?? defaults.serves
  })
}

const hidden = ({ apiKey }: UpstreamOptions) =>
  apiKey === undefined ? {} : { apiKey: Redacted.isRedacted(apiKey) ? apiKey : Redacted.make(apiKey) }

const faultsOf = (issue: SchemaIssue.Issue): ReadonlyArray<string> =>
  explain(issue).issues.map(({ message, path }) => `${String(path?.[0])}: ${message}`)

/** A key becomes part of a header. */
const isHeader = (key: UpstreamOptions["apiKey"]): boolean => {
  const text = Redacted.isRedacted(key) ? Redacted.value(key) : key
  return typeof text !== "string" || /^[\x21-\x7e]+$/.test(text)
}

/** What no field can tell by itself, or may not say what it was given. */
const missing = (
  { baseUrl, needsKey, provider, serves }: KindDefaults,
  options: UpstreamOptions
): ReadonlyArray<string> => {
  const { apiKey, baseUrl: given } = options
  const beyond = Array.isArray(options.serves) ? options.serves.filter((one) => !serves.includes(one)) : []
  const open = typeof given === "string" && address(given) === undefined && isPlain(given) && apiKey !== undefined
  return [
    ...(given === undefined && baseUrl === null ? ["baseUrl: expected where the server is"] : []),
    ...(apiKey === undefined && needsKey ? ["apiKey: expected a key"] : []),
    ...(isHeader(apiKey) ? [] : ["apiKey: expected visible ASCII without spaces"]),
    ...(open ? ["baseUrl: expected https, since the key would cross a public network in the clear"] : []),
    ...(beyond.length > 0 ? [`serves: ${provider} upstreams do not serve ${beyond.join(", ")}`] : [])
  ]
}
