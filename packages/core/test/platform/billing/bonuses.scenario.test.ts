/** Credit that plans include, and what the host's loops do for billing: docs/reference/plans.md#bonus, docs/reference/metering.md#expiry. Verifies: BILL-8. */
import { Accounts, Credits, type Ids, Storage } from "@trunkline/core/effect"
import type { Payer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Workers } from "../../../src/host/Workers.ts"
import { operator } from "../../../src/platform/accounts/index.ts"
import { Bonuses, Metering } from "../../../src/platform/billing/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const credit = 1_000_000_000n

const create = (stage: Stage, plan: Payer["plan"]) =>
  stage.run(Accounts.use((accounts) => accounts.create({ name: "Example", plan, voiceCampaigns: false })))

const change = (stage: Stage, id: Ids.AccountId, to: Parameters<Accounts["Service"]["change"]>[1]) =>
  stage.run(Accounts.use((accounts) => accounts.change(id, to, operator)))

const tick = (stage: Stage) => stage.run(Bonuses.use((bonuses) => bonuses.tick))

/** Of any account: adding nothing returns the balance. */
const credits = (stage: Stage, id: Ids.AccountId) =>
  Effect.map(
    stage.run(Accounts.use((accounts) => accounts.addCredits(id, 0n, operator))),
    (balance) => balance / credit
  )

const december = Date.UTC(2026, 11, 1)

describe("a plan's bonus", () => {
  // Verifies: G-207, H-83.
  scenario("is booked when the plan is chosen, once a month however often it is chosen", function* (stage) {
    const { id } = (yield* create(stage, "free"))!
    expect(yield* credits(stage, id)).toBe(1000n)
    yield* change(stage, id, { plan: "starter" })
    expect(yield* credits(stage, id)).toBe(1500n)
    yield* change(stage, id, { plan: "free" })
    yield* change(stage, id, { plan: "starter" })
    yield* change(stage, id, { name: "Other" })
    yield* tick(stage)
    expect(yield* credits(stage, id)).toBe(1500n)
    yield* change(stage, id, { plan: "pro" })
    expect(yield* credits(stage, id)).toBe(6500n)
    yield* change(stage, id, { plan: "enterprise" })
    expect(yield* credits(stage, id)).toBe(6500n)
  })

  scenario("comes with an account that begins on the plan", function* (stage) {
    const { id } = (yield* create(stage, "pro"))!
    expect(yield* credits(stage, id)).toBe(6000n)
  })

  // Verifies: H-83.
  scenario("is booked for everybody when a month begins, and once", function* (stage) {
    const free = (yield* create(stage, "free"))!.id
    const paying: Array<Ids.AccountId> = []
    // More than one page of them.
    for (let i = 0; i < 120; i++) paying.push((yield* create(stage, "starter"))!.id)
    expect(yield* tick(stage)).toBe(0)
    yield* TestClock.setTime(december - 1)
    expect(yield* tick(stage)).toBe(0)
    yield* TestClock.setTime(december)
    expect(yield* tick(stage)).toBe(120)
    expect(yield* tick(stage)).toBe(0)
    yield* stage.restart
    expect(yield* tick(stage)).toBe(0)
    expect(yield* credits(stage, free)).toBe(1000n)
    for (const id of paying) expect(yield* credits(stage, id)).toBe(2000n)
  })

  scenario("waits for an account that is inactive until it is active again, within the month", function* (stage) {
    const { id } = (yield* create(stage, "starter"))!
    yield* change(stage, id, { status: "inactive" })
    yield* TestClock.setTime(december)
    yield* tick(stage)
    expect(yield* credits(stage, id)).toBe(1500n)
    yield* change(stage, id, { status: "active" })
    expect(yield* credits(stage, id)).toBe(2000n)
  })
})

describe("credit", () => {
  // Verifies: G-205.
  scenario("never expires: after ten years and all background work it can still be spent", function* (stage) {
    const free = (yield* create(stage, "free"))!.id
    const { id } = (yield* create(stage, "starter"))!
    yield* change(stage, id, { plan: "free" })
    yield* TestClock.setTime(Date.UTC(2036, 11, 15))
    yield* stage.run(Workers.use((workers) => workers.start))
    yield* stage.elapse(120_000, 5_000)
    expect([yield* credits(stage, free), yield* credits(stage, id)]).toEqual([1000n, 1500n])
    yield* stage.run(
      Metering.use((metering) =>
        metering.reserve({
          id: "018f0000-0000-7000-8000-000000000001" as Ids.UsageId,
          payer: { tenantId: id, plan: "free", monthlyBudget: null, key: null },
          service: "stt",
          maxCost: 1500n * credit
        })
      )
    )
  })
})

describe("the loops of a process", () => {
  scenario(
    "book bonuses within a minute of a month's beginning, and release what a process that died has reserved",
    function* (stage) {
      const { id } = (yield* create(stage, "starter"))!
      yield* TestClock.setTime(december - 20_000)
      const payer: Payer = { tenantId: id, plan: "starter", monthlyBudget: null, key: null }
      yield* stage.run(
        Metering.use((metering) =>
          metering.reserve({
            id: "018f0000-0000-7000-8000-000000000001" as Ids.UsageId,
            payer,
            service: "stt",
            maxCost: 1500n * credit
          })
        )
      )
      yield* stage.restart
      yield* stage.run(Workers.use((workers) => workers.start))
      yield* stage.elapse(140_000, 5_000)
      expect(yield* credits(stage, id)).toBe(2000n)
      const held = Credits.use((all) => Storage.use((storage) => storage.read(all.balance(id))))
      expect((yield* stage.run(held)).reserved).toBe(0n)
    }
  )
})
