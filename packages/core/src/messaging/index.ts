/**
 * Decides what becomes of messages of the chat channel: whose a number is, what is kept, when free text may be sent, when an
 * agent replies and how its reply goes out.
 *
 * Promises  CHAT-1 what was acknowledged is stored; what is delivered again is no news.
 *           CHAT-2 a message group gets one reply, which knows all of its messages; replies in one conversation never overlap.
 *           CHAT-3 what was switched off or taken over by the time a reply is committed gets no reply.
 *           CHAT-4 no part of a reply is sent twice, and none before the one in front of it.
 *           CHAT-5 free text is sent within 24 hours of the customer's last message, and a template at any time.
 *           CHAT-6 a status never moves a message backwards, and one that comes before its message is kept for it.
 *           CHAT-7 a token is never told and never logged.
 *           CHAT-8 the error of a message and of its events is a sentence of our own with the platform's code, never its text.
 * Needs     ConnectedNumberStore, CustomerStore, ConversationStore, MessageStore, ReplyQueueStore, UnmatchedStatusStore, ChatPlatform, MessagingSettings, Outbox, bots.
 * Tells     conversation.started, conversation.ended, message.received, message.sent, message.status.
 * Not here  what an agent says (bots), how a model is run (inference), requests to the platform (providers/cloud-api). What the
 *           platform's bodies, reports and codes mean is here: CompatibleBody.ts, InboundEnvelope.ts, PlatformCodes.ts.
 * Read      Message.ts, Customer.ts, ReplyJob.ts, then Inbound.ts and ReplyWorker.ts. Source: docs/messaging.md.
 */

export {
  type Accepted,
  ChatPlatform,
  type PlatformFailed,
  type PlatformMedia,
  type PlatformNumber,
  PlatformRefused,
  PlatformUnreachable,
  type WireObject
} from "./ChatPlatform.ts"
export {
  type CompatibleMessage,
  type CompatibleRead,
  compatibleTypes,
  type Product,
  readCompatible
} from "./CompatibleBody.ts"
export { CompatibleRefused } from "./CompatibleErrors.ts"
export { type CompatibleFailed, CompatibleSend } from "./CompatibleSend.ts"
export { type ConnectedNumber, ConnectedNumberStore, type NumberChange } from "./ConnectedNumber.ts"
export { ConnectedNumbers, type Connection, type ShownNumber } from "./ConnectedNumbers.ts"
export {
  type Conversation,
  type ConversationFilter,
  ConversationStore,
  type ConversationView
} from "./ConversationStore.ts"
export { Conversations, type ShownStatus, shownStatus } from "./Conversations.ts"
export type { Customer, CustomerActivity, CustomerIdentity } from "./Customer.ts"
export type { Person } from "./CustomerIdentity.ts"
export { CustomerStore } from "./CustomerStore.ts"
export { Customers } from "./Customers.ts"
export { Inbound } from "./Inbound.ts"
export {
  decodeInbound,
  type InboundChange,
  type InboundContact,
  type InboundMessage,
  type InboundStatus
} from "./InboundEnvelope.ts"
export { verifyInbound } from "./InboundSignature.ts"
export { isShallow } from "./JsonDepth.ts"
export {
  type Message,
  type MessageError,
  type MessageRole,
  type MessageStatus,
  messageStatuses
} from "./Message.ts"
export { MessageStore } from "./MessageStore.ts"
export {
  ConnectedNumberNotFound,
  ConversationEnded,
  ConversationNotFound,
  LetterRefused,
  NumberTaken,
  PlatformConfigured,
  PlatformDown,
  PlatformMissing,
  PlatformRefusal,
  PlatformThrottled,
  type PlatformTrouble,
  type Progress,
  troubleOf,
  WindowClosed
} from "./MessagingErrors.ts"
export { MessagingSettings, standardReply } from "./MessagingSettings.ts"
export { digitsOf, type Part, type PartFault, partsOf, type SendType, sendTypes } from "./NativeLetter.ts"
export { type NativeMessage, NativeSend, type NativeSent } from "./NativeSend.ts"
export { type Attempts, type Letter, Outgoing } from "./Outgoing.ts"
export * as PlatformCodes from "./PlatformCodes.ts"
export { mostBytesOf, PlatformFiles } from "./PlatformFiles.ts"
export type { ReplyJob, ReplyJobState } from "./ReplyJob.ts"
export { ReplyQueueSignal } from "./ReplyQueueSignal.ts"
export { ReplyQueueStore } from "./ReplyQueueStore.ts"
export { pauseAfter } from "./ReplySchedule.ts"
export * as ReplyWindow from "./ReplyWindow.ts"
export { ReplyWorker } from "./ReplyWorker.ts"
export { longestText, splitText } from "./Splitter.ts"
export { statusAfter } from "./StatusMoves.ts"
export { type UnmatchedStatus, UnmatchedStatusStore } from "./UnmatchedStatusStore.ts"
