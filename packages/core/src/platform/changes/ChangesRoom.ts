/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { ChangeStore } from "./ChangeStore.ts"
import { RemoteChanges } from "./RemoteChanges.ts"
import { nothing, storeTopics } from "./StoreTopics.ts"

const workers = Effect.map(
  RemoteChanges,
  ({ sweep }) =>
    [{ name: "removal of change notes", everyMs: Instant.minute, tick: sweep }] satisfies ReadonlyArray<
      Worker<StorageError>
    >
)

export const Room = room({
  name: "platform/changes",
  stores: [ChangeStore],
  changes: [
    storeTopics(ChangeStore, {
      watch: nothing,
      send: nothing,
      remove: nothing,
      sweepNotes: nothing,
      sweepWatches: nothing
    })
  ],
  ports: RemoteChanges.layer,
  workers
})
