/** Verifies: CLNT-5. */
import { once } from "node:events"
import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import { type BoundedHttp, makeBoundedHttp, multipart } from "../../src/http/index.ts"

const freed = 0xff

/** More than the system buffers of a connection. */
const maxBytes = 7_000_000

/** An upstream that answers after the beginning of a request and reads the rest 50 ms later. */
const hastyUpstream = async () => {
  const counts = { received: 0, freed: 0 }
  const connections: Array<Promise<void>> = []
  const serve = (socket: Socket): void => {
    connections.push(new Promise((resolve) => socket.once("close", () => resolve())))
    // Its client closes connections.
    socket.on("error", () => undefined)
    socket.once("data", () => {
      socket.pause()
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
      setTimeout(() => socket.resume(), 50)
      socket.on("data", (bytes) => {
        counts.received += bytes.length
        if (bytes.includes(freed)) counts.freed += 1
      })
    })
  }
  const server = createServer(serve).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const end = async () => {
    await Promise.all(connections)
    server.close()
    return counts
  }
  return { url: new URL(`http://127.0.0.1:${port}/`), end }
}

/** Uploads a file, and overwrites its chunks as soon as there is a response. */
const upload = async (http: BoundedHttp, url: URL, chunks: ReadonlyArray<Uint8Array>): Promise<number> => {
  const size = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  const body = multipart([], { fileName: "a.wav", contentType: "audio/wav", size, chunks })
  const limits = { headMs: 300_000, bodyMs: 300_000, maxBytes: () => 100 }
  const { status } = await Effect.runPromise(http.exchange({ method: "POST", url, headers: {}, body, ...limits }))
  for (const chunk of chunks) chunk.fill(freed)
  return status
}

describe("a request that is answered before it was sent", () => {
  it.each([
    ["small ones", 50_000],
    ["of a buffer's size", 65_536],
    ["large ones", 1_000_000]
  ])("is not read any more after the answer, in whatever chunks it is: %s", async (_, chunkBytes) => {
    const upstream = await hastyUpstream()
    const http = makeBoundedHttp()
    // For some of these sizes the system buffers all but the last chunk.
    const uploads = Array.from({ length: Math.ceil(maxBytes / chunkBytes) }, (_, nth) =>
      upload(http, upstream.url, Array<Uint8Array>(nth + 1).fill(Buffer.alloc(chunkBytes)))
    )
    expect(new Set(await Promise.all(uploads))).toEqual(new Set([200]))
    // The connections that are kept have sent all of their bytes by then.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await http.close()
    const counts = await upstream.end()
    expect(counts.received).toBeGreaterThan(1_000_000)
    expect(counts.freed).toBe(0)
  })
})

/** An upstream that reads a request 50 ms late, and answers it at its end. */
const slowUpstream = async () => {
  const found: Array<{ readonly file: Buffer }> = []
  const server = createHttpServer(async (request, response) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const begin = body.indexOf("\r\n\r\n") + 4
    found.push({ file: body.subarray(begin, body.lastIndexOf("\r\n--trunkline-")) })
    response.end("ok")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/`), found, end: () => void server.close() }
}

describe("a body that is sent", () => {
  it.each([
    ["a small one", [50_000]],
    ["a large one", [3_000_000]],
    ["large ones and a small one", [1_000_000, 1_000_000, 1_000_000, 20_000]],
    ["small ones after a large one", [3_000_000, 60_000, 60_000]]
  ])("is not read any more once that is reported, before the answer, in these chunks: %s", async (_, sizes) => {
    const upstream = await slowUpstream()
    const http = makeBoundedHttp()
    const chunks = sizes.map((size, nth) => Buffer.alloc(size, nth + 1))
    const expected = Buffer.concat(chunks)
    const order: Array<string> = []
    const onSent = () => {
      order.push("sent")
      for (const chunk of chunks) chunk.fill(freed)
    }
    const file = { fileName: "a.wav", contentType: "audio/wav", size: expected.length, chunks, onSent }
    const limits = { headMs: 300_000, bodyMs: 300_000, maxBytes: () => 100 }
    const request = { method: "POST", url: upstream.url, headers: {}, body: multipart([], file), ...limits } as const
    await Effect.runPromise(http.exchange(request))
    order.push("answered")
    await http.close()
    upstream.end()
    expect(order).toEqual(["sent", "answered"])
    expect(upstream.found[0]!.file.equals(expected)).toBe(true)
  })

  it("is never reported where the connection cannot be opened", async () => {
    const upstream = await slowUpstream()
    upstream.end()
    const http = makeBoundedHttp()
    let isSent = false
    const onSent = () => {
      isSent = true
    }
    const file = {
      fileName: "a.wav",
      contentType: "audio/wav",
      size: 3_000_000,
      chunks: [Buffer.alloc(3_000_000)],
      onSent
    }
    const limits = { headMs: 300_000, bodyMs: 300_000, maxBytes: () => 100 }
    const request = { method: "POST", url: upstream.url, headers: {}, body: multipart([], file), ...limits } as const
    expect(Exit.isFailure(await Effect.runPromiseExit(http.exchange(request)))).toBe(true)
    await http.close()
    expect(isSent).toBe(false)
  })
})
