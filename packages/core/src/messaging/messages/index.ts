/**
 * Decides what a message is, what it holds, how its status moves, and what is read of a channel's delivery.
 *
 * Needs     nothing.                             Emits  nothing.
 * Not here  who sends it, and when: messaging/sending, messaging/replies.
 * Read      Message.ts, then MessageContent.ts, ContentTranslation.ts and InboundBatch.ts. Source: docs/reference/messaging.md.
 */

export { CampaignMessages, type CampaignPlace } from "./CampaignMessages.ts"
export { contentJson, contentOf, storedContent, type TypedJson } from "./ContentTranslation.ts"
export { type Order, type OrderItem, orderOf } from "./CustomerOrder.ts"
export type {
  InboundBatch,
  InboundMessage,
  InboundPayment,
  InboundPreference,
  InboundStatus,
  MessageChange,
  MessagePricing,
  PaymentFacts,
  PaymentTransaction,
  ReportedPayment
} from "./InboundBatch.ts"
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
  type StoredContent,
  shownStatus
} from "./Message.ts"
export type {
  ButtonsContent,
  ChoiceContent,
  ContactCard,
  ContactsContent,
  ContentOption,
  FileReference,
  KnownContent,
  ListContent,
  LocationContent,
  MediaContent,
  MediaKind,
  MessageContent,
  RawContent,
  ReactionContent,
  TemplateContent,
  TextContent
} from "./MessageContent.ts"
export { MessageStore } from "./MessageStore.ts"
export { type BillingNumber, PaymentMessages } from "./PaymentMessages.ts"
export {
  type ContentFault,
  type ContentType,
  contentTypes,
  digitsOf,
  type PublicContent,
  type PublicMessage,
  parseContent
} from "./PublicContent.ts"
export { SentFlowStore } from "./SentFlowStore.ts"
export { maxTextLength, splitText } from "./Splitter.ts"
export { type ReportedStatus, statusAfter } from "./StatusOrder.ts"
export { type KeptChange, type UnmatchedStatus, UnmatchedStatusStore } from "./UnmatchedStatusStore.ts"
