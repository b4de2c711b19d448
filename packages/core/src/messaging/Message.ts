/** Messages of conversations: what is kept of each, and how its status moves. Pure. Source: docs/messaging.md#message. */
import type { Ids, Instant } from "../kernel/index.ts"
import type { JsonObject } from "./JsonObject.ts"

/** `user`: the customer; `assistant`: the linked agent's model; `agent`: a person or a program over the API. */
export type MessageRole = "user" | "assistant" | "agent"

/**
 * `received`: from the customer. The others are of what we send: `queued` waits, `sending` is on its way to the platform,
 * `sent` was taken by it, then what it reports. `unknown`: it was on its way when the connection or the process ended.
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
  /** Ours. What is sent carries it to the platform, which gives it back in reports. */
  readonly id: Ids.MessageId
  readonly tenantId: Ids.AccountId
  readonly phoneId: Ids.PhoneId
  readonly customerId: Ids.CustomerId
  readonly conversationId: Ids.ConversationId
  /** The platform's id; null for what it has not taken. One number never has two messages of one id. */
  readonly msgid: string | null
  readonly direction: "inbound" | "outbound"
  readonly role: MessageRole
  /** In the platform's words: text, image, … and types that we do not know. */
  readonly type: string
  /** What can be read of it: the text, a caption; null where there is none. */
  readonly text: string | null
  /** The object that the type names, as it came or as it was sent. */
  readonly body: JsonObject
  /** The platform's id of the message that it answers; null where it answers none. */
  readonly context: string | null
  /** What the caller wants to find in every event about the message's status; null where they gave nothing. */
  readonly callbackData: string | null
  readonly status: MessageStatus
  readonly fault: MessageError | null
  /** The turn of the agent's that it is a part of, and which one, from 0; null of everything else. */
  readonly turnId: Ids.TurnId | null
  readonly part: number | null
  readonly createdAt: Instant.Instant
}

/** The message that another one answers, in the platform's words for it. */
export const contextOf = (context: unknown): string | null => {
  const id = typeof context === "object" && context !== null && "message_id" in context ? context.message_id : null
  return typeof id === "string" && id !== "" ? id : null
}
