/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { SpokenSessions } from "./SpokenSessions.ts"
import { voiceGroup } from "./VoiceApi.ts"
import * as VoiceHttp from "./VoiceHttp.ts"
import { VoiceSessions } from "./VoiceSessions.ts"

const workers = Effect.gen(function* () {
  const sessions = yield* VoiceSessions
  const endDue = Effect.gen(function* () {
    const due = yield* sessions.nextDue
    if (due !== null && due <= (yield* Instant.now)) yield* sessions.tick
  })
  return [{ name: "ends of voice sessions", everyMs: Instant.second, tick: endDue }] satisfies ReadonlyArray<
    Worker<StorageError>
  >
})

export const Room = room({
  name: "voice",
  ports: SpokenSessions.layer,
  layer: VoiceSessions.layer,
  api: () => [voiceGroup],
  handlers: VoiceHttp.layer,
  workers,
  events: ["voice_session.started", "voice_session.ended", "voice_session.failed"]
})
