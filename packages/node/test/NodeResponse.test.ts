/** Answers as they go out on Node's connections. Verifies: NODE-9. */
import { once } from "node:events"
import { Agent, createServer, type IncomingMessage, request as send } from "node:http"
import { connect, createServer as createHttp2Server } from "node:http2"
import { type AddressInfo, connect as connectTcp } from "node:net"
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { nodeHandler } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { NodeRequest } from "../src/NodeRequest.ts"
import { respond } from "../src/NodeResponse.ts"

const campaigns = "/api/v1/voice-campaigns"

describe("an answer on a connection of Node's", () => {
  let core: Trunkline
  let key = ""
  const server = createServer((request, response) => nodeHandler(core)(request, response))
  let port = 0

  beforeAll(async () => {
    core = await createTrunkline({ storage: sqlite(":memory:"), telephony: simulator(), encryptionKey: "k".repeat(32) })
    const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
    key = (await core.admin.createKey(id)).text
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    port = (server.address() as AddressInfo).port
  })
  afterAll(async () => {
    server.close()
    await core.stop()
  })
  afterEach(() => void vi.useRealTimers())

  const textOf = async (answer: AsyncIterable<Buffer>): Promise<string> => {
    let text = ""
    for await (const chunk of answer) text += chunk
    return text
  }

  it("goes out at once to a client that is still sending, and the connection serves its next request", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const asking = send({ port, agent, method: "POST", path: campaigns, headers: { "content-length": 400_000 } })
    asking.write("x".repeat(100_000))
    const [refused] = (await once(asking, "response")) as [IncomingMessage]
    expect(refused.statusCode).toBe(401)
    const { socket } = refused
    asking.end("x".repeat(300_000))
    expect(JSON.parse(await textOf(refused))).toHaveProperty("detail")
    const next = send({ port, agent, path: campaigns, headers: { authorization: `Bearer ${key}` } }).end()
    const [read] = (await once(next, "response")) as [IncomingMessage]
    expect([read.statusCode, read.socket === socket]).toEqual([200, true])
    await textOf(read)
    agent.destroy()
  })

  it("is followed by the end of the connection when the client goes on sending", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    const socket = connectTcp(port, "127.0.0.1")
    socket.write(`POST ${campaigns} HTTP/1.1\r\nhost: x\r\ncontent-length: 400000\r\n\r\nx`)
    const [head] = (await once(socket, "data")) as [Buffer]
    expect(head.toString()).toMatch(/^HTTP\/1\.1 401 /)
    const closed = once(socket, "close")
    socket.on("error", () => undefined)
    expect(socket.destroyed).toBe(false)
    vi.advanceTimersByTime(5_000)
    await closed
  })

  it("without a body has a length, so that a client that is still sending knows its end", async () => {
    const plain = createServer((request, response) => {
      const refused = HttpServerResponse.empty({ status: 413 })
      Effect.runFork(respond(new NodeRequest(request, response, request.url!), refused))
    }).listen(0, "127.0.0.1")
    await once(plain, "listening")
    const asking = send({ port: (plain.address() as AddressInfo).port, method: "POST" })
    asking.write("x")
    const [answer] = (await once(asking, "response")) as [IncomingMessage]
    expect([answer.statusCode, answer.headers["content-length"]]).toEqual([413, "0"])
    asking.destroy()
    plain.close()
  })

  it("whose head cannot be written is an empty 500, of which the host hears, and the process goes on", async () => {
    const faults: Array<unknown> = []
    const writing = {
      schedule: (write: () => void) => void setImmediate(write),
      failed: (fault: unknown) => faults.push(fault)
    }
    const bad = { headers: { "x-name": "a\u0000b" } }
    const plain = createServer((request, response) => {
      const answer =
        request.url === "/stream"
          ? HttpServerResponse.stream(Stream.make(new Uint8Array(1)), bad)
          : HttpServerResponse.text("x", bad)
      Effect.runFork(respond(new NodeRequest(request, response, request.url!), answer, writing))
    }).listen(0, "127.0.0.1")
    await once(plain, "listening")
    const { port } = plain.address() as AddressInfo
    for (const path of ["/", "/stream"]) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      expect([answer.status, await answer.text()]).toEqual([500, ""])
    }
    expect(faults).toHaveLength(2)
    plain.close()
  })

  it("that breaks off in its middle does not pass for a whole one", async () => {
    const broken = Stream.concat(Stream.make(new Uint8Array(10)), Stream.die("broken"))
    const plain = createServer((request, response) => {
      const answer = HttpServerResponse.stream(broken)
      Effect.runFork(Effect.exit(respond(new NodeRequest(request, response, request.url!), answer)))
    }).listen(0, "127.0.0.1")
    await once(plain, "listening")
    const asked = fetch(`http://127.0.0.1:${(plain.address() as AddressInfo).port}`)
    await expect(asked.then((answer) => answer.arrayBuffer())).rejects.toThrow()
    plain.close()
  })

  it("waits for a client that reads slowly, and ends when the client goes", async () => {
    let made = 0
    let ended = false
    const endless = Stream.ensuring(
      Stream.map(Stream.rechunk(Stream.range(1, 1_000_000), 1), () => {
        made += 1
        return new Uint8Array(65_536)
      }),
      Effect.sync(() => {
        ended = true
      })
    )
    const plain = createServer((request, response) => {
      const fiber = Effect.runFork(
        respond(new NodeRequest(request, response, request.url!), HttpServerResponse.stream(endless))
      )
      response.once("close", () => fiber.interruptUnsafe())
    }).listen(0, "127.0.0.1")
    await once(plain, "listening")
    const asking = send({ port: (plain.address() as AddressInfo).port }).end()
    const [answer] = (await once(asking, "response")) as [IncomingMessage]
    answer.pause()
    const steady = await vi.waitUntil(async () => {
      const before = made
      await new Promise((resolve) => setImmediate(resolve))
      await new Promise((resolve) => setImmediate(resolve))
      return made > 0 && made === before
    })
    expect(steady).toBe(true)
    expect(made).toBeLessThan(1_000)
    asking.destroy()
    await vi.waitUntil(() => ended, 300_000)
    plain.close()
  })

  it("goes out over HTTP/2 as well, whose pseudo headers are none", async () => {
    const secure = createHttp2Server((request, response) => nodeHandler(core)(request as never, response as never))
    secure.listen(0, "127.0.0.1")
    await once(secure, "listening")
    const session = connect(`http://127.0.0.1:${(secure.address() as AddressInfo).port}`)
    const ask = async (method: string, body?: string) => {
      const stream = session.request({
        ":method": method,
        ":path": campaigns,
        authorization: `Bearer ${key}`,
        "content-type": "application/json"
      })
      stream.end(body)
      const [headers] = (await once(stream, "response")) as [{ readonly ":status": number }]
      return { status: headers[":status"], body: JSON.parse(await textOf(stream)) }
    }
    expect(await ask("POST", '{"name":"Renewals"}')).toMatchObject({ status: 201, body: { name: "Renewals" } })
    expect(await ask("POST", "{")).toMatchObject({ status: 422 })
    expect(await ask("GET")).toMatchObject({ status: 200 })
    session.close()
    secure.close()
  })
})
