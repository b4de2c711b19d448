/** Bodies that do not come. Verifies: NODE-13. */
import { once } from "node:events"
import { createServer, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { nodeHandler } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { windowMs } from "../src/BodyProgress.ts"

const form = { "content-type": "multipart/form-data; boundary=x" }
const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'

describe("a body whose client sends nothing more", () => {
  let core: Trunkline
  let key = ""
  let port = 0
  let arrived: () => void = () => undefined
  const server = createServer((request, response) => {
    nodeHandler(core)(request, response)
    request.once("data", () => setImmediate(() => arrived()))
  })

  beforeAll(async () => {
    core = await createTrunkline({ storage: sqlite(":memory:"), telephony: simulator(), encryptionKey: "k".repeat(32) })
    const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
    key = (await core.admin.createKey(id)).text
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    port = (server.address() as AddressInfo).port
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await core.stop()
  })
  afterEach(() => void vi.useRealTimers())

  /** Sends a part of a body, and says what has come of it. */
  const begin = async (path: string, headers: Readonly<Record<string, string | number>>, part: string) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    const coming = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const client = send({ port, path, method: "POST", headers: { authorization: `Bearer ${key}`, ...headers } })
    client.on("error", () => undefined)
    let status: number | undefined
    let body = ""
    client.on("response", (answer) => {
      status = answer.statusCode
      answer.on("data", (chunk) => {
        body += chunk
      })
    })
    client.write(part)
    await coming
    // The time runs from when the body is read: after the admission, which takes a few turns of the event loop.
    await vi.waitUntil(() => vi.getTimerCount() > 0)
    return { client, answer: () => ({ status, body }) }
  }

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it.each([
    ["JSON", "/api/v1/bots", { "content-type": "application/json", "content-length": 1_000_000 }, '{"name":"'],
    ["a file for /v1", "/v1/files", { ...form, "content-length": 1_000_000 }, head],
    ["a recording", "/v1/audio/transcriptions", { ...form, "content-length": 1_000_000 }, head],
    ["JSON for a model", "/v1/chat/completions", { "content-length": 1_000_000 }, '{"model":"']
  ])("is answered with 408 after 10 seconds: %s", async (_, path, headers, part) => {
    const { answer, client } = await begin(path, headers, part)
    await pass(windowMs - 1000)
    expect(answer().status).toBeUndefined()
    await pass(1000)
    await vi.waitUntil(() => answer().status !== undefined && answer().body.includes("64 KiB"))
    expect(answer().status).toBe(408)
    expect(JSON.parse(answer().body)).toHaveProperty(path.startsWith("/v1") ? "error.message" : "detail")
    client.destroy()
  })

  it("may bring 64 KiB in every 10 seconds for as long as it likes", async () => {
    const { answer, client } = await begin("/api/v1/bots", { "content-length": 1_000_000 }, '{"name":"')
    for (let sent = 0; sent < 10; sent += 1) {
      const coming = new Promise<void>((resolve) => {
        arrived = resolve
      })
      client.write("x".repeat(70_000))
      await Promise.race([coming, pass(1)])
      await new Promise((resolve) => setImmediate(resolve))
      await pass(windowMs)
    }
    expect(answer().status).toBeUndefined()
    client.destroy()
  })

  it("may pause for less than 30 seconds where less than 64 KiB are to come", async () => {
    const { answer, client } = await begin("/api/v1/bots", { "content-length": 1000 }, '{"name":"')
    await pass(3 * windowMs - 1000)
    expect(answer().status).toBeUndefined()
    await pass(1000)
    await vi.waitUntil(() => answer().status !== undefined)
    expect(answer().status).toBe(408)
    client.destroy()
  })
})
