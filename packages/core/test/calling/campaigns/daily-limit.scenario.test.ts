/** The daily limit: docs/reference/campaigns.md#daily-limit. Verifies: CAMP-4. */
import { Instant } from "@trunkline/core/effect"
import { describe, expect, it } from "vitest"
import {
  type AdmissionForecast,
  callsAllowed,
  dialingHold,
  holdReason,
  type Situation
} from "../../../src/calling/campaigns/DialPlan.ts"
import { instant, type Stage, scenario } from "../calls/Scenarios.ts"
import { runningCampaign } from "./SampleCampaign.ts"

const [a, b, c, d, e] = ["+14155550101", "+14155550102", "+14155550103", "+14155550104", "+14155550105"]

/** The carrier is asked for a call to each, one after the other. */
const callAll = function* (stage: Stage, phones: ReadonlyArray<string>) {
  for (const phone of phones) {
    yield* stage.end(phone, "failed")
    yield* stage.wait(6_000)
  }
}

describe("the limit of a day", () => {
  const at = instant("2026-11-21T12:00:00Z")
  const limited: Situation & AdmissionForecast = {
    campaign: { ...runningCampaign, dialMode: "parallel", parallelLines: 3, maxCallsPerDay: 10 },
    accountOpen: true,
    maySpend: true,
    affordable: true,
    agentRefusal: null,
    carrierBusyUntil: null,
    openCalls: 0,
    startedToday: 10,
    due: 3,
    pendingApproval: 0,
    nextRetryAt: null
  }

  it("pauses dialing until the next midnight of the zone, and then until the window opens", () => {
    const until = (fields: Partial<Situation["campaign"]>) =>
      Instant.toIso(dialingHold({ ...limited, campaign: { ...limited.campaign, ...fields } }, at)!.until!)
    expect(until({})).toBe("2026-11-22T00:00:00.000Z")
    expect(until({ timezone: "Asia/Kolkata" })).toBe("2026-11-21T18:30:00.000Z")
    expect(until({ quietHoursStart: 9, quietHoursEnd: 21 })).toBe("2026-11-22T09:00:00.000Z")
  })

  it("stands after a closed window and before lines among the reasons, for the dialer and for the live view", () => {
    const closed = { ...limited, campaign: { ...limited.campaign, quietHoursStart: 0, quietHoursEnd: 1 } }
    expect(holdReason(closed, at)?.reason).toBe("window")
    expect(holdReason({ ...limited, openCalls: 1, due: 0 }, at)?.reason).toBe("daily_limit")
    expect(dialingHold({ ...limited, startedToday: 9 }, at)).toBeNull()
    expect(dialingHold({ ...limited, startedToday: 12 }, at)?.reason).toBe("daily_limit")
  })

  it("leaves a parallel dial as many legs as the day has calls left", () => {
    expect(callsAllowed({ ...limited, startedToday: 5 }, 0)).toBe(3)
    expect(callsAllowed({ ...limited, startedToday: 8 }, 0)).toBe(2)
    expect(callsAllowed({ ...limited, startedToday: 9 }, 1)).toBe(1)
    expect(callsAllowed({ ...limited, startedToday: 11 }, 0)).toBe(0)
    expect(callsAllowed({ ...limited, campaign: { ...limited.campaign, maxCallsPerDay: null } }, 0)).toBe(3)
  })
})

describe("a campaign with a daily limit", () => {
  scenario("starts as many calls as the day allows, says why it waits, and goes on at midnight", function* (stage) {
    const id = yield* stage.running({ maxCallsPerDay: 2, paceSeconds: 5, timezone: "Asia/Kolkata" }, [a, b, c])
    yield* stage.rest
    yield* callAll(stage, [a, b])
    expect(stage.dialed).toEqual([a, b])
    expect((yield* stage.live(id)).waitingFor).toEqual({
      reason: "daily_limit",
      until: instant("2026-11-22T00:00:00+05:30")
    })
    yield* stage.waitUntil("2026-11-21T23:59:59.999+05:30")
    expect(stage.dialed).toEqual([a, b])
    yield* stage.wait(1)
    expect(stage.dialed).toHaveLength(3)
    expect((yield* stage.campaign(id)).status).toBe("running")
  })

  scenario("counts the legs of a parallel dial, and starts no more of them than are left", function* (stage) {
    yield* stage.running({ maxCallsPerDay: 3, dialMode: "parallel", parallelLines: 2 }, [a, b, c, d, e])
    yield* stage.rest
    expect(stage.dialed).toEqual([a, b])
    yield* stage.end(a, "busy")
    yield* stage.end(b, "busy")
    expect(stage.dialed).toEqual([a, b, c])
    yield* stage.end(c, "busy")
    yield* stage.waitUntil("2026-11-22T00:00:00Z")
    expect(stage.dialed).toHaveLength(5)
  })

  scenario("counts retries, and those of yesterday no more", function* (stage) {
    yield* stage.running({ maxCallsPerDay: 2, paceSeconds: 5, maxAttempts: 5 }, [a])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.wait(15 * Instant.minute)
    yield* stage.end(a, "busy")
    yield* stage.wait(3 * Instant.hour)
    expect(stage.dialed).toEqual([a, a])
    yield* stage.waitUntil("2026-11-22T00:00:00Z")
    expect(stage.dialed).toEqual([a, a, a])
  })

  scenario(
    "does not count a call that the carrier refused for its rate: it is placed again",
    function* (stage) {
      yield* stage.running({ maxCallsPerDay: 1, paceSeconds: 5 }, [a, b])
      yield* stage.rest
      yield* stage.wait(20_000)
      expect(stage.dialed).toEqual([a, a])
      yield* stage.end(a, "busy")
      yield* stage.wait(Instant.hour)
      expect(stage.dialed).toEqual([a, a])
    },
    { carrier: { onPlace: (_, nth) => (nth === 1 ? "throttled" : "accept") } }
  )

  scenario("goes on when the limit is raised or cleared, and stops where it is lowered", function* (stage) {
    const id = yield* stage.running({ maxCallsPerDay: 1, paceSeconds: 5 }, [a, b, c, d])
    yield* stage.rest
    yield* callAll(stage, [a])
    expect(stage.dialed).toEqual([a])
    yield* stage.change(id, { maxCallsPerDay: 3 })
    yield* stage.rest
    expect(stage.dialed).toEqual([a, b])
    yield* stage.change(id, { maxCallsPerDay: 2 })
    yield* callAll(stage, [b])
    expect(stage.dialed).toEqual([a, b])
    yield* stage.change(id, { maxCallsPerDay: null })
    yield* stage.rest
    expect(stage.dialed).toEqual([a, b, c])
    expect(yield* stage.campaign(id)).toMatchObject({ maxCallsPerDay: null })
  })

  scenario("is not exceeded by several processes", function* (stage) {
    yield* stage.second
    yield* stage.running({ maxCallsPerDay: 3, dialMode: "parallel", parallelLines: 5 }, [a, b, c, d, e])
    yield* stage.rest
    expect(stage.dialed).toHaveLength(3)
    for (const phone of stage.dialed) yield* stage.end(phone, "failed")
    yield* stage.wait(Instant.hour)
    expect(stage.dialed).toHaveLength(3)
  })

  scenario(
    "has one limit for a day of 25 hours",
    function* (stage) {
      yield* stage.running({ maxCallsPerDay: 1, paceSeconds: 5, timezone: "Europe/Berlin" }, [a, b])
      yield* stage.rest
      yield* stage.end(a, "failed")
      yield* stage.waitUntil("2026-10-25T22:59:59.999Z")
      expect(stage.dialed).toEqual([a])
      yield* stage.wait(1)
      expect(stage.dialed).toHaveLength(2)
    },
    { starts: "2026-10-24T22:30:00Z" }
  )

  scenario(
    "waits after midnight for its window",
    function* (stage) {
      yield* stage.running({ maxCallsPerDay: 1, paceSeconds: 5, quietHoursStart: 9, quietHoursEnd: 21 }, [a, b])
      yield* stage.rest
      yield* stage.end(a, "failed")
      yield* stage.waitUntil("2026-11-22T08:59:59.999Z")
      expect(stage.dialed).toEqual([a])
      yield* stage.wait(1)
      expect(stage.dialed).toHaveLength(2)
    },
    { starts: "2026-11-21T12:00:00Z" }
  )
})
