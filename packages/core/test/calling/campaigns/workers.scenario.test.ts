/** The background loops of a process, by a clock that goes on in small steps: docs/reference/campaigns.md#scheduled-start, #crash. */
import { Accounts, Campaigns } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { Workers } from "../../../src/host/Workers.ts"
import { instant, scenario } from "../calls/Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]

describe("the workers of a process", () => {
  // Verifies: C-3, D-48.
  scenario("start a campaign at most 5 s after its time, and dial by themselves", function* (stage) {
    const id = yield* stage.draft({ scheduledAt: instant("2026-11-21T06:31:00Z") }, [a])
    yield* stage.move(id, "scheduled")
    yield* stage.run(Workers.use((workers) => workers.start))
    yield* stage.elapse(59_900)
    expect((yield* stage.campaign(id)).status).toBe("scheduled")
    yield* stage.elapse(5_100)
    expect((yield* stage.campaign(id)).status).toBe("running")
    expect(stage.dialed).toEqual([a])
  })

  scenario("see within 5 s what another process has committed", function* (stage) {
    yield* stage.second
    yield* stage.run(Workers.use((workers) => workers.start))
    yield* stage.elapse(60_000)
    yield* stage.elsewhere(
      Effect.gen(function* () {
        const campaigns = yield* Campaigns
        const account = yield* Accounts.use((accounts) => accounts.get(stage.tenant))
        const { id } = yield* campaigns.create(account.id, { name: "Elsewhere", quietHoursStart: 0, quietHoursEnd: 24 })
        yield* campaigns.change(account.id, id, { scheduledAt: instant("2026-11-21T06:00:00Z") })
        yield* campaigns.move(account.id, id, "scheduled", { id: "user:anna", name: "Anna" })
      })
    )
    yield* stage.elapse(5_000)
    expect((yield* stage.events).map(({ event }) => event)).toEqual(["campaign.started"])
  })

  scenario("react at once to what their own process does", function* (stage) {
    yield* stage.run(Workers.use((workers) => workers.start))
    yield* stage.elapse(10_000)
    yield* stage.running({ paceSeconds: 5 }, [a, b])
    yield* stage.elapse(50)
    expect(stage.dialed).toEqual([a])
  })

  // Verifies: D-123.
  scenario("settle every open attempt within 60 s of a restart, and go on with the list", function* (stage) {
    yield* stage.run(Workers.use((workers) => workers.start))
    const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
    yield* stage.elapse(100)
    yield* stage.kill
    yield* stage.losing(
      Effect.sync(() => stage.network.end(stage.line(a), "busy", null, instant("2026-11-21T06:30:10Z")))
    )
    yield* stage.elapse(600_000, 60_000)
    yield* stage.start
    yield* stage.run(Workers.use((workers) => workers.start))
    yield* stage.elapse(60_000)
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1, lastError: "busy" })
    expect(stage.dialed).toEqual([a, b])
  })

  scenario("start once, stop, and start again", function* (stage) {
    const workers = yield* stage.run(Effect.map(Workers, (one) => one))
    expect(workers.state()).toEqual({ running: false, lastPassAt: null })
    yield* stage.run(Effect.all([workers.start, workers.start], { discard: true }))
    yield* stage.elapse(2_000)
    expect(workers.state()).toEqual({ running: true, lastPassAt: expect.any(Number) })
    yield* stage.run(workers.stop)
    expect(workers.state().running).toBe(false)
    yield* stage.running({}, [a])
    yield* stage.elapse(60_000, 1_000)
    expect(stage.dialed).toEqual([])
    yield* stage.run(workers.start)
    yield* stage.elapse(1_000)
    expect(stage.dialed).toEqual([a])
    yield* stage.run(workers.stop)
  })
})
