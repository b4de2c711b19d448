/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import { Retention } from "./Retention.ts"
import type { StorageError } from "./StorageError.ts"
import { storageErrors } from "./StorageErrorTable.ts"

const workers = Effect.map(
  Retention,
  ({ tick }) => [{ name: "retention", everyMs: Instant.hour, tick }] satisfies ReadonlyArray<Worker<StorageError>>
)

export const Room = room({ name: "platform/storage", layer: Retention.layer, errors: storageErrors, workers })
