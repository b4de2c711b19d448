/** What the callee hears: docs/telephony.md#answer. */
import { describe, expect, it } from "vitest"
import type { Bot } from "../../src/bots/index.ts"
import { Ids } from "../../src/kernel/index.ts"
import { answerFor } from "../../src/telephony/TelephonySettings.ts"
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

describe("by default the carrier speaks", () => {
  it.each<[string, Bot | null, string, string | null]>([
    // Verifies: C-33, D-153.
    ["the agent's greeting", { ...bot, config: { greeting: "Good day!", language: "hi" } }, "Good day!", "hi"],
    ["its name, where it has no greeting", bot, "Asha", null],
    ["its name, where its greeting is blank", { ...bot, config: { greeting: "  " } }, "Asha", null],
    ["its name, where its greeting is no text", { ...bot, config: { greeting: 5, language: 5 } }, "Asha", null],
    ["a word, where there is no agent", null, "Hello.", null]
  ])("%s", (_, agent, text, language) => {
    expect(answerFor({ kind: "say" }, queued, agent)).toEqual({ _tag: "Say", text, language })
  })
})

describe("instructions and media elsewhere", () => {
  const call = { ...queued, botId: bot.id }

  // Verifies: D-154, D-155.
  it("are told the call and the agent", () => {
    expect(answerFor({ kind: "url", url: "https://host.example/answer" }, call, bot)).toEqual({
      _tag: "Url",
      url: `https://host.example/answer?call_id=${queued.id}&bot_id=${bot.id}`
    })
    expect(answerFor({ kind: "stream", url: "wss://host.example/media" }, call, bot)).toEqual({
      _tag: "Stream",
      url: `wss://host.example/media?call_id=${queued.id}&bot_id=${bot.id}`
    })
  })

  it("keep what their address says already, and name no agent where there is none", () => {
    expect(answerFor({ kind: "url", url: "https://host.example/answer?shop=1" }, queued, null)).toEqual({
      _tag: "Url",
      url: `https://host.example/answer?shop=1&call_id=${queued.id}`
    })
  })
})

it("a host decides for each call", () => {
  const answer = answerFor(
    { kind: "host", onAnswer: (call, agent) => ({ _tag: "Say", text: `${call.to} ${agent?.name}`, language: null }) },
    queued,
    bot
  )
  expect(answer).toEqual({ _tag: "Say", text: "+1 415 555 0101 Asha", language: null })
})
