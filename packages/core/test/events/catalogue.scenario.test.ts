/** What the rooms write is what the catalogue says: docs/events.md#catalogue. */
import { Accounts, catalogueEntry, type Event, Instant, KeyExpiry, platformEvents } from "@trunkline/core/effect"
import * as TestClock from "effect/testing/TestClock"
import { afterAll, describe, expect } from "vitest"
import { scenario } from "../telephony/Scenarios.ts"
import { strictly } from "./StrictEvents.ts"

const [a, b, c, d] = ["+14155550101", "+14155550102", "+14155550103", "+14155550104"]

const seen = new Set<string>()

const expectKnown = (events: ReadonlyArray<Event>) => {
  expect(events.length).toBeGreaterThan(0)
  for (const { event } of events) seen.add(event)
  expect(events.flatMap(({ data, event }) => strictly(event, data))).toEqual([])
}

describe("the events of", () => {
  scenario("a campaign with answered, busy, failed and cancelled calls are as the catalogue says", function* (stage) {
    yield* stage.running({ maxAttempts: 1, paceSeconds: 5 }, [a, b, c, d])
    yield* stage.rest
    yield* stage.talk(a, 61)
    yield* stage.wait(5_000)
    yield* stage.end(b, "busy")
    yield* stage.wait(5_000)
    yield* stage.end(c, "failed")
    yield* stage.wait(5_000)
    yield* stage.suppress(d)
    yield* stage.rest
    expectKnown(yield* stage.events)
  })

  scenario(
    "a burst with machines, a winner and a person who came too late are as the catalogue says",
    function* (stage) {
      yield* stage.running({ dialMode: "parallel", parallelLines: 4, amdEnabled: true }, [a, b, c, d])
      yield* stage.rest
      yield* stage.answer(a, "machine")
      yield* stage.answer(b)
      yield* stage.talk(b, 10)
      yield* stage.wait(60_000)
      expectKnown(yield* stage.events)
    }
  )

  scenario(
    "a campaign that cannot dial are as the catalogue says",
    function* (stage) {
      yield* stage.running({ dialMode: "parallel", parallelLines: 4 }, [a, b, c, d])
      yield* stage.wait(60_000)
      expectKnown(yield* stage.events)
    },
    { carrier: { onPlace: () => "configuration" } }
  )

  scenario("a call that was asked for through the API are as the catalogue says", function* (stage) {
    yield* stage.dial("+1 (415) 555-0101")
    yield* stage.rest
    yield* stage.hangUp("+1 (415) 555-0101")
    yield* stage.rest
    expectKnown(yield* stage.events)
  })

  scenario("a balance that falls and a key that expires are as the catalogue says", function* (stage) {
    yield* stage.leaveCredit(100_000_000_000n)
    yield* stage.running({ maxAttempts: 1 }, [a])
    yield* stage.rest
    yield* stage.talk(a, 30)
    yield* stage.rest
    const expiresAt = Instant.plus(yield* Instant.now, 1)
    yield* stage.run(
      Accounts.use((accounts) =>
        accounts.createKey(
          {
            tenantId: stage.tenant,
            name: null,
            scopes: ["*"],
            permissions: [],
            budget: null,
            budgetPeriod: "total",
            allowedModels: null,
            allowedDomains: null,
            searchProviders: null,
            requestsPerMinute: null,
            concurrency: null,
            expiresAt
          },
          "test"
        )
      )
    )
    yield* TestClock.adjust(10)
    yield* stage.run(KeyExpiry.use((expiry) => expiry.tick))
    expectKnown(yield* stage.events)
  })

  // Last, because it looks at what the others have seen.
  afterAll(() => {
    const own = platformEvents.filter((name) => catalogueEntry(name).source === "product")
    expect([...seen].sort()).toEqual([...own].sort())
  })
})
