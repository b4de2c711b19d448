/**
 * Puts the rooms together and hands them to a host as plain functions.
 *
 * Promises  HOST-1 nothing runs in the background before `start`, and nothing is lost by `stop`.
 *           HOST-2 all settings that cannot be used are named at once, before anything is opened.
 *           HOST-3 no type of Effect's is needed to use it; every failure is a TrunklineError with code and status.
 *           HOST-4 what a host passes is decoded with the schemas of the routes, and what it gets has the routes' fields.
 *           HOST-5 without telephony everything but calling works, and a request for a call is refused with the reason.
 *           HOST-6 what an operator monitors is counted without an account in any label, also while the storage is away.
 *           HOST-7 an outage is one line in the log, one more a minute, and one when it is over.
 * Needs     a storage.                           Tells  nothing.
 * Not here  sockets and frameworks (adapters), configuration files (server).
 * Read      Options.ts, then Assembly.ts, then Trunkline.ts. Source: README.md.
 */
export type { AccountFields, Admin, KeyOptions, KeyOverview, KeyRecord } from "./Admin.ts"
export { type Api, makeApi, publicApi } from "./Api.ts"
export { type CarrierLayer, http, type Services, type StorageLayer, type Stores, services } from "./Assembly.ts"
export type { CallRecord, CallsPart, NewCallRequest } from "./CallsPart.ts"
export type {
  CampaignChange,
  CampaignsPart,
  ContactRecord,
  DoNotCallRecord,
  LiveRecord,
  NewCampaign,
  NewDoNotCall,
  SuppressionPart
} from "./CampaignsPart.ts"
export type { EmailPart, EventsPart, NewEmailReport, NewPublication } from "./EventsPart.ts"
export { accelerated } from "./HostClock.ts"
export { type Internals, internalsOf } from "./Internals.ts"
export type {
  ConnectedNumberRecord,
  ConversationRecord,
  MessageRecord,
  MessagingPart,
  NumberConnection,
  OutgoingMessage,
  TemplatesQuery
} from "./MessagingPart.ts"
export { MetricsStore, mostCounted, type UnderWay } from "./MetricsStore.ts"
export type {
  AudioLengthPlug,
  HostClock,
  LogEntry,
  MessagingPlug,
  OutboundPlug,
  StoragePlug,
  TelephonyPlug,
  TrunklineOptions,
  UpstreamPlug
} from "./Options.ts"
export { isOutage, isOutageCause, type StorageState, StorageWatch, watchedStorage } from "./Outage.ts"
export type { CallOptions, PageOptions } from "./Part.ts"
export { type Metric, type MetricSample, metricCatalogue, ProductMetrics, prometheusText } from "./ProductMetrics.ts"
export { roomErrors, rooms } from "./Rooms.ts"
export { createTrunkline, type Trunkline } from "./Trunkline.ts"
export { errorCodes, type InvalidField, TrunklineError, toTrunklineError } from "./TrunklineError.ts"
export type { NewVoiceSessionRequest, VoicePart, VoiceSessionRecord } from "./VoicePart.ts"
export type {
  CreatedWebhook,
  DeliveryRecord,
  NewWebhook,
  WebhookChange,
  WebhookRecord,
  WebhooksPart
} from "./WebhooksPart.ts"
export { type WorkerState, Workers } from "./Workers.ts"
