/** Sentences of errors. */
import { Instant } from "@trunkline/core/effect"
import { describe, expect, it } from "vitest"
import { WindowClosed } from "../../../src/messaging/channels/index.ts"

describe("a closed reply window", () => {
  const closedAt = Date.UTC(2026, 10, 22, 9, 30)
  const rest = "free-form messages cannot be sent. Send a template, or wait for the user to message."

  it.each([
    [Instant.day, "24-hour window", "24 hours"],
    [7 * Instant.day, "168-hour window", "168 hours"],
    [Instant.hour, "1-hour window", "1 hour"],
    [90 * Instant.minute, "90-minute window", "90 minutes"],
    [45 * Instant.second, "45-second window", "45 seconds"]
  ])("of %d ms says how long the channel's window is", (replyWindowMs, window, duration) => {
    expect(new WindowClosed({ closedAt, replyWindowMs }).message).toBe(
      `The ${window} closed at 2026-11-22T09:30:00.000Z, ${duration} after the customer's last message: ${rest}`
    )
  })

  it("says that the customer has never written", () => {
    expect(new WindowClosed({ closedAt: null, replyWindowMs: Instant.day }).message).toBe(
      `This customer has never written to this number: ${rest}`
    )
  })
})
