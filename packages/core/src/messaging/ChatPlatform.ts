/** Port: the upstream chat platform, for one connected number at a time. Adapters stand in packages/providers. Source: docs/messaging.md#platform. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** Where a request goes and under whose token. */
export interface PlatformNumber {
  readonly phoneNumberId: string
  readonly businessAccountId: string
  readonly token: Redacted.Redacted
}

/** A JSON object as it goes over the wire, in the platform's own words. */
export type WireObject = { readonly [name: string]: unknown }

/** The platform's answer to a message that it took. */
export interface Accepted {
  /** The platform's id of the message. */
  readonly id: string
  /** Who it went to, in the platform's words; either may be missing. */
  readonly contact: { readonly input: string; readonly phone: string | null; readonly userRef: string | null } | null
  /** What the platform says of its taking it, such as that it is held back for now; left out where it says nothing. */
  readonly messageStatus?: string
}

/**
 * The platform refused, and said so: nothing was sent. `body` is its own answer, for whoever gets errors in its shape; none of
 * it is logged. `code` is null where it named none.
 */
export class PlatformRefused extends Schema.TaggedError<PlatformRefused>()("PlatformRefused", {
  httpStatus: Schema.Int,
  code: Schema.NullOr(Schema.Int),
  message: Schema.String,
  details: Schema.NullOr(Schema.String),
  /** As the platform said it; null where it did not. */
  retryAfterSeconds: Schema.NullOr(Schema.Int),
  body: Schema.Unknown,
  /** True where the adapter refused by itself, and asked nobody. */
  isLocal: Schema.optionalKey(Schema.Boolean)
}) {}

/**
 * No answer. `isCertain`: nothing can have arrived (no connection was made). Otherwise nobody knows, and what was sent must
 * not be sent again by itself.
 */
export class PlatformUnreachable extends Schema.TaggedError<PlatformUnreachable>()("PlatformUnreachable", {
  isCertain: Schema.Boolean,
  /** For the operator's log: no address and no token. */
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export type PlatformFailed = PlatformRefused | PlatformUnreachable

/** A file that the platform keeps. */
export interface PlatformMedia {
  readonly contentType: string
  readonly size: number
  readonly bytes: Uint8Array
}

export class ChatPlatform extends Context.Service<
  ChatPlatform,
  {
    /** Posts a body to the number's messages, as it is but for the product value, which is the adapter's own. Once. */
    readonly send: (number: PlatformNumber, body: WireObject) => Effect.Effect<Accepted, PlatformFailed>
    /** Marks a message read; with `typing`, the customer also sees that an answer is being written. */
    readonly markRead: (
      number: PlatformNumber,
      messageId: string,
      typing: boolean
    ) => Effect.Effect<void, PlatformFailed>
    /** Asks for the business account's events. Asking again changes nothing. */
    readonly subscribe: (number: PlatformNumber) => Effect.Effect<void, PlatformFailed>
    /** Keeps a file; tells its id. */
    readonly upload: (
      number: PlatformNumber,
      file: { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array }
    ) => Effect.Effect<string, PlatformFailed>
    /** What is known of a file: the platform's own JSON. */
    readonly mediaInfo: (number: PlatformNumber, mediaId: string) => Effect.Effect<WireObject, PlatformFailed>
    /** A file's bytes, of at most so many: a larger one is refused. */
    readonly media: (
      number: PlatformNumber,
      mediaId: string,
      mostBytes: number
    ) => Effect.Effect<PlatformMedia, PlatformFailed>
    /** Templates of the business account, passed on in both directions. */
    readonly templates: (
      number: PlatformNumber,
      query: Readonly<Record<string, string>>
    ) => Effect.Effect<WireObject, PlatformFailed>
    readonly createTemplate: (number: PlatformNumber, body: WireObject) => Effect.Effect<WireObject, PlatformFailed>
    /** Longest that one request takes, in milliseconds. */
    readonly longestMs: number
  }
>()("@trunkline/core/messaging/ChatPlatform") {}
