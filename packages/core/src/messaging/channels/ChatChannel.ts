/**
 * Port: a chat channel, such as a messenger or the chat of a web page. It sends messages of the domain, reads what its network
 * delivers, and says in its traits what it cannot do. Source: docs/reference/messaging.md#channels.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Instant } from "../../platform/kernel/index.ts"
import type { CallbackRules } from "../../platform/room/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { InboundBatch } from "../messages/InboundBatch.ts"
import type { JsonObject } from "../messages/JsonObject.ts"
import type { MessageRole } from "../messages/Message.ts"
import type { MessageContent } from "../messages/MessageContent.ts"
import type { ContentType } from "../messages/PublicContent.ts"

/** A connected number as its channel knows it: under which id, whose it is there, and with which credentials. */
export interface ChannelConnection {
  readonly id: string
  /** The business account there. */
  readonly accountId: string
  readonly credentials: Redacted.Redacted
}

/** Whom a message goes to. `phone` is digits, `id` the channel's own id of a person or a group. */
export type Recipient =
  | { readonly _tag: "Phone"; readonly phone: string }
  | { readonly _tag: "User"; readonly id: string }
  | { readonly _tag: "Group"; readonly id: string }

export interface OutboundMessage {
  /** What the domain has no words for is `Raw`: a channel sends that where it has the same words, and refuses it otherwise. */
  readonly content: MessageContent
  /** The channel's id of the message that it answers; null where it answers none. */
  readonly answers: string | null
  /** Further fields of the message in the channel's own words. A channel that does not know one ignores it. */
  readonly options: JsonObject
}

/** A message that the channel has accepted. */
export interface Sent {
  /** The channel's id of the message. */
  readonly id: string
  /** Whom it went to, as the channel says. */
  readonly contact: { readonly input: string; readonly phone: string | null; readonly userRef: string | null } | null
  /** What the channel says of its acceptance, such as that it holds the message back for now. */
  readonly messageStatus?: string
}

/**
 * - `throttled` the same later, and less of it
 * - `unavailable` the channel is out of order: the same again
 * - `window_closed` only a template, or nothing until the customer writes
 * - `credentials` nothing until the number is connected with valid ones
 * - `not_permitted` the account, the number or its credentials may not do this
 * - `recipient_unknown` this customer cannot be reached
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

/** A number that credentials are for, as the channel says. */
export interface ChannelIdentity {
  /** Begins with the channel's kind and a colon, except on the standard channel: `telegram:110201543`. */
  readonly id: string
  readonly accountId: string
  readonly displayName: string | null
  /** What the channel needs to act for the number: stored encrypted, and passed with every request. */
  readonly credentials: Redacted.Redacted
}

/** What a caller gives to connect a number. */
export interface ConnectionRequest {
  readonly credentials: Redacted.Redacted | null
  readonly settings: JsonObject
  /** The number that the caller means; null where credentials or settings say which it is. */
  readonly named: { readonly id: string; readonly accountId: string } | null
}

/** A request of the channel's network, or of a browser, as it came in: exact bytes and the address below the mount point. */
export interface ChannelCallback {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** The last segment of the path, below the connection's; null where there is none. */
  readonly resource: string | null
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Of the client that has sent it; null or left out where nobody knows it. */
  readonly address?: string | null
  readonly body: Uint8Array
}

/**
 * - `signature` there is no proof that the channel's network sent it
 * - `forbidden` the sender may not do this
 * - `malformed` nothing of it can be read
 */
export class ChannelCallbackRefused extends Schema.TaggedError<ChannelCallbackRefused>()("ChannelCallbackRefused", {
  reason: Schema.Literals(["signature", "forbidden", "malformed"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export interface ChannelReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A message as a customer sees it. */
export interface TranscriptMessage {
  readonly id: Ids.MessageId
  readonly role: MessageRole
  readonly type: string
  readonly text: string | null
  readonly at: Instant.Instant
}

/** A reply with the customer's conversation, for channels whose customers read it from this installation. */
export interface TranscriptReply {
  /** The channel's own id of the customer. */
  readonly userId: string
  /** How many of the last messages, at most. */
  readonly limit: number
  /** Pure. The oldest message is the first one. */
  readonly render: (messages: ReadonlyArray<TranscriptMessage>) => ChannelReply
}

/** What a callback has brought, and the reply to it once that is stored. */
export interface ChannelNews {
  readonly batches: ReadonlyArray<InboundBatch>
  readonly reply: ChannelReply | TranscriptReply
}

/** A file that the channel keeps. */
export interface ChannelFile {
  readonly contentType: string
  readonly size: number
  readonly bytes: Uint8Array
}

export interface NewFile {
  readonly contentType: string
  readonly fileName: string
  readonly bytes: Uint8Array
}

/** Templates of a number's business account, in the channel's own words in both directions. */
export interface ChannelTemplates {
  readonly list: (
    connection: ChannelConnection,
    query: Readonly<Record<string, string>>
  ) => Effect.Effect<JsonObject, ChannelFailed>
  readonly create: (connection: ChannelConnection, template: JsonObject) => Effect.Effect<JsonObject, ChannelFailed>
}

/** What a channel can do. Source: docs/reference/messaging.md#channel-traits. */
export interface ChannelTraits {
  /** How long after a customer's message free-form messages are accepted; null: at any time. */
  readonly replyWindowMs: number | null
  /** Characters of one text message. */
  readonly maxTextLength: number
  /** Contents that it sends, by their names in the public API. */
  readonly contents: ReadonlyArray<ContentType>
  /** Bytes of the largest file that it keeps. */
  readonly maxFileBytes: number
  /** Shows the customer that an answer is being written. */
  readonly typing: boolean
  /** Shows the customer which messages were read. */
  readonly readMarks: boolean
  /** Reports the status of a message after `send`. */
  readonly statuses: boolean
  /** Delivers what was sent from the number by other programs too. */
  readonly echoes: boolean
  /**
   * The network says whose a number is: who proves one takes it over where it was connected without proof. On other channels an id
   * is its first account's for good.
   */
  readonly provesNumbers: boolean
  /** The rules of its callbacks, which hold before they are read. Left out: none. */
  readonly callbacks?: CallbackRules
}

export class ChatChannel extends Context.Service<
  ChatChannel,
  {
    /** Names the channel in connected numbers and in paths: lower-case letters, digits and hyphens. */
    readonly kind: string
    readonly traits: ChannelTraits
    /** Longest that one request takes, in milliseconds. */
    readonly maxRequestMs: number
    /**
     * The number that credentials are for, by what the network says of them: never by what the caller says alone. Null where the
     * number that the caller names is none of theirs. Changes nothing.
     */
    readonly identify: (request: ConnectionRequest) => Effect.Effect<ChannelIdentity | null, ChannelFailed>
    /**
     * Subscribes to the connection's events, at `inboundPath` below the installation's public address. Doing it again changes
     * nothing.
     */
    readonly connect: (connection: ChannelConnection, inboundPath: string) => Effect.Effect<void, ChannelFailed>
    /** Ends the subscription. */
    readonly disconnect: (connection: ChannelConnection) => Effect.Effect<void, ChannelFailed>
    /**
     * Sends one message, once: it never retries. The channel returns `ref` in the events about the message, where it can.
     */
    readonly send: (
      connection: ChannelConnection,
      to: Recipient,
      message: OutboundMessage,
      ref: Ids.MessageId
    ) => Effect.Effect<Sent, ChannelFailed>
    /** Marks a customer's message read; with `typing`, the customer also sees that an answer is being written. */
    readonly markRead: (
      connection: ChannelConnection,
      message: { readonly id: string; readonly from: Recipient | null; readonly typing: boolean }
    ) => Effect.Effect<void, ChannelFailed>
    /** Checks who sent a callback and reads it. `connection` is the one that its address names; null where it names none. */
    readonly read: (
      callback: ChannelCallback,
      connection: ChannelConnection | null
    ) => Effect.Effect<ChannelNews, ChannelCallbackRefused>
    /** Keeps a file; returns its id. */
    readonly upload: (connection: ChannelConnection, file: NewFile) => Effect.Effect<string, ChannelFailed>
    /** A file's bytes, of at most `maxBytes`: a larger one is refused. */
    readonly download: (
      connection: ChannelConnection,
      fileId: string,
      maxBytes: number
    ) => Effect.Effect<ChannelFile, ChannelFailed>
    /** Null where the channel has none. */
    readonly templates: ChannelTemplates | null
  }
>()("@trunkline/core/messaging/channels/ChatChannel") {}

/** Secrets of the installation's channels that the host configures beside them. Source: docs/reference/configuration.md#messaging. */
export interface InboundSecrets {
  /** What callbacks are signed with. */
  readonly signing: Redacted.Redacted | null
  /** What the channel's network must know to have the inbound endpoint verified. */
  readonly verification: Redacted.Redacted | null
}

export const InboundSecrets = Context.Reference<InboundSecrets>("@trunkline/core/messaging/channels/InboundSecrets", {
  defaultValue: () => ({ signing: null, verification: null })
})
