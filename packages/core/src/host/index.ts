/**
 * Puts the rooms together and hands them to a host as plain functions.
 *
 * Promises  HOST-1 nothing runs in the background before `start`, and nothing is lost by `stop`.
 *           HOST-2 every setting that cannot be used is found when the product is put together.
 *           HOST-3 no type of Effect's is needed to use it; every failure is a TrunklineError with code and status.
 * Needs     a storage and a carrier.             Tells  nothing.
 * Not here  sockets and frameworks (adapters), configuration files (server).
 * Read      Options.ts, then Assembly.ts, then Trunkline.ts. Source: README.md.
 */
export type { Admin, KeyOptions, KeyOverview, KeyRecord } from "./Admin.ts"
export { type CarrierLayer, http, type Services, type StorageLayer, type Stores, services } from "./Assembly.ts"
export { accelerated } from "./HostClock.ts"
export { type Internals, internalsOf } from "./Internals.ts"
export type { MessageRecord, MessagingPart, OutgoingMessage } from "./MessagingPart.ts"
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
export type { CallOptions, PageOptions } from "./Part.ts"
export { createTrunkline, type Trunkline } from "./Trunkline.ts"
export { TrunklineError } from "./TrunklineError.ts"
export type { VoicePart } from "./VoicePart.ts"
export type { ToldSecret, WebhookRecord, WebhooksPart } from "./WebhooksPart.ts"
export { type WorkerState, Workers } from "./Workers.ts"
