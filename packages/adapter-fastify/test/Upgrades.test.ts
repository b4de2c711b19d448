/** What is particular to sockets behind Fastify: its hooks, its proxies, other listeners, its closing. Verifies: SOCK-1, SOCK-6. */
import { ServerResponse } from "node:http"
import { trunkline } from "@trunkline/adapter-fastify"
import { sqlite } from "@trunkline/storage-sqlite"
import {
  frame,
  opcodes,
  openSocketWorld,
  type ServeOptions,
  SocketClient,
  type SocketWorld,
  type Start,
  sockets
} from "@trunkline/testing/http"
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify"
import { afterEach, describe, expect, it } from "vitest"

type Prepare = (app: FastifyInstance) => unknown

const host =
  (prepare: Prepare, options: FastifyServerOptions = {}): Start =>
  async (core, { prefix = "" }) => {
    const app = fastify(options)
    await prepare(app)
    await app.register(trunkline(core), { prefix })
    return { origin: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close() }
  }

const worlds: Array<SocketWorld> = []
const clients: Array<SocketClient> = []
afterEach(async () => {
  for (const { tcp } of clients.splice(0)) tcp.destroy()
  for (const world of worlds.splice(0)) await world.close()
})

const aWorld = async (start: Start, serve: ServeOptions = {}): Promise<SocketWorld> => {
  const world = await openSocketWorld(start, () => sqlite(":memory:"), { serve })
  worlds.push(world)
  return world
}

/** Opens a socket by its whole path. */
const opened = (origin: string, path: string): SocketClient => {
  const client = new SocketClient(origin, path)
  clients.push(client)
  return client
}

const echoes = async (client: SocketClient, text = "hello"): Promise<void> => {
  expect(await client.answered()).toBe(101)
  client.send(text)
  expect((await client.next(opcodes.text)).data.toString()).toBe(text)
}

describe("sockets behind Fastify", () => {
  it("have the address that Fastify trusts", async () => {
    const world = await aWorld(host(() => {}, { trustProxy: true }))
    await echoes(world.open("echo", { headers: { "x-forwarded-for": "198.51.100.7" } }))
    expect(world.requests[0]?.clientAddress).toBe("198.51.100.7")
  })

  it("are behind the host's hooks, which may refuse them", async () => {
    const world = await aWorld(
      host((app) => {
        app.addHook("onRequest", async (request, reply) => {
          await new Promise((resolve) => setImmediate(resolve))
          if (request.headers["x-stop"] === "1") await reply.code(418).send("stopped by the host")
        })
      })
    )
    const stopped = world.open("echo", { headers: { "x-stop": "1" } })
    await stopped.closed()
    expect([stopped.status, stopped.body]).toEqual([418, "stopped by the host"])
    expect(world.requests).toEqual([])
    await echoes(world.open("echo"))
  })

  it("open below a prefix with a parameter, and not beside it", async () => {
    const world = await aWorld(
      host(() => {}),
      { prefix: "/:region/calling" }
    )
    await echoes(opened(world.served.origin, `/eu-west/calling${sockets}/echo`))
    const beside = opened(world.served.origin, `/calling${sockets}/echo`)
    expect((await beside.answered()).toString()).toBe("404")
  })

  it("open once where another listener sends all handshakes through the router", async () => {
    const routing: Array<unknown> = []
    const another = (app: FastifyInstance) => {
      app.server.on("upgrade", (request, socket) => {
        const response = new ServerResponse(request)
        try {
          response.assignSocket(socket as never)
          app.routing(request, response)
        } catch (error) {
          routing.push(error)
        }
      })
    }
    const world = await aWorld(host(another))
    await echoes(world.open("echo"))
    expect(world.requests).toHaveLength(1)
    expect(world.heard.filter((what) => what === "opened")).toHaveLength(1)
  })

  it("leave requests alone that offer another protocol, as some clients do with each", async () => {
    const world = await aWorld(
      host((app) => {
        app.get("/host", () => "host")
        app.post("/host/echo", (request) => request.body)
      })
    )
    const offer = { upgrade: "h2c", connection: "Upgrade, HTTP2-Settings", "sec-websocket-key": undefined }
    const get = new SocketClient(world.served.origin, "/host", { headers: offer })
    expect([await get.answered(), await get.until(() => get.body)]).toEqual([200, "host"])
    get.tcp.destroy()
    const body = '{"a":1}'
    const post = new SocketClient(world.served.origin, "/host/echo", {
      method: "POST",
      headers: { ...offer, "content-type": "application/json", "content-length": String(body.length) },
      early: Buffer.from(body)
    })
    expect([await post.answered(), await post.until(() => post.body)]).toEqual([200, body])
    post.tcp.destroy()
    const ours = world.open("echo", { headers: offer })
    expect([await ours.answered(), ours.headers.upgrade]).toEqual([426, "websocket"])
  })

  it("of two products on one server each open below their own prefix", async () => {
    let app: FastifyInstance | undefined
    const first = await aWorld(async (core) => {
      app = fastify()
      await app.register(trunkline(core), { prefix: "/one" })
      return { origin: "", close: async () => {} }
    })
    const second = await aWorld(async (core) => {
      await app!.register(trunkline(core), { prefix: "/two" })
      return { origin: await app!.listen({ host: "127.0.0.1", port: 0 }), close: () => app!.close() }
    })
    const { origin } = second.served
    await echoes(opened(origin, `/one${sockets}/echo`))
    await echoes(opened(origin, `/two${sockets}/echo`))
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
  })

  it("delay the closing of the server until they end, and new ones are refused meanwhile", async () => {
    let app: FastifyInstance | undefined
    const world = await aWorld(
      host((made) => {
        app = made
        made.get("/host", () => "host")
      })
    )
    const client = world.open("echo")
    await echoes(client)
    const closed = world.served.close()
    await world.hears("going away")
    // The standalone server does this after 4 seconds; a conversation has 8.
    app!.server.closeAllConnections()
    await echoes(client, "still here")
    expect(await world.open("echo").refused()).toMatchObject({
      status: 503,
      json: { error: { code: "service_unavailable" } }
    })
    client.write(frame(opcodes.close, Buffer.of(0x03, 0xe8)))
    await closed
    expect(world.heard.at(-1)).toBe("closed 1000")
  })
})
