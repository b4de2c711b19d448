/** The calling window at work: docs/reference/campaigns.md#window. The window itself is tested in HourWindow.test.ts. Verifies: CAMP-2. */
import { describe, expect } from "vitest"
import { instant, scenario } from "../calls/Scenarios.ts"

const [a, b, c] = ["+14155550101", "+14155550102", "+14155550103"]

/** 09:00 to 21:00 in India is 03:30 to 15:30 in UTC. */
const india = { timezone: "Asia/Kolkata", quietHoursStart: 9, quietHoursEnd: 21 }
const evening = { starts: "2026-11-21T20:59:00+05:30" }

describe("the calling window", () => {
  // Verifies: C-4, C-26, C-27.
  scenario(
    "lets no call start before it opens, and the first one at its first instant",
    function* (stage) {
      yield* stage.running(india, [a])
      yield* stage.waitUntil("2026-11-22T08:59:59.999+05:30")
      expect(stage.dialed).toEqual([])
      yield* stage.wait(1)
      expect(stage.dialedAt).toEqual(["2026-11-22T03:30:00.000Z"])
    },
    { starts: "2026-11-21T21:00:00+05:30" }
  )

  // Verifies: C-4, C-26, C-27, D-42.
  scenario(
    "lets the last call start before its end, and none at its end",
    function* (stage) {
      yield* stage.running({ ...india, paceSeconds: 5 }, [a, b, c])
      yield* stage.rest
      yield* stage.waitUntil("2026-11-21T20:59:59.999+05:30")
      yield* stage.end(a, "busy")
      yield* stage.end(b, "busy")
      yield* stage.wait(3_600_000)
      expect(stage.dialedAt).toEqual(["2026-11-21T15:29:00.000Z", "2026-11-21T15:29:59.999Z"])
    },
    evening
  )

  // Verifies: C-25.
  scenario(
    "is read in the campaign's zone, not in that of the number or the server",
    function* (stage) {
      const here = yield* stage.running({ ...india, timezone: "America/New_York" }, [a])
      yield* stage.running({ ...india, timezone: "Europe/London" }, [b])
      yield* stage.waitUntil("2026-11-21T14:00:00Z")
      expect(stage.dialedAt).toEqual(["2026-11-21T09:00:00.000Z", "2026-11-21T14:00:00.000Z"])
      expect(stage.dialed).toEqual([b, a])
      expect((yield* stage.campaign(here)).status).toBe("running")
    },
    { starts: "2026-11-21T08:00:00Z" }
  )

  // Verifies: D-45, D-46, D-47.
  scenario(
    "cancels a call that rings when it closes; the attempt counts, and the next one is at the next opening",
    function* (stage) {
      const id = yield* stage.running(india, [a])
      yield* stage.rest
      yield* stage.ring(a)
      yield* stage.waitUntil("2026-11-21T20:59:59.999+05:30")
      expect(stage.line(a).endedAt).toBeNull()
      yield* stage.wait(1)
      expect(stage.line(a).endedAt).toBe(instant("2026-11-21T21:00:00+05:30"))
      expect(stage.network.log.filter(({ kind }) => kind === "end")).toHaveLength(1)
      expect(yield* stage.call(a)).toMatchObject({ status: "canceled", endReason: "window_closed" })
      expect(yield* stage.contact(id, a)).toMatchObject({
        status: "pending",
        attempts: 1,
        lastError: "canceled",
        nextAttemptAt: instant("2026-11-22T09:00:00+05:30")
      })
      yield* stage.waitUntil("2026-11-22T09:00:00+05:30")
      expect(stage.dialedAt.at(-1)).toBe("2026-11-22T03:30:00.000Z")
    },
    evening
  )

  // Verifies: D-46, D-126.
  scenario(
    "cancels a call that has not rung when it closes, and does not count it",
    function* (stage) {
      const id = yield* stage.running({ ...india, maxAttempts: 1 }, [a])
      yield* stage.waitUntil("2026-11-21T21:00:00+05:30")
      expect(yield* stage.call(a)).toMatchObject({ status: "canceled", endReason: "window_closed" })
      expect(yield* stage.contact(id, a)).toMatchObject({
        status: "pending",
        attempts: 0,
        lastError: "canceled",
        nextAttemptAt: instant("2026-11-22T09:00:00+05:30")
      })
      expect((yield* stage.credits).reserved).toBe(0n)
    },
    evening
  )

  scenario(
    "ends the attempts of somebody whose last one rang when it closed",
    function* (stage) {
      const id = yield* stage.running({ ...india, maxAttempts: 1 }, [a])
      yield* stage.rest
      yield* stage.ring(a)
      yield* stage.waitUntil("2026-11-21T21:00:00+05:30")
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "failed", attempts: 1, lastError: "canceled" })
    },
    evening
  )

  scenario(
    "leaves an answered call alone when it closes",
    function* (stage) {
      const id = yield* stage.running(india, [a])
      yield* stage.rest
      yield* stage.answer(a)
      yield* stage.waitUntil("2026-11-21T21:10:00+05:30")
      expect(stage.line(a).endedAt).toBeNull()
      expect(stage.network.log.filter(({ kind }) => kind === "end")).toEqual([])
      yield* stage.end(a)
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "done" })
    },
    evening
  )

  // Verifies: D-8.
  scenario(
    "ends a call under way at the end of the window with which it started",
    function* (stage) {
      const id = yield* stage.running(india, [a, b])
      yield* stage.rest
      yield* stage.ring(a)
      yield* stage.change(id, { quietHoursEnd: 24 })
      yield* stage.waitUntil("2026-11-21T21:00:00+05:30")
      expect((yield* stage.calls())[0]).toMatchObject({ endReason: "window_closed" })
      // A further call is one of the present window, which is open.
      expect((yield* stage.contact(id, a)).attempts).toBe(1)
      expect(stage.dialed.slice(1)).toEqual([a])
    },
    evening
  )

  scenario(
    "dials nobody more once it has been narrowed",
    function* (stage) {
      const id = yield* stage.running({ ...india, paceSeconds: 5 }, [a, b])
      yield* stage.rest
      yield* stage.change(id, { quietHoursEnd: 20 })
      yield* stage.end(a, "busy")
      yield* stage.wait(600_000)
      expect(stage.dialed).toEqual([a])
    },
    evening
  )

  // Verifies: D-57.
  scenario(
    "moves a retry that would fall outside it to its next opening",
    function* (stage) {
      const id = yield* stage.running(india, [a])
      yield* stage.rest
      yield* stage.end(a, "busy")
      expect(yield* stage.contact(id, a)).toMatchObject({ nextAttemptAt: instant("2026-11-22T09:00:00+05:30") })
      yield* stage.waitUntil("2026-11-22T09:00:00+05:30")
      expect(stage.dialedAt.at(-1)).toBe("2026-11-22T03:30:00.000Z")
    },
    evening
  )

  const paced = { ...evening, carrier: { startsPerSecond: 1 } }

  // Verifies: D-45.
  scenario(
    "is not outlived by calls that wait for the carrier's start rate",
    function* (stage) {
      yield* stage.waitUntil("2026-11-21T20:59:58+05:30")
      const id = yield* stage.running({ ...india, dialMode: "parallel", parallelLines: 5 }, [a, b, c, `${a}1`, `${a}2`])
      yield* stage.wait(10_000)
      expect(stage.dialedAt).toEqual(["2026-11-21T15:29:58.000Z", "2026-11-21T15:29:59.000Z"])
      expect(
        (yield* stage.contacts(id))
          .slice(2)
          .map(({ attempts, nextAttemptAt, status }) => [status, attempts, nextAttemptAt])
      ).toEqual(Array.from({ length: 3 }, () => ["pending", 0, instant("2026-11-22T09:00:00+05:30")]))
      expect((yield* stage.credits).reserved).toBe(0n)
    },
    paced
  )
})
