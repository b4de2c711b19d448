/** Whose answer a conversation waits for, and when it needs a person: docs/reference/messaging.md#inbox. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Activity,
  type Awaits,
  afterInbound,
  afterOutbound,
  answers,
  needsPerson
} from "../../../src/messaging/conversations/Awaits.ts"
import { nothingInIt } from "../../../src/messaging/conversations/Conversation.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"

const agent = { isActive: true, systemPrompt: "You help." }
const on = { aiAutoreplyEnabled: true }
const off = { aiAutoreplyEnabled: false }

describe("a number", () => {
  it.each<[what: string, number: typeof on, agent: Parameters<typeof answers>[1], is: boolean]>([
    ["that is on, with an active agent that has a prompt", on, agent, true],
    ["that is switched off", off, agent, false],
    ["without an agent", on, null, false],
    ["whose agent is inactive", on, { ...agent, isActive: false }, false],
    ["whose agent has no prompt", on, { ...agent, systemPrompt: null }, false],
    ["whose agent has an empty prompt", on, { ...agent, systemPrompt: "" }, false],
    ["whose agent has a prompt of white space alone", on, { ...agent, systemPrompt: " \n\u00a0\u3000\ufeff" }, false]
  ])("%s answers or not", (_, number, agent, is) => {
    expect(answers(number, agent)).toBe(is)
  })
})

describe("a conversation", () => {
  // Verifies: B-503.
  it.each<[awaits: Awaits, conversation: boolean, number: boolean, needs: boolean]>([
    ["nobody", true, true, false],
    ["nobody", false, false, false],
    ["agent", true, true, false],
    ["agent", false, true, true],
    ["agent", true, false, true],
    ["agent", false, false, true],
    ["person", true, true, true],
    ["person", false, false, true]
  ])(
    "that awaits %s, switched on: %s, whose number answers: %s, needs a person: %s",
    (...[awaits, own, number, needs]) => {
      expect(needsPerson({ awaits, aiAutoreplyEnabled: own, numberAnswers: number })).toBe(needs)
    }
  )

  // Verifies: B-502, B-503.
  it("has unread what the customer has written since the last read mark and the last answer, whatever comes", () => {
    const step = fc.constantFrom("customer", "customer without an answer", "answer", "read")
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let conversation: Activity = nothingInIt
        for (const [nth, what] of steps.entries()) {
          const message = { id: Ids.as<"Message">(`m${nth}`) }
          if (what === "read") conversation = { ...conversation, unreadCount: 0 }
          else if (what === "answer") conversation = afterOutbound(conversation, message)
          else conversation = afterInbound(conversation, message, what === "customer" ? "agent" : "person")
        }
        const messages = steps.map((what, nth) => ({ what, id: `m${nth}` })).filter(({ what }) => what !== "read")
        const last = messages.at(-1)
        expect(conversation.lastMessageId).toBe(last?.id ?? null)
        const seen = steps.findLastIndex((what) => what === "read" || what === "answer")
        expect(conversation.unreadCount).toBe(steps.length - 1 - seen)
        expect(conversation.awaits).toBe(
          last === undefined || last.what === "answer" ? "nobody" : last.what === "customer" ? "agent" : "person"
        )
      })
    )
  })
})
