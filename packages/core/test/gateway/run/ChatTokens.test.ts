/** How many tokens a chat may come to, and how many are billed: docs/reference/upstreams.md#tokens. */
import type { ChatAnswer, ChatMessage, ChatTool } from "@trunkline/core/provider"
import { describe, expect, it } from "vitest"
import { amountOf, billedTokens, maxTokens } from "../../../src/gateway/run/ChatTokens.ts"

const user = (text: string, images: number = 0): ChatMessage => ({
  ...{ role: "user", text },
  images: Array.from({ length: images }, () => ({ contentType: "image/png", bytes: new Uint8Array(9) }))
})
const bound = (messages: ReadonlyArray<ChatMessage>, tools: ReadonlyArray<ChatTool> = []) =>
  maxTokens({ messages, tools, maxOutputTokens: 50 })
const answer = (over: Partial<ChatAnswer> = {}): ChatAnswer => ({ text: "", toolCalls: [], tokens: null, ...over })

describe("the most that a request may be billedTokens as", () => {
  it("is a token for each byte of its texts, and what templates add", () => {
    const empty = bound([user("")]).input
    expect(bound([user("abc")]).input - empty).toBe(3)
    expect(bound([user("नमस्ते")]).input - empty).toBe(18)
    expect(bound([user("🍵")]).input - empty).toBe(4)
    expect(bound([user(""), user("")]).input).toBeGreaterThan(empty)
    expect(empty).toBeGreaterThan(1000)
  })

  it("includes tools, calls of them and pictures", () => {
    const plain = bound([user("")]).input
    const tool: ChatTool = { name: "t", description: "d".repeat(100), parameters: {} }
    expect(bound([user("")], [tool]).input - plain).toBe(JSON.stringify([tool]).length)
    expect(bound([user("", 2)]).input - plain).toBe(20_000)
    const calls = [{ id: "1234", name: "tool", arguments: "12345678" }]
    const called = bound([{ role: "assistant", text: "", toolCalls: calls }]).input
    expect(called - plain).toBe(32)
  })

  it("has the output that was asked for, and nothing from a cache", () => {
    expect(bound([])).toMatchObject({ output: 50, cachedInput: 0 })
  })
})

describe("what is billed", () => {
  const most = { input: 1000, cachedInput: 0, output: 50 }

  it("is what the upstream reports, with the cached part apart", () => {
    const tokens = billedTokens(answer({ tokens: { input: 1500, cachedInput: 400, output: 70 } }), most)
    expect(amountOf(tokens)).toEqual({
      ...{ unit: "tokens", inputTokens: 1100, cacheReadTokens: 400, cacheCreationTokens: 0, outputTokens: 70 }
    })
  })

  it.each([
    ["more than the input", 9000, 800],
    ["less than nothing", -1, 0],
    ["no whole number", 0.5, 0]
  ])("bounds a cached part by what it can be: %s", (_, cachedInput, billed) => {
    expect(billedTokens(answer({ tokens: { input: 800, cachedInput, output: 1 } }), most).cachedInput).toBe(billed)
  })

  it("is the bound of the input and an estimate by the output's bytes where the upstream reports nothing", () => {
    expect(billedTokens(answer({ text: "नमस्ते" }), most)).toEqual({ input: 1000, cachedInput: 0, output: 18 })
    const toolCalls = [{ id: "1", name: "t", arguments: "{}" }]
    expect(billedTokens(answer({ toolCalls }), most)).toMatchObject({ output: 20 })
    expect(billedTokens(answer({ text: "x".repeat(99) }), most)).toMatchObject({ output: 50 })
  })

  it.each([
    [Number.NaN, 1],
    [1, -1],
    [1.5, 1],
    [2_000_000_000, 1],
    [Number.POSITIVE_INFINITY, 1]
  ])("is the bound as well where the figures cannot be: %d and %d", (input, output) => {
    expect(billedTokens(answer({ tokens: { input, cachedInput: 0, output } }), most)).toMatchObject({
      input: 1000,
      output: 0
    })
  })
})
