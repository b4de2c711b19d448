/** Computes what becomes of a call in the simulated network from its facts alone. Pure. */
import { type AnsweredBy, type CallNews, type FinalStatus, Instant, PhoneNumber } from "@trunkline/core/provider"
import type { SimulatedCall } from "./SimulatedCalls.ts"

/** Something that happens to a call, and when. */
export interface NetworkEvent {
  readonly at: Instant.Instant
  readonly news: CallNews
}

type Ended = Extract<CallNews, { readonly _tag: "Ended" }>

/** How long each thing takes at speed 1. A phone rings from the moment at which its call is accepted. */
const lasts = {
  ringing: 2 * Instant.second,
  ringingOut: 30 * Instant.second,
  /** Until a call that never rings is reported as busy or as failed. */
  failing: Instant.second,
  detecting: Instant.second,
  talking: 20 * Instant.second,
  message: 5 * Instant.second,
  /** Until a callee whose line was lost hangs up, at any speed. */
  waiting: Instant.minute
}

type Callee = "person" | "nobody" | "busy" | "machine" | "invalid" | "broken"

/** Who is at a number: its last two digits decide. What cannot be dialed anywhere is an invalid number here too. */
const calleeOf = (to: string): Callee => {
  const digits = PhoneNumber.usable(to)?.digits
  if (digits === undefined) return "invalid"
  const ending = Number(digits.slice(-2))
  if (ending < 60) return "person"
  if (ending < 70) return "nobody"
  if (ending < 80) return "busy"
  if (ending < 90) return "machine"
  return ending < 95 ? "invalid" : "broken"
}

/**
 * Everything that will have happened to a call, in order, as far as its future is known now: it begins with `Dialing`,
 * each kind of news is in it at most once, and `Ended` is the last. `speed` divides all times.
 *
 * What happens at the very instant of a stop still happens, since it may have been reported before the stop was known.
 * Source: docs/reference/telephony.md#simulator.
 */
export const timeline = (call: SimulatedCall, speed: number): ReadonlyArray<NetworkEvent> =>
  untilStopped(withMessage(undisturbed(call, speed), call.messageAt, speed), call.stoppedAt)

/** What has happened last, or null where nothing has yet. */
export const stateAt = (call: SimulatedCall, speed: number, at: Instant.Instant): NetworkEvent | null =>
  timeline(call, speed).findLast((event) => event.at <= at) ?? null

const undisturbed = (call: SimulatedCall, speed: number): ReadonlyArray<NetworkEvent> => {
  const start = call.acceptedAt
  const dialing: NetworkEvent = { at: start, news: { _tag: "Dialing" } }
  const ringing: NetworkEvent = { at: start, news: { _tag: "Ringing" } }
  const failing = after(start, lasts.failing, speed)
  switch (calleeOf(call.to)) {
    case "person":
      return [dialing, ringing, ...conversation(call, "human", speed)]
    case "machine":
      return [dialing, ringing, ...conversation(call, "machine", speed)]
    case "nobody":
      return [dialing, ringing, unanswered(after(start, lasts.ringingOut, speed), "no_answer")]
    case "busy":
      return [dialing, unanswered(failing, "busy")]
    case "invalid":
      return [dialing, unanswered(failing, "failed", "invalid_number")]
    case "broken":
      return [dialing, unanswered(failing, "failed", "provider_error")]
  }
}

/** From the answer to the end, which is the callee's: a machine that nobody leaves anything on hangs up as people do. */
const conversation = (call: SimulatedCall, answeredBy: AnsweredBy, speed: number): ReadonlyArray<NetworkEvent> => {
  const at = after(call.acceptedAt, lasts.ringing, speed)
  const detected: NetworkEvent = { at: after(at, lasts.detecting, speed), news: { _tag: "Detected", answeredBy } }
  const end = hangUpOf(call, at, speed)
  return [
    { at, news: { _tag: "Answered" } },
    ...(call.detectMachine && detected.at <= end ? [detected] : []),
    completed(at, end, "remote")
  ]
}

/** When a callee who has answered hangs up. One who is spoken for on a socket does when that says so, or has been gone for long. */
const hangUpOf = (
  { heldUntil, hungUpAt }: SimulatedCall,
  answeredAt: Instant.Instant,
  speed: number
): Instant.Instant => {
  if (hungUpAt !== null) return Instant.later(answeredAt, hungUpAt)
  const own = after(answeredAt, lasts.talking, speed)
  return heldUntil === null ? own : Instant.later(own, Instant.plus(heldUntil, lasts.waiting))
}

/** What comes of a transfer: when the conversation with the person ends, or else the call comes back. Null: it cannot be dialed. */
export const transferOf = (
  to: string,
  speed: number
): { readonly isAnswered: boolean; readonly afterMs: number } | null => {
  switch (calleeOf(to)) {
    case "person":
    case "machine":
      return { isAnswered: true, afterMs: (lasts.ringing + lasts.talking) / speed }
    case "nobody":
      return { isAnswered: false, afterMs: lasts.ringingOut / speed }
    case "busy":
    case "broken":
      return { isAnswered: false, afterMs: lasts.failing / speed }
    case "invalid":
      return null
  }
}

/** A message is heard to its end, and then our side hangs up. It needs somebody who has answered and is still there. */
const withMessage = (
  events: ReadonlyArray<NetworkEvent>,
  messageAt: Instant.Instant | null,
  speed: number
): ReadonlyArray<NetworkEvent> => {
  const answeredAt = answerIn(events)
  if (messageAt === null || answeredAt === null || messageAt < answeredAt || messageAt >= endOf(events)) {
    return events
  }
  return [...events.slice(0, -1), completed(answeredAt, after(messageAt, lasts.message, speed), "local")]
}

/** Instants of several processes may disagree a little: nothing of a call lies before its acceptance. */
const untilStopped = (
  events: ReadonlyArray<NetworkEvent>,
  stoppedAt: Instant.Instant | null
): ReadonlyArray<NetworkEvent> => {
  if (stoppedAt === null) return events
  const end = Instant.later(stoppedAt, events[0]!.at)
  if (end >= endOf(events)) return events
  const before = events.filter(({ at }) => at <= end)
  const answeredAt = answerIn(before)
  if (answeredAt !== null) return [...before, completed(answeredAt, end, "local")]
  const rang = before.some(({ news }) => news._tag === "Ringing")
  return [...before, ended(end, { status: "canceled", failure: null, durationSeconds: 0, by: null, rang })]
}

const answerIn = (events: ReadonlyArray<NetworkEvent>): Instant.Instant | null =>
  events.find(({ news }) => news._tag === "Answered")?.at ?? null

const endOf = (events: ReadonlyArray<NetworkEvent>): Instant.Instant => events[events.length - 1]!.at

const after = (at: Instant.Instant, ms: number, speed: number): Instant.Instant =>
  Instant.plus(at, Math.round(ms / speed))

/** The seconds are those of the clock, at any speed. */
const completed = (answeredAt: Instant.Instant, at: Instant.Instant, by: "remote" | "local"): NetworkEvent =>
  ended(at, { status: "completed", failure: null, durationSeconds: Math.round((at - answeredAt) / 1000), by })

const unanswered = (
  at: Instant.Instant,
  status: Exclude<FinalStatus, "completed">,
  failure: Ended["failure"] = null
): NetworkEvent => ended(at, { status, failure, durationSeconds: 0, by: null })

const ended = (at: Instant.Instant, end: Omit<Ended, "_tag">): NetworkEvent => ({ at, news: { _tag: "Ended", ...end } })
