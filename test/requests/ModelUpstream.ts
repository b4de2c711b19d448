/**
 * An upstream of models that reads whatever it gets: its answers follow from two words in what it was asked, so that a
 * request decides what its upstream does. It fails below `/failing` alone.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { chatAnswer } from "../faults/Models.ts"

const repeated = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length))

/** What a model writes where it was asked for by `UPSTREAM <word>`. */
const texts: Readonly<Record<string, string>> = {
  blank: `a${repeated("\n ", 8000)}b`,
  brackets: `a ${repeated("[", 8000)}b`,
  stars: `a ${repeated("**", 8000)}b`,
  long: repeated("Some words follow. ", 60_000),
  html: "<script>alert(1)</script>",
  empty: ""
}

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

/** An answer of 12 MB that is nothing but levels. */
const levels = 2_000_000
const deep = (): string => {
  const body = JSON.stringify({ ...chatAnswer({ messages: [] }).body, zz: "@" })
  return body.replace('"@"', `${repeated('{"a":', levels * 5)}1${"}".repeat(levels)}`)
}

const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_790_000_000, model: "any" }

const streamed = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  const event = (value: unknown) => response.write(`data: ${JSON.stringify(value)}\n\n`)
  for (let at = 0; at < text.length; at += 500) {
    event({ ...head, choices: [{ index: 0, delta: { content: text.slice(at, at + 500) }, finish_reason: null }] })
  }
  event({ ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })
  event({ ...head, choices: [], usage })
  response.end("data: [DONE]\n\n")
}

/** Only the end of a long request is looked at: what is asked for last stands there. */
const endOf = (body: Buffer): string => body.subarray(-20_000).toString("latin1")

const chat = (body: Buffer, response: ServerResponse, says: string): void => {
  const [, what = ""] = /UPSTREAM (\w+)/.exec(endOf(body)) ?? []
  if (what === "deep") return void json(response, 200, deep())
  const text = texts[what] ?? says
  if (`${body.subarray(0, 20_000).toString("latin1")}${endOf(body)}`.includes('"stream":true'))
    return void streamed(response, text)
  const { body: answer } = chatAnswer({ messages: [] })
  const [choice] = answer.choices
  const counted = what === "lies" ? { prompt_tokens: -5, completion_tokens: 1e300, total_tokens: "x" } : answer.usage
  json(response, 200, {
    ...answer,
    usage: counted,
    choices: [{ ...choice, message: { ...choice!.message, content: text } }]
  })
}

const transcript = (body: Buffer, response: ServerResponse): void => {
  const form = body.toString("latin1")
  const segment = { id: 0, seek: 0, start: 0, end: 0.5, text: "hello", tokens: [1], temperature: 0, avg_logprob: -0.2 }
  if (form.includes("\r\n\r\ntext\r\n")) return void response.end("hello")
  json(response, 200, {
    ...{ task: "transcribe", language: "english", duration: 0.5, text: "hello" },
    ...{
      segments: [{ ...segment, speaker: "A", type: "transcript.text.segment" }],
      usage: { type: "duration", seconds: 1 }
    }
  })
}

const vectors = (body: Buffer, response: ServerResponse): void => {
  const { dimensions = 4, encoding_format, input } = JSON.parse(body.toString())
  const count = Array.isArray(input) && typeof input[0] !== "number" ? input.length : 1
  const floats = Array.from({ length: dimensions }, () => 0.5)
  const embedding =
    encoding_format === "base64" ? Buffer.from(new Float32Array(floats).buffer).toString("base64") : floats
  const data = Array.from({ length: count }, (_, index) => ({ object: "embedding", index, embedding }))
  json(response, 200, { object: "list", data, model: "any", usage: { prompt_tokens: 8, total_tokens: 8 } })
}

const image = { b64_json: "iVBORw0KGgo=", revised_prompt: "in oil" }
const page = {
  title: "A page",
  url: "https://example.com/",
  content: "Words",
  engine: "e",
  category: "general",
  score: 1
}
const found = { query: "q", number_of_results: 1, results: [page], answers: [], unresponsive_engines: [] }

const answer = async (incoming: IncomingMessage, response: ServerResponse, says: string): Promise<void> => {
  const path = (incoming.url ?? "").split("?")[0]!
  const body = await bodyOf(incoming)
  if (path.startsWith("/failing")) return json(response, 500, { error: { message: "leaky words" } })
  if (path.endsWith("/chat/completions")) return chat(body, response, says)
  if (path.endsWith("/embeddings")) return vectors(body, response)
  if (path.endsWith("/images/generations")) return json(response, 200, { created: 1_790_000_000, data: [image] })
  if (path.endsWith("/audio/speech")) return void response.end(Buffer.alloc(4800))
  if (path.includes("/audio/trans")) return transcript(body, response)
  return json(response, path.endsWith("/search") ? 200 : 404, path.endsWith("/search") ? found : {})
}

/** Listens on loopback; the port. `says` is what every answer is. */
export const serveModels = (says: string): Promise<number> => {
  const server = createServer((incoming, response) => {
    response.on("error", () => undefined)
    void answer(incoming, response, says).catch(() => json(response, 400, { error: { message: "unreadable" } }))
  })
  server.keepAliveTimeout = 60_000
  return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready((server.address() as AddressInfo).port)))
}
