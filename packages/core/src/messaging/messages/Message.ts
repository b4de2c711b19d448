/** Messages of conversations, as they are stored. Pure. Source: docs/reference/messaging.md#message. */
import * as Schema from "effect/Schema"
import { DoerBody } from "../../platform/accounts/index.ts"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import * as Ids from "../MessagingIds.ts"
import { CompletedFlowFields, completedFlow, completedFlowRecord } from "./CompletedFlow.ts"
import { OrderBody, orderBody, orderOf } from "./CustomerOrder.ts"
import { JsonObject } from "./JsonObject.ts"

/** `user`: the customer; `assistant`: the AI agent; `agent`: a human operator, or a program over the API. */
export const MessageRole = Schema.Literals(["user", "assistant", "agent"])
export type MessageRole = typeof MessageRole.Type

/**
 * `received`: from the customer. Outbound messages are `queued`, then `sending` while the channel is asked, `sent` once the channel
 * has accepted them, and then what it reports. `unknown`: they were `sending` when the connection or the process ended.
 */
export const messageStatuses = [
  "received",
  "queued",
  "sending",
  "unknown",
  "sent",
  "delivered",
  "read",
  "failed"
] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Why a message failed, as it may be shown. */
export interface MessageError {
  readonly code: number | null
  readonly message: string
}

export interface Message {
  /** Ours. A sent message carries it to the channel, which returns it in reports. */
  readonly id: Ids.MessageId
  readonly tenantId: Ids.AccountId
  readonly phoneId: Ids.PhoneId
  readonly customerId: Ids.CustomerId
  readonly conversationId: Ids.ConversationId
  /** The channel's id; null until it has accepted the message. One number never has two messages of one id. */
  readonly msgid: string | null
  readonly direction: "inbound" | "outbound"
  readonly role: MessageRole
  /** In the channel's words: text, image, … and types that we do not know. */
  readonly type: string
  /** The readable text: the text itself, a caption; null where there is none. Of an edited message as it is now. */
  readonly text: string | null
  /** The object that the type names, as it came or as it was sent. Of an edited message as it is now. */
  readonly body: JsonObject
  /** The channel's id of the message that it answers; null where it answers none. */
  readonly context: string | null
  /** The caller's data for every event about the message's status; null where there is none. */
  readonly callbackData: string | null
  readonly status: MessageStatus
  readonly fault: MessageError | null
  /** The turn of the agent that it is a part of, and which part, from 0; null for every other message. */
  readonly turnId: Ids.TurnId | null
  readonly part: number | null
  /** When it was written, as the channel says; null where it does not, and where we have sent it. */
  readonly writtenAt: Instant.Instant | null
  /** When its writer last edited it; null where it is as it was sent. */
  readonly editedAt: Instant.Instant | null
  /** As it was before its first edit; null without one. */
  readonly original: MessageText | null
  /** When its writer deleted it: no model reads it from then on. */
  readonly deletedAt: Instant.Instant | null
  /** The person who has sent it here, and the name at the time; null of a message of a customer, an agent or a program. */
  readonly sentBy: string | null
  readonly sentByName: string | null
  /** The campaign that has sent it, and whom on its list it went to; null for every other message. */
  readonly campaignId: Ids.TemplateCampaignId | null
  readonly contactId: Ids.TemplateContactId | null
  /** The token that was made for the flow that it sends; null of every other message, and where the caller has brought one. */
  readonly flowToken: string | null
  /** The channel's id of the flow that it completes, where its token was made here; null of every other message. */
  readonly flowId: string | null
  /** It was handled before its customer turned out to be another one, who has an earlier message that was not. */
  readonly isHandled: boolean
  readonly createdAt: Instant.Instant
}

/** What a message says. */
export interface MessageText {
  readonly text: string | null
  readonly content: JsonObject
}

/** A content as it is stored and shown: in the words of the public API. */
export interface StoredContent extends MessageText {
  readonly type: string
}

/** A message that nobody has changed, whose time of writing is its arrival, and that no person has sent here. */
export const asWritten = {
  writtenAt: null,
  editedAt: null,
  original: null,
  deletedAt: null,
  isHandled: false,
  sentBy: null,
  sentByName: null,
  campaignId: null,
  contactId: null,
  flowToken: null,
  flowId: null
} as const

const MessageError = Schema.Struct({ code: Schema.NullOr(Schema.Int), message: Schema.String })

const MessageText = Schema.Struct({ text: Schema.NullOr(Schema.String), content: JsonObject })

/** Its row. */
export const messageEntity = Schema.Struct({
  id: Ids.schema<"Message">(),
  tenantId: Ids.schema<"Account">(),
  phoneId: Ids.schema<"Phone">(),
  customerId: Ids.schema<"Customer">(),
  conversationId: Ids.schema<"Conversation">(),
  msgid: Schema.NullOr(Schema.String),
  direction: Schema.Literals(["inbound", "outbound"]),
  role: MessageRole,
  type: Schema.String,
  text: Schema.NullOr(Schema.String),
  body: JsonObject,
  context: Schema.NullOr(Schema.String),
  callbackData: Schema.NullOr(Schema.String),
  status: Schema.Literals(messageStatuses),
  fault: Schema.NullOr(MessageError),
  turnId: Schema.NullOr(Ids.schema<"Turn">()),
  part: Schema.NullOr(Schema.Int),
  writtenAt: Schema.NullOr(Instant.Iso),
  editedAt: Schema.NullOr(Instant.Iso),
  original: Schema.NullOr(MessageText),
  deletedAt: Schema.NullOr(Instant.Iso),
  sentBy: Schema.NullOr(Schema.String),
  sentByName: Schema.NullOr(Schema.String),
  campaignId: Schema.NullOr(Ids.schema<"TemplateCampaign">()),
  contactId: Schema.NullOr(Ids.schema<"TemplateContact">()),
  flowToken: Schema.NullOr(Schema.String),
  flowId: Schema.NullOr(Schema.String),
  isHandled: Schema.Boolean,
  createdAt: Instant.Iso
})

/** Who has sent a message, or has a conversation assigned. */
export const PersonBody = DoerBody.annotate({ identifier: "Person" })

/** What a message's status is to callers. */
export const ShownStatus = Schema.Literals(["received", "queued", "sent", "delivered", "read", "failed"])
export type ShownStatus = typeof ShownStatus.Type

const shown = Schema.Struct({
  ...messageEntity.fields,
  content: JsonObject,
  context: Schema.NullOr(Schema.Struct({ message_id: Schema.String })),
  status: ShownStatus,
  error: Schema.NullOr(MessageError),
  order: Schema.NullOr(OrderBody),
  sentBy: Schema.NullOr(PersonBody),
  flow: Schema.NullOr(Schema.Struct(CompletedFlowFields).annotate({ identifier: "CompletedFlow" }))
})

/** How a message is shown. */
export const MessageRecord = Entity.recordOf(shown, [
  "id",
  "msgid",
  "conversationId",
  "direction",
  "role",
  "type",
  "text",
  "content",
  "order",
  "context",
  "status",
  "error",
  "sentBy",
  "flow",
  "editedAt",
  "original",
  "deletedAt",
  "createdAt"
])

/**
 * `sending` lasts for seconds, and almost always becomes `sent`. An `unknown` message may not have arrived: it is shown as failed,
 * and its error says what is not known. Source: docs/reference/messaging.md#message.
 */
export const shownStatus = (status: MessageStatus): ShownStatus =>
  status === "sending" ? "sent" : status === "unknown" ? "failed" : status

/** A message with the fields that stand under another name, or are others, where it is shown. */
export const shownMessage = (message: Message) => ({
  ...message,
  content: message.body,
  order: orderBody(orderOf(message)),
  context: message.context === null ? null : { message_id: message.context },
  status: shownStatus(message.status),
  error: message.fault,
  sentBy: message.sentBy === null ? null : { subject: message.sentBy, name: message.sentByName },
  flow: completedFlowRecord(completedFlow(message))
})
