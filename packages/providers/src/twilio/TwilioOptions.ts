/** Settings of the Twilio carrier: which account, where the provider is, and where the provider finds us. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { secretBaseUrlFault, withoutTrailingSlash } from "../http/BaseUrl.ts"

/** Settings as a host writes them. Source: docs/reference/telephony.md#twilio. */
export interface TwilioOptions {
  /** `AC` and 32 hexadecimal digits. */
  readonly accountSid: string
  /** Signs in to the provider and proves its callbacks. Kept redacted, and never part of a message. */
  readonly authToken: string | Redacted.Redacted<string>
  /** Where requests go: `https://api.twilio.com`, a compatible provider, or a mock of the published API. */
  readonly baseUrl?: string | undefined
  /** Where the provider reaches this service's mount point, without a trailing slash. */
  readonly publicUrl: string
  /** The caller number of accounts that have none, E.164. */
  readonly defaultFrom?: string | null | undefined
  /** Calls a second that the provider has granted the account. New accounts have 1. */
  readonly callsPerSecond?: number | undefined
}

/** The same settings, checked and complete. */
export interface TwilioSettings {
  readonly accountSid: string
  readonly authToken: Redacted.Redacted<string>
  readonly baseUrl: string
  readonly publicUrl: string
  readonly defaultFrom: string | null
  readonly callsPerSecond: number
}

/** Settings that cannot work; every fault is named at once. */
export class InvalidTwilioOptions extends Schema.TaggedError<InvalidTwilioOptions>()("InvalidTwilioOptions", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `twilio: ${this.problems.join("; ")}`
  }
}

const Address = Schema.String.check(Schema.makeFilter(secretBaseUrlFault))

const PublicAddress = Address.check(
  // The provider takes no callback address whose host name has an underscore, and says so only call by call.
  Schema.makeFilter((text) =>
    URL.canParse(text) && new URL(text).hostname.includes("_") ? "expected a host name without underscore" : undefined
  )
)

const Token = Schema.String.check(Schema.isMinLength(1))

const Options = Schema.Struct({
  accountSid: Schema.String.check(
    Schema.isPattern(/^AC[0-9a-fA-F]{32}$/, { expected: "AC and 32 hexadecimal digits" })
  ),
  authToken: Schema.Redacted(Token),
  baseUrl: Schema.optional(Address),
  publicUrl: PublicAddress,
  defaultFrom: Schema.optional(
    Schema.NullOr(Schema.String.check(Schema.isPattern(/^\+[1-9]\d{6,14}$/, { expected: "an E.164 number" })))
  ),
  callsPerSecond: Schema.optional(Schema.Finite.check(Schema.isGreaterThan(0)))
})

const decode = Schema.decodeUnknownResult(Options)
const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the options and fills in what was left out. The token's own text is in no message. */
export const twilioSettings = (options: TwilioOptions): Result.Result<TwilioSettings, InvalidTwilioOptions> =>
  Result.mapBoth(
    decode({ ...options, authToken: hidden(options.authToken) }, { errors: "all", onExcessProperty: "error" }),
    {
      onFailure: ({ issue }) =>
        new InvalidTwilioOptions({
          problems: explain(issue).issues.map(({ message, path }) => `${String(path?.[0])}: ${message}`)
        }),
      onSuccess: (given) => ({
        accountSid: given.accountSid,
        authToken: given.authToken,
        baseUrl: withoutTrailingSlash(given.baseUrl ?? "https://api.twilio.com"),
        publicUrl: withoutTrailingSlash(given.publicUrl),
        defaultFrom: given.defaultFrom ?? null,
        callsPerSecond: given.callsPerSecond ?? 1
      })
    }
  )

const hidden = (token: TwilioOptions["authToken"]) => (Redacted.isRedacted(token) ? token : Redacted.make(token))
