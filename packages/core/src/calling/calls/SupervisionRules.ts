/** Decides what an open call needs now, and when it is checked next. Pure. */
import { Instant } from "../../platform/kernel/index.ts"
import { attendedWithinMs, type Call, isEnded } from "./Call.ts"
import type { CallReport, CarrierTraits } from "./Carrier.ts"

export type SupervisionAction =
  /** It has to end: ask the carrier. */
  | { readonly _tag: "End" }
  /** Its calling window has closed before it was answered. */
  | { readonly _tag: "CloseWindow" }
  /** It was answered, and its media has not been connected to its agent. */
  | { readonly _tag: "NoMedia" }
  /** The minute that is paid for ends soon. */
  | { readonly _tag: "Extend" }
  /** It has reported nothing for too long, or it may not exist: ask the carrier for its record. */
  | { readonly _tag: "LookUp" }
  | { readonly _tag: "Nothing" }

/** How long an answered call waits for its media. */
const mediaMs = 15 * Instant.second

/** When an answered call has waited too long for its media; null for one that waits for none, or has reached a machine. */
const mediaDueAt = ({ answeredAt, answeredBy, awaitsAgent }: Call): Instant.Instant | null =>
  awaitsAgent && answeredAt !== null && answeredBy !== "machine" ? Instant.plus(answeredAt, mediaMs) : null

/** The next minute is reserved this long before the present one ends. */
const extendAheadMs = 5 * Instant.second

/** An answered call is looked up this long before its present minute ends: the answer comes before the next is reserved. */
const lookUpAheadMs = extendAheadMs + 10 * Instant.second

/** How long the carrier has to end a call before it is asked again; doubled each time, up to a minute. */
const endAgainMs = 5 * Instant.second

/** Two requests about one call are at most this far apart. */
const maxPauseMs = Instant.minute

/** An order that is unconfirmed for this long is looked up: longer than a request to any carrier may take. */
export const unconfirmedMs = 15 * Instant.second

/** A request that is made this much later than it was due, or that lasts this long, was delayed by our own outage. */
export const outageMs = Instant.minute

/**
 * How long a call stays open while the carrier answers no request. One that was answered goes on at the carrier, however
 * long that is not reachable. Source: docs/reference/telephony.md#reconcile.
 */
const maxSilenceMs = (call: Call, traits: CarrierTraits): number =>
  call.answeredAt === null ? traits.proof.overMs + 30 * Instant.second : 10 * Instant.minute

/** The most urgent thing that a call needs at an instant. */
export const nextAction = (call: Call, at: Instant.Instant): SupervisionAction => {
  if (isEnded(call)) return { _tag: "Nothing" }
  const isDue = call.lookUpAt <= at
  if (call.stopReason !== null) {
    // Without the carrier's own id it may not exist: look first, and end the call that is found.
    if (call.providerCallId === null) return { _tag: isDue ? "LookUp" : "Nothing" }
    return { _tag: isDue || call.endRequests === 0 ? "End" : "Nothing" }
  }
  if (call.answeredAt === null && call.windowClosesAt !== null && call.windowClosesAt <= at)
    return { _tag: "CloseWindow" }
  const mediaDue = mediaDueAt(call)
  if (mediaDue !== null && mediaDue <= at) return { _tag: "NoMedia" }
  // Before the next minute is reserved: the report of the end may have been lost.
  if (isDue) return { _tag: "LookUp" }
  return { _tag: needsMinute(call, at) ? "Extend" : "Nothing" }
}

/** True from the moment at which the next minute of an answered call is to be reserved. */
export const needsMinute = (call: Call, at: Instant.Instant): boolean =>
  call.paidUntil !== null && call.paidUntil - extendAheadMs <= at

/**
 * When a call of which something was just reported is looked up, unless it reports something before: an unanswered one after the
 * carrier's silence, an answered one before each further minute, whether or not that is paid for.
 */
export const nextLookUp = (
  call: Pick<Call, "answeredAt">,
  traits: Pick<CarrierTraits, "silenceMs">,
  at: Instant.Instant
): Instant.Instant => {
  if (call.answeredAt === null) return Instant.plus(at, traits.silenceMs)
  const first = call.answeredAt + Instant.minute - lookUpAheadMs
  const passed = at < first ? 0 : Math.floor((at - first) / Instant.minute) + 1
  return Instant.make(first + passed * Instant.minute)
}

/** A call that the carrier is being asked to end at `askedAt`, and is asked again to end should it go on. */
export const endRequested = (call: Call, askedAt: Instant.Instant): Call => ({
  ...afterOutage(call, askedAt),
  endRequests: call.endRequests + 1,
  lookUpAt: Instant.plus(askedAt, Math.min(endAgainMs * 2 ** call.endRequests, maxPauseMs))
})

/** When the call is due next, if nothing happens before. Never in the past. */
export const nextCheck = (call: Call, at: Instant.Instant): Instant.Instant | null => {
  if (isEnded(call)) return null
  const mediaDue = mediaDueAt(call)
  // A call that is to end needs neither its window nor another minute: both may have passed, and would be due for ever.
  const due =
    call.stopReason !== null
      ? [call.providerCallId !== null && call.endRequests === 0 ? Instant.plus(at, attendedWithinMs) : call.lookUpAt]
      : [
          call.lookUpAt,
          ...(call.answeredAt === null && call.windowClosesAt !== null ? [call.windowClosesAt] : []),
          ...(mediaDue === null ? [] : [mediaDue]),
          ...(call.paidUntil === null ? [] : [Instant.plus(call.paidUntil, -extendAheadMs)])
        ]
  return Instant.later(at, Instant.make(Math.min(...due)))
}

/** Which of the records that agree with a call in numbers and time is the call's. */
export type Match =
  | { readonly _tag: "Match"; readonly report: CallReport }
  | { readonly _tag: "NoMatch"; readonly found: "nothing" | "unclear" }

/** `free` are the records that no call has; a rival is another call that one of them may belong to. */
export const recognize = (free: ReadonlyArray<CallReport>, hasRival: boolean): Match => {
  const [report, ...others] = free
  if (report === undefined) return { _tag: "NoMatch", found: "nothing" }
  return hasRival || others.length > 0 ? { _tag: "NoMatch", found: "unclear" } : { _tag: "Match", report }
}

/** What a request about a call has brought other than the call's record. */
export type NoRecord =
  /** The carrier has answered, and has none. */
  | "nothing"
  /** The carrier has answered, and what it has may be this call or another. */
  | "unclear"
  /** The carrier has not answered. */
  | "silence"

/** The counters of a call of which the carrier has just reported something. */
export const uncounted = { lookUps: 0, firstLookUpAt: null, silentSince: null } satisfies Partial<Call>

/**
 * An outage of ours is no silence of the carrier, and what was answered before it proves nothing afterwards: an order of
 * ours may have been delayed just as long.
 */
const afterOutage = (call: Call, askedAt: Instant.Instant): Call =>
  askedAt - call.lookUpAt > outageMs ? { ...call, ...uncounted } : call

/** Counts a request that was made at `askedAt`, was over at `endedAt`, and brought no record. */
export const counted = (call: Call, found: NoRecord, askedAt: Instant.Instant, endedAt: Instant.Instant): Call => {
  const begun = afterOutage(call, askedAt)
  if (found !== "silence") {
    const firstLookUpAt = begun.firstLookUpAt ?? askedAt
    return { ...begun, lookUps: begun.lookUps + 1, firstLookUpAt, silentSince: null }
  }
  return endedAt - askedAt > outageMs
    ? { ...begun, ...uncounted }
    : { ...begun, silentSince: begun.silentSince ?? askedAt }
}

/** What the requests about a call come to that brought no record of it. */
export type Finding =
  | { readonly _tag: "Retry"; readonly at: Instant.Instant }
  /** There is provably no such call. */
  | { readonly _tag: "NoCall" }
  /** Nothing can be proven. */
  | { readonly _tag: "Unknown" }

/** Evaluates the latest request, which was made at `askedAt` and is counted in `call`. */
export const evaluate = (call: Call, found: NoRecord, traits: CarrierTraits, askedAt: Instant.Instant): Finding => {
  if (found === "silence") {
    const since = askedAt - (call.silentSince ?? askedAt)
    const left = maxSilenceMs(call, traits) - since
    if (left <= 0) return { _tag: "Unknown" }
    const pause = Math.min(Math.max(since, 10 * Instant.second), maxPauseMs)
    return { _tag: "Retry", at: Instant.plus(askedAt, Math.min(pause, left)) }
  }
  const { lookUps, overMs } = traits.proof
  const since = askedAt - (call.firstLookUpAt ?? askedAt)
  if (call.lookUps >= lookUps && since >= overMs) {
    return { _tag: found === "nothing" && call.providerCallId === null ? "NoCall" : "Unknown" }
  }
  const pause = Math.ceil(overMs / Math.max(1, lookUps - 1))
  return { _tag: "Retry", at: Instant.plus(askedAt, Math.max(pause, Instant.second)) }
}
