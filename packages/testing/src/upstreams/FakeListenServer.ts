/** A server of WebSockets for clients that send speech, over real sockets: it logs what comes, and a test decides what is said. */
import { createHash } from "node:crypto"
import * as Http from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { Claims } from "../Claims.ts"

/** One connection, from its handshake on. */
export interface ListenClient {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Http.IncomingHttpHeaders
  /** Texts, as JSON, in their order. */
  readonly texts: ReadonlyArray<{ readonly type?: string }>
  /** The sound so far. */
  readonly sound: () => Uint8Array
  readonly isClosed: () => boolean
  readonly say: (message: object) => void
  /** Resets the connection. */
  readonly drop: () => void
}

export interface FakeListenServer {
  readonly origin: string
  readonly clients: ReadonlyArray<ListenClient>
  /** Handshakes that were refused. */
  readonly refused: () => number
  /** Called with each text that comes. */
  readonly behave: (onText: (client: ListenClient, type: string) => void) => void
  /** Answers handshakes with this status from now on; null: accepts them. */
  readonly refuse: (status: number | null) => void
  readonly until: (holds: () => boolean, withinMs?: number) => Promise<void>
  readonly close: () => Promise<void>
}

const acceptOf = (key: string): string =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64")

const opcodes = { text: 1, binary: 2, close: 8 } as const

const frameOf = (opcode: number, payload: Buffer): Buffer => {
  const length =
    payload.length < 126 ? Buffer.of(payload.length) : Buffer.of(126, payload.length >> 8, payload.length & 0xff)
  return Buffer.concat([Buffer.of(0x80 | opcode), length, payload])
}

/** Takes the first whole frame of a client from the bytes; null where it has not come yet. */
const takeFrame = (bytes: Buffer) => {
  if (bytes.length < 6) return null
  const short = bytes[1]! & 0x7f
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0
  const head = 2 + extended + 4
  if (bytes.length < head) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < head + length) return null
  const mask = bytes.subarray(head - 4, head)
  const payload = Buffer.from(bytes.subarray(head, head + length).map((byte, nth) => byte ^ mask[nth % 4]!))
  return { opcode: bytes[0]! & 0x0f, payload, rest: bytes.subarray(head + length) }
}

/** Starts a server that accepts every handshake. */
export const startFakeListenServer = async (): Promise<FakeListenServer> => {
  const clients: Array<ListenClient> = []
  const sockets = new Set<Socket>()
  const { changed, until } = new Claims()
  let onText: (client: ListenClient, type: string) => void = () => {}
  let refusing: number | null = null
  let refused = 0

  const serve = (request: Http.IncomingMessage, socket: Socket): void => {
    const url = new URL(request.url ?? "/", "http://localhost")
    const texts: Array<{ readonly type?: string }> = []
    const sounds: Array<Buffer> = []
    let isClosed = false
    const client: ListenClient = {
      ...{ path: url.pathname, query: url.searchParams, headers: request.headers, texts },
      sound: () => Buffer.concat(sounds),
      isClosed: () => isClosed,
      say: (message) => void socket.write(frameOf(opcodes.text, Buffer.from(JSON.stringify(message)))),
      drop: () => void socket.resetAndDestroy()
    }
    clients.push(client)
    let waiting: Buffer = Buffer.alloc(0)
    socket.on("data", (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk])
      for (let frame = takeFrame(waiting); frame !== null; frame = takeFrame(waiting)) {
        waiting = frame.rest
        if (frame.opcode === opcodes.binary) sounds.push(frame.payload)
        if (frame.opcode === opcodes.text) {
          const json: { readonly type?: string } = JSON.parse(frame.payload.toString())
          texts.push(json)
          onText(client, json.type ?? "")
        }
        if (frame.opcode === opcodes.close) {
          isClosed = true
          socket.end(frameOf(opcodes.close, frame.payload))
        }
      }
      changed()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => {
      isClosed = true
      changed()
    })
  }

  const server = Http.createServer((_, response) => response.writeHead(426).end())
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  server.on("upgrade", (request, socket: Socket) => {
    if (refusing !== null) {
      refused += 1
      socket.end(`HTTP/1.1 ${refusing} x\r\ncontent-length: 5\r\n\r\nleaky`)
      return changed()
    }
    const accept = acceptOf(request.headers["sec-websocket-key"] ?? "")
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`
    )
    serve(request, socket)
    changed()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    clients,
    refused: () => refused,
    behave: (given) => {
      onText = given
    },
    refuse: (status) => {
      refusing = status
    },
    until,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
