/** Twilio's own record of a call: what it says of the call's state, and how a call is recognised whose name is not known. */
import {
  type AnsweredBy,
  type CallNews,
  type CallRef,
  type CallReport,
  type FinalStatus,
  foreignJson,
  Instant,
  PhoneNumber
} from "@trunkline/core/provider"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { failureOf } from "./TwilioErrors.ts"
import { callbackPath } from "./TwilioRequests.ts"

const text = Schema.optional(Schema.NullOr(Schema.String))

const Record = Schema.Struct({
  sid: Schema.NonEmptyString,
  status: text,
  to: text,
  from: text,
  direction: text,
  duration: Schema.optional(Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))),
  answered_by: text,
  date_created: text,
  date_updated: text,
  start_time: text,
  end_time: text
})

export type TwilioRecord = typeof Record.Type

const Page = Schema.Struct({ calls: Schema.Array(Record), next_page_uri: text })

export type TwilioPage = typeof Page.Type

const decodeRecord = Schema.decodeUnknownResult(Record)
const decodePage = Schema.decodeUnknownResult(Page)

/** One record from an answer's body, or undefined where it is none. */
export const readRecord = (body: string): TwilioRecord | undefined =>
  Result.getOrUndefined(decodeRecord(foreignJson(body)))

/** One page of a list from an answer's body, or undefined where it is none. */
export const readPage = (body: string): TwilioPage | undefined => Result.getOrUndefined(decodePage(foreignJson(body)))

const finals: Readonly<Record<string, FinalStatus>> = {
  completed: "completed",
  busy: "busy",
  "no-answer": "no_answer",
  failed: "failed",
  canceled: "canceled"
}

/** What the provider adds where it knows more than the status. */
export interface Particulars {
  readonly duration: string | null | undefined
  readonly code: string | null | undefined
  readonly sip: string | null | undefined
}

/** What a status says happened, or undefined for a word that is not one of the provider's. */
export const newsOf = (status: string, { code, duration, sip }: Particulars): CallNews | undefined => {
  if (status === "queued") return { _tag: "Queued" }
  if (status === "initiated") return { _tag: "Dialing" }
  if (status === "ringing") return { _tag: "Ringing" }
  if (status === "in-progress" || status === "answered") return { _tag: "Answered" }
  const final = Object.hasOwn(finals, status) ? finals[status] : undefined
  if (final === undefined) return undefined
  return {
    _tag: "Ended",
    status: final,
    failure: final === "failed" ? failureOf(whole(code), whole(sip)) : null,
    durationSeconds: final === "completed" ? whole(duration) : null,
    // Neither the record nor the callbacks tell who hung up.
    by: null
  }
}

const whole = (text: string | null | undefined): number | null =>
  text !== null && text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null

/** Who answered. A fax is no person either, so it is a machine. */
export const answeredBy = (word: string): AnsweredBy | undefined => {
  if (word === "human" || word === "unknown") return word
  return word === "fax" || word.startsWith("machine_") || word === "machine" ? "machine" : undefined
}

/** True of a record whose call has ended. */
export const isOver = (record: TwilioRecord): boolean => Object.hasOwn(finals, record.status ?? "")

/**
 * One report of the state in a record, or undefined where it has none. Of an answered call whose detection
 * is through, that: it says that the call was answered, too, and its own callback may be the one that was lost.
 */
export const reportOf = (ref: CallRef, record: TwilioRecord, now: Instant.Instant): CallReport | undefined => {
  const news = newsOf(record.status ?? "", { duration: record.duration?.toString(), code: null, sip: null })
  if (news === undefined) return undefined
  const by = news._tag === "Answered" ? answeredBy(record.answered_by ?? "") : undefined
  return {
    callId: ref.callId,
    providerCallId: record.sid,
    at: instantOf((news._tag === "Ended" ? record.end_time : null) ?? record.date_updated) ?? now,
    news: by === undefined ? news : { _tag: "Detected", answeredBy: by }
  }
}

/** The provider writes its times as RFC 2822 does, in UTC. */
export const instantOf = (time: string | null | undefined): Instant.Instant | undefined => {
  const at = Date.parse(time ?? "")
  return Number.isNaN(at) ? undefined : Instant.make(at)
}

/** The addresses of our callbacks, wherever they stand in a text. */
const callbackIds = new RegExp(`${callbackPath}\\?call_id=([0-9a-f-]{36})`, "gi")

/** Our ids of calls in the addresses of callbacks that a JSON text names. */
export const callIdsIn = (body: string): ReadonlyArray<string> =>
  [...body.replaceAll("\\/", "/").matchAll(callbackIds)].map(([, id]) => id!.toLowerCase())

/** How far a call's creation may lie from the moment at which we asked for it. Twice that is less than any pause between attempts. */
export const recognitionMs = 5 * Instant.minute

/** Whether two numbers end in the same digits, by as few as the do-not-call list knows a number. */
const isTo = (written: string, to: string): boolean => {
  const [one, other] = [PhoneNumber.usable(written), PhoneNumber.usable(to)]
  return one !== undefined && other !== undefined && PhoneNumber.lockKey(one.key) === PhoneNumber.lockKey(other.key)
}

/**
 * The records that may be the call to `to` that was asked for at `askedAt`. A record has no id of ours, so a call whose
 * sid never reached us is recognized by its numbers (the list was asked for them) and by having been created close to that
 * moment. Both are compared generously, because missing the call would be the worse mistake: it would be placed again.
 * Source: docs/reference/telephony.md#recognition.
 */
export const candidates = (
  records: ReadonlyArray<TwilioRecord>,
  to: string,
  askedAt: Instant.Instant
): ReadonlyArray<TwilioRecord> =>
  records.filter((record) => {
    const at = instantOf(record.date_created) ?? instantOf(record.start_time)
    return (
      (record.direction ?? "outbound-api") === "outbound-api" &&
      isTo(record.to ?? to, to) &&
      (at === undefined || Math.abs(at - askedAt) <= recognitionMs)
    )
  })
