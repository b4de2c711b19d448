/** Verifies: NODE-7. */
import { createServer, type IncomingMessage, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../src/ListenBody.ts"

type Heard = { readonly end: "ended" | "broken"; readonly isOurs?: boolean; readonly bytes: Buffer }

const hear = (source: object): Promise<Heard> =>
  new Promise((resolve) => {
    const chunks: Array<Uint8Array> = []
    let isOurs = true
    listen(source, {
      chunk: (bytes, is) => {
        chunks.push(bytes)
        isOurs &&= is
      },
      ended: () => resolve({ end: "ended", isOurs, bytes: Buffer.concat(chunks) }),
      broken: () => resolve({ end: "broken", bytes: Buffer.concat(chunks) })
    })
  })

describe("a body that is listened to", () => {
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

  it("comes as it was sent, and is nobody else's where nobody else listens", async () => {
    const { bytes, end, isOurs } = await heard(() => undefined)
    expect({ end, isOurs }).toEqual({ end: "ended", isOurs: true })
    expect(bytes.equals(Buffer.concat([Buffer.alloc(100_000, 1), Buffer.alloc(100_000, 2)]))).toBe(true)
  })

  it("is the host's too where the host listens, from the beginning or from somewhere in the middle", async () => {
    expect(await heard((request) => void request.on("data", () => undefined))).toMatchObject({ isOurs: false })
    const late = (request: IncomingMessage) => void request.once("data", () => void request.on("data", () => undefined))
    expect(await heard(late)).toMatchObject({ isOurs: false })
  })

  it("is a test's own where a test injects it", async () => {
    expect(await hear(Readable.from([Buffer.from("abc")]))).toMatchObject({ end: "ended", isOurs: false })
  })

  it("tells when its client goes away", async () => {
    expect(await heard(() => undefined, true)).toMatchObject({ end: "broken" })
  })

  it("tells so of a request that has been destroyed before", async () => {
    expect(await heard((request) => void request.destroy(), true)).toMatchObject({ end: "broken" })
  })
})
