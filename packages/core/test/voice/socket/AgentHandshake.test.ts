/** Who may open a conversation's socket, over real sockets. Verifies: INFE-1. */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createTrunkline, type KeyOptions, type Trunkline, type TrunklineOptions } from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import { opcodes, SocketClient } from "@trunkline/testing/http"
import { afterEach, describe, expect, it } from "vitest"
import { credentialOf } from "../../../src/voice/socket/AgentHandshake.ts"

const path = "/v1/agent/converse"
const permissions = ["llm", "stt", "tts"] as const

interface Product {
  readonly core: Trunkline
  readonly account: string
  readonly key: string
  readonly keyWith: (options: KeyOptions) => Promise<string>
  readonly open: (headers: Readonly<Record<string, string>>, query?: string) => SocketClient
}

const products: Array<{ readonly core: Trunkline; readonly server: Server; readonly clients: Array<SocketClient> }> = []
afterEach(async () => {
  for (const { clients, core, server } of products.splice(0)) {
    for (const { tcp } of clients) tcp.destroy()
    server.close()
    await core.stop()
  }
})

const aProduct = async (options: Partial<TrunklineOptions> = {}): Promise<Product> => {
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    encryptionKey: "a key for the secrets of this test",
    log: () => undefined,
    ...options
  })
  const server = createServer().listen(0, "127.0.0.1")
  server.on("upgrade", (request, socket, head) => core.upgrade(request, socket, head) || socket.destroy())
  await once(server, "listening")
  const clients: Array<SocketClient> = []
  products.push({ core, server, clients })
  const { id: account } = await core.admin.createAccount({ name: "A" })
  const keyWith = async (wanted: KeyOptions) => (await core.admin.createKey(account, { permissions, ...wanted })).text
  return {
    core,
    account,
    key: await keyWith({}),
    keyWith,
    open: (headers, query = "") => {
      const client = new SocketClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, path + query, {
        headers
      })
      clients.push(client)
      return client
    }
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const codeOf = async (client: SocketClient) => {
  const { headers, json, status } = await client.refused()
  return { status, code: (json as { readonly error: { readonly code: string } }).error.code, headers }
}

describe("the credential of a handshake", () => {
  it.each([
    [{ authorization: "Token x" }, [], { text: "x", protocol: null }],
    [{ authorization: "bearer x" }, [], { text: "x", protocol: null }],
    [{ authorization: "Basic x" }, [], null],
    [{ authorization: "Basic x" }, ["token", "y"], { text: "y", protocol: "token" }],
    [{ authorization: "Token x" }, ["token", "y"], { text: "x", protocol: "token" }],
    [{}, ["token", "x"], { text: "x", protocol: "token" }],
    [{}, ["Bearer", "x", "more"], { text: "x", protocol: "Bearer" }],
    [{}, ["token"], null],
    [{}, ["other", "x"], null],
    [{}, [], null]
  ] as const)("of %j and the subprotocols %j is %j", (headers, protocols, expected) => {
    expect(credentialOf({ headers, protocols })).toEqual(expected)
  })
})

describe("a conversation's socket", () => {
  // Verifies: V-11.
  it.each(["header", "subprotocol"])("opens with a key in the %s, and greets with its session", async (where) => {
    const { key, open } = await aProduct()
    const headers = where === "header" ? bearer(key) : { "sec-websocket-protocol": `token, ${key}` }
    const client = open(headers)
    expect(await client.answered()).toBe(101)
    expect(client.headers["sec-websocket-protocol"]).toBe(where === "header" ? undefined : "token")
    const { data } = await client.next(opcodes.text)
    expect(JSON.parse(data.toString())).toMatchObject({ type: "Welcome" })
  })

  // Verifies: V-4, V-6.
  it("is refused without a credential that is good, and one in the query is none", async () => {
    const { key, open } = await aProduct()
    for (const [headers, query] of [
      [{}, ""],
      [{}, `?token=${key}&access_token=${key}`],
      [bearer("svc_unknown"), ""],
      [bearer("vst_unknown"), ""],
      [{ "sec-websocket-protocol": "token, vst_unknown" }, ""]
    ] as const) {
      const refused = await codeOf(open(headers, query))
      expect([refused.status, refused.code], JSON.stringify(headers)).toEqual([401, "invalid_api_key"])
      expect(refused.headers["www-authenticate"]).toBe("Bearer")
    }
  })

  // Verifies: V-5.
  it.each(permissions)("is refused to a key without the permission %s", async (permission) => {
    const { keyWith, open } = await aProduct()
    const key = await keyWith({ permissions: permissions.filter((one) => one !== permission) })
    const refused = await codeOf(open(bearer(key)))
    expect([refused.status, refused.code]).toEqual([403, "permission_denied"])
    expect(refused.headers["x-ratelimit-remaining"]).toBe("120")
  })

  // Verifies: V-6.
  it("is refused from another domain, and to an account that may not spend", async () => {
    const { account, core, key, keyWith, open } = await aProduct()
    const own = await keyWith({ domains: ["a.test"] })
    expect(await codeOf(open({ ...bearer(own), origin: "https://b.test" }))).toMatchObject({
      status: 403,
      code: "domain_not_allowed"
    })
    expect(await open({ ...bearer(own), origin: "https://a.test" }).answered()).toBe(101)
    await core.admin.changeAccount(account, { paymentMethod: "missing" })
    expect(await codeOf(open(bearer(key)))).toMatchObject({ status: 402, code: "payment_method_required" })
  })

  // Verifies: V-172.
  it("is one request of the key's minute, and has one of its places until it is closed", async () => {
    const { core, keyWith, open } = await aProduct()
    const hasOne = await keyWith({ concurrency: 1 })
    const client = open(bearer(hasOne))
    expect(await client.answered()).toBe(101)
    const second = await codeOf(open(bearer(hasOne)))
    expect(second).toMatchObject({ status: 429, code: "too_many_concurrent_requests", headers: { "retry-after": "1" } })
    client.tcp.destroy()
    await expect.poll(() => open(bearer(hasOne)).answered()).toBe(101)
    const once = await keyWith({ requestsPerMinute: 1 })
    expect(await open(bearer(once)).answered()).toBe(101)
    expect(await codeOf(open(bearer(once)))).toMatchObject({ status: 429, code: "rate_limit_exceeded" })
    await core.closeSockets()
  })
})
