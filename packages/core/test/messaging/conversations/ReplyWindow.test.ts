/** The window in which free text may be sent: docs/reference/messaging.md#window. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isOpen, isWindowLimited, windowAfter } from "../../../src/messaging/conversations/ReplyWindow.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const wrote = Instant.make(Date.UTC(2026, 10, 21, 9, 30))
const after = (milliseconds: number) => Instant.plus(wrote, milliseconds)
const instants = fc.integer({ min: 0, max: 4e12 }).map(Instant.make)

describe("the window", () => {
  // Verifies: M-18.
  it("is open for 24 hours after the customer's message, to the millisecond before", () => {
    const expiresAt = windowAfter(null, wrote)
    expect(Instant.toIso(expiresAt)).toBe("2026-11-22T09:30:00.000Z")
    const [second, day] = [Instant.second, Instant.day]
    const edges = [0, day - second, day - 1, day, day + 1, day + second].map((ms) => isOpen(expiresAt, after(ms)))
    expect(edges).toEqual([true, true, true, false, false, false])
  })

  it("is open 24 hours by the clock, on days of 23 and 25 hours too", () => {
    for (const day of ["2026-03-29T00:30:00Z", "2026-10-25T00:30:00Z"]) {
      const at = Instant.parse(day)!
      expect(windowAfter(null, at) - at).toBe(24 * 60 * 60 * 1000)
    }
  })

  it("is closed to a customer who has never written", () => {
    expect(isOpen(null, wrote)).toBe(false)
  })

  it("stays open for longer when the customer writes again, and a late message shortens nothing", () => {
    const first = windowAfter(null, wrote)
    expect(windowAfter(first, after(Instant.hour))).toBe(after(25 * Instant.hour))
    expect(windowAfter(first, after(-Instant.hour))).toBe(first)
    expect(windowAfter(first, wrote)).toBe(first)
  })

  it("does not depend on the order in which messages arrive", () => {
    fc.assert(
      fc.property(fc.array(instants, { minLength: 1 }), (times) => {
        const expiresAt = times.reduce<Instant.Instant | null>((until, at) => windowAfter(until, at), null)
        expect(expiresAt).toBe(Math.max(...times) + Instant.day)
      })
    )
  })
})

describe("what the window is for", () => {
  it.each([
    "text",
    "image",
    "audio",
    "video",
    "document",
    "sticker",
    "interactive",
    "location",
    "contacts",
    "reaction"
  ])("%s is sent within it alone", (type) => expect(isWindowLimited(type)).toBe(true))

  // Verifies: M-20, N-29.
  it("a type that we do not know is sent within it alone, and a template at any time", () => {
    expect([isWindowLimited("hologram"), isWindowLimited("template")]).toEqual([true, false])
  })
})
