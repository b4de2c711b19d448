/** When a reply job is due: docs/reference/messaging.md#reply-queue. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { standardReply } from "../../../src/messaging/MessagingSettings.ts"
import { newReplyJob } from "../../../src/messaging/reply-queue/ReplyJob.ts"
import {
  type Debounce,
  groupDueAt,
  jobAfterMessage,
  pauseAfter,
  runBackoff,
  throttleBackoff,
  typingIntervalMs
} from "../../../src/messaging/reply-queue/ReplySchedule.ts"
import { Ids, Instant } from "../../../src/platform/kernel/index.ts"

const start = Instant.make(Date.UTC(2026, 10, 21, 9, 30))
const after = (milliseconds: number) => Instant.plus(start, milliseconds)
const due = (last: number, debounce: Debounce = standardReply) =>
  groupDueAt({ waitingSince: start, lastMessageAt: after(last) }, debounce) - start

describe("a message group", () => {
  // Verifies: N-18.
  it("is answered when nothing has followed its last message for the quiet time", () => {
    expect([due(0), due(1000), due(3000)]).toEqual([1500, 2500, 4500])
  })

  it("is answered in the end, however steadily it goes on", () => {
    expect([due(10_500), due(10_501), due(11_999), due(60_000)]).toEqual([12_000, 12_000, 12_000, 12_000])
  })

  // Verifies: N-18.
  it("is answered at once where no quiet time is wanted", () => {
    expect([due(0, { quietMs: 0, maxWaitMs: 12_000 }), due(700, { quietMs: 0, maxWaitMs: 12_000 })]).toEqual([0, 700])
    expect(due(0, { quietMs: 5000, maxWaitMs: 0 })).toBe(0)
  })

  it("never waits for longer than it may, and never less for another message", () => {
    const ms = fc.nat({ max: 100_000 })
    fc.assert(
      fc.property(ms, ms, ms, ms, (first, second, quietMs, maxWaitMs) => {
        const debounce = { quietMs, maxWaitMs }
        const [sooner, later] = [Math.min(first, second), Math.max(first, second)]
        expect(due(later, debounce)).toBeLessThanOrEqual(maxWaitMs)
        expect(due(sooner, debounce)).toBeLessThanOrEqual(due(later, debounce))
      })
    )
  })
})

describe("a job to which a message comes", () => {
  const job = newReplyJob(Ids.as<"Customer">("customer"))
  const message = (id: string, at: number) => ({ id: Ids.as<"Message">(id), createdAt: after(at) })
  const isPart = { isPart: true, failsToSend: false, debounce: standardReply }

  it("is due once its message group is complete", () => {
    const first = jobAfterMessage(job, message("1", 0), isPart)
    expect(first).toEqual({ ...job, waitingSince: start, dueAt: after(1500) })
    const second = jobAfterMessage(first, message("2", 1000), isPart)
    expect(second).toEqual({ ...job, waitingSince: start, dueAt: after(2500) })
    expect(jobAfterMessage(second, message("3", 11_900), isPart).dueAt).toBe(after(12_000))
  })

  it("waits for nothing after a message that ends the group, and stays due for open parts", () => {
    const waiting = { ...job, waitingSince: start, dueAt: after(1500) }
    const ended = jobAfterMessage(waiting, message("2", 1000), { ...isPart, isPart: false })
    expect(ended).toEqual({ ...job, handledUpTo: "2", dueAt: after(1500) })
  })

  it("is not due sooner than its backoff", () => {
    const failed = { ...job, waitingSince: start, dueAt: after(60_000), failures: 1 }
    expect(jobAfterMessage(failed, message("2", 1000), isPart).dueAt).toBe(after(60_000))
    expect(jobAfterMessage(failed, message("2", 59_000), isPart).dueAt).toBe(after(60_000))
    expect(jobAfterMessage({ ...failed, dueAt: after(500) }, message("2", 1000), isPart).dueAt).toBe(after(2500))
    const again = jobAfterMessage(failed, message("2", 1000), isPart)
    expect(jobAfterMessage(again, message("3", 2000), isPart).dueAt).toBe(after(60_000))
  })

  it("has not failed any more, unless it failed to send parts", () => {
    const failed = { ...job, waitingSince: start, dueAt: after(60_000), failures: 3 }
    expect(jobAfterMessage(failed, message("2", 1000), isPart).failures).toBe(0)
    expect(jobAfterMessage(failed, message("2", 1000), { ...isPart, failsToSend: true }).failures).toBe(3)
  })
})

describe("after a failure", () => {
  it("an agent runs again after 2, 8 and 30 seconds, and then no more", () => {
    expect([1, 2, 3, 4, 5, 100].map(runBackoff)).toEqual([2000, 8000, 30_000, null, null, null])
  })

  it("sending waits for 4 seconds, twice as long each time up to a minute, and ends", () => {
    const waits = Array.from({ length: 14 }, (_, n) => throttleBackoff(n + 1, null))
    const minute = 60_000
    expect(waits).toEqual([
      ...[4000, 8000, 16_000, 32_000, minute, minute, minute, minute, minute, minute, minute],
      ...[null, null, null]
    ])
  })

  it("sending waits for as long as the platform asks, between a second and ten minutes", () => {
    const waits = [0, 1, 7, 90, 600, 601, 86_400].map((seconds) => throttleBackoff(1, seconds))
    expect(waits).toEqual([1000, 1000, 7000, 90_000, 600_000, 600_000, 600_000])
    expect(throttleBackoff(11, 7)).toBe(7000)
    expect(throttleBackoff(12, 7)).toBeNull()
  })
})

it("the typing indicator is renewed before the platform removes it", () => {
  expect(typingIntervalMs).toBe(20_000)
})

describe("an overloaded process", () => {
  it("replies in a fifth of its time, and pauses for a quarter of a second at most", () => {
    expect([0, 1, 10, 62, 63, 5000].map(pauseAfter)).toEqual([0, 4, 40, 248, 250, 250])
  })

  it("does not pause less when its clock is set back", () => {
    expect(pauseAfter(-3000)).toBe(0)
  })
})
