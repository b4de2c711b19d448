/** Server-sent events of an answer that comes in pieces. */
import { ApiError, parsed, streamError } from "./ApiError.ts"

export interface ServerEvent {
  /** The event's name; null where the API has none. */
  readonly event: string | null
  /** The event's data: its JSON, or its text where it is none. */
  readonly data: unknown
}

/** What OpenAI's API ends its streams of chats with. */
const end = "[DONE]"

/** The types of the last events of all other streams. */
const lastTypes: ReadonlySet<unknown> = new Set([
  "message_stop",
  "response.completed",
  "response.incomplete",
  "response.failed",
  "speech.audio.done",
  "transcript.text.done"
])

const isLast = ({ data }: ServerEvent): boolean =>
  typeof data === "object" && data !== null && "type" in data && lastTypes.has(data.type)

/** Lines of a text that comes in pieces, ended by CR, LF or both. Each sign is looked at once, however long a line is. */
class Lines {
  /** The line that has not ended yet. */
  #begun: Array<string> = []
  #held = ""

  /** The lines that end within this piece. */
  take(piece: string): ReadonlyArray<string> {
    const text = this.#held + piece
    // The line feed of a CR at the end may still come.
    this.#held = text.endsWith("\r") ? "\r" : ""
    const [first, ...others] = text.slice(0, text.length - this.#held.length).split(/\r\n|\n|\r/)
    this.#begun.push(first!)
    const last = others.pop()
    if (last === undefined) return []
    const lines = [this.#begun.join(""), ...others]
    this.#begun = [last]
    return lines
  }

  /** The line that a CR has ended, after which nothing has come. */
  get rest(): ReadonlyArray<string> {
    return this.#held === "" ? [] : [this.#begun.join("")]
  }
}

/** Puts the fields of an event together; an empty line ends it. */
class Fields {
  #event: string | null = null
  #data: Array<string> = []

  take(line: string): ServerEvent | null {
    if (line === "") return this.#end()
    const colon = line.indexOf(":")
    const [name, written] = colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)]
    const value = written.startsWith(" ") ? written.slice(1) : written
    if (name === "event") this.#event = value
    if (name === "data") this.#data.push(value)
    return null
  }

  #end(): ServerEvent | null {
    const [event, text] = [this.#event, this.#data.join("\n")]
    const isEmpty = this.#data.length === 0
    this.#event = null
    this.#data = []
    return isEmpty ? null : { event, data: text === end ? end : parsed(text) }
  }
}

const connectionFailed = (message: string, cause?: unknown): ApiError =>
  new ApiError(message, { status: 0, code: "connection_failed", ...(cause === undefined ? {} : { cause }) })

/**
 * The events of a stream, in their order. To leave the loop closes the connection, which ends the run behind it. An error that
 * the stream reports is thrown as an `ApiError`, and so is an end before the last event (`connection_failed`): what has come by
 * then is a part of the answer.
 */
export class ServerEvents implements AsyncIterable<ServerEvent> {
  readonly #response: Response
  readonly #signal: AbortSignal | undefined

  constructor(response: Response, signal?: AbortSignal) {
    this.#response = response
    this.#signal = signal
  }

  /** The answer's headers. */
  get headers(): Headers {
    return this.#response.headers
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ServerEvent, void, undefined> {
    const fields = new Fields()
    let isWhole = false
    for await (const line of this.#lines()) {
      const event = fields.take(line)
      if (event === null) continue
      if (event.data === end) return
      const error = streamError(event.data, this.#response)
      if (error !== null) throw error
      isWhole ||= isLast(event)
      yield event
    }
    if (!isWhole) throw connectionFailed("The stream ended before its last event: the answer is not complete")
  }

  async *#lines(): AsyncGenerator<string, void, undefined> {
    const reader = this.#response.body?.getReader()
    if (reader === undefined) return
    const [decoder, lines] = [new TextDecoder(), new Lines()]
    try {
      while (true) {
        const { done, value } = await this.#read(reader)
        if (done) return yield* lines.rest
        yield* lines.take(decoder.decode(value, { stream: true }))
      }
    } finally {
      void reader.cancel().catch(() => undefined)
    }
  }

  /** What the caller has ended is thrown as the caller's reason. */
  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ReadableStreamReadResult<Uint8Array>> {
    try {
      return await reader.read()
    } catch (cause) {
      this.#signal?.throwIfAborted()
      throw connectionFailed("The connection broke in the middle of the stream: the answer is not complete", cause)
    }
  }
}
