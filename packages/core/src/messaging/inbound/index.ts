/**
 * Stores what a channel delivers: messages, changes of them, and statuses, each once.
 *
 * Needs     ChatChannels, MessageStore, CustomerStore, UnmatchedStatusStore.   Emits  nothing.
 * Not here  how a delivery is read: messaging/channels and packages/providers. Promises CHAT-1 and CHAT-6 stand in the area.
 * Read      Inbound.ts, then InboundStatuses.ts and InboundHttp.ts. Source: docs/reference/messaging.md.
 */
export { Inbound, type InboundDelivery } from "./Inbound.ts"
export { makeTranscripts, type Transcripts } from "./Transcripts.ts"
