/** A chat request for an upstream with the messages API. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { chatToMessages } from "../../../../../src/gateway/llm/translate/chat-to-messages/ChatToMessages.ts"
import type { Json } from "../../../../../src/gateway/llm/translate/Translation.ts"
import { requestContext, requestOf } from "../Translated.ts"

const hello = { role: "user", content: "Which way to the harbour?" }
const lookUp = { type: "function", function: { name: "look_up", parameters: { type: "object", properties: {} } } }

const translate = (fields: Json): Json =>
  requestOf(chatToMessages, { model: "asked-for", messages: [hello], ...fields })
const base = { model: "at-the-upstream", max_tokens: 8_192, messages: [hello] }

const conversation = (...messages: ReadonlyArray<Json>) => translate({ messages })
const call = (id: string, written: unknown) => ({
  id,
  type: "function",
  function: { name: "look_up", arguments: written }
})

describe("fields of a chat request", () => {
  it.each<readonly [string, Json, Json]>([
    ["no limit is the model's maximum", {}, {}],
    ["max_tokens is sent", { max_tokens: 50 }, { max_tokens: 50 }],
    ["max_completion_tokens comes first", { max_tokens: 50, max_completion_tokens: 60 }, { max_tokens: 60 }],
    ["temperature and top_p are sent", { temperature: 0.7, top_p: 0.5 }, { temperature: 0.7, top_p: 0.5 }],
    ["a neutral top_p is left out beside a temperature", { temperature: 0.7, top_p: 1 }, { temperature: 0.7 }],
    ["a neutral temperature is left out beside a top_p", { temperature: 1, top_p: 0.9 }, { top_p: 0.9 }],
    ["of two neutral ones one is sent", { temperature: 1, top_p: 1 }, { temperature: 1 }],
    ["a neutral one alone is sent", { top_p: 1 }, { top_p: 1 }],
    ["cache_control is the same", { cache_control: { type: "ephemeral" } }, { cache_control: { type: "ephemeral" } }],
    ["one stop text is a list", { stop: "END" }, { stop_sequences: ["END"] }],
    ["stop texts are sent", { stop: ["END", "STOP"] }, { stop_sequences: ["END", "STOP"] }],
    ["no stop texts are nothing", { stop: [] }, {}],
    [
      "stream is sent, its options are not",
      { stream: true, stream_options: { include_usage: true } },
      { stream: true }
    ],
    ["user comes first", { user: "u-1", safety_identifier: "s-1" }, { metadata: { user_id: "u-1" } }],
    ["safety_identifier is the user too", { safety_identifier: "s-1" }, { metadata: { user_id: "s-1" } }],
    ["an effort is sent", { reasoning_effort: "xhigh" }, { output_config: { effort: "xhigh" } }],
    ["no effort turns thinking off", { reasoning_effort: "none" }, { thinking: { type: "disabled" } }],
    ["plain text is nothing", { response_format: { type: "text" } }, {}],
    [
      "a schema is sent without its name",
      {
        response_format: { type: "json_schema", json_schema: { name: "a", strict: true, schema: { type: "object" } } },
        reasoning_effort: "low"
      },
      { output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } } }
    ],
    [
      "neutral values are passed over",
      {
        n: 1,
        logprobs: false,
        presence_penalty: 0,
        frequency_penalty: 0,
        logit_bias: {},
        modalities: ["text"],
        service_tier: "auto"
      },
      {}
    ],
    [
      "null is an absent field",
      { tools: null, stop: null, user: null, seed: null, functions: null, response_format: null, unheard_of: null },
      {}
    ],
    [
      "hints and notes are passed over",
      {
        prompt_cache_key: "k",
        prompt_cache_retention: "24h",
        prompt_cache_options: { mode: "implicit" },
        store: true,
        metadata: { order: "7" }
      },
      {}
    ]
  ])("%s", (_, fields, expected) => {
    expect(translate(fields)).toEqual({ ...base, ...expected })
  })

  it.each<readonly [string, Json]>([
    ["temperature", { temperature: 1.1 }],
    ["reasoning_effort", { reasoning_effort: "minimal" }],
    ["response_format.type", { response_format: { type: "json_object" } }],
    ["response_format.json_schema.schema", { response_format: { type: "json_schema", json_schema: { name: "a" } } }],
    ["n", { n: 2 }],
    ["logprobs", { logprobs: true }],
    ["top_logprobs", { top_logprobs: 3 }],
    ["logit_bias", { logit_bias: { "50256": -100 } }],
    ["presence_penalty", { presence_penalty: 0.5 }],
    ["frequency_penalty", { frequency_penalty: -0.5 }],
    ["seed", { seed: 7 }],
    ["prediction", { prediction: { type: "content", content: "a" } }],
    ["verbosity", { verbosity: "low" }],
    ["functions", { functions: [{ name: "f" }] }],
    ["function_call", { function_call: "auto" }],
    ["modalities", { modalities: ["text", "audio"] }],
    ["service_tier", { service_tier: "priority" }],
    ["web_search_options", { web_search_options: {} }],
    ["top_k", { top_k: 5 }],
    ["__proto__", JSON.parse('{"__proto__":1}')],
    ["constructor", { constructor: 1 }],
    ["stop[1]", { stop: ["a", 2] }],
    ["stop", { stop: 2 }],
    ["user", { user: 7 }]
  ])("%s is refused where it has no place", (param, fields) => {
    expect(translate(fields)).toEqual({ refused: param })
  })

  it("a refusal names the field and says what to do", () => {
    const refused = chatToMessages.request({ model: "m", messages: [hello], seed: 7 }, requestContext)
    expect(Result.isFailure(refused) && refused.failure.message).toBe(
      "This model does not accept `seed`. Remove it, or use another model."
    )
  })
})

describe("tools of a chat request", () => {
  it("have a name, a description, a schema, and strict where it is true", () => {
    const schema = { type: "object", properties: { place: { type: "string" } } }
    const tool = (fields: Json) => ({ type: "function", function: { name: "look_up", ...fields } })
    expect(
      translate({
        tools: [tool({ description: "Finds.", parameters: schema, strict: true }), tool({ strict: false })]
      }).tools
    ).toEqual([
      { name: "look_up", description: "Finds.", input_schema: schema, strict: true },
      { name: "look_up", input_schema: { type: "object", properties: {} } }
    ])
  })

  it.each<readonly [string, unknown, Json]>([
    ["an empty schema", {}, { type: "object" }],
    ["a schema without a type", { properties: { a: {} } }, { type: "object", properties: { a: {} } }],
    ["a schema whose type is null", { type: null, required: [] }, { type: "object", required: [] }],
    ["a schema of another type, which the upstream refuses", { type: "string" }, { type: "string" }]
  ])("have the type that the messages API requires, of %s", (_, parameters, input_schema) => {
    const tools = [{ type: "function", function: { name: "look_up", parameters } }]
    expect(translate({ tools }).tools).toEqual([{ name: "look_up", input_schema }])
  })

  it("that are none are nothing", () => {
    expect(translate({ tools: [] })).toEqual(base)
  })

  it.each<readonly [string, Json, unknown]>([
    ["auto", { tool_choice: "auto" }, { type: "auto" }],
    ["none", { tool_choice: "none" }, { type: "none" }],
    ["any", { tool_choice: "required" }, { type: "any" }],
    ["one tool", { tool_choice: { type: "function", function: { name: "f" } } }, { type: "tool", name: "f" }],
    ["one at a time", { parallel_tool_calls: false }, { type: "auto", disable_parallel_tool_use: true }],
    [
      "any, one at a time",
      { tool_choice: "required", parallel_tool_calls: false },
      { type: "any", disable_parallel_tool_use: true }
    ],
    ["none, whatever their number", { tool_choice: "none", parallel_tool_calls: false }, { type: "none" }],
    ["without a limit to their number", { parallel_tool_calls: true }, undefined]
  ])("are chosen: %s", (_, fields, expected) => {
    expect(translate({ tools: [lookUp], ...fields }).tool_choice).toEqual(expected)
  })

  it("that are not there need no limit to their number", () => {
    expect(translate({ parallel_tool_calls: false })).toEqual(base)
  })

  it.each<readonly [string, Json]>([
    ["tools[1]", { tools: [lookUp, { type: "custom", custom: { name: "c" } }] }],
    ["tools[0].function.name", { tools: [{ type: "function", function: {} }] }],
    ["tools[0].function.output", { tools: [{ type: "function", function: { name: "f", output: 1 } }] }],
    ["tools", { tools: {} }],
    ["tool_choice", { tools: [lookUp], tool_choice: { type: "allowed_tools", allowed_tools: {} } }],
    ["tool_choice", { tools: [lookUp], tool_choice: "toString" }]
  ])("are refused in other forms: %s", (param, fields) => {
    expect(translate(fields)).toEqual({ refused: param })
  })
})

describe("messages of a chat request", () => {
  it("of the system, wherever they stand, are one text or a block each", () => {
    expect(conversation({ role: "system", content: "Be brief." }, hello)).toEqual({ ...base, system: "Be brief." })
    expect(
      conversation(
        { role: "developer", content: [{ type: "text", text: "Be brief." }] },
        hello,
        { role: "assistant", content: "Left." },
        { role: "system", content: "Be kind.", name: "host" },
        hello
      )
    ).toEqual({
      ...base,
      system: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "Be kind." }
      ],
      messages: [hello, { role: "assistant", content: [{ type: "text", text: "Left." }] }, hello]
    })
  })

  it("of the user are a text, or blocks of text, pictures and PDF documents", () => {
    const parts = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0K", detail: "auto" } },
      { type: "image_url", image_url: { url: "https://pictures.example/boat.jpg" } },
      { type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0x", filename: "tides.pdf" } }
    ]
    expect(conversation({ role: "user", content: parts, name: "Ada" }).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0K" } },
          { type: "image", source: { type: "url", url: "https://pictures.example/boat.jpg" } },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "JVBERi0x" },
            title: "tides.pdf"
          }
        ]
      }
    ])
  })

  it("of the assistant are blocks of text and then of tools, without empty ones", () => {
    const message = {
      role: "assistant",
      content: [
        { type: "text", text: "I will look." },
        { type: "refusal", refusal: "Not that." },
        { type: "text", text: "" }
      ],
      refusal: "Nor this.",
      reasoning_content: "Hm.",
      reasoning: "Hm.",
      reasoning_details: [{ type: "reasoning.text", text: "Hm." }],
      name: "guide",
      annotations: [],
      audio: null,
      tool_calls: [call("call_1", '{"place":"harbour","floor":null}'), call("call.2|x", ""), call("call_3", " ")]
    }
    expect(conversation(hello, message).messages).toEqual([
      hello,
      {
        role: "assistant",
        content: [
          { type: "text", text: "I will look." },
          { type: "text", text: "Not that." },
          { type: "text", text: "Nor this." },
          { type: "tool_use", id: "call_1", name: "look_up", input: { place: "harbour", floor: null } },
          { type: "tool_use", id: "call_2_x", name: "look_up", input: {} },
          { type: "tool_use", id: "call_3", name: "look_up", input: {} }
        ]
      }
    ])
  })

  it("that are empty, or blank, are left out, since the messages API refuses them", () => {
    for (const content of ["", " \n", [], [{ type: "text", text: " " }], [{ type: "thinking", thinking: [] }]]) {
      expect(conversation(hello, { role: "assistant", content }, hello).messages).toEqual([hello, hello])
    }
    expect(conversation({ role: "user", content: "" }, hello, { role: "system", content: " " })).toEqual(base)
    expect(conversation({ role: "user", content: "" })).toEqual({ refused: "messages" })
  })

  it("end without blanks where the last one is the beginning of the answer", () => {
    const begun = (content: unknown) => ({ role: "assistant", content })
    expect(conversation(hello, begun("It is: \n")).messages).toEqual([hello, begun([{ type: "text", text: "It is:" }])])
  })

  it("have the caller's cache_control on their blocks", () => {
    const mark = { cache_control: { type: "ephemeral", ttl: "1h" } }
    const part = { type: "text", text: "Read." }
    const picture = { type: "image_url", image_url: { url: "https://pictures.example/boat.jpg", detail: "high" } }
    const calls = [call("a", "{}"), call("b", "{}")]
    const use = (id: string) => ({ type: "tool_use", id, name: "look_up", input: {} })
    const { messages, system, tools } = translate({
      messages: [
        { role: "system", content: "Be brief.", ...mark },
        { role: "user", content: [{ ...part, ...mark }, picture] },
        { role: "assistant", content: "I look.", tool_calls: calls, ...mark },
        { role: "tool", tool_call_id: "a", content: "Left.", ...mark },
        { role: "tool", tool_call_id: "b", content: "" },
        { role: "user", content: "And now?", ...mark }
      ],
      tools: [{ ...lookUp, ...mark }]
    })
    expect(system).toEqual([{ type: "text", text: "Be brief.", ...mark }])
    expect(tools).toEqual([{ name: "look_up", input_schema: { type: "object", properties: {} }, ...mark }])
    const source = { type: "url", url: "https://pictures.example/boat.jpg" }
    expect(messages).toEqual([
      {
        role: "user",
        content: [
          { ...part, ...mark },
          { type: "image", source }
        ]
      },
      { role: "assistant", content: [{ type: "text", text: "I look." }, use("a"), { ...use("b"), ...mark }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "Left.", ...mark },
          { type: "tool_result", tool_use_id: "b" },
          { type: "text", text: "And now?", ...mark }
        ]
      }
    ])
  })

  it("have pictures of the types that the messages API knows, in Base64 without line ends", () => {
    for (const type of ["image/jpg", "image/pjpeg", "IMAGE/JPEG"]) {
      const url = `data:${type};base64,AAAA\r\nBBBB\n`
      expect(conversation({ role: "user", content: [{ type: "image_url", image_url: { url } }] }).messages).toEqual([
        {
          role: "user",
          content: [{ type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AAAABBBB" } }]
        }
      ])
    }
  })

  it("have an id for each call that no other one has, and results with the ids of their calls", () => {
    const result = (tool_call_id: string, content: string) => ({ role: "tool", tool_call_id, content })
    const both = { role: "assistant", content: null, tool_calls: [call("call_0", "{}"), call("call_0", "{}")] }
    const one = { role: "assistant", content: null, tool_calls: [{ ...call("", "{}"), index: 0 }] }
    const { messages } = conversation(
      ...[hello, both, result("call_0", "Left."), result("call_0", "Right.")],
      ...[both, result("call_0", "Up."), result("call_0", "Down."), one, result("", "There.")]
    ) as { readonly messages: ReadonlyArray<{ readonly content: ReadonlyArray<Json> }> }
    const blocks = messages.slice(1).flatMap(({ content }) => content)
    expect(blocks.map(({ content, id, tool_use_id }) => [id ?? tool_use_id, content])).toEqual([
      ...[
        ["call_0", undefined],
        ["call_0_2", undefined],
        ["call_0", "Left."],
        ["call_0_2", "Right."]
      ],
      ...[
        ["call_0_3", undefined],
        ["call_0_4", undefined],
        ["call_0_3", "Up."],
        ["call_0_4", "Down."]
      ],
      ...[
        ["call", undefined],
        ["call", "There."]
      ]
    ])
  })

  it("with results in a row are one message, to which the user's message after them is joined", () => {
    const result = (tool_call_id: string, content: unknown) => ({ role: "tool", tool_call_id, content })
    const block = (tool_use_id: string, content: unknown) => ({ type: "tool_result", tool_use_id, content })
    const calls = (id: string) => ({ role: "assistant", content: null, tool_calls: [call(id, "{}")] })
    const called = (id: string) => ({
      role: "assistant",
      content: [{ type: "tool_use", id, name: "look_up", input: {} }]
    })
    const text = [{ type: "text", text: "Left." }]
    expect(
      conversation(
        hello,
        calls("a"),
        result("a", "Right."),
        { role: "system", content: "Be brief." },
        result("b.c", text),
        hello,
        hello
      ).messages
    ).toEqual([
      hello,
      called("a"),
      {
        role: "user",
        content: [block("a", "Right."), block("b_c", text), { type: "text", text: "Which way to the harbour?" }]
      },
      hello
    ])
    expect(conversation(hello, calls("a"), result("a", ""), calls("b"), result("b", "Right.")).messages).toEqual([
      hello,
      called("a"),
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] },
      called("b"),
      { role: "user", content: [block("b", "Right.")] }
    ])
  })

  const inContent = (part: Json) => ({ messages: [{ role: "user", content: [part] }] })
  const inCall = (written: unknown) => ({ messages: [{ role: "assistant", tool_calls: [call("a", written)] }] })
  const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`

  it.each<readonly [string, string, Json]>([
    ["a function's result", "messages[0].role", { messages: [{ role: "function", name: "f", content: "1" }] }],
    ["audio", "messages[0].content[0]", inContent({ type: "input_audio", input_audio: { data: "", format: "wav" } })],
    ["a file's id", "messages[0].content[0].file.file_id", inContent({ type: "file", file: { file_id: "file-1" } })],
    [
      "a file of another type",
      "messages[0].content[0].file.file_data",
      inContent({ type: "file", file: { file_data: "data:text/csv;base64,YQ==" } })
    ],
    [
      "a picture that is no address",
      "messages[0].content[0].image_url.url",
      inContent({ type: "image_url", image_url: { url: "file:///boat.jpg" } })
    ],
    ["a part that is no object", "messages[0].content[0]", { messages: [{ role: "user", content: [null] }] }],
    ["no content", "messages[0].content", { messages: [{ role: "user" }] }],
    ["a field of a part", "messages[0].content[0].lang", inContent({ type: "text", text: "a", lang: "en" })],
    ["a field of a message", "messages[0].weight", { messages: [{ ...hello, weight: 0 }] }],
    ["arguments that are a list", "messages[0].tool_calls[0].function.arguments", inCall("[]")],
    ["arguments that are cut off", "messages[0].tool_calls[0].function.arguments", inCall('{"a":')],
    ["arguments that are no text", "messages[0].tool_calls[0].function.arguments", inCall({ a: 1 })],
    ["arguments nested without end", "messages[0].tool_calls[0].function.arguments", inCall(deep)],
    [
      "a call of a custom tool",
      "messages[0].tool_calls[0].type",
      { messages: [{ role: "assistant", tool_calls: [{ id: "a", type: "custom", custom: { name: "c", input: "" } }] }] }
    ],
    [
      "annotations",
      "messages[0].annotations",
      { messages: [{ role: "assistant", content: "a", annotations: [{ type: "url_citation" }] }] }
    ]
  ])("are refused with %s", (_, param, fields) => {
    expect(translate(fields)).toEqual({ refused: param })
  })
})
