/**
 * The second tenant, in a process of its own, so that nothing but the server delays it: an upstream of its models and, once
 * ordered, its steady requests. They are sent by the clock, whether or not earlier ones were answered: a server that stands
 * still for a second is seen by all requests of that second.
 */
import { Agent, request } from "node:http"
import { serveModels } from "./ModelUpstream.ts"
import { kinds, type Sample, type WatchOrder, type WatchReport, type WatchSettings } from "./WatcherMessages.ts"

const settings: WatchSettings = JSON.parse(process.argv[2]!)
const report = (message: WatchReport): void => void process.send?.(message)
const samples: Array<Sample> = []
const agent = new Agent({ keepAlive: true, maxSockets: 400 })
const timers: Array<NodeJS.Timeout> = []

/** More are not sent: each that is left out counts as long as the oldest that waits. */
const maxWaiting = 300
const waiting = new Set<number>()

const media = (number: string): string =>
  `--b\r\nContent-Disposition: form-data; name="phone_number_id"\r\n\r\n${number}\r\n` +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n'

interface Probe {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string
}

const probes = ({ model, number }: WatchOrder & { order: "watch" }): Readonly<Record<Sample["kind"], Probe>> => ({
  health: { method: "GET", path: "/healthz" },
  list: { method: "GET", path: "/api/v1/bots" },
  chat: {
    ...{ method: "POST", path: "/v1/chat/completions", type: "application/json" },
    body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: "user", content: "Hello" }] })
  },
  upload: {
    method: "POST",
    path: "/api/v1/messaging/media",
    type: "multipart/form-data; boundary=b",
    body: media(number)
  }
})

const ask = (
  order: WatchOrder & { order: "watch" },
  kind: Sample["kind"],
  { body, method, path, type }: Probe
): void => {
  const at = performance.timeOrigin + performance.now()
  const done = (status: number): void => {
    waiting.delete(at)
    samples.push({ kind, at, ms: performance.timeOrigin + performance.now() - at, status })
  }
  const oldest = Math.min(...waiting)
  if (waiting.size >= maxWaiting) return void samples.push({ kind, at, ms: at - oldest, status: 0 })
  waiting.add(at)
  const headers = { authorization: `Bearer ${order.key}`, ...(type === undefined ? {} : { "content-type": type }) }
  const { hostname, port } = new URL(order.url)
  const outgoing = request({ hostname, port, method, path, headers, agent, timeout: 60_000 }, (incoming) => {
    incoming.on("data", () => undefined)
    incoming.on("error", () => done(0))
    incoming.on("end", () => done(incoming.statusCode ?? 0))
  })
  outgoing.on("timeout", () => outgoing.destroy(new Error("timeout")))
  let isFailed = false
  outgoing.on("error", () => {
    if (!isFailed && waiting.has(at)) done(0)
    isFailed = true
  })
  outgoing.end(body)
}

const stop = (): void => {
  for (const timer of timers.splice(0)) clearInterval(timer)
}

process.on("message", (order: WatchOrder) => {
  if (order.order === "stop") stop()
  if (order.order === "samples") report({ samples: samples.splice(0) })
  if (order.order !== "watch") return
  stop()
  const all = probes(order)
  for (const [kind, everyMs] of kinds) timers.push(setInterval(() => ask(order, kind, all[kind]), everyMs))
})
process.once("disconnect", () => process.exit())
report({ port: await serveModels(settings.says) })
