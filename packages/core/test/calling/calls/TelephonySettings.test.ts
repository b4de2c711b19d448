/** What the callee hears: docs/reference/telephony.md#answer. */
import { describe, expect, it } from "vitest"
import type { Bot } from "../../../src/agents/bots/index.ts"
import { type AnswerPolicy, answerFor } from "../../../src/calling/calls/TelephonySettings.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"
import { queued, start } from "./SampleCall.ts"

const bot: Bot = {
  id: Ids.as("01936f00-0000-7000-8000-00000000000b"),
  tenantId: queued.tenantId,
  name: "Asha",
  type: "messaging",
  systemPrompt: null,
  isActive: true,
  config: {},
  createdAt: start,
  updatedAt: start
}

/** What is there when no agent can answer. */
const means = { hasMedia: true, mayAnswer: false }

describe("by default the carrier speaks", () => {
  it.each<[string, Bot | null, string, string | null]>([
    // Verifies: C-33, D-153.
    ["the agent's greeting", { ...bot, config: { greeting: "Good day!", language: "hi" } }, "Good day!", "hi"],
    ["its name, where it has no greeting", bot, "Asha", null],
    ["its name, where its greeting is blank", { ...bot, config: { greeting: "  " } }, "Asha", null],
    ["its name, where its greeting is no text", { ...bot, config: { greeting: 5, language: 5 } }, "Asha", null],
    ["a word, where there is no agent", null, "Hello.", null]
  ])("%s", (_, agent, text, language) => {
    expect(answerFor({ kind: "say" }, queued, agent, means)).toEqual({ _tag: "Say", text, language })
  })
})

describe("instructions and media elsewhere", () => {
  const call = { ...queued, botId: bot.id }

  // Verifies: D-154, D-155.
  it("get the ids of the call and the agent", () => {
    expect(answerFor({ kind: "url", url: "https://host.example/answer" }, call, bot, means)).toEqual({
      _tag: "Url",
      url: `https://host.example/answer?call_id=${queued.id}&bot_id=${bot.id}`
    })
    expect(answerFor({ kind: "stream", url: "wss://host.example/media" }, call, bot, means)).toEqual({
      _tag: "Stream",
      url: `wss://host.example/media?call_id=${queued.id}&bot_id=${bot.id}`
    })
  })

  it("keep what their address says already, and name no agent where there is none", () => {
    expect(answerFor({ kind: "url", url: "https://host.example/answer?shop=1" }, queued, null, means)).toEqual({
      _tag: "Url",
      url: `https://host.example/answer?shop=1&call_id=${queued.id}`
    })
  })
})

it("a host decides for each call", () => {
  const answer = answerFor(
    { kind: "host", onAnswer: (call, agent) => ({ _tag: "Say", text: `${call.to} ${agent?.name}`, language: null }) },
    queued,
    bot,
    means
  )
  expect(answer).toEqual({ _tag: "Say", text: "+1 415 555 0101 Asha", language: null })
})

// Verifies: TELE-10.
describe("an agent answers", () => {
  const agent: Bot = { ...bot, systemPrompt: "You sell tea." }
  const able = { hasMedia: true, mayAnswer: true }

  it("where it is said so, whatever is known of its models", () => {
    expect(answerFor({ kind: "agent" }, queued, agent, means)).toEqual({ _tag: "Agent" })
  })

  it("where nothing is said and it can be served", () => {
    expect(answerFor({ kind: "standard" }, queued, agent, able)).toEqual({ _tag: "Agent" })
    expect(answerFor({ kind: "standard" }, queued, agent, means)).toMatchObject({ _tag: "Say" })
    expect(answerFor({ kind: "say" }, queued, agent, able)).toMatchObject({ _tag: "Say" })
  })

  it("where a host says so", () => {
    const policy: AnswerPolicy = { kind: "host", onAnswer: () => ({ _tag: "Agent" }) }
    expect(answerFor(policy, queued, agent, able)).toEqual({ _tag: "Agent" })
    expect(answerFor(policy, queued, null, able)).toMatchObject({ _tag: "Say" })
  })

  it.each<[string, Bot | null, boolean]>([
    ["is inactive", { ...agent, isActive: false }, true],
    ["has no prompt", bot, true],
    ["has a blank prompt", { ...agent, systemPrompt: " " }, true],
    ["is not there", null, true],
    ["is on a carrier that brings no sound", agent, false]
  ])("unless it %s: then the call is spoken to", (_, who, hasMedia) => {
    for (const kind of ["agent", "standard"] as const)
      expect(answerFor({ kind }, queued, who, { ...able, hasMedia })).toMatchObject({ _tag: "Say" })
  })
})
