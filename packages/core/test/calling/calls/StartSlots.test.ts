/** Start slots of processes whose clocks differ. */
import { Instant } from "@trunkline/core/effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SlotClock } from "../../../src/calling/calls/StartSlots.ts"

const at = Instant.make(1_790_000_000_000)
const hours = fc.integer({ min: -12, max: 12 }).map((n) => n * Instant.hour)
const wait = fc.integer({ min: 0, max: 600_000 })

/** A slot that a process has stored just now whose clock is off. */
const slotOf = (off: number, waitMs: number) => {
  const storedAt = Instant.plus(at, off)
  return { nextStartAt: Instant.plus(storedAt, waitMs), storedAt }
}

describe("a start slot", () => {
  // Verifies: D-268.
  it("is waited for no longer than by the process that stored it, however far that one's clock is ahead", () => {
    fc.assert(
      fc.property(hours, wait, (off, waitMs) => {
        const waited = new SlotClock().earliest(slotOf(off, waitMs), at) - at
        expect(waited).toBeGreaterThanOrEqual(0)
        expect(waited).toBeLessThanOrEqual(waitMs)
        if (off >= 0) expect(waited).toBe(waitMs)
      })
    )
  })

  it("comes nearer as time passes, however often it is read, until another is stored", () => {
    fc.assert(
      fc.property(hours, wait, fc.array(wait), (off, waitMs, passed) => {
        const clock = new SlotClock()
        const first = clock.earliest(slotOf(off, waitMs), at)
        for (const ms of [...passed, 24 * Instant.hour]) {
          const later = Instant.plus(at, ms)
          expect(clock.earliest(slotOf(off, waitMs), later)).toBe(Instant.later(later, first))
        }
        expect(clock.earliest(slotOf(0, waitMs + 1), at)).toBe(Instant.plus(at, waitMs + 1))
      })
    )
  })

  it("holds as it is where its process's clock is not ahead, and where that is not known", () => {
    const earliest = (storedAt: Instant.Instant | null) =>
      new SlotClock().earliest({ nextStartAt: Instant.plus(at, 5_000), storedAt }, at)
    expect([at, Instant.plus(at, -60_000), Instant.plus(at, 1_000), null].map(earliest)).toEqual(
      Array.from({ length: 4 }, () => Instant.plus(at, 5_000))
    )
  })
})
