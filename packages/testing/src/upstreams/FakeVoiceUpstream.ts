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

/** The connection breaks, or nothing follows for ever. */
export type FakeFault = "breaks" | "hangs"

/** What the model answers: words, calls, or an error. */
export interface FakeReply {
  readonly text?: string
  readonly calls?: ReadonlyArray<FakeCall>
  readonly status?: number
  /** What happens once the words have been written. */
  readonly fault?: FakeFault
  /** The whole answer as it is sent, whatever it is. */
  readonly raw?: string
}

/** What listening answers where it has no text. */
export type FakeHearing = { readonly status: number } | { readonly fault: FakeFault } | { readonly raw: string }

/** Sound that breaks off, does not go on, or is none. */
export interface FakeSpeech {
  readonly ms?: number
  readonly fault?: FakeFault
  readonly raw?: string
}

export interface FakeVoiceOptions {
  /** Of the nth utterance, from 1, by the model that is asked. */
  readonly hears?: (nth: number, model: string) => string | FakeHearing
  /** Of the nth run, from 1, with its messages and the model that is asked. */
  readonly thinks?: (
    nth: number,
    messages: ReadonlyArray<Readonly<Record<string, unknown>>>,
    model: string
  ) => FakeReply
  /** Milliseconds of sound for a text, by the model that is asked; less than 0 is an error. */
  readonly speaks?: (text: string, model: string) => number | FakeSpeech
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
    const model = /name="model"\r\n\r\n([^\r]*)/.exec(body.toString("latin1"))?.[1] ?? ""
    return { bytes: body.length, model }
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

/** What was written is on its way before the connection breaks. */
const failing = (response: Http.ServerResponse, fault: FakeFault): void => {
  if (fault === "breaks") setTimeout(() => response.destroy(), 50)
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
    if (stage === "stt") return await this.#hear(response, nth, entry)
    return stage === "llm" ? await this.#think(response, nth, entry) : await this.#speak(response, entry)
  }

  async #hear(response: Http.ServerResponse, nth: number, { body }: AskedOfVoice): Promise<void> {
    const { hears = () => "Hello there.", sttMs = 0 } = this.#options
    await sleep(sttMs)
    const heard = hears(nth, String(body.model))
    response.setHeader("content-type", "application/json")
    if (typeof heard === "string") return void response.end(JSON.stringify({ text: heard }))
    if ("raw" in heard) return void response.end(heard.raw)
    if ("fault" in heard) return failing(response, heard.fault)
    response.writeHead(heard.status).end('{"error":{"message":"no"}}')
  }

  async #think(response: Http.ServerResponse, nth: number, { body }: AskedOfVoice): Promise<void> {
    const { llmMs = 0, thinks = greetBack, tokenMs = 0 } = this.#options
    await sleep(llmMs)
    const messages = body.messages as ReadonlyArray<Record<string, unknown>>
    const { calls = [], fault, raw, status = 200, text = "" } = thinks(nth, messages, String(body.model))
    if (status !== 200) return void response.writeHead(status).end('{"error":{"message":"no"}}')
    response.setHeader("content-type", "text/event-stream").flushHeaders()
    if (raw !== undefined) return void response.end(raw)
    for (const token of text.match(/\S+\s*/g) ?? []) {
      response.write(chunk({ content: token }, null))
      if (tokenMs > 0) await sleep(tokenMs)
    }
    if (fault !== undefined) return failing(response, fault)
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
    const spoken = speaks(String(body.input), String(body.model))
    const { fault, ms = 0, raw } = typeof spoken === "number" ? { ms: spoken } : spoken
    if (ms < 0) return void response.writeHead(500).end('{"error":{"message":"no"}}')
    response.setHeader("content-type", "audio/pcm")
    if (fault === undefined) return void response.end(raw ?? tone(ms))
    if (ms > 0) response.write(tone(ms))
    failing(response, fault)
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
