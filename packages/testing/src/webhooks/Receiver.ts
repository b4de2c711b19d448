/** A receiver of webhooks over real sockets, which keeps all that it was sent. A test decides how it behaves. */
import * as Http from "node:http"
import * as Https from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { Claims } from "../Claims.ts"
import type { TestCertificate } from "./TestCertificate.ts"

/** What the receiver does with a request once it has arrived as a whole. */
export type Behaviour =
  /** Answers, after a while. `close` ends the connection with the answer. */
  | {
      readonly does: "answer"
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
      readonly delayMs?: number
      readonly close?: boolean
    }
  /** Never answers. */
  | { readonly does: "hang" }
  /** Sends the head, then a piece of body again and again, for ever or until `totalBytes`. */
  | {
      readonly does: "trickle"
      readonly status?: number
      readonly pieceBytes?: number
      readonly everyMs?: number
      readonly totalBytes?: number
      /** Announces the length, which is else left open. */
      readonly contentLength?: boolean
    }
  /** Sends the head, one byte at a time. */
  | { readonly does: "trickle-head"; readonly everyMs?: number }
  /** Resets the connection. */
  | { readonly does: "reset" }
  /** Sends a head that announces a body, and closes before it. */
  | { readonly does: "truncate"; readonly status?: number }
  /** Sends these bytes as they are, and closes. */
  | { readonly does: "raw"; readonly bytes: string }
  | { readonly does: "redirect"; readonly to: string; readonly status?: number }

type BehaviourThat<Does extends Behaviour["does"]> = Behaviour & { readonly does: Does }

export interface Received {
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Http.IncomingHttpHeaders
  /** Names and values as they were sent. */
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: Buffer
  /** When it had arrived as a whole, in milliseconds of UTC. */
  readonly at: number
  /** Connections are counted from 1. */
  readonly connection: number
  /** The name that TLS asked for. */
  readonly servername: string | null
}

export interface ReceiverOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default: any that is free. */
  readonly port?: number
  readonly tls?: TestCertificate
  readonly behaviour?: Behaviour | ((received: Received) => Behaviour)
  /** Resets every connection as soon as it stands, before TLS. */
  readonly resetsConnections?: boolean
}

export interface Receiver {
  /** Scheme, address and port. */
  readonly origin: string
  readonly port: number
  readonly received: ReadonlyArray<Received>
  /** How many connections were ever opened. */
  readonly connections: () => number
  /** How many of them are open. */
  readonly open: () => number
  /** Bytes of answers' bodies that were handed to the system. */
  readonly sentBytes: () => number
  /** From now on. */
  readonly behave: (behaviour: Behaviour | ((received: Received) => Behaviour)) => void
  /** Waits until a claim about the receiver holds; it is asked again whenever something happens. */
  readonly until: (holds: () => boolean, withinMs?: number) => Promise<void>
  /** Ends all connections. */
  readonly close: () => Promise<void>
}

/** Starts a receiver. It answers 200 without a body unless a test decides otherwise. */
export const startReceiver = async (options: ReceiverOptions = {}): Promise<Receiver> => {
  let behaviour = options.behaviour ?? { does: "answer" }
  const received: Array<Received> = []
  /** By the port of the other end, which a TLS socket shares with the TCP socket below it. */
  const connections = new Map<number | undefined, { readonly tcp: Socket; readonly number: number }>()
  const { changed, until } = new Claims()
  const timers = new Set<NodeJS.Timeout>()
  let opened = 0
  let sentBytes = 0

  const connectionOf = ({ remotePort }: Socket) => connections.get(remotePort)
  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms)
    timers.add(timer)
  }
  const sent = (bytes: number) => {
    sentBytes += bytes
    changed()
  }

  const trickle = (response: Http.ServerResponse, behaviour: BehaviourThat<"trickle">) => {
    const {
      status = 200,
      pieceBytes = 1,
      everyMs = 10,
      totalBytes = Number.POSITIVE_INFINITY,
      contentLength
    } = behaviour
    response.writeHead(status, contentLength ? { "content-length": totalBytes } : {})
    response.flushHeaders()
    let left = totalBytes
    const next = () => {
      if (response.destroyed || response.socket === null) return
      if (left <= 0) return void response.end()
      const piece = Math.min(pieceBytes, left)
      left -= piece
      response.write(Buffer.alloc(piece, "."), (error) => {
        if (error) return
        sent(piece)
        after(everyMs, next)
      })
    }
    next()
  }

  const say = (response: Http.ServerResponse, behaviour: BehaviourThat<"answer">) => {
    const { status = 200, headers = {}, body = "", delayMs = 0, close = false } = behaviour
    const now = () => {
      if (response.socket === null) return
      if (close) response.shouldKeepAlive = false
      response.writeHead(status, headers).end(body, () => sent(body.length))
    }
    if (delayMs === 0) now()
    else after(delayMs, now)
  }

  const trickleHead = (socket: Socket, { everyMs = 10 }: BehaviourThat<"trickle-head">) => {
    const head = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx-slow: "
    const next = (i: number) => {
      if (socket.destroyed) return
      socket.write(head[i] ?? "a")
      after(everyMs, () => next(i + 1))
    }
    next(0)
  }

  const answer = (response: Http.ServerResponse, socket: Socket, behaviour: Behaviour): void => {
    if (behaviour.does === "answer") say(response, behaviour)
    if (behaviour.does === "trickle") trickle(response, behaviour)
    if (behaviour.does === "trickle-head") trickleHead(socket, behaviour)
    // The TCP socket's: one of TLS cannot be reset.
    if (behaviour.does === "reset") connectionOf(socket)?.tcp.resetAndDestroy()
    if (behaviour.does === "truncate")
      socket.end(`HTTP/1.1 ${behaviour.status ?? 200} x\r\ncontent-length: 999\r\n\r\nno more`)
    if (behaviour.does === "raw") socket.end(behaviour.bytes)
    if (behaviour.does === "redirect") response.writeHead(behaviour.status ?? 302, { location: behaviour.to }).end()
  }

  const take: Http.RequestListener = (request, response) => {
    const pieces: Array<Buffer> = []
    // An abort while the body arrives is nothing to tell: what never arrived was not received.
    request.on("error", () => {})
    response.on("error", () => {})
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const one: Received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(pieces),
        at: Date.now(),
        connection: connectionOf(request.socket)?.number ?? 0,
        servername: request.socket instanceof TLSSocket ? request.socket.servername || null : null
      }
      received.push(one)
      answer(response, request.socket, typeof behaviour === "function" ? behaviour(one) : behaviour)
      changed()
    })
  }

  const server = options.tls === undefined ? Http.createServer(take) : Https.createServer({ ...options.tls }, take)
  server.on("tlsClientError", () => {})
  server.on("clientError", (_, socket) => socket.destroy())
  server.on("connection", (tcp: Socket) => {
    const { remotePort } = tcp
    opened += 1
    connections.set(remotePort, { tcp, number: opened })
    tcp.on("error", () => {})
    tcp.on("close", () => {
      connections.delete(remotePort)
      changed()
    })
    if (options.resetsConnections) tcp.resetAndDestroy()
    changed()
  })

  const { host = "127.0.0.1", port = 0 } = options
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port // of TCP: never a path

  return {
    origin: `${options.tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    received,
    connections: () => opened,
    open: () => connections.size,
    sentBytes: () => sentBytes,
    behave: (next) => {
      behaviour = next
    },
    until,
    close: () =>
      new Promise<void>((resolve) => {
        for (const timer of timers) clearTimeout(timer)
        server.close(() => resolve())
        for (const { tcp } of connections.values()) tcp.destroy()
      })
  }
}
