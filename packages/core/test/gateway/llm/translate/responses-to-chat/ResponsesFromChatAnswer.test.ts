/** Answers of the chat API as the Responses API shows them. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { responsesUsage } from "../../../../../src/gateway/llm/tokens/LlmUsage.ts"
import {
  responsesParam,
  responsesToChat
} from "../../../../../src/gateway/llm/translate/responses-to-chat/ResponsesToChat.ts"
import type { Json } from "../../../../../src/gateway/llm/translate/Translation.ts"
import { answerContext, answered, chatAnswer } from "./ResponsesSamples.ts"

const toolCall = (id: unknown, name: unknown, written: unknown) => ({
  id,
  type: "function",
  function: { name, arguments: written }
})

describe("a translated answer", () => {
  it("has every field of a response, with the public default where nothing was asked", () => {
    expect(answered(chatAnswer({ content: "Hi" }))).toEqual({
      id: "resp_1",
      object: "response",
      created_at: 1_790_000_000,
      status: "completed",
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      metadata: null,
      model: "house-model",
      output: [
        {
          id: "msg_1",
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }]
        }
      ],
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: null,
      store: true,
      temperature: 1,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: [],
      top_p: 1,
      truncation: "disabled",
      usage: null,
      user: null
    })
  })

  it("repeats what was asked", () => {
    const asked = {
      instructions: "Be short.",
      max_output_tokens: 9,
      metadata: { a: "b" },
      parallel_tool_calls: false,
      previous_response_id: "resp_0",
      reasoning: { effort: "low" },
      store: false,
      temperature: 0,
      text: { format: { type: "json_object" }, verbosity: "low" },
      tool_choice: "required",
      tools: [{ type: "function", name: "look" }],
      top_p: 0.5,
      truncation: "disabled",
      user: "u1"
    }
    expect(answered(chatAnswer({ content: "Hi" }), asked)).toMatchObject({ ...asked, model: "house-model" })
    const verbosity = { text: { verbosity: "high" }, temperature: null }
    expect(answered(chatAnswer({ content: "Hi" }), verbosity)).toMatchObject({
      temperature: 1,
      text: { format: { type: "text" }, verbosity: "high" }
    })
  })

  it("has the reasoning, the message with its refusal, and the calls as items in this order", () => {
    const message = {
      tool_calls: [toolCall("call_a", "look", '{"x":1}'), toolCall("call_b", "wait", "")],
      refusal: "No.",
      content: "Yes.",
      reasoning_content: "Hm."
    }
    expect(answered(chatAnswer(message, "tool_calls")).output).toEqual([
      {
        id: "rs_1",
        type: "reasoning",
        summary: [],
        content: [{ type: "reasoning_text", text: "Hm." }],
        status: "completed"
      },
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        content: [
          { type: "output_text", text: "Yes.", annotations: [], logprobs: [] },
          { type: "refusal", refusal: "No." }
        ]
      },
      { id: "fc_1", type: "function_call", call_id: "call_a", name: "look", arguments: '{"x":1}', status: "completed" },
      { id: "fc_2", type: "function_call", call_id: "call_b", name: "wait", arguments: "{}", status: "completed" }
    ])
  })

  it("reads reasoning under both of its names, and contents of parts", () => {
    expect(answered(chatAnswer({ content: "Hi", reasoning: "Hm." })).output).toMatchObject([
      { content: [{ text: "Hm." }] },
      {}
    ])
    expect(
      answered(chatAnswer({ content: [{ type: "thinking" }, { type: "text", text: "Hi" }] })).output
    ).toMatchObject([{ content: [{ text: "Hi" }] }])
  })

  it("makes up the id of a call that has none, and has no item for what is empty", () => {
    const call = toolCall(undefined, "look", { x: 1 })
    expect(answered(chatAnswer({ content: "", refusal: null, tool_calls: [call] }, "tool_calls")).output).toEqual([
      { id: "fc_1", type: "function_call", call_id: "call_1", name: "look", arguments: '{"x":1}', status: "completed" }
    ])
    expect(answered(chatAnswer({ content: null })).output).toEqual([])
  })

  it("has another id for a call whose id another one has, in the answer or before it", () => {
    const before = { input: [{ type: "function_call", call_id: "call_0", name: "look", arguments: "{}" }] }
    const tool_calls = ["call_0", "call_5", "call_5"].map((id) => toolCall(id, "look", "{}"))
    expect(answered(chatAnswer({ content: null, tool_calls }, "tool_calls"), before).output).toMatchObject([
      ...[{ call_id: "call_1" }, { call_id: "call_5" }, { call_id: "call_2" }]
    ])
  })

  // Verifies: G-921.
  it("has calls of the tools of a namespace with their own names and the namespace", () => {
    const within = [
      { type: "function", name: "close" },
      { type: "custom", name: "note" }
    ]
    const tools = [
      { type: "namespace", name: "agents", tools: within },
      { type: "function", name: "other__close" }
    ]
    const tool_calls = [
      toolCall("a", "agents__close", "{}"),
      toolCall("b", "agents__note", '{"input":"x"}'),
      toolCall("c", "other__close", "{}")
    ]
    const call = { type: "function_call", status: "completed", arguments: "{}" }
    expect(answered(chatAnswer({ content: null, tool_calls }, "tool_calls"), { tools }).output).toEqual([
      { ...call, id: "fc_1", call_id: "a", namespace: "agents", name: "close" },
      {
        ...{ id: "ctc_1", type: "custom_tool_call", call_id: "b", namespace: "agents", name: "note" },
        ...{ input: "x", status: "completed" }
      },
      { ...call, id: "fc_2", call_id: "c", name: "other__close" }
    ])
  })

  it("has calls of custom tools with their input, also where the model wrote the input itself", () => {
    const tools = [{ type: "custom", name: "patch" }]
    const tool_calls = [
      toolCall("a", "patch", '{"input":"*** Begin"}'),
      toolCall("b", "patch", "*** Begin"),
      toolCall("c", "look", '{"input":""}')
    ]
    expect(answered(chatAnswer({ content: null, tool_calls }, "tool_calls"), { tools }).output).toEqual([
      { id: "ctc_1", type: "custom_tool_call", call_id: "a", name: "patch", input: "*** Begin", status: "completed" },
      { id: "ctc_2", type: "custom_tool_call", call_id: "b", name: "patch", input: "*** Begin", status: "completed" },
      { id: "fc_1", type: "function_call", call_id: "c", name: "look", arguments: '{"input":""}', status: "completed" }
    ])
  })

  it("is complete after stop and tool_calls, and incomplete with its last item where it was cut", () => {
    const message = { content: "Hi", reasoning_content: "Hm." }
    for (const reason of ["stop", "tool_calls", "function_call", null]) {
      expect(answered(chatAnswer(message, reason))).toMatchObject({ status: "completed", incomplete_details: null })
    }
    const reasons = { length: "max_output_tokens", content_filter: "content_filter" }
    for (const [finish, reason] of Object.entries(reasons)) {
      expect(answered(chatAnswer(message, finish))).toMatchObject({
        status: "incomplete",
        incomplete_details: { reason },
        output: [{ status: "completed" }, { status: "incomplete" }]
      })
    }
  })

  it("has the probabilities of its tokens where they were asked for", () => {
    const token = { token: "Hi", logprob: -0.1, bytes: [72, 105], top_logprobs: [] }
    const answer = chatAnswer({ content: "Hi" })
    const choices = [{ message: { content: "Hi" }, finish_reason: "stop", logprobs: { content: [token] } }]
    const asked = { include: ["message.output_text.logprobs"] }
    expect(answered({ ...answer, choices }, asked).output).toMatchObject([{ content: [{ logprobs: [token] }] }])
    expect(answered({ ...answer, choices }).output).toMatchObject([{ content: [{ logprobs: [] }] }])
  })

  it("is not readable without a message, or with a call that has no name", () => {
    const broken = [{}, { choices: [] }, { choices: [{}] }, { error: {} }, chatAnswer({ tool_calls: [{ id: "a" }] })]
    for (const answer of broken) {
      expect(Result.isFailure(responsesToChat.answer(answer, answerContext()))).toBe(true)
    }
  })
})

describe("the usage of a translated answer", () => {
  const usageOf = (usage: unknown) => answered(chatAnswer({ content: "Hi" }, "stop", usage)).usage

  it("has all tokens of the input, those of the cache and of the reasoning apart", () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 5 }
    }
    expect(usageOf(usage)).toEqual({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 120
    })
    expect(usageOf({ prompt_tokens: 0, completion_tokens: 3 })).toMatchObject({
      input_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 3
    })
  })

  it("is null where its figures cannot be", () => {
    for (const prompt_tokens of [-1, 1.5, "3", null, 1_000_000_001]) {
      expect(usageOf({ prompt_tokens, completion_tokens: 1 })).toBeNull()
    }
  })

  it("is read as tokens by price, more cached than there are as all", () => {
    const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 60 } }
    expect(responsesUsage(usageOf(usage) as Json)).toEqual({
      input: 40,
      cacheRead: 60,
      cacheWrite: 0,
      cacheWriteHour: 0,
      output: 20,
      reasoning: 0
    })
    const details = { cached_tokens: 70, cache_write_tokens: 50 }
    expect(responsesUsage({ input_tokens: 100, output_tokens: 0, input_tokens_details: details })).toEqual({
      input: 0,
      cacheRead: 70,
      cacheWrite: 30,
      cacheWriteHour: 0,
      output: 0,
      reasoning: null
    })
    for (const missing of [null, {}, { input_tokens: 1 }, { input_tokens: 1, output_tokens: -1 }]) {
      expect(responsesUsage(missing)).toBeNull()
    }
  })
})

describe("a field that a second translation refuses", () => {
  it("is named as the caller wrote it", () => {
    const named = [
      "verbosity",
      "response_format",
      "messages[0].content",
      "max_tokens",
      "reasoning_effort",
      "tools[1].type"
    ]
    expect(named.map(responsesParam)).toEqual([
      "text.verbosity",
      "text.format",
      "input",
      "max_output_tokens",
      "reasoning.effort",
      "tools[1].type"
    ])
  })
})
