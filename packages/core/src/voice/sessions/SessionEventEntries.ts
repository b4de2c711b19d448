/** The life of voice sessions, as receivers of events see it. Pure. */
import * as Schema from "effect/Schema"
import { TranscriptRole } from "../../calling/calls/index.ts"
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"
import { RecordingState, VoiceStatus } from "./VoiceSession.ts"

const { means, known, payload, uuid, instant, text, hostId, count, number, orNull, exampleId } = EventFields

/** A session's token is a secret, and stands in no event. */
const voiceSession = <Status extends string, const More extends Schema.Struct.Fields>(
  identifier: string,
  status: Schema.Codec<Status>,
  more: More
) =>
  payload(identifier, {
    session_id: means(hostId, "The voice session"),
    status: means(status, "Where it stands"),
    bot_id: means(orNull(uuid), "The agent that talks"),
    call_id: means(orNull(uuid), "The telephone call on which it is held; null without one"),
    stt_model: means(orNull(text), "The model that hears"),
    language: means(orNull(text), "The language, as a BCP 47 tag"),
    max_duration_seconds: means(count, "How many seconds it may last"),
    started_at: means(orNull(instant), "When it was connected"),
    ended_at: means(orNull(instant), "When it ended; null while it is not over"),
    duration_seconds: means(orNull(count), "How many seconds it lasted; null while it is not over"),
    end_reason: means(orNull(text), "Why it ended, such as `caller_hangup`; null while it is not over"),
    ...more
  })

const said = Schema.Struct({
  role: means(TranscriptRole, "Who said it"),
  text: means(text, "What was said")
})

/** What is known at the end. */
const endOfSession = {
  turn_count: means(count, "How many turns the caller had"),
  credits: means(number, "What its models cost, in credits"),
  recording: means(RecordingState, "Whether there is a recording"),
  transcript: known(Schema.Array(said), "What caller and agent said, up to 64 KiB; missing where the host omits it"),
  transcript_truncated: known(Schema.Boolean, "True where the oldest entries are missing")
}

const VoiceSessionStartedData = voiceSession(
  "VoiceSessionStartedEventData",
  VoiceStatus.pick(["created", "active"]),
  {}
)

const VoiceSessionEndedData = voiceSession("VoiceSessionEndedEventData", Schema.Literal("completed"), endOfSession)

const VoiceSessionFailedData = voiceSession(
  "VoiceSessionFailedEventData",
  VoiceStatus.pick(["failed", "timeout"]),
  endOfSession
)

const session = {
  session_id: exampleId("5e55"),
  status: "active",
  bot_id: exampleId("b0a1"),
  call_id: null,
  stt_model: "saaras-v3",
  language: "en-IN",
  max_duration_seconds: 1800,
  started_at: "2026-11-21T09:30:00.000Z",
  ended_at: null,
  duration_seconds: null,
  end_reason: null
} as const

const voiceSessionStarted = event({
  name: "voice_session.started",
  surface: "platform",
  place: 20,
  category: "Voice sessions",
  fires: "when a voice session is connected",
  source: "product",
  data: VoiceSessionStartedData,
  example: session
})

const voiceSessionEnded = event({
  name: "voice_session.ended",
  surface: "platform",
  place: 20,
  category: "Voice sessions",
  fires: "once, when a voice session has ended `completed`",
  source: "product",
  data: VoiceSessionEndedData,
  example: {
    ...session,
    status: "completed",
    ended_at: "2026-11-21T09:34:12.000Z",
    duration_seconds: 252,
    end_reason: "caller_hangup",
    turn_count: 1,
    credits: 4.25,
    recording: "available",
    transcript: [
      { role: "assistant", text: "Good morning, this is Asha." },
      { role: "user", text: "When do you open?" }
    ],
    transcript_truncated: false
  }
})

const voiceSessionFailed = event({
  name: "voice_session.failed",
  surface: "platform",
  place: 20,
  category: "Voice sessions",
  fires: "once, when a voice session has ended `failed` or `timeout`",
  source: "product",
  data: VoiceSessionFailedData,
  example: {
    ...session,
    status: "failed",
    ended_at: "2026-11-21T09:30:03.000Z",
    duration_seconds: 3,
    end_reason: "agent_error",
    turn_count: 0,
    credits: 0,
    recording: "none",
    transcript: [],
    transcript_truncated: false
  }
})

export const sessionEvents = [voiceSessionStarted, voiceSessionEnded, voiceSessionFailed] as const
