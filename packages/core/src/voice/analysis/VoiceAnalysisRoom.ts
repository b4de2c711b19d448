/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { change, nothing, storeTopics } from "../../platform/changes/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { queueLag, type ReadMetrics, type RoomMetrics, room, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { Analysis } from "./Analysis.ts"
import { analysisEvents } from "./AnalysisEventEntries.ts"
import { AnalysisStore } from "./AnalysisStore.ts"
import { AnalysisWorker } from "./AnalysisWorker.ts"
import * as EndedSessions from "./EndedSessions.ts"
import { VoiceAnalyses } from "./VoiceAnalyses.ts"
import { voiceAnalysisGroup } from "./VoiceAnalysisApi.ts"
import * as VoiceAnalysisHttp from "./VoiceAnalysisHttp.ts"

const workers = Effect.gen(function* () {
  const worker = yield* AnalysisWorker
  return [
    {
      name: "analyses of voice sessions",
      switch: "analysis",
      nextDue: worker.nextDue,
      pollMs: 5 * Instant.second,
      onlyWhenDue: true,
      tick: Effect.as(worker.tick, "idle" as const),
      // A model may take long: a stop ends its run, and the analysis runs again after the restart.
      drain: { stage: "first", idle: worker.idle, timeoutMs: 2 * Instant.second, cancel: worker.cancel }
    }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const metrics = {
  declared: {},
  reader: Effect.succeed<ReadMetrics>((counted) => queueLag("analyses", counted))
} satisfies RoomMetrics

/** The list of calls finds by what an analysis says, and a call shows it. */
const ofCall = ({ tenantId }: Pick<Analysis, "tenantId">, callId: Ids.CallId | null) =>
  callId === null ? change(tenantId, "calls") : change(tenantId, "calls", `call:${callId}`)

const changes = [
  storeTopics(AnalysisStore, {
    put: ofCall,
    save: (analysis, _claim, callId) => ofCall(analysis, callId),
    claimDue: nothing,
    renew: nothing
  })
]

export const Room = room({
  name: "voice/analysis",
  stores: [AnalysisStore],
  changes,
  parts: EndedSessions.layer,
  layer: Layer.merge(AnalysisWorker.layer, VoiceAnalyses.layer),
  api: () => [voiceAnalysisGroup],
  handlers: VoiceAnalysisHttp.layer,
  workers,
  events: analysisEvents,
  metrics
})
