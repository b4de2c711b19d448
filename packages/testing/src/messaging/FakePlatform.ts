/**
 * The upstream chat platform over real sockets, as it is published: it accepts messages, keeps files and templates, checks
 * tokens and windows, reports to the subscribed webhook, and logs every request. A test decides how it misbehaves.
 */
import * as Http from "node:http"
import * as Https from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { Claims } from "../Claims.ts"
import type { TestCertificate } from "../webhooks/TestCertificate.ts"
import { freshWamid, inboundBody, inboundChange, inboundMessage, inboundStatus, signed } from "./InboundBodies.ts"
import { type Json, type PlatformRequest, type PlatformRoute, recipientOf, requestOf } from "./PlatformRequest.ts"
import {
  type Done,
  type PlatformFile,
  type PlatformMessage,
  PlatformService,
  platformError,
  statusOfCode
} from "./PlatformService.ts"

/** What is done with a request once it has arrived as a whole. `takes`: whether what it asks for happens all the same. */
export type PlatformMood = { readonly delayMs?: number } & (
  | { readonly does: "accept" }
  /** An error in the platform's shape, at the status that the code has there, or at `status`. */
  | {
      readonly does: "refuse"
      readonly code: number | null
      readonly status?: number
      readonly message?: string
      readonly details?: string
      readonly retryAfter?: number | string
    }
  /** Any answer. A body that is not text is sent as JSON. */
  | {
      readonly does: "answer"
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
      readonly takes?: boolean
    }
  /** Never answers. */
  | { readonly does: "hang"; readonly takes?: boolean }
  /** Resets the connection. */
  | { readonly does: "reset"; readonly takes?: boolean }
  /** Sends a head that announces more than comes, and closes. */
  | { readonly does: "truncate"; readonly status?: number; readonly takes?: boolean }
  /** Sends a head, then a space every so often and no end. */
  | { readonly does: "trickle"; readonly status?: number; readonly everyMs?: number; readonly takes?: boolean }
  /** Sends these bytes as they are, and closes. */
  | { readonly does: "raw"; readonly bytes: string; readonly takes?: boolean }
)

type Report = "sent" | "delivered" | "read" | "failed"

export interface FakePlatformOptions {
  /** Tokens that are let in. Default: any. */
  readonly tokens?: ReadonlyArray<string>
  /** Default `whatsapp`. */
  readonly product?: string
  /** Path of the routes. Default `/v23.0`. */
  readonly path?: string
  /** Whether free text needs a message of the customer's within 24 hours. Default false. */
  readonly enforcesWindow?: boolean
  /** Milliseconds of UTC. Default: the machine's. */
  readonly now?: () => number
  readonly tls?: TestCertificate
}

export interface FakePlatform {
  /** Scheme, address and port. */
  readonly origin: string
  readonly port: number
  /** The address that a client is configured with. */
  readonly baseUrl: string
  /** Requests that have arrived as a whole, in their order. */
  readonly requests: ReadonlyArray<PlatformRequest>
  readonly of: (route: PlatformRoute) => ReadonlyArray<PlatformRequest>
  /** Messages that were taken, in their order. */
  readonly messages: ReadonlyArray<PlatformMessage>
  /** Ids of messages that were marked read. */
  readonly marked: ReadonlyArray<{ readonly id: string; readonly typing: boolean }>
  /** Business accounts whose events are asked for. */
  readonly subscribed: ReadonlySet<string>
  readonly files: ReadonlyMap<string, PlatformFile>
  readonly templates: Array<Json>
  /** Connections that were ever opened. */
  readonly connections: () => number
  /** How many of them are open. */
  readonly open: () => number
  /** Requests whose connection was closed by the other side before they had an answer. */
  readonly aborted: () => number

  /** From now on; null for a platform in good order. A mood is for sends unless `on` names routes; a function is for everything. */
  readonly behave: (
    mood: PlatformMood | ((request: PlatformRequest) => PlatformMood | null) | null,
    on?: ReadonlyArray<PlatformRoute>
  ) => void
  /** For the next requests of a route, by default of sends. Comes before everything else. */
  readonly next: (mood: PlatformMood, times?: number, on?: PlatformRoute) => void
  /** For sends to one customer; null for none. */
  readonly toward: (customer: string, mood: PlatformMood | null) => void

  /** Keeps a file; returns its id. */
  readonly keep: (file: PlatformFile) => string
  /** Addresses of files that were returned so far expire. */
  readonly expireAddresses: () => void
  /** What the next addresses of files are instead of the fake's own. */
  readonly addressFilesAt: (url: ((id: string) => string) | null) => void
  /** Closes connections that wait for a request. */
  readonly closeIdle: () => void

  readonly enforceWindow: (isOn: boolean) => void
  /** The customer has written to the number at an instant. */
  readonly wroteAt: (phoneNumberId: string, customer: string, at?: number) => void

  /** Where deliveries go, and what they are signed with. */
  readonly deliverTo: (webhook: { readonly url: string; readonly appSecret: string } | null) => void
  /** Signs and posts a body as it is; returns the status of the answer, 0 where there is none. */
  readonly deliver: (body: unknown) => Promise<number>
  /** Reports on a message that was taken. */
  readonly report: (id: string, status: Report, more?: Json) => Promise<number>
  /** Reports these of every message from now on, as soon as it is taken. */
  readonly reportAll: (statuses: ReadonlyArray<Report>) => void
  /** A text, or a message of any type (`inbound`), from a customer with this phone. Opens the window. */
  readonly says: (phoneNumberId: string, customer: string, message: string | Json) => Promise<Said>
  /** Statuses of the answers to all deliveries, in the order in which they came. */
  readonly delivered: ReadonlyArray<number>

  /** Waits until a claim about the fake holds; it is asked again whenever something happens. */
  readonly until: (holds: () => boolean, withinMs?: number) => Promise<void>
  /** Ends all connections. */
  readonly close: () => Promise<void>
}

export interface Said {
  readonly id: string
  /** Of the answer to the delivery, 0 where there is none. */
  readonly status: number
}

/** Starts a platform on 127.0.0.1. */
export const startFakePlatform = async (options: FakePlatformOptions = {}): Promise<FakePlatform> => {
  const { now = Date.now, path: root = "/v23.0", product = "whatsapp" } = options
  const requests: Array<PlatformRequest> = []
  const delivered: Array<number> = []
  const queue: Array<{ readonly mood: PlatformMood; readonly on: PlatformRoute }> = []
  const customers = new Map<string, PlatformMood>()
  const connections = new Map<Socket, number>()
  const timers = new Set<NodeJS.Timeout>()
  const { changed, until } = new Claims()
  let behaviour: (request: PlatformRequest) => PlatformMood | null = () => null
  let webhook: { readonly url: string; readonly appSecret: string } | null = null
  let reported: ReadonlyArray<Report> = []
  let [opened, aborted] = [0, 0]

  const service = new PlatformService({
    tokens: options.tokens,
    product,
    root,
    now,
    origin: () => origin,
    accepted: (id) =>
      void reported.reduce(
        (before, status) => before.then(() => report(id, status)),
        Promise.resolve<unknown>(undefined)
      )
  })
  service.enforcesWindow = options.enforcesWindow ?? false

  // What becomes of a request.

  const moodOf = (request: PlatformRequest): PlatformMood => {
    const at = queue.findIndex(({ on }) => on === request.route)
    const [queued] = at < 0 ? [] : queue.splice(at, 1)
    const customer = request.route === "send" ? customers.get(recipientOf(request.body)) : undefined
    return queued?.mood ?? customer ?? behaviour(request) ?? { does: "accept" }
  }

  const say = (response: Http.ServerResponse, done: Done, headers: Readonly<Record<string, string>> = {}) => {
    if (response.destroyed || response.socket === null) return
    const { body, status, type } = done
    const isPlain = typeof body === "string" || body instanceof Uint8Array
    response.writeHead(status, { "content-type": type ?? (isPlain ? "text/plain" : "application/json"), ...headers })
    response.end(isPlain ? body : JSON.stringify(body))
  }

  const act = (request: PlatformRequest, response: Http.ServerResponse, mood: PlatformMood) => {
    const { socket } = response
    if (mood.does === "accept") return say(response, service.serve(request))
    if (mood.does === "refuse") {
      const { code, details, message, retryAfter, status = statusOfCode(code ?? 1) } = mood
      const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
      return say(response, { status, body: platformError(code, message, details) }, headers)
    }
    const served = mood.takes === true ? service.serve(request) : null
    if (mood.does === "answer") {
      return say(response, { status: mood.status, body: mood.body ?? served?.body ?? "" }, mood.headers)
    }
    if (socket === null || mood.does === "hang") return
    if (mood.does === "reset") return void socket.resetAndDestroy()
    if (mood.does === "raw") return void socket.end(mood.bytes)
    if (mood.does === "truncate") {
      const head = `HTTP/1.1 ${mood.status ?? 200} x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n`
      return void socket.end(`${head}{"messages": [`)
    }
    response.writeHead(mood.status ?? 200, { "content-type": "application/json" })
    response.write(" ")
    timers.add(setInterval(() => response.write(" "), mood.everyMs ?? 10))
  }

  const receive: Http.RequestListener = (incoming, response) => {
    incoming.on("error", () => {})
    response.on("error", () => {})
    response.on("close", () => {
      if (!response.writableFinished) aborted += 1
      changed()
    })
    const pieces: Array<Buffer> = []
    incoming.on("data", (piece: Buffer) => pieces.push(piece))
    incoming.on("end", async () => {
      const connection = connections.get(incoming.socket) ?? 0
      const request = await requestOf(incoming, Buffer.concat(pieces), { root, at: now(), connection })
      requests.push(request)
      const mood = moodOf(request)
      if (mood.delayMs === undefined) act(request, response, mood)
      else timers.add(setTimeout(() => act(request, response, mood), mood.delayMs))
      changed()
    })
  }

  // What the platform reports.

  const deliver = async (body: unknown): Promise<number> => {
    if (webhook === null) throw new Error("nobody is there to deliver to: deliverTo")
    const { bytes, headers } = signed(body, webhook.appSecret)
    const status = await fetch(webhook.url, {
      method: "POST",
      headers,
      body: new Uint8Array(bytes)
    }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0
    )
    delivered.push(status)
    changed()
    return status
  }

  const seconds = () => String(Math.floor(now() / 1000))

  const report: FakePlatform["report"] = (id, status, more = {}) => {
    const message = service.messages.find((one) => one.id === id)
    if (message === undefined) throw new Error(`the platform has not accepted ${id}`)
    const { biz_opaque_callback_data: tag } = message.body
    const reported = inboundStatus(id, status, {
      timestamp: seconds(),
      ...(message.body.to === undefined
        ? { recipient_id: undefined, recipient_user_id: message.to }
        : { recipient_id: message.to.replace(/^\+/, "") }),
      ...(tag === undefined ? {} : { biz_opaque_callback_data: tag }),
      ...more
    })
    return deliver(inboundBody([inboundChange({ phoneNumberId: message.phoneNumberId, statuses: [reported] })]))
  }

  const wroteAt = (phoneNumberId: string, customer: string, at = now()) => {
    service.wroteAt(phoneNumberId, customer, at)
  }

  const says: FakePlatform["says"] = async (phoneNumberId, customer, message) => {
    wroteAt(phoneNumberId, customer)
    const content = typeof message === "string" ? inboundMessage("text", { body: message }) : message
    // The customer is known by phone alone: the ref of a sample message is another person's.
    const said = { id: freshWamid(), ...content, from: customer, from_user_id: undefined, timestamp: seconds() }
    const status = await deliver(inboundBody([inboundChange({ phoneNumberId, messages: [said] })]))
    return { id: said.id, status }
  }

  const server =
    options.tls === undefined ? Http.createServer(receive) : Https.createServer({ ...options.tls }, receive)
  server.on("tlsClientError", () => {})
  server.on("clientError", (_, socket) => socket.destroy())
  server.on(options.tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    opened += 1
    connections.set(socket, opened)
    socket.on("error", () => {})
    socket.on("close", () => {
      connections.delete(socket)
      changed()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // of TCP: never a path
  const origin = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`

  return {
    origin,
    port,
    baseUrl: origin + root,
    requests,
    of: (route) => requests.filter((one) => one.route === route),
    messages: service.messages,
    marked: service.marked,
    subscribed: service.subscribed,
    files: service.files,
    templates: service.templates,
    connections: () => opened,
    open: () => connections.size,
    aborted: () => aborted,
    behave: (mood, on = ["send"]) => {
      behaviour = typeof mood === "function" ? mood : ({ route }) => (on.includes(route) ? mood : null)
    },
    next: (mood, times = 1, on = "send") => {
      for (let i = 0; i < times; i += 1) queue.push({ mood, on })
    },
    toward: (customer, mood) => {
      if (mood === null) customers.delete(customer)
      else customers.set(customer, mood)
    },
    keep: (file) => service.keep(file),
    expireAddresses: () => service.expireAddresses(),
    addressFilesAt: (url) => {
      service.fileUrl = url
    },
    closeIdle: () => server.closeIdleConnections(),
    enforceWindow: (isOn) => {
      service.enforcesWindow = isOn
    },
    wroteAt,
    deliverTo: (to) => {
      webhook = to
    },
    deliver,
    report,
    reportAll: (all) => {
      reported = all
    },
    says,
    delivered,
    until,
    close: () =>
      new Promise<void>((resolve) => {
        for (const timer of timers) clearTimeout(timer)
        server.close(() => resolve())
        for (const socket of connections.keys()) socket.destroy()
      })
  }
}
