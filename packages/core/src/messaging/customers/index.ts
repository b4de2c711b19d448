/**
 * Decides who writes: by which identities a customer is recognised, and when two of them are one.
 *
 * Needs     CustomerStore, ConversationStore, ReplyQueueStore, Outbox.
 * Emits     conversation.started, conversation.ended, message.received, message.sent, message.status.
 * Not here  what a customer has written: messaging/inbound.
 * Read      Customer.ts, then CustomerIdentity.ts. Source: docs/reference/messaging.md.
 */
export type { Customer, CustomerActivity, CustomerIdentity } from "./Customer.ts"
export { isSameNumber, type Person } from "./CustomerIdentity.ts"
export { CustomerStore } from "./CustomerStore.ts"
export { Customers } from "./Customers.ts"
export { userIdOf } from "./MessagingEvents.ts"
