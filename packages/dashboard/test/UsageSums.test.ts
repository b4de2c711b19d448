/** The picture of usage: its bars, its groups, and where its intervals begin. */
import type { UsageInterval } from "@trunkline/client"
import { describe, expect, it } from "vitest"
import { firstOf, pictureOf, roundTop, startOf } from "../pages/usage/UsageSums.ts"

const row = (start: string, credits: number, group: string | null = null): UsageInterval => ({
  start,
  group,
  credits,
  calls: 1,
  cost_usd: 0,
  input_tokens: 0,
  output_tokens: 0,
  audio_seconds: 0
})

// Verifies: B-617.
describe("the picture of usage", () => {
  it("has a bar for each interval, and one group where nothing is divided", () => {
    expect(pictureOf([row("a", 3), row("b", 0)], null)).toEqual({
      groups: [{ group: null, isRest: false, total: 3 }],
      bars: [
        { start: "a", total: 3, parts: [{ at: 0, value: 3 }] },
        { start: "b", total: 0, parts: [] }
      ],
      top: 5
    })
  })

  it("has the five largest groups, and puts all others together", () => {
    const divided = Array.from({ length: 8 }, (_, nth) => row("a", nth + 1, `model ${nth + 1}`))
    const { bars, groups } = pictureOf([row("a", 36)], divided)
    expect(groups.map(({ group, total }) => [group, total])).toEqual([
      ["model 8", 8],
      ["model 7", 7],
      ["model 6", 6],
      ["model 5", 5],
      ["model 4", 4],
      [null, 6]
    ])
    expect(groups.at(-1)?.isRest).toBe(true)
    expect(bars[0]?.parts.reduce((sum, { value }) => sum + value, 0)).toBe(36)
  })

  it("ends its axis with a round number", () => {
    expect([0, 0.0007, 1, 1.1, 3, 36, 50, 51, 100].map(roundTop)).toEqual([1, 0.001, 1, 2, 5, 50, 50, 100, 100])
  })
})

// Verifies: B-617.
describe("the start of an interval", () => {
  const at = (iso: string) => Date.parse(iso)

  it("is on the clock of the zone", () => {
    expect(startOf("day", at("2026-11-30T20:00:00Z"), "Asia/Kolkata")).toBe(at("2026-11-30T18:30:00Z"))
    expect(startOf("hour", at("2026-11-30T20:10:00Z"), "Asia/Kolkata")).toBe(at("2026-11-30T19:30:00Z"))
    expect(startOf("month", at("2026-11-30T20:00:00Z"), "America/New_York")).toBe(at("2026-11-01T04:00:00Z"))
    expect(startOf("day", at("2026-11-30T20:00:00.250Z"), "UTC")).toBe(at("2026-11-30T00:00:00Z"))
  })

  it("is right on days on which the clock is changed", () => {
    expect(startOf("day", at("2026-03-29T12:00:00Z"), "Europe/Paris")).toBe(at("2026-03-28T23:00:00Z"))
    expect(startOf("day", at("2026-10-25T12:00:00Z"), "Europe/Paris")).toBe(at("2026-10-24T22:00:00Z"))
    expect(startOf("month", at("2026-03-30T12:00:00Z"), "Europe/Paris")).toBe(at("2026-02-28T23:00:00Z"))
  })
})

// Verifies: B-617.
describe("the days that a picture has", () => {
  const now = Date.parse("2026-11-30T13:45:00Z")
  const first = (days: string, interval: "hour" | "day" | "month", timezone = "UTC") =>
    new Date(firstOf({ days, interval, timezone }, now)).toISOString()

  it("begin with a whole interval of the zone, the present one counted", () => {
    expect(first("30", "day")).toBe("2026-11-01T00:00:00.000Z")
    expect(first("30", "day", "Asia/Kolkata")).toBe("2026-10-31T18:30:00.000Z")
    expect(first("7", "day")).toBe("2026-11-24T00:00:00.000Z")
    expect(first("1", "hour")).toBe("2026-11-29T14:00:00.000Z")
    expect(first("30", "month")).toBe("2026-11-01T00:00:00.000Z")
  })

  it("go back no further than the log", () => {
    expect(first("90", "month")).toBe("2026-09-01T14:45:00.000Z")
  })
})
