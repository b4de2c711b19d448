/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { nothing, storeTopics } from "../../platform/changes/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { queueLag, type ReadMetrics, type RoomMetrics, room, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { BatchEndpoints } from "./BatchEndpoints.ts"
import { Batches } from "./Batches.ts"
import { batchesGroup } from "./BatchesApi.ts"
import * as BatchesHttp from "./BatchesHttp.ts"
import { BatchLines } from "./BatchLines.ts"
import { BatchQueueStore } from "./BatchQueueStore.ts"
import { BatchRunner } from "./BatchRunner.ts"
import { BatchStore } from "./BatchStore.ts"
import { BatchWorker } from "./BatchWorker.ts"

const workers = Effect.gen(function* () {
  const batches = yield* Batches
  const worker = yield* BatchWorker
  return [
    {
      name: "batches",
      switch: "batches",
      begin: worker.begin,
      nextDue: worker.nextDue,
      onlyWhenDue: true,
      tick: Effect.as(worker.tick, "idle" as const),
      // A model may take long: a stop ends its run, and the line runs again after the restart.
      drain: { stage: "first", idle: worker.idle, timeoutMs: 2 * Instant.second, cancel: worker.cancel }
    },
    { name: "removal of lines of batches", switch: "batches", everyMs: 15 * Instant.second, tick: batches.sweep }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const metrics = {
  declared: {},
  reader: Effect.succeed<ReadMetrics>((counted) => queueLag("batches", counted))
} satisfies RoomMetrics

/** No topic names batches. */
const changes = [
  storeTopics(BatchStore, {
    add: nothing,
    lock: nothing,
    save: nothing,
    addLines: nothing,
    settleLine: nothing,
    removeLines: nothing
  }),
  storeTopics(BatchQueueStore, { add: nothing, claimDue: nothing, renew: nothing, release: nothing, remove: nothing })
]

export const Room = room({
  name: "gateway/batches",
  stores: [BatchStore, BatchQueueStore],
  changes,
  layer: Layer.merge(BatchWorker.layer, Batches.layer).pipe(
    Layer.provideMerge(BatchRunner.layer),
    Layer.provideMerge(BatchLines.layer),
    Layer.provideMerge(BatchEndpoints.layer)
  ),
  api: () => [batchesGroup],
  handlers: BatchesHttp.layer,
  workers,
  metrics
})
