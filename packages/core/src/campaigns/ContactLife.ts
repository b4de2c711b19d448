/** Decides what becomes of a contact when an attempt to reach it has ended. */
import * as Schema from "effect/Schema"
import { Instant } from "../kernel/index.ts"
import { nextOpening, type Window } from "./CallingWindow.ts"

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
 * - `OutcomeUnknown` nobody can prove what happened
 * - `NeverPlaced`    provably no call, whatever was tried
 * - `Listed`         the number is on the do-not-call list: found before the call was placed, or added since
 * - `WindowClosed`   cancelled because the calling window closed
 * - `LostRace`       another leg of the burst won; an answer that came after the winner's is one that rang
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
        | "Canceled"
        | "OutcomeUnknown"
        | "NeverPlaced"
    }
  | { readonly _tag: "Listed" | "WindowClosed" | "LostRace"; readonly rang: boolean }

interface Rule {
  /** Whether the attempt is one of those that `maxAttempts` allows. */
  readonly counts: "always" | "if it rang" | "never"
  /** What follows while attempts are left; of one that did not count, `retry later` makes no wait either. */
  readonly next: "done" | "retry later" | "retry when open" | "give up"
  readonly lastError: LastError | null
}

/** Source: docs/campaigns.md#outcomes. */
const rules: Record<Outcome["_tag"], Rule> = {
  Answered: { counts: "always", next: "done", lastError: null },
  MachineMessageLeft: { counts: "always", next: "done", lastError: null },
  MachineHungUp: { counts: "always", next: "retry later", lastError: "machine" },
  Busy: { counts: "always", next: "retry later", lastError: "busy" },
  NoAnswer: { counts: "always", next: "retry later", lastError: "no_answer" },
  ProviderError: { counts: "always", next: "retry later", lastError: "provider_error" },
  InvalidNumber: { counts: "always", next: "give up", lastError: "invalid_number" },
  BlockedNumber: { counts: "always", next: "give up", lastError: "blocked_number" },
  // Choice: counted though it may not have rung. Uncounted it would be dialed again at once, against the will of
  // whoever cancelled it.
  Canceled: { counts: "always", next: "retry later", lastError: "canceled" },
  OutcomeUnknown: { counts: "always", next: "give up", lastError: "outcome_unknown" },
  NeverPlaced: { counts: "never", next: "retry when open", lastError: null },
  Listed: { counts: "if it rang", next: "give up", lastError: "do_not_call" },
  WindowClosed: { counts: "if it rang", next: "retry when open", lastError: "canceled" },
  LostRace: { counts: "if it rang", next: "retry later", lastError: "canceled" }
}

export interface EndedAttempt {
  readonly outcome: Outcome
  /** When it ended. */
  readonly at: Instant.Instant
  /** The contact as it was before this attempt. */
  readonly before: { readonly attempts: number; readonly lastError: LastError | null }
  /** The campaign's present limit and window: a retry is a further call, and judged by the present rails. */
  readonly maxAttempts: number
  readonly window: Window
}

/** The contact after an attempt. */
export interface ContactAfter {
  /** A contact that is tried again is pending in every mode; its approval, if any, covers the retry. */
  readonly status: "done" | "pending" | "failed"
  /** Attempts that count, this one included if it does. */
  readonly attempts: number
  readonly nextAttemptAt: Instant.Instant | null
  readonly lastError: LastError | null
}

/**
 * What becomes of a contact after an attempt. An attempt that does not count and is made good leaves no trace but
 * the instant of the next one. Attempts never exceed the limit: a contact without any left is failed, even where
 * the limit was lowered during the call. Source: docs/campaigns.md#contact-life.
 */
export const afterAttempt = ({ outcome, at, before, maxAttempts, window }: EndedAttempt): ContactAfter => {
  const rule = rules[outcome._tag]
  const counted = rule.counts === "always" || (rule.counts === "if it rang" && "rang" in outcome && outcome.rang)
  const attempts = before.attempts + (counted ? 1 : 0)
  if (rule.next === "done") return { status: "done", attempts, nextAttemptAt: null, lastError: null }

  const lastError = counted || rule.next === "give up" ? rule.lastError : before.lastError
  if (rule.next === "give up" || attempts >= maxAttempts) {
    return { status: "failed", attempts, nextAttemptAt: null, lastError }
  }
  const due = counted && rule.next === "retry later" ? Instant.plus(at, retryDelay(attempts)) : at
  return { status: "pending", attempts, nextAttemptAt: nextOpening(window, due), lastError }
}

/** Milliseconds from the end of the given attempt (1 is the first) to the next: 15 minutes, doubling, 4 hours at most. */
export const retryDelay = (attempt: number): number =>
  Math.min(15 * Instant.minute * 2 ** (attempt - 1), 4 * Instant.hour)
