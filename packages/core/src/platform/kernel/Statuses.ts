/**
 * Words that an entity has in common with the events about it: statuses, roles and reasons. Types that a host sees come from the
 * lists, so that they name nothing of Effect. Pure.
 */
import * as Schema from "effect/Schema"

export const CampaignStatus = Schema.Literals([
  "draft",
  "scheduled",
  "running",
  "paused",
  "insufficient_balance",
  "completed",
  "cancelled"
])

/**
 * - `preview`  nothing is dialed until a person approves the contact; one call at a time, without pace
 * - `power`    one call at a time, `paceSeconds` apart
 * - `parallel` up to `parallelLines` calls at once, the first answer wins
 */
export const DialMode = Schema.Literals(["preview", "power", "parallel"])

const callStatuses = [
  "queued",
  "dialing",
  "ringing",
  "in_progress",
  "completed",
  "busy",
  "no_answer",
  "failed",
  "canceled"
] as const

export const CallStatus = Schema.Literals(callStatuses)
export type CallStatus = (typeof callStatuses)[number]

/** Those of a call that has not ended. */
export const OpenCallStatus = CallStatus.pick(["queued", "dialing", "ringing", "in_progress"])

const answeredBy = ["human", "machine", "unknown"] as const

export const AnsweredBy = Schema.Literals(answeredBy)
export type AnsweredBy = (typeof answeredBy)[number]

const endReasons = [
  "hangup_remote",
  "hangup_local",
  "busy",
  "no_answer",
  "failed",
  "canceled",
  "do_not_call",
  "window_closed",
  "lost_race",
  "credits",
  "unknown"
] as const

/** Why a call ended. */
export const EndReason = Schema.Literals(endReasons)
export type EndReason = (typeof endReasons)[number]

/** `user`: the customer; `assistant`: the AI agent; `agent`: a human operator, or a program over the API. */
export const MessageRole = Schema.Literals(["user", "assistant", "agent"])

/** What a channel reports of a message that it has accepted. */
export const ReportedStatus = Schema.Literals(["sent", "delivered", "read", "failed"])

const voiceStatuses = ["created", "active", "completed", "failed", "timeout"] as const

/** The last three are ends. */
export const VoiceStatus = Schema.Literals(voiceStatuses)
export type VoiceStatus = (typeof voiceStatuses)[number]

/** Who said something in a voice session; `tool` for a function that was called. */
export const TranscriptRole = Schema.Literals(["user", "assistant", "tool"])
export type TranscriptRole = typeof TranscriptRole.Type

/** Whether there is a recording of a voice session. */
export const RecordingState = Schema.Literals(["none", "available", "deleted"])
export type RecordingState = typeof RecordingState.Type
