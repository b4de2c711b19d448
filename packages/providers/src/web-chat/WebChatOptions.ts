/** Options of the chat of web pages: a secret, and how much its visitors may do. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { between } from "../upstream/Bounds.ts"
import { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"

/** Settings as a host writes them. Source: docs/reference/messaging.md#web-chat. */
export interface WebChatOptions {
  /** Signs the tokens of visitors: at least 32 characters, the same at every start and in every process. */
  readonly secret: string
  /** Messages of one visitor in a minute. Default 20. */
  readonly messagesPerMinute?: number | undefined
  /** Visitors that come anew to one chat in a minute. Default 300. */
  readonly visitorsPerMinute?: number | undefined
}

/** The same settings, checked and complete. */
export interface WebChatSettings {
  readonly secret: string
  readonly messagesPerMinute: number
  readonly visitorsPerMinute: number
}

const minSecretLength = 32

/** Of a number in a minute. */
export const perMinuteBounds = { min: 1, max: 1_000_000 } as const

const Options = Schema.Struct({
  secret: Schema.String.check(
    Schema.makeFilter(
      (secret: string) => secret.length >= minSecretLength || `expected at least ${minSecretLength} characters`
    )
  ),
  messagesPerMinute: between(perMinuteBounds),
  visitorsPerMinute: between(perMinuteBounds)
})

const decode = Schema.decodeUnknownResult(Options)
const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the options and fills in what was left out. */
export const webChatSettings = (options: WebChatOptions): Result.Result<WebChatSettings, InvalidProviderOptions> =>
  Result.mapBoth(decode(options, { errors: "all", onExcessProperty: "error" }), {
    onFailure: ({ issue }) =>
      new InvalidProviderOptions({
        kind: "web-chat",
        problems: explain(issue).issues.map(({ message, path }) => `${String(path?.[0])}: ${message}`)
      }),
    onSuccess: ({ messagesPerMinute = 20, secret, visitorsPerMinute = 300 }) => ({
      secret,
      messagesPerMinute,
      visitorsPerMinute
    })
  })
