/** Verifies: NODE-7. */
import { createServer, type IncomingMessage, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../src/RequestBodyReader.ts"

type Heard = { readonly end: "ended" | "broken"; readonly bytes: Buffer }

const hear = (source: object): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Uint8Array> = []
    listen(source, {
      chunk: (bytes) => void chunks.push(bytes),
      ended: () => resolve({ end: "ended", bytes: Buffer.concat(chunks) }),
      broken: () => resolve({ end: "broken", bytes: Buffer.concat(chunks) }),
      failed: reject
    })
  })

describe("the body of a request", () => {
  let take: (request: IncomingMessage) => void = () => undefined
  const server = createServer((request, response) => {
    take(request)
    request.on("end", () => response.end())
  })
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  /** What is heard of a body that is sent in two parts; `before` is what the host does first. */
  const heard = (before: (request: IncomingMessage) => void, breaksOff = false): Promise<Heard> =>
    new Promise((resolve, reject) => {
      take = (request) => {
        before(request)
        hear(request).then(resolve, reject)
      }
      const { port } = server.address() as AddressInfo
      const client = send({ port, method: "POST", headers: { "content-length": 200_000 } })
      client.on("error", () => undefined)
      client.write(Buffer.alloc(100_000, 1), () => {
        if (breaksOff) client.destroy()
        else client.end(Buffer.alloc(100_000, 2))
      })
    })

  it("is read as it was sent", async () => {
    const { bytes, end } = await heard(() => undefined)
    expect(end).toBe("ended")
    expect(bytes.equals(Buffer.concat([Buffer.alloc(100_000, 1), Buffer.alloc(100_000, 2)]))).toBe(true)
  })

  it("is read whole where the host listens too, from the beginning or from somewhere in the middle", async () => {
    const early = await heard((request) => void request.on("data", () => undefined))
    const listenLate = (request: IncomingMessage) =>
      void request.once("data", () => void request.on("data", () => undefined))
    for (const { bytes, end } of [early, await heard(listenLate)]) {
      expect([end, bytes.byteLength]).toEqual(["ended", 200_000])
    }
  })

  it("is read where a test injects it", async () => {
    expect(await hear(Readable.from([Buffer.from("abc")]))).toEqual({ end: "ended", bytes: Buffer.from("abc") })
  })

  it("is reported as broken when its client goes away", async () => {
    expect(await heard(() => undefined, true)).toMatchObject({ end: "broken" })
  })

  it("is reported as broken when the request was destroyed before", async () => {
    expect(await heard((request) => void request.destroy(), true)).toMatchObject({ end: "broken" })
  })

  /** How many bytes of the chunks are left after each was freed. */
  const afterFree = (source: IncomingMessage | Readable): Promise<number> =>
    new Promise((resolve, reject) => {
      const chunks: Array<Uint8Array> = []
      listen(source, {
        chunk: (bytes, free) => {
          chunks.push(bytes)
          free()
        },
        ended: () => resolve(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)),
        broken: () => resolve(-1),
        failed: reject
      })
    })

  it("is freed where only its reader has it: not what the host listens to, nor what a test injects", async () => {
    const left = (before: (request: IncomingMessage) => void) =>
      new Promise<number>((resolve) => {
        take = (request) => {
          before(request)
          resolve(afterFree(request))
        }
        const { port } = server.address() as AddressInfo
        send({ port, method: "POST" }).end(Buffer.alloc(200_000, 1))
      })
    expect(await left(() => undefined)).toBe(0)
    expect(await left((request) => void request.on("data", () => undefined))).toBe(200_000)
    // As error trackers do, to see what arrives.
    const patch = (request: IncomingMessage) => {
      request.on = new Proxy(request.on, {})
    }
    expect(await left(patch)).toBe(200_000)
    expect(await afterFree(Readable.from([Buffer.alloc(200_000)]))).toBe(200_000)
  })

  it("ends with what its reader throws, at its chunks, its end or its break, and nothing follows that", async () => {
    const fault = new Error("of a reader")
    const thrower = () => {
      throw fault
    }
    const none = { chunk: () => undefined, ended: () => undefined, broken: () => undefined }
    const failedOf = (source: object, listener: Partial<Parameters<typeof listen>[1]>): Promise<unknown> =>
      new Promise((resolve) => void listen(source, { ...none, ...listener, failed: resolve }))
    const chunks = () => Readable.from([Buffer.from("abc"), Buffer.from("def")])
    expect(await failedOf(chunks(), { chunk: thrower, ended: () => expect.unreachable() })).toBe(fault)
    expect(await failedOf(chunks(), { ended: thrower })).toBe(fault)
    const broken = chunks()
    const failed = failedOf(broken, { broken: thrower })
    broken.destroy()
    expect(await failed).toBe(fault)
  })
})
