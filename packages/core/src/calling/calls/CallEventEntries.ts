/** The life of calls, as receivers of events see it. Pure. */
import * as Schema from "effect/Schema"
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"
import { AnsweredBy, CallStatus, EndReason } from "./CallStatus.ts"

const { means, payload, uuid, instant, text, count, number, orNull, exampleId } = EventFields

/** Source: docs/reference/telephony.md#call. */
const CallData = payload("CallEventData", {
  id: means(uuid, "The call"),
  campaign_id: means(orNull(uuid), "The campaign that placed it"),
  contact_id: means(orNull(uuid), "The contact of that campaign"),
  attempt: means(orNull(count), "Which attempt at the contact this is, from 1"),
  bot_id: means(orNull(uuid), "The agent that talks"),
  from_number_id: means(orNull(uuid), "The account's number, where one was used"),
  from: means(orNull(text), "The caller number that was shown"),
  to: means(text, "The number that was called, as it was given"),
  status: means(CallStatus, "Where the call stands"),
  answered_by: means(orNull(AnsweredBy), "What machine detection has found; null without it and before it resolves"),
  burst_id: means(orNull(uuid), "The parallel dial that the call belongs to"),
  is_winner: means(Schema.Boolean, "It won its parallel dial"),
  abandoned: means(Schema.Boolean, "A person answered after another leg had won, and was hung up on"),
  provider: means(text, "The carrier's name"),
  provider_call_id: means(orNull(text), "The carrier's own id of the call"),
  started_at: means(instant, "When the carrier was asked"),
  answered_at: means(orNull(instant), "When it was answered"),
  ended_at: means(orNull(instant), "When it ended"),
  duration_seconds: means(
    orNull(count),
    "Seconds between answer and end; 0 when not answered, null while it is not over"
  ),
  end_reason: means(orNull(EndReason), "Why it ended; null while it is not over"),
  voice_session_id: means(orNull(uuid), "The voice session of its agent, where it has one"),
  credits: means(number, "What it cost, in credits; 0 while it is not over"),
  created_at: means(instant, "When the call was written down")
})

const placed = {
  id: exampleId("ca11"),
  campaign_id: exampleId("ca01"),
  contact_id: exampleId("c0a7"),
  attempt: 1,
  bot_id: exampleId("b0a1"),
  from_number_id: exampleId("a0b1"),
  from: "+14155550100",
  to: "+14155550123",
  status: "queued",
  answered_by: null,
  burst_id: null,
  is_winner: false,
  abandoned: false,
  provider: "twilio",
  provider_call_id: "CA5ef8732a3c49700934481addd5ce1659",
  started_at: "2026-11-21T09:30:00.000Z",
  answered_at: null,
  ended_at: null,
  duration_seconds: null,
  end_reason: null,
  voice_session_id: null,
  credits: 0,
  created_at: "2026-11-21T09:30:00.000Z"
} as const

const answered = {
  ...placed,
  status: "in_progress",
  answered_by: "human",
  answered_at: "2026-11-21T09:30:07.000Z"
} as const

export const callStarted = event({
  name: "call.started",
  surface: "platform",
  place: 30,
  category: "Calls",
  fires: "when the carrier has accepted the call",
  source: "product",
  data: CallData,
  example: placed
})

const callCompleted = event({
  name: "call.completed",
  surface: "platform",
  place: 30,
  category: "Calls",
  fires: "when the call has ended `completed`",
  source: "product",
  data: CallData,
  example: {
    ...answered,
    status: "completed",
    ended_at: "2026-11-21T09:31:08.000Z",
    duration_seconds: 61,
    end_reason: "hangup_remote",
    credits: 2
  }
})

const callFailed = event({
  name: "call.failed",
  surface: "platform",
  place: 30,
  category: "Calls",
  fires: "when the call has ended `busy`, `no_answer`, `failed` or `canceled`",
  source: "product",
  data: CallData,
  example: {
    ...placed,
    status: "no_answer",
    ended_at: "2026-11-21T09:30:30.000Z",
    duration_seconds: 0,
    end_reason: "no_answer"
  }
})

const callAmdDetected = event({
  name: "call.amd_detected",
  surface: "platform",
  place: 30,
  category: "Calls",
  fires: "once per call with machine detection, when the detection resolves",
  source: "product",
  data: CallData,
  example: answered
})

export const callEvents = [callStarted, callCompleted, callFailed, callAmdDetected] as const
