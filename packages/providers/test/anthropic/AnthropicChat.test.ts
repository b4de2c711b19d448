/** Agents whose model is at the messages API. Verifies: ANTH-4. */
import { assert, describe, it } from "@effect/vitest"
import type { ChatWork, GenerateWork } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { anthropicChat } from "../../src/anthropic/AnthropicChat.ts"

const work: ChatWork = {
  model: "claude",
  requestedModel: "claude-sonnet-5",
  messages: [
    { role: "system", text: "Be kind." },
    { role: "user", text: "What is this?", images: [{ contentType: "image/png", bytes: new Uint8Array([1, 2, 3]) }] },
    { role: "assistant", text: "", toolCalls: [{ id: "call_1", name: "look", arguments: '{"at":1}' }] },
    { role: "tool", callId: "call_1", text: "a cat" }
  ],
  tools: [{ name: "look", description: "Looks.", parameters: { type: "object", properties: {} } }],
  maxOutputTokens: 50
}

const answered = (json: Record<string, unknown>) => {
  const asked: Array<GenerateWork> = []
  const chat = anthropicChat((given) => {
    asked.push(given)
    return Effect.succeed({ json, hasEndMark: false })
  })
  return { asked, chat: chat(work) }
}

const usage = { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 3 }

describe("an agent's chat", () => {
  it.effect("goes out as a message with its pictures, tools and results, and comes back as text and calls", () =>
    Effect.gen(function* () {
      const content = [
        { type: "text", text: "A cat." },
        { type: "tool_use", id: "t", name: "look", input: { at: 2 } }
      ]
      const { asked, chat } = answered({ content, stop_reason: "tool_use", usage })
      assert.deepStrictEqual(yield* chat, {
        text: "A cat.",
        toolCalls: [{ id: "t", name: "look", arguments: '{"at":2}' }],
        tokens: { input: 14, cachedInput: 4, output: 3 }
      })
      const [{ api, body } = assert.fail("nothing was asked")] = asked
      assert.strictEqual(api, "messages")
      assert.deepInclude(body, { model: "claude", max_tokens: 50, system: "Be kind." })
      const written = JSON.stringify(body.messages)
      for (const part of ['"base64"', "AQID", '"tool_use"', '"tool_result"', "a cat"]) assert.include(written, part)
    })
  )

  it.effect("has no count of tokens where the upstream reports none", () =>
    Effect.gen(function* () {
      const { chat } = answered({ content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" })
      assert.isNull((yield* chat).tokens)
    })
  )

  it.effect("fails where the answer cannot be read", () =>
    Effect.gen(function* () {
      const { chat } = answered({ content: "Hi" })
      assert.strictEqual((yield* Effect.flip(chat)).why, "unreadable")
    })
  )
})
