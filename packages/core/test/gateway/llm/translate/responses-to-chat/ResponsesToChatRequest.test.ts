/** Requests of the Responses API at an upstream that has the chat API. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Json } from "../../../../../src/gateway/llm/translate/Translation.ts"
import { messagesOf, refusal, translated } from "./ResponsesSamples.ts"

const image = "data:image/png;base64,iVBORw0KGgo="
const pdf = "data:application/pdf;base64,JVBERi0="

describe("the messages of a translated request", () => {
  it("begin with the instructions, as a system message", () => {
    expect(translated({ instructions: "Be short.", input: "Hello" })).toEqual({
      messages: [
        { role: "system", content: "Be short." },
        { role: "user", content: "Hello" }
      ]
    })
    expect(refusal({ instructions: [{ role: "user", content: "x" }] }).param).toBe("instructions")
  })

  it("keep the order and the roles of the input, with developer as system", () => {
    const roles = ["user", "assistant", "system", "developer", "user"]
    expect(messagesOf(roles.map((role) => ({ role, content: role })))).toEqual([
      { role: "user", content: "user" },
      { role: "assistant", content: "assistant" },
      { role: "system", content: "system" },
      { role: "system", content: "developer" },
      { role: "user", content: "user" }
    ])
    expect(refusal({ input: [{ role: "tool", content: "x" }] }).param).toBe("input")
    expect(refusal({ input: [{ role: "constructor", content: "x" }] }).param).toBe("input")
  })

  it("are one text where all parts are texts, joined with nothing between", () => {
    const content = [
      { type: "input_text", text: "One" },
      { type: "input_text", text: "Two", prompt_cache_breakpoint: { mode: "explicit" } }
    ]
    expect(messagesOf([{ type: "message", role: "user", content }])).toEqual([{ role: "user", content: "OneTwo" }])
  })

  it("hold what an answer showed, with its ids and statuses passed over", () => {
    const content = [
      { type: "output_text", text: "Yes. ", annotations: [], logprobs: [] },
      { type: "refusal", refusal: "No." }
    ]
    const item = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      phase: "final_answer",
      content
    }
    expect(messagesOf([item])).toEqual([{ role: "assistant", content: "Yes. No." }])
  })

  it("hold pictures and files beside texts as parts", () => {
    const content = [
      { type: "input_text", text: "What is this?" },
      { type: "input_image", image_url: image, detail: "low", file_id: null },
      { type: "input_image", image_url: "https://example.com/a.png" },
      { type: "input_file", filename: "a.pdf", file_data: pdf }
    ]
    expect(messagesOf([{ role: "user", content }])).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: image, detail: "low" } },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
          { type: "file", file: { filename: "a.pdf", file_data: pdf } }
        ]
      }
    ])
  })

  it("hold no picture of another role, no file by id or address, and no part of another type", () => {
    const parts = [
      { type: "input_image", file_id: "file-1" },
      { type: "input_file", file_id: "file-1" },
      { type: "input_file", file_url: "https://example.com/a.pdf" },
      { type: "input_audio", input_audio: { data: "" } },
      { type: "input_text" },
      { type: "input_text", text: "x", colour: "red" },
      "text"
    ]
    for (const part of parts) expect(refusal({ input: [{ role: "user", content: [part] }] }).param).toBe("input")
    const picture = [{ type: "input_image", image_url: image }]
    expect(refusal({ input: [{ role: "assistant", content: picture }] }).param).toBe("input")
    expect(refusal({ input: [{ role: "user" }] }).param).toBe("input")
  })
})

describe("calls of functions in a translated request", () => {
  const call = (id: string) => ({ type: "function_call", id: `fc_${id}`, call_id: id, name: "look", arguments: "{}" })
  const toolCall = (id: string) => ({ id, type: "function", function: { name: "look", arguments: "{}" } })
  const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Wait." }] }
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" }

  it("are tool calls of the assistant's message before them", () => {
    expect(messagesOf([said, call("a"), reasoning, call("b")])).toEqual([
      { role: "assistant", content: "Wait.", tool_calls: [toolCall("a"), toolCall("b")] }
    ])
  })

  it("are one message of their own where no message of the assistant stands before them", () => {
    const user = { role: "user", content: "Look" }
    expect(messagesOf([user, call("a"), call("b")])).toEqual([
      { role: "user", content: "Look" },
      { role: "assistant", content: null, tool_calls: [toolCall("a"), toolCall("b")] }
    ])
    expect(messagesOf([call("a"), said])).toEqual([
      { role: "assistant", content: null, tool_calls: [toolCall("a")] },
      { role: "assistant", content: "Wait." }
    ])
  })

  it("have their results as tool messages, of a text or of texts", () => {
    const parts = [
      { type: "input_text", text: "4" },
      { type: "input_text", text: "2" }
    ]
    expect(
      messagesOf([
        call("a"),
        { type: "function_call_output", id: "fco_1", call_id: "a", output: "sunny", status: "completed" },
        call("b"),
        { type: "function_call_output", call_id: "b", output: parts }
      ])
    ).toEqual([
      { role: "assistant", content: null, tool_calls: [toolCall("a")] },
      { role: "tool", tool_call_id: "a", content: "sunny" },
      { role: "assistant", content: null, tool_calls: [toolCall("b")] },
      { role: "tool", tool_call_id: "b", content: "42" }
    ])
  })

  const result = (id: string, output: unknown = "sunny") => ({ type: "function_call_output", call_id: id, output })
  const answered = (id: string) => ({ role: "tool", tool_call_id: id, content: "sunny" })
  const note = { role: "assistant", content: "Wait." }

  it.each<readonly [string, ReadonlyArray<Json>, ReadonlyArray<Json>]>([
    [
      "a note between a call and its result",
      [call("a"), note, result("a")],
      [{ ...note, tool_calls: [toolCall("a")] }, answered("a")]
    ],
    [
      "a note between two calls",
      [call("a"), note, call("b"), result("a"), result("b")],
      [{ ...note, tool_calls: [toolCall("a"), toolCall("b")] }, answered("a"), answered("b")]
    ],
    [
      "a developer's message between a call and its result",
      [call("a"), { role: "developer", content: "Be brief." }, result("a")],
      [
        { role: "assistant", content: null, tool_calls: [toolCall("a")] },
        answered("a"),
        { role: "system", content: "Be brief." }
      ]
    ],
    [
      "a call between a call and its result",
      [call("a"), call("b"), result("b"), call("c"), result("a"), result("c"), note],
      [
        { role: "assistant", content: null, tool_calls: [toolCall("a"), toolCall("b"), toolCall("c")] },
        ...[answered("b"), answered("a"), answered("c"), note]
      ]
    ],
    [
      "what follows a call without a result",
      [call("a"), { role: "user", content: "Look" }, note],
      [{ role: "assistant", content: null, tool_calls: [toolCall("a")] }, { role: "user", content: "Look" }, note]
    ]
  ])("have their results right after them, whatever stands between: %s", (_, items, messages) => {
    expect(messagesOf(items)).toEqual(messages)
  })

  it("without arguments have an empty object", () => {
    const [message] = messagesOf([{ ...call("a"), arguments: "" }]) as ReadonlyArray<Json>
    expect(message?.tool_calls).toEqual([toolCall("a")])
  })

  it("have what a chat's model thought before them, and not what another one did", () => {
    const thought = (text: string) => ({ type: "reasoning", summary: [], content: [{ type: "reasoning_text", text }] })
    expect(
      messagesOf([
        thought("I "),
        thought("look."),
        reasoning,
        call("a"),
        result("a"),
        thought("So."),
        note,
        thought("?")
      ])
    ).toEqual([
      { role: "assistant", content: null, reasoning_content: "I look.", tool_calls: [toolCall("a")] },
      answered("a"),
      { ...note, reasoning_content: "So." }
    ])
  })

  it("have pictures in their results after these, in one message of the user", () => {
    const seen = [
      { type: "input_text", text: "sunny" },
      { type: "input_image", image_url: image }
    ]
    const picture = { type: "image_url", image_url: { url: image } }
    const named = (id: string) => ({ type: "text", text: `A picture in the result of the call ${id}:` })
    expect(messagesOf([call("a"), call("b"), result("a", seen), result("b", seen), note])).toEqual([
      { role: "assistant", content: null, tool_calls: [toolCall("a"), toolCall("b")] },
      ...[answered("a"), answered("b")],
      { role: "user", content: [named("a"), picture, named("b"), picture] },
      note
    ])
  })

  // Verifies: G-921.
  it("of a namespace are calls with its name in front", () => {
    const call = { type: "function_call", call_id: "a", name: "close", namespace: "agents", arguments: "{}" }
    expect(messagesOf([call, { type: "function_call_output", call_id: "a", output: "closed" }])).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "agents__close", arguments: "{}" } }]
      },
      { role: "tool", tool_call_id: "a", content: "closed" }
    ])
  })

  it("of custom tools are calls with one text", () => {
    const patch = { type: "custom_tool_call", id: "ctc_1", call_id: "a", name: "patch", input: '*** "Begin"\n' }
    const function_ = { name: "patch", arguments: JSON.stringify({ input: patch.input }) }
    expect(messagesOf([patch, { type: "custom_tool_call_output", call_id: "a", output: "sunny" }])).toEqual([
      { role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: function_ }] },
      answered("a")
    ])
    expect(refusal({ input: [{ ...patch, input: null }] }).param).toBe("input")
  })

  it("and messages that are empty are left out, and something has to be left", () => {
    expect(
      messagesOf([
        { role: "assistant", content: [] },
        { role: "user", content: "Look" }
      ])
    ).toEqual([{ role: "user", content: "Look" }])
    expect(refusal({ input: [{ role: "assistant", content: "" }] }).param).toBe("input")
  })

  it("are refused without an id, and of another form", () => {
    const items = [
      { type: "function_call_output", call_id: "a", output: [{ type: "input_file", file_data: pdf }] },
      { type: "function_call_output", output: "x" },
      { type: "function_call_output", call_id: "a", output: null },
      { type: "function_call", name: "look", arguments: "{}" },
      { ...call("a"), namespace: 5 },
      { type: "web_search_call", id: "ws_1" },
      { type: "item_reference", id: "msg_1" },
      { id: "msg_1" },
      null
    ]
    for (const item of items) expect(refusal({ input: [item] }).param).toBe("input")
  })
})

describe("the options of a translated request", () => {
  it("name the upstream's model, and its field for the limit of the output", () => {
    const limit = { max_output_tokens: 50 }
    expect(translated(limit)).toEqual({ max_tokens: 50 })
    for (const upstreamModel of ["gpt-5.4-mini", "openai/gpt-5", "gpt-10", "o1", "o4-mini"]) {
      expect(translated(limit, { upstreamModel })).toEqual({ max_completion_tokens: 50 })
    }
    for (const upstreamModel of ["gpt-4o", "gpt-oss-120b", "qwen3"]) {
      expect(translated(limit, { upstreamModel })).toEqual({ max_tokens: 50 })
    }
  })

  it("stay as they are where both APIs have them", () => {
    const same = { temperature: 0.2, top_p: 0.9, parallel_tool_calls: false, user: "u1" }
    expect(translated(same)).toEqual(same)
  })

  it("ask for the usage of a stream", () => {
    expect(translated({ stream: true, stream_options: { include_obfuscation: false } })).toEqual({
      stream: true,
      stream_options: { include_usage: true }
    })
    expect(translated({ stream: false })).toEqual({ stream: false })
  })

  it("have the tools of type function nested, strict only where it was sent", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } }
    const tools = [
      { type: "function", name: "look", description: "Looks", parameters, strict: false, async: false },
      { type: "function", name: "wait", description: null, parameters: null, strict: null }
    ]
    expect(translated({ tools })).toEqual({
      tools: [
        { type: "function", function: { name: "look", description: "Looks", parameters, strict: false } },
        { type: "function", function: { name: "wait" } }
      ]
    })
    expect(translated({ tools: [] })).toEqual({})
    const look = { type: "function", name: "look" }
    expect(refusal({ tools: [look, { type: "local_shell" }] }).param).toBe("tools[1]")
    expect(refusal({ tools: [{ type: "custom" }] }).param).toBe("tools[0].name")
    expect(refusal({ tools: [{ type: "custom", name: "x", format: { type: "text" }, rules: [] }] }).param).toBe(
      "tools[0]"
    )
    expect(refusal({ tools: [{ ...look, defer_loading: true }] }).param).toBe("tools[0]")
    expect(refusal({ tools: [{ type: "function" }] }).param).toBe("tools[0].name")
    expect(refusal({ tools: {} }).param).toBe("tools")
  })

  // Verifies: G-921.
  it("have the tools of a namespace as functions with its name and its description in front", () => {
    const tools = [
      { type: "function", name: "look" },
      {
        ...{ type: "namespace", name: "agents", description: "Manages agents." },
        tools: [
          {
            type: "function",
            name: "close",
            description: "Closes one.",
            parameters: { type: "object" },
            strict: false
          },
          { type: "custom", name: "note" }
        ]
      }
    ]
    expect(translated({ tools }).tools).toEqual([
      { type: "function", function: { name: "look" } },
      {
        type: "function",
        function: {
          ...{ name: "agents__close", description: "Manages agents.\n\nCloses one." },
          ...{ parameters: { type: "object" }, strict: false }
        }
      },
      {
        type: "function",
        function: { name: "agents__note", description: "Manages agents.", parameters: expect.any(Object) }
      }
    ])
    const within = (tool: object) => refusal({ tools: [{ type: "namespace", name: "agents", tools: [tool] }] }).param
    expect(within({ type: "mcp" })).toBe("tools[0].tools[0]")
    expect(within({ type: "function" })).toBe("tools[0].tools[0].name")
    expect(refusal({ tools: [{ type: "namespace", tools: [] }] }).param).toBe("tools[0].name")
    expect(refusal({ tools: [{ type: "namespace", name: "agents" }] }).param).toBe("tools[0].tools")
    expect(refusal({ tools: [{ type: "namespace", name: "agents", tools: [], more: 1 }] }).param).toBe("tools[0]")
  })

  it("have custom tools as functions with one text, whose description has the grammar", () => {
    const format = { type: "grammar", syntax: "lark", definition: 'start: "a"' }
    const tools = [
      { type: "custom", name: "patch", description: "Applies a patch.", format },
      { type: "custom", name: "note", format: { type: "text" } }
    ]
    const parameters = {
      type: "object",
      properties: { input: { type: "string", description: "The input of the tool, as it is" } },
      required: ["input"],
      additionalProperties: false
    }
    const description = 'Applies a patch.\n\nThe input follows this grammar (lark):\nstart: "a"'
    expect(translated({ tools, tool_choice: { type: "custom", name: "patch" } })).toEqual({
      tools: [
        { type: "function", function: { name: "patch", description, parameters } },
        { type: "function", function: { name: "note", parameters } }
      ],
      tool_choice: { type: "function", function: { name: "patch" } }
    })
  })

  it("choose a tool in the four forms of the chat API", () => {
    for (const tool_choice of ["auto", "none", "required"]) expect(translated({ tool_choice })).toEqual({ tool_choice })
    expect(translated({ tool_choice: { type: "function", name: "look" } })).toEqual({
      tool_choice: { type: "function", function: { name: "look" } }
    })
    const others = [
      "any",
      { type: "allowed_tools", mode: "auto", tools: [] },
      { type: "file_search" },
      { type: "function" }
    ]
    for (const tool_choice of others) expect(refusal({ tool_choice }).param).toBe("tool_choice")
  })

  it("have the form of the text as response_format and verbosity", () => {
    const schema = { type: "object" }
    const format = { type: "json_schema", name: "weather", description: null, schema, strict: true }
    expect(translated({ text: { format, verbosity: "low" } })).toEqual({
      response_format: { type: "json_schema", json_schema: { name: "weather", schema, strict: true } },
      verbosity: "low"
    })
    expect(translated({ text: { format: { type: "text" } } })).toEqual({ response_format: { type: "text" } })
    expect(translated({ text: { format: { type: "json_object" } } })).toEqual({
      response_format: { type: "json_object" }
    })
    expect(translated({ text: {} })).toEqual({})
    expect(refusal({ text: { format: { type: "grammar" } } }).param).toBe("text.format")
    expect(refusal({ text: { format: { type: "text", colour: 1 } } }).param).toBe("text.format")
    expect(refusal({ text: { tone: "kind" } }).param).toBe("text")
  })

  it("have the effort of the reasoning, and pass over its summary", () => {
    const reasoning = { effort: "low", summary: "auto" }
    expect(translated({ reasoning })).toEqual({ reasoning_effort: "low" })
    expect(translated({ reasoning: { effort: null } })).toEqual({})
    expect(refusal({ reasoning: { context: "all_turns" } }).param).toBe("reasoning")
  })

  it("include the probabilities of tokens, and pass over encrypted reasoning", () => {
    const include = ["reasoning.encrypted_content", "message.output_text.logprobs"]
    expect(translated({ include, top_logprobs: 3 })).toEqual({ logprobs: true, top_logprobs: 3 })
    expect(translated({ include: ["reasoning.encrypted_content"], top_logprobs: 0 })).toEqual({})
    expect(refusal({ include: ["file_search_call.results"] }).param).toBe("include")
    expect(refusal({ include: "all" }).param).toBe("include")
    expect(refusal({ top_logprobs: 3 }).param).toBe("top_logprobs")
  })

  it("leave out what has no effect on the answer", () => {
    const passedOver = {
      metadata: { a: "b" },
      store: true,
      truncation: "disabled",
      max_tool_calls: 3,
      prompt_cache_key: "k",
      prompt_cache_retention: "24h",
      prompt_cache_options: { mode: "implicit" },
      safety_identifier: "s",
      stream_options: {},
      previous_response_id: "resp_0",
      service_tier: "auto",
      background: false,
      conversation: null,
      client_metadata: { session: "s" },
      context_management: [{ type: "compaction" }],
      whatever: null
    }
    expect(translated(passedOver)).toEqual({})
  })

  it("are refused where their value has no place", () => {
    const values = { truncation: "auto", service_tier: "flex", background: true, prompt: {} }
    for (const [name, value] of Object.entries(values)) expect(refusal({ [name]: value }).param).toBe(name)
  })

  const known = [
    "model input instructions max_output_tokens stream tools tool_choice text reasoning include top_logprobs truncation",
    "service_tier background temperature top_p parallel_tool_calls user metadata store max_tool_calls prompt_cache_key",
    "prompt_cache_retention prompt_cache_options safety_identifier stream_options previous_response_id",
    "client_metadata context_management"
  ].flatMap((line) => line.split(" "))

  it("are refused by their name where nothing is known of them, whatever they are", () => {
    const name = fc
      .oneof(fc.string({ minLength: 1 }), fc.constantFrom("constructor", "toString", "messages", "n", "seed", "stop"))
      .filter((one) => !known.includes(one) && one !== "__proto__")
    const value = fc.jsonValue().filter((one) => one !== null)
    fc.assert(
      fc.property(name, value, (field, content) => {
        expect(refusal({ [field]: content }).param).toBe(field)
      })
    )
  })
})
