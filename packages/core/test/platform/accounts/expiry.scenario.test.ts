/** Keys that expire: docs/reference/access.md#expiry. */

import { Accounts, Instant } from "@trunkline/core/effect"
import { ApiKeys, Scopes } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { makeKeyExpiry, operator } from "../../../src/platform/accounts/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const make = (stage: Stage, expiresAt: Instant.Instant | null) =>
  stage.run(
    Accounts.use((accounts) =>
      accounts.createKey(
        {
          tenantId: stage.tenant,
          name: "robot",
          scopes: ["*"],
          permissions: Scopes.permissions,
          budget: null,
          budgetPeriod: "total",
          allowedModels: null,
          allowedDomains: null,
          searchProviders: null,
          requestsPerMinute: null,
          concurrency: null,
          expiresAt
        },
        operator
      )
    )
  )

const tick = (stage: Stage) => stage.run(Effect.flatMap(makeKeyExpiry, (expiry) => expiry.tick))

describe("a key that expires", () => {
  // Verifies: E-53, G-150, W-89.
  scenario("is reported once, when it has expired and not before", function* (stage) {
    const now = yield* Instant.now
    const expiresAt = Instant.plus(now, 60_000)
    const { key } = (yield* make(stage, expiresAt))!
    yield* make(stage, null)
    const { key: revoked } = (yield* make(stage, expiresAt))!
    yield* stage.run(Accounts.use((accounts) => accounts.revokeKey(revoked.id, operator)))
    yield* TestClock.adjust(59_999)
    yield* tick(stage)
    const expiries = Effect.map(stage.events, (events) => events.filter(({ event }) => event === "api_key.expired"))
    expect(yield* expiries).toEqual([])
    yield* TestClock.adjust(1)
    yield* tick(stage)
    yield* tick(stage)
    expect((yield* expiries).map(({ data }) => data)).toEqual([
      { key_id: key.id, name: "robot", prefix: key.prefix, expires_at: Instant.toIso(expiresAt) }
    ])
    expect(ApiKeys.isExpired(key, yield* Instant.now)).toBe(true)
  })
})
