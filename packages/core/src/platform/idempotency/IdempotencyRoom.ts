/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { nothing, storeTopics } from "../changes/index.ts"
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

const changes = [
  storeTopics(IdempotencyStore, {
    claim: nothing,
    renew: nothing,
    act: nothing,
    abandon: nothing,
    complete: nothing,
    forget: nothing,
    sweep: nothing
  })
]

export const Room = room({
  name: "platform/idempotency",
  stores: [IdempotencyStore],
  changes,
  layer: Idempotency.layer,
  workers
})
