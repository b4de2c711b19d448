/** For storage packages: the ports that they implement, and the rows that they store. */

export {
  type BotSecret,
  BotSecretStore,
  BotStore,
  botEntity,
  type KnowledgeHit,
  KnowledgeStore,
  knowledgeEntity
} from "./agents/bots/index.ts"
export {
  type IndexedText,
  mayBeMisspelt,
  type QueryTerm,
  rankPassages,
  spellingRanges,
  spellingsOf,
  weightOf
} from "./agents/search/index.ts"
export {
  type CallFilter,
  CallListStore,
  type CallSearch,
  CallStore,
  CallSupervisionStore,
  CallTokenStore,
  type CarrierRecordId,
  callEntity,
  callerNumberEntity,
  NumberStore,
  StartSlotStore,
  type TranscriptEntry,
  transcriptEntryFields,
  voicemailTemplateEntity
} from "./calling/calls/index.ts"
export {
  CampaignContactStore,
  type CampaignFilter,
  CampaignState,
  CampaignStore,
  type ContactListFilter,
  ContactListStore,
  type ContactSearch,
  contactEntity,
  HoldStore,
  holdEntity,
  type LastError,
  type ListedContact,
  type Reference
} from "./calling/campaigns/index.ts"
export type { ImportFields } from "./calling/contacts/index.ts"
export {
  ContactStore,
  type CrmContactSearch,
  crmContactEntity,
  type ImportJob,
  type ImportPerson,
  ImportStore,
  type ImportTerms,
  type StagedPerson
} from "./calling/contacts/index.ts"
export { type ImportPlace, ImportPlaces, type ImportRun } from "./calling/csv/index.ts"
export {
  type EntryImport,
  type StagedEntry,
  SuppressionImportStore,
  SuppressionStore,
  suppressionEntity
} from "./calling/suppression/index.ts"
export { BatchQueueStore, BatchStore, batchEntity, type LineOutcome } from "./gateway/batches/index.ts"
export { type FileList, FileStore, fileEntity } from "./gateway/files/index.ts"
export { type KeptItem, type KeptResponse, outputItems, ResponseStore } from "./gateway/llm/index.ts"
export type { Json } from "./gateway/upstreams/index.ts"
export * as Ids from "./host/HostIds.ts"
export { MetricsStore, maxCounted, storageProvider } from "./host/index.ts"
export { DeliveryCountStore, type DeliveryFilter, type StatusCount } from "./messaging/analytics/index.ts"
export {
  BlockedStore,
  type ConnectedNumber,
  ConnectedNumberStore,
  connectedNumberEntity,
  type KnownFacts,
  type NumberChange,
  NumberFactsStore
} from "./messaging/channels/index.ts"
export {
  type ConversationFilter,
  ConversationStore,
  type ConversationView,
  conversationEntity
} from "./messaging/conversations/index.ts"
export {
  type Customer,
  type CustomerActivity,
  type CustomerIdentity,
  CustomerStore
} from "./messaging/customers/index.ts"
export {
  type FlowEndpoint,
  FlowEndpointStore,
  type FlowKey,
  FlowKeyStore,
  type FlowOwner,
  flowEndpointEntity,
  flowKeyEntity
} from "./messaging/flows/index.ts"
export {
  type KeptChange,
  type Message,
  type MessageError,
  MessageStore,
  messageEntity,
  type ReportedStatus,
  SentFlowStore,
  UnmatchedStatusStore
} from "./messaging/messages/index.ts"
export { type OptOut, type OptOutFilter, OptOutStore, optOutEntity } from "./messaging/opt-outs/index.ts"
export {
  type KnownConfiguration,
  KnownConfigurationStore,
  type Payment,
  type PaymentFilter,
  PaymentStore,
  paymentEntity
} from "./messaging/payments/index.ts"
export { type ReplyJob, type ReplyJobState, ReplyQueueStore } from "./messaging/reply-queue/index.ts"
export {
  type ContactChange,
  ContactChangeStore,
  type DueTemplateCampaign,
  type FailureCount,
  notSent,
  type SenderPace,
  SenderPaceStore,
  type TemplateCampaign,
  type TemplateCampaignFilter,
  TemplateCampaignStore,
  type TemplateContact,
  type TemplateContactFilter,
  TemplateContactStore,
  TemplateListStore,
  type TemplateRecipient,
  templateCampaignEntity,
  templateContactEntity
} from "./messaging/template-campaigns/index.ts"
export { type KnownTemplate, KnownTemplateStore } from "./messaging/templates/index.ts"
export {
  AccessStore,
  type Account,
  ApiKeys,
  type AuditFilter,
  AuditStore,
  type Doer,
  KeyUseStore,
  Scopes
} from "./platform/accounts/index.ts"
export {
  BonusStore,
  type BudgetPeriod,
  BudgetStore,
  type CreditEntryQuery,
  CreditEntryStore,
  CreditStore,
  type HoldName,
  holdName,
  type IntervalTotals,
  type LedgerChanges,
  type LedgerEntry,
  type LedgerQuery,
  type LedgerRows,
  LedgerStore,
  LimitStore,
  Prices,
  type ProcessHold,
  type ProcessLease,
  type QuotaPeriod,
  QuotaStore,
  type RunKey,
  type RunRows,
  Service,
  type SlotKey,
  type UsageGroup,
  UsageLogStore,
  type UsageQuery,
  type UsageSpan
} from "./platform/billing/index.ts"
export { type ChangeNote, ChangeStore, type Topic } from "./platform/changes/index.ts"
export { cursorForm, type EventName, OutboxStore } from "./platform/events/index.ts"
export { IdempotencyStore, type StoredResponse } from "./platform/idempotency/index.ts"
export {
  Instant,
  type Page,
  sha256Hex
} from "./platform/kernel/index.ts"
export { camelName, snakeName } from "./platform/kernel/Wire.ts"
export { KeyListStore, type KeyQuery } from "./platform/keys/index.ts"
export { type AccountMove, type MovedRow, MoveStore, type Unfinished } from "./platform/moving/index.ts"
export { PhoneNumber } from "./platform/numbers/index.ts"
export type { ListKind, Segment } from "./platform/overview/index.ts"
export {
  type LinkPurpose,
  MemberStore,
  memberEntity,
  SignInFailureStore,
  SignInSessionStore,
  signInSessionEntity
} from "./platform/people/index.ts"
export {
  type AccountTotal,
  AccountTotals,
  accountTotals,
  type LockKind,
  LostCommits,
  type LostWindow,
  type PoolCounts,
  ProviderStateStore,
  Read,
  RemoteSignals,
  type RetentionKind,
  RetentionStore,
  type SignalCounts,
  Storage,
  StorageCounters,
  StorageError,
  StorageReason,
  type TransactOptions,
  Tx
} from "./platform/storage/index.ts"
export { AlertReadingStore, AlertStore, type AlertWindow, alertEntity } from "./voice/alerts/index.ts"
export { AnalysisStore, analysisEntity } from "./voice/analysis/index.ts"
export {
  type LeaseTimes,
  LiveSessionStore,
  type SessionLease,
  TranscriptStore,
  type VoiceSessionFilter,
  VoiceStore,
  voiceSessionEntity
} from "./voice/sessions/index.ts"
export {
  type ClaimedDelivery,
  type DeliveryEnd,
  DeliveryStore,
  deliveryEntity,
  type LogFilter
} from "./webhooks/deliveries/index.ts"
export { EmailSuppressionStore, emailSuppressionEntity } from "./webhooks/email/index.ts"
export { type HealthChange, SubscriptionStore, subscriptionEntity } from "./webhooks/subscriptions/index.ts"
