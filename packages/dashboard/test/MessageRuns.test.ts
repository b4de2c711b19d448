/** Messages of a conversation as the page of the inbox shows them: docs/reference/dashboard.md#inbox. */
import type { Message } from "@trunkline/client"
import { describe, expect, it } from "vitest"
import { type HeldOrder, holding, newSince } from "../pages/inbox/HeldOrder.ts"
import { isUncertain, piecesOf, runsOf, withNewest, withOlder } from "../pages/inbox/MessageRuns.ts"
import { hoursAndMinutes, windowLeft } from "../pages/inbox/WindowLeft.ts"

const message = (id: number, over: Partial<Message> = {}): Message =>
  ({ id: String(id), role: "user", sent_by: null, created_at: new Date(id * 60_000).toISOString(), ...over }) as Message

const ids = (thread: ReadonlyArray<Message>) => thread.map(({ id }) => Number(id))
const newestFirst = (...all: ReadonlyArray<number>) => all.map((id) => message(id))

describe("a thread", () => {
  it("has what was known and the newest page, each message once", () => {
    expect(ids(withNewest([], newestFirst(3, 2, 1), 3))).toEqual([1, 2, 3])
    expect(ids(withNewest(withNewest([], newestFirst(3, 2, 1), 3), newestFirst(4, 3, 2), 3))).toEqual([1, 2, 3, 4])
    expect(ids(withOlder(withNewest([], newestFirst(5, 4), 2), newestFirst(4, 3, 2)))).toEqual([2, 3, 4, 5])
  })

  it("begins anew where messages between may be missing", () => {
    expect(ids(withNewest(newestFirst(1, 2), newestFirst(9, 8), 2))).toEqual([8, 9])
    expect(ids(withNewest(newestFirst(1, 2), newestFirst(4, 3), 50))).toEqual([1, 2, 3, 4])
  })

  it("is divided by writer, pause and day", () => {
    const day = (iso: string) => iso.slice(0, 10)
    const all = [
      message(0),
      message(1),
      message(2, { role: "agent", sent_by: { subject: "ada", name: null } }),
      message(3, { role: "agent", sent_by: { subject: "ben", name: null } }),
      message(4),
      message(20),
      message(1440)
    ]
    expect(runsOf(all, day).map(({ isNewDay, messages }) => [isNewDay, ids(messages)])).toEqual([
      [true, [0, 1]],
      [false, [2]],
      [false, [3]],
      [false, [4]],
      [false, [20]],
      [true, [1440]]
    ])
  })
})

describe("a text", () => {
  it("has links to http and https, without what ends the sentence", () => {
    const hrefs = (text: string) => piecesOf(text).flatMap(({ href }) => href ?? [])
    expect(hrefs("See https://example.com/a?b=1, or (http://example.com).")).toEqual([
      "https://example.com/a?b=1",
      "http://example.com"
    ])
    expect(hrefs("javascript:alert(1) data:text/html,x ftp://example.com mailto:a@example.com https://")).toEqual([])
    const text = "a https://example.com\nb https://example.com/ü"
    expect(
      piecesOf(text)
        .map((piece) => piece.text)
        .join("")
    ).toBe(text)
  })
})

describe("a message", () => {
  it("that was neither accepted nor refused is uncertain, and one that was refused is not", () => {
    expect(isUncertain({ status: "failed", error: { code: null, message: "" } })).toBe(true)
    expect(isUncertain({ status: "failed", error: { code: 131026, message: "" } })).toBe(false)
    expect(isUncertain({ status: "sent", error: null })).toBe(false)
  })
})

describe("the reply window", () => {
  const now = Date.UTC(2026, 10, 30)
  const at = (ms: number) => new Date(now + ms).toISOString()

  it("is open until its instant, which is excluded", () => {
    expect(windowLeft(at(0), true, now)).toEqual({ kind: "closed" })
    expect(windowLeft(null, true, now)).toEqual({ kind: "closed" })
    expect(windowLeft(at(1), true, now)).toEqual({ kind: "open", minutes: 1, isSoonOver: true })
    expect(windowLeft(at(86_399_999), true, now)).toEqual({ kind: "open", minutes: 1439, isSoonOver: false })
    expect(windowLeft(null, false, now)).toEqual({ kind: "none" })
    expect(hoursAndMinutes(1439)).toEqual({ h: 23, m: 59 })
  })
})

describe("the order of a list", () => {
  const row = (id: string, at: number) => ({ id, last_message_at: new Date(at).toISOString() })

  it("stays as it was first read, and counts what is newer but for the open conversation", () => {
    const first = holding(null, 0, [row("b", 2), row("a", 1)], 3) as HeldOrder
    const next = holding(first, 0, [row("c", 3), row("b", 2)], 4)
    expect(next).toBe(first)
    expect(holding(first, 1, [row("z", 0)], 3)?.pages.get(1)).toEqual(["z"])
    expect(holding(null, 1, [row("z", 0)], 3)).toBeNull()
    const head = [row("c", 4), row("a", 3), row("b", 2)]
    expect(newSince(first, head, undefined)).toBe(2)
    expect(newSince(first, head, "c")).toBe(1)
  })
})
