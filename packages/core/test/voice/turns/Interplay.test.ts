/** Who speaks when, rule by rule, in simulated time. Verifies: CONV-1, CONV-3, CONV-5. */
import { describe, expect, it } from "vitest"
import { ConversationWorld, type WorldOptions } from "./ConversationWorld.ts"

const world = (options: WorldOptions = {}) => new ConversationWorld(options).begin()
const greeting = "Hello, this is the agent of the shop. How can I help you today?"
const greeted = (options: WorldOptions = {}) =>
  world({ ...options, conversation: { greeting, ...options.conversation } }).pass(600)
const count = (w: ConversationWorld, tag: string) => w.commands.filter(({ command }) => command._tag === tag).length

describe("an utterance", () => {
  // Verifies: V-78.
  it("is cut at a pause beyond 30 seconds, and its turn goes on", () => {
    const w = world()
    w.speak({ speechMs: 31_000, text: "A very long story," })
    w.pass(31_200)
    expect(count(w, "Transcribe")).toBe(1)
    expect(w.thoughts).toEqual([])
    const none = world()
    none.speak({ speechMs: 20_000, text: "A long story." })
    none.pass(20_200)
    expect(count(none, "Transcribe")).toBe(0)
  })

  // Verifies: V-79.
  it("is transcribed as soon as it is over, also where its turn is not", () => {
    const w = world()
    w.speak({ speechMs: 960, text: "I want a pizza and" })
    w.pass(960 + 550)
    expect([count(w, "Listen"), count(w, "Transcribe"), w.thoughts.length]).toEqual([1, 1, 0])
    w.pass(200)
    expect(w.textOf("user")).toEqual(["I want a pizza and"])
  })

  // Verifies: V-48.
  it("is shown once, where it has words, and is one entry of the transcript", () => {
    const w = world()
    w.speak({ speechMs: 500, text: "" })
    w.pass(3000)
    w.speak({ speechMs: 500, text: "What is the price?" })
    w.pass(3000)
    expect(w.textOf("user")).toEqual(["What is the price?"])
    expect(w.entries.filter(({ role }) => role === "user")).toHaveLength(1)
  })
})

describe("speech", () => {
  /** Frames of speech, which is certain unless the test says otherwise, or of silence. */
  const frames = (w: ConversationWorld, count: number, { isCertain = true, isSpeech = true } = {}) => {
    for (let nth = 0; nth < count; nth++) {
      w.pass(32)
      w.send({ _tag: "Frame", isSpeech, isCertain: isSpeech && isCertain })
    }
  }
  const silent = { isSpeech: false }

  // Verifies: V-77.
  it("that is not certain is none: nobody listens, and the agent is not cancelled", () => {
    const w = world({ llmMs: 3000 })
    w.send({ _tag: "UserMessage", content: "What is the price?" })
    for (const length of [1, 2, 5]) {
      frames(w, length, { isCertain: false })
      frames(w, 1, silent)
    }
    expect([count(w, "Listen"), count(w, "CallerSpeaks"), w.cancelled.size]).toEqual([0, 0, 0])
  })

  it("begins with its first frame once it is certain", () => {
    const w = greeted()
    frames(w, 2, { isCertain: false })
    expect(count(w, "Listen")).toBe(0)
    frames(w, 9)
    expect([count(w, "Listen"), count(w, "Stop")]).toEqual([1, 0])
    // Twelve frames, and the half before them, are 400 ms.
    frames(w, 1)
    expect(count(w, "Stop")).toBe(1)
  })

  // Verifies: V-44, V-81.
  it.each([
    ["by the client", { _tag: "ForceEndTurn" } as const],
    ["by the listening model", { _tag: "TurnDecided", utterance: 1 } as const]
  ])("that a detector still reports after its turn was ended %s belongs to that turn", (_, ending) => {
    const w = world({ llmMs: 100 })
    frames(w, 20)
    w.send(ending)
    frames(w, 9)
    frames(w, 1, silent)
    w.pass(20_000)
    expect([count(w, "Listen"), count(w, "CallerSpeaks"), w.cancelled.size]).toEqual([1, 1, 0])
  })

  it("that goes on after its turn was ended is the next turn", () => {
    const w = world()
    frames(w, 20)
    w.send({ _tag: "ForceEndTurn" })
    frames(w, 10)
    expect(count(w, "Listen")).toBe(2)
  })
})

describe("a turn", () => {
  // Verifies: V-81.
  it("is over when a listening model says so that decides itself, whatever its words are", () => {
    const w = world({ conversation: { decidesTurns: true } })
    w.speak({ speechMs: 500, text: "Is that all?" })
    w.pass(1400)
    expect(w.thoughts).toHaveLength(0)
    w.send({ _tag: "TurnDecided", utterance: 1 })
    w.pass(200)
    expect(w.thoughts).toHaveLength(1)
  })

  // Verifies: V-81.
  it("is over after the longest silence where such a model says nothing", () => {
    const w = world({ conversation: { decidesTurns: true } })
    w.speak({ speechMs: 500, text: "Is that all?" })
    w.pass(500 + 1500 + 200)
    expect(w.thoughts).toHaveLength(1)
  })

  // Verifies: V-88.
  it("may be words that only confirm, while the agent is silent", () => {
    const w = world()
    w.speak({ speechMs: 400, text: "Okay." })
    w.pass(5000)
    expect(w.asked).toEqual(["Okay."])
  })

  // Verifies: V-88.
  it("is none of the words that only confirm, while the agent speaks: it goes on, and the transcript has them", () => {
    const w = greeted()
    w.speak({ speechMs: 250, text: "mhm" })
    w.pass(20_000)
    expect([count(w, "Stop"), w.thoughts.length]).toEqual([0, 0])
    expect(w.entries.map(({ text }) => text)).toEqual(expect.arrayContaining(["mhm", greeting]))
  })

  // Verifies: V-88.
  it("is any word where the agent's own list is empty", () => {
    const turn = { silenceMs: 500, maxSilenceMs: 1500, minSpeechMs: 400, bargeIn: true, backchannel: [] }
    const w = greeted({ conversation: { turn } })
    w.speak({ speechMs: 250, text: "mhm" })
    w.pass(2000)
    expect(count(w, "Stop")).toBe(1)
  })
})

describe("a caller who cannot interrupt", () => {
  const turn = { silenceMs: 500, maxSilenceMs: 1500, minSpeechMs: 400, bargeIn: false, backchannel: null }

  // Verifies: V-92.
  it("and speaks while a reply plays is answered next, and the history has the reply first", () => {
    const w = world({ conversation: { turn } })
    w.send({ _tag: "UserMessage", content: "What is the price?" })
    w.pass(1000)
    w.speak({ speechMs: 1000, text: "And for two?" })
    w.pass(20_000)
    expect(count(w, "Stop")).toBe(0)
    expect(w.thoughts).toHaveLength(2)
    expect(w.thoughts[1]!.history.map((one) => (one.role === "tool" ? "" : one.content))).toEqual([
      "What is the price?",
      expect.stringContaining("Reply 1 begins here."),
      "And for two?"
    ])
  })
})

// Verifies: V-222.
describe("a turn of the caller", () => {
  it("is a new one for words during which their turn was answered, and another one after it", () => {
    const turn = { silenceMs: 500, maxSilenceMs: 1500, minSpeechMs: 0, bargeIn: false, backchannel: null }
    const w = world({ ...{ llmMs: 0, ttsMs: 0, sttMs: 0 }, conversation: { turn, notice: "This call is recorded." } })
    w.send({ _tag: "UserMessage", content: "What is the price?" })
    w.send({ _tag: "Key", key: "5" })
    w.pass(664)
    w.speak({ speechMs: 2320, text: "I want a pizza." })
    w.pass(60_000)
    const replies = w.entries.filter(({ role, text }) => role === "assistant" && text.includes("Reply"))
    expect(replies).toHaveLength(3)
    expect(new Set(replies.map((reply) => reply.turn)).size).toBe(3)
  })

  const begun = (w: ConversationWorld) => w.entries.filter(({ beginsTurn }) => beginsTurn).map(({ text }) => text)

  it("is one, however many utterances it has and however often its reply is begun", () => {
    const w = world({ llmMs: 1500 })
    for (const text of ["I want a pizza,", "with olives.", "And cheese."]) {
      w.speak({ speechMs: 500, text })
      w.pass(1800)
    }
    w.pass(20_000)
    w.speak({ speechMs: 500, text: "Thank you very much." })
    w.pass(20_000)
    expect(begun(w)).toEqual(["I want a pizza,", "Thank you very much."])
  })

  it("is none of words that only confirm what the agent says, and one of the same words into silence", () => {
    const w = greeted()
    w.speak({ speechMs: 250, text: "uh huh" })
    w.pass(20_000)
    expect(begun(w)).toEqual([])
    w.speak({ speechMs: 400, text: "Yes." })
    w.pass(20_000)
    expect(begun(w)).toEqual(["Yes."])
  })

  it("begins with the caller's words where a message of ours waits for its reply", () => {
    const w = world({ llmMs: 3000 })
    w.send({ _tag: "Happened", content: "(The transfer failed.)" })
    w.pass(500)
    w.send({ _tag: "UserMessage", content: "Hello?" })
    w.pass(20_000)
    expect(w.thoughts.at(-1)!.history).toEqual([{ role: "user", content: "(The transfer failed.) Hello?" }])
    expect(begun(w)).toEqual(["Hello?"])
  })
})

describe("a client", () => {
  // Verifies: V-47.
  it("hears that the caller speaks, and while the agent does only where that stops it", () => {
    const silent = world()
    silent.speak({ speechMs: 200, text: "Hi." })
    silent.pass(100)
    expect(count(silent, "CallerSpeaks")).toBe(1)
    const short = greeted()
    short.speak({ speechMs: 250, text: "yeah" })
    short.pass(3000)
    expect(count(short, "CallerSpeaks")).toBe(0)
    const long = greeted()
    long.speak({ speechMs: 1500, text: "Wait a moment." })
    long.pass(1000)
    expect([count(long, "CallerSpeaks"), count(long, "Stop")]).toEqual([1, 1])
  })

  // Verifies: V-54.
  it("hears of the last sound of what the agent says, unless that was interrupted", () => {
    const whole = greeted()
    whole.pass(10_000)
    expect(count(whole, "AgentDone")).toBe(1)
    const cut = greeted()
    cut.speak({ speechMs: 1000, text: "Wait a moment." })
    cut.pass(1500)
    expect(count(cut, "AgentDone")).toBe(0)
  })

  // Verifies: V-55.
  it("gets the times of a reply once, after its first sound, and none of what is no reply", () => {
    const w = greeted()
    w.pass(10_000)
    expect([count(w, "AgentSpeaks"), count(w, "Latency")]).toEqual([1, 0])
    w.speak({ speechMs: 500, text: "What is the price?" })
    w.pass(15_000)
    expect([count(w, "AgentSpeaks"), count(w, "Latency")]).toEqual([2, 1])
    const tags = w.commands.map(({ command }) => command._tag)
    expect(tags.lastIndexOf("Latency")).toBeGreaterThan(tags.lastIndexOf("AgentSpeaks"))
  })

  // Verifies: V-83.
  it("may have the agent say something once the last sound has been played, and not before", () => {
    const w = greeted()
    const playedMs = greeting.length * 50 + 100
    w.pass(playedMs - 600 - 300)
    expect([count(w, "AgentDone"), w.conversation.agentSpeaks]).toEqual([1, true])
    w.send({ _tag: "AgentMessage", message: "One more thing.", behavior: "default" })
    expect(count(w, "Refuse")).toBe(1)
    w.pass(500)
    expect(w.conversation.agentSpeaks).toBe(false)
    w.send({ _tag: "AgentMessage", message: "One more thing.", behavior: "default" })
    w.pass(3000)
    expect(w.textOf("assistant").at(-1)).toBe("One more thing.")
  })

  // Verifies: V-42, V-43.
  it("may not have the agent say something while the caller speaks or a reply is made, by default", () => {
    const w = world({ llmMs: 2000 })
    w.speak({ speechMs: 1000, text: "What is the price?" })
    w.pass(500)
    for (const behavior of ["default", "queue"] as const) w.send({ _tag: "AgentMessage", message: "Now.", behavior })
    expect(count(w, "Refuse")).toBe(2)
    w.pass(1500)
    expect(w.thoughts).toHaveLength(1)
    w.send({ _tag: "AgentMessage", message: "Now.", behavior: "default" })
    expect(count(w, "Refuse")).toBe(3)
  })
})

describe("silence", () => {
  const nudge = { max: 1, delayMs: 3000, message: "Are you still there?", hangUp: false }

  // Verifies: V-95.
  it("never ends a conversation whose agent is not to hang up", () => {
    const w = greeted({ conversation: { nudge } })
    w.pass(120_000)
    expect(w.textOf("assistant").filter((text) => text === nudge.message)).toHaveLength(1)
    expect(w.endings).toEqual([])
  })

  // Verifies: V-95.
  it("is not counted while a function runs", () => {
    const w = world({ conversation: { nudge: { ...nudge, hangUp: true } }, llmMs: 60_000 })
    w.send({ _tag: "UserMessage", content: "Look it up." })
    w.pass(500)
    w.send({ _tag: "FunctionsBegun", run: 1 })
    w.pass(20_000)
    expect(w.textOf("assistant")).toEqual(["One moment, please."])
    expect(w.endings).toEqual([])
  })
})

describe("a function", () => {
  const asked = (conversation: WorldOptions["conversation"] = {}) => {
    const w = world({ conversation, llmMs: 60_000 })
    w.send({ _tag: "UserMessage", content: "Look it up." })
    w.pass(500)
    w.send({ _tag: "FunctionsBegun", run: 1 })
    return w
  }

  // Verifies: V-97.
  it("that takes two seconds is excused once in a reply", () => {
    const w = asked()
    w.pass(1900)
    expect(w.textOf("assistant")).toEqual([])
    w.pass(10_000)
    expect(w.textOf("assistant")).toEqual(["One moment, please."])
    w.send({ _tag: "FunctionsEnded", run: 1 })
    w.send({ _tag: "FunctionsBegun", run: 1 })
    w.pass(10_000)
    expect(w.textOf("assistant")).toEqual(["One moment, please."])
  })

  // Verifies: V-97.
  it("is not excused where it is quick, or the agent has no words for it", () => {
    const quick = asked()
    quick.pass(1000)
    quick.send({ _tag: "FunctionsEnded", run: 1 })
    quick.pass(5000)
    expect(quick.textOf("assistant")).toEqual([])
    const silent = asked({ waitMessage: "" })
    silent.pass(10_000)
    expect(silent.textOf("assistant")).toEqual([])
  })
})
