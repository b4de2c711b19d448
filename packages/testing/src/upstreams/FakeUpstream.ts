/**
 * A server for the clients of upstreams, over real sockets: it logs each request in its parts, and a test decides how it
 * answers or misbehaves. What a provider's own answers look like, `FakeOpenAi` and its like say.
 */
import { createHash } from "node:crypto"
import * as Http from "node:http"
import * as Https from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { parseExactJson } from "@trunkline/core/testing"
import { Claims } from "../Claims.ts"
import type { TestCertificate } from "../webhooks/TestCertificate.ts"

/** What is done with a request. Anything but `early` waits until it has arrived as a whole. */
export type UpstreamMood =
  /** Answers, after a while. A body that is neither text nor bytes is sent as JSON. */
  | {
      readonly does: "answer"
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
      readonly delayMs?: number
    }
  /** Answers as soon as the head is there, and reads no further. */
  | { readonly does: "early"; readonly status: number; readonly body?: unknown }
  /** Never answers. */
  | { readonly does: "hang" }
  /** Resets the connection. */
  | { readonly does: "reset" }
  /** Sends a head, then a space every so often and no end; `megabytes` of it at once instead. */
  | {
      readonly does: "trickle"
      readonly status?: number
      readonly everyMs?: number
      readonly megabytes?: number
    }
  /** Sends a head that announces more than comes, and closes. */
  | { readonly does: "truncate"; readonly status?: number; readonly body?: string }
  /** Sends a head and these pieces one after the other, no faster than they are read, and ends as it says. */
  | {
      readonly does: "stream"
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly pieces: Iterable<StreamPiece>
      /** `ends`, the default; `breaks`: the connection is reset; `stays`: it is left open. */
      readonly end?: "ends" | "breaks" | "stays"
    }
  /** Sends these bytes as they are, and closes. */
  | { readonly does: "raw"; readonly bytes: string }

/** Bytes that are sent, milliseconds that pass, or something that is waited for. */
export type StreamPiece = string | Uint8Array | number | Promise<unknown>

export type Pairs = ReadonlyArray<readonly [name: string, value: string]>

export interface UpstreamFile {
  /** Null for a body that is the file itself. */
  readonly name: string | null
  readonly type: string
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface UpstreamCall {
  readonly method: string
  readonly path: string
  /** As they stand there, repeated ones as often. */
  readonly query: Pairs
  /** Names in lower case. */
  readonly headers: Http.IncomingHttpHeaders
  /** Of the form, in their order, without the file. */
  readonly fields: Pairs
  readonly file: UpstreamFile | null
  /** The body, where it is JSON; undefined otherwise. */
  readonly json: unknown
  /** Of the body. */
  readonly bytes: number
}

export interface FakeUpstreamOptions {
  /** The answers of the provider unless a test decides otherwise. */
  readonly answers: (call: UpstreamCall) => UpstreamMood
  readonly tls?: TestCertificate | undefined
}

export interface FakeUpstream {
  /** Scheme, address and port. */
  readonly origin: string
  readonly port: number
  /** Requests that have arrived as a whole. */
  readonly calls: ReadonlyArray<UpstreamCall>
  /** Requests whose head has arrived. */
  readonly begun: () => number
  /** Requests whose connection was closed by the other side before they had an answer. */
  readonly aborted: () => number
  /** Bytes that streams have sent so far. */
  readonly sent: () => number
  /** Connections that were ever opened. */
  readonly connections: () => number
  /** From now on; null for the provider's own answers. */
  readonly behave: (mood: UpstreamMood | ((call: UpstreamCall) => UpstreamMood) | null) => void
  /** Waits until a claim about the fake holds; it is asked again whenever something happens. */
  readonly until: (holds: () => boolean, withinMs?: number) => Promise<void>
  /** Ends all connections. */
  readonly close: () => Promise<void>
}

export const startFakeUpstream = async (options: FakeUpstreamOptions): Promise<FakeUpstream> => {
  let mood: UpstreamMood | ((call: UpstreamCall) => UpstreamMood) = options.answers
  const calls: Array<UpstreamCall> = []
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  const { changed, until } = new Claims()
  let [begun, aborted, connections, sent] = [0, 0, 0, 0]

  const act = (response: Http.ServerResponse, mood: UpstreamMood): void => {
    const { socket } = response
    if (socket === null || response.destroyed) return
    if (mood.does === "answer") {
      const timer = setTimeout(() => say(response, mood), mood.delayMs ?? 0)
      timers.add(timer)
    }
    if (mood.does === "early") say(response, mood)
    if (mood.does === "reset") socket.resetAndDestroy()
    if (mood.does === "trickle") trickle(response, mood)
    if (mood.does === "stream") void stream(response, mood)
    if (mood.does === "truncate") {
      const { body = '{"text": "no m', status = 200 } = mood
      socket.end(`HTTP/1.1 ${status} x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n${body}`)
    }
    if (mood.does === "raw") socket.end(mood.bytes)
  }

  const trickle = (response: Http.ServerResponse, { everyMs = 10, megabytes, status = 200 }: MoodThat<"trickle">) => {
    response.writeHead(status, { "content-type": "application/json" })
    if (megabytes !== undefined) return void response.end(Buffer.alloc(megabytes * 1024 * 1024, " "))
    response.write(" ")
    timers.add(setInterval(() => response.write(" "), everyMs))
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      timers.add(setTimeout(resolve, ms))
    })

  const stream = async (response: Http.ServerResponse, { headers, pieces, status = 200, end }: MoodThat<"stream">) => {
    response.writeHead(status, { "content-type": "text/event-stream", ...headers })
    response.flushHeaders()
    const closed = new Promise<void>((resolve) => response.on("close", resolve))
    for (const piece of pieces) {
      if (typeof piece === "number") await Promise.race([closed, pause(piece)])
      else if (piece instanceof Promise) await Promise.race([closed, piece])
      else {
        const isFull = !response.write(piece)
        sent += Buffer.byteLength(piece)
        changed()
        // What is written in one turn would go out in one piece.
        await Promise.race([
          closed,
          new Promise((resolve) => (isFull ? response.once("drain", resolve) : setImmediate(resolve)))
        ])
      }
      if (response.destroyed) return
    }
    if (end === "breaks") response.socket?.resetAndDestroy()
    else if (end !== "stays") response.end()
  }

  const take: Http.RequestListener = (request, response) => {
    begun += 1
    request.on("error", () => {})
    response.on("error", () => {})
    response.on("close", () => {
      if (!response.writableFinished) aborted += 1
      changed()
    })
    if (typeof mood === "object" && mood.does === "early") return act(response, mood)
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", async () => {
      const call = await callOf(request, Buffer.concat(pieces))
      calls.push(call)
      act(response, typeof mood === "function" ? mood(call) : mood)
      changed()
    })
    changed()
  }

  const server = options.tls === undefined ? Http.createServer(take) : Https.createServer({ ...options.tls }, take)
  server.on("tlsClientError", () => {})
  server.on("clientError", (_, socket) => socket.destroy())
  server.on("connection", (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // of TCP: never a path

  return {
    origin: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    calls,
    begun: () => begun,
    aborted: () => aborted,
    sent: () => sent,
    connections: () => connections,
    behave: (next) => {
      mood = next ?? options.answers
    },
    until,
    close: () =>
      new Promise<void>((resolve) => {
        for (const timer of timers) clearTimeout(timer)
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}

type MoodThat<Does extends UpstreamMood["does"]> = UpstreamMood & { readonly does: Does }

const say = (response: Http.ServerResponse, mood: MoodThat<"answer"> | MoodThat<"early">): void => {
  if (response.destroyed || response.socket === null) return
  const { body = "", status = 200 } = mood
  const isWritten = typeof body === "string" || body instanceof Uint8Array
  const type = typeof body === "string" ? "text/plain" : isWritten ? "application/octet-stream" : "application/json"
  const headers = { "content-type": type }
  response.writeHead(status, mood.does === "answer" ? { ...headers, ...mood.headers } : headers)
  response.end(isWritten ? body : JSON.stringify(body))
}

const fileOf = (name: string | null, type: string, bytes: Uint8Array): UpstreamFile => ({
  name,
  type,
  size: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex")
})

/** Forms are read by the platform's own parser, which shares no code with the client that wrote them. */
const callOf = async (request: Http.IncomingMessage, body: Buffer): Promise<UpstreamCall> => {
  const url = new URL(request.url ?? "/", "http://fake")
  const type = request.headers["content-type"] ?? ""
  const fields: Array<readonly [string, string]> = []
  let file: UpstreamFile | null = null
  if (!type.startsWith("multipart/form-data")) file = fileOf(null, type, body)
  else {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData()
    for (const [name, value] of form) {
      if (typeof value === "string") fields.push([name, value])
      else file = fileOf(value.name, value.type, new Uint8Array(await value.arrayBuffer()))
    }
  }
  return {
    method: request.method ?? "",
    path: url.pathname,
    query: [...url.searchParams],
    headers: request.headers,
    fields,
    file,
    json: type.startsWith("application/json") ? parsed(body) : undefined,
    bytes: body.length
  }
}

const parsed = (body: Buffer): unknown => {
  try {
    return parseExactJson(body)
  } catch {
    return undefined
  }
}
