/** How a request to a channel fails. Source: docs/reference/messaging.md#platform-codes. */
import * as Schema from "effect/Schema"

/**
 * - `throttled` the same later, and less of it
 * - `unavailable` the channel is out of order: the same again
 * - `window_closed` only a template, or nothing until the customer writes
 * - `credentials` nothing until the number is connected with valid ones
 * - `not_permitted` the account, the number or its credentials may not do this
 * - `recipient_unknown` this customer cannot be reached
 * - `opted_out` this customer wants no marketing messages
 * - `too_large` a file has more bytes than the channel accepts or than were asked for
 * - `invalid_content` the message cannot be sent as it is
 * - `rejected` refused for any other reason
 */
export const refusalClasses = [
  "throttled",
  "unavailable",
  "window_closed",
  "credentials",
  "not_permitted",
  "recipient_unknown",
  "opted_out",
  "too_large",
  "invalid_content",
  "rejected"
] as const
export type RefusalClass = (typeof refusalClasses)[number]

/** The channel has answered, and refuses. */
export class ChannelRefused extends Schema.TaggedError<ChannelRefused>()("ChannelRefused", {
  class: Schema.Literals(refusalClasses),
  /** A sentence of the adapter's for the caller, without the channel's own text. */
  sentence: Schema.String,
  /** The channel's own code, for programs that know it; null where it named none. */
  code: Schema.NullOr(Schema.Int),
  /** False where a server in front of the channel may have answered: what was asked for may have happened. */
  isCertain: Schema.Boolean,
  retryAfterSeconds: Schema.NullOr(Schema.Int),
  /** The channel's answer, for callers who get errors in its own form. Never logged. Null where it has no such form. */
  original: Schema.NullOr(
    Schema.Struct({
      status: Schema.Int,
      message: Schema.String,
      details: Schema.NullOr(Schema.String),
      body: Schema.Unknown
    })
  ),
  /** A sentence for the operator's log, with nothing that the channel has said. */
  detail: Schema.String
}) {
  override get message() {
    return this.sentence
  }
}

/**
 * No answer. `isCertain`: nothing can have arrived (no connection was made). Otherwise the outcome is unknown, and what was sent must
 * not be sent again by itself.
 */
export class ChannelUnreachable extends Schema.TaggedError<ChannelUnreachable>()("ChannelUnreachable", {
  isCertain: Schema.Boolean,
  /** For the operator's log: no address and no token. */
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export type ChannelFailed = ChannelRefused | ChannelUnreachable

/** True where the message was surely not accepted and the same message may be accepted soon. */
export const isRetryable = (failed: ChannelFailed): boolean =>
  failed._tag === "ChannelUnreachable"
    ? failed.isCertain
    : failed.class === "throttled" || (failed.class === "unavailable" && failed.isCertain)
