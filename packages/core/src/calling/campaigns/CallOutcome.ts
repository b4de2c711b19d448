/** Reads the end of a call as the outcome of an attempt at a contact. Pure. */
import { type Call, CallLife, type EndReason } from "../calls/index.ts"
import type { Outcome } from "./ContactLifecycle.ts"

/** What an ended call of a campaign comes to for its contact. Source: docs/reference/campaigns.md#contact-life. */
export const outcomeOf = (call: Call): Outcome => {
  switch (call.status) {
    case "completed":
      return answered(call)
    case "busy":
      return { _tag: "Busy" }
    case "no_answer":
      return { _tag: "NoAnswer" }
    case "canceled":
      return cancelled(call.endReason, CallLife.rang(call))
    default:
      return failed(call)
  }
}

/** What a call that was provably never placed comes to: what our side wanted of it counts, not why the carrier refused it. */
export const unplacedOutcome = ({ stopReason }: Call): Outcome =>
  stopReason === null ? { _tag: "NeverPlaced" } : cancelled(stopReason, false)

const answered = (call: Call): Outcome => {
  if (call.detectMachine && call.answeredBy === "machine") {
    // A message that was cut, because another leg won or the callee hung up, was not left.
    const cut = call.stopReason !== null && call.stopReason !== "credits"
    return { _tag: call.messageAt === null || cut ? "MachineHungUp" : "MachineMessageLeft" }
  }
  // Of the legs of a parallel dial, only the winner counts as answered: the answers of the others were abandoned.
  return call.burstId !== null && !call.isWinner ? { _tag: "LostRace", rang: true } : { _tag: "Answered" }
}

const cancelled = (reason: EndReason | null, rang: boolean): Outcome => {
  switch (reason) {
    case "do_not_call":
      return { _tag: "Suppressed", rang }
    case "window_closed":
      return { _tag: "WindowClosed", rang }
    case "lost_race":
      return { _tag: "LostRace", rang }
    default:
      return { _tag: "Canceled", rang }
  }
}

const failed = ({ failure }: Call): Outcome => {
  switch (failure) {
    case "invalid_number":
      return { _tag: "InvalidNumber" }
    case "blocked_number":
      return { _tag: "BlockedNumber" }
    case "provider_error":
      return { _tag: "ProviderError" }
    case null:
      return { _tag: "OutcomeUnknown" }
  }
}
