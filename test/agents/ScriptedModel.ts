/** A model that follows a script: it calls one tool after the other, each once the one before has its result, and then says that it is done. */
import { isObject, type LlmApi } from "@trunkline/core/provider"
import {
  type LlmAnswer,
  llmBodies,
  llmEvents,
  type ScriptedEvent,
  type UpstreamCall
} from "@trunkline/testing/upstreams"

export interface ScriptedCall {
  readonly name: string
  readonly arguments: { readonly [name: string]: unknown }
}

type Json = { readonly [name: string]: unknown }

export const lastWords = "All three steps are done."

const apis: Readonly<Record<string, LlmApi>> = {
  "/v1/chat/completions": "chat_completions",
  "/v1/messages": "messages",
  "/v1/responses": "responses"
}

const objects = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])

/** Results of tools in a request: as many steps of the script are done. */
const resultsIn = (api: LlmApi, body: Json): number => {
  switch (api) {
    case "chat_completions":
      return objects(body.messages).filter(({ role }) => role === "tool").length
    case "messages":
      return objects(body.messages)
        .flatMap(({ content }) => objects(content))
        .filter(({ type }) => type === "tool_result").length
    case "responses":
      return objects(body.input).filter(({ type }) => /_call_output$/.test(String(type))).length
  }
}

const chunk = (delta: Json, finish_reason: string | null) => ({
  ...{ id: "chatcmpl-there", object: "chat.completion.chunk", created: 1_790_000_000, model: "model-there" },
  choices: [{ index: 0, delta, finish_reason }]
})

/** The events of each API that call one tool, with its arguments in two pieces. */
const calling: Readonly<Record<LlmApi, (name: string, written: string, nth: number) => ReadonlyArray<ScriptedEvent>>> =
  {
    chat_completions: (name, written, nth) => {
      const piece = (more: Json) => chunk({ tool_calls: [{ index: 0, ...more }] }, null)
      return [
        chunk({ role: "assistant", content: null }, null),
        piece({ id: `call_${nth}`, type: "function", function: { name, arguments: written.slice(0, 5) } }),
        piece({ function: { arguments: written.slice(5) } }),
        chunk({}, "tool_calls"),
        { ...chunk({}, null), choices: [], usage: { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 } },
        "[DONE]"
      ]
    },
    messages: (name, written, nth) => {
      const delta = (partial_json: string) => ({
        ...{ type: "content_block_delta", index: 0 },
        delta: { type: "input_json_delta", partial_json }
      })
      return [
        llmEvents.messages("")[0]!,
        {
          ...{ type: "content_block_start", index: 0 },
          content_block: { type: "tool_use", id: `toolu_${nth}`, name, input: {} }
        },
        delta(written.slice(0, 5)),
        delta(written.slice(5)),
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 7 } },
        { type: "message_stop" }
      ]
    },
    responses: (name, written, nth) => {
      const item = { type: "function_call", id: `fc_${nth}`, call_id: `call_${nth}`, name, arguments: written }
      const place = { item_id: item.id, output_index: 0 }
      const response = { ...llmBodies.responses(""), output: [{ ...item, status: "completed" }] }
      const events = [
        { type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } },
        {
          type: "response.output_item.added",
          output_index: 0,
          item: { ...item, arguments: "", status: "in_progress" }
        },
        { type: "response.function_call_arguments.delta", ...place, delta: written },
        { type: "response.function_call_arguments.done", ...place, arguments: written },
        { type: "response.output_item.done", output_index: 0, item: { ...item, status: "completed" } },
        { type: "response.completed", response }
      ]
      return events.map((event, sequence_number) => ({ ...event, sequence_number }))
    }
  }

/** Answers a request of an agent that streams. One without tools, such as for a title, gets words alone. */
export const scripted =
  (script: ReadonlyArray<ScriptedCall>) =>
  ({ json, path }: UpstreamCall): LlmAnswer => {
    const api = apis[path]
    if (api === undefined || !isObject(json)) return { status: 404, json: { error: { message: "not found" } } }
    const nth = resultsIn(api, json)
    const next = objects(json.tools).length === 0 ? undefined : script[nth]
    if (json.stream !== true) return { json: llmBodies[api](lastWords) }
    return {
      stream:
        next === undefined ? llmEvents[api](lastWords) : calling[api](next.name, JSON.stringify(next.arguments), nth)
    }
  }
