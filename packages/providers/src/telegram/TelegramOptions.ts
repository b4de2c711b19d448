/** Options of the Telegram channel: where this installation is reached, and where the Bot API is. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { secretBaseUrlFault, withoutTrailingSlash } from "../http/BaseUrl.ts"
import { between, timeoutBounds } from "../upstream/Bounds.ts"
import { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"

/** Settings as a host writes them. Source: docs/reference/messaging.md#telegram. */
export interface TelegramOptions {
  /** Where the product's routes are reached from outside, up to its mount point: `https://chat.example.com`. */
  readonly publicUrl: string
  /** Where the Bot API is. Default `https://api.telegram.org`. */
  readonly apiUrl?: string | undefined
  /** Until an answer begins, in milliseconds. Default 20,000. */
  readonly timeoutMs?: number | undefined
}

/** The same settings, checked and complete. */
export interface TelegramSettings {
  readonly publicUrl: string
  readonly apiUrl: string
  readonly timeoutMs: number
}

const Address = Schema.String.check(Schema.makeFilter(secretBaseUrlFault))

const Options = Schema.Struct({
  publicUrl: Address,
  apiUrl: Schema.optional(Address),
  timeoutMs: between(timeoutBounds)
})

const decode = Schema.decodeUnknownResult(Options)
const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the options and fills in what was left out. */
export const telegramSettings = (options: TelegramOptions): Result.Result<TelegramSettings, InvalidProviderOptions> =>
  Result.mapBoth(decode(options, { errors: "all", onExcessProperty: "error" }), {
    onFailure: ({ issue }) =>
      new InvalidProviderOptions({
        kind: "telegram",
        problems: explain(issue).issues.map(({ message, path }) => `${String(path?.[0])}: ${message}`)
      }),
    onSuccess: ({ apiUrl = "https://api.telegram.org", publicUrl, timeoutMs = 20_000 }) => ({
      apiUrl: withoutTrailingSlash(apiUrl),
      publicUrl: withoutTrailingSlash(publicUrl),
      timeoutMs
    })
  })
