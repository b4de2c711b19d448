/**
 * Is the port to a chat channel, and keeps the channels of an installation and the numbers that accounts have connected to them.
 *
 * Needs     ConnectedNumberStore, Vault, Accounts.   Emits  nothing.
 * Not here  what a channel's network understands: packages/providers. Promises CHAT-7 and CHAT-10 stand in the area.
 * Read      ChatChannel.ts, then ConnectedNumbers.ts. Source: docs/reference/messaging.md.
 */
export type { AccountNews, AccountReport, TemplateNews } from "./AccountNews.ts"
export { AccountReports } from "./AccountReports.ts"
export { BlockedStore } from "./BlockedStore.ts"
export {
  type AnalyticsPeriod,
  type ButtonClicks,
  type ChannelAnalytics,
  type NetworkInterval,
  type NetworkMessages,
  type NetworkPricing,
  networkIntervals,
  type PricingDimension,
  pricingDimensions,
  type TemplateResults
} from "./ChannelAnalytics.ts"
export type { ChannelCallback, ChannelReply } from "./ChannelCallback.ts"
export type { ChannelCommerce, CommerceChange, CommerceSettings } from "./ChannelCommerce.ts"
export type { ChannelConnection, ChannelFile, NewFile, Recipient } from "./ChannelConnection.ts"
export {
  type ChannelFailed,
  ChannelRefused,
  ChannelUnreachable,
  isRetryable,
  type RefusalClass,
  refusalClasses
} from "./ChannelFailed.ts"
export type { ChannelFiles } from "./ChannelFiles.ts"
export type {
  ChannelFlowChange,
  ChannelFlows,
  FlowFaults,
  FlowKeyPair,
  FlowQuestion,
  NewChannelFlow
} from "./ChannelFlows.ts"
export { bareNetwork, type ChannelNetwork } from "./ChannelNetwork.ts"
export type {
  BlockOutcome,
  ChannelNumbers,
  DiscoveredNumber,
  NumberProfile,
  ProfileChange
} from "./ChannelNumbers.ts"
export {
  type Bill,
  type BillItem,
  type ChannelPayments,
  type OrderStatus,
  type OrderUpdate,
  orderStatuses,
  type PaymentConfiguration
} from "./ChannelPayments.ts"
export type { ChannelTemplates, FilledTemplate, TemplateAnswer, TemplateFacts } from "./ChannelTemplates.ts"
export {
  ChannelCallbackRefused,
  type ChannelIdentity,
  type ChannelNews,
  type ChannelTraits,
  ChatChannel,
  type ConnectionRequest,
  InboundSecrets,
  type OutboundMessage,
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
export {
  AssigneeUnknown,
  askChannel,
  ConnectedNumberNotFound,
  ConversationAssigned,
  ConversationEnded,
  ConversationNotFound,
  channelLacks,
  ExamplesMissing,
  FileRoomTaken,
  InvalidMessage,
  MessageNotFound,
  messagingErrors,
  NumberNotProven,
  NumberTaken,
  OptedOut,
  PlatformDown,
  PlatformMissing,
  PlatformRefusal,
  PlatformThrottled,
  type PlatformTrouble,
  type Progress,
  TemplateInUse,
  troubleOf,
  WindowClosed
} from "./MessagingErrors.ts"
export {
  type KnownFacts,
  type MessagingLimit,
  type NumberFacts,
  nothingKnown,
  type Quality,
  qualities,
  type Restriction,
  type Throughput
} from "./NumberFacts.ts"
export { platformFields, platformRecord } from "./NumberFactsRecord.ts"
export { NumberFactsStore } from "./NumberFactsStore.ts"
export { type SendMeaning, sendMeanings } from "./SendMeaning.ts"
export { TemplateCategories } from "./TemplateCategories.ts"
export { TemplateRecipients } from "./TemplateRecipients.ts"
export type {
  TemplateButton,
  TemplateHeader,
  TemplateShape,
  TemplateText,
  TemplateValues,
  ValueAddress
} from "./TemplateShape.ts"
export { TemplateUses } from "./TemplateUses.ts"
