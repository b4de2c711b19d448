/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { change, nothing, storeTopics } from "../../platform/changes/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { alertErrors } from "./AlertErrors.ts"
import { alertEvents } from "./AlertEventEntries.ts"
import { AlertReadingStore } from "./AlertReadingStore.ts"
import { AlertStore } from "./AlertStore.ts"
import { makeAlertWorker } from "./AlertWorker.ts"
import { VoiceAlerts } from "./VoiceAlerts.ts"
import { voiceAlertsGroup } from "./VoiceAlertsApi.ts"
import * as VoiceAlertsHttp from "./VoiceAlertsHttp.ts"

const workers = Effect.gen(function* () {
  const worker = yield* makeAlertWorker
  return [
    {
      name: "voice alerts",
      nextDue: worker.nextDue,
      pollMs: 5 * Instant.second,
      onlyWhenDue: true,
      tick: Effect.as(worker.tick, "idle" as const)
    }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const changes = [
  storeTopics(AlertStore, {
    add: ({ tenantId }) => change(tenantId, "alerts"),
    lock: nothing,
    save: ({ tenantId }) => change(tenantId, "alerts"),
    remove: (tenantId) => change(tenantId, "alerts"),
    lockDue: nothing
  })
]

export const Room = room({
  name: "voice/alerts",
  stores: [AlertStore, AlertReadingStore],
  changes,
  layer: VoiceAlerts.layer,
  api: () => [voiceAlertsGroup],
  handlers: VoiceAlertsHttp.layer,
  workers,
  events: alertEvents,
  errors: alertErrors
})
