/** Settings of every upstream: where it is, its key, and how long to wait. */
import { serviceOf } from "@trunkline/core/provider"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { baseUrlFault, isPublicPlainHttp, withoutTrailingSlash } from "../http/BaseUrl.ts"
import { between, timeoutBounds } from "./Bounds.ts"

/** Services that upstreams can be configured for: those of the capabilities. */
export const services = [...new Set(Object.values(serviceOf))]
export type Service = (typeof services)[number]

/** Where somebody is who is asked over HTTP. */
export interface WireOptions {
  /** Scheme, host and the path that comes before the API's own. */
  readonly baseUrl?: string | undefined
  /** Kept redacted, and never part of a message. */
  readonly apiKey?: string | Redacted.Redacted<string> | undefined
  /** Until the answer begins, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined
}

/** Settings as a host writes them. Source: docs/reference/upstreams.md#settings. */
export interface UpstreamOptions extends WireOptions {
  /** The services that it is used for. Default: all of its kind. */
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
  /** In milliseconds. Default 60,000. */
  readonly timeoutMs?: number
}

/** Settings that cannot work; every fault is named at once. */
export class InvalidProviderOptions extends Schema.TaggedError<InvalidProviderOptions>()("InvalidProviderOptions", {
  kind: Schema.String,
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `${this.kind}: ${this.problems.join("; ")}`
  }
}

const defaultTimeoutMs = 60_000

const Options = Schema.Struct({
  baseUrl: Schema.optional(Schema.String.check(Schema.makeFilter(baseUrlFault))),
  apiKey: Schema.optional(Schema.Redacted(Schema.String)),
  timeoutMs: between(timeoutBounds),
  serves: Schema.optional(Schema.Array(Schema.Literals(services)).check(Schema.isMinLength(1)))
})

const decode = Schema.decodeUnknownResult(Options)
const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the options of a kind and fills in what was left out. The key's own text is in no message. */
export const upstreamSettings = (
  defaults: KindDefaults,
  options: UpstreamOptions
): Result.Result<UpstreamSettings, InvalidProviderOptions> => {
  const decoded = decode({ ...options, ...hidden(options) }, { errors: "all", onExcessProperty: "error" })
  const problems = [
    ...(Result.isFailure(decoded) ? faultsOf(decoded.failure.issue) : []),
    ...missing(defaults, options)
  ]
  if (Result.isFailure(decoded) || problems.length > 0) {
    return Result.fail(new InvalidProviderOptions({ kind: defaults.provider, problems }))
  }
  const given = decoded.success
  return Result.succeed({
    baseUrl: withoutTrailingSlash(given.baseUrl ?? defaults.baseUrl ?? ""),
    apiKey: given.apiKey ?? null,
    timeoutMs: given.timeoutMs ?? defaults.timeoutMs ?? defaultTimeoutMs,
    serves: given.serves ?? defaults.serves
  })
}

const hidden = ({ apiKey }: UpstreamOptions) =>
  apiKey === undefined ? {} : { apiKey: Redacted.isRedacted(apiKey) ? apiKey : Redacted.make(apiKey) }

export const faultsOf = (issue: SchemaIssue.Issue): ReadonlyArray<string> =>
  explain(issue).issues.map(({ message, path }) => `${String(path?.[0])}: ${message}`)

/** A key becomes part of a header. */
const isHeader = (key: UpstreamOptions["apiKey"]): boolean => {
  const text = Redacted.isRedacted(key) ? Redacted.value(key) : key
  return typeof text !== "string" || /^[\x21-\x7e]+$/.test(text)
}

/** Faults that no field shows by itself, or whose text must not repeat what was given. */
const missing = (
  { baseUrl, needsKey, provider, serves }: KindDefaults,
  options: UpstreamOptions
): ReadonlyArray<string> => {
  const { apiKey, baseUrl: given } = options
  const beyond = Array.isArray(options.serves) ? options.serves.filter((one) => !serves.includes(one)) : []
  const open =
    typeof given === "string" && baseUrlFault(given) === undefined && isPublicPlainHttp(given) && apiKey !== undefined
  return [
    ...(given === undefined && baseUrl === null ? ["baseUrl: expected where the server is"] : []),
    ...(apiKey === undefined && needsKey ? ["apiKey: expected a key"] : []),
    ...(isHeader(apiKey) ? [] : ["apiKey: expected visible ASCII without spaces"]),
    ...(open ? ["baseUrl: expected https, since the key would cross a public network in the clear"] : []),
    ...(beyond.length > 0 ? [`serves: ${provider} upstreams do not serve ${beyond.join(", ")}`] : [])
  ]
}
