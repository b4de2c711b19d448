/** Turn-taking in simulated time. Verifies: CONV-1, CONV-3, CONV-4, CONV-5, CONV-6. */
import { describe, expect, it } from "vitest"
import { ConversationWorld, type WorldOptions } from "./ConversationWorld.ts"

const world = (options: WorldOptions = {}) => new ConversationWorld(options).begin()
const greeting = "Hello, this is the agent of the shop. How can I help you today?"

describe("a turn", () => {
  // Verifies: V-78.
  it("is answered once its silence is over", () => {
    const w = world()
    w.speak({ speechMs: 1000, text: "What time is it?" })
    w.pass(10_000)
    expect(w.thoughts).toHaveLength(1)
    expect(w.thoughts[0]!.history).toEqual([{ role: "user", content: "What time is it?" }])
    expect(w.textOf("assistant").join(" ")).toBe("Reply 1 begins here. It goes on for a while. Then it ends.")
    const [user, agent] = w.entries
    expect(user).toMatchObject({ role: "user", text: "What time is it?" })
    expect(agent).toMatchObject({ role: "assistant", turn: user!.turn, isInterrupted: false, sttMs: 100, llmMs: 200 })
    // A frame may lie between the silence and its end.
    expect(agent!.eouMs).toBeGreaterThanOrEqual(500)
    expect(agent!.eouMs).toBeLessThanOrEqual(532)
  })

  // Verifies: V-80.
  it.each([
    ["I would like to order, ", 1500],
    ["My number is 0 1 5 7", 1500],
    ["I wanted to ask because", 1500],
    ["um", 1500],
    ["I would like a pizza", 500],
    ["Is that all?", 500]
  ])("that ends in %j is over after %d ms of silence", (text, silenceMs) => {
    const w = world()
    w.speak({ speechMs: 960, text })
    w.pass(960 + silenceMs - 50)
    expect(w.thoughts).toHaveLength(0)
    w.pass(200)
    expect(w.thoughts).toHaveLength(1)
  })

  // Verifies: V-84.
  it("goes on while nothing of the reply was heard: one reply to all words", () => {
    const w = world({ llmMs: 1000 })
    w.speak({ speechMs: 800, text: "I want a pizza." })
    w.pass(2000)
    w.speak({ speechMs: 800, text: "With olives." })
    w.pass(15_000)
    expect(w.cancelled).toEqual(new Set([1]))
    expect(w.asked).toEqual(["I want a pizza.", "I want a pizza. With olives."])
    expect(new Set(w.thoughts.map(({ turn }) => turn)).size).toBe(1)
    expect(w.textOf("assistant").join(" ")).toContain("Reply 2 begins")
    expect(w.textOf("assistant").join(" ")).not.toContain("Reply 1")
  })

  // Verifies: V-85.
  it.each(["", "uh huh"])("is answered again after speech that says %j", (text) => {
    const w = world({ llmMs: 1500 })
    w.speak({ speechMs: 800, text: "I want a pizza." })
    w.pass(2000)
    w.speak({ speechMs: 200, text })
    w.pass(15_000)
    expect(w.asked).toEqual(["I want a pizza.", "I want a pizza."])
    expect(w.entries.filter(({ role }) => role === "assistant")).toHaveLength(1)
  })

  // Verifies: V-82.
  it("without words is none", () => {
    const w = world()
    w.speak({ speechMs: 500, text: "" })
    w.pass(10_000)
    expect(w.thoughts).toEqual([])
    expect(w.entries).toEqual([])
  })

  // Verifies: V-96.
  it("of keys ends with # or after a second and a half", () => {
    const w = world()
    for (const key of "12#") w.send({ _tag: "Key", key })
    w.pass(5000)
    w.send({ _tag: "Key", key: "7" })
    w.pass(1400)
    expect(w.textOf("user")).toEqual(["[keys: 12]"])
    w.pass(200)
    expect(w.textOf("user")).toEqual(["[keys: 12]", "[keys: 7]"])
  })
})

describe("an interruption", () => {
  const speaking = (options: WorldOptions = {}) => {
    const w = world({ ...options, conversation: { greeting, ...options.conversation } })
    w.pass(600)
    expect(w.conversation.agentSpeaks).toBe(true)
    return w
  }
  const stops = (w: ConversationWorld) => w.commands.filter(({ command }) => command._tag === "Stop")

  // Verifies: V-86.
  it("stops the agent after the minimum of speech", () => {
    const w = speaking()
    w.speak({ speechMs: 2000, text: "I have another question." })
    // Speech began half a frame before the first frame in which it is sure.
    w.pass(383)
    expect(stops(w)).toHaveLength(0)
    w.pass(67)
    expect(stops(w)).toHaveLength(1)
    expect(w.conversation.agentSpeaks).toBe(false)
    w.pass(10_000)
    expect(w.thoughts).toHaveLength(1)
  })

  // Verifies: V-87.
  it("by a short word stops the agent once its text is there", () => {
    const w = speaking()
    w.speak({ speechMs: 200, text: "Stop." })
    w.pass(700)
    expect(stops(w)).toHaveLength(0)
    w.pass(200)
    expect(stops(w)).toHaveLength(1)
    expect(w.thoughts).toHaveLength(1)
  })

  // Verifies: V-89.
  it.each(["", "yeah", "Okay, I see."])("that says %j is undone: the sentence is spoken from its beginning", (text) => {
    const w = speaking()
    w.speak({ speechMs: 600, text })
    w.pass(20_000)
    expect(w.commands.filter(({ command }) => command._tag === "Resume")).toHaveLength(1)
    expect(w.thoughts).toEqual([])
    expect(w.textOf("assistant").join(" ")).toBe(greeting)
    expect(w.entries.at(-1)).toMatchObject({ role: "assistant", text: greeting, isInterrupted: false })
  })

  // Verifies: V-49, V-91.
  it("leaves what was heard in transcript and history", () => {
    const w = speaking()
    w.speak({ speechMs: 1000, text: "Wait a moment." })
    w.pass(3000)
    const cut = w.entries.find(({ isInterrupted }) => isInterrupted)!
    expect(greeting.startsWith(cut.text)).toBe(true)
    expect(cut.text.length).toBeLessThan(40)
    expect(w.thoughts[0]!.history).toEqual([
      { role: "assistant", content: cut.text },
      { role: "user", content: "Wait a moment." }
    ])
  })

  // Verifies: V-92.
  it("does not happen where the agent cannot be interrupted: the words are the next turn", () => {
    const w = speaking({
      conversation: {
        turn: { silenceMs: 500, maxSilenceMs: 1500, minSpeechMs: 400, bargeIn: false, backchannel: null }
      }
    })
    w.speak({ speechMs: 1000, text: "I have a question." })
    w.pass(2500)
    expect(stops(w)).toHaveLength(0)
    expect(w.thoughts).toHaveLength(0)
    w.pass(5000)
    expect(w.thoughts).toHaveLength(1)
    expect(w.entries.find(({ role }) => role === "assistant")).toMatchObject({ text: greeting })
  })

  // Verifies: V-93.
  it("never cuts the notice of a recording", () => {
    const w = world({ conversation: { notice: "This call is recorded.", greeting } })
    w.pass(200)
    w.speak({ speechMs: 900, text: "Hello, who is this?" })
    w.pass(800)
    expect(stops(w)).toHaveLength(0)
    w.pass(10_000)
    const notice = w.entries.find(({ text }) => text === "This call is recorded.")
    expect(notice).toMatchObject({ isInterrupted: false })
  })
})

describe("the text of a reply", () => {
  const text = "**Two** items:\n- tea, at [our shop](https://example.com/a)\n- `B2_C3`\nThat is all."

  // Verifies: V-225.
  it("is spoken without Markdown, and stands in transcript and history as the model has written it", () => {
    const w = world({ reply: () => ({ text }) })
    w.speak({ speechMs: 500, text: "What is there?" })
    w.pass(20_000)
    expect(w.textOf("assistant").join(" ")).toBe("Two items: tea, at our shop B2_C3 That is all.")
    expect(w.entries.at(-1)!.text).toBe(text)
    expect(w.conversation.history.at(-1)).toEqual({ role: "assistant", content: text })
  })

  it("that is cut off ends with the word that was heard, as it was spoken", () => {
    const w = world({
      reply: () => ({ text: "It is **all** right. And *this* sentence is interrupted in its middle." })
    })
    w.speak({ speechMs: 500, text: "What is there?" })
    w.pass(500 + 500 + 100 + 200 + 100 + 1000)
    w.speak({ speechMs: 2000, text: "Wait a moment." })
    w.pass(20_000)
    const cut = w.entries.find(({ isInterrupted }) => isInterrupted)!
    expect(cut.text).toMatch(/^It is \*\*all\*\* right\. And this/)
    expect(cut.text).not.toContain("middle")
  })
})

describe("failures", () => {
  // Verifies: V-66, V-111.
  it("of listening are answered by a request to repeat, and end the conversation after three", () => {
    const w = world()
    for (const n of [1, 2, 3]) {
      w.speak({ speechMs: 500, text: null })
      w.pass(8000)
      expect(w.textOf("assistant").at(-1)).toBe(n < 3 ? "Say it again?" : "Goodbye.")
    }
    expect(w.endings).toEqual([{ _tag: "End", ending: { reason: "agent_error", code: "ASR_CONNECTION_CLOSED" } }])
  })

  // Verifies: V-66, V-111.
  it("of thinking are said, are no history, and end it after two", () => {
    const w = world({ reply: () => null })
    w.speak({ speechMs: 500, text: "Hello." })
    w.pass(8000)
    expect(w.textOf("assistant")).toEqual(["I am in trouble."])
    expect(w.conversation.history).toEqual([{ role: "user", content: "Hello." }])
    w.speak({ speechMs: 500, text: "Hello?" })
    w.pass(8000)
    expect(w.endings).toEqual([{ _tag: "End", ending: { reason: "agent_error", code: "FAILED_TO_THINK" } }])
  })

  it.each([
    ["nothing at all", ""],
    ["a sign alone", "👍"],
    ["no letter", "… **  **"]
  ])("of thinking are replies of %s, also", (_, text) => {
    const w = world({ reply: () => text })
    w.speak({ speechMs: 500, text: "Hello." })
    w.pass(8000)
    expect(w.textOf("assistant")).toEqual(["I am in trouble."])
    w.speak({ speechMs: 500, text: "Hello?" })
    w.pass(8000)
    expect(w.endings).toEqual([{ _tag: "End", ending: { reason: "agent_error", code: "FAILED_TO_THINK" } }])
  })

  it("of thinking after words that were written leave them, and are said after them", () => {
    const w = world({ reply: () => ({ text: "Let me look that up for you.\n", fails: true }) })
    w.speak({ speechMs: 500, text: "Hello." })
    w.pass(8000)
    expect(w.textOf("assistant")).toEqual(["Let me look that up for you.", "I am in trouble."])
    const own = { role: "assistant", content: "Let me look that up for you." }
    expect(w.conversation.history).toEqual([{ role: "user", content: "Hello." }, own])
    const [, stored] = w.entries
    expect(stored).toMatchObject({ text: "Let me look that up for you. I am in trouble.", isInterrupted: false })
    w.speak({ speechMs: 500, text: "Hello?" })
    w.pass(8000)
    expect(w.endings).toEqual([{ _tag: "End", ending: { reason: "agent_error", code: "FAILED_TO_THINK" } }])
  })

  it("of speaking in the middle of a sentence leave what was heard, and the agent listens again", () => {
    const w = world({
      isBroken: (n) => n % 3 === 2,
      conversation: { nudge: { max: 0, delayMs: 1, message: "", hangUp: true } }
    })
    for (const n of [1, 2, 3]) {
      w.speak({ speechMs: 500, text: "Hello." })
      w.pass(12_000)
      expect(w.conversation.isBusy).toBe(false)
      expect(w.entries.filter(({ role }) => role === "assistant")).toHaveLength(n)
    }
    expect(w.endings).toEqual([])
  })

  it("of speaking a goodbye in its middle end it all the same", () => {
    const w = world({ reply: () => null, isBroken: (n) => n === 2 })
    for (const _ of [1, 2]) {
      w.speak({ speechMs: 500, text: "Hello." })
      w.pass(8000)
    }
    expect(w.endings).toEqual([{ _tag: "End", ending: { reason: "agent_error", code: "FAILED_TO_THINK" } }])
  })

  // Verifies: V-65, V-114.
  it("of speaking a greeting end it at once", () => {
    const w = world({ isSpeakable: () => false, conversation: { greeting } })
    w.pass(1000)
    expect(w.endings).toEqual([{ _tag: "End", ending: { reason: "start_failed", code: "FAILED_TO_SPEAK" } }])
  })

  // Verifies: V-66.
  it("of speaking two replies end it", () => {
    const w = world({ isSpeakable: () => false })
    for (const _ of [1, 2]) {
      w.speak({ speechMs: 500, text: "Hello." })
      w.pass(8000)
    }
    expect(w.endings).toEqual([{ _tag: "End", ending: { reason: "agent_error", code: "FAILED_TO_SPEAK" } }])
  })
})

describe("silence", () => {
  const nudge = { max: 2, delayMs: 3000, message: "Are you still there?", hangUp: true }

  // Verifies: V-71, V-95.
  it("is counted from the end of playing, prompted, and ends the conversation", () => {
    const w = world({ conversation: { greeting, nudge } })
    w.pass(greeting.length * 50 + 100 + 2900)
    expect(w.textOf("assistant").at(-1)).not.toBe(nudge.message)
    w.pass(300)
    expect(w.textOf("assistant").at(-1)).toBe(nudge.message)
    w.pass(20_000)
    expect(w.textOf("assistant").filter((text) => text === nudge.message)).toHaveLength(2)
    expect(w.endings).toEqual([{ _tag: "End", ending: { reason: "no_input", code: "NO_INPUT" } }])
  })

  // Verifies: V-95.
  it("begins anew after speech", () => {
    const w = world({ conversation: { greeting, nudge } })
    w.pass(8000)
    w.speak({ speechMs: 300, text: "" })
    w.pass(4000)
    expect(w.endings).toEqual([])
    w.pass(30_000)
    expect(w.endings).toHaveLength(1)
  })

  // Verifies: V-94.
  it("at the beginning lets a caller speak first, for two seconds", () => {
    const quiet = world({ conversation: { greeting, firstSpeaker: "caller" } })
    quiet.pass(1900)
    expect(quiet.said).toEqual([])
    quiet.pass(300)
    expect(quiet.textOf("assistant")[0]).toBe("Hello, this is the agent of the shop.")
    const first = world({ conversation: { greeting, firstSpeaker: "caller" } })
    first.speak({ speechMs: 500, text: "Hello?" })
    first.pass(8000)
    expect(first.said.map(({ role }) => role)).toEqual(["user", "assistant", "assistant"])
    expect(first.thoughts).toEqual([])
  })
})

describe("messages", () => {
  // Verifies: V-42.
  it("of the client interrupt the agent and are answered", () => {
    const w = world({ conversation: { greeting } })
    w.pass(500)
    w.send({ _tag: "UserMessage", content: "What is the price?" })
    w.pass(6000)
    expect(w.thoughts[0]!.history.at(-1)).toEqual({ role: "user", content: "What is the price?" })
    expect(w.entries.some(({ isInterrupted }) => isInterrupted)).toBe(true)
  })

  // Verifies: V-43.
  it("of the agent are refused, wait or come first, as they ask", () => {
    const w = world({ conversation: { greeting } })
    w.pass(500)
    w.send({ _tag: "AgentMessage", message: "First.", behavior: "default" })
    expect(w.commands.at(-1)!.command._tag).toBe("Refuse")
    w.send({ _tag: "AgentMessage", message: "Later.", behavior: "queue" })
    w.send({ _tag: "AgentMessage", message: "Now.", behavior: "interrupt" })
    w.pass(6000)
    expect(w.textOf("assistant").slice(-2)).toEqual(["Now.", "Later."])
  })

  // Verifies: V-44.
  it("that force the end of a turn do so while the caller is still silent", () => {
    const w = world()
    w.speak({ speechMs: 500, text: "I want, " })
    w.pass(600)
    w.send({ _tag: "ForceEndTurn" })
    w.pass(150)
    expect(w.thoughts).toHaveLength(1)
    const none = world()
    none.send({ _tag: "ForceEndTurn" })
    expect(none.commands).toEqual([])
  })
})
