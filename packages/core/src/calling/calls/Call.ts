/** The life of one call: it only ever moves forward, however late, repeated or out of order its carrier's reports are. Pure. */
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import { MatchKey } from "../../platform/numbers/PhoneNumber.ts"
import * as Ids from "../CallingIds.ts"
import { type CallNews, Failure, type FinalStatus } from "./CallNews.ts"
import { AnsweredBy, CallStatus, EndReason } from "./CallStatus.ts"

export { type CallStatus, callStatuses, type EndReason, type OpenCallStatus } from "./CallStatus.ts"

const StopReason = EndReason.pick(["hangup_local", "canceled", "do_not_call", "window_closed", "lost_race", "credits"])
/** Why our side wants a call to end. */
export type StopReason = typeof StopReason.Type

/** Source: docs/reference/telephony.md#call. */
export interface Call {
  readonly id: Ids.CallId
  readonly tenantId: Ids.AccountId
  readonly campaignId: Ids.CampaignId | null
  readonly contactId: Ids.ContactId | null
  /** Which attempt at its contact this is, from 1. */
  readonly attempt: number | null
  readonly botId: Ids.BotId | null
  readonly fromNumberId: Ids.NumberId | null
  readonly from: string | null
  readonly to: string
  readonly toKey: MatchKey
  readonly status: CallStatus
  readonly answeredBy: AnsweredBy | null
  readonly burstId: Ids.BurstId | null
  readonly isWinner: boolean
  /** Answered by a person, after another leg had won. */
  readonly abandoned: boolean
  readonly provider: string
  readonly providerCallId: string | null
  /** When the carrier is to be asked; the call counts as started then. */
  readonly startedAt: Instant.Instant
  readonly rangAt: Instant.Instant | null
  readonly answeredAt: Instant.Instant | null
  readonly endedAt: Instant.Instant | null
  readonly durationSeconds: number | null
  readonly endReason: EndReason | null
  readonly failure: Failure | null
  /** Its conversation with an agent, the last one where it had several. */
  readonly voiceSessionId: Ids.VoiceSessionId | null
  /** What it cost, in nano-credits. */
  readonly credits: bigint
  readonly createdAt: Instant.Instant

  /** What a person has noted down of it, in their own words, and who and when; null before. */
  readonly outcome: string | null
  readonly outcomeNote: string | null
  readonly outcomeBy: string | null
  readonly outcomeByName: string | null
  readonly outcomeAt: Instant.Instant | null

  /** The dialing settings with which it started. */
  readonly detectMachine: boolean
  readonly voicemailTemplateId: Ids.TemplateId | null
  readonly windowClosesAt: Instant.Instant | null

  /** The digest of the token with which its media may be connected. Written by `CallTokenStore` alone. */
  readonly mediaToken: string | null
  /** It has a place, and a conversation of the plan, for a session that has not begun. */
  readonly awaitsAgent: boolean
  /** Our side wants it ended, and the carrier is to be asked until it is. */
  readonly stopReason: StopReason | null
  /** A message is being left: the next end is a message left, not a call cut. */
  readonly messageAt: Instant.Instant | null
  /** Answered: until when its conversation is covered by reserved credit; see CallCredit.ts where none is needed. */
  readonly paidUntil: Instant.Instant | null
  /** Look-ups in a row that the carrier answered without a record of the call, and when the first of them was made. */
  readonly lookUps: number
  readonly firstLookUpAt: Instant.Instant | null
  /** When the first of the latest requests was made that the carrier has not answered; null once it answers. */
  readonly silentSince: Instant.Instant | null
  /** How often the carrier has been asked to end the call. */
  readonly endRequests: number
  /** When the carrier is next asked about the call, unless it reports something before. */
  readonly lookUpAt: Instant.Instant
  /** When it is supervised next; null when it has ended. */
  readonly checkAt: Instant.Instant | null
}

/** Its row. */
export const callEntity = Schema.Struct({
  id: Ids.schema<"Call">(),
  tenantId: Ids.schema<"Account">(),
  campaignId: Schema.NullOr(Ids.schema<"Campaign">()),
  contactId: Schema.NullOr(Ids.schema<"CampaignContact">()),
  attempt: Schema.NullOr(Schema.Int),
  botId: Schema.NullOr(Ids.schema<"Bot">()),
  fromNumberId: Schema.NullOr(Ids.schema<"Number">()),
  from: Schema.NullOr(Schema.String),
  to: Schema.String,
  toKey: MatchKey,
  status: CallStatus,
  answeredBy: Schema.NullOr(AnsweredBy),
  burstId: Schema.NullOr(Ids.schema<"Burst">()),
  isWinner: Schema.Boolean,
  abandoned: Schema.Boolean,
  provider: Schema.String,
  providerCallId: Schema.NullOr(Schema.String),
  startedAt: Instant.Iso,
  rangAt: Schema.NullOr(Instant.Iso),
  answeredAt: Schema.NullOr(Instant.Iso),
  endedAt: Schema.NullOr(Instant.Iso),
  durationSeconds: Schema.NullOr(Schema.Int),
  endReason: Schema.NullOr(EndReason),
  failure: Schema.NullOr(Failure),
  voiceSessionId: Schema.NullOr(Ids.schema<"VoiceSession">()),
  credits: Schema.BigInt,
  createdAt: Instant.Iso,
  outcome: Schema.NullOr(Schema.String),
  outcomeNote: Schema.NullOr(Schema.String),
  outcomeBy: Schema.NullOr(Schema.String),
  outcomeByName: Schema.NullOr(Schema.String),
  outcomeAt: Schema.NullOr(Instant.Iso),
  detectMachine: Schema.Boolean,
  voicemailTemplateId: Schema.NullOr(Ids.schema<"VoicemailTemplate">()),
  windowClosesAt: Schema.NullOr(Instant.Iso),
  mediaToken: Schema.NullOr(Schema.String),
  awaitsAgent: Schema.Boolean,
  stopReason: Schema.NullOr(StopReason),
  messageAt: Schema.NullOr(Instant.Iso),
  paidUntil: Schema.NullOr(Instant.Iso),
  lookUps: Schema.Int,
  firstLookUpAt: Schema.NullOr(Instant.Iso),
  silentSince: Schema.NullOr(Instant.Iso),
  endRequests: Schema.Int,
  lookUpAt: Instant.Iso,
  checkAt: Schema.NullOr(Instant.Iso)
})

const shown = Schema.Struct({ ...callEntity.fields, credits: Schema.Finite })

/** How a call is shown, with its price in credits. */
export const CallRecord = Entity.recordOf(shown, [
  "id",
  "campaignId",
  "contactId",
  "attempt",
  "botId",
  "fromNumberId",
  "from",
  "to",
  "status",
  "answeredBy",
  "burstId",
  "isWinner",
  "abandoned",
  "provider",
  "providerCallId",
  "startedAt",
  "answeredAt",
  "endedAt",
  "durationSeconds",
  "endReason",
  "voiceSessionId",
  "credits",
  "createdAt"
])

const rank: Record<CallStatus, number> = {
  queued: 0,
  dialing: 1,
  ringing: 2,
  in_progress: 3,
  completed: 4,
  busy: 4,
  no_answer: 4,
  failed: 4,
  canceled: 4
}

export const isEnded = (call: Pick<Call, "status">): boolean => rank[call.status] === 4
export const isAnswered = (call: Pick<Call, "answeredAt">): boolean => call.answeredAt !== null

/** True from the moment at which a person can have heard the call. */
export const rang = (call: Pick<Call, "rangAt">): boolean => call.rangAt !== null

/** What a report changed. */
export interface Advance {
  readonly call: Call
  readonly answered: boolean
  readonly detected: boolean
  readonly ended: boolean
}

const still = (call: Call): Advance => ({ call, answered: false, detected: false, ended: false })

/**
 * Applies one piece of news. An ended call never changes; a status never goes back; who answered is decided once.
 * The carrier's instants are kept, but none lies before the call's start or the step before it.
 */
export const advance = (call: Call, news: CallNews, reportedAt: Instant.Instant): Advance => {
  if (isEnded(call)) return still(call)
  const at = (reportedAt > call.startedAt ? reportedAt : call.startedAt) as Instant.Instant
  switch (news._tag) {
    case "Queued":
      return still(call)
    case "Dialing":
      return rank[call.status] < rank.dialing ? { ...still({ ...call, status: "dialing" }) } : still(call)
    case "Ringing":
      return rank[call.status] < rank.ringing
        ? still({ ...call, status: "ringing", rangAt: call.rangAt ?? at })
        : still(call)
    case "Answered":
      return answer(call, at)
    case "Detected":
      return detect(call, news.answeredBy, at)
    case "Ended":
      return end(call, news, at)
  }
}

const answer = (call: Call, at: Instant.Instant): Advance =>
  call.answeredAt === null
    ? {
        ...still({ ...call, status: "in_progress", rangAt: call.rangAt ?? at, answeredAt: later(at, call.rangAt) }),
        answered: true
      }
    : still(call)

const detect = (call: Call, answeredBy: AnsweredBy, at: Instant.Instant): Advance => {
  const first = answer(call, at)
  if (first.call.answeredBy !== null) return first
  // A leg may have lost before it was known that only a machine had answered: nobody was left with a dead line.
  const abandoned = first.call.abandoned && answeredBy !== "machine"
  return { ...first, call: { ...first.call, answeredBy, abandoned }, detected: true }
}

const end = (call: Call, news: Extract<CallNews, { _tag: "Ended" }>, at: Instant.Instant): Advance => {
  const { durationSeconds, failure, rang, status } = news
  const answered = call.answeredAt !== null || status === "completed"
  // The report of the answer may be lost or still under way; the carrier's own count of seconds shows when it was.
  const answeredAt = answered
    ? (call.answeredAt ?? later((at - (durationSeconds ?? 0) * 1000) as Instant.Instant, call.rangAt ?? call.startedAt))
    : null
  const endedAt = later(at, answeredAt ?? call.rangAt)
  // The report of the ringing may be lost as well; when it was is known no better than this.
  const rangAt = call.rangAt ?? answeredAt ?? (rang === true ? endedAt : null)
  const finalStatus: FinalStatus = answered ? "completed" : status
  return {
    call: {
      ...call,
      status: finalStatus,
      answeredAt,
      rangAt,
      endedAt,
      durationSeconds: answeredAt === null ? 0 : (durationSeconds ?? Math.round((endedAt - answeredAt) / 1000)),
      failure: finalStatus === "failed" ? (failure ?? "provider_error") : null,
      endReason: reasonOf(call, finalStatus, news.by),
      checkAt: null
    },
    answered: call.answeredAt === null && answered,
    detected: false,
    ended: true
  }
}

/** What our side wanted explains a cancelled or cut call; what the network did on its own explains itself. */
const reasonOf = (call: Call, status: FinalStatus, by: "remote" | "local" | null): EndReason => {
  switch (status) {
    case "completed":
      return by === "remote"
        ? "hangup_remote"
        : (call.stopReason ?? (call.messageAt !== null || by === "local" ? "hangup_local" : "hangup_remote"))
    case "canceled":
      return call.stopReason ?? "canceled"
    default:
      return status
  }
}

const later = (a: Instant.Instant, b: Instant.Instant | null): Instant.Instant => (b !== null && b > a ? b : a)

/** The process that marks a call to be ended asks the carrier at once; a worker does after this long if that process dies. */
export const attendedWithinMs = 5 * Instant.second

/** Marks a call as to be ended. The first reason stands; an ended call is left alone. */
export const stop = (call: Call, reason: StopReason, at: Instant.Instant): Call =>
  isEnded(call) || call.stopReason !== null
    ? call
    : { ...call, stopReason: reason, checkAt: Instant.plus(at, attendedWithinMs) }

/** Closes a call of which nothing more can be learnt. */
export const closeUnknown = (call: Call, at: Instant.Instant): Call => ({
  ...call,
  status: "failed",
  failure: null,
  endReason: "unknown",
  endedAt: at,
  durationSeconds: call.answeredAt === null ? 0 : Math.round((at - call.answeredAt) / 1000),
  checkAt: null
})

/** Closes a call that was never placed. */
export const closeUnplaced = (call: Call, reason: EndReason, at: Instant.Instant): Call => ({
  ...call,
  status: "canceled",
  endReason: reason,
  endedAt: at,
  durationSeconds: 0,
  checkAt: null
})
