/**
 * For suites, models, fakes and measurements: what no host needs, and no package but @trunkline/testing imports outside of its tests.
 * Unstable: it moves with the core.
 */
export { BotWatcher } from "./agents/bots/index.ts"
export { indexText } from "./agents/search/index.ts"
export type { AdmissionRefused } from "./calling/calls/index.ts"
export {
  type CallerNumber,
  type CallOrder,
  CallPlacer,
  CallReports,
  type CallStatus,
  CallSupervisor,
  callStatuses,
  type EndReason,
  noAgent,
  type StopReason,
  type VoicemailTemplate
} from "./calling/calls/index.ts"
export type { ContactsAdded, ContactView, LiveRecord } from "./calling/campaigns/index.ts"
export {
  type CampaignFields,
  CampaignStatus,
  CampaignUses,
  contactSearch,
  Dialer,
  DialingSettings,
  everyCampaign,
  everyContact,
  type LastError,
  newCampaign
} from "./calling/campaigns/index.ts"
export { ContactDirectory, type CrmContact, type CsvUpload, ListImporter } from "./calling/contacts/index.ts"
export { type Added, type EntryUpload, SuppressedCalls, type SuppressionEntry } from "./calling/suppression/index.ts"
export { DirectRequests } from "./gateway/admission/index.ts"
export {
  type BatchEndpoint,
  BatchEndpoints,
  BatchLines,
  BatchRunner,
  BatchSettings,
  BatchWorker,
  batchIdOf
} from "./gateway/batches/index.ts"
export { embeddingRoute } from "./gateway/embeddings/index.ts"
export { refuse } from "./gateway/errors/index.ts"
export { chunkBytes, type FileUpload, fileIdOf, storedBytes as storedBytesLayer } from "./gateway/files/index.ts"
export { InferenceRoutes, runJson } from "./gateway/routes/index.ts"
export type { RouteResult } from "./gateway/run/index.ts"
export * from "./host/HostErrors.ts"
export { eventExamples, layerOf, metricCatalogue, type StorageLayer, type Stores, services } from "./host/index.ts"
export { Analytics, type DeliveryInterval, dividedPeriod } from "./messaging/analytics/index.ts"
export type { PlatformTrouble, ShownNumber } from "./messaging/channels/index.ts"
export { isRetryable } from "./messaging/channels/index.ts"
export {
  type Activity,
  answers,
  type ConversationView,
  everyConversation,
  needsPerson
} from "./messaging/conversations/index.ts"
export { Inbound } from "./messaging/inbound/index.ts"
export {
  type MessageStatus,
  messageStatuses,
  type StoredContent,
  storedContent,
  type UnmatchedStatus
} from "./messaging/messages/index.ts"
export { NumberManagement } from "./messaging/numbers/index.ts"
export { OptOutList, OptOuts } from "./messaging/opt-outs/index.ts"
export { Payments } from "./messaging/payments/index.ts"
export { ReplyWorker } from "./messaging/replies/index.ts"
export { NativeSend } from "./messaging/sending/index.ts"
export {
  CampaignTrials,
  type ContactsListed,
  everyTemplateContact,
  type GivenContact,
  type NewTemplateCampaignFields,
  newTemplateCampaign,
  newTemplateContact,
  type TemplateCampaignFields,
  TemplateCampaigns,
  type TemplateCampaignView,
  TemplateContacts,
  TemplateSender,
  totalOf
} from "./messaging/template-campaigns/index.ts"
export {
  type AccountChange,
  Authentication,
  KeyUses,
  type Principal,
  SignedInSessions,
  Tokens,
  Vault,
  wholeAudit
} from "./platform/accounts/index.ts"
export { SpeechTracker } from "./platform/audio/index.ts"
export type { Allowance, CallCounts, CreditBalance } from "./platform/billing/index.ts"
export {
  AccessChanged,
  Bonuses,
  BudgetExceeded,
  ConversationQuota,
  CreditsExceeded,
  type KeyLimitRequest,
  KeyLimits,
  Ledger,
  type LedgerAdmission,
  type LedgerAdmitted,
  type LedgerEnd,
  type MeteredRequest,
  Metering,
  Months,
  type Payer,
  QuotaExceeded,
  RateLimited,
  type SeriesQuery,
  Spending,
  StoredBytes,
  TooManyAtOnce,
  type UsageDetails,
  type UsageFilter,
  type UsageRow,
  type Used
} from "./platform/billing/index.ts"
export { neutralBrand } from "./platform/brand/index.ts"
export { type ChangeReader, Changes, RemoteChanges, topicKinds } from "./platform/changes/index.ts"
export { EventFanOut, Outbox, type Recorded } from "./platform/events/index.ts"
export {
  type AskedRun,
  type ClaimDecided,
  Idempotency,
  type IdempotentRequest,
  type KeptAnswer,
  keptAnswerOf,
  leavesNothing,
  notingStorage,
  type StoreResponse,
  storable,
  storedBody,
  storedBytes,
  storedJson
} from "./platform/idempotency/index.ts"
export type { Paged } from "./platform/kernel/index.ts"
export { parseExactJson } from "./platform/kernel/index.ts"
export { allKeys } from "./platform/keys/index.ts"
export {
  AccountMoves,
  cancelMove,
  everyAccount,
  type Installation,
  migrateInstallation,
  moveAccount
} from "./platform/moving/index.ts"
export { personSearch } from "./platform/numbers/index.ts"
export {
  AddressBook,
  type ImportedList,
  type ImportReport,
  ListImports,
  type Segment
} from "./platform/overview/index.ts"
export {
  type Member,
  type MemberLink,
  PasswordCost,
  PeopleSettings,
  SignIn,
  type SignInSession
} from "./platform/people/index.ts"
export type { SocketRequest, UnderWay } from "./platform/room/index.ts"
export {
  type AccountLimitName,
  AccountLimits,
  accountLimits,
  Retention,
  RetentionSettings
} from "./platform/storage/index.ts"
export type { Alert } from "./voice/alerts/index.ts"
export type { Analysis } from "./voice/analysis/index.ts"
export {
  LeaseKeeper,
  LiveCalls,
  LiveSessions,
  newSessionOf,
  SessionAdmission,
  SessionChanges
} from "./voice/sessions/index.ts"
export { Deliverer, type DeliveryEntry } from "./webhooks/deliveries/index.ts"
export type { EmailReason } from "./webhooks/email/index.ts"
