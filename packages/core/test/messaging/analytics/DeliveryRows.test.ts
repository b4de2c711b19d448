/** What a message of each status counts as: docs/reference/analytics.md#delivery. Verifies: ANLY-2. */
import { Instant } from "@trunkline/core/effect"
import { type MessageStatus, messageStatuses } from "@trunkline/core/testing"
import { describe, expect, it } from "vitest"
import { deliveryRows, type StatusCount } from "../../../src/messaging/analytics/DeliveryRows.ts"

const [first, second] = [Instant.make(0), Instant.make(1000)]

const none = { sent: 0, delivered: 0, read: 0, failed: 0, received: 0, failures: [] }

const counts: Readonly<Record<MessageStatus, object>> = {
  received: { received: 2 },
  queued: {},
  sending: {},
  unknown: { failed: 2, failures: [{ code: null, count: 2 }] },
  sent: { sent: 2 },
  delivered: { sent: 2, delivered: 2 },
  read: { sent: 2, delivered: 2, read: 2 },
  failed: { failed: 2, failures: [{ code: null, count: 2 }] }
}

const failed = (code: number | null, count: number, status: MessageStatus = "failed"): StatusCount => ({
  place: 0,
  status,
  code,
  count
})

describe("a row", () => {
  it.each(messageStatuses)("counts a message that is %s", (status) => {
    const rows = deliveryRows([first, second], [{ place: 1, status, code: null, count: 2 }])
    expect(rows).toEqual([
      { ...none, start: first },
      { ...none, ...counts[status], start: second }
    ])
  })

  it("has its failures by code, the most frequent first, at most 20", () => {
    const [row] = deliveryRows(
      [first],
      [failed(3, 1), failed(null, 2), failed(null, 3, "unknown"), failed(2, 5), failed(1, 1)]
    )
    expect(row).toMatchObject({
      failed: 12,
      failures: [
        { code: 2, count: 5 },
        { code: null, count: 5 },
        { code: 1, count: 1 },
        { code: 3, count: 1 }
      ]
    })
    const many = Array.from({ length: 25 }, (_, code) => failed(code, 1))
    const [full] = deliveryRows([first], many)
    expect(full!.failures.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, (_, code) => code))
    expect(full!.failed).toBe(25)
  })
})
