/** A voice session as receivers of its events see it: everything but its token. Pure. Source: docs/voice.md#events. */
import type { NewEvent } from "../events/index.ts"
import { Instant } from "../kernel/index.ts"
import type { VoiceSession } from "./VoiceSession.ts"

const iso = (at: Instant.Instant | null): string | null => (at === null ? null : Instant.toIso(at))

/** What a session reports when it has reached its present status; nothing when it was made. */
export const eventsOf = (session: VoiceSession): ReadonlyArray<NewEvent> => {
  const { botId, status, tenantId } = session
  const about = { tenantId, botId }
  const fields = {
    session_id: session.id,
    bot_id: botId,
    stt_model: session.sttModel,
    language: session.language,
    max_duration_seconds: session.maxDurationSeconds,
    started_at: iso(session.startedAt),
    ended_at: iso(session.endedAt),
    duration_seconds: session.durationSeconds,
    end_reason: session.endReason
  }
  switch (status) {
    case "created":
      return []
    case "active":
      return [{ ...about, event: "voice_session.started", data: { ...fields, status } }]
    case "completed":
      return [{ ...about, event: "voice_session.ended", data: { ...fields, status } }]
    case "failed":
    case "timeout":
      return [{ ...about, event: "voice_session.failed", data: { ...fields, status } }]
  }
}
