/** Reads server-sent events from bytes that come in any pieces. Pure but for its own state. */

export interface SentEvent {
  /** Null where the stream names none. */
  readonly event: string | null
  /** The lines of its data, joined by line feeds. */
  readonly data: string
}

/** Events that became whole, in their order, and whether an event is longer than allowed: then nothing more is read. */
export interface SentEvents {
  readonly events: ReadonlyArray<SentEvent>
  readonly isTooLong: boolean
}

const [lineFeed, carriageReturn] = [10, 13]

// A byte order mark belongs to the beginning of a stream, not of each line.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * A line ends in LF, CR or CRLF, all of which are bytes of no longer character: a line is decoded as a whole. An empty line ends
 * an event; one without data is dropped, as are comments, unknown fields, and an unfinished line at the end of the bytes.
 */
export class EventStream {
  readonly #maxBytes: number
  /** The line that has begun, in its pieces. */
  #line: Array<Uint8Array> = []
  #lineBytes = 0
  /** The line before ended in CR: an LF that follows belongs to it. */
  #isAfterReturn = false
  #isFirstLine = true
  #event: string | null = null
  #data: Array<string> = []
  #dataBytes = 0
  #isTooLong = false

  /** `maxBytes`: of an event, its data with the line that has begun. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  read(bytes: Uint8Array): SentEvents {
    const events: Array<SentEvent> = []
    const hasReturn = bytes.includes(carriageReturn)
    let from = hasReturn ? 0 : this.#readLines(bytes, events)
    while (!this.#isTooLong && from < bytes.length) {
      if (this.#isAfterReturn && bytes[from] === lineFeed) from += 1
      this.#isAfterReturn = false
      const end = lineEnd(bytes, from, hasReturn)
      const piece = bytes.subarray(from, end)
      this.#lineBytes += piece.length
      this.#isTooLong = this.#lineBytes + this.#dataBytes > this.#maxBytes
      if (end === bytes.length) this.#line.push(piece)
      else if (!this.#isTooLong) this.#endLine(piece, events)
      this.#isAfterReturn = hasReturn && bytes[end] === carriageReturn
      from = end + 1
    }
    return { events, isTooLong: this.#isTooLong }
  }

  /** Reads whole lines of ASCII that end in LF at once, and returns where the bytes go on: few chunks have anything else. */
  #readLines(bytes: Uint8Array, events: Array<SentEvent>): number {
    if (this.#lineBytes > 0 || this.#isAfterReturn || this.#dataBytes + bytes.length > this.#maxBytes) return 0
    const end = bytes.lastIndexOf(lineFeed)
    const text = end === -1 ? "" : utf8.decode(bytes.subarray(0, end))
    if (text.length !== end) return 0
    for (const line of text.split("\n")) this.#take(line, line.length, events)
    this.#isFirstLine = false
    return end + 1
  }

  #endLine(last: Uint8Array, events: Array<SentEvent>) {
    const length = this.#lineBytes
    const bytes = this.#line.length === 0 ? last : Buffer.concat([...this.#line, last])
    const line = length === 0 ? "" : utf8.decode(bytes)
    if (this.#line.length > 0) this.#line = []
    this.#lineBytes = 0
    const isFirst = this.#isFirstLine
    this.#isFirstLine = false
    this.#take(isFirst ? line.replace(/^\uFEFF/, "") : line, length, events)
  }

  #take(line: string, length: number, events: Array<SentEvent>) {
    if (line === "") {
      if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join("\n") })
      this.#event = null
      this.#data = []
      this.#dataBytes = 0
      return
    }
    const colon = line.indexOf(":")
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1))
    if (field === "event") this.#event = value === "" ? null : value
    if (field !== "data") return
    this.#data.push(value)
    this.#dataBytes += length
  }
}

/** Where the line ends that goes on at `from`; the length where it does not end here. `hasReturn`: not all lines end in LF alone. */
const lineEnd = (bytes: Uint8Array, from: number, hasReturn: boolean): number => {
  if (!hasReturn) {
    const at = bytes.indexOf(lineFeed, from)
    return at === -1 ? bytes.length : at
  }
  let at = from
  while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at += 1
  return at
}
