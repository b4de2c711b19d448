/** Trunkline for any host: `await createTrunkline({ storage, telephony })`. */
export {
  type Admin,
  accelerated,
  type CallOptions,
  createTrunkline,
  type HostClock,
  type KeyOptions,
  type KeyRecord,
  type LogEntry,
  type PageOptions,
  type StoragePlug,
  type TelephonyPlug,
  type Trunkline,
  TrunklineError,
  type TrunklineOptions,
  type WorkerState
} from "./host/index.ts"
