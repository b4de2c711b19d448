/**
 * The other side, in a process of its own. Does as little as possible for a request, so that the product and not this is
 * what is measured. Started with `close` it ends each connection with the answer.
 *
 * Paths: `/late/…` and `/slow/…` are answered after a while, `/hang/…` never; the rest at once.
 */
import { createServer, type Socket } from "node:net"
import { lateMs, now, slowMs } from "./WebhooksClock.ts"

export interface Expect {
  /** Report when this number of requests with different ids have been answered from now on. */
  readonly expect?: number
  /** Tell of each first byte from now on. */
  readonly watch?: boolean
  /** Resets the connections whose requests are never answered. */
  readonly release?: boolean
}

export type ProcessMessage =
  | { readonly port: number }
  /** When the first byte of a request was read, in milliseconds of the machine's monotonic clock. */
  | { readonly firstByteAt: number }
  | { readonly answered: number; readonly distinct: number }

const send = (message: ProcessMessage): void => void process.send!(message)

const closes = process.argv.includes("close")
const answer = Buffer.from(`HTTP/1.1 204 No Content\r\n${closes ? "Connection: close\r\n" : ""}\r\n`)
const pathAt = "POST /".length

let answered = 0
let ids = new Set<string>()
let expected = Number.POSITIVE_INFINITY
let isWatching = false
const hanging = new Set<Socket>()

const answerTo = (socket: Socket, id: string): void => {
  socket.write(answer)
  if (closes) socket.end()
  answered += 1
  ids.add(id)
  if (ids.size === expected) send({ answered, distinct: ids.size })
}

/** Bytes of the request that begins here, or undefined where its head has not come in as a whole. */
const lengthOf = (bytes: Buffer): { readonly length: number; readonly head: string } | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const head = bytes.toString("latin1", 0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (length === null) throw new Error("a request without content-length")
  return { length: end + 4 + Number(length[1]), head }
}

const serve = (socket: Socket): void => {
  let rest = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on("error", () => undefined)
  socket.on("close", () => void hanging.delete(socket))
  socket.on("data", (chunk) => {
    if (isWatching && rest.length === 0) send({ firstByteAt: now() })
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const found = lengthOf(rest)
    if (found === undefined || rest.length < found.length) return
    rest = rest.subarray(found.length)
    const path = found.head.slice(pathAt, pathAt + 5)
    const id = /\r\nX-Service-Delivery: *(\S+)/i.exec(found.head)![1]!
    if (path === "hang/") hanging.add(socket)
    else if (path === "late/") setTimeout(() => answerTo(socket, id), lateMs)
    else if (path === "slow/") setTimeout(() => answerTo(socket, id), slowMs)
    else answerTo(socket, id)
  })
}

process.on("message", ({ expect, release = false, watch = false }: Expect) => {
  answered = 0
  ids = new Set()
  expected = expect ?? Number.POSITIVE_INFINITY
  isWatching = watch
  if (release) for (const socket of hanging) socket.resetAndDestroy()
})
process.once("disconnect", () => process.exit())

const server = createServer(serve).listen({ host: "localhost", port: 0, backlog: 1024 }, () => {
  const address = server.address()
  if (typeof address === "object" && address !== null) send({ port: address.port })
})
