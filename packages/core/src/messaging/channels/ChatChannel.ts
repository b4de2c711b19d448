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
import type { AccountNews } from "./AccountNews.ts"
import type { ChannelCallback, ChannelReply } from "./ChannelCallback.ts"
import type { ChannelConnection, Recipient } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"
import type { ChannelFiles } from "./ChannelFiles.ts"
import type { ChannelNetwork } from "./ChannelNetwork.ts"

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
  /** News of business accounts, which name no connection. Left out: none. */
  readonly accounts?: ReadonlyArray<AccountNews>
  readonly reply: ChannelReply | TranscriptReply
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
    readonly files: ChannelFiles
    readonly network: ChannelNetwork
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
