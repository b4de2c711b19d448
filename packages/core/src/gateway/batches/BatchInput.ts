/** Checks the input of a batch line by line, as its chunks come. Pure. Source: docs/reference/batches.md#input. */
import { isObject, joinedBytes, jsonExcess, jsonExcesses } from "../../platform/kernel/index.ts"
import type { BatchError } from "./Batch.ts"

/** A request of the input, and where it stands. */
export interface InputLine {
  readonly n: number
  readonly customId: string
  readonly fromByte: number
  readonly byteLength: number
}

interface InputRules {
  readonly endpoint: string
  readonly maxRequests: number
}

const maxFaults = 100

/** A line is read whole: one with a body of the size that a request may have, and a little beside it. */
const maxLineBytes = 33 * 1024 * 1024

const newline = 10

const codes = {
  empty_file: "The file has no requests.",
  too_many_requests: "The file has more requests than a batch may have.",
  invalid_json: "The line is not a JSON object in UTF-8.",
  json_too_deep: `The line ${jsonExcesses.json_too_deep}.`,
  json_too_large: `The line ${jsonExcesses.json_too_large}.`,
  missing_custom_id: "The line has no custom_id, which is a text that is not empty.",
  duplicate_custom_id: "The custom_id is that of an earlier line.",
  invalid_method: "The method of every line is POST.",
  invalid_url: "The url of every line is the endpoint of the batch.",
  invalid_body: "The body is not a JSON object with a model."
}
type FaultCode = keyof typeof codes

export class BatchInput {
  readonly #rules: InputRules
  readonly #customIds = new Set<string>()
  readonly #decoder = new TextDecoder("utf-8", { fatal: true })
  /** Of the line that has not ended. */
  #parts: Array<Uint8Array> = []
  #partBytes = 0
  #fromByte = 0
  #n = 0
  #total = 0
  #lines: Array<InputLine> = []
  readonly faults: Array<BatchError> = []

  constructor(rules: InputRules) {
    this.#rules = rules
  }

  /** Requests so far. */
  get total(): number {
    return this.#total
  }

  /** Whether nothing that follows can change the outcome. */
  get isSettled(): boolean {
    return this.faults.length >= maxFaults || this.#total > this.#rules.maxRequests
  }

  /** Reads on; returns the requests that have ended. */
  add(chunk: Uint8Array): ReadonlyArray<InputLine> {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0 && !this.isSettled; end = chunk.indexOf(newline, from)) {
      this.#keep(chunk.subarray(from, end))
      this.#endLine(1)
      from = end + 1
    }
    if (!this.isSettled) this.#keep(chunk.subarray(from))
    return this.#taken()
  }

  /** The input has ended; returns the last request, where there is one. */
  end(): ReadonlyArray<InputLine> {
    if (!this.isSettled && this.#partBytes > 0) this.#endLine(0)
    if (this.#total === 0 && this.faults.length === 0) this.#fault("empty_file", null, null)
    return this.#taken()
  }

  #taken(): ReadonlyArray<InputLine> {
    const lines = this.#lines
    this.#lines = []
    return lines
  }

  /** Of a line that is too long only the length is kept. */
  #keep(part: Uint8Array): void {
    this.#partBytes += part.byteLength
    if (part.byteLength > 0 && this.#partBytes <= maxLineBytes) this.#parts.push(part)
  }

  #endLine(separatorBytes: number): void {
    const byteLength = this.#partBytes
    const fromByte = this.#fromByte
    const bytes = joinedBytes(this.#parts)
    this.#n += 1
    this.#fromByte += byteLength + separatorBytes
    this.#parts = []
    this.#partBytes = 0
    if (byteLength > maxLineBytes) {
      this.#total += 1
      this.#fault("invalid_body", "body", `The line has more than ${maxLineBytes} bytes.`)
      return
    }
    const customId = this.#read(bytes)
    if (customId !== null) this.#lines.push({ n: this.#n, customId, fromByte, byteLength })
  }

  /** The line's id as JSON; null for a blank line, and for one with a fault. */
  #read(bytes: Uint8Array): string | null {
    const excess = jsonExcess(bytes)
    let line: unknown
    try {
      const text = this.#decoder.decode(bytes)
      if (text.trim() === "") return null
      this.#total += 1
      if (this.#total > this.#rules.maxRequests) return this.#fault("too_many_requests", null)
      if (excess !== null) return this.#fault(excess, null)
      line = JSON.parse(text)
    } catch {
      return this.#fault("invalid_json", null)
    }
    return isObject(line) ? this.#check(line) : this.#fault("invalid_json", null)
  }

  #check({ body, custom_id: customId, method, url }: Readonly<Record<string, unknown>>): string | null {
    const before = this.faults.length
    if (typeof customId !== "string" || customId === "") this.#fault("missing_custom_id", "custom_id")
    else if (this.#customIds.has(customId)) this.#fault("duplicate_custom_id", "custom_id")
    else this.#customIds.add(customId)
    if (method !== "POST") this.#fault("invalid_method", "method")
    if (url !== this.#rules.endpoint) this.#fault("invalid_url", "url")
    if (!isObject(body)) this.#fault("invalid_body", "body")
    else if (typeof body.model !== "string" || body.model === "") this.#fault("invalid_body", "body.model")
    else if (body.stream === true)
      this.#fault("invalid_body", "body.stream", "The requests of a batch are not streamed.")
    return this.faults.length === before ? JSON.stringify(customId) : null
  }

  #fault(code: FaultCode, param: string | null, message: string | null = codes[code]): null {
    if (this.faults.length < maxFaults) {
      const line = code === "empty_file" ? null : this.#n
      this.faults.push({ code, message: message ?? codes[code], line, param })
    }
    return null
  }
}
