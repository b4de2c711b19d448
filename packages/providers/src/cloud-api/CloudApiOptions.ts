/** Settings of the Cloud API's channel: where the platform is, by which product value it goes, and how long to wait. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { secretBaseUrlFault, withoutTrailingSlash } from "../http/BaseUrl.ts"
import { between, timeoutBounds } from "../upstream/Bounds.ts"
import { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"

/** Settings as a host writes them. Source: docs/reference/messaging.md#platform. */
export interface CloudApiOptions {
  /** Where the platform's routes are, its version included: `https://graph.facebook.com/v23.0`. */
  readonly baseUrl: string
  /** What `messaging_product` says in everything that is sent. Default `whatsapp`. */
  readonly product?: string | undefined
  /** The id of the app that files for templates are kept under. Without it none can be uploaded. */
  readonly appId?: string | undefined
  /** Until an answer begins, in milliseconds, whatever is sent before it. Default 20,000. */
  readonly timeoutMs?: number | undefined
}

/** The same settings, checked and complete. */
export interface CloudApiSettings {
  readonly baseUrl: string
  readonly product: string
  readonly appId: string | null
  readonly timeoutMs: number
}

const defaultTimeoutMs = 20_000

const Options = Schema.Struct({
  baseUrl: Schema.String.check(Schema.makeFilter(secretBaseUrlFault)),
  product: Schema.optional(
    Schema.String.check(Schema.isPattern(/^[\w.-]{1,64}$/, { expected: "a word of at most 64 characters" }))
  ),
  appId: Schema.optional(Schema.String.check(Schema.isPattern(/^\d{1,64}$/, { expected: "an id of 1 to 64 digits" }))),
  timeoutMs: between(timeoutBounds)
})

const decode = Schema.decodeUnknownResult(Options)
const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the options and fills in what was left out. */
export const cloudApiSettings = (options: CloudApiOptions): Result.Result<CloudApiSettings, InvalidProviderOptions> =>
  Result.mapBoth(decode(options, { errors: "all", onExcessProperty: "error" }), {
    onFailure: ({ issue }) =>
      new InvalidProviderOptions({
        kind: "cloud-api",
        problems: explain(issue).issues.map(({ message, path }) => `${String(path?.[0])}: ${message}`)
      }),
    onSuccess: ({ appId, baseUrl, product, timeoutMs }) => ({
      baseUrl: withoutTrailingSlash(baseUrl),
      product: product ?? "whatsapp",
      appId: appId ?? null,
      timeoutMs: timeoutMs ?? defaultTimeoutMs
    })
  })
