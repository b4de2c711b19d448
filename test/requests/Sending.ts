/** Sends what was generated, and gives what came back. Never rejects. */
import { Agent, request as ask } from "node:http"
import { connect } from "node:net"
import { SocketClient } from "@trunkline/testing/socket-client"
import type { Awaited, Generated, HttpRequest, Outcome, RawRequest, SocketRequest } from "./Requests.ts"

const agent = new Agent({ keepAlive: true, maxSockets: 100 })

/** An answer that takes longer is none. */
const maxMs = 60_000
/** Of an answer; what is longer is counted, and not kept. */
const maxKept = 20_000_000

const overHttp = (url: URL, { body, headers, method, target }: HttpRequest): Promise<Omit<Outcome, "ms">> =>
  new Promise((resolve) => {
    const failed = (error: Error): void => resolve({ status: 0, headers: {}, text: String(error), bytes: 0 })
    const length: Record<string, string> = body === null ? {} : { "content-length": String(body.length) }
    const options = { hostname: url.hostname, port: url.port, method, path: target, agent }
    const outgoing = ask({ ...options, headers: { ...headers, ...length }, timeout: maxMs }, (incoming) => {
      const pieces: Array<Buffer> = []
      let bytes = 0
      incoming.on("data", (piece: Buffer) => {
        bytes += piece.length
        if (bytes <= maxKept) pieces.push(piece)
      })
      incoming.on("error", failed)
      incoming.on("end", () => {
        const text = Buffer.concat(pieces).toString()
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, bytes })
      })
    })
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer within a minute")))
    outgoing.on("error", failed)
    outgoing.end(body ?? undefined)
  })

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const parsed = (bytes: Buffer): Omit<Outcome, "ms"> => {
  const text = bytes.toString()
  const end = text.indexOf("\r\n\r\n")
  const lines = text.slice(0, end === -1 ? 0 : end).split("\r\n")
  const headers = Object.fromEntries(
    lines
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    headers,
    text: text.slice(end + 4),
    bytes: bytes.length
  }
}

/** After the last bytes of an answer so long nothing more has come. */
const quietMs = 150

const overBytes = async (url: URL, { reads, steps, waitMs }: RawRequest): Promise<Omit<Outcome, "ms">> => {
  const socket = connect(Number(url.port), url.hostname)
  const pieces: Array<Buffer> = []
  let [isClosed, lastAt] = [false, 0]
  socket.on("error", () => undefined)
  socket.on("close", () => {
    isClosed = true
  })
  if (reads) {
    socket.on("data", (piece) => {
      pieces.push(piece)
      lastAt = Date.now()
    })
  }
  for (const step of steps) {
    if (isClosed) break
    if (typeof step === "number") for (const end = Date.now() + step; Date.now() < end && !isClosed; ) await pause(20)
    else socket.write(step)
  }
  for (const end = Date.now() + waitMs; Date.now() < end && !isClosed; await pause(10)) {
    if (lastAt > 0 && Date.now() - lastAt > quietMs) break
  }
  socket.destroy()
  return parsed(Buffer.concat(pieces))
}

const heard = async (client: SocketClient, { ms, until }: Awaited): Promise<void> => {
  const isThere = () => client.frames.some(({ data, opcode }) => opcode === 1 && data.includes(until))
  for (const end = Date.now() + ms; Date.now() < end && !client.isClosed && !isThere(); ) await pause(20)
}

const overSocket = async (
  url: URL,
  { headers, messages, target, waitMs }: SocketRequest
): Promise<Omit<Outcome, "ms">> => {
  const client = new SocketClient(url.origin, target, { headers })
  const status = await Promise.race([client.answered().catch(() => client.status), pause(maxMs).then(() => 0)])
  for (const message of status === 101 ? messages : []) {
    if (client.isClosed) break
    if (typeof message === "number") await pause(message)
    else if (typeof message === "string" || Buffer.isBuffer(message)) client.send(message)
    else await heard(client, message)
  }
  for (const end = Date.now() + waitMs; Date.now() < end && !client.isClosed; ) await pause(20)
  const texts = client.frames.filter(({ opcode }) => opcode === 1).map(({ data }) => data.toString())
  if (status !== 101 && !client.isClosed) await Promise.race([client.closed(), pause(1000)])
  client.tcp.destroy()
  const text = status === 101 ? texts.join("\n") : client.body
  return { status, headers: client.headers, text, bytes: text.length }
}

export const send = async (url: URL, { request }: Generated): Promise<Outcome> => {
  const began = performance.now()
  const outcome = await (request.via === "http"
    ? overHttp(url, request)
    : request.via === "raw"
      ? Promise.all([request, ...(request.beside ?? [])].map((one) => overBytes(url, one))).then(([first]) => first!)
      : overSocket(url, request)
  ).catch((error: unknown) => ({ status: 0, headers: {}, text: `not sent: ${error}`, bytes: 0 }))
  return { ...outcome, ms: performance.now() - began }
}
