/** Whether a person may be sent a campaign's message. It is asked when the message is committed. Pure. Source: docs/reference/template-campaigns.md#consent. */
import type { ValueAddress } from "../channels/index.ts"
import type { ContactReason } from "./SendResult.ts"

/** What is known of a person, and what the campaign asks for. */
export interface ConsentFacts {
  /** An entry of the opt-outs keeps messages of the template's category from the person. */
  readonly isOptedOut: boolean
  readonly isDoNotCall: boolean
  readonly isBlocked: boolean
  /** The person is the number that the campaign sends from. */
  readonly isOwnNumber: boolean
  /** The contact itself, or the address book, says that the person has agreed. */
  readonly hasOptedIn: boolean
  readonly requireOptIn: boolean
  readonly respectDoNotCall: boolean
  /** The first place of the template that needs a value and has none; null where all are filled. */
  readonly missing: ValueAddress | null
}

export interface Skip {
  readonly reason: ContactReason
  /** A sentence for people. */
  readonly message: string
}

type Rule = (facts: ConsentFacts) => Skip | null

const rule =
  (reason: ContactReason, message: string, holds: (facts: ConsentFacts) => boolean): Rule =>
  (facts) =>
    holds(facts) ? { reason, message } : null

/** In the order in which they are reported: the first that holds. */
const rules: ReadonlyArray<Rule> = [
  rule("opted_out", "The person has opted out of these messages.", ({ isOptedOut }) => isOptedOut),
  rule(
    "do_not_call",
    "The person is on the do-not-call list, which this campaign respects.",
    ({ isDoNotCall, respectDoNotCall }) => respectDoNotCall && isDoNotCall
  ),
  rule("blocked", "The person is blocked on this number.", ({ isBlocked }) => isBlocked),
  rule("own_number", "The number is the one that the campaign sends from.", ({ isOwnNumber }) => isOwnNumber),
  rule(
    "no_opt_in",
    "The person has not agreed to be messaged, which this campaign requires.",
    ({ hasOptedIn, requireOptIn }) => requireOptIn && !hasOptedIn
  ),
  ({ missing }) =>
    missing === null
      ? null
      : { reason: "missing_variable", message: `The template's place ${missing} has no value for this person.` }
]

/** Why a person is skipped; null where the message may go. */
export const skipReason = (facts: ConsentFacts): Skip | null => {
  for (const check of rules) {
    const skip = check(facts)
    if (skip !== null) return skip
  }
  return null
}
