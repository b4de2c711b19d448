/** Server-sent events of an answer that comes in pieces. */
import { parsed, streamError } from "./ApiError.ts"

export interface ServerEvent {
  /** The event's name; null where the API has none. */
  readonly event: string | null
  /** The event's data: its JSON, or its text where it is none. */
  readonly data: unknown
}

/** What OpenAI's API ends its streams with. */
const end = "[DONE]"

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

/**
 * The events of a stream, in their order. To leave the loop closes the connection, which ends the run behind it. An error that
 * the stream reports is thrown as an `ApiError`.
 */
export class ServerEvents implements AsyncIterable<ServerEvent> {
  readonly #response: Response

  constructor(response: Response) {
    this.#response = response
  }

  /** The answer's headers. */
  get headers(): Headers {
    return this.#response.headers
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ServerEvent, void, undefined> {
    const reader = this.#response.body?.getReader()
    if (reader === undefined) return
    const [decoder, lines, fields] = [new TextDecoder(), new Lines(), new Fields()]
    try {
      while (true) {
        const { done, value } = await reader.read()
        if (done) return
        for (const line of lines.take(decoder.decode(value, { stream: true }))) {
          const event = fields.take(line)
          if (event === null) continue
          if (event.data === end) return
          const error = streamError(event.data, this.#response)
          if (error !== null) throw error
          yield event
        }
      }
    } finally {
      void reader.cancel().catch(() => undefined)
    }
  }
}
