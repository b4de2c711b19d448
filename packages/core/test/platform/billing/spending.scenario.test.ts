/** One rule for whatever costs credits, at work on calls and voice sessions: docs/reference/credits.md#rule. Verifies: BILL-9. */

import { Accounts, Ids, read } from "@trunkline/core/effect"
import { BudgetStore } from "@trunkline/core/storage"
import type { AccountChange } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { operator } from "../../../src/platform/accounts/index.ts"
import { Metering } from "../../../src/platform/billing/index.ts"
import { instant, type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]
const credit = 1_000_000_000n

const change = (stage: Stage, fields: AccountChange) =>
  stage.run(Accounts.use((accounts) => accounts.change(stage.tenant, fields, operator)))

/** What was spent of the month's budget, and what calls under way have reserved of it. */
const spend = (stage: Stage, month = "2026-11") =>
  stage.look(BudgetStore.use((budgets) => read(budgets.spending({ ownerId: stage.tenant, period: month }))))

const refusalOf = (stage: Stage) => Effect.flip(stage.dial(a))

const waiting = (stage: Stage, id: Ids.CampaignId) =>
  Effect.map(stage.live(id), ({ waitingFor }) => waitingFor?.reason ?? null)

describe("a call of the telephony API", () => {
  // Verifies: D-260.
  scenario("needs a payment method once the grace period is over", function* (stage) {
    const deadline = instant("2026-11-21T07:00:00Z")
    yield* change(stage, { paymentMethod: "grace", paymentDeadline: deadline })
    yield* stage.dial(b)
    yield* TestClock.setTime(deadline)
    expect(yield* refusalOf(stage)).toMatchObject({ _tag: "PaymentMethodRequired" })
    yield* change(stage, { paymentMethod: "missing" })
    expect(yield* refusalOf(stage)).toMatchObject({ _tag: "PaymentMethodRequired" })
    expect(yield* stage.calls()).toHaveLength(1)
    yield* change(stage, { paymentMethod: "verified" })
    yield* stage.dial(a)
  })

  // Verifies: D-260.
  scenario("fits into the account's budget of the month, or is refused until the next one", function* (stage) {
    yield* change(stage, { monthlyBudget: 2n * credit })
    yield* stage.dial(b)
    expect(yield* spend(stage)).toEqual({ spent: 0n, pending: credit })
    yield* change(stage, { monthlyBudget: 2n * credit - 1n })
    expect(yield* refusalOf(stage)).toMatchObject({
      _tag: "MonthlyBudgetExceeded",
      retryAfterSeconds: (Date.UTC(2026, 11) - Date.UTC(2026, 10, 21, 6, 30)) / 1000
    })
    expect(yield* stage.credits).toMatchObject({ reserved: credit })
    yield* stage.rest
    yield* stage.end(b, "no_answer")
    expect(yield* spend(stage)).toEqual({ spent: 0n, pending: 0n })
    yield* stage.dial(a)
  })

  scenario("that lacks credit reserves nothing of the budget", function* (stage) {
    yield* stage.leaveCredit(credit - 1n)
    yield* change(stage, { monthlyBudget: 5n * credit })
    expect(yield* refusalOf(stage)).toMatchObject({ _tag: "OutOfCredits" })
    expect(yield* spend(stage)).toEqual({ spent: 0n, pending: 0n })
  })
})

describe("what calls cost", () => {
  // Verifies: D-262.
  scenario("counts in the budget of the month in which they began, beside what models cost", function* (stage) {
    yield* TestClock.setTime(Date.UTC(2026, 10, 30, 23, 59, 30))
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.completeCall(a, 61)
    expect(yield* stage.call(a)).toMatchObject({ credits: 2n * credit })
    expect(yield* spend(stage)).toEqual({ spent: 2n * credit, pending: 0n })
    expect(yield* spend(stage, "2026-12")).toEqual({ spent: 0n, pending: 0n })
  })

  // Verifies: D-262.
  scenario("reduces what models may spend of the budget", function* (stage) {
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.completeCall(a, 61)
    yield* change(stage, { monthlyBudget: 3n * credit })
    const payer = { tenantId: stage.tenant, plan: "free", monthlyBudget: 3n * credit, key: null } as const
    const reserve = (atMost: bigint) =>
      stage.run(
        Metering.use((metering) =>
          Effect.flatMap(Ids.fresh<"Usage">(), (id) => metering.reserve({ id, payer, service: "llm", maxCost: atMost }))
        )
      )
    expect(yield* Effect.flip(reserve(credit + 1n))).toMatchObject({ _tag: "QuotaExceeded", reason: "monthly_budget" })
    yield* reserve(credit)
    expect(yield* refusalOf(stage)).toMatchObject({ _tag: "MonthlyBudgetExceeded" })
  })
})

describe("a minute of a call", () => {
  // Verifies: D-260.
  scenario("is not begun when the budget has no room for it: the call is hung up", function* (stage) {
    yield* change(stage, { monthlyBudget: 2n * credit })
    const id = yield* stage.running({}, [a, b])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(130_000)
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", endReason: "credits", credits: 2n * credit })
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    expect(yield* spend(stage)).toEqual({ spent: 2n * credit, pending: 0n })
    expect(yield* waiting(stage, id)).toBe("credits")
  })

  // Verifies: D-260.
  scenario("is not begun after the grace period of the payment method", function* (stage) {
    yield* change(stage, { paymentMethod: "grace", paymentDeadline: instant("2026-11-21T06:30:30Z") })
    const id = yield* stage.running({}, [a, b])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(130_000)
    expect(yield* stage.call(a)).toMatchObject({ endReason: "credits", credits: credit })
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    expect(yield* waiting(stage, id)).toBe("account")
  })

  // Verifies: D-262.
  scenario("is reserved of a budget where the plan deducts nothing, and nothing is deducted", function* (stage) {
    yield* change(stage, { plan: "enterprise", monthlyBudget: 2n * credit })
    yield* stage.leaveCredit(0n)
    const { balance } = yield* stage.credits
    yield* stage.dial(a)
    expect(yield* spend(stage)).toEqual({ spent: 0n, pending: credit })
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(130_000)
    expect(yield* stage.call(a)).toMatchObject({ endReason: "credits", credits: 2n * credit })
    expect(yield* spend(stage)).toEqual({ spent: 2n * credit, pending: 0n })
    expect(yield* stage.credits).toMatchObject({ balance, reserved: 0n })
    expect(yield* refusalOf(stage)).toMatchObject({ _tag: "MonthlyBudgetExceeded" })
  })

  scenario("counts on a plan without deductions also while there is no budget", function* (stage) {
    yield* change(stage, { plan: "enterprise" })
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.completeCall(a, 185)
    expect(yield* spend(stage)).toEqual({ spent: 4n * credit, pending: 0n })
  })

  scenario("of a call that began on enterprise is never deducted, with a budget too", function* (stage) {
    yield* change(stage, { plan: "enterprise", monthlyBudget: 100n * credit })
    const { balance } = yield* stage.credits
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(10_000)
    yield* change(stage, { plan: "pro" })
    const { balance: withBonus } = yield* stage.credits
    yield* stage.wait(120_000)
    yield* stage.end(a)
    expect(withBonus).toBeGreaterThanOrEqual(balance)
    expect(yield* stage.credits).toMatchObject({ balance: withBonus, reserved: 0n })
    expect(yield* spend(stage)).toEqual({ spent: 3n * credit, pending: 0n })
  })
})

describe("a campaign that may not spend", () => {
  // Verifies: D-263.
  scenario("for want of a payment method stops, says so, and goes on when a person says so", function* (stage) {
    yield* change(stage, { paymentMethod: "missing" })
    const id = yield* stage.running({}, [a])
    expect(yield* waiting(stage, id)).toBe("account")
    yield* stage.rest
    expect(stage.dialed).toEqual([])
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 0, lastError: null })
    expect(yield* waiting(stage, id)).toBe("account")
    yield* change(stage, { paymentMethod: "verified" })
    expect(yield* waiting(stage, id)).toBe("not_running")
    yield* stage.move(id, "running")
    yield* stage.rest
    expect(stage.dialed).toEqual([a])
  })

  // Verifies: D-263.
  scenario("because the month's budget is used up stops, and says that credit is what it lacks", function* (stage) {
    yield* change(stage, { monthlyBudget: credit - 1n })
    const id = yield* stage.running({}, [a])
    expect(yield* waiting(stage, id)).toBe("credits")
    yield* stage.rest
    expect(stage.dialed).toEqual([])
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    expect(yield* waiting(stage, id)).toBe("credits")
    yield* change(stage, { monthlyBudget: null })
    expect(yield* waiting(stage, id)).toBe("not_running")
  })

  // Verifies: D-263.
  scenario("for want of credit says so too", function* (stage) {
    yield* stage.leaveCredit(0n)
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    expect(yield* waiting(stage, id)).toBe("credits")
  })
})
