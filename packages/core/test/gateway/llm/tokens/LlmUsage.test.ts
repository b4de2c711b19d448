/** Figures of usage: docs/reference/gateway.md. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  asChatUsage,
  asMessagesUsage,
  chatUsage,
  laterMessagesUsage,
  messagesUsage
} from "../../../../src/gateway/llm/tokens/LlmUsage.ts"
import type { Json } from "../../../../src/gateway/llm/translate/Translation.ts"

const impossible = [-1, 1.5, 1_000_000_001, Number.NaN, "7", null, undefined, {}]

describe("usage of the chat API", () => {
  it("includes what the cache had and took in the prompt, and reasoning in the output", () => {
    expect(
      chatUsage({
        prompt_tokens: 100,
        completion_tokens: 40,
        total_tokens: 140,
        prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 20, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 25 }
      })
    ).toEqual({ input: 50, cacheRead: 30, cacheWrite: 20, cacheWriteHour: 0, output: 40, reasoning: 25 })
  })

  it("may be zero, and need not have details", () => {
    expect(chatUsage({ prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: null })).toEqual({
      input: 0,
      cacheRead: 0,
      cacheWrite: 0,
      cacheWriteHour: 0,
      output: 0,
      reasoning: null
    })
  })

  it.each<readonly [number, number, number, number, number]>([
    [150, 0, 0, 100, 0],
    [90, 20, 0, 90, 10],
    [150, 150, 0, 100, 0],
    [-5, 30, 70, 0, 30]
  ])("counts %d cached and %d written of 100 as %d, %d and %d", (cached_tokens, cache_write_tokens, ...expected) => {
    const details = { cached_tokens, cache_write_tokens }
    const usage = chatUsage({ prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: details })
    expect([usage?.input, usage?.cacheRead, usage?.cacheWrite]).toEqual(expected)
  })

  it.each<readonly [string, Json]>([
    ["OpenAI", { prompt_tokens_details: { cached_tokens: 800 } }],
    ["Moonshot", { cached_tokens: 800 }],
    ["DeepSeek", { prompt_cache_hit_tokens: 800, prompt_cache_miss_tokens: 200 }]
  ])("has its cached tokens where %s reports them", (_, given) => {
    expect(chatUsage({ prompt_tokens: 1_000, completion_tokens: 50, ...given })).toMatchObject({
      ...{ input: 200, cacheRead: 800, output: 50 }
    })
  })

  it("has the cached tokens of its details, an explicit zero included, before those of another place", () => {
    const usage = { prompt_tokens: 10, completion_tokens: 1, cached_tokens: 5 }
    expect(chatUsage({ ...usage, prompt_tokens_details: { cached_tokens: 0 } })).toMatchObject({ cacheRead: 0 })
    expect(chatUsage({ ...usage, prompt_tokens_details: { cached_tokens: "0" } })).toMatchObject({ cacheRead: 5 })
  })

  it.each<readonly [string, Json, number, number | null]>([
    ["Gemini reports in the total alone", { total_tokens: 1_725 }, 967, 865],
    ["Grok reports beside it", { total_tokens: 900, completion_tokens_details: { reasoning_tokens: 40 } }, 142, 40],
    ["OpenAI reports within it", { total_tokens: 860, completion_tokens_details: { reasoning_tokens: 40 } }, 102, 40],
    ["nobody reports", { total_tokens: 860 }, 102, null],
    ["a total of other things does not report", { total_tokens: 1_725, cached_tokens: 5 }, 102, null],
    ["a total that cannot be does not report", { total_tokens: 3 }, 102, null]
  ])("has the reasoning in its output that %s", (_, given, output, reasoning) => {
    const usage = { prompt_tokens: 758, completion_tokens: 102, ...given }
    expect(chatUsage(usage)).toMatchObject({ output, reasoning })
  })

  it.each(impossible)("is missing where a figure is %s", (figure) => {
    expect(chatUsage({ prompt_tokens: figure, completion_tokens: 1 })).toBeNull()
    expect(chatUsage({ prompt_tokens: 1, completion_tokens: figure })).toBeNull()
    expect(chatUsage(null)).toBeNull()
  })
})

describe("usage of the messages API", () => {
  it("has what the cache had and took beside the input", () => {
    expect(
      messagesUsage({
        input_tokens: 50,
        cache_read_input_tokens: 30,
        cache_creation_input_tokens: 20,
        output_tokens: 40,
        output_tokens_details: { thinking_tokens: 25 }
      })
    ).toEqual({ input: 50, cacheRead: 30, cacheWrite: 20, cacheWriteHour: 0, output: 40, reasoning: 25 })
  })

  it.each(impossible)("is missing where a figure is %s, but of the cache it is then zero", (figure) => {
    expect(messagesUsage({ input_tokens: figure, output_tokens: 1 })).toBeNull()
    expect(messagesUsage({ input_tokens: 1, output_tokens: figure })).toBeNull()
    expect(messagesUsage({ input_tokens: 1, output_tokens: 1, cache_read_input_tokens: figure })).toEqual({
      input: 1,
      cacheRead: 0,
      cacheWrite: 0,
      cacheWriteHour: 0,
      output: 1,
      reasoning: null
    })
  })

  it("says which part the cache keeps for an hour, and never more than it took", () => {
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 30 }
    const kept = (ephemeral_1h_input_tokens: number) =>
      messagesUsage(laterMessagesUsage({ ...usage, cache_creation: { ephemeral_1h_input_tokens } }, usage))
    expect(kept(20)).toMatchObject({ cacheWrite: 30, cacheWriteHour: 20 })
    expect(kept(40)).toMatchObject({ cacheWrite: 30, cacheWriteHour: 30 })
  })

  it("of a stream is the last figure that was reported", () => {
    const first = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 }
    expect(messagesUsage(laterMessagesUsage(first, { output_tokens: 40 }))).toMatchObject({ input: 10, output: 40 })
    expect(messagesUsage(laterMessagesUsage(first, { input_tokens: 0, output_tokens: -3 }))).toMatchObject({
      input: 0,
      cacheRead: 5,
      output: 1
    })
    expect(messagesUsage(laterMessagesUsage(null, null))).toBeNull()
  })
})

describe("usage that goes there and back", () => {
  const figure = fc.nat(1_000_000)
  const usage = fc.record({
    input: figure,
    cacheRead: figure,
    cacheWrite: figure,
    cacheWriteHour: fc.constant(0),
    output: figure,
    reasoning: fc.option(figure)
  })

  it("is the same", () => {
    fc.assert(
      fc.property(usage, (given) => {
        expect(chatUsage(asChatUsage(given))).toEqual(given)
        expect(messagesUsage(asMessagesUsage(given))).toEqual({ ...given, reasoning: null })
      })
    )
  })

  it("never has more cached than there is, whatever an upstream reports", () => {
    const any = fc.oneof(fc.integer({ min: -10, max: 1_000 }), fc.double(), fc.constant(null), fc.string())
    const reported: fc.Arbitrary<Json> = fc.record({
      prompt_tokens: fc.nat(500),
      completion_tokens: fc.nat(500),
      prompt_tokens_details: fc.record({ cached_tokens: any, cache_write_tokens: any })
    })
    fc.assert(
      fc.property(reported, (given) => {
        const read = chatUsage(given)
        expect((read?.input ?? 0) + (read?.cacheRead ?? 0) + (read?.cacheWrite ?? 0)).toBe(given.prompt_tokens)
        expect(read?.input).toBeGreaterThanOrEqual(0)
      })
    )
  })
})
