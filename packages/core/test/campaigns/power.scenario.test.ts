/** Power mode: docs/campaigns.md#power. */
import { describe, expect } from "vitest"
import { scenario } from "../telephony/Scenario.ts"

const [a, b, c] = ["+14155550101", "+14155550102", "+14155550103"]

describe("power mode", () => {
  scenario(
    "spaces short calls by the pace, counted from the last start",
    function* (stage) {
      const id = yield* stage.running({ dialMode: "power", paceSeconds: 30 }, [a, b, c])
      yield* stage.rest
      expect(stage.dialed).toEqual([a])
      yield* stage.talk(a, 10)
      yield* stage.wait(19_999)
      expect(stage.dialed).toEqual([a])
      yield* stage.wait(1)
      expect(stage.dialed).toEqual([a, b])
      yield* stage.talk(b, 10)
      yield* stage.wait(60_000)
      expect(stage.dialedAt).toEqual(["2026-11-21T06:30:00.000Z", "2026-11-21T06:30:30.000Z", "2026-11-21T06:31:00.000Z"])
      expect((yield* stage.campaign(id)).completedContacts).toBe(2)
    }
  )
})
