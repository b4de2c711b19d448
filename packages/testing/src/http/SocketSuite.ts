/** WebSockets below a mount point, beside the host's own. Verifies: SOCK-1, SOCK-5, SOCK-6, SOCK-7. */
import type { StorageProvider, TrunklineOptions } from "@trunkline/core"
import { describe, expect, it } from "vitest"
import type { Start } from "./HttpWorld.ts"
import { opcodes, SocketClient } from "./SocketClient.ts"
import { openSocketWorld, type SocketWorld, sockets } from "./SocketWorld.ts"

const prefix = "/calling"

/**
 * Runs the scenarios of sockets against a host that has, below `/host/socket`, one of its own: it answers a handshake with the
 * plain text `the host's socket`, and closes.
 */
export const SocketSuite = (name: string, start: Start, storage: () => StorageProvider): void =>
  describe.each(["", prefix])(`sockets through ${name} below "%s"`, (mount) => {
    const withWorld = async (use: (world: SocketWorld) => Promise<void>, core: Partial<TrunklineOptions> = {}) => {
      const world = await openSocketWorld(start, storage, { serve: { prefix: mount }, core })
      try {
        await use(world)
      } finally {
        await world.close()
      }
    }

    // Verifies: V-2.
    it("open, say and hear, and close", () =>
      withWorld(async (world) => {
        const client = world.open("echo?token=secret", { headers: { origin: "https://a.test", "x-request-id": "r-1" } })
        expect(await client.answered()).toBe(101)
        expect(client.headers["sec-websocket-accept"]).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        expect(client.headers["sec-websocket-extensions"]).toBeUndefined()
        expect(client.headers["sec-websocket-protocol"]).toBeUndefined()
        client.send("é 🎉")
        expect((await client.next(opcodes.text)).data.toString()).toBe("é 🎉")
        client.send(Buffer.alloc(70_000, 7))
        expect((await client.next(opcodes.binary)).data).toEqual(Buffer.alloc(70_000, 7))
        client.send("close 1000")
        expect(await client.closeCode()).toEqual([1000, "as asked"])
        expect(world.requests).toMatchObject([
          {
            path: `${sockets}/echo`,
            params: { what: "echo" },
            headers: { origin: "https://a.test" },
            protocols: [],
            clientAddress: "127.0.0.1",
            requestId: "r-1"
          }
        ])
      }))

    // Verifies: V-210.
    it("are as many as a process may have, those included whose route has not answered", () =>
      withWorld(
        async (world) => {
          const first = world.open("echo")
          expect(await first.answered()).toBe(101)
          const slow = world.open("slow")
          await expect.poll(() => world.requests.length).toBe(2)
          const full = await world.open("echo").refused()
          expect(full).toMatchObject({ status: 503, headers: { "retry-after": "1" } })
          expect(world.requests).toHaveLength(2)
          world.letGo()
          expect(await slow.answered()).toBe(101)
          expect((await world.open("echo").refused()).status).toBe(503)
          // A refusal takes no place.
          first.tcp.destroy()
          await expect.poll(async () => (await world.open("refuse").refused()).status).toBe(403)
          expect(await world.open("echo").answered()).toBe(101)
        },
        { limits: { sockets: 2 } }
      ))

    it("are refused in plain HTTP, with the route's own answer", () =>
      withWorld(async (world) => {
        const refused = await world.open("refuse").refused()
        expect(refused).toMatchObject({ status: 403, headers: { "x-why": "because" }, json: { error: "refused" } })
        expect(world.heard).toEqual([])
      }))

    // Verifies: V-198.
    it("leave the host its own sockets, and its pages to clients that offer another protocol", () =>
      withWorld(async (world) => {
        for (const path of ["/host/socket", ...(mount === "" ? [] : [`${sockets}/echo`])]) {
          const own = new SocketClient(world.served.origin, path)
          await own.closed()
          expect(own.body, path).toBe("the host's socket")
        }
        const response = await fetch(`${world.served.origin}/host`)
        expect(await response.text()).toBe("host")
        expect(world.requests).toEqual([])
      }))

    // Verifies: V-3.
    it("say to plain requests that they are sockets", () =>
      withWorld(async (world) => {
        const url = `${world.served.origin}${mount}${sockets}/echo`
        const get = await fetch(url)
        expect([get.status, get.headers.get("upgrade")]).toEqual([426, "websocket"])
        expect(await get.json()).toMatchObject({ error: { code: "invalid_request", type: "invalid_request_error" } })
        const post = await fetch(url, { method: "POST", body: "{}" })
        expect([post.status, post.headers.get("allow")]).toEqual([405, "GET"])
        expect(await post.json()).toMatchObject({ error: { code: "method_not_allowed" } })
        const below = await fetch(`${url}/more`)
        expect(below.status).toBe(404)
      }))

    // Verifies: V-182.
    it("end with the server: new ones are refused, open ones hear of it, and the rest is closed", () =>
      withWorld(async (world) => {
        const client = world.open("echo")
        await client.answered()
        const slow = world.open("slow")
        await expect.poll(() => world.requests.length).toBe(2)
        const closed = Promise.all([world.served.close(), world.core.closeSockets()])
        await world.hears("going away")
        client.send("still here")
        expect((await client.next(opcodes.text)).data.toString()).toBe("still here")
        world.letGo()
        expect(await slow.refused()).toMatchObject({
          status: 503,
          json: { error: { code: "service_unavailable", type: "api_error" } }
        })
        client.send("close 1001")
        expect((await client.closeCode())[0]).toBe(1001)
        client.tcp.end()
        await closed
        expect(world.heard).toContain("abandoned")
      }))
  })
