/**
 * Carrier, chat platform, model upstream and receivers of webhooks in a process of their own, which nothing kills. Started
 * with its settings as JSON; further orders come as messages. Paths begin with `/p<n>`, the process of the product that asks.
 */
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Agent, request } from "undici"
import { type Answer, CarrierService, targetOf } from "./CarrierService.ts"
import { ChatService } from "./ChatPlatform.ts"
import { sayIn } from "./Lines.ts"
import { chatAnswer, chatEvents, hashOf, speechAnswer } from "./Models.ts"
import { type Mood, moodOf, type Neighbour } from "./Moods.ts"
import type { Armed, NeighbourOrder, NeighbourReport, NeighbourSettings } from "./NeighbourMessages.ts"

const settings: NeighbourSettings = JSON.parse(process.argv[2]!)
const { folder, seed, trouble } = settings
const say = sayIn(folder)
const report = (message: NeighbourReport): void => void process.send?.(message)

const addresses: Array<string> = []
const pids = new Map<number, number>()
const secrets = new Map<string, string>()
const outages = new Set<Neighbour>()
const counts = new Map<Neighbour, number>()
let armed: Array<Armed> = []
let posts = 0

const agent = new Agent({ connections: 64, headersTimeout: 15_000, bodyTimeout: 15_000, connectTimeout: 3000 })

/** The status of the answer, 0 without one. */
const post = async (url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> => {
  try {
    const answer = await request(url, { method: "POST", body, headers, dispatcher: agent })
    await answer.body.dump()
    return answer.statusCode
  } catch {
    return 0
  }
}

const target = (): string => {
  posts += 1
  return addresses[targetOf(seed, posts, addresses.length)]!
}

const carrier = new CarrierService({
  ...{ seed, trouble, say, losesCallbacks: settings.losesCallbacks, ringsLong: settings.ringsLong },
  post: async (url, body, headers) =>
    outages.has("carrier") ? 0 : post(target() + url.slice(url.indexOf("/api/")), body, headers)
})

const chat = new ChatService({
  ...{ seed, say },
  post: async (path, body, headers) => (outages.has("chat") ? 0 : post(target() + path, body, headers))
})

interface Asked {
  readonly neighbour: Neighbour
  readonly process: number
  readonly url: URL
  readonly method: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
  readonly arrivedAt: number
}

/** What a request is about, for the log, and what happens when it is served. */
interface Work {
  readonly serve: () => Answer
  readonly log: (served: Answer | null, mood: string, status: number) => void
}

/** The body as JSON; of a form or a file nothing is read. */
const json = (body: Buffer) => {
  try {
    return JSON.parse(body.toString() || "{}")
  } catch {
    return {}
  }
}

const carrierWork = ({ arrivedAt, body, headers, method, process, url }: Asked): Work => {
  const form = new URLSearchParams(body.toString())
  const isOrder = method === "POST" && url.pathname.endsWith("/Calls.json")
  const [to, from] = [form.get("To") ?? "", form.get("From") ?? ""]
  return {
    serve: () => carrier.serve(method, url, form, headers.authorization ?? ""),
    log: (served, mood) => {
      if (!isOrder) return say("carrier", { what: "asked", path: `${method} ${url.pathname}${url.search}`, mood })
      const record = served?.[0] === 201 ? (served[1] as { readonly sid: string }) : null
      const call = CarrierService.callIn(form)
      say("carrier", { what: "order", call, sid: record?.sid ?? null, to, from, process, mood }, arrivedAt)
    }
  }
}

const chatWork = ({ body, url }: Asked): Work => {
  const content = json(body)
  const isSend = url.pathname.endsWith("/messages") && content.type !== undefined && content.status !== "read"
  return {
    serve: () => chat.serve(url.pathname, content),
    log: (served, mood) => {
      if (!isSend) return
      const id = served === null ? null : (served[1] as { readonly messages: [{ id: string }] }).messages[0].id
      const text = String(content.text?.body ?? content.template?.components?.[0]?.parameters?.[0]?.text)
      say("chat", { what: "send", to: String(content.to), text, id, mood })
    }
  }
}

const modelWork = async ({ arrivedAt, body, headers, url }: Asked): Promise<Work> => {
  const isChat = url.pathname.endsWith("/chat/completions")
  const asked = isChat ? json(body) : {}
  const answered = isChat ? chatAnswer(asked) : null
  const { body: served, subject } = answered ?? (await speechAnswer(body, headers["content-type"] ?? ""))
  return {
    serve: () => [200, answered !== null && asked.stream === true ? chatEvents(answered.body) : served],
    log: (_, mood, status) => say("models", { what: "run", subject, status, mood }, arrivedAt)
  }
}

const hookWork = ({ body, headers, url }: Asked): Work => {
  const endpoint = url.pathname.split("/").at(-1) ?? ""
  const content = json(body)
  const { data, event } = content
  const signature = createHmac("sha256", secrets.get(endpoint) ?? "none")
    .update(body)
    .digest("hex")
  return {
    serve: () => [204, ""],
    log: (_, __, status) =>
      say("receivers", {
        ...{ what: "hook", endpoint, event, hash: hashOf(body), status },
        delivery: String(headers["x-service-delivery"]),
        subject: String(data.id ?? data.campaign_id ?? data.conversation_id ?? ""),
        isSigned: headers["x-service-signature"] === `sha256=${signature}`
      })
  }
}

const workOf = (asked: Asked): Work | Promise<Work> => {
  if (asked.neighbour === "carrier") return carrierWork(asked)
  if (asked.neighbour === "chat") return chatWork(asked)
  return asked.neighbour === "models" ? modelWork(asked) : hookWork(asked)
}

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

const answer = (response: ServerResponse, [status, body]: Answer): void => {
  if (response.destroyed) return
  const isStream = typeof body === "string" && body.startsWith("data: ")
  const type = isStream ? "text/event-stream" : "application/json"
  response.writeHead(status, { "content-type": type, date: new Date().toUTCString() })
  response.end(isStream || body === "" ? body : JSON.stringify(body))
}

/** Signals the process that has just been answered, where a fault waits for that. */
const trigger = (neighbour: Neighbour, asker: number): void => {
  const due = armed.find((one) => one.neighbour === neighbour && (neighbour === "receivers" || one.process === asker))
  const pid = due === undefined ? undefined : pids.get(due.process)
  if (due === undefined || pid === undefined) return
  armed = armed.filter((one) => one !== due)
  setTimeout(() => {
    try {
      process.kill(pid, due.signal)
      report({ fired: due.id })
    } catch {
      report({ missed: due.id })
    }
  }, due.delayMs)
}

const forced = (neighbour: Neighbour, asked: Asked): Mood | null => {
  if (outages.has(neighbour)) return { does: "break" }
  const isOrder = asked.method === "POST" && asked.url.pathname.endsWith("/Calls.json")
  return settings.orders !== undefined && neighbour === "carrier" && isOrder ? settings.orders : null
}

const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  response.on("error", () => undefined)
  const [, process = "0", name = "", rest = ""] =
    /^\/p(\d+)\/(carrier|chat|models|receivers)(\/.*)?$/.exec(incoming.url ?? "") ?? []
  const body = await bodyOf(incoming)
  if (name === "") return answer(response, [404, {}])
  const neighbour = name as Neighbour
  const nth = (counts.get(neighbour) ?? 0) + 1
  counts.set(neighbour, nth)
  const asked: Asked = {
    ...{ neighbour, body, arrivedAt: Date.now(), process: Number(process), url: new URL(rest, "http://neighbour") },
    ...{ method: incoming.method ?? "", headers: incoming.headers }
  }
  await act(asked, forced(neighbour, asked) ?? moodOf(seed, neighbour, nth, trouble), response)
}

const act = async (asked: Asked, mood: Mood, response: ServerResponse): Promise<void> => {
  const work = await workOf(asked)
  if (mood.does === "serve") await new Promise((resolve) => setTimeout(resolve, mood.afterMs))
  const served = mood.does === "break" || mood.does === "refuse" ? null : work.serve()
  const given: Answer | null =
    mood.does === "serve" ? served : mood.does === "fail" || mood.does === "refuse" ? [mood.status, {}] : null
  work.log(served, mood.does, given?.[0] ?? 0)
  if (given !== null) answer(response, given)
  else if (mood.does !== "hang") incomingEnd(response)
  if (mood.does === "serve") trigger(asked.neighbour, asked.process)
}

const incomingEnd = (response: ServerResponse): void => void response.socket?.destroy()

const obey = (order: NeighbourOrder): void => {
  if (order.order === "processes") addresses.splice(0, addresses.length, ...order.addresses)
  if (order.order === "pid") pids.set(order.process, order.pid)
  if (order.order === "secret") secrets.set(order.endpoint, order.secret)
  if (order.order === "says") void chat.says(order.customer, order.message, order.text)
  if (order.order === "outage" && order.isOut) outages.add(order.neighbour)
  if (order.order === "outage" && !order.isOut) outages.delete(order.neighbour)
  if (order.order === "arm") armed.push(order.armed)
  if (order.order === "disarm") armed = armed.filter(({ id }) => id !== order.id)
}

process.on("message", (order: NeighbourOrder) => obey(order))
process.once("disconnect", () => process.exit())
const server = createServer((incoming, response) => void serve(incoming, response).catch(() => response.destroy()))
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => report({ port: (server.address() as AddressInfo).port }))
