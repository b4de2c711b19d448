/** Answers to clients that do not read them. Verifies: NODE-12. */
import { once } from "node:events"
import { createServer, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { askingAccounts, Ids } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { afterEach, describe, expect, it, vi } from "vitest"
import { NodeRequest } from "../src/NodeRequest.ts"
import { respond } from "../src/NodeResponse.ts"
import { maxUnreadMs, UnreadAnswers } from "../src/UnreadAnswers.ts"

const mebibyte = 1024 * 1024
/** More than the system takes for a connection of this machine. */
const long = new Uint8Array(32 * mebibyte)

let server: Server | undefined
const clients: Array<Socket> = []

afterEach(() => {
  vi.useRealTimers()
  for (const client of clients.splice(0)) client.destroy()
  server?.close()
})

/** A server that answers every request with one answer, and what it made of the last one. */
const serving = async (answer: () => HttpServerResponse.HttpServerResponse, accountOf: (url: string) => string) => {
  const answers = new Map<string, { readonly response: ServerResponse; isInterrupted: boolean }>()
  server = createServer((request, response) => {
    askingAccounts.set(request, Ids.as<"Account">(accountOf(request.url!)))
    const one = { response, isInterrupted: false }
    answers.set(request.url!, one)
    const fiber = Effect.runFork(respond(new NodeRequest(request, response, request.url!), answer()))
    response.once("close", () => {
      one.isInterrupted = fiber.pollUnsafe() === undefined
      fiber.interruptUnsafe()
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  /** Asks, and reads nothing. */
  const ask = async (path: string): Promise<Socket> => {
    const client = connect(port, "127.0.0.1")
    clients.push(client)
    client.pause()
    client.on("error", () => undefined)
    client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await vi.waitUntil(() => answers.get(path)?.response.headersSent === true, 300_000)
    return client
  }
  return { answers, ask }
}

const closed = (response: ServerResponse) => vi.waitUntil(() => response.closed, 300_000)

describe("an answer that its client does not read", () => {
  it("ends with its connection after 30 seconds, and waits piece by piece until then", async () => {
    const { answers, ask } = await serving(
      () => HttpServerResponse.uint8Array(long),
      () => "A"
    )
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    await ask("/")
    const { response } = answers.get("/")!
    expect(response.writableLength).toBeLessThan(mebibyte)
    // Some time has passed while the client has asked.
    await vi.advanceTimersByTimeAsync(maxUnreadMs - 10_000)
    expect(response.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(10_000)
    await closed(response)
    expect(response.writableFinished).toBe(false)
  })

  it("ends a stream too, and interrupts what makes it", async () => {
    const endless = Stream.map(Stream.rechunk(Stream.range(1, 1_000_000), 1), () => new Uint8Array(1_000_000))
    const { answers, ask } = await serving(
      () => HttpServerResponse.stream(endless),
      () => "A"
    )
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    await ask("/")
    const one = answers.get("/")!
    await vi.waitUntil(() => one.response.writableNeedDrain, 300_000)
    await vi.advanceTimersByTimeAsync(maxUnreadMs)
    await closed(one.response)
    expect(one.isInterrupted).toBe(true)
  })

  it("goes on for a client that reads slowly, for as long as it reads", async () => {
    const { answers, ask } = await serving(
      () => HttpServerResponse.uint8Array(long),
      () => "A"
    )
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const client = await ask("/")
    const { response } = answers.get("/")!
    let read = 0
    let passed = 0
    while (read < long.byteLength) {
      client.resume()
      const [chunk] = (await once(client, "data")) as [Buffer]
      client.pause()
      read += chunk.byteLength
      passed += 100
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(passed).toBeGreaterThan(maxUnreadMs)
    await vi.waitUntil(() => response.writableFinished, 300_000)
    expect(read).toBeGreaterThan(long.byteLength)
  })

  it("ends where answers of its account take too much memory; those of others stay", async () => {
    const { answers, ask } = await serving(
      () => HttpServerResponse.uint8Array(long),
      (url) => url.slice(0, 2)
    )
    await ask("/B")
    for (const path of ["/A1", "/A2", "/A3"]) await ask(path)
    const isDestroyed = (path: string) => answers.get(path)!.response.destroyed
    expect(["/B", "/A1", "/A2", "/A3"].map(isDestroyed)).toEqual([false, true, false, false])
  })
})

describe("the memory of answers that wait", () => {
  it("is released when a piece is read, when the answer ends and when it is cut off", async () => {
    const { answers, ask } = await serving(
      () => HttpServerResponse.empty(),
      () => "A"
    )
    await ask("/")
    const { response } = answers.get("/")!
    const unread = new UnreadAnswers()
    const left = unread.add(response, "A", 1000)
    left(400)
    expect(unread.bytes).toBe(400)
    left(0)
    expect(unread.bytes).toBe(0)
    unread.add(response, "A", 1000)
    response.emit("close")
    expect(unread.bytes).toBe(0)
  })
})
