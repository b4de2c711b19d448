/** A campaign that cannot be processed is paused or postponed: docs/reference/campaigns.md#the-service-cannot-dial. Verifies: CAMP-8. */

import { CampaignStore, type Ids, Instant, Storage } from "@trunkline/core/storage"
import type { Stage } from "@trunkline/testing/scenarios"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe, expect } from "vitest"
import { Workers } from "../../../src/host/Workers.ts"
import { scenario } from "../calls/Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]

/** Writes a row that no caller could write, such as one from a platform with more time zones. */
const rewrite = (stage: Stage, id: Ids.CampaignId, fields: object) =>
  Effect.orDie(
    stage.look(
      Effect.gen(function* () {
        const storage = yield* Storage
        const store = yield* CampaignStore
        yield* storage.transact(
          Effect.flatMap(store.findInAnyAccount(id), (campaign) => store.save({ ...campaign!, ...fields }))
        )
      })
    )
  )

describe("a campaign that cannot be processed", () => {
  // Verifies: D-234.
  scenario("because its time zone is unknown is paused once with the reason, and delays no other", function* (stage) {
    const lines: Array<string> = []
    const logger = Logger.make(({ cause, message }) => void lines.push(`${String(message)} ${Cause.pretty(cause)}`))
    const id = yield* stage.running({ paceSeconds: 5 }, [a])
    yield* rewrite(stage, id, { timezone: "Mars/X" })
    const other = yield* stage.running({ paceSeconds: 5 }, [b])
    yield* Effect.provide(
      Effect.andThen(stage.run(Workers.use((workers) => workers.start)), stage.elapse(6_000)),
      Logger.layer([logger])
    )
    expect(yield* stage.campaign(id)).toMatchObject({ status: "paused", nextDialAt: null })
    expect(stage.dialed).toEqual([b])
    expect((yield* stage.campaign(other)).status).toBe("running")
    const failed = (yield* stage.events).filter(({ event }) => event === "campaign.failed")
    expect(failed.map(({ data }) => [data.campaign_id, data.status, data.reason])).toEqual([
      [id, "paused", "timezone_unknown"]
    ])
    expect(lines.filter((line) => line.includes("Mars/X"))).toHaveLength(1)
    expect(lines).toHaveLength(1)
    expect((yield* stage.live(id)).waitingFor).toEqual({ reason: "not_running", until: null })
  })

  scenario("is still shown while it is running", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* rewrite(stage, id, { timezone: "Mars/X" })
    expect((yield* stage.campaign(id)).timezone).toBe("Mars/X")
    expect(yield* stage.live(id)).toMatchObject({ campaignId: id, status: "running" })
  })

  scenario("because its time zone is unknown still has its calls settled", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5 }, [a])
    yield* stage.rest
    yield* rewrite(stage, id, { timezone: "Mars/X" })
    stage.network.end(stage.line(a), "busy", null, yield* Instant.now)
    yield* stage.rest
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1, lastError: "busy" })
  })

  // Verifies: D-234.
  scenario("because of a defect is tried again a minute later, with one log line for each attempt", function* (stage) {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    const id = yield* stage.running({ paceSeconds: 5 }, [a])
    stage.broken.add(id)
    const other = yield* stage.running({ paceSeconds: 5 }, [b])
    yield* Effect.provide(
      Effect.andThen(stage.run(Workers.use((workers) => workers.start)), stage.elapse(90_000)),
      Logger.layer([logger])
    )
    expect(lines.filter((line) => line.includes(id))).toHaveLength(2)
    expect(stage.dialed).toEqual([b])
    expect((yield* stage.campaign(other)).status).toBe("running")
    stage.broken.clear()
    yield* stage.elapse(60_000)
    expect(stage.dialed).toEqual([b, a])
  })
})
