/** A voice session as receivers of its events see it: everything but its token. Pure. Source: docs/reference/voice.md#events. */
import { Money } from "../../platform/billing/index.ts"
import type { EventOf } from "../../platform/events/index.ts"
import { Instant, utf8Length } from "../../platform/kernel/index.ts"
import type { sessionEvents } from "./SessionEventEntries.ts"
import type { SaidText } from "./TranscriptStore.ts"
import type { VoiceSession } from "./VoiceSession.ts"

const iso = (at: Instant.Instant | null): string | null => (at === null ? null : Instant.toIso(at))

/** Of what was said, as JSON. */
const maxTranscriptBytes = 64 * 1024

interface SaidTranscript {
  readonly transcript: ReadonlyArray<SaidText>
  /** True where the oldest entries are missing. */
  readonly transcript_truncated: boolean
}

/** What was said, as an event carries it: the latest entries that fit. They come with the last one first. */
export const saidTranscript = (lastFirst: Iterable<SaidText>): SaidTranscript => {
  const kept: Array<SaidText> = []
  // Brackets of the list; each entry has a comma.
  let bytes = 2
  for (const { role, text } of lastFirst) {
    const entry = { role, text }
    bytes += utf8Length(JSON.stringify(entry)) + 1
    if (bytes > maxTranscriptBytes) return { transcript: kept.reverse(), transcript_truncated: true }
    kept.push(entry)
  }
  return { transcript: kept.reverse(), transcript_truncated: false }
}

/** What a session reports when it has reached its present status; nothing when it was made. */
export const eventsOf = (
  session: VoiceSession,
  said: SaidTranscript | null = null
): ReadonlyArray<EventOf<(typeof sessionEvents)[number]>> => {
  const { botId, status, tenantId } = session
  const about = { tenantId, botId }
  const fields = {
    session_id: session.id,
    bot_id: botId,
    call_id: session.callId,
    stt_model: session.sttModel,
    language: session.language,
    max_duration_seconds: session.maxDurationSeconds,
    started_at: iso(session.startedAt),
    ended_at: iso(session.endedAt),
    duration_seconds: session.durationSeconds,
    end_reason: session.endReason
  }
  const sums = {
    turn_count: session.turnCount,
    credits: Money.toNumber(session.credits),
    recording: session.recording,
    ...said
  }
  switch (status) {
    case "created":
      return []
    case "active":
      return [{ ...about, event: "voice_session.started", data: { ...fields, status } }]
    case "completed":
      return [{ ...about, event: "voice_session.ended", data: { ...fields, status, ...sums } }]
    case "failed":
    case "timeout":
      return [{ ...about, event: "voice_session.failed", data: { ...fields, status, ...sums } }]
  }
}
