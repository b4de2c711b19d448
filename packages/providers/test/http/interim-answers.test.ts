/** Interim answers (1xx) before the answer of an upstream, asked for or not: docs/reference/upstreams.md#time. Verifies: CLNT-7. */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import { Agent, WebSocket } from "undici"
import { describe, expect, it } from "vitest"
import { connector, makeBoundedHttp, type OpenedResponse } from "../../src/http/index.ts"

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
const unasked = "HTTP/1.1 100 Continue\r\n\r\n"
const processing = "HTTP/1.1 102 Processing\r\n\r\n"
const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n"

const cases: ReadonlyArray<readonly [what: string, pieces: ReadonlyArray<string>]> = [
  ["nothing", [ok]],
  ["a 100", [unasked + ok]],
  ["a 102", [processing + ok]],
  ["a 103", [hints + ok]],
  ["a 100 with headers", [`HTTP/1.1 100 Continue\r\nx: 100\r\nHTTP: 1\r\n\r\n${ok}`]],
  ["a 100 without a reason", [`HTTP/1.1 100\r\n\r\n${ok}`]],
  ["several", [unasked + processing + unasked + hints + unasked + ok]],
  ["several, each by itself", [unasked, processing, unasked, hints, unasked, ok]],
  ["several, byte by byte", [...(unasked + hints + unasked + ok)]]
]

/** Answers each request on a connection in pieces. */
const startServer = async (pieces: ReadonlyArray<string>) => {
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket
      .on("error", () => undefined)
      .on("data", async () => {
        for (const piece of pieces) {
          socket.write(piece)
          await new Promise((resolve) => setImmediate(resolve))
        }
      })
    socket.setNoDelay(true)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const close = () => {
    for (const socket of connections) socket.destroy()
    server.close()
  }
  return { url: new URL(`http://127.0.0.1:${port}/`), connections, close }
}

const body = { contentType: "text/plain", size: 3, chunks: [new TextEncoder().encode("abc")] }

/** Status and body of a response that is read while it comes. */
const wholeOf = Effect.fnUntraced(function* ({ read, status }: OpenedResponse) {
  let text = ""
  for (let chunk = yield* read(5000); chunk !== null; chunk = yield* read(5000)) text += String(Buffer.from(chunk))
  return [status, text]
})

const limits = { headMs: 5000, bodyMs: 5000, maxBytes: () => 100 }

describe("an upstream's answer", () => {
  it.each(cases)("is read behind %s, and its connection serves another request", async (_, pieces) => {
    const server = await startServer(pieces)
    const http = makeBoundedHttp({ maxConnections: 1 })
    for (const request of [
      { method: "POST", body },
      { method: "GET", body: null }
    ] as const) {
      const asked = { ...request, ...limits, url: server.url, headers: {} }
      const answer = await Effect.runPromise(http.exchange(asked))
      expect([answer.status, Buffer.from(answer.body).toString(), answer.cut]).toEqual([200, "ok", null])
      expect(await Effect.runPromise(Effect.scoped(Effect.flatMap(http.open(asked), wholeOf)))).toEqual([200, "ok"])
    }
    await http.close()
    server.close()
    expect(server.connections.size).toBe(1)
  })

  it("is waited for no longer, however many interim ones come", async () => {
    const server = await startServer(Array<string>(10_000).fill(unasked))
    const http = makeBoundedHttp()
    const asked = { method: "GET", body: null, ...limits, headMs: 300, url: server.url, headers: {} } as const
    const answer = await Effect.runPromise(Effect.flip(http.exchange(asked)))
    expect(answer.reason).toBe("timeout")
    await http.close()
    server.close()
  })

  it("has a body that may look like an interim answer", async () => {
    const inside = `${unasked}HTTP/1.1 100`
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${inside.length}\r\n\r\n`
    const server = await startServer([unasked, head, inside])
    const http = makeBoundedHttp()
    const asked = { method: "POST", body, ...limits, url: server.url, headers: {} } as const
    const answer = await Effect.runPromise(http.exchange(asked))
    expect(Buffer.from(answer.body).toString()).toBe(inside)
    await http.close()
    server.close()
  })
})

/** What a handshake of a WebSocket is accepted with. */
const acceptOf = (request: string): string => {
  const key = /sec-websocket-key: *(\S+)/i.exec(request)![1]!
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64")
}

describe("a WebSocket of an upstream", () => {
  it("opens behind interim answers, and its messages are as they were sent", async () => {
    const text = "HTTP/1.1 100"
    const server = createServer((socket) =>
      socket
        .on("error", () => undefined)
        .once("data", (request) => {
          const accepted = `upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${acceptOf(String(request))}`
          socket.write(`${unasked}${hints}${unasked}HTTP/1.1 101 Switching Protocols\r\n${accepted}\r\n\r\n`)
          socket.write(Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]))
        })
    ).listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const dispatcher = new Agent({ allowH2: false, connect: connector({ timeout: 5000 }) })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { dispatcher })
    const message = await new Promise((resolve, reject) => {
      socket.addEventListener("message", ({ data }) => resolve(data))
      socket.addEventListener("error", reject)
    })
    expect(message).toBe(text)
    await dispatcher.destroy()
    server.close()
  })
})
