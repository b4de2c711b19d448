/** Trunkline for any host: `await createTrunkline({ storage, telephony })`. */
export {
  type Admin,
  type AudioLengthPlug,
  accelerated,
  type CallOptions,
  createTrunkline,
  type HostClock,
  type KeyOptions,
  type KeyRecord,
  type LogEntry,
  type OutboundPlug,
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
