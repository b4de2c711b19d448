/**
 * Words that a call has in common with the events about it: its status, who answered it, why it ended. Types that a host sees come
 * from the lists, so that they name nothing of Effect. Pure.
 */
import * as Schema from "effect/Schema"

export const callStatuses = [
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

const openCallStatuses = ["queued", "dialing", "ringing", "in_progress"] as const

/** Those of a call that has not ended. */
export const OpenCallStatus = CallStatus.pick(openCallStatuses)
export type OpenCallStatus = (typeof openCallStatuses)[number]

const answers = ["human", "machine", "unknown"] as const

export const AnsweredBy = Schema.Literals(answers)
export type AnsweredBy = (typeof answers)[number]

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
