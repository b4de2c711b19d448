/** Decides the next status of a contact when an attempt to reach it has ended. */
import * as Schema from "effect/Schema"
import { type HourWindow, Instant, nextOpening } from "../../platform/kernel/index.ts"

/**
 * - `pending`  waits: for its turn, for its next attempt or, in preview mode, for approval
 * - `approved` a person has approved it; it waits for its turn
 * - `calling`  an attempt is under way
 * - `done`     answered, or a message was left
 * - `failed`   will not be dialed again
 */
export const ContactStatus = Schema.Literals(["pending", "approved", "calling", "done", "failed"])
export type ContactStatus = typeof ContactStatus.Type

/** Why the last attempt did not complete. */
export const LastError = Schema.Literals([
  "busy",
  "no_answer",
  "machine",
  "invalid_number",
  "blocked_number",
  "do_not_call",
  "provider_error",
  "outcome_unknown",
  "canceled"
])
export type LastError = typeof LastError.Type

/**
 * How an attempt ended.
 *
 * - `Answered`       by a human, or by a machine that was not looked for
 * - `ProviderError`  not connected, for a reason that a later attempt may not meet
 * - `Canceled`       before it was answered, by a person or by the carrier, for no reason that has its own name here
 * - `OutcomeUnknown` there is no proof of what happened
 * - `NeverPlaced`    provably no call, whatever was tried
 * - `UnusableNumber` the text is no number that can be dialed by present rules, so that no carrier was asked
 * - `Suppressed`         the number is on the do-not-call list: found before the call was placed, or added since
 * - `WindowClosed`   cancelled because the calling window closed
 * - `LostRace`       another leg of the parallel dial won; an answer that came after the winner's is one that rang
 *
 * `rang` is true of a call that reached the callee's phone, answered or not.
 */
export type Outcome =
  | {
      readonly _tag:
        | "Answered"
        | "MachineMessageLeft"
        | "MachineHungUp"
        | "Busy"
        | "NoAnswer"
        | "ProviderError"
        | "InvalidNumber"
        | "BlockedNumber"
        | "OutcomeUnknown"
        | "NeverPlaced"
        | "UnusableNumber"
    }
  | { readonly _tag: "Suppressed" | "WindowClosed" | "LostRace" | "Canceled"; readonly rang: boolean }

interface Rule {
  /** Whether the attempt is one of those that `maxAttempts` allows. */
  readonly counts: boolean
  /** What follows while attempts are left. `at once` is the present moment, or the next opening of the window. */
  readonly next: "done" | "after a wait" | "at once" | "never again"
  readonly lastError: LastError | null | "unchanged"
}

/** Source: docs/reference/campaigns.md#retry. */
const rules: Record<Outcome["_tag"], Rule> = {
  Answered: { counts: true, next: "done", lastError: null },
  MachineMessageLeft: { counts: true, next: "done", lastError: null },
  MachineHungUp: { counts: true, next: "after a wait", lastError: "machine" },
  Busy: { counts: true, next: "after a wait", lastError: "busy" },
  NoAnswer: { counts: true, next: "after a wait", lastError: "no_answer" },
  ProviderError: { counts: true, next: "after a wait", lastError: "provider_error" },
  InvalidNumber: { counts: true, next: "never again", lastError: "invalid_number" },
  BlockedNumber: { counts: true, next: "never again", lastError: "blocked_number" },
  OutcomeUnknown: { counts: true, next: "never again", lastError: "outcome_unknown" },
  NeverPlaced: { counts: false, next: "at once", lastError: "unchanged" },
  UnusableNumber: { counts: false, next: "never again", lastError: "invalid_number" },
  Suppressed: { counts: true, next: "never again", lastError: "do_not_call" },
  WindowClosed: { counts: true, next: "at once", lastError: "canceled" },
  LostRace: { counts: true, next: "after a wait", lastError: "canceled" },
  Canceled: { counts: true, next: "after a wait", lastError: "canceled" }
}

/** The same for calls that were stopped before they rang. */
const unrung: Record<Extract<Outcome, { readonly rang: boolean }>["_tag"], Rule> = {
  Suppressed: { ...rules.Suppressed, counts: false },
  WindowClosed: { ...rules.WindowClosed, counts: false },
  LostRace: { ...rules.LostRace, counts: false, next: "at once" },
  // Waits all the same: dialed again at once, it would come back to the person who has just cancelled it.
  Canceled: { ...rules.Canceled, counts: false }
}

export interface EndedAttempt {
  readonly outcome: Outcome
  /** When it ended. */
  readonly at: Instant.Instant
  /** The contact as it was before this attempt. */
  readonly before: { readonly attempts: number; readonly lastError: LastError | null }
  /** The campaign's present limit and window: a retry is a further call, and starts under the present dialing settings. */
  readonly maxAttempts: number
  readonly window: HourWindow
}

/** The contact after an attempt. */
export interface ContactAfter {
  /** A contact that is retried is pending in every mode; its approval, if any, covers the retry. */
  readonly status: "done" | "pending" | "failed"
  /** Attempts that count, this one included if it does. */
  readonly attempts: number
  readonly nextAttemptAt: Instant.Instant | null
  readonly lastError: LastError | null
}

/**
 * The next status of a contact after an attempt. Some attempts do not count. A contact that has used
 * up its attempts is not retried, also where the limit was lowered during the call.
 * Source: docs/reference/campaigns.md#contact-life.
 */
export const afterAttempt = ({ outcome, at, before, maxAttempts, window }: EndedAttempt): ContactAfter => {
  const rule = "rang" in outcome && !outcome.rang ? unrung[outcome._tag] : rules[outcome._tag]
  const attempts = before.attempts + (rule.counts ? 1 : 0)
  const lastError = rule.lastError === "unchanged" ? before.lastError : rule.lastError

  if (rule.next === "done") return { status: "done", attempts, nextAttemptAt: null, lastError }
  if (rule.next === "never again" || attempts >= maxAttempts) {
    return { status: "failed", attempts, nextAttemptAt: null, lastError }
  }
  const due = rule.next === "after a wait" ? Instant.plus(at, retryDelay(before.attempts + 1)) : at
  return { status: "pending", attempts, nextAttemptAt: nextOpening(window, due), lastError }
}

/** Milliseconds from the end of the n-th attempt to the next one: 15 minutes, doubled each time, 4 hours at most. */
export const retryDelay = (n: number): number => Math.min(15 * Instant.minute * 2 ** (n - 1), 4 * Instant.hour)
