/**
 * Random schedules of speech, pauses, confirmations, tokens, functions, failures, marks, messages, keys and hang-ups.
 * Verifies: CONV-1, CONV-2, CONV-5, CONV-6.
 */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { ConversationWorld, type Written } from "./ConversationWorld.ts"

const speech = fc.record({
  kind: fc.constant("speech" as const),
  afterMs: fc.integer({ min: 0, max: 4000 }),
  speechMs: fc.integer({ min: 32, max: 2500 }),
  text: fc.constantFrom("Yes.", "uh huh", "", "I want a pizza.", "And then", "Stop!", "My number is 12", null)
})
const message = fc.record({
  kind: fc.constant("message" as const),
  afterMs: fc.integer({ min: 0, max: 4000 }),
  event: fc.constantFrom(
    { _tag: "UserMessage", content: "What is the price?" } as const,
    { _tag: "AgentMessage", message: "A message.", behavior: "interrupt" } as const,
    { _tag: "AgentMessage", message: "A message.", behavior: "queue" } as const,
    { _tag: "AgentMessage", message: "A message.", behavior: "default" } as const,
    { _tag: "Happened", content: "(The transfer failed.)" } as const,
    { _tag: "Key", key: "5" } as const,
    { _tag: "Key", key: "#" } as const,
    { _tag: "ForceEndTurn" } as const
  )
})

/** What comes of the nth run, by what a schedule says of it. */
const written = {
  whole: (run: number): Written => ({ text: `Reply ${run} begins here, and goes on. It ends.` }),
  slow: (run: number): Written => ({ text: `Reply ${run} begins here, and goes on. It ends.`, functionMs: 3500 }),
  broken: (run: number): Written => ({ text: `Reply ${run} begins here, and goes on. It breaks`, fails: true }),
  empty: (): Written => ({ text: "" }),
  sign: (): Written => ({ text: "👍" }),
  failed: () => null,
  last: (run: number): Written => ({ text: `Reply ${run} says goodbye.`, after: "end" })
} as const
const outcomes = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant("whole" as const) },
    { weight: 4, arbitrary: fc.constantFrom("slow", "broken", "empty", "sign", "failed") },
    { weight: 1, arbitrary: fc.constant("last" as const) }
  ),
  { minLength: 1, maxLength: 6 }
)

const world = fc.record({
  sttMs: fc.integer({ min: 0, max: 900 }),
  llmMs: fc.integer({ min: 0, max: 2500 }),
  ttsMs: fc.integer({ min: 0, max: 900 }),
  tokenMs: fc.integer({ min: 0, max: 200 }),
  markMs: fc.constantFrom(0, 300, 2000),
  writesOn: fc.boolean(),
  bargeIn: fc.boolean(),
  hasGreeting: fc.boolean(),
  hasNotice: fc.boolean(),
  isCallerFirst: fc.boolean(),
  minSpeechMs: fc.constantFrom(0, 400, 1000),
  outcomes,
  unspeakable: fc.constantFrom(0, 4, 5),
  breaking: fc.constantFrom(0, 0, 3, 4),
  hangsUpAfter: fc.option(fc.integer({ min: 0, max: 12 }))
})

type Of = typeof world extends fc.Arbitrary<infer A> ? A : never

const worldOf = (of: Of): ConversationWorld =>
  new ConversationWorld({
    ...of,
    reply: (run) => written[of.outcomes[(run - 1) % of.outcomes.length]!](run),
    isSpeakable: (n) => of.unspeakable === 0 || n % of.unspeakable !== 0,
    isBroken: (n) => of.breaking > 0 && n % of.breaking === 0,
    conversation: {
      greeting: of.hasGreeting ? "Hello, this is the shop." : null,
      notice: of.hasNotice ? "This call is recorded." : null,
      firstSpeaker: of.isCallerFirst ? "caller" : "agent",
      turn: { silenceMs: 500, maxSilenceMs: 1500, minSpeechMs: of.minSpeechMs, bargeIn: of.bargeIn, backchannel: null },
      nudge: { max: 1, delayMs: 3000, message: "Are you still there?", hangUp: true }
    }
  }).begin()

/** What is stored of a turn's replies was written by one run: a turn has one reply. */
const checkReplies = (w: ConversationWorld) => {
  const runs = new Map<string, Set<string>>()
  for (const { role, text, turn } of w.entries) {
    const run = /Reply (\d+)/.exec(text)?.[1]
    if (role === "assistant" && run !== undefined) runs.set(turn, (runs.get(turn) ?? new Set()).add(run))
  }
  for (const of of runs.values()) expect(of.size).toBe(1)
  const replies = w.entries.filter(({ role, text }) => role === "assistant" && text.includes("Reply"))
  expect(new Set(replies.map(({ turn }) => turn)).size).toBe(replies.length)
}

/** Each message of the agent in the history was said, and each run that was asked has a message of the caller at its end. */
const checkHistory = (w: ConversationWorld) => {
  const said = w.textOf("assistant").join(" ")
  for (const one of w.conversation.history) {
    if (one.role === "assistant") expect(said).toContain(one.content.split(" ").slice(0, 2).join(" "))
  }
  for (const { history } of w.thoughts) expect(history.at(-1)?.role).toBe("user")
}

/** Nothing of a run that was cancelled before its first sound is spoken afterwards, said, stored, or known to a later run. */
const checkCancelled = (w: ConversationWorld) => {
  for (const [at, { command }] of w.commands.entries()) {
    if (command._tag !== "CancelRun") continue
    const mine = `Reply ${command.run} `
    const later = w.commands.slice(at).map((one) => one.command)
    expect(later.some((one) => one._tag === "Speak" && one.text.includes(mine))).toBe(false)
    if (w.said.some(({ text }) => text.includes(mine))) continue
    expect(w.entries.some(({ text }) => text.includes(mine))).toBe(false)
    expect(
      w.thoughts.some(({ history }) => history.some((one) => one.role !== "tool" && one.content.includes(mine)))
    ).toBe(false)
  }
}

/** Nothing is stored of the agent that was not said, and nothing said twice. */
const checkSaid = (w: ConversationWorld) => {
  const said = w.textOf("assistant").join(" ")
  for (const { role, text } of w.entries) {
    if (role === "assistant") expect(said).toContain(text.replace(/[^\p{L}\p{N}]+$/u, ""))
  }
  const replies = w.textOf("assistant").filter((text) => text.includes("Reply"))
  expect(new Set(replies).size).toBe(replies.length)
}

/** One end, and no command after it; of every reply that begins, the end is announced, or it was stopped. */
const checkEnd = (w: ConversationWorld) => {
  const names = w.commands.map(({ command }) => command._tag)
  const end = names.indexOf("End")
  if (end >= 0) expect(end).toBe(names.length - 1)
  expect(w.endings.length).toBeLessThanOrEqual(1)
  let isSpeaking = false
  for (const name of names) {
    if (name === "AgentSpeaks") {
      expect(isSpeaking).toBe(false)
      isSpeaking = true
    }
    if (name === "AgentDone" || name === "Stop") isSpeaking = false
    // What was cut off goes on, and is announced as done again.
    if (name === "Resume") isSpeaking = false
  }
}

const confirming = ["Yes.", "uh huh"]

/** Whatever the caller has said and not only confirmed is asked of the model, where the conversation goes on to its silence. */
const checkAsked = (w: ConversationWorld) => {
  if (!w.endings.some((one) => one._tag === "End" && one.ending.reason === "no_input")) return
  for (const text of w.textOf("user").filter((one) => !confirming.includes(one))) {
    expect(
      w.asked.some((words) => words?.includes(text)),
      text
    ).toBe(true)
  }
}

const check = (w: ConversationWorld) => {
  checkReplies(w)
  checkHistory(w)
  checkCancelled(w)
  checkSaid(w)
  checkEnd(w)
}

// Verifies: V-84.
it("keep one reply to a turn, and end or wait, whatever happens when", () => {
  fc.assert(
    fc.property(world, fc.array(fc.oneof({ weight: 3, arbitrary: speech }, message), { maxLength: 12 }), (of, acts) => {
      const w = worldOf(of)
      for (const [n, act] of acts.entries()) {
        if (n === of.hangsUpAfter) break
        w.pass(act.afterMs)
        if (act.kind === "message") w.send(act.event)
        else {
          w.speak(act)
          w.pass(act.speechMs + 700)
        }
      }
      if (of.hangsUpAfter !== null && of.hangsUpAfter < acts.length) {
        w.hangUp()
        const { length } = w.commands
        w.pass(90_000)
        expect(w.commands).toHaveLength(length)
        return check(w)
      }
      // Nobody speaks any more: the agent answers, prompts, and hangs up.
      w.pass(120_000)
      check(w)
      // The first words of a caller who is to speak first are answered by the greeting.
      if (!of.isCallerFirst) checkAsked(w)
      expect(w.endings).toHaveLength(1)
    }),
    { numRuns: 700 }
  )
})
