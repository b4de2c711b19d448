/** Random schedules of speech, pauses, confirmations, failures, messages and keys. Verifies: CONV-1, CONV-2, CONV-5, CONV-6. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { ConversationWorld } from "./ConversationWorld.ts"

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
    { _tag: "Key", key: "5" } as const,
    { _tag: "Key", key: "#" } as const,
    { _tag: "ForceEndTurn" } as const
  )
})
const world = fc.record({
  sttMs: fc.integer({ min: 0, max: 900 }),
  llmMs: fc.integer({ min: 0, max: 2500 }),
  ttsMs: fc.integer({ min: 0, max: 900 }),
  bargeIn: fc.boolean(),
  hasGreeting: fc.boolean(),
  hasNotice: fc.boolean(),
  isCallerFirst: fc.boolean(),
  minSpeechMs: fc.constantFrom(0, 400, 1000),
  failing: fc.constantFrom(0, 2, 3),
  unspeakable: fc.constantFrom(0, 4, 5)
})

const check = (w: ConversationWorld) => {
  // One reply to each turn: what is stored of a turn's replies was written by one run, and that was not cancelled unheard.
  const runs = new Map<string, Set<string>>()
  for (const { role, text, turn } of w.entries) {
    const run = /Reply (\d+)/.exec(text)?.[1]
    if (role === "assistant" && run !== undefined) runs.set(turn, (runs.get(turn) ?? new Set()).add(run))
  }
  for (const of of runs.values()) expect(of.size).toBe(1)
  const replies = w.entries.filter(({ role, text }) => role === "assistant" && text.includes("Reply"))
  expect(new Set(replies.map(({ turn }) => turn)).size).toBe(replies.length)
  // Each message of the agent in the history was said, and each run that was asked has a message of the caller at its end.
  const said = w.textOf("assistant").join(" ")
  for (const { content, role } of w.conversation.history) {
    if (role === "assistant") expect(said).toContain(content.split(" ").slice(0, 2).join(" "))
  }
  for (const { history } of w.thoughts) expect(history.at(-1)?.role).toBe("user")
  // A run that was cancelled before its first sound was not said.
  for (const run of w.cancelled) {
    const heard = w.said.some(({ text }) => text.includes(`Reply ${run} `))
    const stored = w.entries.some(({ text }) => text.includes(`Reply ${run} `))
    if (stored) expect(heard).toBe(true)
  }
  expect(w.endings.length).toBeLessThanOrEqual(1)
}

// Verifies: V-84.
it("keep one reply to a turn, and end or wait, whatever happens when", () => {
  fc.assert(
    fc.property(world, fc.array(fc.oneof({ weight: 3, arbitrary: speech }, message), { maxLength: 12 }), (of, acts) => {
      const w = new ConversationWorld({
        ...of,
        reply: (run) =>
          of.failing > 0 && run % of.failing === 0 ? null : `Reply ${run} begins here, and goes on. It ends.`,
        isSpeakable: (n) => of.unspeakable === 0 || n % of.unspeakable !== 0,
        conversation: {
          greeting: of.hasGreeting ? "Hello, this is the shop." : null,
          notice: of.hasNotice ? "This call is recorded." : null,
          firstSpeaker: of.isCallerFirst ? "caller" : "agent",
          turn: {
            silenceMs: 500,
            maxSilenceMs: 1500,
            minSpeechMs: of.minSpeechMs,
            bargeIn: of.bargeIn,
            backchannel: null
          },
          nudge: { max: 1, delayMs: 3000, message: "Are you still there?", hangUp: true }
        }
      }).begin()
      for (const act of acts) {
        w.pass(act.afterMs)
        if (act.kind === "message") w.send(act.event)
        else {
          w.speak(act)
          w.pass(act.speechMs + 700)
        }
      }
      // Nobody speaks any more: the agent answers, prompts, and hangs up.
      w.pass(90_000)
      check(w)
      expect(w.endings).toHaveLength(1)
    }),
    { numRuns: 500 }
  )
})
