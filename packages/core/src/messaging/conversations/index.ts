/**
 * Decides when a conversation begins and ends, who has taken it over and who it is assigned to, what of it is unread, whether it
 * needs a person, and when its reply window is open.
 *
 * Needs     ConversationStore.                   Emits  nothing.
 * Not here  the person at the other end: messaging/customers. Promise CHAT-5 stands in the area.
 * Read      Conversation.ts, then Awaits.ts, Assignment.ts and ReplyWindow.ts. Source: docs/reference/messaging.md.
 */
export {
  type Activity,
  Awaits,
  afterInbound,
  afterOutbound,
  answers,
  joinedActivity,
  type Neediness,
  needsPerson
} from "./Awaits.ts"
export {
  type Conversation,
  type ConversationView,
  conversationEntity,
  type LastMessage,
  nothingInIt
} from "./Conversation.ts"
export {
  type AssignedTo,
  type ConversationFilter,
  ConversationStore,
  everyConversation
} from "./ConversationStore.ts"
export { Conversations } from "./Conversations.ts"
export * as ReplyWindow from "./ReplyWindow.ts"
