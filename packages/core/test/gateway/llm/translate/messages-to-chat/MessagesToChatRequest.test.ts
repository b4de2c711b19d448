/** A messages request for an upstream with the chat API. */
import { describe, expect, it } from "vitest"
import { outputLimitField } from "../../../../../src/gateway/llm/chat/OutputLimitField.ts"
import { messagesToChat } from "../../../../../src/gateway/llm/translate/messages-to-chat/MessagesToChat.ts"
import type { Json } from "../../../../../src/gateway/llm/translate/Translation.ts"
import { requestContext, requestOf } from "../Translated.ts"

const hello = { role: "user", content: "Which way to the harbour?" }
const given = { model: "asked-for", max_tokens: 100, messages: [hello] }
const translate = (fields: Json): Json => requestOf(messagesToChat, { ...given, ...fields })
const base = { model: "at-the-upstream", max_tokens: 100, messages: [hello] }

const conversation = (...messages: ReadonlyArray<Json>): unknown => {
  const translated = translate({ messages })
  return translated.messages ?? translated
}
const text = (text: string) => ({ type: "text", text })
const cached = { cache_control: { type: "ephemeral" } }

describe("fields of a messages request", () => {
  it.each<readonly [string, Json, Json]>([
    ["what is required is enough", {}, {}],
    ["temperature and top_p are sent", { temperature: 0.5, top_p: 0.9 }, { temperature: 0.5, top_p: 0.9 }],
    ["stop_sequences are stop texts", { stop_sequences: ["END"] }, { stop: ["END"] }],
    ["a stream is asked for its usage", { stream: true }, { stream: true, stream_options: { include_usage: true } }],
    ["no stream is no stream", { stream: false }, { stream: false }],
    ["the user is sent, other metadata is passed over", { metadata: { user_id: "u-1", team: 3 } }, { user: "u-1" }],
    ["metadata without a user is passed over", { metadata: { user_id: null } }, {}],
    ["an effort is sent", { output_config: { effort: "high" } }, { reasoning_effort: "high" }],
    [
      "a schema is strict and has a name",
      { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
      {
        response_format: {
          type: "json_schema",
          json_schema: { name: "output", strict: true, schema: { type: "object" } }
        }
      }
    ],
    [
      "permissions and hints are passed over",
      {
        ...{ thinking: { type: "enabled", budget_tokens: 2_000 }, service_tier: "auto", speed: "standard", ...cached },
        context_management: { edits: [] }
      },
      {}
    ],
    ["null is an absent field", { top_k: null, tools: null, system: null, thinking: null, unheard_of: null }, {}]
  ])("%s", (_, fields, expected) => {
    expect(translate(fields)).toEqual({ ...base, ...expected })
  })

  it.each<readonly [string, Json]>([
    ["top_k", { top_k: 5 }],
    ["container", { container: "c" }],
    ["speed", { speed: "fast" }],
    ["mcp_servers", { mcp_servers: [] }],
    ["stop_sequences[0]", { stop_sequences: [1] }],
    ["output_config.task_budget", { output_config: { task_budget: {} } }],
    ["output_config.format", { output_config: { format: { type: "regex", schema: {} } } }],
    ["output_config.effort", { output_config: { effort: 3 } }],
    ["metadata", { metadata: "u-1" }],
    ["metadata.user_id", { metadata: { user_id: 1 } }],
    ["__proto__", JSON.parse('{"__proto__":1}')]
  ])("%s is refused where it has no place", (param, fields) => {
    expect(translate(fields)).toEqual({ refused: param })
  })

  it("the limit has the name that the upstream's model knows", () => {
    const upstreamModel = "gpt-5.4-mini"
    expect(requestOf(messagesToChat, given, { ...requestContext, upstreamModel })).toEqual({
      model: upstreamModel,
      max_completion_tokens: 100,
      messages: [hello]
    })
    const newer = ["gpt-5", "gpt-6-nano", "gpt-12", "o1", "o3-mini", "openai/gpt-5.4", "openai/o4"]
    expect(newer.map(outputLimitField)).toEqual(newer.map(() => "max_completion_tokens"))
    const others = ["gpt-4.1", "gpt-4o", "llama-3.1", "mistral-large", "foo1", "gemma-3"]
    expect(others.map(outputLimitField)).toEqual(others.map(() => "max_tokens"))
  })
})

describe("tools of a messages request", () => {
  it("are functions", () => {
    const input_schema = { type: "object", properties: { place: { type: "string" } } }
    const tools = [
      { name: "look_up", description: "Finds.", input_schema, strict: true, ...cached },
      { type: "custom", name: "stop", input_schema, strict: false }
    ]
    expect(translate({ tools }).tools).toEqual([
      {
        type: "function",
        function: { name: "look_up", description: "Finds.", parameters: input_schema, strict: true }
      },
      { type: "function", function: { name: "stop", parameters: input_schema } }
    ])
    expect(translate({ tools: [] })).toEqual(base)
  })

  it("are the same without hints that change how an answer comes, and not what it is", () => {
    const input_schema = { type: "object", properties: {} }
    const hints = {
      defer_loading: false,
      eager_input_streaming: true,
      input_examples: [{}],
      allowed_callers: ["direct"]
    }
    expect(translate({ tools: [{ name: "look_up", input_schema, ...cached, ...hints }] }).tools).toEqual([
      { type: "function", function: { name: "look_up", parameters: input_schema } }
    ])
  })

  it("have the properties that the chat API requires of an object", () => {
    const parameters = (input_schema: Json) => {
      const [tool] = translate({ tools: [{ name: "f", input_schema }] }).tools as ReadonlyArray<{
        readonly function: Json
      }>
      return tool?.function.parameters
    }
    expect(parameters({ type: "object" })).toEqual({ type: "object", properties: {} })
    expect(parameters({ type: "object", properties: { a: {} } })).toEqual({ type: "object", properties: { a: {} } })
    expect(parameters({ type: "string" })).toEqual({ type: "string" })
  })

  it.each<readonly [Json, Json]>([
    [{ type: "auto" }, { tool_choice: "auto" }],
    [{ type: "any" }, { tool_choice: "required" }],
    [{ type: "none" }, { tool_choice: "none" }],
    [{ type: "tool", name: "f" }, { tool_choice: { type: "function", function: { name: "f" } } }],
    [
      { type: "auto", disable_parallel_tool_use: true },
      { tool_choice: "auto", parallel_tool_calls: false }
    ],
    [
      { type: "tool", name: "f", disable_parallel_tool_use: true },
      { tool_choice: { type: "function", function: { name: "f" } }, parallel_tool_calls: false }
    ],
    [{ type: "any", disable_parallel_tool_use: false }, { tool_choice: "required" }]
  ])("are chosen as %j", (tool_choice, expected) => {
    expect(translate({ tool_choice })).toEqual({ ...base, ...expected })
  })

  it.each<readonly [string, Json]>([
    ["tools[0].type", { tools: [{ type: "bash_20250124", name: "bash" }] }],
    ["tools[0].name", { tools: [{ input_schema: {} }] }],
    ["tools[0].allowed_callers", { tools: [{ name: "f", input_schema: {}, allowed_callers: ["code_execution"] }] }],
    ["tools[0]", { tools: [7] }],
    ["tools[0].defer_loading", { tools: [{ name: "f", input_schema: {}, defer_loading: true }] }],
    ["tool_choice.type", { tool_choice: { type: "constructor" } }],
    ["tool_choice", { tool_choice: "auto" }]
  ])("are refused in other forms: %s", (param, fields) => {
    expect(translate(fields)).toEqual({ refused: param })
  })
})

const use = (id: string) => ({ type: "tool_use", id, name: "look_up", input: {} })
const called = (id: string) => ({ id, type: "function", function: { name: "look_up", arguments: "{}" } })
const answers = (...ids: ReadonlyArray<string>) => ({
  role: "user",
  content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "Left." }))
})

describe("messages of a messages request", () => {
  it("begin with the system's, whose blocks are joined by an empty line", () => {
    const first = { role: "system", content: "Be brief.\n\nBe kind." }
    expect(translate({ system: "Be brief.\n\nBe kind." }).messages).toEqual([first, hello])
    expect(translate({ system: [{ ...text("Be brief."), ...cached }, text("Be kind.")] }).messages).toEqual([
      first,
      hello
    ])
    expect(translate({ system: "" })).toEqual(base)
  })

  it("of the system stay in their place", () => {
    expect(conversation(hello, { role: "system", content: [text("Be brief."), text("Be kind.")] }, hello)).toEqual([
      hello,
      { role: "system", content: "Be brief.\n\nBe kind." },
      hello
    ])
  })

  it("of the user are one text where they hold only texts", () => {
    const document = {
      type: "document",
      source: { type: "text", media_type: "text/plain", data: "High tide at six." },
      title: "Tides",
      citations: { enabled: false }
    }
    expect(conversation({ role: "user", content: [text("Read."), document] })).toEqual([
      { role: "user", content: "Read.\n\nHigh tide at six." }
    ])
  })

  it("of the user are parts where they hold pictures or PDF documents", () => {
    const pdf = { type: "base64", media_type: "application/pdf", data: "JVBERi0x" }
    const content = [
      text("What is this?"),
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0K" }, ...cached },
      { type: "image", source: { type: "url", url: "https://pictures.example/boat.jpg" } },
      { type: "document", source: pdf, title: "tides.pdf" },
      { type: "document", source: pdf }
    ]
    const file_data = "data:application/pdf;base64,JVBERi0x"
    expect(conversation({ role: "user", content })).toEqual([
      {
        role: "user",
        content: [
          text("What is this?"),
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0K" } },
          { type: "image_url", image_url: { url: "https://pictures.example/boat.jpg" } },
          { type: "file", file: { filename: "tides.pdf", file_data } },
          { type: "file", file: { filename: "document.pdf", file_data } }
        ]
      }
    ])
  })

  it("with results of tools have those first, a message each", () => {
    const result = (fields: Json) => ({ type: "tool_result", ...fields })
    const content = [
      text("And now?"),
      result({ tool_use_id: "a", content: "Left." }),
      result({ tool_use_id: "b", content: [text("No "), text("map.")], is_error: true }),
      result({ tool_use_id: "c", ...cached })
    ]
    const results = [
      { role: "tool", tool_call_id: "a", content: "Left." },
      { role: "tool", tool_call_id: "b", content: "Error: No map." },
      { role: "tool", tool_call_id: "c", content: "" }
    ]
    expect(conversation({ role: "user", content })).toEqual([...results, { role: "user", content: "And now?" }])
    expect(conversation({ role: "user", content: content.slice(1) })).toEqual(results)
  })

  it("of the assistant are a text and calls, without what it thought", () => {
    const content = [
      { type: "thinking", thinking: "Hm.", signature: "c2ln" },
      { type: "redacted_thinking", data: "eA==" },
      { ...text("I will "), citations: null },
      text("look."),
      { type: "tool_use", id: "toolu_1", name: "look_up", input: { place: null }, caller: { type: "direct" } }
    ]
    const tool_calls = [{ id: "toolu_1", type: "function", function: { name: "look_up", arguments: '{"place":null}' } }]
    expect(
      conversation({ role: "assistant", content }, hello, { role: "assistant", content: "Left." }, hello, {
        role: "assistant",
        content: content.slice(4)
      })
    ).toEqual([
      { role: "assistant", content: "I will look.", tool_calls },
      hello,
      { role: "assistant", content: "Left." },
      hello,
      { role: "assistant", content: null, tool_calls }
    ])
  })

  it.each<readonly [string, unknown]>([
    ["an empty text", ""],
    ["no blocks", []],
    ["an empty block", [text("")]],
    ["thoughts of another model", [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }]],
    ["hidden thoughts", [{ type: "redacted_thinking", data: "eA==" }]],
    ["our thoughts", [{ type: "thinking", thinking: "Hm.", signature: "" }]]
  ])("of the assistant with %s alone are left out, since the chat API refuses them", (_, content) => {
    expect(conversation(hello, { role: "assistant", content }, hello)).toEqual([hello, hello])
    expect(conversation({ role: "assistant", content })).toEqual({ refused: "messages" })
  })

  it("of the assistant have our thoughts, from which a thinking model goes on", () => {
    const content = [{ type: "thinking", thinking: "I look.", signature: "" }, use("a")]
    expect(conversation({ role: "assistant", content }, answers("a"))).toEqual([
      { role: "assistant", content: null, reasoning_content: "I look.", tool_calls: [called("a")] },
      { role: "tool", tool_call_id: "a", content: "Left." }
    ])
  })

  it("of the assistant in a row are one, with the results after it", () => {
    expect(
      conversation(
        hello,
        { role: "assistant", content: [use("a")] },
        { role: "assistant", content: "I look. " },
        { role: "assistant", content: [text("Twice."), use("b")] },
        answers("b", "a")
      )
    ).toEqual([
      hello,
      { role: "assistant", content: "I look. Twice.", tool_calls: [called("a"), called("b")] },
      { role: "tool", tool_call_id: "b", content: "Left." },
      { role: "tool", tool_call_id: "a", content: "Left." }
    ])
  })

  it("have the results of a turn's calls before what stood between them", () => {
    const system = { role: "system", content: "Be brief." }
    expect(conversation({ role: "assistant", content: [use("a")] }, system, answers("a"), hello)).toEqual([
      { role: "assistant", content: null, tool_calls: [called("a")] },
      { role: "tool", tool_call_id: "a", content: "Left." },
      system,
      hello
    ])
  })

  it("have pictures in results after them, at the beginning of what the user says", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0K" } }
    const seen = { type: "tool_result", tool_use_id: "a", content: [text("Seen:"), image] }
    const content = [seen, { ...seen, tool_use_id: "b", content: [image] }, text("Which?")]
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0K" } }
    const named = (id: string) => text(`A picture in the result of the call ${id}:`)
    expect(conversation({ role: "assistant", content: [use("a"), use("b")] }, { role: "user", content })).toEqual([
      { role: "assistant", content: null, tool_calls: [called("a"), called("b")] },
      { role: "tool", tool_call_id: "a", content: "Seen:" },
      { role: "tool", tool_call_id: "b", content: "" },
      { role: "user", content: [named("a"), picture, named("b"), picture, text("Which?")] }
    ])
  })

  const from = (role: string) => (block: unknown) => ({ messages: [{ role, content: [block] }] })
  const [user, assistant] = [from("user"), from("assistant")]
  const result = (content: unknown) => user({ type: "tool_result", tool_use_id: "a", content })
  const at = "messages[0].content[0]"

  it.each<readonly [string, string, Json]>([
    ["a PDF's address", `${at}.source`, user({ type: "document", source: { type: "url", url: "https://a.example" } })],
    ["a document of blocks", `${at}.source`, user({ type: "document", source: { type: "content", content: [] } })],
    [
      "a document that is no PDF",
      `${at}.source`,
      user({ type: "document", source: { type: "base64", media_type: "image/png", data: "" } })
    ],
    [
      "citations of a document",
      `${at}.citations`,
      user({ type: "document", source: { type: "text", data: "" }, citations: { enabled: true } })
    ],
    ["citations of a text", `${at}.citations`, assistant({ ...text("a"), citations: [{ type: "char_location" }] })],
    ["citations of no known form", `${at}.citations`, assistant({ ...text("a"), citations: "all" })],
    ["a picture's file", `${at}.source`, user({ type: "image", source: { type: "file", file_id: "f" } })],
    ["a search result", at, user({ type: "search_result", source: "https://a.example", title: "", content: [] })],
    ["a picture without a source in a result", `${at}.content[0].source`, result([{ type: "image", source: {} }])],
    ["a document in a result", `${at}.content[0]`, result([{ type: "document", source: {} }])],
    ["a result that is no text", `${at}.content`, result({ type: "text" })],
    ["a block of a provider's tool", at, assistant({ type: "server_tool_use", id: "a", name: "b", input: {} })],
    ["a picture of the assistant's", at, assistant({ type: "image", source: {} })],
    [
      "a call from code",
      `${at}.caller`,
      assistant({ type: "tool_use", id: "a", name: "b", input: {}, caller: { type: "code" } })
    ],
    [
      "a call's input that is no object",
      `${at}.input`,
      assistant({ type: "tool_use", id: "a", name: "b", input: "x" })
    ],
    ["a block that is no object", at, user(null)],
    ["a field of a block", `${at}.lang`, user({ ...text("a"), lang: "en" })],
    ["a field of a message", "messages[0].name", { messages: [{ ...hello, name: "Ada" }] }],
    ["no content", "messages[0].content", { messages: [{ role: "user" }] }],
    ["another role", "messages[0].role", { messages: [{ role: "tool", content: "a" }] }],
    ["a system that is no text", "system[0]", { system: [{ type: "image", source: {} }] }]
  ])("are refused with %s", (_, param, fields) => {
    expect(translate(fields)).toEqual({ refused: param })
  })
})
