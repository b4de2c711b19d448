/** A voice session as receivers of its events see it: everything but its token. Pure. Source: docs/voice.md#events. */
import type { NewEvent } from "../events/index.ts"
import { Instant } from "../kernel/index.ts"
import type { VoiceSession, VoiceStatus } from "./VoiceSession.ts"

const eventNames: Readonly<Record<Exclude<VoiceStatus, "created">, NewEvent["event"]>> = {
  active: "voice_session.started",
  completed: "voice_session.ended",
  failed: "voice_session.failed",
  timeout: "voice_session.failed"
}

const iso = (at: Instant.Instant | null): string | null => (at === null ? null : Instant.toIso(at))

/** What a session tells when it has come to its present state; nothing when it was made. */
export const eventsOf = (session: VoiceSession): ReadonlyArray<NewEvent> =>
  session.status === "created"
    ? []
    : [
        {
          event: eventNames[session.status],
          tenantId: session.tenantId,
          botId: session.botId,
          data: {
            session_id: session.id,
            status: session.status,
            bot_id: session.botId,
            stt_model: session.sttModel,
            language: session.language,
            max_duration_seconds: session.maxDurationSeconds,
            started_at: iso(session.startedAt),
            ended_at: iso(session.endedAt),
            duration_seconds: session.durationSeconds,
            end_reason: session.endReason
          }
        }
      ]
