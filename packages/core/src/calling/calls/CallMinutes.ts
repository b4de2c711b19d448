/** Reserves each further minute of an answered call before it begins, or stops the call. */
import * as Effect from "effect/Effect"
import { Accounts, spenderOf, spendingRefusal } from "../../platform/accounts/index.ts"
import { Credits } from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { type Call, isEnded, stop } from "./Call.ts"
import { coveredForGood, isHeld } from "./CallCredit.ts"
import { CallTransitions, type Step } from "./CallTransitions.ts"
import { needsMinute } from "./SupervisionRules.ts"
import { TelephonySettings } from "./TelephonySettings.ts"

/** Extends a call by a minute. */
export const callMinutes = Effect.gen(function* () {
  const accounts = yield* Accounts
  const credits = yield* Credits
  const transitions = yield* CallTransitions
  const { creditsPerMinute } = yield* TelephonySettings

  const extended = Effect.fnUntraced(function* (call: Call, paidUntil: Instant.Instant, at: Instant.Instant) {
    const account = yield* accounts.find(call.tenantId)
    const refusal = account === null ? "account_inactive" : spendingRefusal(account, at)
    if (account === null || refusal !== null) {
      return { call: stop(call, "credits", at), outOfCredit: refusal === "payment_method_required" } satisfies Step
    }
    // Its plan has changed since it began.
    if (!isHeld(account)) return { call: { ...call, paidUntil: coveredForGood } } satisfies Step
    const minute = { id: call.id, amount: creditsPerMinute, since: call.createdAt }
    if ((yield* credits.reserve(spenderOf(account), minute)) === null) {
      return { call: { ...call, paidUntil: Instant.plus(paidUntil, Instant.minute) } } satisfies Step
    }
    return { call: stop(call, "credits", at), outOfCredit: true } satisfies Step
  })

  return (call: Call) =>
    transitions.apply(call.id, (present, at) =>
      isEnded(present) || present.paidUntil === null || !needsMinute(present, at)
        ? Effect.succeed(null)
        : extended(present, present.paidUntil, at)
    )
})
