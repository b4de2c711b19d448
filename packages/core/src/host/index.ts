/**
 * Puts the rooms together and hands them to a host as plain functions.
 *
 * Promises  HOST-1 nothing runs in the background before `start`, and nothing is lost by `stop`.
 *           HOST-2 all settings that cannot be used are named at once, before anything is opened.
 *           HOST-3 no type of Effect's is needed to use it; every failure is a TrunklineError with code and status.
 *           HOST-4 what a host passes is decoded with the schemas of the routes, and what it gets has the routes' fields.
 *           HOST-5 without telephony everything but calling works, and a request for a call is refused with the reason.
 *           HOST-6 what an operator monitors is counted without an account in any label, also while the storage is unavailable.
 *           HOST-7 an outage is one line in the log, one more a minute, and one when it is over.
 * Needs     a storage.                           Emits  nothing.
 * Not here  sockets and frameworks (adapters), configuration files (server).
 * Read      Options.ts, then Assembly.ts, then Trunkline.ts. Source: README.md.
 */
export type { TelephonyProvider } from "../calling/CallingOptions.ts"
export type { LiveRecord } from "../calling/campaigns/index.ts"
export type { DashboardProvider } from "../dashboard/DashboardOptions.ts"
export type { DashboardOptions } from "../dashboard/PageOptions.ts"
export { upstreamOf } from "../gateway/GatewayConfigured.ts"
export type { AudioLengthProvider, UpstreamProvider, WebSearchProvider } from "../gateway/GatewayOptions.ts"
export type { CreatedFlow, ShownFlowKey } from "../messaging/flows/index.ts"
export type { ChannelProvider } from "../messaging/MessagingOptions.ts"
export type {
  HostClock,
  LogEntry,
  OutboundProvider,
  ReferenceProvider,
  StorageProvider
} from "../platform/PlatformOptions.ts"
export type { RecordingsProvider, SpeechDetectorProvider } from "../voice/VoiceOptions.ts"
export type { Contracts } from "./Api.ts"
export {
  type AreaChoice,
  type AreaName,
  agents,
  calling,
  dashboard,
  gateway,
  messaging,
  voice,
  webhooks
} from "./AreaChoice.ts"
export { loadAreas } from "./Areas.ts"
export type { Services } from "./Assembly.ts"
export {
  type Api,
  allErrors,
  brandFaults,
  errorCodes,
  eventCatalogue,
  eventExamples,
  leftOutKeys,
  makeApi,
  metricCatalogue,
  optionFaults,
  optionNames,
  optionSettings,
  publicApi,
  readEvent,
  rooms,
  services
} from "./Everything.ts"
export type { CallOptions, PageOptions } from "./Facade.ts"
export type { Facades } from "./Facades.ts"
export type { AccountFields } from "./facades/AccountsFacade.ts"
export type { AdminFacade } from "./facades/AdminFacade.ts"
export type {
  AnalyticsFacade,
  DeliveryCountsQuery,
  PlatformMessagesQuery,
  PlatformPeriod,
  PlatformPricingQuery,
  TemplateResultsQuery
} from "./facades/AnalyticsFacade.ts"
export type { CallRecord, CallsFacade, NewCallRequest } from "./facades/CallsFacade.ts"
export type {
  CampaignChange,
  CampaignsFacade,
  ContactRecord,
  NewCampaign
} from "./facades/CampaignsFacade.ts"
export type {
  ChannelConnectionRequest,
  ConnectedNumberRecord,
  NumberConnection
} from "./facades/ConnectedNumbersFacade.ts"
export type { ConversationRecord, MessageRecord } from "./facades/ConversationsFacade.ts"
export type { EmailFacade, NewEmailReport } from "./facades/EmailFacade.ts"
export type { EventsFacade, NewPublication, RecordedEvent } from "./facades/EventsFacade.ts"
export type { FlowChange, FlowsFacade, FlowsQuery, NewFlow, SavedFlowJson } from "./facades/FlowsFacade.ts"
export type { KeyOptions, KeyOverview, KeyRecord } from "./facades/KeysFacade.ts"
export type { LinkText, MemberShown, MembersFacade } from "./facades/MembersFacade.ts"
export type { MessagingFacade, OutgoingMessage } from "./facades/MessagingFacade.ts"
export type { NewOptOut, OptOutEntry, OptOutsFacade, OptOutsQuery } from "./facades/OptOutsFacade.ts"
export type {
  NewPaymentItem,
  NewPaymentRequest,
  PaymentConfigurationView,
  PaymentsFacade,
  PaymentsQuery,
  PaymentUpdate,
  PaymentView
} from "./facades/PaymentsFacade.ts"
export type { DoNotCallRecord, NewDoNotCall, SuppressionFacade } from "./facades/SuppressionFacade.ts"
export type {
  ContactSegment,
  NewTemplateCampaign,
  NewTemplateContact,
  TemplateCampaignChange,
  TemplateCampaignDryRun,
  TemplateCampaignLive,
  TemplateCampaignNumber,
  TemplateCampaignShown,
  TemplateCampaignsFacade,
  TemplateCampaignsQuery,
  TemplateContactShown,
  TemplateContactsQuery,
  TemplateParameterGiven,
  TemplateTrial
} from "./facades/TemplateCampaignsFacade.ts"
export type { TemplatesFacade, TemplatesQuery } from "./facades/TemplatesFacade.ts"
export type { UsageFacade } from "./facades/UsageFacade.ts"
export type {
  NewVoiceAlert,
  VoiceAlertChange,
  VoiceAlertRecord,
  VoiceAlertsFacade
} from "./facades/VoiceAlertsFacade.ts"
export type {
  NewVoiceSessionRequest,
  VoiceFacade,
  VoiceMetadata,
  VoiceSessionCost,
  VoiceSessionRecord,
  VoiceTranscriptEntry
} from "./facades/VoiceFacade.ts"
export type {
  CreatedWebhook,
  DeliveryRecord,
  NewWebhook,
  WebhookChange,
  WebhookRecord,
  WebhooksFacade
} from "./facades/WebhooksFacade.ts"
export { accelerated } from "./HostClock.ts"
export { internalsOf, servicesOf } from "./Internals.ts"
export { MetricsStore, maxCounted } from "./MetricsStore.ts"
export {
  type AccountMoveReport,
  type MoveOptions,
  type MovingFacade,
  migrateTrunkline,
  type OtherInstallation
} from "./Moving.ts"
export type { FileOptions, TrunklineOptions } from "./Options.ts"
export { isOutage, isOutageCause, type StorageState, StorageWatch, watchedStorage } from "./Outage.ts"
export { type Metric, ProductMetrics, prometheusText } from "./ProductMetrics.ts"
export {
  audioLengthProvider,
  type CarrierLayer,
  channelProvider,
  dashboardProvider,
  layerOf,
  outboundProvider,
  type ReferencePages,
  recordingsProvider,
  referenceProvider,
  speechDetectorProvider,
  storageProvider,
  type TypedUpstreamProvider,
  type TypedWebSearchProvider,
  telephonyProvider,
  upstreamProvider,
  webSearchProvider
} from "./Providers.ts"
export type { StorageLayer, Stores } from "./StorageLayer.ts"
export { createTrunkline, type Product, type Trunkline } from "./Trunkline.ts"
export { type InvalidField, makeToTrunklineError, TrunklineError } from "./TrunklineError.ts"
export { type WorkerState, Workers } from "./Workers.ts"
