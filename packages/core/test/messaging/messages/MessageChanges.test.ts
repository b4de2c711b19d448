/** What edits and deletions make of a message: docs/reference/messaging.md#edits. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { asWritten, type Message } from "../../../src/messaging/messages/Message.ts"
import { afterChanges, changed } from "../../../src/messaging/messages/MessageChanges.ts"
import type { KeptChange } from "../../../src/messaging/messages/UnmatchedStatusStore.ts"
import { Ids, Instant } from "../../../src/platform/kernel/index.ts"

const start = Instant.make(Date.UTC(2026, 10, 21, 9, 30))
const after = (seconds: number) => Instant.plus(start, seconds * Instant.second)

const message = (over: Partial<Message> = {}): Message =>
  ({
    ...asWritten,
    id: Ids.as<"Message">("m"),
    direction: "inbound",
    type: "text",
    text: "one",
    body: { body: "one" },
    ...over
  }) as Message

const edit = (text: string, at: number): KeptChange => ({
  edited: { type: "text", text, content: { body: text } },
  isEcho: false,
  at: after(at)
})
const deletion = (at: number): KeptChange => ({ edited: null, isEcho: false, at: after(at) })

describe("a message", () => {
  it("says what its latest edit says, whatever their order and however often they come, and keeps its original", () => {
    const edits = [1, 2, 3, 4].map((at) => edit(`edit ${at}`, at))
    const repeated = fc.array(fc.constantFrom(...edits), { maxLength: 8 })
    fc.assert(
      fc.property(fc.shuffledSubarray(edits, { minLength: 4 }), repeated, (all, again) => {
        expect(afterChanges(message(), [...all, ...again])).toEqual(
          message({
            text: "edit 4",
            body: { body: "edit 4" },
            editedAt: after(4),
            original: { text: "one", content: { body: "one" } }
          })
        )
      })
    )
  })

  it("stays deleted since its first deletion, and has its text", () => {
    expect(afterChanges(message(), [deletion(3), deletion(5)])).toEqual(message({ deletedAt: after(3) }))
    expect(afterChanges(message(), [deletion(3), edit("two", 2)])).toMatchObject({ deletedAt: after(3), text: "two" })
  })

  it("is changed by its own side alone", () => {
    for (const change of [edit("two", 1), deletion(1)]) {
      expect(changed(message({ direction: "outbound" }), change)).toBeNull()
      expect(changed(message(), { ...change, isEcho: true })).toBeNull()
      expect(changed(message({ direction: "outbound" }), { ...change, isEcho: true })).not.toBeNull()
    }
  })

  it("keeps what an edit does not name, and all of it where the edit is of another type", () => {
    const picture = message({ type: "image", text: "one", body: { id: "1", caption: "one" } })
    const caption = { type: "image", text: "two", content: { caption: "two" } }
    expect(changed(picture, { ...edit("", 1), edited: caption })).toMatchObject({
      text: "two",
      body: { id: "1", caption: "two" }
    })
    expect(changed(picture, edit("two", 1))).toMatchObject({ text: "two", body: { id: "1", caption: "one" } })
  })

  it("has no more of an edit than of a message", () => {
    const long = changed(message(), edit("x".repeat(70_000), 1))!
    expect(long.text).toHaveLength(65_536)
    const large = { type: "text", text: "two", content: { body: "two", extra: "y".repeat(300_000) } }
    expect(changed(message(), { ...edit("", 1), edited: large })).toMatchObject({ text: "two", body: { body: "one" } })
  })
})
