/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { Idempotency } from "./Idempotency.ts"
import { IdempotencyStore } from "./IdempotencyStore.ts"

const workers = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  // Responses are stored for a day, so a minute more makes no difference.
  return [
    { name: "removal of stored responses", everyMs: Instant.minute, tick: idempotency.sweep }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

export const Room = room({
  name: "platform/idempotency",
  stores: [IdempotencyStore],
  layer: Idempotency.layer,
  workers
})
