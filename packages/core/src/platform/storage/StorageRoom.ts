/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { type ReadMetrics, type RoomMetrics, room, sample, type Worker } from "../room/index.ts"
import { AccountTotals } from "./AccountTotals.ts"
import { ProviderStateStore } from "./ProviderStateStore.ts"
import { Retention } from "./Retention.ts"
import { RetentionStore } from "./RetentionStore.ts"
import { Storage } from "./Storage.ts"
import { StorageCounters } from "./StorageCounters.ts"
import type { StorageError } from "./StorageErrors.ts"
import { storageErrors } from "./StorageErrors.ts"

const workers = Effect.map(
  Retention,
  ({ tick }) => [{ name: "retention", everyMs: Instant.hour, tick }] satisfies ReadonlyArray<Worker<StorageError>>
)

const metrics = {
  declared: {
    trunkline_storage_connections: {
      type: "gauge",
      labels: ["state"],
      of: "process",
      help: "Connections of the pool to Postgres, used or idle"
    },
    trunkline_storage_connections_max: {
      type: "gauge",
      labels: [],
      of: "process",
      help: "Maximum number of connections of the pool to Postgres"
    },
    trunkline_storage_connections_waiting: {
      type: "gauge",
      labels: [],
      of: "process",
      help: "Transactions that wait for a connection to Postgres"
    },
    trunkline_sqlite_size_bytes: {
      type: "gauge",
      labels: ["file"],
      of: "process",
      help: "Size of the SQLite database and of its write-ahead log"
    },
    trunkline_signals_sent_total: {
      type: "counter",
      labels: [],
      of: "process",
      help: "Signals that this process has sent to the others"
    },
    trunkline_signals_received_total: {
      type: "counter",
      labels: [],
      of: "process",
      help: "Signals of other processes that this one has received"
    },
    trunkline_signals_listening: {
      type: "gauge",
      labels: [],
      of: "process",
      help: "1 while this process listens to signals of others, 0 while it only polls"
    }
  },
  reader: Effect.map(
    StorageCounters,
    (counters): ReadMetrics =>
      () => {
        const { files, pool, signals } = counters.read()
        return {
          ...(pool === null
            ? {}
            : {
                trunkline_storage_connections: [
                  sample(pool.used, { state: "used" }),
                  sample(pool.idle, { state: "idle" })
                ],
                trunkline_storage_connections_max: [sample(pool.max)],
                trunkline_storage_connections_waiting: [sample(pool.waiting)]
              }),
          ...(files === null
            ? {}
            : {
                trunkline_sqlite_size_bytes: [
                  sample(files.databaseBytes, { file: "database" }),
                  sample(files.logBytes, { file: "wal" })
                ]
              }),
          ...(signals === null
            ? {}
            : {
                trunkline_signals_sent_total: [sample(signals.sent)],
                trunkline_signals_received_total: [sample(signals.received)],
                trunkline_signals_listening: [sample(signals.isListening ? 1 : 0)]
              })
        }
      }
  )
} satisfies RoomMetrics

export const Room = room({
  name: "platform/storage",
  stores: [Storage, AccountTotals, ProviderStateStore, RetentionStore],
  layer: Retention.layer,
  errors: storageErrors,
  workers,
  metrics
})
