/** How large a prompt is, and what is reserved and estimated for it: docs/reference/language-models.md#tokens. Verifies: LANG-4. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { promptSize } from "../../../../src/gateway/llm/tokens/PromptSize.ts"
import {
  estimatedInput,
  estimatedOutput,
  maxAmount,
  maxInputTokens
} from "../../../../src/gateway/llm/tokens/TokenCount.ts"

const none = { textBytes: 0, documentBytes: 0, messages: 0, pictures: 0, cachesForHour: false }
const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }

describe("the size of a prompt", () => {
  it("counts texts in bytes of UTF-8, and each message", () => {
    const messages = [
      { role: "system", content: "नमस्ते" },
      { role: "user", content: [{ type: "text", text: "two" }, picture] }
    ]
    expect(promptSize("chat_completions", { messages })).toEqual({
      ...none,
      textBytes: new TextEncoder().encode("नमस्ते").length + 3,
      messages: 2,
      pictures: 1
    })
  })

  it("counts calls, their results and tools", () => {
    const tools = [{ type: "function", function: { name: "look" } }]
    const call = { id: "c", type: "function", function: { name: "look", arguments: '{"a":1}' } }
    const messages = [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c", content: "done" }
    ]
    expect(promptSize("chat_completions", { messages, tools }).textBytes).toBe(
      "look".length + 7 + 4 + JSON.stringify(tools).length
    )
  })

  it("counts a system prompt of its own field as a text and as no message", () => {
    const messages = [{ role: "user", content: "hi" }]
    expect(promptSize("messages", { system: "Be kind", messages })).toEqual({ ...none, textBytes: 9, messages: 1 })
    expect(promptSize("responses", { instructions: "Be kind", input: "hi" })).toEqual({
      ...none,
      textBytes: 9,
      messages: 1
    })
  })

  it("counts documents and audio by the bytes that they are decoded to", () => {
    const file = { type: "file", file: { file_data: `data:application/pdf;base64,${"A".repeat(400)}` } }
    const audio = { type: "input_audio", input_audio: { data: "A".repeat(40), format: "wav" } }
    const messages = [{ role: "user", content: [file, audio] }]
    expect(promptSize("chat_completions", { messages })).toEqual({ ...none, documentBytes: 330, messages: 1 })
  })

  it("says whether a part is to be kept by a cache for an hour, wherever that is written", () => {
    const hour = { cache_control: { type: "ephemeral", ttl: "1h" } }
    const text = { type: "text", text: "a" }
    const said = (content: unknown, fields = {}) =>
      promptSize("messages", { messages: [{ role: "user", content }], ...fields }).cachesForHour
    expect(said([{ ...text, cache_control: { type: "ephemeral" } }])).toBe(false)
    for (const marked of [
      said([{ ...text, ...hour }]),
      said([{ type: "tool_result", content: [{ ...text, ...hour }] }]),
      said("a", { system: [{ ...text, ...hour }] }),
      said("a", { tools: [{ name: "f", ...hour }] }),
      said("a", hour)
    ]) {
      expect(marked).toBe(true)
    }
  })

  it("is that of pictures within results, too", () => {
    const result = { type: "tool_result", tool_use_id: "t", content: [{ type: "image", source: {} }] }
    expect(promptSize("messages", { messages: [{ role: "user", content: [result] }] }).pictures).toBe(1)
  })
})

describe("tokens", () => {
  const size = { textBytes: 10, documentBytes: 100, messages: 2, pictures: 1, cachesForHour: false }

  it("are reserved at a token for each byte, with messages, pictures and the template", () => {
    expect(maxInputTokens(size)).toBe(10 + 100 + 2 * 16 + 10_000 + 1024)
  })

  it("are estimated at a quarter of the bytes of texts, never at more than is reserved", () => {
    expect(estimatedInput(size)).toBe(3 + 2 * 4 + 1000)
    expect(estimatedOutput(9, 100)).toBe(3)
    expect(estimatedOutput(900, 100)).toBe(100)
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.nat(1e6),
        fc.nat(1000),
        fc.nat(50),
        (textBytes, documentBytes, messages, pictures) => {
          const any = { textBytes, documentBytes, messages, pictures, cachesForHour: false }
          expect(estimatedInput(any)).toBeLessThanOrEqual(maxInputTokens(any))
        }
      )
    )
  })

  it("are reserved at the dearer of the prices that input can have", () => {
    const price = {
      unit: "tokens",
      input: 2n,
      output: 1n,
      cachedInput: 1n,
      cacheWrite: 3n,
      cacheWriteHour: 4n,
      longInputCostsMore: false
    } as const
    const all = maxInputTokens(size)
    expect(maxAmount(price, size, 5)).toMatchObject({ inputTokens: 0, cacheCreationTokens: all, outputTokens: 5 })
    expect(maxAmount({ ...price, cacheWrite: 2n }, size, 5)).toMatchObject({ inputTokens: all, cacheCreationTokens: 0 })
    expect(maxAmount(price, { ...size, cachesForHour: true }, 5)).toMatchObject({ cacheCreationHourTokens: all })
  })
})
