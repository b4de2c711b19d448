/**
 * The model's side of the gateway's benchmarks, in a process of its own: reads a whole upload, a chat or 128 inputs and gives
 * one fixed answer, at once or after as many milliseconds as it was started with; a stream in fifty chunks, each sent by itself.
 * With `-1` a stream begins at once and never ends. Does as little as possible.
 */
import { createServer, type Socket } from "node:net"

const lateMs = Number(process.argv[2] ?? 0)

const whole = (body: string): Buffer =>
  Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)

const speech = whole(
  JSON.stringify({
    text: "He might even have been made amiable himself.",
    usage: { type: "duration", seconds: 33 }
  })
)

const words = Array.from({ length: 47 }, (_, n) => ["The ", "room ", "has ", "a ", "view. "][n % 5]!)
const shape = { id: "chatcmpl-there", created: 1_790_000_000, model: "gpt-5.4", system_fingerprint: "fp_there" }
const usage = { prompt_tokens: 112, completion_tokens: 47, total_tokens: 159 }
const message = { role: "assistant", content: words.join(""), refusal: null }

const chat = whole(
  JSON.stringify({
    ...{ ...shape, object: "chat.completion", usage },
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }]
  })
)

/** 128 vectors of 1,536 numbers, as the client libraries request them. */
const embeddings = whole(
  JSON.stringify({
    object: "list",
    data: Array.from({ length: 128 }, (_, index) => {
      const vector = Float32Array.from({ length: 1536 }, (_, at) => Math.sin(index + at) / 40)
      return { object: "embedding", index, embedding: Buffer.from(vector.buffer).toString("base64") }
    }),
    model: "text-embedding-3-small",
    usage: { prompt_tokens: 1024, total_tokens: 1024 }
  })
)

const chunkOf = (delta: object, finish_reason: string | null) => ({
  ...{ ...shape, object: "chat.completion.chunk" },
  choices: [{ index: 0, delta, logprobs: null, finish_reason }]
})

const framed = (text: string): Buffer => Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`)

const streamHead = Buffer.from(
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n"
)
const chunks = [
  chunkOf({ role: "assistant", content: "" }, null),
  ...words.map((content) => chunkOf({ content }, null)),
  chunkOf({}, "stop"),
  { ...shape, object: "chat.completion.chunk", choices: [], usage }
].map((data) => framed(`data: ${JSON.stringify(data)}\n\n`))
const end = Buffer.concat([framed("data: [DONE]\n\n"), Buffer.from("0\r\n\r\n")])

const stream = (socket: Socket): void => {
  socket.write(Buffer.concat([streamHead, chunks[0]!]))
  let next = 1
  const write = (): void => {
    if (socket.destroyed) return
    if (next === chunks.length) return void socket.write(end)
    socket.write(chunks[next++]!)
    setImmediate(write)
  }
  if (lateMs !== -1) setImmediate(write)
}

const answer = (socket: Socket, request: string): void => {
  if (request.includes('"stream":true')) stream(socket)
  else
    socket.write(request.startsWith("POST /v1/chat/") ? chat : request.startsWith("POST /v1/emb") ? embeddings : speech)
}

/** Bytes after the head that begins here, and the head's own; undefined where it has not come in as a whole. */
const lengthsOf = (bytes: Buffer): { readonly head: number; readonly body: number } | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, end))
  return { head: end + 4, body: length === null ? Number.POSITIVE_INFINITY : Number(length[1]) }
}

/** How a body ends whose length was not announced. */
const lastChunk = Buffer.from("\r\n0\r\n\r\n")

/** Of a request that is looked at: a chat is no longer. */
const maxKept = 16 * 1024

const serve = (socket: Socket): void => {
  let head = Buffer.alloc(0)
  let left = -1
  let tail = Buffer.alloc(0)
  let kept = ""
  const done = (): void => {
    const request = kept
    left = -1
    kept = ""
    if (lateMs <= 0) answer(socket, request)
    else setTimeout(() => answer(socket, request), lateMs)
  }
  const keep = (bytes: Buffer): void => {
    if (kept.length < maxKept) kept += bytes.toString("latin1", 0, maxKept)
  }
  socket.setNoDelay(true)
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    if (left === -1) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const lengths = lengthsOf(head)
      if (lengths === undefined) return
      keep(head)
      left = lengths.body - (head.length - lengths.head)
      tail = head.subarray(-lastChunk.length)
      head = Buffer.alloc(0)
    } else {
      keep(chunk)
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
