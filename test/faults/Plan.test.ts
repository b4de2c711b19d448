/** What a run does is drawn from its seed alone, and what a soak run calls growth. */
import { describe, expect, it } from "vitest"
import { growthOf, type Sample } from "./Growth.ts"
import { callbackWaits, moodOf, neighbours, phoneOf } from "./Moods.ts"
import { type PlanOptions, planOf, skewOf } from "./Plan.ts"

const options: PlanOptions = { seed: 5, kills: 40, storage: "postgres", minutes: 10, load: 1, isWide: true }

describe("the plan of a fault run", () => {
  it("is the same for the same seed, and another one for another", () => {
    expect(planOf(options)).toEqual(planOf(options))
    expect(planOf({ ...options, seed: 6 })).not.toEqual(planOf(options))
    expect([skewOf(5, 1, 2), phoneOf(5, 3), moodOf(5, "chat", 9, 1)]).toEqual([
      skewOf(5, 1, 2),
      phoneOf(5, 3),
      moodOf(5, "chat", 9, 1)
    ])
  })

  it("has as many kills as were asked for, within its time, and every kind of fault that its storage can have", () => {
    const { durationMs, faults } = planOf(options)
    expect(faults.filter(({ does }) => does === "kill")).toHaveLength(40)
    expect(faults.every(({ at }) => at >= 0 && at <= durationMs)).toBe(true)
    expect(new Set(faults.map(({ does }) => does))).toEqual(
      new Set(["kill", "end", "stall", "outage", "cut", "database"])
    )
    const ofSqlite = planOf({ ...options, storage: "sqlite" }).faults.map(({ does }) => does)
    expect(new Set(ofSqlite)).toEqual(new Set(["kill", "end", "stall", "outage", "full"]))
    expect(planOf({ ...options, isWide: false }).faults.every(({ does }) => does === "kill")).toBe(true)
  })

  it("has neighbours that are in good order without trouble, and else in every kind of it", () => {
    const nths = Array.from({ length: 2000 }, (_, nth) => nth)
    for (const neighbour of neighbours) {
      expect(new Set(nths.map((nth) => moodOf(1, neighbour, nth, 0).does))).toEqual(new Set(["serve"]))
      expect(new Set(nths.map((nth) => moodOf(1, neighbour, nth, 1).does)).size).toBeGreaterThanOrEqual(4)
    }
    const sent = nths.map((nth) => callbackWaits(1, nth, "completed", 1).length)
    expect(new Set(sent)).toEqual(new Set([0, 1, 2]))
  })
})

describe("growth", () => {
  const minutes = Array.from({ length: 120 }, (_, minute) => minute)
  const sample = (minute: number, heap: number): Sample => ({
    ...{ minute, heap, resident: 3e8, files: 50, connections: 20, wal: 4e6, database: minute * 1e6, processor: minute }
  })
  const heapGrows = (heapAt: (minute: number) => number) =>
    growthOf(minutes.map((minute) => sample(minute, heapAt(minute)))).find(({ name }) => name === "heap")!.isOver

  it("is a line that rises by more than its bound in two hours, and not what levels off in the first quarter", () => {
    const mebibyte = 1024 * 1024
    expect(heapGrows((minute) => 60 * mebibyte + minute * 0.2 * mebibyte)).toBe(true)
    expect(heapGrows((minute) => 60 * mebibyte + (minute % 7) * mebibyte)).toBe(false)
    expect(heapGrows((minute) => 40 * mebibyte + Math.min(minute, 30) * mebibyte)).toBe(false)
  })
})
