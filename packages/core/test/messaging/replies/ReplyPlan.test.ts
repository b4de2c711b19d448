/** What the reply worker does next: docs/reference/messaging.md#replies. Verifies: CHAT-2, CHAT-3, CHAT-4. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ConnectedNumber } from "../../../src/messaging/channels/ConnectedNumber.ts"
import { asWritten, type Message } from "../../../src/messaging/messages/Message.ts"
import {
  nextStep,
  type Progress,
  planPart,
  planReply,
  planRetry,
  progressOf as progress
} from "../../../src/messaging/replies/ReplyPlan.ts"
import { Ids, Instant } from "../../../src/platform/kernel/index.ts"

const at = Instant.make(Date.UTC(2026, 10, 21, 9, 30))

const text = (id: string, createdAt = Instant.plus(at, -Instant.second)): Message =>
  ({ ...asWritten, id: Ids.as<"Message">(id), type: "text", text: "Hello?", createdAt }) as Message
const sticker = (id: string): Message => ({ ...text(id), type: "sticker", text: null })
const [a, b, c] = [text("a"), text("b"), text("c")]

describe("a claimed job", () => {
  const context = { pending: [a], skipReason: null }
  const debounce = { quietMs: 1000, maxWaitMs: 8000 }
  const stepOf = (given: Pick<Parameters<typeof nextStep>[0], "context" | "hasOpenParts">) =>
    nextStep({ ...given, debounce, at })

  it("waits for its group, where a message has come since it was claimed, and for no group for longer than the longest wait", () => {
    const late = text("late", Instant.plus(at, -1))
    const early = text("early", Instant.plus(at, -8000))
    expect(stepOf({ context: { ...context, pending: [a, late] }, hasOpenParts: false })).toBe("wait")
    expect(stepOf({ context: { ...context, pending: [a, late] }, hasOpenParts: true })).toBe("send-parts")
    expect(stepOf({ context: { ...context, pending: [early, late] }, hasOpenParts: false })).toBe("generate")
  })

  it("sends open parts before it generates the next reply", () => {
    expect(stepOf({ context, hasOpenParts: true })).toBe("send-parts")
    expect(stepOf({ context: { ...context, skipReason: "conversation_switched_off" }, hasOpenParts: true })).toBe(
      "send-parts"
    )
    expect(stepOf({ context, hasOpenParts: false })).toBe("generate")
  })

  it("is skipped where nothing waits, and where the agent may not reply", () => {
    expect(stepOf({ context: { ...context, pending: [] }, hasOpenParts: false })).toBe("skip")
    expect(stepOf({ context: { ...context, skipReason: "window_closed" }, hasOpenParts: false })).toBe("skip")
  })

  it("fails its parts once its number is disconnected", () => {
    expect(stepOf({ context: null, hasOpenParts: true })).toBe("fail-parts")
    expect(stepOf({ context: null, hasOpenParts: false })).toBe("fail-parts")
  })
})

describe("the progress of a job", () => {
  const progressOf = (
    present: ReadonlyArray<Message>,
    handled: ReadonlyArray<Message>,
    answeredAt: number | null = null
  ) => progress(present, handled, { answeredAt: answeredAt === null ? null : Instant.plus(at, answeredAt) })

  it("is up to the last handled message while nothing else waits", () => {
    expect(progressOf([a, b], [a, b])).toEqual({
      isSuperseded: false,
      isInterleaved: false,
      isChanged: false,
      remaining: [],
      handledUpTo: "b"
    })
  })

  it("leaves what came after the handled messages", () => {
    expect(progressOf([a, b, c], [a])).toMatchObject({ remaining: [b, c], handledUpTo: "a", isInterleaved: false })
  })

  it("stops before a message that nobody has handled, whatever comes behind it", () => {
    expect(progressOf([a, b, c], [b])).toMatchObject({ remaining: [a, c], handledUpTo: null, isInterleaved: true })
  })

  it("is none where somebody else has handled the messages", () => {
    expect(progressOf([c], [a, b])).toMatchObject({ isSuperseded: true, remaining: [c], handledUpTo: null })
    expect(progressOf([], [a])).toMatchObject({ isSuperseded: true, remaining: [] })
  })

  it("passes what was deleted, and what a person has answered, and waits for neither", () => {
    const deleted = { ...b, deletedAt: at }
    expect(progressOf([a, deleted], [a])).toMatchObject({ remaining: [], handledUpTo: "b", isChanged: false })
    expect(progressOf([deleted, c], [])).toMatchObject({ remaining: [c], handledUpTo: "b" })
    expect(progressOf([deleted], [b])).toMatchObject({ isSuperseded: true, isChanged: true, handledUpTo: "b" })
    const answered = { ...b, writtenAt: Instant.plus(at, -60_000) }
    expect(progressOf([a, answered], [], -30_000)).toMatchObject({ remaining: [a], handledUpTo: null })
    expect(progressOf([answered, a], [b, a], -30_000)).toMatchObject({ isSuperseded: false, isChanged: true })
  })

  it("knows that a handled message says something else now", () => {
    expect(progressOf([{ ...a, text: "Hi?", editedAt: at }], [a])).toMatchObject({ isChanged: true, remaining: [] })
    // Two edits of one second have one time.
    const edited = { ...a, editedAt: at }
    expect(progressOf([{ ...edited, text: "Hi?" }], [edited])).toMatchObject({ isChanged: true })
  })

  it("never passes a message that was not handled, and keeps every one of those", () => {
    const waiting = Array.from({ length: 8 }, (_, nth) => text(`m${nth}`))
    fc.assert(
      fc.property(fc.subarray(waiting), (handled) => {
        const { handledUpTo, remaining } = progressOf(waiting, handled)
        const passed = waiting.slice(0, waiting.findIndex(({ id }) => id === handledUpTo) + 1)
        for (const message of passed) expect(handled).toContain(message)
        expect(new Set([...handled, ...remaining])).toEqual(new Set(waiting))
      })
    )
  })
})

describe("a generated reply", () => {
  const number = { botId: Ids.as<"Bot">("bot") } as ConnectedNumber
  const done: Progress = {
    isSuperseded: false,
    isInterleaved: false,
    isChanged: false,
    remaining: [],
    handledUpTo: a.id
  }
  const given: Parameters<typeof planReply>[0] = {
    progress: done,
    generatedFor: { number },
    now: { number, seesImages: false, skipReason: null },
    waitingSince: Instant.plus(at, -5000),
    maxWaitMs: 12_000,
    at
  }
  const plan = (over: Partial<typeof given>) => planReply({ ...given, ...over })

  it("is committed where nothing has changed", () => {
    expect(plan({})).toBe("commit")
  })

  it("is discarded where the agent may not reply any more, or another agent may", () => {
    expect(plan({ now: null })).toBe("discard")
    expect(plan({ now: { ...given.now!, skipReason: "conversation_switched_off" } })).toBe("discard")
    expect(plan({ now: { ...given.now!, number: { ...number, botId: null } } })).toBe("discard")
  })

  it("is superseded where somebody else has replied, whatever else is true", () => {
    expect(plan({ progress: { ...done, isSuperseded: true } })).toBe("supersede")
    expect(plan({ progress: { ...done, isSuperseded: true }, now: null })).toBe("supersede")
  })

  it("is void once another message came, until the first one has waited for the longest wait", () => {
    const progress = { ...done, remaining: [b] }
    expect(plan({ progress })).toBe("regroup")
    expect(plan({ progress, waitingSince: Instant.plus(at, -11_999) })).toBe("regroup")
    expect(plan({ progress, waitingSince: Instant.plus(at, -12_000) })).toBe("commit")
  })

  it("is void where a message that it knows was edited or deleted, however long that has waited", () => {
    const progress = { ...done, isChanged: true }
    expect(plan({ progress, waitingSince: Instant.plus(at, -60_000) })).toBe("regroup")
  })

  it("is not delayed by messages that get no reply", () => {
    expect(plan({ progress: { ...done, remaining: [sticker("s")] } })).toBe("commit")
  })

  it("is void where it does not know a message that came before, however long that has waited", () => {
    const progress = { ...done, isInterleaved: true, remaining: [b] }
    expect(plan({ progress, waitingSince: Instant.plus(at, -60_000) })).toBe("regroup")
  })
})

describe("an open part", () => {
  it("is sent while it is queued, and by the worker that has marked it", () => {
    expect(planPart({ status: "queued" }, { isOurs: false })).toBe("send")
    expect(planPart({ status: "queued" }, { isOurs: true })).toBe("send")
    expect(planPart({ status: "sending" }, { isOurs: true })).toBe("send")
  })

  it("becomes unknown where another worker was sending it", () => {
    expect(planPart({ status: "sending" }, { isOurs: false })).toBe("mark-unknown")
  })

  it("is done in every other status, and where it is gone", () => {
    for (const status of ["unknown", "sent", "delivered", "read", "failed"] as const) {
      expect(planPart({ status }, { isOurs: true })).toBe("done")
      expect(planPart({ status }, { isOurs: false })).toBe("done")
    }
    expect(planPart(null, { isOurs: true })).toBe("done")
  })
})

describe("a run that failed", () => {
  it("is retried after the backoff, or after what its server asks for, a minute at most", () => {
    const failed = (retryAfterSeconds: number | null) => ({ isRetryable: true, retryAfterSeconds })
    expect(planRetry(failed(null), 1)).toBe(2000)
    expect(planRetry(failed(1), 1)).toBe(2000)
    expect(planRetry(failed(20), 1)).toBe(20_000)
    expect(planRetry(failed(3600), 3)).toBe(60_000)
    expect(planRetry(failed(20), 4)).toBeNull()
  })

  it("is retried after a defect, and not where a retry cannot help", () => {
    expect(planRetry(null, 2)).toBe(8000)
    expect(planRetry({ isRetryable: false, retryAfterSeconds: 1 }, 1)).toBeNull()
  })
})
