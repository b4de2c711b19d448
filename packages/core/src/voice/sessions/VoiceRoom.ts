/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { change, nothing, storeTopics } from "../../platform/changes/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import * as CallConversationsOfSessions from "./CallConversationsOfSessions.ts"
import * as CallTranscriptsOfSessions from "./CallTranscriptsOfSessions.ts"
import { LeaseKeeper } from "./LeaseKeeper.ts"
import { LiveSessions } from "./LiveSessions.ts"
import * as PlacesOfSessions from "./PlacesOfSessions.ts"
import { Recordings } from "./Recordings.ts"
import { SessionAdmission } from "./SessionAdmission.ts"
import { SessionChanges } from "./SessionChanges.ts"
import { SessionRecords } from "./SessionRecords.ts"
import { SpokenSessions } from "./SpokenSessions.ts"
import { voiceGroup } from "./VoiceApi.ts"
import * as VoiceHttp from "./VoiceHttp.ts"
import type { VoiceSession } from "./VoiceSession.ts"
import { VoiceSessions } from "./VoiceSessions.ts"

/** Recordings are kept for days: an hour more or less changes nothing. */
const sweepMs = Instant.hour

/** A session whose process has died ends up to this much later. */
const leaseCheckMs = 5 * Instant.second

import { LiveSessionStore } from "./LiveSessionStore.ts"
import { sessionEvents } from "./SessionEventEntries.ts"
import { TranscriptStore } from "./TranscriptStore.ts"
import { VoiceStore } from "./VoiceStore.ts"

const workers = Effect.gen(function* () {
  const sessions = yield* VoiceSessions
  const live = yield* LiveSessions
  const recordings = yield* Recordings
  const whenDue = ({ nextDue, tick }: Pick<typeof live, "nextDue" | "tick">) =>
    Effect.gen(function* () {
      const due = yield* nextDue
      if (due !== null && due <= (yield* Instant.now)) yield* tick
    })
  return [
    { name: "ends of voice sessions", everyMs: Instant.second, tick: whenDue(sessions) },
    { name: "leases of voice sessions", everyMs: leaseCheckMs, tick: whenDue(live) },
    { name: "old recordings", everyMs: sweepMs, tick: recordings.sweep }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

/** A call shows its session, and what was said. */
const ofCall = ({ callId, tenantId }: Pick<VoiceSession, "callId" | "tenantId">) =>
  callId === null ? null : change(tenantId, `call:${callId}`)

const changes = [
  storeTopics(VoiceStore, { add: ofCall, lock: nothing, save: ofCall, lockDue: nothing, lockRecorded: nothing }),
  storeTopics(TranscriptStore, { nextIndex: nothing, add: ofCall }),
  storeTopics(LiveSessionStore, {
    lock: nothing,
    lockOfCall: nothing,
    // With the entries of the transcript.
    addTurns: nothing,
    renew: nothing,
    lockLapsed: nothing
  })
]

export const Room = room({
  name: "voice/sessions",
  stores: [VoiceStore, TranscriptStore, LiveSessionStore],
  changes,
  ports: Layer.mergeAll(CallTranscriptsOfSessions.layer, PlacesOfSessions.layer, SpokenSessions.layer),
  layer: CallConversationsOfSessions.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(VoiceSessions.layer, LiveSessions.layer, SessionRecords.layer, Recordings.layer)),
    Layer.provideMerge(LeaseKeeper.layer),
    Layer.provideMerge(Layer.merge(SessionChanges.layer, SessionAdmission.layer))
  ),
  api: () => [voiceGroup],
  handlers: VoiceHttp.layer,
  workers,
  events: sessionEvents
})
