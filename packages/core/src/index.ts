/** Trunkline for any host: `await createTrunkline({ storage, telephony, encryptionKey })`. */
export type { HandedPrincipal, HostAnswer, HostAuthenticate, HostPrincipal, HostRequest } from "./access/index.ts"
export {
  type Admin,
  type AudioLengthPlug,
  accelerated,
  type CallOptions,
  createTrunkline,
  type HostClock,
  type KeyOptions,
  type KeyOverview,
  type KeyRecord,
  type LogEntry,
  type MessageRecord,
  type MessagingPart,
  type MessagingPlug,
  type OutboundPlug,
  type OutgoingMessage,
  type PageOptions,
  type StoragePlug,
  type TelephonyPlug,
  type ToldSecret,
  type Trunkline,
  TrunklineError,
  type TrunklineOptions,
  type UpstreamPlug,
  type WebhookRecord,
  type WorkerState
} from "./host/index.ts"
export type { HandOver } from "./http/index.ts"
