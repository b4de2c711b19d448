/**
 * A server of the three APIs of language models, with their routes below `/v1`: it answers each request with a text, whole or
 * streamed as it is asked for, unless a test decides otherwise.
 */
import { isObject, type LlmApi } from "@trunkline/core/provider"
import type { TestCertificate } from "../webhooks/TestCertificate.ts"
import {
  type FakeUpstream,
  type StreamPiece,
  startFakeUpstream,
  type UpstreamCall,
  type UpstreamMood
} from "./FakeUpstream.ts"

/** An event as it is scripted: its data, with a name where the API names its events by their `type`. */
export type ScriptedEvent = { readonly [name: string]: unknown } | "[DONE]"

export type LlmAnswer =
  /** A whole answer, or a refusal with a `status` of its own. */
  | {
      readonly json: unknown
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly delayMs?: number
    }
  /** A stream: events, and between them raw bytes, waits in milliseconds, and promises that are waited for. */
  | {
      readonly stream: Iterable<ScriptedEvent | StreamPiece>
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      /** Bytes of the pieces in which each event is sent. Default: whole. */
      readonly cut?: number
      readonly end?: "ends" | "breaks" | "stays"
    }
  /** Whatever else an upstream may do. */
  | UpstreamMood

export interface FakeLlmServer extends FakeUpstream {
  /** What it does from now on: one answer, answers in turn of which the last is repeated, or one for each request; null for its own. */
  readonly says: (answer: LlmAnswer | ReadonlyArray<LlmAnswer> | ((call: UpstreamCall) => LlmAnswer) | null) => void
}

export interface FakeLlmServerOptions {
  /** What every answer says. */
  readonly text?: string
  /** The only key that is let in, as `Authorization: Bearer` or as `x-api-key`. */
  readonly apiKey?: string
  readonly tls?: TestCertificate
}

export const startFakeLlmServer = async (options: FakeLlmServerOptions = {}): Promise<FakeLlmServer> => {
  const server = await startFakeUpstream({ answers: (call) => moodOf(answer(call, options)), tls: options.tls })
  return {
    ...server,
    says: (answers) => {
      if (answers === null) return server.behave(null)
      if (typeof answers === "function") return server.behave((call) => moodOf(answers(call)))
      const all = Array.isArray(answers) ? answers : [answers]
      let next = 0
      server.behave(() => moodOf(all[Math.min(next++, all.length - 1)]))
    }
  }
}

const moodOf = (answer: LlmAnswer): UpstreamMood => {
  if ("does" in answer) return answer
  if ("json" in answer) {
    const { json, ...others } = answer
    return { does: "answer", body: json, ...others }
  }
  const { cut, stream, ...others } = answer
  return { does: "stream", pieces: piecesOf(stream, cut), ...others }
}

function* piecesOf(steps: Iterable<ScriptedEvent | StreamPiece>, cut: number | undefined): Iterable<StreamPiece> {
  for (const step of steps) {
    const isPiece = typeof step !== "object" || step instanceof Uint8Array || step instanceof Promise
    if (isPiece && step !== "[DONE]")
      yield step as StreamPiece // what is left of the union
    else {
      const bytes = Buffer.from(sentEvents([step as ScriptedEvent]))
      const size = cut ?? bytes.length
      for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
    }
  }
}

/** Events as they are sent: those with a `type` have it as their name, as with the messages and the responses API. */
export const sentEvents = (events: ReadonlyArray<ScriptedEvent>): string =>
  events
    .map((event) => {
      if (event === "[DONE]") return "data: [DONE]\n\n"
      const name = typeof event.type === "string" ? `event: ${event.type}\n` : ""
      return `${name}data: ${JSON.stringify(event)}\n\n`
    })
    .join("")

const chat = { id: "chatcmpl-there", created: 1_790_000_000, model: "model-there", system_fingerprint: "fp_there" }
const chatUsage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
const message = { id: "msg_there", type: "message", role: "assistant", model: "model-there" }
const messageUsage = { input_tokens: 12, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 7 }
const response = { id: "resp_there", object: "response", created_at: 1_790_000_000, model: "model-there", error: null }
const responseUsage = {
  ...{ input_tokens: 12, output_tokens: 7, total_tokens: 19 },
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 }
}

const outputItem = (text: string) => ({
  ...{ id: "item_there", type: "message", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text, annotations: [] }]
})

/** A whole answer of each API that says a text. */
export const llmBodies: Readonly<Record<LlmApi, (text: string) => { readonly [name: string]: unknown }>> = {
  chat_completions: (text) => ({
    ...{ ...chat, object: "chat.completion", usage: chatUsage },
    choices: [{ index: 0, message: { role: "assistant", content: text }, logprobs: null, finish_reason: "stop" }]
  }),
  messages: (text) => ({
    ...{ ...message, stop_reason: "end_turn", stop_sequence: null, usage: messageUsage },
    content: [{ type: "text", text }]
  }),
  responses: (text) => ({ ...response, status: "completed", output: [outputItem(text)], usage: responseUsage })
}

const words = (text: string): ReadonlyArray<string> => text.split(/(?<= )/)

const chatEvents = (text: string): ReadonlyArray<ScriptedEvent> => {
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...{ ...chat, object: "chat.completion.chunk" },
    choices: [{ index: 0, delta, logprobs: null, finish_reason }]
  })
  return [
    chunk({ role: "assistant", content: "" }, null),
    ...words(text).map((content) => chunk({ content }, null)),
    chunk({}, "stop"),
    { ...chat, object: "chat.completion.chunk", choices: [], usage: chatUsage },
    "[DONE]"
  ]
}

const messageEvents = (text: string): ReadonlyArray<ScriptedEvent> => [
  {
    type: "message_start",
    message: {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...messageUsage, output_tokens: 1 }
    }
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "ping" },
  ...words(text).map((word) => ({
    ...{ type: "content_block_delta", index: 0 },
    delta: { type: "text_delta", text: word }
  })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: "message_stop" }
]

const responseEvents = (text: string): ReadonlyArray<ScriptedEvent> => {
  const place = { item_id: "item_there", output_index: 0, content_index: 0 }
  const started = { ...response, status: "in_progress", output: [], usage: null }
  const part = { type: "output_text", text, annotations: [] }
  const events = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    {
      ...{ type: "response.output_item.added", output_index: 0 },
      item: { ...outputItem(""), status: "in_progress", content: [] }
    },
    { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
    ...words(text).map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
    { type: "response.output_text.done", ...place, text },
    { type: "response.content_part.done", ...place, part },
    { type: "response.output_item.done", output_index: 0, item: outputItem(text) },
    { type: "response.completed", response: llmBodies.responses(text) }
  ]
  return events.map((event, sequence_number) => ({ ...event, sequence_number }))
}

/** The events of each API's stream that says a text, word by word. */
export const llmEvents: Readonly<Record<LlmApi, (text: string) => ReadonlyArray<ScriptedEvent>>> = {
  chat_completions: chatEvents,
  messages: messageEvents,
  responses: responseEvents
}

const routes: Readonly<Record<string, LlmApi>> = {
  "/v1/chat/completions": "chat_completions",
  "/v1/messages": "messages",
  "/v1/responses": "responses"
}

const refused = (status: number, code: string): LlmAnswer => ({
  status,
  json: { error: { message: "leaky words of org-1234 at https://inner.example", type: code, param: null, code } }
})

const answer = ({ headers, json, method, path }: UpstreamCall, options: FakeLlmServerOptions): LlmAnswer => {
  const { apiKey, text = "hello there" } = options
  const isKnown = headers.authorization === `Bearer ${apiKey}` || headers["x-api-key"] === apiKey
  if (apiKey !== undefined && !isKnown) return refused(401, "invalid_api_key")
  if (method === "POST" && path === "/v1/messages/count_tokens") return { json: { input_tokens: 12 } }
  if (method === "POST" && path === "/v1/responses/input_tokens") {
    return { json: { object: "response.input_tokens", input_tokens: 12 } }
  }
  const api = method === "POST" ? routes[path] : undefined
  if (api === undefined) return refused(404, "not_found_error")
  if (!isObject(json)) return refused(400, "invalid_request_error")
  return json.stream === true ? { stream: llmEvents[api](text) } : { json: llmBodies[api](text) }
}
