/** Every class of error that a service fails with, as the entry for hosts that use Effect exports them. */

export { BotConfigRefused, BotNotFound, KnowledgeNotFound, StillInUse } from "../agents/bots/index.ts"
export { AgentModelMissing, AgentSilent, AgentThrottled, AgentUnpaid } from "../agents/replying/index.ts"
export {
  AccountInactive,
  CallNotFound,
  ConversationsUsedUp,
  MonthlyBudgetExceeded,
  NoCallerNumber,
  NumberNotFound,
  NumberSuppressed,
  OutOfCredits,
  PaymentMethodRequired,
  RecordingNotFound,
  RecordingRuns,
  TelephonyMissing,
  TemplateNeedsOneSource,
  TemplateNotFound,
  TooManyConversations,
  UnusableNumber
} from "../calling/calls/index.ts"
export {
  CampaignEnded,
  CampaignNotFound,
  ContactCalling,
  ContactNotFound,
  ContactsClosed,
  InvalidDialingSettings,
  MoveRefused,
  NotPreview,
  NotWaiting
} from "../calling/campaigns/index.ts"
export { ContactExists, CrmContactNotFound } from "../calling/contacts/index.ts"
export { ContactHeld } from "../calling/preview/index.ts"
export { EntryNotFound } from "../calling/suppression/index.ts"
export { InferenceRefused } from "../gateway/errors/index.ts"
export { InvalidPeriod } from "../messaging/analytics/index.ts"
export {
  AssigneeUnknown,
  ConnectedNumberNotFound,
  ConversationAssigned,
  ConversationEnded,
  ConversationNotFound,
  ExamplesMissing,
  FileRoomTaken,
  InvalidMessage,
  MessageNotFound,
  NumberNotProven,
  NumberTaken,
  OptedOut,
  PlatformDown,
  PlatformMissing,
  PlatformRefusal,
  PlatformThrottled,
  TemplateInUse,
  WindowClosed
} from "../messaging/channels/index.ts"
export { FlowEndpointMissing, FlowKeyNotFound, FlowUrlRefused, PublicUrlMissing } from "../messaging/flows/index.ts"
export { OptOutAtPlatform, OptOutNotFound } from "../messaging/opt-outs/index.ts"
export {
  InvalidPayment,
  PaymentCaptured,
  PaymentConfigurationNotFound,
  PaymentNotFound,
  ReferenceUsed
} from "../messaging/payments/index.ts"
export {
  CampaignRunning,
  InvalidTemplateCampaign,
  ListClosed,
  ListedContactNotFound,
  ListedContactStarted,
  RecipientOptedOut,
  ScheduleMissing,
  StartRefused,
  TemplateCampaignEnded,
  TemplateCampaignNotFound,
  TemplateFixed,
  TemplateMoveRefused
} from "../messaging/template-campaigns/index.ts"
export { AccountNotFound, CrossOrigin, FeatureDisabled } from "../platform/accounts/index.ts"
export { EventRefused } from "../platform/events/index.ts"
export { InvalidKey, KeyExpired, KeyNotFound, KeyRevoked } from "../platform/keys/index.ts"
export { AccountMoved, AccountMoveRefused, AccountMoveTimedOut, AccountMoving } from "../platform/moving/index.ts"
export { CsvRefused, ImportsMissing, MappingRefused } from "../platform/overview/index.ts"
export {
  EmailTaken,
  InvalidPerson,
  LastOwner,
  LinkNotFound,
  MemberNotFound,
  MembersExist,
  OwnersAlone,
  PeopleAlone,
  SessionNeeded,
  SessionNotFound,
  SignInRefused,
  TeamFull,
  TooManyFailures
} from "../platform/people/index.ts"
export { LimitReached, StorageError } from "../platform/storage/index.ts"
export { StreamOfPeople, TooManyStreams } from "../platform/stream/index.ts"
export { VoiceAlertNotFound, VoiceAlertRefused } from "../voice/alerts/index.ts"
export { EmailEntryNotFound, EmailReportRefused } from "../webhooks/email/index.ts"
export { DeliveryNotFound, WebhookNotFound, WebhookPaused, WebhookUrlRefused } from "../webhooks/index.ts"
