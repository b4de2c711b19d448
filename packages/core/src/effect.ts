/**
 * For hosts that use Effect: services, their records and their errors, and what runs them. Unstable: it moves with `effect` itself.
 * Ports, providers and what joins the product to a server are in `@trunkline/core/provider`, stores in `@trunkline/core/storage`.
 */

export {
  type Bot,
  BotConfigRefused,
  BotNotFound,
  Bots,
  Knowledge,
  KnowledgeNotFound,
  StillInUse
} from "./agents/bots/index.ts"
export {
  type Call,
  CallNotFound,
  Calls,
  type NewCall,
  NumberNotFound,
  Numbers,
  TelephonyMissing,
  TemplateNeedsOneSource,
  TemplateNotFound,
  UnusableNumber
} from "./calling/calls/index.ts"
export {
  type Campaign,
  type CampaignContact,
  CampaignContacts,
  CampaignEnded,
  CampaignNotFound,
  Campaigns,
  ContactNotFound,
  ContactsClosed,
  InvalidDialingSettings,
  LiveView,
  MoveRefused,
  NotPreview,
  NotWaiting
} from "./calling/campaigns/index.ts"
export { Contacts, CrmContactNotFound, CsvRefused, Imports, MappingRefused } from "./calling/contacts/index.ts"
export { EntryNotFound, Suppression } from "./calling/suppression/index.ts"
export { type Batch, Batches } from "./gateway/batches/index.ts"
export { InferenceRefused } from "./gateway/errors/index.ts"
export { Files } from "./gateway/files/index.ts"
export * as Ids from "./host/HostIds.ts"
export {
  eventExamples,
  type Internals,
  internalsOf,
  layerOf,
  metricCatalogue,
  type Services,
  services,
  type TrunklineOptions
} from "./host/index.ts"
export {
  ConnectedNumberNotFound,
  ConnectedNumbers,
  ConversationEnded,
  ConversationNotFound,
  NumberNotProven,
  NumberTaken,
  PlatformMissing
} from "./messaging/channels/index.ts"
export { type Conversation, Conversations } from "./messaging/conversations/index.ts"
export { Inbound } from "./messaging/inbound/index.ts"
export type { Message } from "./messaging/messages/index.ts"
export {
  type Account,
  AccountNotFound,
  Accounts,
  KeyNotFound,
  type NewAccount,
  type Principal,
  Tokens,
  Vault
} from "./platform/accounts/index.ts"
export {
  Bonuses,
  BudgetExceeded,
  Credits,
  CreditsExceeded,
  Metering,
  Money,
  Months,
  Plans,
  PlanUsage,
  Prices,
  QuotaExceeded,
  RateLimited,
  Spending,
  TooManyAtOnce,
  UsageLog
} from "./platform/billing/index.ts"
export { type Event, EventFanOut, EventRefused, type NewEvent, Publishing } from "./platform/events/index.ts"
export { Idempotency, IdempotencyRefused } from "./platform/idempotency/index.ts"
export { Instant, Wire } from "./platform/kernel/index.ts"
export {
  AccountMoved,
  AccountMoveRefused,
  AccountMoves,
  AccountMoveTimedOut,
  AccountMoving
} from "./platform/moving/index.ts"
export { PhoneNumber } from "./platform/numbers/index.ts"
export {
  LimitReached,
  lock,
  Read,
  read,
  Storage,
  StorageError,
  StorageReason,
  Tx,
  transact
} from "./platform/storage/index.ts"
export { VoiceAlerts } from "./voice/alerts/index.ts"
export { VoiceAnalyses } from "./voice/analysis/index.ts"
export {
  LiveSessions,
  type NewVoiceSession,
  Recordings,
  SessionRecords,
  SpokenSessions,
  type VoiceSession,
  VoiceSessions
} from "./voice/sessions/index.ts"
export { Deliveries, type Delivery } from "./webhooks/deliveries/index.ts"
export { DeliveryNotFound, WebhookNotFound, WebhookPaused, WebhookUrlRefused } from "./webhooks/index.ts"
export { type Subscription, Subscriptions } from "./webhooks/subscriptions/index.ts"
