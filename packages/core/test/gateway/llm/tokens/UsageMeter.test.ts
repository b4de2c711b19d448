/** What a model used, from its answers and events: docs/reference/language-models.md#tokens. Verifies: LANG-4, LANG-5. */
import { describe, expect, it } from "vitest"
import { meterAnswer, UsageMeter } from "../../../../src/gateway/llm/tokens/UsageMeter.ts"
import type { LlmEvent } from "../../../../src/gateway/llm/translate/Translation.ts"

const estimate = { inputTokens: 50, maxOutputTokens: 100 }
const chunk = (delta: object, finish_reason: string | null = null, usage?: object): LlmEvent => ({
  event: null,
  data: { id: "x", choices: [{ index: 0, delta, finish_reason }], ...(usage === undefined ? {} : { usage }) }
})
/** The chunk with the usage of its choice, as Moonshot's servers report it. */
const ofChoice = ({ data, event }: LlmEvent, usage: object): LlmEvent => ({
  event,
  data: { ...data, choices: (data.choices as ReadonlyArray<object>).map((choice) => ({ ...choice, usage })) }
})
const usageChunk = (usage: object): LlmEvent => ({ event: null, data: { id: "x", choices: [], usage } })

describe("a whole answer", () => {
  it("is billed as the upstream counts, an explicit zero included", () => {
    const answer = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 0 } }
    expect(meterAnswer("chat_completions", answer, estimate)).toMatchObject({ usage: { input: 9, output: 0 } })
  })

  it("has the estimate as its usage where the upstream counts nothing, or what cannot be", () => {
    const choices = [{ message: { content: "12345678", reasoning_content: "1234" } }]
    for (const [usage, input, output] of [
      [undefined, 50, 3],
      [{ prompt_tokens: -1, completion_tokens: 2 }, 50, 2],
      [{ prompt_tokens: 7, completion_tokens: 1.5 }, 7, 3]
    ] as const) {
      const metered = meterAnswer("chat_completions", { choices, usage }, estimate)
      expect(metered.usage).toMatchObject({ input, output })
      expect(metered.answer.usage).toMatchObject({
        ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      })
    }
  })

  it("of the messages API is estimated from its texts, thinking and tool inputs", () => {
    const content = [
      { type: "thinking", thinking: "1234" },
      { type: "text", text: "1234" },
      { type: "tool_use", input: { a: 1 } }
    ]
    expect(meterAnswer("messages", { content }, estimate).usage.output).toBe(Math.ceil((4 + 4 + 7) / 4))
  })
})

describe("a stream of the chat API", () => {
  it("has its usage in one last chunk, wherever the upstream reported it, and in no other", () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
    for (const events of [
      [chunk({ content: "hi" }), chunk({}, "stop"), usageChunk(usage)],
      [chunk({ content: "hi" }, null, { prompt_tokens: 7, completion_tokens: 1 }), chunk({}, "stop", usage)],
      [chunk({ content: "hi" }), ofChoice(chunk({}, "stop"), usage)],
      [chunk({ content: "hi" }), { event: null, data: { ...chunk({}, "stop").data, x_groq: { usage } } }]
    ]) {
      const meter = new UsageMeter("chat_completions", estimate, 1)
      const sent = events.flatMap((event) => meter.push(event))
      expect(JSON.stringify(sent.map(({ data }) => ({ ...data, x_groq: null })))).not.toContain("usage")
      expect(sent.length).toBe(2)
      expect(meter.isWhole).toBe(true)
      expect(meter.end()).toMatchObject([{ event: null, data: { id: "x", choices: [], usage } }])
      expect(meter.usage).toMatchObject({ input: 7, output: 3 })
    }
  })

  it("is whole when every choice that came has its finish_reason", () => {
    const meter = new UsageMeter("chat_completions", estimate, 1)
    const of = (index: number, finish_reason: string | null): LlmEvent => ({
      event: null,
      data: { choices: [{ index, delta: {}, finish_reason }] }
    })
    for (const event of [of(0, null), of(1, null), of(0, "stop")]) meter.push(event)
    expect(meter.isWhole).toBe(false)
    meter.push(of(1, "length"))
    expect(meter.isWhole).toBe(true)
  })

  it("that a client leaves is billed the estimate of what had come", () => {
    const meter = new UsageMeter("chat_completions", estimate, 1)
    meter.push(chunk({ content: "12345" }))
    expect(meter.usageSoFar).toMatchObject({ input: 50, output: 2 })
  })
})

describe("a stream of the messages API", () => {
  const start = (usage: object): LlmEvent => ({
    event: "message_start",
    data: { type: "message_start", message: { usage } }
  })
  const text: LlmEvent = {
    event: "content_block_delta",
    data: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "12345678" } }
  }

  it("is billed the figures of its message_delta, with those of message_start where they are missing", () => {
    const meter = new UsageMeter("messages", estimate, 1)
    meter.push(start({ input_tokens: 8, cache_read_input_tokens: 2, output_tokens: 1 }))
    meter.push(text)
    const [delta] = meter.push({
      event: "message_delta",
      data: { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 6 } }
    })
    expect(meter.usage).toMatchObject({ input: 8, cacheRead: 2, output: 6 })
    expect(delta!.data.usage).toEqual({ output_tokens: 6 })
    expect(meter.isWhole).toBe(true)
  })

  it("that a client disconnects from is billed the input that the upstream reported, and an estimate of the output so far", () => {
    const meter = new UsageMeter("messages", estimate, 1)
    meter.push(start({ input_tokens: 8, output_tokens: 1 }))
    meter.push(text)
    expect(meter.usageSoFar).toMatchObject({ input: 8, output: 2 })
  })
})

describe("a stream of the Responses API", () => {
  it("is whole with its last event, which shows the estimate where the upstream counts nothing", () => {
    const meter = new UsageMeter("responses", estimate, 1)
    meter.push({ event: "response.output_text.delta", data: { type: "response.output_text.delta", delta: "1234" } })
    expect(meter.isWhole).toBe(false)
    const [last] = meter.push({
      event: "response.completed",
      data: { type: "response.completed", response: { output: [] } }
    })
    expect(last!.data.response).toMatchObject({ usage: { input_tokens: 50, output_tokens: 1, total_tokens: 51 } })
    expect(meter.isWhole).toBe(true)
  })
})
