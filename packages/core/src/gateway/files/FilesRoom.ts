/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { StoredBytes } from "../../platform/billing/index.ts"
import { nothing, storeTopics } from "../../platform/changes/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import { AccountTotals, type StorageError } from "../../platform/storage/index.ts"
import { FileStore } from "./FileStore.ts"
import { Files } from "./Files.ts"
import { filesGroup } from "./FilesApi.ts"
import * as FilesHttp from "./FilesHttp.ts"

const workers = Effect.map(
  Files,
  ({ sweep }) =>
    [{ name: "removal of files", everyMs: 15 * Instant.second, tick: sweep }] satisfies ReadonlyArray<
      Worker<StorageError>
    >
)

/** What takes room of the plan's storage. */
export const storedBytes = Layer.effect(
  StoredBytes,
  Effect.gen(function* () {
    const files = yield* FileStore
    const totals = yield* AccountTotals
    return StoredBytes.of({
      used: Effect.fnUntraced(function* (tenantId, at) {
        const { kept_response_bytes: responses, knowledge_bytes: knowledge } = yield* totals.all(tenantId)
        return (yield* files.used(tenantId, at)) + responses + knowledge
      })
    })
  })
)

/** No topic names files. */
const changes = [
  storeTopics(FileStore, { add: nothing, addChunk: nothing, lock: nothing, save: nothing, removeBytes: nothing })
]

export const Room = room({
  name: "gateway/files",
  stores: [FileStore],
  changes,
  ports: storedBytes,
  layer: Files.layer,
  api: () => [filesGroup],
  handlers: FilesHttp.layer,
  workers
})
