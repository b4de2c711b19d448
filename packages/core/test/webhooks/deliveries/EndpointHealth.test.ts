/** Since when an endpoint fails, and when that pauses its subscription: docs/reference/webhooks.md#pausing. */
import { describe, expect, it } from "vitest"
import { Instant } from "../../../src/platform/kernel/index.ts"
import { healthChange } from "../../../src/webhooks/deliveries/EndpointHealth.ts"

const [since, at] = [Instant.make(0), Instant.make(2 * Instant.day)]

describe("the end of a delivery changes its subscription's health", () => {
  it.each([
    ["the first failure says since when", null, 2, "failed", { previous: null, failingSince: at, pauses: false }],
    [
      "the first success after failures forgets them",
      since,
      2,
      "delivered",
      { previous: since, failingSince: null, pauses: false }
    ],
    ["failures of the whole time pause it", since, 2, "failed", { previous: since, failingSince: since, pauses: true }]
  ] as const)("when %s", (_, failingSince, pauseAfterDays, status, change) => {
    expect(healthChange({ failingSince, pauseAfterDays }, status, at)).toEqual(change)
  })

  it.each([
    ["a success of an endpoint that does not fail", null, 2, "delivered"],
    ["a further failure before the time is over", since, 3, "failed"],
    ["a further failure without such a time", since, null, "failed"],
    ["a blocked address", null, 2, "blocked"],
    ["an attempt that is retried", since, 2, "pending"]
  ] as const)("not at %s", (_, failingSince, pauseAfterDays, status) => {
    expect(healthChange({ failingSince, pauseAfterDays }, status, at)).toBeNull()
  })
})
