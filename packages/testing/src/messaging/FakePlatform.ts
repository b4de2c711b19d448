/**
 * The upstream chat platform over real sockets, as it is published: it takes messages, keeps files and templates, looks at
 * tokens and windows, misbehaves as it is told, reports to whoever is subscribed, and logs every request.
 */
import * as Http from "node:http"
import * as Https from "node:https"
import type { AddressInfo, Socket } from "node:net"
import type { TestCertificate } from "../webhooks/TestCertificate.ts"
import { freshWamid, inboundBody, inboundChange, inboundMessage, inboundStatus, signed } from "./InboundBodies.ts"

/** What is done with a request once it has arrived as a whole. `takes`: whether what it asks for happens all the same. */
export type PlatformMood = { readonly delayMs?: number } & (
  | { readonly does: "accept" }
  /** An error in the platform's shape, at the status that it has there unless another one is told. */
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

export type PlatformRoute =
  | "send"
  | "read"
  | "subscribe"
  | "subscriptions"
  | "upload"
  | "mediaInfo"
  | "file"
  | "templates"
  | "createTemplate"
  | "unknown"

type Json = Readonly<Record<string, unknown>>

export interface PlatformRequest {
  readonly route: PlatformRoute
  readonly method: string
  /** Below the base URL; of a file, below the origin. */
  readonly path: string
  /** The id that the path begins with. */
  readonly id: string
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers: Http.IncomingHttpHeaders
  /** Of the `Authorization` header; null where it is no Bearer. */
  readonly token: string | null
  /** The JSON object of the body; null where there is none. */
  readonly body: Json | null
  readonly form: {
    readonly fields: Readonly<Record<string, string>>
    readonly file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array } | null
  } | null
  /** When it had arrived as a whole, in milliseconds of UTC. */
  readonly at: number
  /** Connections are counted from 1. */
  readonly connection: number
}

/** A message that the platform has taken. */
export interface PlatformMessage {
  readonly id: string
  readonly phoneNumberId: string
  /** The phone or the user ref. */
  readonly to: string
  readonly body: Json
  readonly at: number
}

export interface PlatformFile {
  readonly contentType: string
  readonly bytes: Uint8Array
}

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
  /** What a client is told. */
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

  /** From now on; null for a platform in good order. A mood is for sends unless routes are told; a function is for everything. */
  readonly behave: (
    mood: PlatformMood | ((request: PlatformRequest) => PlatformMood | null) | null,
    on?: ReadonlyArray<PlatformRoute>
  ) => void
  /** For the next requests of a route, which is sends unless another one is told. Comes before everything else. */
  readonly next: (mood: PlatformMood, times?: number, on?: PlatformRoute) => void
  /** For sends to one customer; null for none. */
  readonly toward: (customer: string, mood: PlatformMood | null) => void

  /** Keeps a file; tells its id. */
  readonly keep: (file: PlatformFile) => string
  /** Addresses of files that were told so far are no good any more. */
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
  /** Signs and posts a body as it is; tells the status of the answer, 0 where there is none. */
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

/** How long an address of a file is good, in milliseconds. */
const addressLives = 5 * 60_000

const windowMs = 24 * 3_600_000

/** The status that a code has on the platform. Everything else is 400. */
const statuses: ReadonlyArray<readonly [status: number, codes: ReadonlyArray<number>]> = [
  [401, [0, 190]],
  [403, [10, 200, 368, 130497, 131005, 131031]],
  [404, [132001]],
  [500, [3, 131000, 131016, 131045, 131057, 133000]],
  [503, [2, 133004]]
]

/** The status that the platform gives a code. */
export const statusOfCode = (code: number): number => statuses.find(([, codes]) => codes.includes(code))?.[0] ?? 400

/** An error in the platform's shape. */
export const platformError = (code: number | null, message = "leaky words", details = "leaky details"): Json => ({
  error: {
    message: `(#${code}) ${message}`,
    type: "OAuthException",
    ...(code === null ? {} : { code }),
    error_data: { messaging_product: "whatsapp", details },
    fbtrace_id: "AbCdEf123"
  }
})

/** Starts a platform on 127.0.0.1. */
export const startFakePlatform = async (options: FakePlatformOptions = {}): Promise<FakePlatform> => {
  const { now = Date.now, path: root = "/v23.0", product = "whatsapp" } = options
  const requests: Array<PlatformRequest> = []
  const messages: Array<PlatformMessage> = []
  const marked: Array<{ readonly id: string; readonly typing: boolean }> = []
  const subscribed = new Set<string>()
  const files = new Map<string, PlatformFile>()
  const templates: Array<Json> = []
  const delivered: Array<number> = []
  /** By what they end in: which file, and until when. */
  const addresses = new Map<string, { readonly id: string; readonly until: number }>()
  const wrote = new Map<string, number>()
  const queue: Array<{ readonly mood: PlatformMood; readonly on: PlatformRoute }> = []
  const customers = new Map<string, PlatformMood>()
  const connections = new Map<Socket, number>()
  const timers = new Set<NodeJS.Timeout>()
  const waiting = new Set<() => void>()
  let behaviour: (request: PlatformRequest) => PlatformMood | null = () => null
  let enforces = options.enforcesWindow ?? false
  let webhook: { readonly url: string; readonly appSecret: string } | null = null
  let reported: ReadonlyArray<Report> = []
  let elsewhere: ((id: string) => string) | null = null
  let [opened, aborted, ids] = [0, 0, 0]

  const changed = () => {
    for (const look of [...waiting]) look()
  }
  const nextId = () => {
    ids += 1
    return ids
  }

  // What is asked for.

  type Done = { readonly status: number; readonly body: unknown; readonly type?: string }
  const ok = (body: unknown): Done => ({ status: 200, body })
  const no = (code: number, message: string, details?: string): Done => ({
    status: statusOfCode(code),
    body: platformError(code, message, details)
  })

  const lane = (phoneNumberId: string, customer: string) => `${phoneNumberId} ${customer.replace(/^\+/, "")}`

  const isClosed = ({ body, id }: PlatformRequest): boolean =>
    enforces &&
    body?.type !== "template" &&
    now() - (wrote.get(lane(id, recipientOf(body))) ?? Number.NEGATIVE_INFINITY) >= windowMs

  /** What is wrong with a message. */
  const faultOf = (request: PlatformRequest): Done | null => {
    const { body } = request
    if (body?.messaging_product !== product) return no(100, "Invalid parameter", "messaging_product is not valid")
    if (request.route === "read") return null
    if (recipientOf(body) === "") return no(131008, "Required parameter is missing", "to or recipient is required")
    const type = typeof body.type === "string" ? body.type : "text"
    const content = body[type]
    if (typeof content !== "object" || content === null) return no(131008, "Required parameter is missing", type)
    if (type === "text" && String((content as Json).body ?? "").length > 4096) {
      return no(100, "Invalid parameter", "text.body is too long")
    }
    return isClosed(request) ? no(131047, "Re-engagement message", "more than 24 hours have passed") : null
  }

  const take = ({ at, body, id }: PlatformRequest): Done => {
    const to = recipientOf(body)
    const message: PlatformMessage = {
      id: `wamid.FAKE${String(nextId()).padStart(8, "0")}==`,
      phoneNumberId: id,
      to,
      body: body ?? {},
      at
    }
    messages.push(message)
    void reported.reduce(
      (before, status) => before.then(() => report(message.id, status)),
      Promise.resolve<unknown>(undefined)
    )
    const digits = to.replace(/\D/g, "")
    return ok({
      messaging_product: product,
      contacts: [body?.to === undefined ? { input: to, user_id: to } : { input: to, wa_id: digits }],
      messages: [{ id: message.id }]
    })
  }

  const mediaInfo = (id: string): Done => {
    const file = files.get(id)
    if (file === undefined) return no(100, "Unsupported get request", "the object does not exist")
    const end = `${id}-${nextId()}`
    addresses.set(end, { id, until: now() + addressLives })
    return ok({
      url: elsewhere?.(id) ?? `${origin}/files/${end}`,
      mime_type: file.contentType,
      sha256: "",
      file_size: file.bytes.length,
      id,
      messaging_product: product
    })
  }

  const fileAt = (end: string): Done => {
    const address = addresses.get(end)
    const file = address !== undefined && address.until > now() ? files.get(address.id) : undefined
    return file === undefined
      ? { status: 404, body: "gone", type: "text/html" }
      : { status: 200, body: file.bytes, type: file.contentType }
  }

  const keep = (file: PlatformFile): string => {
    const id = String(1_000_000_000 + nextId())
    files.set(id, file)
    return id
  }

  const templatesFor = ({ id, query, token }: PlatformRequest): Done => {
    const fits = templates.filter(
      ({ name, status }) => name === (query.name ?? name) && status === (query.status ?? status)
    )
    const from = Number(query.after ?? 0)
    const to = from + Number(query.limit ?? 25)
    // The platform's addresses of further pages have the token in them.
    const more = `${origin}${root}/${id}/message_templates?limit=${to - from}&after=${to}&access_token=${token}`
    return ok({
      data: fits.slice(from, to),
      paging: { cursors: { before: String(from), after: String(to) }, ...(to < fits.length ? { next: more } : {}) }
    })
  }

  const createTemplate = ({ body }: PlatformRequest): Done => {
    const { category, components, language, name } = body ?? {}
    if (![category, components, language, name].every((one) => one !== undefined)) return no(100, "Invalid parameter")
    const template = { ...body, id: String(nextId()), status: "PENDING" }
    templates.push(template)
    return ok({ id: template.id, status: template.status, category })
  }

  /** Does what is asked for, in good order. */
  const serve = (request: PlatformRequest): Done => {
    const { body, form, id, path, route, token } = request
    if (token === null || token === "" || (options.tokens?.includes(token) ?? true) === false) {
      return no(190, "Error validating access token", "the token has expired")
    }
    if (route === "send" || route === "read") {
      const fault = faultOf(request)
      if (fault !== null) return fault
      if (route === "send") return take(request)
      marked.push({ id: String(body?.message_id), typing: body?.typing_indicator !== undefined })
      return ok({ success: true })
    }
    if (route === "subscribe") {
      subscribed.add(id)
      return ok({ success: true })
    }
    if (route === "subscriptions") return ok({ data: subscribed.has(id) ? [{ id: "app" }] : [] })
    if (route === "upload") {
      const file = form?.file
      if (file === undefined || file === null || form?.fields.messaging_product !== product) {
        return no(100, "Invalid parameter", "file and messaging_product are required")
      }
      return ok({ id: keep({ contentType: file.type, bytes: file.bytes }) })
    }
    if (route === "mediaInfo") return mediaInfo(id)
    if (route === "file") return fileAt(path.split("/").at(-1) ?? "")
    if (route === "templates") return templatesFor(request)
    if (route === "createTemplate") return createTemplate(request)
    return { status: 404, body: platformError(2500, "Unknown path components") }
  }

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
    if (mood.does === "accept") return say(response, serve(request))
    if (mood.does === "refuse") {
      const { code, details, message, retryAfter, status = statusOfCode(code ?? 1) } = mood
      const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
      return say(response, { status, body: platformError(code, message, details) }, headers)
    }
    const served = mood.takes === true ? serve(request) : null
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

  // What the platform tells.

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
    const message = messages.find((one) => one.id === id)
    if (message === undefined) throw new Error(`the platform never took ${id}`)
    const { biz_opaque_callback_data: tag } = message.body
    const told = inboundStatus(id, status, {
      timestamp: seconds(),
      ...(message.body.to === undefined
        ? { recipient_id: undefined, recipient_user_id: message.to }
        : { recipient_id: message.to.replace(/^\+/, "") }),
      ...(tag === undefined ? {} : { biz_opaque_callback_data: tag }),
      ...more
    })
    return deliver(inboundBody([inboundChange({ phoneNumberId: message.phoneNumberId, statuses: [told] })]))
  }

  const wroteAt = (phoneNumberId: string, customer: string, at = now()) => {
    wrote.set(lane(phoneNumberId, customer), at)
  }

  const says: FakePlatform["says"] = async (phoneNumberId, customer, message) => {
    wroteAt(phoneNumberId, customer)
    const content = typeof message === "string" ? inboundMessage("text", { body: message }) : message
    // Whoever wrote is known by phone alone: the ref of a sample message is another person's.
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
    messages,
    marked,
    subscribed,
    files,
    templates,
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
    keep,
    expireAddresses: () => addresses.clear(),
    addressFilesAt: (url) => {
      elsewhere = url
    },
    closeIdle: () => server.closeIdleConnections(),
    enforceWindow: (isOn) => {
      enforces = isOn
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
    until: (holds, withinMs = 5_000) =>
      new Promise<void>((resolve, reject) => {
        const settle = (end: () => void) => {
          waiting.delete(look)
          clearTimeout(timer)
          end()
        }
        const timer = setTimeout(
          () => settle(() => reject(new Error(`not so within ${withinMs} ms: ${holds}`))),
          withinMs
        )
        const look = () => {
          if (holds()) settle(resolve)
        }
        waiting.add(look)
        look()
      }),
    close: () =>
      new Promise<void>((resolve) => {
        for (const timer of timers) clearTimeout(timer)
        server.close(() => resolve())
        for (const socket of connections.keys()) socket.destroy()
      })
  }
}

/** The phone comes before the user ref, as on the platform. */
const recipientOf = (body: Json | null): string => String(body?.to ?? body?.recipient ?? "")

const routeOf = (method: string, segments: ReadonlyArray<string>, body: Json | null): PlatformRoute => {
  const [, below, more] = segments
  if (more !== undefined) return "unknown"
  if (below === undefined) return method === "GET" ? "mediaInfo" : "unknown"
  if (below === "messages" && method === "POST") return body?.status === "read" ? "read" : "send"
  if (below === "subscribed_apps") return method === "POST" ? "subscribe" : "subscriptions"
  if (below === "media" && method === "POST") return "upload"
  if (below === "message_templates") return method === "POST" ? "createTemplate" : "templates"
  return "unknown"
}

const objectOf = (bytes: Buffer): Json | null => {
  try {
    const json: unknown = JSON.parse(bytes.toString())
    return typeof json === "object" && json !== null ? (json as Json) : null // an object: its fields are unknown
  } catch {
    return null
  }
}

/** Forms are read by the language's own parser, which shares nothing with whoever wrote them. */
const formOf = async (type: string, bytes: Buffer): Promise<NonNullable<PlatformRequest["form"]>> => {
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData()
  const fields: Record<string, string> = {}
  let file: NonNullable<PlatformRequest["form"]>["file"] = null
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = value
    else file = { name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }
  }
  return { fields, file }
}

const requestOf = async (
  incoming: Http.IncomingMessage,
  bytes: Buffer,
  { at, connection, root }: { readonly root: string; readonly at: number; readonly connection: number }
): Promise<PlatformRequest> => {
  const url = new URL(incoming.url ?? "/", "http://fake")
  const [method, type] = [incoming.method ?? "", incoming.headers["content-type"] ?? ""]
  const isFile = url.pathname.startsWith("/files/")
  const path = url.pathname.startsWith(`${root}/`) ? url.pathname.slice(root.length) : url.pathname
  const segments = path.split("/").slice(1).map(decodeURIComponent)
  const form = type.startsWith("multipart/form-data") ? await formOf(type, bytes) : null
  const body = form === null ? objectOf(bytes) : null
  const isKnown = isFile || url.pathname.startsWith(`${root}/`)
  return {
    route: isFile ? "file" : isKnown ? routeOf(method, segments, body) : "unknown",
    method,
    path,
    id: segments[0] ?? "",
    query: Object.fromEntries(url.searchParams),
    headers: incoming.headers,
    token: /^Bearer (.*)$/.exec(incoming.headers.authorization ?? "")?.[1] ?? null,
    body,
    form,
    at,
    connection
  }
}
