/** Stands in for models that the reader has not set up: an OpenAI-compatible server with fixed answers. It understands nothing. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** An answer to what matches `to`; with `ends` the agent hangs up after it. */
export interface ScriptedReply {
  readonly to: RegExp
  readonly text: string
  readonly ends?: boolean
}

const notUnderstood = { text: "I am sorry, could you say that in other words?" }

export interface ScriptedModels {
  readonly baseUrl: string
  readonly close: () => void
}

interface ChatBody {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content?: unknown }>
}

/** The caller's last words get the first reply that matches them; the nth recording the nth of the words that are said to be heard. */
export const scriptedModels = async (
  replies: ReadonlyArray<ScriptedReply>,
  heard: ReadonlyArray<string>
): Promise<ScriptedModels> => {
  let recordings = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.endsWith("/audio/transcriptions")) {
      await request.resume().toArray()
      const words = { text: heard[Math.min(recordings++, heard.length - 1)] }
      return void response.setHeader("content-type", "application/json").end(JSON.stringify(words))
    }
    const { messages } = JSON.parse(await text(request)) as ChatBody
    const said = String(messages.findLast(({ role }) => role === "user")?.content)
    response.setHeader("content-type", "text/event-stream")
    for (const chunk of chunksOf(replies.find(({ to }) => to.test(said)) ?? notUnderstood)) {
      response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    }
    response.end("data: [DONE]\n\n")
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** A streamed answer, word by word. */
const chunksOf = ({ ends, text }: Omit<ScriptedReply, "to">): ReadonlyArray<object> => {
  const chunk = (delta: object, reason: string | null = null) => ({
    ...{ id: "scripted", object: "chat.completion.chunk", created: 0, model: "scripted" },
    choices: [{ index: 0, delta, finish_reason: reason }]
  })
  const words = text.split(/(?<= )/).map((content) => chunk({ content }))
  const call = { index: 0, id: "call_1", type: "function", function: { name: "end_call", arguments: "{}" } }
  const tokens = { prompt_tokens: 100, completion_tokens: words.length, total_tokens: 100 + words.length }
  return [
    ...words,
    ...(ends ? [chunk({ tool_calls: [call] })] : []),
    chunk({}, ends ? "tool_calls" : "stop"),
    { ...chunk({}), choices: [], usage: tokens }
  ]
}
