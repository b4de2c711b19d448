/** Port: what a storage counts about itself in this process, for its operator. Source: docs/reference/operations.md#metrics. */
import * as Context from "effect/Context"

/** The pool of connections to a database. */
export interface PoolCounts {
  readonly used: number
  readonly idle: number
  /** Transactions that wait for a connection. */
  readonly waiting: number
  readonly max: number
}

/** Signals between processes. */
export interface SignalCounts {
  readonly sent: number
  /** Of other processes. */
  readonly received: number
  /** True while this process would receive them. */
  readonly isListening: boolean
}

/** Null stands for what a storage does not have. */
export interface StorageCounts {
  readonly pool: PoolCounts | null
  readonly signals: SignalCounts | null
  readonly files: { readonly databaseBytes: number; readonly logBytes: number } | null
}

export interface StorageCounters {
  /** Called for each look at the metrics: it asks no server. */
  readonly read: () => StorageCounts
}

export const StorageCounters = Context.Reference<StorageCounters>("@trunkline/core/platform/storage/StorageCounters", {
  defaultValue: () => ({ read: () => ({ pool: null, signals: null, files: null }) })
})
