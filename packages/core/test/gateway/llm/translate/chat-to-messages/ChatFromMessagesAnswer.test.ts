/** An answer and a stream of the messages API, for callers of the chat API. */
import { describe, expect, it } from "vitest"
import { chatToMessages } from "../../../../../src/gateway/llm/translate/chat-to-messages/ChatToMessages.ts"
import type { Json, LlmEvent } from "../../../../../src/gateway/llm/translate/Translation.ts"
import { answerContext, answerOf, chunk, dataOf, named, streamed } from "../Translated.ts"

const usage = { input_tokens: 12, cache_read_input_tokens: 3, cache_creation_input_tokens: 5, output_tokens: 9 }
const answer = (fields: Json): Json => ({
  id: "msg_upstream",
  type: "message",
  role: "assistant",
  model: "at-the-upstream",
  content: [{ type: "text", text: "Left." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage,
  ...fields
})
const translate = (fields: Json) => answerOf(chatToMessages, answer(fields))

const choiceOf = (fields: Json): Json => {
  const { choices } = translate(fields) as { readonly choices: ReadonlyArray<Json> }
  expect(choices).toHaveLength(1)
  return choices[0] ?? {}
}

describe("an answer of the messages API", () => {
  it("is one choice under the caller's id and model, with all figures", () => {
    expect(translate({})).toEqual({
      id: "id-1",
      object: "chat.completion",
      created: 1_790_000_000,
      model: "asked-for",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Left.", refusal: null },
          logprobs: null,
          finish_reason: "stop"
        }
      ],
      usage: {
        prompt_tokens: 20,
        completion_tokens: 9,
        total_tokens: 29,
        prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 5 }
      }
    })
  })

  it("has its texts joined, its thoughts beside them, and its tools as calls", () => {
    const content = [
      { type: "thinking", thinking: "Hm. ", signature: "c2ln" },
      { type: "redacted_thinking", data: "eA==" },
      { type: "thinking", thinking: "Yes.", signature: "c2ln" },
      { type: "text", text: "I will " },
      { type: "text", text: "look." },
      { type: "tool_use", id: "toolu_1", name: "look_up", input: { place: null } },
      { type: "tool_use", id: "toolu_2", name: "stop", input: {} }
    ]
    expect(choiceOf({ content, stop_reason: "tool_use" })).toEqual({
      index: 0,
      message: {
        role: "assistant",
        content: "I will look.",
        refusal: null,
        reasoning_content: "Hm. Yes.",
        tool_calls: [
          { id: "toolu_1", type: "function", function: { name: "look_up", arguments: '{"place":null}' } },
          { id: "toolu_2", type: "function", function: { name: "stop", arguments: "{}" } }
        ]
      },
      logprobs: null,
      finish_reason: "tool_calls"
    })
  })

  it("has null as its content where there are only calls", () => {
    const content = [{ type: "tool_use", id: "toolu_1", name: "stop", input: {} }]
    expect(choiceOf({ content }).message).toMatchObject({ content: null })
  })

  it("has reasoning in its figures where it is reported", () => {
    expect(translate({ usage: { ...usage, output_tokens_details: { thinking_tokens: 4 } } })).toMatchObject({
      usage: { completion_tokens_details: { reasoning_tokens: 4 } }
    })
  })

  it("has an estimate where no figures are reported", () => {
    expect(translate({ usage: null, content: [{ type: "text", text: "Höhe" }] })).toMatchObject({
      usage: { prompt_tokens: 77, completion_tokens: 2, total_tokens: 79 }
    })
  })

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "tool_calls"],
    ["refusal", "content_filter"],
    [null, "stop"]
  ])("that stopped for %s has finished for %s", (stop_reason, finish_reason) => {
    expect(choiceOf({ stop_reason })).toMatchObject({ finish_reason })
  })

  it.each<readonly [string, Json]>([
    ["no content", { content: null }],
    ["an end that nobody knows", { stop_reason: "a_later_one" }],
    ["a text block without text", { content: [{ type: "text" }] }],
    ["a tool without a name", { content: [{ type: "tool_use", id: "a", input: {} }] }],
    ["a tool's input that is a list", { content: [{ type: "tool_use", id: "a", name: "b", input: [] }] }]
  ])("with %s cannot be read", (_, fields) => {
    expect(translate(fields)).toBe("unreadable")
  })
})

const start = named({
  type: "message_start",
  message: { ...answer({ content: [] }), usage: { ...usage, output_tokens: 1 } }
})
const blockStart = (index: number, content_block: Json) => named({ type: "content_block_start", index, content_block })
const delta = (index: number, delta: Json) => named({ type: "content_block_delta", index, delta })
const blockStop = (index: number) => named({ type: "content_block_stop", index })
const finish = (stop_reason: string, usage: Json = { output_tokens: 9 }) =>
  named({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage })
const stop = named({ type: "message_stop" })
const tool = (index: number, input: Json = {}) =>
  blockStart(index, { type: "tool_use", id: `toolu_${index}`, name: "look_up", input })

const run = (events: ReadonlyArray<LlmEvent>, request: Json = {}) =>
  streamed(chatToMessages.events(answerContext(request)), events)

const deltas = (events: ReadonlyArray<LlmEvent>) =>
  dataOf(run(events)).map(({ choices }) => (choices as ReadonlyArray<Json>)[0]?.delta)

const whole = (...events: ReadonlyArray<LlmEvent>) => [start, ...events, finish("end_turn"), stop]

describe("a stream of the messages API", () => {
  it("is chunks under the caller's id and model, the last with the reason for its end", () => {
    const text = [
      blockStart(0, { type: "text", text: "" }),
      delta(0, { type: "text_delta", text: "Left." }),
      blockStop(0)
    ]
    const expected = (delta: Json, finish_reason: string | null) =>
      chunk({
        id: "id-1",
        object: "chat.completion.chunk",
        created: 1_790_000_000,
        model: "asked-for",
        choices: [{ index: 0, delta, logprobs: null, finish_reason }]
      })
    expect(run(whole(named({ type: "ping" }), ...text))).toEqual([
      expected({ role: "assistant", content: "" }, null),
      expected({ content: "Left." }, null),
      expected({}, "stop")
    ])
  })

  it("has one chunk with the usage, without choices, where it was asked for", () => {
    const asked = { stream: true, stream_options: { include_usage: true } }
    const last = dataOf(run(whole(), asked)).at(-1)
    expect(last).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }
    })
    const with_usage = (request: Json, events = whole()) =>
      dataOf(run(events, request)).filter((data) => "usage" in data)
    expect(with_usage(asked)).toHaveLength(1)
    expect(with_usage({ stream: true, stream_options: { include_usage: false } })).toEqual([])
    expect(with_usage({ stream: true })).toEqual([])
    // An upstream that ends after its stop_reason has said everything.
    expect(with_usage(asked, whole().slice(0, -1))).toHaveLength(1)
  })

  it("has an estimate as its usage where no figures are reported", () => {
    const text = [blockStart(0, { type: "text", text: "" }), delta(0, { type: "text_delta", text: "Höhe" })]
    const events = [named({ type: "message_start", message: {} }), ...text, finish("end_turn", {})]
    const asked = { stream_options: { include_usage: true } }
    expect(dataOf(run(events, asked)).at(-1)).toMatchObject({ usage: { prompt_tokens: 77, completion_tokens: 2 } })
  })

  it("has thoughts and texts piece by piece, without signatures", () => {
    const events = whole(
      blockStart(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "Hm." }),
      delta(0, { type: "signature_delta", signature: "c2ln" }),
      blockStop(0),
      blockStart(1, { type: "text", text: "Le" }),
      delta(1, { type: "text_delta", text: "" }),
      delta(1, { type: "text_delta", text: "ft." }),
      delta(1, { type: "citations_delta", citation: {} }),
      blockStop(1)
    )
    expect(deltas(events)).toEqual([
      { role: "assistant", content: "" },
      { reasoning_content: "Hm." },
      { content: "Le" },
      { content: "ft." },
      {}
    ])
  })

  it("has tools counted from 0, each with its input, {} where none came", () => {
    const json = (index: number, partial_json: string) => delta(index, { type: "input_json_delta", partial_json })
    const events = whole(
      ...[blockStart(0, { type: "text", text: "" }), blockStop(0)],
      ...[tool(1), json(1, ""), json(1, '{"place":'), json(1, '"harbour"}'), blockStop(1)],
      ...[tool(2), json(2, ""), blockStop(2)],
      ...[tool(3, { place: "mole" }), blockStop(3)],
      tool(4)
    )
    const begin = (index: number) => ({
      tool_calls: [{ index, id: `toolu_${index + 1}`, type: "function", function: { name: "look_up", arguments: "" } }]
    })
    const piece = (index: number, written: string) => ({ tool_calls: [{ index, function: { arguments: written } }] })
    expect(deltas(events)).toEqual([
      { role: "assistant", content: "" },
      ...[begin(0), piece(0, '{"place":'), piece(0, '"harbour"}')],
      ...[begin(1), piece(1, "{}")],
      ...[begin(2), piece(2, '{"place":"mole"}')],
      ...[begin(3), piece(3, "{}")],
      {}
    ])
  })

  it("ends with its end: what comes later is ignored", () => {
    expect(run([...whole(), named({ type: "error", error: { type: "overloaded_error" } })])).toEqual(run(whole()))
  })

  const broken = { error: { type: "overloaded_error", message: "Overloaded" } }
  it.each<readonly [string, ReadonlyArray<LlmEvent>]>([
    ["with an error", [start, named({ type: "error", ...broken })]],
    ["with an error whose name alone says so", [start, { event: "error", data: broken }]],
    ["without a stop_reason", [start]],
    ["that stops without a stop_reason", [start, stop]],
    ["without any event", []],
    ["with JSON of no tool", [start, delta(0, { type: "input_json_delta", partial_json: "{}" })]],
    ["with a delta without its text", [start, delta(0, { type: "text_delta" })]],
    ["with a tool without its name", [start, blockStart(0, { type: "tool_use", id: "a" })]]
  ])("%s cannot be read", (_, events) => {
    expect(run(events).at(-1)).toBe("unreadable")
  })
})
