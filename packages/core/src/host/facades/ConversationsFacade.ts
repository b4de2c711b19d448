/** Conversations, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Conversation, Conversations, type ConversationView } from "../../messaging/conversations/index.ts"
import {
  type JsonObject,
  type Message,
  type MessageError,
  type Order,
  orderOf,
  type ShownStatus
} from "../../messaging/messages/index.ts"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import * as MessagingHttp from "../../messaging/routes/MessagingHttp.ts"
import type { Doer } from "../../platform/accounts/index.ts"
import { Ids, type Paged, Wire } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, type PageOptions, shownPage } from "../Facade.ts"

/** Source: docs/reference/messaging.md#conversations. */
export interface ConversationRecord
  extends Pick<
    ConversationView,
    | "id"
    | "phoneId"
    | "phoneNumberId"
    | "phone"
    | "name"
    | "botId"
    | "aiAutoreplyEnabled"
    | "status"
    | "unreadCount"
    | "windowExpiresAt"
    | "lastMessageAt"
    | "createdAt"
  > {
  /** True where the newest message is the customer's and no agent is going to answer it. */
  readonly needsPerson: boolean
  /** Who it is assigned to; null for nobody. */
  readonly assignedTo: Doer | null
  /** The newest message, its text cut to 200 characters; null where there is none. */
  readonly lastMessage: LastMessageRecord | null
  /** The platform's own id of the customer; null where it has named none. */
  readonly userId: string | null
}

/** The newest message of a conversation, as lists show it. */
export interface LastMessageRecord extends Pick<Message, "direction" | "role" | "type" | "text" | "createdAt"> {
  /** How far it has come. */
  readonly status: ShownStatus
}

/** Which conversations are listed. What is left out asks for nothing. */
export interface ConversationListOptions extends PageOptions {
  /** The id of a connected number. */
  readonly phoneId?: string
  /** `open`, or `ended` where the customer has a newer one. */
  readonly status?: Conversation["status"]
  /** True for those with unread messages, false for those without. */
  readonly unread?: boolean
  /** True for those that need a person, false for the others. */
  readonly needsPerson?: boolean
  /** Somebody's id, or `none`. */
  readonly assignedTo?: string
  /** The last digits of the customer's number. */
  readonly phone?: string
  /** A part of the customer's name, phone or id. */
  readonly q?: string
}

/** A message as it is shown. Source: docs/reference/messaging.md#message. */
export interface MessageRecord
  extends Pick<Message, "id" | "msgid" | "conversationId" | "direction" | "role" | "type" | "text" | "createdAt"> {
  /** The object that the type names. */
  readonly content: JsonObject
  /** What the customer has ordered, with decimals as texts; null of a message that is no order. */
  readonly order: Order | null
  /** How far the message has come. It never moves backwards. */
  readonly status: ShownStatus
  /** Why the message was not delivered; null where nothing is known to have failed. */
  readonly error: MessageError | null
  /** The person who has sent it over the API or the dashboard; null for all others. */
  readonly sentBy: Doer | null
  /** The platform's id of the message that it answers. */
  readonly answers: string | null
}

/** Source: docs/reference/messaging.md#conversations. */
export interface ConversationsFacade {
  /** One conversation. Throws `conversation_not_found` where the account has no such conversation. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<ConversationRecord>
  /** The one with the latest message first. */
  readonly list: (accountId: string, options?: ConversationListOptions) => Promise<Paged<ConversationRecord>>
  /** Newest first. */
  readonly messages: (accountId: string, id: string, options?: PageOptions) => Promise<Paged<MessageRecord>>
  /** False when a human operator takes over the conversation, true when the agent answers again. */
  readonly setAutoReply: (
    accountId: string,
    id: string,
    isEnabled: boolean,
    options?: CallOptions
  ) => Promise<ConversationRecord>
}

const { accountId, argument, callOptions, listOptions, paged } = Arguments

const conversationId = argument("id", Ids.schema<"Conversation">())
const pages = paged(MessagingApi.messagingPages)
const conversationsListed = listOptions(
  Schema.Struct({ ...Wire.fromWire(MessagingApi.conversationsQuery), ...Arguments.signal }),
  MessagingApi.messagingPages
)

const shownConversation = (view: ConversationView): ConversationRecord => {
  const { last_message: last, ...rest } = MessagingHttp.conversationRecord(view)
  return { ...Wire.fromWire(rest), lastMessage: last === null ? null : Wire.fromWire(last) }
}

const shownMessage = (found: Message): MessageRecord => {
  const { context, ...rest } = MessagingHttp.messageRecord(found)
  return { ...Wire.fromWire(rest), answers: context?.message_id ?? null, order: orderOf(found) }
}

export const conversationsFacade = (method: Method): ConversationsFacade => ({
  get: method([accountId, conversationId, callOptions], (tenantId, id) =>
    Effect.map(
      Conversations.use((c) => c.get(tenantId, id)),
      shownConversation
    )
  ),
  list: method([accountId, conversationsListed], (tenantId, { limit, offset, ...asked }) => {
    const filter = MessagingHttp.filterOf(asked)
    const found: Effect.Effect<Paged<ConversationView>, StorageError, Conversations> = filter === null
      ? Effect.succeed({ items: [], total: 0 })
      : Conversations.use((c) => c.list(tenantId, filter, { limit, offset }))
    return Effect.map(found, shownPage(shownConversation))
  }),
  messages: method([accountId, conversationId, pages], (tenantId, id, page) =>
    Effect.map(
      Conversations.use((c) => c.messages(tenantId, id, null, page)),
      shownPage(shownMessage)
    )
  ),
  setAutoReply: method(
    [accountId, conversationId, argument("isEnabled", Schema.Boolean), callOptions],
    (tenantId, id, isEnabled) =>
      Effect.map(
        Conversations.use((c) => c.change(tenantId, id, { aiAutoreplyEnabled: isEnabled }, "operator")),
        shownConversation
      )
  )
})
