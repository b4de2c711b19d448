/** When an alert fires, and what the metrics come to. Verifies: VALT-2, VALT-3, VALT-4, VALT-5. */

import { Ids, Instant } from "@trunkline/core/effect"
import { describe, expect, it } from "vitest"
import { type Alert, changed, evaluated, metrics, newAlert, thresholdFault } from "../../../src/voice/alerts/Alert.ts"
import { averageOf, rankOfP95, rateOf } from "../../../src/voice/alerts/AlertReadings.ts"

const everyMs = Instant.minute
const at = (minutes: number) => Instant.make(1_780_000_000_000 + minutes * Instant.minute)

const alert = (over: Partial<Alert> = {}): Alert => ({
  ...newAlert(
    {
      ...{ name: "Many fail", metric: "failure_rate", comparison: "above", threshold: 0.5, windowSeconds: 3600 },
      ...{ botId: null, enabled: true, cooldownSeconds: 600 }
    },
    { id: Ids.as("a"), tenantId: Ids.as("t"), at: at(0), everyMs }
  ),
  ...over
})

/** The alert after looks a minute apart; a star for each at which it fires. */
const looks = (values: ReadonlyArray<number | null>, from: Alert = alert()) => {
  let present = from
  const marks = values.map((value, n) => {
    const { fires, next } = evaluated(present, value, { at: at(n + 1), everyMs })
    present = next
    return fires ? "*" : next.isFiring ? "+" : "-"
  })
  return { marks: marks.join(""), last: present }
}

describe("an alert", () => {
  // Verifies: V-195.
  it("fires on the edge alone", () => {
    expect(looks([0.4, 0.6, 0.7, 0.6]).marks).toBe("-*++")
    expect(looks([0.5, 0.500001]).marks).toBe("-*")
    expect(looks([0.5, 0.49], alert({ comparison: "below" })).marks).toBe("-*")
    expect(looks([0.6]).last).toMatchObject({
      ...{ isFiring: true, lastValue: 0.6, lastFiredAt: at(1), lastEvaluatedAt: at(1), dueAt: at(2) }
    })
  })

  it("fires again only once it has recovered and its cooldown is over", () => {
    const up = Array.from({ length: 12 }, () => 0.9)
    expect(looks([0.9, 0.1, ...up]).marks).toBe("*---------*+++")
    expect(looks([...up, 0.1, 0.9]).marks).toBe("*+++++++++++-*")
    expect(looks([0.9, 0.1, 0.9, 0.1, 0.9], alert({ cooldownSeconds: 0 })).marks).toBe("*-*-*")
  })

  it("neither fires nor recovers without a reading", () => {
    const { last, marks } = looks([0.9, null, null, 0.9, null, 0.1, null])
    expect(marks).toBe("*+" + "++" + "+--")
    expect(last).toMatchObject({ lastValue: 0.1, lastEvaluatedAt: at(7), dueAt: at(8) })
  })

  it("is disarmed by another rule, and not by another name", () => {
    const firing = looks([0.9]).last
    const look = { at: at(9), everyMs }
    expect(changed(firing, { name: "Other", cooldownSeconds: 0, threshold: 0.5 }, look)).toEqual({
      ...{ ...firing, name: "Other", cooldownSeconds: 0, updatedAt: at(9) }
    })
    for (const change of [{ threshold: 0.6 }, { comparison: "below" }, { windowSeconds: 60 }] as const) {
      expect(changed(firing, change, look)).toEqual({
        ...{ ...firing, ...change, isFiring: false, updatedAt: at(9), dueAt: at(10) }
      })
    }
    const off = changed(firing, { enabled: false }, look)
    expect(off).toMatchObject({ isFiring: false, dueAt: null })
    expect(changed(off, { enabled: true }, look)).toMatchObject({ isFiring: false, dueAt: at(10), lastFiredAt: at(1) })
  })

  it("of a rate has a threshold from 0 to 1, of anything else one that is not below 0", () => {
    const faulty = (threshold: number) => metrics.filter((metric) => thresholdFault({ metric, threshold }) !== null)
    const rates = ["connect_rate", "failure_rate", "session_failure_rate", "hangup_rate"]
    expect([faulty(1.01), faulty(-0.01)]).toEqual([rates, [...metrics]])
    expect([faulty(0), faulty(1)]).toEqual([[], []])
  })
})

describe("a reading", () => {
  // Verifies: V-192.
  it("of a rate needs five", () => {
    expect([rateOf(4, 4), rateOf(0, 0), rateOf(2, 5), rateOf(0, 5)]).toEqual([null, null, 0.4, 0])
  })

  it("of a duration needs one session that was connected", () => {
    const none = { ended: 3, unsuccessful: 3, hungUp: 0, connected: 0, seconds: 0 }
    expect(averageOf(none)).toBeNull()
    expect(averageOf({ ...none, connected: 2, seconds: 25 })).toBe(12.5)
  })

  // Verifies: V-193.
  it("of a latency is that which 95 of 100 do not exceed", () => {
    expect([1, 2, 19, 20, 21, 100].map(rankOfP95)).toEqual([1, 2, 19, 19, 20, 95])
  })
})
