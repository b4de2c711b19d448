/** The event that credit is low: docs/reference/credits.md#events. */
import { Credits, Instant, Storage } from "@trunkline/core/effect"
import { Outbox } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const credit = 1_000_000_000n

/** Spends as a call does: what it is to tell is written in its transaction. */
const spend = (stage: Stage, id: string, amount: bigint) =>
  stage.run(
    Effect.gen(function* () {
      const credits = yield* Credits
      const outbox = yield* Outbox
      const at = yield* Instant.now
      yield* (yield* Storage).transact(
        Effect.gen(function* () {
          yield* credits.reserve(
            { tenantId: stage.tenant, plan: "pro", monthlyBudget: null },
            { id, amount, since: at }
          )
          yield* outbox.append(
            (yield* credits.settle({ id, tenantId: stage.tenant, due: amount, kind: "call", at })).events
          )
        })
      )
    })
  )

const lows = (stage: Stage) =>
  Effect.map(stage.events, (events) =>
    events.filter(({ event }) => event === "credits.low").map(({ data }) => data.balance)
  )

describe("an account whose balance falls below 100 credits", () => {
  // Verifies: E-52, G-149, W-88.
  scenario("is reported once for each fall, and not while it stays below", function* (stage) {
    yield* stage.leaveCredit(102n * credit)
    yield* spend(stage, "a", 2n * credit)
    expect(yield* lows(stage)).toEqual([])
    yield* spend(stage, "b", credit / 2n)
    expect(yield* lows(stage)).toEqual([99.5])
    yield* spend(stage, "c", 10n * credit)
    expect(yield* lows(stage)).toEqual([99.5])
    yield* stage.leaveCredit(100n * credit)
    yield* spend(stage, "d", 1n)
    expect(yield* lows(stage)).toEqual([99.5, 99.999999999])
  })

  // Verifies: E-52, G-204, W-88.
  scenario("is reported by the call that lowered it", function* (stage) {
    yield* stage.leaveCredit(100n * credit)
    yield* stage.running({ maxAttempts: 1 }, ["+14155550101"])
    yield* stage.rest
    yield* stage.completeCall("+14155550101", 30)
    yield* stage.rest
    expect(yield* lows(stage)).toEqual([99])
  })
})
