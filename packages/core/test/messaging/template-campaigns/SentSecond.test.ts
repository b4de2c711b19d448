/** Verifies: TCMP-5. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SentSecond } from "../../../src/messaging/template-campaigns/SentSecond.ts"

describe("messages that were kept waiting", () => {
  it("go out so that no second has more than the rate", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 80 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 }),
        (rate, gaps) => {
          const second = new SentSecond()
          let now = 0
          const sent = gaps.map((gap) => {
            now = Math.max(now + gap, second.freeAt(rate))
            second.add(now, rate)
            return now
          })
          for (const [nth, at] of sent.entries()) {
            const first = sent[nth - rate]
            if (first !== undefined) expect(at - first).toBeGreaterThan(1000)
          }
        }
      )
    )
  })

  it("wait for nothing while fewer went out than the rate allows", () => {
    const second = new SentSecond()
    for (const at of [1, 2, 3]) second.add(at, 4)
    expect(second.freeAt(4)).toBe(0)
    second.add(4, 4)
    expect(second.freeAt(4)).toBe(1011)
    expect(second.freeAt(2)).toBe(1013)
  })
})
