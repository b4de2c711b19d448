/**
 * An upstream of all three stages of a conversation, in OpenAI's form, over real sockets: it answers as a test says, and logs
 * what it was asked and which requests were broken off.
 */
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** A function that the model calls. */
export interface FakeCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** What the model answers: words, calls, or an error. */
export interface FakeReply {
  readonly text?: string
  readonly calls?: ReadonlyArray<FakeCall>
  readonly status?: number
}

export interface FakeVoiceOptions {
  /** Of the nth utterance, from 1. */
  readonly hears?: (nth: number) => string | { readonly status: number }
  /** Of the nth run, from 1, with its messages. */
  readonly thinks?: (nth: number, messages: ReadonlyArray<Readonly<Record<string, unknown>>>) => FakeReply
  /** Milliseconds of sound for a text; less than 0 is an error. */
  readonly speaks?: (text: string) => number
  readonly sttMs?: number
  readonly llmMs?: number
  readonly tokenMs?: number
  readonly ttsMs?: number
}

export interface AskedOfVoice {
  readonly stage: "stt" | "llm" | "tts"
  readonly at: number
  readonly body: Readonly<Record<string, unknown>>
  /** When the asking side has broken it off; null where it was answered. */
  brokenOffAt: number | null
}

export interface FakeVoiceUpstream {
  readonly url: string
  readonly asked: ReadonlyArray<AskedOfVoice>
  readonly of: (stage: AskedOfVoice["stage"]) => ReadonlyArray<AskedOfVoice>
  readonly stop: () => Promise<void>
}

const bodyOf = async (request: Http.IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const jsonIn = (body: Buffer): Record<string, unknown> => {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>
  } catch {
    return { bytes: body.length }
  }
}

const chunk = (delta: unknown, finish: string | null): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** A quiet tone of 24 kHz, so that a test can see which sound it got. */
const tone = (ms: number): Buffer => {
  const samples = new Int16Array(Math.round(ms * 24))
  for (let n = 0; n < samples.length; n++) samples[n] = Math.round(3000 * Math.sin(n / 12))
  return Buffer.from(samples.buffer)
}

const greetBack = (): FakeReply => ({ text: "Hello. How can I help you?" })

class Voice {
  readonly asked: Array<AskedOfVoice> = []
  readonly #options: FakeVoiceOptions

  constructor(options: FakeVoiceOptions) {
    this.#options = options
  }

  readonly handle = async (request: Http.IncomingMessage, response: Http.ServerResponse): Promise<void> => {
    const stage = request.url?.includes("transcriptions") ? "stt" : request.url?.includes("speech") ? "tts" : "llm"
    const entry: AskedOfVoice = { stage, at: Date.now(), body: {}, brokenOffAt: null }
    this.asked.push(entry)
    const nth = this.asked.filter((one) => one.stage === stage).length
    Object.assign(entry.body, jsonIn(await bodyOf(request)))
    response.on("close", () => {
      if (!response.writableEnded) entry.brokenOffAt = Date.now()
    })
    if (stage === "stt") return await this.#hear(response, nth)
    return stage === "llm" ? await this.#think(response, nth, entry) : await this.#speak(response, entry)
  }

  async #hear(response: Http.ServerResponse, nth: number): Promise<void> {
    const { hears = () => "Hello there.", sttMs = 0 } = this.#options
    await sleep(sttMs)
    const heard = hears(nth)
    if (typeof heard !== "string") return void response.writeHead(heard.status).end('{"error":{"message":"no"}}')
    response.setHeader("content-type", "application/json").end(JSON.stringify({ text: heard }))
  }

  async #think(response: Http.ServerResponse, nth: number, { body }: AskedOfVoice): Promise<void> {
    const { llmMs = 0, thinks = greetBack, tokenMs = 0 } = this.#options
    await sleep(llmMs)
    const { calls = [], status = 200, text = "" } = thinks(nth, body.messages as ReadonlyArray<Record<string, unknown>>)
    if (status !== 200) return void response.writeHead(status).end('{"error":{"message":"no"}}')
    response.setHeader("content-type", "text/event-stream").flushHeaders()
    for (const token of text.match(/\S+\s*/g) ?? []) {
      response.write(chunk({ content: token }, null))
      if (tokenMs > 0) await sleep(tokenMs)
    }
    const toolCalls = calls.map(({ id, ...of }, index) => ({ index, id, type: "function", function: of }))
    if (calls.length > 0) response.write(chunk({ tool_calls: toolCalls }, null))
    response.write(chunk({}, calls.length > 0 ? "tool_calls" : "stop"))
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }
    response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [], usage })}\n\n`)
    response.end("data: [DONE]\n\n")
  }

  async #speak(response: Http.ServerResponse, { body }: AskedOfVoice): Promise<void> {
    const { speaks = (text: string) => text.length * 20, ttsMs = 0 } = this.#options
    await sleep(ttsMs)
    const ms = speaks(String(body.input))
    if (ms < 0) return void response.writeHead(500).end('{"error":{"message":"no"}}')
    response.setHeader("content-type", "audio/pcm").end(tone(ms))
  }
}

/** Starts it on the loopback. */
export const startFakeVoiceUpstream = async (options: FakeVoiceOptions = {}): Promise<FakeVoiceUpstream> => {
  const voice = new Voice(options)
  const server = Http.createServer((request, response) => {
    void voice.handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: voice.asked,
    of: (stage) => voice.asked.filter((one) => one.stage === stage),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close").catch(() => undefined)
    }
  }
}
