/** A client of WebSockets that sends exactly the bytes that a test wants, on a connection of its own. */
import { randomBytes } from "node:crypto"
import { connect, type Socket } from "node:net"

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export interface FrameOptions {
  /** False for the first parts of a message. */
  readonly isFinal?: boolean
  readonly isMasked?: boolean
  /** Of the three reserved bits: 4 says that the message is compressed. */
  readonly reserved?: number
  /** The length that the header claims. */
  readonly length?: number
}

/** One frame as a client sends it. */
export const frame = (opcode: number, data: string | Uint8Array, options: FrameOptions = {}): Buffer => {
  const { isFinal = true, isMasked = true, reserved = 0 } = options
  const payload = Buffer.from(data)
  const length = options.length ?? payload.length
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode
  const mark = isMasked ? 0x80 : 0
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = first
  if (length < 126) head[1] = mark | length
  else if (length < 65_536) {
    head[1] = mark | 126
    head.writeUInt16BE(length, 2)
  } else {
    head[1] = mark | 127
    head.writeBigUInt64BE(BigInt(length), 2)
  }
  if (!isMasked) return Buffer.concat([head, payload])
  const mask = randomBytes(4)
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at & 3]!)])
}

/** A frame from the server. */
export interface Received {
  readonly opcode: number
  readonly reserved: number
  readonly data: Buffer
}

export interface Handshake {
  readonly method?: string
  /** Undefined removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Sent with the handshake, before it is answered. */
  readonly early?: Uint8Array
}

const newHandshake = {
  host: "127.0.0.1",
  upgrade: "websocket",
  connection: "Upgrade",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13"
}

/** A plain answer to a handshake. */
export interface Refused {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: unknown
}

export class SocketClient {
  readonly tcp: Socket
  readonly frames: Array<Received> = []
  /** Head and body of the answer, in whose place frames follow when it is a 101. */
  status = 0
  headers: Readonly<Record<string, string>> = {}
  body = ""
  isClosed = false
  #bytes = Buffer.alloc(0)
  #hasHead = false
  readonly #waiting = new Set<() => void>()

  constructor(origin: string, path: string, { early, headers, method = "GET" }: Handshake = {}) {
    const { hostname, port } = new URL(origin)
    this.tcp = connect(Number(port), hostname)
    const lines = Object.entries({ ...newHandshake, ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}\r\n`]
    )
    this.tcp.write(
      Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`), early ?? Buffer.alloc(0)])
    )
    this.tcp.on("data", (bytes: Buffer) => this.#received(bytes))
    this.tcp.on("error", () => undefined)
    this.tcp.on("close", () => {
      this.isClosed = true
      this.#wake()
    })
  }

  /** Waits until something is so. */
  async until<A>(find: () => A | undefined | false | null): Promise<A> {
    for (;;) {
      const found = find()
      if (found !== undefined && found !== false && found !== null) return found
      if (this.isClosed) throw new Error(`the connection was closed: ${this.status} ${this.body}`)
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve)
      })
    }
  }

  /** Waits for the answer to the handshake. */
  answered(): Promise<number> {
    return this.until(() => (this.status === 0 ? null : this.status))
  }

  /** Waits for the whole answer of a handshake that was refused, and for the end of its connection. */
  async refused(): Promise<Refused> {
    await this.closed()
    return { status: this.status, headers: this.headers, json: this.body === "" ? null : JSON.parse(this.body) }
  }

  async closed(): Promise<void> {
    while (!this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve)
      })
    }
  }

  /** The next frame of a kind. */
  next(opcode: number): Promise<Received> {
    return this.until(() => {
      const at = this.frames.findIndex((one) => one.opcode === opcode)
      return at === -1 ? null : this.frames.splice(at, 1)[0]
    })
  }

  /** Code and reason with which the server closes; 1006 where it only ends the connection. */
  async closeCode(): Promise<readonly [code: number, reason: string]> {
    try {
      const { data } = await this.next(opcodes.close)
      return [data.length === 0 ? 1005 : data.readUInt16BE(0), data.subarray(2).toString()]
    } catch {
      return [1006, ""]
    }
  }

  write(...bytes: ReadonlyArray<Uint8Array>): void {
    this.tcp.write(Buffer.concat(bytes))
  }

  send(data: string | Uint8Array): void {
    this.write(frame(typeof data === "string" ? opcodes.text : opcodes.binary, data))
  }

  #received(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    if (!this.#hasHead) this.#readHead()
    if (this.status === 101) while (this.#readFrame()) {}
    else if (this.#hasHead) this.body = this.#bytes.toString()
    this.#wake()
  }

  #readHead(): void {
    const end = this.#bytes.indexOf("\r\n\r\n")
    if (end === -1) return
    const [first = "", ...lines] = this.#bytes.subarray(0, end).toString().split("\r\n")
    this.#bytes = this.#bytes.subarray(end + 4)
    this.headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
    )
    this.status = Number(first.split(" ")[1])
    this.#hasHead = true
  }

  #readFrame(): boolean {
    const bytes = this.#bytes
    if (bytes.length < 2) return false
    const short = bytes[1]! & 0x7f
    const from = short < 126 ? 2 : short === 126 ? 4 : 10
    if (bytes.length < from) return false
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
    if (bytes.length < from + length) return false
    this.frames.push({
      opcode: bytes[0]! & 0xf,
      reserved: (bytes[0]! >> 4) & 7,
      data: bytes.subarray(from, from + length)
    })
    this.#bytes = bytes.subarray(from + length)
    return true
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }
}
