/** What a report makes of a message: docs/reference/messaging.md#statuses. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type MessageStatus, messageStatuses } from "../../../src/messaging/messages/Message.ts"
import { type ReportedStatus, statusAfter } from "../../../src/messaging/messages/StatusOrder.ts"

const words = ["sent", "delivered", "read", "failed"] as const

/** What becomes of each status by each report; a dot where nothing changes. */
const table: Readonly<Record<MessageStatus, string>> = {
  //          sent      delivered read failed
  received: " .         .         .    .",
  queued: "   sent      delivered read failed",
  sending: "  sent      delivered read failed",
  unknown: "  sent      delivered read failed",
  sent: "     .         delivered read failed",
  failed: "   .         delivered read .",
  delivered: ".         .         read .",
  read: "     .         .         .    ."
}

describe("every report of a message of every status", () => {
  it.each(messageStatuses.flatMap((present) => words.map((word, n) => [present, word, n] as const)))(
    "%s, and %s is reported",
    (present, word, n) => {
      const expected = table[present].trim().split(/\s+/)[n]
      expect(statusAfter(present, word)).toBe(expected === "." ? null : expected)
    }
  )
})

describe("reports", () => {
  const report = (status: MessageStatus, word: ReportedStatus) => statusAfter(status, word) ?? status
  const some = fc.array(fc.constantFrom(...words), { maxLength: 12 })
  const from = fc.constantFrom(...messageStatuses)

  // Verifies: N-23.
  it("come to the same in any order, however often each comes", () => {
    fc.assert(
      fc.property(
        from,
        some.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }))
        ),
        (present, [all, again]) => {
          expect(again.reduce<MessageStatus>(report, present)).toBe(all.reduce<MessageStatus>(report, present))
        }
      )
    )
  })

  it("never undo that a message was delivered or read", () => {
    fc.assert(
      fc.property(fc.constantFrom<MessageStatus>("delivered", "read"), some, (present, all) => {
        expect(["delivered", "read"]).toContain(all.reduce<MessageStatus>(report, present))
        if (present === "read") expect(all.reduce<MessageStatus>(report, present)).toBe("read")
      })
    )
  })

  it("say the last word about a message that failed, if it reached a phone after all", () => {
    expect((["failed", "sent"] as const).reduce<MessageStatus>(report, "sending")).toBe("failed")
    expect((["failed", "delivered"] as const).reduce<MessageStatus>(report, "sending")).toBe("delivered")
  })
})
