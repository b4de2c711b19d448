/** What tests of the chat channel need: the platform over sockets and in the process, and what it delivers. */

export { campaignSuite } from "./CampaignModel.ts"
export { CampaignWorld, campaignsOf, listed, phoneOf, sampleTemplate } from "./CampaignWorld.ts"
export { type ChannelSubject, channelLeak, channelSuite } from "./ChannelSuite.ts"
export { chatPlanSuite, leaveConversations } from "./ChatPlan.ts"
export {
  type AcceptedMessage,
  type Answering,
  accepts,
  FakeChatPlatform,
  holds,
  type PlatformCall,
  type PlatformVerb,
  platformLeak,
  refusedWith,
  refuses,
  silent,
  unreachable,
  usualFacts,
  waits
} from "./FakeChatPlatform.ts"
export { type FakePlatform, type FakePlatformOptions, startFakePlatform } from "./FakePlatform.ts"
export {
  type FakeTelegram,
  startFakeTelegram,
  type TelegramCall,
  type TelegramMood,
  telegramText,
  telegramToken
} from "./FakeTelegram.ts"
export { type FlowQuestionSent, flowQuestion } from "./FlowClient.ts"
export {
  type Delivered,
  type DeliveredChange,
  freshWamid,
  inbound,
  inboundBodiesAt,
  inboundBody,
  inboundChange,
  inboundEcho,
  inboundMessage,
  inboundMessages,
  inboundOfEveryKind,
  inboundStatus,
  inboundStatuses,
  type SignedBody,
  sampleBodies,
  sampleBusinessAccount,
  sampleCustomer,
  sampleNumber,
  sampleSecond,
  signed
} from "./InboundBodies.ts"
export type { PlatformMood } from "./PlatformMoods.ts"
export { costing, failedWith, type ReportSaid, type Said } from "./PlatformReports.ts"
export type { PlatformRequest, PlatformRoute } from "./PlatformRequest.ts"
export {
  type PlatformFile,
  type PlatformMessage,
  platformError,
  type SentTemplate,
  sentTemplate,
  statusOfCode
} from "./PlatformService.ts"
export { replySuite } from "./ReplyModel.ts"
export { type Edge, makeReplyWorld, type ReplyWorld, type ReplyWorldOptions, worldToken } from "./ReplyWorld.ts"
export { type StoredInbound, storedInbound } from "./StoredInbound.ts"
