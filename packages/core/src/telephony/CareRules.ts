/** Decides what an open call needs from us now, and when to look at it again. Pure. */
import { Instant } from "../kernel/index.ts"
import { type Call, isEnded } from "./Call.ts"
import type { CarrierTraits } from "./Carrier.ts"

export type Care =
  /** It has to end: ask the carrier. */
  | { readonly _tag: "End" }
  /** Its calling window has closed and nobody has answered. */
  | { readonly _tag: "CloseWindow" }
  /** The minute that is paid for runs out. */
  | { readonly _tag: "Extend" }
  /** Nobody has told of it for too long, or nobody knows whether it exists: ask the carrier for its record. */
  | { readonly _tag: "LookUp" }
  | { readonly _tag: "Nothing" }

/** The next minute is reserved so long before the present one ends. */
export const extendAheadMs = 5 * Instant.second

/** How long an end that was asked for may take before it is asked for again. */
export const endAgainMs = 5 * Instant.second

/** A call that tells nothing for so long after it was heard of is looked up; an answered one may be silent for longer. */
export const silenceOf = (call: Call, traits: CarrierTraits): number =>
  call.answeredAt === null ? traits.silenceMs : Math.max(traits.silenceMs, 10 * Instant.minute)

/** An order that nobody has confirmed for so long is looked up: longer than a request to any carrier may take. */
export const unconfirmedMs = 15 * Instant.second

/** How long after the first look-up a carrier that does not answer at all is given up on. Source: docs/telephony.md#reconcile. */
export const giveUpMs = (traits: CarrierTraits): number => traits.proof.overMs + 30 * Instant.second

/**
 * How long after the first look-up the last one may be. A carrier that answers now and then could otherwise draw its
 * proof out: with the time before the first look-up this makes three minutes at a real carrier.
 */
const lastLookUpMs = (traits: CarrierTraits): number => traits.proof.overMs + 45 * Instant.second

/** The most urgent thing that a call needs at an instant. */
export const careOf = (call: Call, at: Instant.Instant): Care => {
  if (isEnded(call)) return { _tag: "Nothing" }
  // Without the carrier's own id it may not exist: look first, end what is found.
  if (call.stopReason !== null) return call.providerCallId === null ? lookUpFrom(call, at) : { _tag: "End" }
  if (call.answeredAt === null && call.windowClosesAt !== null && call.windowClosesAt <= at)
    return { _tag: "CloseWindow" }
  if (call.paidUntil !== null && call.paidUntil - extendAheadMs <= at) return { _tag: "Extend" }
  return lookUpFrom(call, at)
}

const lookUpFrom = (call: Call, at: Instant.Instant): Care =>
  call.lookUpAt <= at ? { _tag: "LookUp" } : { _tag: "Nothing" }

/** When the call must be looked at next, if nothing happens before. Never in the past. */
export const nextCheck = (call: Call, at: Instant.Instant): Instant.Instant | null => {
  if (isEnded(call)) return null
  // A call that is to end needs neither its window nor another minute: both may have passed, and would be due for ever.
  const due =
    call.stopReason !== null
      ? [call.lookUpAt, Instant.plus(at, endAgainMs)]
      : [
          call.lookUpAt,
          ...(call.answeredAt === null && call.windowClosesAt !== null ? [call.windowClosesAt] : []),
          ...(call.paidUntil === null ? [] : [Instant.plus(call.paidUntil, -extendAheadMs)])
        ]
  return Instant.later(at, Instant.make(Math.min(...due)))
}

/** What a look-up that found nothing, or got no answer, proves. */
export type Finding =
  | { readonly _tag: "Again"; readonly at: Instant.Instant }
  /** There is provably no such call. */
  | { readonly _tag: "NoCall" }
  /** Nothing can be proven. */
  | { readonly _tag: "Unknown" }

/** Judges a look-up. `lookUps` and `firstLookUpAt` include this one. */
export const judge = (
  call: Call,
  found: "nothing" | "silence",
  traits: CarrierTraits,
  at: Instant.Instant
): Finding => {
  const since = at - (call.firstLookUpAt ?? at)
  const { lookUps, overMs } = traits.proof
  if (found === "nothing" && call.lookUps >= lookUps && since >= overMs) {
    return call.providerCallId === null ? { _tag: "NoCall" } : { _tag: "Unknown" }
  }
  const interval = found === "silence" ? 10 * Instant.second : Math.ceil(overMs / Math.max(1, lookUps - 1))
  const wait = Math.max(interval, Instant.second)
  return since >= giveUpMs(traits) || since + wait > lastLookUpMs(traits)
    ? { _tag: "Unknown" }
    : { _tag: "Again", at: Instant.plus(at, wait) }
}
