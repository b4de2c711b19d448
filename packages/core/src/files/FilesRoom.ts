/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
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

export const Room = room({
  name: "files",
  layer: Files.layer,
  api: () => [filesGroup],
  handlers: FilesHttp.layer,
  workers
})
