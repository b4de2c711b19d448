/**
 * Decides when a conversation begins and ends, who has taken it over, and when its reply window is open.
 *
 * Needs     ConversationStore.                   Emits  nothing.
 * Not here  the person at the other end: messaging/customers. Promise CHAT-5 stands in the area.
 * Read      Conversation.ts, then ReplyWindow.ts. Source: docs/reference/messaging.md.
 */
export { type Conversation, type ConversationView, conversationEntity } from "./Conversation.ts"
export { type ConversationFilter, ConversationStore } from "./ConversationStore.ts"
export { Conversations } from "./Conversations.ts"
export * as ReplyWindow from "./ReplyWindow.ts"
