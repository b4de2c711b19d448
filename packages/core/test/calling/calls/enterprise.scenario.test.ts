/** Calls of a plan that deducts nothing, and of accounts that change their plan meanwhile: docs/reference/plans.md#calls. Verifies: TELE-5. */

import { Accounts, Instant, Storage } from "@trunkline/core/effect"
import { CreditStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { operator } from "../../../src/platform/accounts/index.ts"
import { type Stage, scenario } from "./Scenarios.ts"

const a = "+14155550101"
const credit = 1_000_000_000n

const choose = (stage: Stage, plan: "free" | "enterprise") =>
  stage.run(Accounts.use((accounts) => accounts.change(stage.tenant, { plan }, operator)))

/** The balance is what the ledger says, and so much of it has gone. */
const deducted = (stage: Stage, from: bigint) =>
  Effect.gen(function* () {
    const { balance, reserved } = yield* stage.credits
    const store = yield* CreditStore
    expect(reserved).toBe(0n)
    expect(yield* (yield* Storage).read(store.ledgerSum(stage.tenant))).toBe(balance)
    return from - balance
  }).pipe((look) => stage.look(look))

const lows = (stage: Stage) =>
  Effect.map(stage.events, (events) => events.filter(({ event }) => event === "credits.low").length)

describe("a call on enterprise", () => {
  // Verifies: G-208.
  scenario("is placed without credit, goes on without it, and shows what it would have cost", function* (stage) {
    yield* choose(stage, "enterprise")
    yield* stage.leaveCredit(0n)
    const { balance } = yield* stage.credits
    const id = yield* stage.running({}, [a])
    expect((yield* stage.live(id)).waitingFor).toBeNull()
    yield* stage.rest
    expect(yield* stage.credits).toMatchObject({ balance, reserved: 0n })
    yield* stage.completeCall(a, 185)
    expect(yield* stage.call(a)).toMatchObject({
      endReason: "hangup_remote",
      durationSeconds: 185,
      credits: 4n * credit
    })
    expect(yield* stage.campaign(id)).toMatchObject({ status: "completed", completedContacts: 1 })
    expect(yield* stage.credits).toMatchObject({ balance, reserved: 0n })
  })

  scenario("is accepted by the telephony API too, and costs nothing where nobody answers", function* (stage) {
    yield* choose(stage, "enterprise")
    yield* stage.leaveCredit(0n)
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.end(a, "no_answer")
    expect(yield* stage.call(a)).toMatchObject({ status: "no_answer", credits: 0n })
  })

  // Verifies: G-208.
  scenario("publishes no event of low credit", function* (stage) {
    yield* stage.leaveCredit(100n * credit)
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* choose(stage, "enterprise")
    yield* stage.end(a)
    // Its minute was reserved before, and has taken the balance below the threshold.
    expect(yield* stage.credits).toMatchObject({ balance: 99n * credit })
    expect(yield* lows(stage)).toBe(0)
  })

  // Verifies: G-208.
  scenario("deducts nothing when it ends on another plan, however long it goes on there", function* (stage) {
    yield* choose(stage, "enterprise")
    const { balance } = yield* stage.credits
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(30_000)
    yield* choose(stage, "free")
    yield* stage.leaveCredit(0n)
    yield* stage.wait(150_000)
    expect((yield* stage.credits).reserved).toBe(0n)
    yield* stage.leaveCredit(balance)
    yield* stage.end(a)
    expect(yield* stage.call(a)).toMatchObject({ endReason: "hangup_remote", credits: 3n * credit })
    expect(yield* stage.credits).toMatchObject({ balance, reserved: 0n })
  })
})

describe("a call that began before its account chose enterprise", () => {
  // Verifies: G-208.
  scenario("settles the minutes that were reserved by then, and no more", function* (stage) {
    const { balance } = yield* stage.credits
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(60_000)
    expect((yield* stage.credits).reserved).toBe(2n * credit)
    yield* choose(stage, "enterprise")
    yield* stage.wait(125_000)
    expect((yield* stage.credits).reserved).toBe(2n * credit)
    yield* stage.end(a)
    expect(yield* stage.call(a)).toMatchObject({ durationSeconds: 185, credits: 4n * credit })
    expect(yield* deducted(stage, balance)).toBe(2n * credit)
  })

  scenario("is not hung up for want of credit", function* (stage) {
    yield* stage.leaveCredit(credit)
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* choose(stage, "enterprise")
    yield* stage.completeCall(a, 100)
    expect(yield* stage.call(a)).toMatchObject({ endReason: "hangup_remote", credits: 2n * credit })
    expect(yield* stage.credits).toMatchObject({ balance: 0n, reserved: 0n })
  })

  scenario("settles what it reserved also when no look came between the change and its end", function* (stage) {
    const { balance } = yield* stage.credits
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* choose(stage, "enterprise")
    yield* TestClock.adjust(300_000)
    stage.network.end(stage.line(a), "completed", "remote", yield* Instant.now)
    yield* stage.deliver
    expect(yield* stage.call(a)).toMatchObject({ durationSeconds: 300, credits: 5n * credit })
    expect(yield* deducted(stage, balance)).toBe(credit)
  })

  scenario("settles no more either when the plan has changed back before its end", function* (stage) {
    const { balance } = yield* stage.credits
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* choose(stage, "enterprise")
    yield* stage.wait(60_000)
    yield* choose(stage, "free")
    yield* stage.wait(90_000)
    yield* stage.end(a)
    expect(yield* stage.call(a)).toMatchObject({ durationSeconds: 150, credits: 3n * credit })
    expect(yield* deducted(stage, balance)).toBe(credit)
  })

  scenario("releases what it reserved when nobody answers", function* (stage) {
    const { balance } = yield* stage.credits
    yield* stage.dial(a)
    yield* stage.rest
    yield* choose(stage, "enterprise")
    yield* stage.end(a, "no_answer")
    expect(yield* deducted(stage, balance)).toBe(0n)
  })
})

describe("a campaign that stopped for want of credit", () => {
  scenario("goes on without any on enterprise, when a person says so", function* (stage) {
    yield* stage.leaveCredit(0n)
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    yield* choose(stage, "enterprise")
    yield* stage.move(id, "running")
    yield* stage.rest
    yield* stage.completeCall(a, 10)
    expect(yield* stage.campaign(id)).toMatchObject({ status: "completed" })
    expect(yield* stage.credits).toMatchObject({ balance: 0n, reserved: 0n })
  })
})
