/**
 * The model's side of the gateway's benchmarks, in a process of its own: takes in a whole upload and gives one fixed
 * answer, at once or after as many milliseconds as it was started with. Does as little as possible.
 */
import { createServer, type Socket } from "node:net"

const lateMs = Number(process.argv[2] ?? 0)
const body = JSON.stringify({
  text: "He might even have been made amiable himself.",
  usage: { type: "duration", seconds: 33 }
})
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
)

/** Bytes after the head that begins here, and the head's own; undefined where it has not come in as a whole. */
const lengthsOf = (bytes: Buffer): { readonly head: number; readonly body: number } | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, end))
  return { head: end + 4, body: length === null ? Number.POSITIVE_INFINITY : Number(length[1]) }
}

/** How a body ends whose length was not announced. */
const lastChunk = Buffer.from("\r\n0\r\n\r\n")

const serve = (socket: Socket): void => {
  let head = Buffer.alloc(0)
  let left = -1
  let tail = Buffer.alloc(0)
  const done = (): void => {
    left = -1
    if (lateMs === 0) socket.write(answer)
    else setTimeout(() => socket.write(answer), lateMs)
  }
  socket.setNoDelay(true)
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    if (left === -1) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const lengths = lengthsOf(head)
      if (lengths === undefined) return
      left = lengths.body - (head.length - lengths.head)
      tail = head.subarray(-lastChunk.length)
      head = Buffer.alloc(0)
    } else {
      left -= chunk.length
      tail = Buffer.concat([tail, chunk.subarray(-lastChunk.length)]).subarray(-lastChunk.length)
    }
    if (left <= 0 || (left === Number.POSITIVE_INFINITY && tail.equals(lastChunk))) done()
  })
}

const server = createServer(serve).listen({ host: "127.0.0.1", port: 0, backlog: 1024 }, () => {
  const address = server.address()
  if (typeof address === "object" && address !== null) process.send!({ port: address.port })
})
process.once("disconnect", () => process.exit())
