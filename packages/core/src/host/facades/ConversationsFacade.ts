/** Conversations, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Conversation, Conversations, type ConversationView } from "../../messaging/conversations/index.ts"
import type { JsonObject, Message, MessageError, ShownStatus } from "../../messaging/messages/index.ts"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import * as MessagingHttp from "../../messaging/routes/MessagingHttp.ts"
import { Ids, type Paged, Wire } from "../../platform/kernel/index.ts"
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
    | "windowExpiresAt"
    | "lastMessageAt"
    | "createdAt"
  > {
  /** The platform's own id of the customer; null where it has named none. */
  readonly userId: string | null
}

/** A message as it is shown. Source: docs/reference/messaging.md#message. */
export interface MessageRecord
  extends Pick<Message, "id" | "msgid" | "conversationId" | "direction" | "role" | "type" | "text" | "createdAt"> {
  /** The object that the type names. */
  readonly content: JsonObject
  /** How far the message has come. It never moves backwards. */
  readonly status: ShownStatus
  /** Why the message was not delivered; null where nothing is known to have failed. */
  readonly error: MessageError | null
  /** The platform's id of the message that it answers. */
  readonly answers: string | null
}

/** Source: docs/reference/messaging.md#conversations. */
export interface ConversationsFacade {
  /** One conversation. Throws `conversation_not_found` where the account has no such conversation. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<ConversationRecord>
  /** The one with the latest message first. */
  readonly list: (
    accountId: string,
    options?: PageOptions & { readonly phoneId?: string; readonly status?: Conversation["status"] }
  ) => Promise<Paged<ConversationRecord>>
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

const shownConversation = (view: ConversationView): ConversationRecord =>
  Wire.fromWire(MessagingHttp.conversationRecord(view))

const shownMessage = (found: Message): MessageRecord => {
  const { context, ...rest } = MessagingHttp.messageRecord(found)
  return { ...Wire.fromWire(rest), answers: context?.message_id ?? null }
}

export const conversationsFacade = (method: Method): ConversationsFacade => ({
  get: method([accountId, conversationId, callOptions], (tenantId, id) =>
    Effect.map(
      Conversations.use((c) => c.get(tenantId, id)),
      shownConversation
    )
  ),
  list: method([accountId, conversationsListed], (tenantId, { phoneId, status, ...page }) =>
    Effect.map(
      Conversations.use((c) => c.list(tenantId, { phoneId: phoneId ?? null, status: status ?? null }, page)),
      shownPage(shownConversation)
    )
  ),
  messages: method([accountId, conversationId, pages], (tenantId, id, page) =>
    Effect.map(
      Conversations.use((c) => c.messages(tenantId, id, page)),
      shownPage(shownMessage)
    )
  ),
  setAutoReply: method(
    [accountId, conversationId, argument("isEnabled", Schema.Boolean), callOptions],
    (tenantId, id, isEnabled) =>
      Effect.map(
        Conversations.use((c) => c.setAutoReply(tenantId, id, isEnabled)),
        shownConversation
      )
  )
})
