/**
 * Decides what a message is, what it holds, how its status moves, and what is read of a channel's delivery.
 *
 * Needs     nothing.                             Emits  nothing.
 * Not here  who sends it, and when: messaging/sending, messaging/replies.
 * Read      Message.ts, then MessageContent.ts and InboundBatch.ts. Source: docs/reference/messaging.md.
 */
export type { InboundBatch, InboundMessage, InboundStatus, MessageChange } from "./InboundBatch.ts"
export { type JsonObject, maxContentKib } from "./JsonObject.ts"
export {
  type Message,
  type MessageError,
  type MessageRole,
  type MessageStatus,
  type MessageText,
  messageEntity,
  messageStatuses,
  type ShownStatus,
  shownStatus
} from "./Message.ts"
export {
  type ContentFault,
  type ContentType,
  contentTypes,
  digitsOf,
  type MessageContent,
  parseContent,
  readableText
} from "./MessageContent.ts"
export { MessageStore } from "./MessageStore.ts"
export { maxTextLength, splitText } from "./Splitter.ts"
export { type ReportedStatus, statusAfter } from "./StatusOrder.ts"
export { type KeptChange, type UnmatchedStatus, UnmatchedStatusStore } from "./UnmatchedStatusStore.ts"
