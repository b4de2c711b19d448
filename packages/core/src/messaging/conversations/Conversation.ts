/** A conversation between a customer and a connected number. Pure. Source: docs/reference/messaging.md#conversations. */
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import * as Ids from "../MessagingIds.ts"
import { type Message, MessageRole, PersonBody, ShownStatus, shownStatus } from "../messages/Message.ts"
import { type Activity, Awaits, needsPerson } from "./Awaits.ts"

export const ConversationStatus = Schema.Literals(["open", "ended"])

export interface Conversation extends Activity {
  readonly id: Ids.ConversationId
  readonly tenantId: Ids.AccountId
  readonly phoneId: Ids.PhoneId
  readonly customerId: Ids.CustomerId
  readonly aiAutoreplyEnabled: boolean
  readonly status: "open" | "ended"
  /** Whether it counts for the plan: since an agent first replied in it. Source: docs/reference/plans.md#conversations. */
  readonly isCounted: boolean
  /** Who it is assigned to: a person's or a key's id, and the name at the time; null for nobody. */
  readonly assignedTo: string | null
  readonly assignedName: string | null
  readonly lastMessageAt: Instant.Instant
  readonly createdAt: Instant.Instant
}

/** A conversation that is over: another one of its customer has begun. */
export const ended = (conversation: Conversation): Conversation => ({
  ...conversation,
  status: "ended",
  awaits: "nobody"
})

/** After this time without a message the next one starts another conversation. */
export const conversationTimeoutMs = Instant.day

/**
 * The open conversations of two customers who are one, as they are from then on. The one with the latest message goes on, taken over
 * where either was; `isJoined`: it has the messages of the other one too, because that was not over. What they come to: `joinedActivity`.
 */
export const joinConversations = (one: Conversation, other: Conversation, at: Instant.Instant) => {
  const [goesOn, ends] = one.lastMessageAt >= other.lastMessageAt ? [one, other] : [other, one]
  const isJoined = at - ends.lastMessageAt < conversationTimeoutMs
  const aiAutoreplyEnabled = one.aiAutoreplyEnabled && other.aiAutoreplyEnabled
  // The plan has counted either, or both: one or two are marked afterwards.
  const [isCounted, areBothCounted] = [one.isCounted || other.isCounted, one.isCounted && other.isCounted]
  return {
    open: { ...goesOn, aiAutoreplyEnabled, ...(isJoined ? { isCounted } : {}) },
    over: ended(isJoined ? { ...ends, ...nothingInIt, isCounted: areBothCounted } : ends),
    isJoined
  }
}

/** A conversation without a message. */
export const nothingInIt = { awaits: "nobody", unreadCount: 0, lastMessageId: null } as const satisfies Activity

/** Its newest message, as far as lists show it. */
export interface LastMessage extends Pick<Message, "direction" | "role" | "type" | "status" | "createdAt"> {
  /** The first 200 characters of it. */
  readonly text: string | null
}

/** A conversation with its newest message, and the fields of its customer and its number that are shown. */
export interface ConversationView extends Conversation {
  readonly phoneNumberId: string
  readonly botId: Ids.BotId | null
  readonly phone: string | null
  readonly userRef: string | null
  readonly name: string | null
  readonly windowExpiresAt: Instant.Instant | null
  /** Whether its number has an agent that answers. */
  readonly numberAnswers: boolean
  /** Null where there is none, and where it is too old to be kept. */
  readonly lastMessage: LastMessage | null
}

/** Its row. */
export const conversationEntity = Schema.Struct({
  id: Ids.schema<"Conversation">(),
  tenantId: Ids.schema<"Account">(),
  phoneId: Ids.schema<"Phone">(),
  customerId: Ids.schema<"Customer">(),
  aiAutoreplyEnabled: Schema.Boolean,
  status: ConversationStatus,
  isCounted: Schema.Boolean,
  awaits: Awaits,
  unreadCount: Schema.Int,
  lastMessageId: Schema.NullOr(Ids.schema<"Message">()),
  assignedTo: Schema.NullOr(Schema.String),
  assignedName: Schema.NullOr(Schema.String),
  lastMessageAt: Instant.Iso,
  createdAt: Instant.Iso
})

const LastMessageBody = Schema.Struct({
  direction: Schema.Literals(["inbound", "outbound"]),
  role: MessageRole,
  type: Schema.String,
  text: Schema.NullOr(Schema.String),
  status: ShownStatus,
  created_at: Instant.Iso
}).annotate({ identifier: "LastMessage" })

const shown = Schema.Struct({
  ...conversationEntity.fields,
  needsPerson: Schema.Boolean,
  assignedTo: Schema.NullOr(PersonBody),
  lastMessage: Schema.NullOr(LastMessageBody),
  phoneNumberId: Schema.String,
  userId: Schema.NullOr(Schema.String),
  botId: Schema.NullOr(Ids.schema<"Bot">()),
  phone: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  windowExpiresAt: Schema.NullOr(Instant.Iso)
})

/** How a conversation is shown; `userId` is the channel's id of the customer, or the phone. */
export const ConversationRecord = Entity.recordOf(shown, [
  "id",
  "phoneId",
  "phoneNumberId",
  "userId",
  "phone",
  "name",
  "botId",
  "aiAutoreplyEnabled",
  "status",
  "unreadCount",
  "needsPerson",
  "assignedTo",
  "lastMessage",
  "windowExpiresAt",
  "lastMessageAt",
  "createdAt"
])

/** A conversation with the fields that stand under another name, or are others, where it is shown. */
export const shownConversation = (view: ConversationView) => {
  const { assignedName: name, assignedTo: subject, lastMessage } = view
  return {
    ...view,
    needsPerson: needsPerson(view),
    assignedTo: subject === null ? null : { subject, name },
    lastMessage:
      lastMessage === null
        ? null
        : {
            direction: lastMessage.direction,
            role: lastMessage.role,
            type: lastMessage.type,
            text: lastMessage.text,
            status: shownStatus(lastMessage.status),
            created_at: lastMessage.createdAt
          }
  }
}
