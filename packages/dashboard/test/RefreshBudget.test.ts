/** When pages read again what has changed. */
import { describe, expect, it } from "vitest"
import { type Budget, fullBudget, nextReads, type Stale } from "../pages/frame/RefreshBudget.ts"

const minuteMs = 60_000

/** Notes about everything come every quarter of a second; what is read takes no time. */
const busyMinutes = (keys: ReadonlyArray<{ readonly key: string; readonly isUrgent: boolean }>, minutes: number) => {
  let budget: Budget = fullBudget(0)
  const readAt = new Map(keys.map(({ key }) => [key, -minuteMs]))
  const reads: Array<{ readonly key: string; readonly at: number }> = []
  for (let now = 0; now < minutes * minuteMs; now += 250) {
    const stale: ReadonlyArray<Stale> = keys.map((one) => ({ ...one, readAt: readAt.get(one.key)! }))
    const next = nextReads(stale, budget, now)
    budget = next.budget
    for (const key of next.read) {
      readAt.set(key, now)
      reads.push({ key, at: now })
    }
  }
  return reads
}

const page = [
  { key: "live", isUrgent: true },
  { key: "campaign", isUrgent: false },
  { key: "counts", isUrgent: false },
  { key: "contacts", isUrgent: false }
]

describe("the budget of reads", () => {
  it("reads everything at once while changes are few", () => {
    const stale = page.map((one) => ({ ...one, readAt: 0 }))
    const { read } = nextReads(stale, fullBudget(0), 30_000)
    expect(read.toSorted()).toEqual(["campaign", "contacts", "counts", "live"])
  })

  it("asks for less than twenty reads in every minute of changes without an end, after the first", () => {
    const reads = busyMinutes(page, 5)
    const perMinute = [1, 2, 3, 4].map((nth) => reads.filter(({ at }) => Math.floor(at / minuteMs) === nth).length)
    expect(Math.max(...perMinute)).toBeLessThanOrEqual(20)
    expect(reads.filter(({ at }) => at < minuteMs).length).toBeLessThanOrEqual(20)
  })

  it("forgets nothing: each thing is read twice in a minute or nearly so, and what is urgent more often", () => {
    const reads = busyMinutes(page, 5)
    const counted = (key: string) => reads.filter((read) => read.key === key).length
    for (const { key } of page) expect(counted(key), key).toBeGreaterThanOrEqual(8)
    expect(counted("live")).toBeGreaterThan(counted("counts"))
  })

  it("reads the same thing at most twice a second", () => {
    const reads = busyMinutes([{ key: "live", isUrgent: true }], 1)
    const apart = reads.slice(1).map(({ at }, nth) => at - reads[nth]!.at)
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(500)
  })

  it("reads what the person has ordered at once, whatever else has been read, and takes nothing from the rest", () => {
    const own = { key: "own", isUrgent: false, isOwn: true }
    const stale = [...page, own].map((one) => ({ ...one, readAt: 1000 }))
    const { budget, read } = nextReads(stale, { tokens: 0, at: 2000 }, 2000)
    expect(read).toEqual(["own"])
    expect(budget.tokens).toBe(0)
    expect(nextReads([{ ...own, readAt: 1800 }], budget, 2000)).toMatchObject({ read: [], againInMs: 300 })
  })

  it("says when to look again where something waits, and nothing where nothing does", () => {
    const stale = [{ key: "live", isUrgent: true, readAt: 1000 }]
    expect(nextReads(stale, fullBudget(0), 1100)).toMatchObject({ read: [], againInMs: 400 })
    expect(nextReads([], fullBudget(0), 1100)).toMatchObject({ read: [], againInMs: null })
  })
})
