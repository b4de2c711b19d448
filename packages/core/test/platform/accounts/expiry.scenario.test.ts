/** Keys that expire: docs/reference/access.md#expiry. */

import { Instant, Keys } from "@trunkline/core/effect"
import { ApiKeys, Scopes } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { makeKeyExpiry, operator } from "../../../src/platform/accounts/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const make = (stage: Stage, expiresAt: Instant.Instant | null) =>
  stage.run(
    Keys.use((keys) =>
      keys.create(
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
    yield* stage.run(Keys.use((keys) => keys.revoke({ tenantId: null, id: revoked.id }, operator)))
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

  // Verifies: B-604.
  scenario("is reported at the expiry that it has then, also after it has expired before", function* (stage) {
    const now = yield* Instant.now
    const { key } = (yield* make(stage, Instant.plus(now, 60_000)))!
    const of = { tenantId: stage.tenant, id: key.id }
    const change = (expiresAt: Instant.Instant | null) =>
      stage.run(Keys.use((keys) => keys.change(of, { expiresAt }, operator)))
    const reported = Effect.map(
      Effect.andThen(tick(stage), stage.events),
      (events) => events.filter(({ event }) => event === "api_key.expired").length
    )
    yield* change(Instant.plus(now, 120_000))
    yield* TestClock.adjust(60_000)
    expect(yield* reported).toBe(0)
    yield* TestClock.adjust(60_000)
    expect(yield* reported).toBe(1)
    // A change of something else is no other expiry.
    yield* stage.run(Keys.use((keys) => keys.change(of, { name: "android" }, operator)))
    expect(yield* reported).toBe(1)
    yield* change(Instant.plus(yield* Instant.now, 60_000))
    yield* TestClock.adjust(60_000)
    expect(yield* reported).toBe(2)
    yield* change(Instant.plus(yield* Instant.now, 60_000))
    yield* change(null)
    yield* TestClock.adjust(60_000)
    expect(yield* reported).toBe(2)
  })
})
