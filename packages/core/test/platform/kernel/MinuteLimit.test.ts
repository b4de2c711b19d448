/** Verifies: KERN-7. */
import { describe, expect, it } from "vitest"
import { MinuteLimit } from "../../../src/platform/kernel/index.ts"

const minute = 60_000

describe("what is counted in a minute", () => {
  it("slides: there is room again when the oldest of the last minute has passed, to the second", () => {
    const limit = new MinuteLimit(2)
    expect(limit.admit("a", 0)).toBeNull()
    expect(limit.admit("a", 20_500)).toBeNull()
    expect(limit.admit("a", 20_501)).toBe(40)
    expect(limit.admit("a", 59_999)).toBe(1)
    expect(limit.admit("b", 59_999)).toBeNull()
    expect(limit.admit("a", minute)).toBeNull()
    expect(limit.admit("a", minute)).toBe(21)
    // What was refused does not count.
    expect(limit.admit("a", 80_500)).toBeNull()
  })

  it("is counted over the turn of a minute, and over a clock that is set", () => {
    const limit = new MinuteLimit(2)
    for (const at of [59_000, 61_000]) expect(limit.admit("a", at)).toBeNull()
    expect(limit.admit("b", 100_000)).toBeNull()
    expect(limit.admit("a", 100_000)).toBe(19)
    expect(limit.admit("a", 119_000)).toBeNull()
    expect(limit.admit("a", 119_000)).toBe(2)
    expect(limit.admit("a", -10 * minute)).toBeNull()
  })

  it("is a bounded number of keys, which are forgotten when they have been idle for two minutes", () => {
    const limit = new MinuteLimit(2)
    for (let n = 0; n < 200_000; n++) limit.admit(`key ${n}`, n)
    expect(limit.size).toBeLessThanOrEqual(100_000)
    limit.admit("one", 400_000)
    limit.admit("one", 460_000)
    expect(limit.size).toBe(1)
  })

  it("is counted together beyond that, with what a key has in common with others", () => {
    const limit = new MinuteLimit(5, (key) => key.slice(0, 1))
    expect(limit.admit("known", 0)).toBeNull()
    for (let n = 0; n < 100_000; n++) limit.admit(`a${n}`, 1)
    expect(limit.admit("a new one", 2)).toBe(60)
    expect(limit.admit("b, a new one", 2)).toBeNull()
    expect(limit.admit("known", 2)).toBeNull()
  })

  it("costs the same of the last of 200,000 keys as of the first", () => {
    // Least time of several runs: what disturbs a run only makes it slower.
    const [early, late] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY].map((most) => [most])
    for (let run = 0; run < 5; run++) {
      const limit = new MinuteLimit(200)
      for (let part = 0; part < 10; part++) {
        const begun = performance.now()
        for (let n = 0; n < 20_000; n++) limit.admit(`2001:db8:${part}:${n}::/64`, part)
        const times = part < 2 ? early! : late!
        times.push(performance.now() - begun)
      }
    }
    expect(Math.min(...late!)).toBeLessThan(5 * Math.min(...early!))
  })
})
