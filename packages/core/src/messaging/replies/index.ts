/**
 * Decides whether an agent replies to a message group, makes the reply, and sends it part by part.
 *
 * Needs     ReplyQueueStore, Agent, ConversationQuota, Outgoing.   Emits  nothing.
 * Not here  the rows of the queue: messaging/reply-queue. Promises CHAT-2 to CHAT-4 and CHAT-9 stand in the area.
 * Read      ReplyPolicy.ts, then ReplyPlan.ts and ReplyWorker.ts. Source: docs/reference/messaging.md.
 */
export { ReplyWorker } from "./ReplyWorker.ts"
