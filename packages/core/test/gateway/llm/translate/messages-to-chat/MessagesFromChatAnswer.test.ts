/** An answer and a stream of the chat API, for callers of the messages API. */
import { describe, expect, it } from "vitest"
import { messagesToChat } from "../../../../../src/gateway/llm/translate/messages-to-chat/MessagesToChat.ts"
import type { Json, LlmEvent } from "../../../../../src/gateway/llm/translate/Translation.ts"
import { answerContext, answerOf, chunk, dataOf, named, streamed } from "../Translated.ts"

const usage = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 5 }
}
const figures = { input_tokens: 12, cache_creation_input_tokens: 5, cache_read_input_tokens: 3, output_tokens: 9 }

const answer = (message: Json, finish_reason: unknown = "stop", fields: Json = {}): Json => ({
  id: "chatcmpl-upstream",
  object: "chat.completion",
  created: 1,
  model: "at-the-upstream",
  choices: [{ index: 0, message: { role: "assistant", content: null, refusal: null, ...message }, finish_reason }],
  usage,
  ...fields
})
const thinks = { thinking: { type: "enabled", budget_tokens: 1_024 } }
const translate = (given: Json, request: Json = {}) => answerOf(messagesToChat, given, request)
const contentOf = (message: Json, request: Json = {}) => {
  const translated = translate(answer(message), request)
  return translated === "unreadable" ? translated : translated.content
}
const call = (id: unknown, written: unknown, name: unknown = "look_up") => ({
  id,
  type: "function",
  function: { name, arguments: written }
})
const text = (text: string) => ({ type: "text", text })

describe("an answer of the chat API", () => {
  it("is a message under the caller's id and model, with all figures", () => {
    expect(translate(answer({ content: "Left." }))).toEqual({
      id: "id-1",
      type: "message",
      role: "assistant",
      model: "asked-for",
      content: [text("Left.")],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: figures
    })
  })

  it.each<readonly [string, Json, ReadonlyArray<Json>]>([
    ["no content", {}, []],
    ["an empty content", { content: "" }, []],
    ["a content", { content: "Left.", refusal: "No." }, [text("Left.")]],
    ["a refusal", { content: "", refusal: "No." }, [text("No.")]],
    ["parts", { content: [{ type: "thinking", thinking: [] }, text("Le"), text("ft.")] }, [text("Left.")]],
    ["reasoning that nobody asked for", { content: "Left.", reasoning_content: "Hm." }, [text("Left.")]],
    [
      "calls",
      { content: "I will look.", tool_calls: [call("call_1", '{"place":null}'), call("call.2", ""), call(null, "{}")] },
      [
        text("I will look."),
        { type: "tool_use", id: "call_1", name: "look_up", input: { place: null } },
        { type: "tool_use", id: "call.2", name: "look_up", input: {} },
        { type: "tool_use", id: "toolu_made_1", name: "look_up", input: {} }
      ]
    ],
    [
      "arguments that are an object",
      { tool_calls: [call("a", { b: 1 })] },
      [{ type: "tool_use", id: "a", name: "look_up", input: { b: 1 } }]
    ]
  ])("with %s has its blocks", (_, message, content) => {
    expect(contentOf(message)).toEqual(content)
  })

  it("has a block of thinking before the text where the request allows it", () => {
    const thought = [{ type: "thinking", thinking: "Hm.", signature: "" }, text("Left.")]
    expect(contentOf({ content: "Left.", reasoning_content: "Hm." }, thinks)).toEqual(thought)
    expect(contentOf({ content: "Left.", reasoning: "Hm." }, { thinking: { type: "adaptive" } })).toEqual(thought)
    expect(contentOf({ content: "Left.", reasoning: "Hm." }, { thinking: { type: "disabled" } })).toEqual([
      text("Left.")
    ])
    expect(contentOf({ content: "Left.", reasoning_content: "" }, thinks)).toEqual([text("Left.")])
  })

  it.each<readonly [unknown, boolean, string]>([
    ["stop", false, "end_turn"],
    ["stop", true, "tool_use"],
    ["length", false, "max_tokens"],
    ["length", true, "max_tokens"],
    ["tool_calls", true, "tool_use"],
    ["tool_calls", false, "tool_use"],
    ["function_call", false, "tool_use"],
    ["content_filter", false, "refusal"],
    ["content_filter", true, "tool_use"],
    [null, false, "end_turn"]
  ])("that finished for %s, with calls: %s, stopped for %s", (finish_reason, hasCalls, stop_reason) => {
    const message = hasCalls ? { tool_calls: [call("a", "{}")] } : { content: "Left." }
    expect(translate(answer(message, finish_reason))).toMatchObject({ stop_reason })
  })

  it("has an estimate where no figures are reported", () => {
    expect(translate(answer({ content: "Höhe" }, "stop", { usage: null }))).toMatchObject({
      usage: { input_tokens: 77, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 2 }
    })
  })

  it.each<readonly [string, Json]>([
    ["no choices", { choices: [] }],
    ["no message", { choices: [{ index: 0 }] }],
    ["arguments that are a list", answer({ tool_calls: [call("a", "[]")] })],
    ["arguments that are cut off", answer({ tool_calls: [call("a", '{"b":')] })],
    ["arguments that are a number", answer({ tool_calls: [call("a", 7)] })],
    ["a call without a name", answer({ tool_calls: [call("a", "{}", "")] })]
  ])("with %s cannot be read", (_, given) => {
    expect(translate(given)).toBe("unreadable")
  })
})

const chunkOf = (delta: Json, finish_reason: string | null = null): LlmEvent =>
  chunk({ id: "chatcmpl-upstream", model: "at-the-upstream", choices: [{ index: 0, delta, finish_reason }] })
const piece = (index: number, written: string, first: Json = {}) =>
  chunkOf({ tool_calls: [{ index, ...first, function: { ...first, arguments: written } }] })
const role = chunkOf({ role: "assistant", content: "" })
const finish = (reason = "stop") => chunkOf({}, reason)
const last = chunk({ choices: [], usage })

const run = (events: ReadonlyArray<LlmEvent>, request: Json = {}) =>
  streamed(messagesToChat.events(answerContext(request)), events)

const started = (index: number, content_block: Json) => named({ type: "content_block_start", index, content_block })
const delta = (index: number, delta: Json) => named({ type: "content_block_delta", index, delta })
const stopped = (index: number) => named({ type: "content_block_stop", index })
const textBlock = (index: number, ...texts: ReadonlyArray<string>) => [
  started(index, { type: "text", text: "" }),
  ...texts.map((text) => delta(index, { type: "text_delta", text })),
  stopped(index)
]
const toolBlock = (index: number, id: string, ...pieces: ReadonlyArray<string>) => [
  started(index, { type: "tool_use", id, name: "look_up", input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: "input_json_delta", partial_json })),
  stopped(index)
]

/** The events between the first two and the last two. */
const blocksOf = (events: ReadonlyArray<LlmEvent>, request: Json = {}) => run(events, request).slice(2, -2)

const first = (id: string | null) => ({ id, type: "function", name: "look_up" })

describe("a stream of the chat API", () => {
  it("begins with an estimate of its input and ends with all figures", () => {
    const events = run([role, chunkOf({ content: "Le" }), chunkOf({ content: "ft." }), finish(), last])
    expect(events).toEqual([
      named({
        type: "message_start",
        message: {
          id: "id-1",
          type: "message",
          role: "assistant",
          model: "asked-for",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 77, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }
        }
      }),
      named({ type: "ping" }),
      ...textBlock(0, "Le", "ft."),
      named({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: figures }),
      named({ type: "message_stop" })
    ])
  })

  it("without content has no block", () => {
    expect(blocksOf([role, chunkOf({ content: null, tool_calls: [] }), finish()])).toEqual([])
  })

  it("has its last usage, and an estimate where there is none", () => {
    const early = chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })
    expect(dataOf(run([early, role, finish(), last])).at(-2)).toMatchObject({ usage: figures })
    expect(dataOf(run([role, finish(), chunk({ choices: null, usage })])).at(-2)).toMatchObject({ usage: figures })
    expect(dataOf(run([role, chunkOf({ content: "Höhe" }), finish()])).at(-2)).toMatchObject({
      usage: { input_tokens: 77, output_tokens: 2 }
    })
  })

  it("has thinking before the text, only where the request allows it", () => {
    const events = [
      chunkOf({ reasoning_content: "Hm. " }),
      chunkOf({ reasoning: "Yes." }),
      chunkOf({ content: "Left." })
    ]
    expect(blocksOf([role, ...events, finish()])).toEqual(textBlock(0, "Left."))
    expect(blocksOf([role, ...events, finish()], thinks)).toEqual([
      started(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "Hm. " }),
      delta(0, { type: "thinking_delta", thinking: "Yes." }),
      stopped(0),
      ...textBlock(1, "Left.")
    ])
  })

  it("has a refusal as its text where there is no content", () => {
    expect(blocksOf([role, chunkOf({ refusal: "N" }), chunkOf({ refusal: "o." }), finish()])).toEqual(
      textBlock(0, "N", "o.")
    )
    expect(blocksOf([role, chunkOf({ content: "Left.", refusal: "No." }), finish()])).toEqual(textBlock(0, "Left."))
  })

  it("has both of a chunk with a text and a call", () => {
    const both = chunkOf({
      content: "I will look.",
      tool_calls: [{ index: 0, id: "a", function: { name: "look_up", arguments: "{}" } }]
    })
    expect(blocksOf([role, both, finish()])).toEqual([...textBlock(0, "I will look."), ...toolBlock(1, "a", "{}")])
  })

  it("has each piece of a call as it comes", () => {
    const translator = messagesToChat.events(answerContext())
    const events = [role, piece(0, "", first("a")), piece(0, '{"place":'), piece(0, '"harbour"}')]
    const pushed = events.map((event) =>
      streamed({ ...translator, end: () => translator.push(chunk({ choices: [] })) }, [event])
    )
    expect(pushed.map((out) => dataOf(out).map(({ type }) => type))).toEqual([
      ["message_start", "ping"],
      ["content_block_start"],
      ["content_block_delta"],
      ["content_block_delta"]
    ])
  })

  it("has calls one after the other: pieces of the later wait until the earlier is complete", () => {
    const events = [
      ...[
        piece(0, "", first("a")),
        piece(0, '{"n"'),
        piece(1, '{"m"', first("b")),
        piece(0, ":1"),
        piece(1, ":2}"),
        piece(0, "}")
      ],
      ...[piece(2, "", first("c")), piece(3, '{"k":{', first("d")), piece(3, "}}")]
    ]
    expect(blocksOf([role, ...events, finish("tool_calls")])).toEqual([
      ...toolBlock(0, "a", '{"n"', ":1", "}"),
      ...toolBlock(1, "b", '{"m":2}'),
      ...toolBlock(2, "c"),
      ...toolBlock(3, "d", '{"k":{}}')
    ])
  })

  it("has another id for a call whose id another one has, in the answer or before it", () => {
    const before = { messages: [{ role: "assistant", content: [{ type: "tool_use", id: "call_0", name: "look_up" }] }] }
    const events = [piece(0, "{}", first("call_0")), piece(1, "{}", first("a")), piece(2, "{}", first("a"))]
    expect(blocksOf([role, ...events, finish()], before)).toEqual([
      ...toolBlock(0, "toolu_made_1", "{}"),
      ...toolBlock(1, "a", "{}"),
      ...toolBlock(2, "toolu_made_2", "{}")
    ])
    const tool_calls = ["call_0", "a", "a"].map((id) => call(id, "{}"))
    expect(contentOf({ content: null, tool_calls }, before)).toMatchObject([
      ...[{ id: "toolu_made_1" }, { id: "a" }, { id: "toolu_made_2" }]
    ])
  })

  it("has a text that comes amid a call after it", () => {
    const events = [piece(0, '{"n"', first("a")), chunkOf({ content: "Left." }), piece(0, ":1}")]
    expect(blocksOf([role, ...events, finish()])).toEqual([
      ...toolBlock(0, "a", '{"n"', ":1}"),
      ...textBlock(1, "Left.")
    ])
  })

  it("may name its calls as servers do: without an index, without an id, or all with the same index", () => {
    const bare = (fields: Json) => chunkOf({ tool_calls: [fields] })
    const called = (written: string) => ({ function: { name: "look_up", arguments: written } })
    const rest = (written: string) => ({ function: { arguments: written } })
    expect(
      blocksOf([role, bare({ id: "a", ...called("{") }), bare(rest("}")), bare({ id: "b", ...called("{}") }), finish()])
    ).toEqual([...toolBlock(0, "a", "{", "}"), ...toolBlock(1, "b", "{}")])
    expect(blocksOf([role, bare(called("{}")), bare(called('{"n":1}')), finish()])).toEqual([
      ...toolBlock(0, "toolu_made_1", "{}"),
      ...toolBlock(1, "toolu_made_2", '{"n":1}')
    ])
    expect(blocksOf([role, piece(0, "{}", first("a")), piece(0, "{}", first("b")), finish()])).toEqual([
      ...toolBlock(0, "a", "{}"),
      ...toolBlock(1, "b", "{}")
    ])
    // Another id for each piece.
    expect(blocksOf([role, piece(0, "{", first("a")), bare({ index: 0, id: "z", ...rest("}") }), finish()])).toEqual(
      toolBlock(0, "a", "{", "}")
    )
  })

  it.each([
    ["stop", "tool_use"],
    ["tool_calls", "tool_use"],
    ["length", "max_tokens"]
  ])("with a call that finished for %s stopped for %s", (reason, stop_reason) => {
    const end = dataOf(run([role, piece(0, "{}", first("a")), finish(reason)])).at(-2)
    expect(end).toMatchObject({ type: "message_delta", delta: { stop_reason, stop_sequence: null } })
  })

  it("with a call that its limit cut off has the beginning of the arguments", () => {
    expect(blocksOf([role, piece(0, '{"n"', first("a")), finish("length")])).toEqual(toolBlock(0, "a", '{"n"'))
  })

  it.each<readonly [string, ReadonlyArray<LlmEvent>]>([
    ["without a finish_reason", [role, chunkOf({ content: "Le" })]],
    ["without a chunk", []],
    ["with an error", [role, chunk({ error: { message: "Overloaded" } })]],
    ["with an event that is an error by its name", [role, { event: "error", data: { message: "Overloaded" } }]],
    ["with a chunk of another form", [role, chunk({ text: "Left." })]],
    ["with arguments that are no object", [role, piece(0, "[]", first("a")), finish("tool_calls")]],
    ["with arguments that are cut off", [role, piece(0, '{"n"', first("a")), finish("tool_calls")]],
    ["with a call without its name", [role, piece(0, "{}"), finish("tool_calls")]],
    [
      "with a call that goes on after its end",
      [role, piece(0, "{}", first("a")), piece(1, "{}", first("b")), piece(0, "{}"), finish("tool_calls")]
    ]
  ])("%s cannot be read", (_, events) => {
    expect(run(events).at(-1)).toBe("unreadable")
  })
})
