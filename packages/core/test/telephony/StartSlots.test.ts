/** Start slots of processes whose clocks differ. */
import { Instant } from "@trunkline/core/effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { corrected, earliestStart } from "../../src/telephony/StartSlots.ts"

const at = Instant.make(1_790_000_000_000)
const hours = fc.integer({ min: -12, max: 12 }).map((n) => n * Instant.hour)
const wait = fc.integer({ min: 0, max: 600_000 })

describe("a start slot", () => {
  it("is never before now", () => {
    fc.assert(
      fc.property(hours, wait, (off, ahead) => {
        const storedAt = Instant.plus(at, off)
        expect(earliestStart({ nextStartAt: Instant.plus(storedAt, ahead), storedAt }, at)).toBeGreaterThanOrEqual(at)
      })
    )
  })

  // Verifies: D-268.
  it("is waited for no longer than by the process that stored it, however far that one's clock is ahead", () => {
    fc.assert(
      fc.property(hours, wait, (off, ahead) => {
        const storedAt = Instant.plus(at, off)
        const start = earliestStart({ nextStartAt: Instant.plus(storedAt, ahead), storedAt }, at)
        expect(start - at).toBeLessThanOrEqual(ahead)
        if (off >= 0) expect(start - at).toBe(ahead)
      })
    )
  })

  it("is corrected once, and then comes nearer as time passes", () => {
    fc.assert(
      fc.property(hours, wait, wait, (off, ahead, passed) => {
        const storedAt = Instant.plus(at, off)
        const slot = corrected({ nextStartAt: Instant.plus(storedAt, ahead), storedAt }, at)
        const later = Instant.plus(at, passed)
        expect(corrected(slot, later)).toBe(slot)
        expect(earliestStart(slot, later)).toBe(Instant.later(later, slot.nextStartAt))
      })
    )
  })

  it("holds as it is where its process's clock is not ahead, and where that is not known", () => {
    const nextStartAt = Instant.plus(at, 5_000)
    expect(earliestStart(null, at)).toBe(at)
    expect(earliestStart({ nextStartAt, storedAt: at }, at)).toBe(nextStartAt)
    expect(earliestStart({ nextStartAt, storedAt: Instant.plus(at, -60_000) }, at)).toBe(nextStartAt)
    expect(earliestStart({ nextStartAt, storedAt: null }, at)).toBe(nextStartAt)
  })
})
