/**
 * What functions have done is never forgotten, and so never done again: random disturbances of a caller who has wishes.
 * Verifies: CONV-8, V-221.
 */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { EndedCall, HistoryMessage } from "../../../src/voice/turns/index.ts"
import { ConversationWorld, type WorldOptions, type Written } from "./ConversationWorld.ts"

const callsIn = (history: ReadonlyArray<HistoryMessage>) =>
  history.filter((one): one is EndedCall => one.role === "tool").map(({ name }) => name)
const wishesIn = (history: ReadonlyArray<HistoryMessage>) =>
  history.flatMap((one) => (one.role === "user" ? (one.content.match(/wish_\d+/g) ?? []) : []))

/** A model that does what the caller wishes unless it reads that it was done. */
const careful =
  (of: Omit<Written, "text" | "calls">): NonNullable<WorldOptions["reply"]> =>
  (run, history) => {
    const done = callsIn(history)
    const calls = wishesIn(history).filter((wish) => !done.includes(wish))
    const text = `Reply ${run} begins here, and goes on for a while. Then it ends.`
    return calls.length === 0 ? text : { text, calls, ...of }
  }

const turn = { silenceMs: 500, maxSilenceMs: 1500, minSpeechMs: 400, bargeIn: true, backchannel: null }

describe("a function that has ended", () => {
  const known = (w: ConversationWorld) => w.thoughts.map(({ history }) => history.map((one) => one.role).join(" "))

  it("is known before the words to the run that answers them together, where its reply was not heard", () => {
    const w = new ConversationWorld({ llmMs: 200, ttsMs: 900, reply: careful({ functionMs: 100 }) }).begin()
    w.speak({ speechMs: 500, text: "Do wish_1 for me." })
    w.pass(500 + 500 + 100 + 400)
    w.speak({ speechMs: 600, text: "Wait, one more thing." })
    w.pass(20_000)
    expect(w.cancelled).toEqual(new Set([1]))
    expect(w.done).toEqual([{ run: 1, name: "wish_1" }])
    expect(w.thoughts.at(-1)!.history).toEqual([
      { role: "tool", id: "call_1", name: "wish_1", arguments: "{}", result: "done" },
      { role: "user", content: "Do wish_1 for me. Wait, one more thing." }
    ])
  })

  it("is known after the words of its turn to every later run, and before what was heard of its reply", () => {
    const w = new ConversationWorld({ reply: careful({ functionMs: 100 }) }).begin()
    for (const content of ["Book it, wish_1.", "And the weather?", "And now?"]) {
      w.send({ _tag: "UserMessage", content })
      w.pass(20_000)
    }
    expect(known(w)).toEqual(["user", "user tool assistant user", "user tool assistant user assistant user"])
    expect(w.done).toHaveLength(1)
  })

  it("is known where its reply was interrupted, failed or could not be spoken", () => {
    const cut = new ConversationWorld({ reply: careful({ functionMs: 100 }) }).begin()
    const failed = new ConversationWorld({ reply: careful({ functionMs: 100, fails: true }) }).begin()
    const mute = new ConversationWorld({ reply: careful({ functionMs: 100 }), isSpeakable: (n) => n > 1 }).begin()
    for (const w of [cut, failed, mute]) {
      w.send({ _tag: "UserMessage", content: "Book it, wish_1." })
      w.pass(1500)
      w.send({ _tag: "UserMessage", content: "Something else." })
      w.pass(20_000)
      expect(callsIn(w.thoughts.at(-1)!.history)).toEqual(["wish_1"])
      expect(w.done).toHaveLength(1)
    }
  })

  it("after its run was cancelled is known to the run that waits for it", () => {
    const w = new ConversationWorld({ reply: careful({ functionMs: 3000, isFinished: true }) }).begin()
    w.send({ _tag: "UserMessage", content: "Book it, wish_1." })
    w.pass(1000)
    w.send({ _tag: "UserMessage", content: "Hello?" })
    w.pass(20_000)
    expect(w.done).toEqual([{ run: 1, name: "wish_1" }])
    expect(known(w).at(-1)).toBe("tool user")
  })
})

const act = fc.record({
  afterMs: fc.integer({ min: 0, max: 3000 }),
  kind: fc.constantFrom("wish", "wish", "speech", "speech", "noise", "yes", "message", "happened", "agent"),
  speechMs: fc.integer({ min: 32, max: 1500 })
})

const world = fc.record({
  ...{ sttMs: fc.integer({ min: 0, max: 900 }), llmMs: fc.integer({ min: 0, max: 1500 }) },
  ...{ ttsMs: fc.integer({ min: 0, max: 900 }), tokenMs: fc.integer({ min: 0, max: 100 }) },
  ...{ functionMs: fc.integer({ min: 1, max: 3000 }), isFinished: fc.boolean(), bargeIn: fc.boolean() },
  failing: fc.constantFrom(0, 0, 3),
  unspeakable: fc.constantFrom(0, 0, 4)
})

// Verifies: V-221.
it("is done once for each wish, whatever is interrupted when", () => {
  fc.assert(
    fc.property(world, fc.array(act, { minLength: 1, maxLength: 12 }), (of, acts) => {
      const { bargeIn, failing, functionMs, isFinished, unspeakable, ...times } = of
      const w = new ConversationWorld({
        ...times,
        reply: (run, history) =>
          careful({ functionMs, isFinished, fails: failing > 0 && run % failing === 0 })(run, history),
        isSpeakable: (n) => unspeakable === 0 || n % unspeakable !== 0,
        conversation: { turn: { ...turn, bargeIn } }
      }).begin()
      for (const [n, { afterMs, kind, speechMs }] of acts.entries()) {
        w.pass(afterMs)
        if (kind === "wish") w.send({ _tag: "UserMessage", content: `I want wish_${n}.` })
        else if (kind === "message") w.send({ _tag: "UserMessage", content: "What is the price?" })
        else if (kind === "happened") w.send({ _tag: "Happened", content: "(Something has happened.)" })
        else if (kind === "agent") w.send({ _tag: "AgentMessage", message: "A message.", behavior: "interrupt" })
        else {
          const text = { speech: `Do wish_${n} for me.`, noise: "", yes: "Yes." }[kind] ?? ""
          w.speak({ speechMs, text })
          w.pass(speechMs + 700)
        }
      }
      w.pass(120_000)
      const names = w.done.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      // What has ended is known to the end, and a run that answered a wish to its end has seen it done.
      const { history } = w.conversation
      expect(callsIn(history).toSorted()).toEqual(names.toSorted())
      for (const { history: known, run } of w.thoughts) {
        if (w.completed.includes(run)) expect(names).toEqual(expect.arrayContaining(wishesIn(known)))
      }
    }),
    { numRuns: 300 }
  )
})
