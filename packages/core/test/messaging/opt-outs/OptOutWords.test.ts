/** Words and buttons that opt out, and back in: docs/reference/opt-outs.md#words. Verifies: OPT-1. */
import { assert, describe, it } from "@effect/vitest"
import { isOptOut, statedPreference } from "../../../src/messaging/opt-outs/index.ts"

const text = (text: string | null) => ({ type: "text", text, body: { body: text } })
const button = (title: string, payload: string) => ({
  type: "button",
  text: title,
  body: { text: title, payload }
})
const reply = (kind: "button_reply" | "list_reply", id: string, title: string) => ({
  type: "interactive",
  text: title,
  body: { type: kind, [kind]: { id, title } }
})

describe("what a message says of whether its writer wants messages", () => {
  for (const word of [
    "STOP",
    "stop.",
    " Stop! ",
    "Stop all",
    "UNSUBSCRIBE",
    "opt-out",
    "Baja",
    "отписаться",
    "配信停止"
  ]) {
    it(`is that they want none: ${word}`, () => {
      assert.deepStrictEqual(statedPreference(text(word)), { preference: "stop", source: "keyword", word })
      assert.isTrue(isOptOut(text(word)))
    })
  }

  for (const word of ["START", "unstop", "Resume."]) {
    it(`is that they want them again: ${word}`, () => {
      assert.deepStrictEqual(statedPreference(text(word)), { preference: "start", source: "keyword", word })
    })
  }

  it("stands on a button, in its title or behind it", () => {
    const stop = { preference: "stop", source: "button" } as const
    assert.deepStrictEqual(statedPreference(button("Stop", "no-more")), { ...stop, word: "Stop" })
    assert.deepStrictEqual(statedPreference(button("Not interested", "STOP")), { ...stop, word: "STOP" })
    assert.deepStrictEqual(statedPreference(reply("button_reply", "1", "Unsubscribe")), {
      ...stop,
      word: "Unsubscribe"
    })
    assert.deepStrictEqual(statedPreference(reply("list_reply", "stop", "No more")), { ...stop, word: "stop" })
    assert.deepStrictEqual(statedPreference(button("Start", "x")), {
      preference: "start",
      source: "button",
      word: "Start"
    })
  })

  it("is nothing where there is more than the word, or something else", () => {
    for (const message of [
      text("Please stop calling me at night"),
      text("stop it"),
      text(""),
      text(null),
      button("Yes", "yes"),
      { type: "button", text: null, body: {} },
      { type: "button", text: null, body: { text: 1, payload: ["stop"] } },
      { type: "interactive", text: null, body: { nfm_reply: { body: "stop" } } },
      { type: "image", text: "stop", body: { caption: "stop" } },
      { type: "reaction", text: null, body: { emoji: "stop" } }
    ]) {
      assert.isNull(statedPreference(message as never), JSON.stringify(message))
    }
  })
})
