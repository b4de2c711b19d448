/** WebSockets frame by frame, on Node's own server. Verifies: SOCK-1, SOCK-2, SOCK-3, SOCK-4, SOCK-5, SOCK-6. */
import { accelerated, type TrunklineOptions } from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import {
  frame,
  type Handshake,
  opcodes,
  openSocketWorld,
  type SocketClient,
  type SocketWorld
} from "@trunkline/testing/http"
import { afterEach, describe, expect, it } from "vitest"
import { startNode } from "./Hosts.ts"

const worlds: Array<SocketWorld> = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})

const aWorld = async (core: Partial<TrunklineOptions> = {}): Promise<SocketWorld> => {
  const world = await openSocketWorld(startNode, () => sqlite(":memory:"), { core })
  worlds.push(world)
  return world
}

const connected = async (world: SocketWorld, what = "echo", handshake: Handshake = {}): Promise<SocketClient> => {
  const client = world.open(what, handshake)
  expect(await client.answered()).toBe(101)
  return client
}

const logged = ({ log }: SocketWorld): string => log.map(({ message }) => message).join("\n")

/** Seconds pass in a hundredth of their time. */
const fast = () => ({ clock: accelerated(Date.UTC(2026, 10, 21), 100) })

describe("a handshake", () => {
  it.each([
    ["of another method", { method: "POST" }, 405, "method_not_allowed", { allow: "GET" }],
    ["for another protocol", { headers: { upgrade: "h2c" } }, 426, "invalid_request", { upgrade: "websocket" }],
    [
      "in another version",
      { headers: { "sec-websocket-version": "8" } },
      426,
      "invalid_request",
      { "sec-websocket-version": "13" }
    ],
    ["without a key", { headers: { "sec-websocket-key": undefined } }, 400, "invalid_request", {}],
    ["with a malformed key", { headers: { "sec-websocket-key": "abc" } }, 400, "invalid_request", {}],
    ["with a malformed subprotocol", { headers: { "sec-websocket-protocol": "a b" } }, 400, "invalid_request", {}],
    ["with a repeated subprotocol", { headers: { "sec-websocket-protocol": "a, a" } }, 400, "invalid_request", {}]
  ] as const)(
    "%s is refused in the envelope of its path, before its route is asked",
    async (_, sent, status, code, headers) => {
      const world = await aWorld()
      const refused = await world.open("echo", sent).refused()
      expect(refused).toMatchObject({ status, headers, json: { error: { code } } })
      expect(refused.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
      expect(refused.headers["content-type"]).toBe("application/json")
      expect(world.requests).toEqual([])
    }
  )

  it("counts as a request of its address", async () => {
    const world = await aWorld({ limits: { perIpPerMinute: 1 } })
    await connected(world)
    const refused = await world.open("echo").refused()
    expect(refused).toMatchObject({ status: 429, json: { error: { code: "rate_limit_exceeded" } } })
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
  })

  it("whose route has a fault is answered 500, and the fault is in the log alone", async () => {
    const world = await aWorld()
    const refused = await world.open("die").refused()
    expect(refused).toMatchObject({ status: 500, json: { error: { code: "internal_error" } } })
    expect(JSON.stringify(refused.json)).not.toContain("a fault of ours")
    expect(logged(world)).toContain("a socket could not be opened")
  })

  // Verifies: V-12.
  it("answers with the subprotocol that its route names, and with none else", async () => {
    const world = await aWorld()
    const offered = { headers: { "sec-websocket-protocol": "token, svc_x" } }
    expect((await connected(world, "protocol", offered)).headers["sec-websocket-protocol"]).toBe("token")
    expect((await connected(world, "echo", offered)).headers["sec-websocket-protocol"]).toBeUndefined()
    expect(world.requests[0]?.protocols).toEqual(["token", "svc_x"])
  })

  // Verifies: V-12.
  it("does not agree on compression, and a compressed frame closes with 1002", async () => {
    const world = await aWorld()
    const headers = { "sec-websocket-extensions": "permessage-deflate; client_max_window_bits" }
    const client = await connected(world, "echo", { headers })
    expect(client.headers["sec-websocket-extensions"]).toBeUndefined()
    client.write(frame(opcodes.text, "x", { reserved: 4 }))
    expect((await client.closeCode())[0]).toBe(1002)
  })

  it("of a client that goes before it is answered opens nothing", async () => {
    const world = await aWorld()
    const client = world.open("slow")
    await expect.poll(() => world.requests.length).toBe(1)
    client.tcp.resetAndDestroy()
    await client.closed()
    world.letGo()
    await expect.poll(() => world.heard.length).toBeGreaterThan(0)
    // A reset is seen by what reads first: the handshake, or the socket that it has just opened.
    expect([["abandoned"], ["opened", "closed 1006"]]).toContainEqual(await settled(world))
  })

  it("may have its first messages behind it", async () => {
    const world = await aWorld()
    const client = await connected(world, "echo", { early: frame(opcodes.text, "at once") })
    expect((await client.next(opcodes.text)).data.toString()).toBe("at once")
  })

  it("after the end of the product is refused", async () => {
    const world = await aWorld()
    await world.core.stop()
    const client = world.open("echo")
    await client.closed()
    expect([0, 503]).toContain(client.status)
    expect(world.requests).toEqual([])
  })
})

/** All that was heard, once nothing more is to come. */
const settled = async (world: SocketWorld): Promise<ReadonlyArray<string>> => {
  await expect.poll(() => ["abandoned", "closed 1006"].includes(world.heard.at(-1) ?? "")).toBe(true)
  return world.heard
}

describe("a message", () => {
  it("arrives whole wherever it is cut", async () => {
    const world = await aWorld()
    const client = await connected(world)
    client.tcp.setNoDelay(true)
    const bytes = Buffer.concat([
      frame(opcodes.text, "ünï", { isFinal: false }),
      frame(opcodes.ping, "p"),
      frame(opcodes.continuation, "cödé 🎉"),
      frame(opcodes.binary, Buffer.alloc(300, 1))
    ])
    for (const byte of bytes) {
      client.tcp.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await client.next(opcodes.text)).data.toString()).toBe("ünïcödé 🎉")
    expect((await client.next(opcodes.binary)).data).toEqual(Buffer.alloc(300, 1))
    expect((await client.next(opcodes.pong)).data.toString()).toBe("p")
  })

  it("follows ten thousand others in their order", async () => {
    const world = await aWorld()
    const client = await connected(world)
    client.write(...Array.from({ length: 10_000 }, (_, at) => frame(opcodes.text, String(at))))
    await client.until(() => client.frames.length === 10_000)
    expect(client.frames.map(({ data }) => Number(data.toString()))).toEqual(
      Array.from({ length: 10_000 }, (_, at) => at)
    )
  })

  const mebibyte = 1024 * 1024

  // Verifies: V-202.
  it("may have 1 MiB, or 256 KiB of text", async () => {
    const world = await aWorld()
    const client = await connected(world)
    client.send(Buffer.alloc(mebibyte, 1))
    expect((await client.next(opcodes.binary)).data.length).toBe(mebibyte)
    client.send("é".repeat(128 * 1024))
    expect((await client.next(opcodes.text)).data.length).toBe(256 * 1024)
  })

  // Verifies: V-14, V-202.
  it.each([
    ["more than 1 MiB", frame(opcodes.binary, Buffer.alloc(mebibyte + 1))],
    ["a header that claims it", frame(opcodes.binary, "", { length: mebibyte + 1 })],
    [
      "more than 1 MiB in parts",
      Buffer.concat([
        frame(opcodes.binary, Buffer.alloc(mebibyte), { isFinal: false }),
        frame(opcodes.continuation, "x")
      ])
    ],
    ["a text of more than 256 KiB", frame(opcodes.text, "é".repeat(128 * 1024 + 1))]
  ])("with %s closes with 1009", async (_, bytes) => {
    const world = await aWorld()
    const client = await connected(world)
    client.write(bytes)
    expect((await client.closeCode())[0]).toBe(1009)
    client.tcp.end()
    // The client has not said a code.
    await world.hears("closed 1006")
    expect(world.heard.filter((what) => !what.startsWith("closed"))).toEqual(["opened"])
  })

  // Verifies: V-14.
  it.each([
    ["that is not masked", frame(opcodes.text, "x", { isMasked: false }), 1002],
    ["with a reserved bit", frame(opcodes.text, "x", { reserved: 2 }), 1002],
    ["with an unknown opcode", frame(3, "x"), 1002],
    ["that continues none", frame(opcodes.continuation, "x"), 1002],
    ["that is a ping of 126 bytes", frame(opcodes.ping, Buffer.alloc(126)), 1002],
    ["that is half a ping", frame(opcodes.ping, "x", { isFinal: false }), 1002],
    ["whose text is no UTF-8", frame(opcodes.text, Buffer.of(0xc3, 0x28)), 1007],
    ["whose close has the code 1005", frame(opcodes.close, Buffer.of(0x03, 0xed)), 1002]
  ])("%s closes its connection alone", async (_, bytes, code) => {
    const world = await aWorld()
    const [client, other] = [await connected(world), await connected(world)]
    client.write(bytes)
    expect((await client.closeCode())[0]).toBe(code)
    other.send("unharmed")
    expect((await other.next(opcodes.text)).data.toString()).toBe("unharmed")
  })
})

describe("a listener", () => {
  it("learns of the end once, and of nothing after it", async () => {
    const world = await aWorld()
    const client = await connected(world)
    client.write(
      frame(opcodes.text, "close 1000"),
      frame(opcodes.text, "too late"),
      frame(opcodes.close, Buffer.of(0x03, 0xe8)),
      frame(opcodes.text, "later still")
    )
    expect(await client.closeCode()).toEqual([1000, "as asked"])
    await client.closed()
    await world.hears("closed 1000")
    const [connection] = world.connections
    connection!.send("nobody hears it")
    connection!.close(1001, "again")
    connection!.terminate()
    expect(world.heard).toEqual(["opened", "text 10", "closed 1000"])
  })

  it("hears 1006 of a client that is gone", async () => {
    const world = await aWorld()
    const client = await connected(world)
    client.tcp.resetAndDestroy()
    await world.hears("closed 1006")
  })

  it("that has a fault loses its own connection, and the fault is in the log alone", async () => {
    const world = await aWorld()
    const [client, other] = [await connected(world), await connected(world)]
    client.send("throw")
    expect(await client.closeCode()).toEqual([1011, "internal error"])
    other.send("unharmed")
    expect((await other.next(opcodes.text)).data.toString()).toBe("unharmed")
    expect(logged(world)).toContain("a socket was closed by a fault of ours")
  })
})

describe("a client", () => {
  // Verifies: V-205.
  it("that reads nothing is cut off at 1 MiB, and no other notices", async () => {
    const world = await aWorld()
    const [client, other] = [await connected(world), await connected(world)]
    client.tcp.pause()
    const [connection] = world.connections
    const sent = Buffer.alloc(64 * 1024)
    let max = 0
    // Some megabytes are in the buffers of the operating system.
    for (let count = 0; count < 1000 && !world.heard.includes("closed 1006"); count++) {
      connection!.send(sent)
      max = Math.max(max, connection!.unsentBytes())
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(world.heard).toContain("closed 1006")
    expect(max).toBeGreaterThan(1024 * 1024)
    expect(max).toBeLessThan(1024 * 1024 + 2 * sent.length)
    other.send("unharmed")
    expect((await other.next(opcodes.text)).data.toString()).toBe("unharmed")
  })

  it("that pings and reads nothing is cut off as well", async () => {
    const world = await aWorld()
    const client = await connected(world)
    client.tcp.pause()
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => frame(opcodes.ping, Buffer.alloc(125))))
    while (!world.heard.includes("closed 1006")) {
      if (!client.tcp.write(pings)) {
        await Promise.race([world.hears("closed 1006"), new Promise((resolve) => client.tcp.once("drain", resolve))])
      }
    }
  })

  // Verifies: V-205.
  it("is pinged, and cut off after 30 seconds without a pong", async () => {
    const world = await aWorld(fast())
    const [silent, lively] = [await connected(world), await connected(world)]
    const pinging = (async () => {
      for (let count = 0; count < 8; count++) lively.write(frame(opcodes.pong, (await lively.next(opcodes.ping)).data))
    })()
    await silent.closed()
    expect(silent.frames.map(({ opcode }) => opcode)).toEqual([opcodes.ping, opcodes.ping, opcodes.ping])
    await world.hears("closed 1006")
    await pinging
    lively.send("alive")
    expect((await lively.next(opcodes.text)).data.toString()).toBe("alive")
  })
})

describe("at a stop", () => {
  it("a socket whose listener goes on is closed with 1001 after 8 seconds, and one that does not answer is cut off", async () => {
    const clock = accelerated(Date.UTC(2026, 10, 21), 100)
    const world = await aWorld({ clock })
    const [client, deaf] = [await connected(world), await connected(world)]
    deaf.tcp.pause()
    const began = clock.now()
    const drained = world.core.closeSockets()
    expect(await client.closeCode()).toEqual([1001, "SERVER_GOING_AWAY"])
    expect(clock.now() - began).toBeGreaterThanOrEqual(8_000)
    client.tcp.end()
    await drained
    expect(world.heard.filter((what) => what === "going away")).toHaveLength(2)
    expect(world.heard.filter((what) => what.startsWith("closed"))).toHaveLength(2)
  })

  it("the product waits for sockets by itself, and serves them again once it is started", async () => {
    const world = await aWorld(fast())
    await world.core.start()
    await connected(world)
    await world.core.closeSockets()
    expect(await world.open("echo").refused()).toMatchObject({ status: 503 })
    expect(world.heard).toContain("going away")
  })
})
