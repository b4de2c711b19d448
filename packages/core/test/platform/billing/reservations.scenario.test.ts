/** Holds, one by one: docs/reference/credits.md#holds. */
import { Credits, Instant, Storage } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { Spender } from "../../../src/platform/billing/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const reserve = (stage: Stage, id: string, amount: bigint, over: Partial<Spender> = {}) =>
  stage.run(
    Effect.gen(function* () {
      const credits = yield* Credits
      const spender = { tenantId: stage.tenant, plan: "pro", monthlyBudget: null, ...over } as const
      return yield* (yield* Storage).transact(credits.reserve(spender, { id, amount, since: yield* Instant.now }))
    })
  )

const settle = (stage: Stage, id: string, due: bigint) =>
  stage.run(
    Effect.gen(function* () {
      const credits = yield* Credits
      const now = yield* Instant.now
      return (yield* (yield* Storage).transact(
        credits.settle({ id, tenantId: stage.tenant, due, kind: "call", at: now })
      )).charged
    })
  )

describe("a reservation", () => {
  scenario("reserves what is free, all or nothing, and grows by what is added", function* (stage) {
    yield* stage.leaveCredit(10n)
    expect(yield* reserve(stage, "one", 6n)).toBeNull()
    expect(yield* reserve(stage, "two", 5n)).toBe("credits")
    expect(yield* reserve(stage, "one", 4n)).toBeNull()
    expect(yield* reserve(stage, "one", 1n)).toBe("credits")
    expect(yield* stage.credits).toMatchObject({ balance: 10n, reserved: 10n })
  })

  scenario(
    "is settled once: what is due is charged, the rest is free again, and a second time nothing happens",
    function* (stage) {
      yield* stage.leaveCredit(10n)
      yield* reserve(stage, "one", 6n)
      expect(yield* settle(stage, "one", 4n)).toBe(4n)
      expect(yield* stage.credits).toMatchObject({ balance: 6n, reserved: 0n })
      expect(yield* settle(stage, "one", 4n)).toBe(0n)
      expect(yield* settle(stage, "never held", 4n)).toBe(0n)
      expect(yield* stage.credits).toMatchObject({ balance: 6n, reserved: 0n })
    }
  )

  scenario("that is too small is settled with the rest from free credit, and no more than that", function* (stage) {
    yield* stage.leaveCredit(10n)
    yield* reserve(stage, "one", 3n)
    yield* reserve(stage, "other", 5n)
    expect(yield* settle(stage, "one", 9n)).toBe(5n)
    expect(yield* stage.credits).toMatchObject({ balance: 5n, reserved: 5n })
  })

  scenario("whose call cost nothing is released as a whole", function* (stage) {
    yield* stage.leaveCredit(10n)
    yield* reserve(stage, "one", 7n)
    expect(yield* settle(stage, "one", 0n)).toBe(0n)
    expect(yield* stage.credits).toMatchObject({ balance: 10n, reserved: 0n })
  })
})
