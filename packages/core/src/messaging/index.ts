/**
 * Decides how messages of the chat channels are handled: whose a number is, what is kept, when free text may be sent, when an
 * agent replies and how its reply goes out.
 *
 * Promises  CHAT-1 what was acknowledged is stored; what is delivered again changes nothing.
 *           CHAT-2 a message group gets one reply, which knows all of its messages; replies in one conversation never overlap.
 *           CHAT-3 what was switched off or taken over by the time a reply is committed gets no reply.
 *           CHAT-4 no part of a reply is sent twice, and none before the one in front of it.
 *           CHAT-5 where a channel has a reply window, free text is sent within it and a template at any time.
 *           CHAT-6 a status never moves a message backwards, and one that comes before its message is kept for it.
 *           CHAT-7 a token is never returned and never logged.
 *           CHAT-8 the error of a message and of its events is a sentence of our own with the channel's code, never its text.
 *           CHAT-9 a message group whose answer a fail-over of the database may have lost is not answered again once the channel reports it.
 *           CHAT-10 a number is connected with its network's word for whose it is, or its id is its first account's for good.
 * Needs     ConnectedNumberStore, CustomerStore, ConversationStore, MessageStore, ReplyQueueStore, UnmatchedStatusStore, ChatChannels, MessagingSettings, Outbox, bots, ConversationQuota, Accounts.
 * Emits     conversation.started, conversation.ended, message.received, message.sent, message.status.
 * Not here  what an agent says (bots), how a model is run (inference), what a channel's network understands (providers).
 * Read      ChatChannel.ts, Message.ts, Customer.ts, ReplyJob.ts, then Inbound.ts and ReplyWorker.ts. Source: docs/messaging.md.
 */

export {
  type ChannelCallback,
  ChannelCallbackRefused,
  type ChannelConnection,
  type ChannelFailed,
  type ChannelFile,
  type ChannelIdentity,
  type ChannelNews,
  ChannelRefused,
  type ChannelReply,
  type ChannelTemplates,
  type ChannelTraits,
  ChannelUnreachable,
  ChatChannel,
  type ConnectionRequest,
  InboundSecrets,
  isRetryable,
  type NewFile,
  type OutboundMessage,
  type Recipient,
  type RefusalClass,
  refusalClasses,
  type Sent,
  type TranscriptMessage,
  type TranscriptReply
} from "./ChatChannel.ts"
export { ChatChannels, makeChatChannels } from "./ChatChannels.ts"
export {
  type ConnectedNumber,
  ConnectedNumberStore,
  connectedNumberEntity,
  type NumberChange
} from "./ConnectedNumber.ts"
export { type ChannelRequest, ConnectedNumbers, type Connection, type ShownNumber } from "./ConnectedNumbers.ts"
export { type Conversation, type ConversationView, conversationEntity } from "./Conversation.ts"
export { type ConversationFilter, ConversationStore } from "./ConversationStore.ts"
export { Conversations } from "./Conversations.ts"
export type { Customer, CustomerActivity, CustomerIdentity } from "./Customer.ts"
export { isSameNumber, type Person } from "./CustomerIdentity.ts"
export { CustomerStore } from "./CustomerStore.ts"
export { Customers } from "./Customers.ts"
export { FileRoom, maxOfAccount as maxFileBytesOfAccount } from "./FileRoom.ts"
export { Inbound, type InboundDelivery } from "./Inbound.ts"
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
export {
  ConnectedNumberNotFound,
  ConversationEnded,
  ConversationNotFound,
  FileRoomTaken,
  InvalidMessage,
  NumberNotProven,
  NumberTaken,
  PlatformDown,
  PlatformMissing,
  PlatformRefusal,
  PlatformThrottled,
  type PlatformTrouble,
  type Progress,
  troubleOf,
  WindowClosed
} from "./MessagingErrors.ts"
export { messagingErrors } from "./MessagingErrorTable.ts"
export { Room } from "./MessagingRoom.ts"
export { MessagingSettings, standardReply } from "./MessagingSettings.ts"
export { type NativeMessage, NativeSend, type NativeSent } from "./NativeSend.ts"
export { type Dispatch, Outgoing, type RetryPolicy } from "./Outgoing.ts"
export { maxBytesOf, PlatformFiles } from "./PlatformFiles.ts"
export type { ReplyJob, ReplyJobState } from "./ReplyJob.ts"
export { ReplyQueueSignal } from "./ReplyQueueSignal.ts"
export { ReplyQueueStore } from "./ReplyQueueStore.ts"
export { pauseAfter } from "./ReplySchedule.ts"
export * as ReplyWindow from "./ReplyWindow.ts"
export { ReplyWorker } from "./ReplyWorker.ts"
export { maxTextLength, splitText } from "./Splitter.ts"
export { type ReportedStatus, statusAfter } from "./StatusOrder.ts"
export { Transcripts } from "./Transcripts.ts"
export { type KeptChange, type UnmatchedStatus, UnmatchedStatusStore } from "./UnmatchedStatusStore.ts"
