/** Verifies: NODE-4, NODE-5. */
import { createServer, type Socket } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { it } from "@effect/vitest"
import { Outbound, type OutboundFailed, type OutboundPost } from "@trunkline/core/provider"
import { type Receiver, type ReceiverOptions, startReceiver, testCertificate } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { describe, expect, vi } from "vitest"
import { type OutboundOptions, outbound, outboundLayer } from "../../src/outbound/UndiciOutbound.ts"

const authority = { name: "Test authority", ...testCertificate("Test authority") }
const trusting: OutboundOptions = { authorities: [authority.cert] }
const certificate = (name: string, expiresAt = Date.UTC(2100, 0)) =>
  testCertificate(name, { names: [name], issuer: authority, expiresAt })

const receiver = (options?: ReceiverOptions) =>
  Effect.acquireRelease(
    Effect.promise(() => startReceiver(options)),
    (one) => Effect.promise(one.close)
  )

/** Accepts TCP connections, and serves each as a test says. */
const tcpServer = (serve: (socket: Socket) => unknown) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => {}).on("close", () => sockets.delete(socket))
        serve(socket)
      })
      const port = await new Promise<number>((resolve) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resolve(address !== null && typeof address === "object" ? address.port : 0)
        })
      })
      return { port, sockets, server }
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      })
  )

const until = (one: Receiver, holds: () => boolean) => Effect.promise(() => one.until(holds))
const soon = (holds: () => boolean) => Effect.promise(() => vi.waitFor(() => expect(holds()).toBe(true), 300_000))

const post = (url: string, more: Partial<OutboundPost> = {}) =>
  Outbound.use((port) =>
    port.post({
      url: new URL(url),
      address: "127.0.0.1",
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode('{"a":1}'),
      remainingMs: 5_000,
      ...more
    })
  )

/** What became of a POST: the status, or the failure's reason and detail. */
const outcome = (url: string, more?: Partial<OutboundPost>) =>
  post(url, more).pipe(
    Effect.map(({ status }): number | string => status),
    Effect.catch(({ reason, detail }) => Effect.succeed(`${reason}: ${detail}`))
  )

/** A test with an outbound of its own, on the real clock. */
const test = (
  name: string,
  body: () => Effect.Effect<void, OutboundFailed, Outbound | Scope.Scope>,
  options?: OutboundOptions
) => it.live(name, () => Effect.scoped(Effect.provide(Effect.suspend(body), outboundLayer(options))))

/** Not every system has a second loopback address. */
const testOfTwoAddresses: typeof test = (name, ...rest) => {
  if (process.platform === "linux") return test(name, ...rest)
  console.log(`left out, because this system has no 127.0.0.2: ${name}`)
}

describe("a request whose answer is read", () => {
  const ask = (url: string, method = "POST", body = '{"a":1}', most: { readonly maxBodyBytes?: number } = {}) =>
    Outbound.use((port) =>
      port.request({
        ...{ url: new URL(url), address: "127.0.0.1", method, headers: { "x-key": "k" }, remainingMs: 5_000 },
        ...most,
        body: new TextEncoder().encode(body)
      })
    ).pipe(Effect.map(({ body: read, status }) => ({ status, text: new TextDecoder().decode(read) })))

  test("has the method, the headers and the body, and returns status and text", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "answer", status: 404, body: "nothing h\u00e9re" } })
      expect(yield* ask(`http://here.example:${there.port}/a?b=1`, "PUT")).toEqual({
        status: 404,
        text: "nothing h\u00e9re"
      })
      expect(yield* ask(`http://here.example:${there.port}/a`, "GET", "")).toMatchObject({ status: 404 })
      expect(there.received).toMatchObject([
        { method: "PUT", path: "/a?b=1", headers: { "x-key": "k" } },
        { method: "GET", path: "/a" }
      ])
      expect(there.received[1]?.headers).not.toHaveProperty("content-length")
      expect(there.connections()).toBe(1)
    }))

  test("reads 64 KiB, whatever length is announced", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "answer", body: "x".repeat(200_000) } })
      expect((yield* ask(`${there.origin}/`)).text).toHaveLength(65_536)
      const endless = yield* receiver({ behaviour: { does: "trickle", pieceBytes: 20_000, everyMs: 1 } })
      expect((yield* ask(`${endless.origin}/`)).text).toHaveLength(65_536)
    }))

  test("reads as much as the request says", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "answer", body: "x".repeat(200_000) } })
      const upTo = (maxBodyBytes: number) => ask(`${there.origin}/`, "POST", "{}", { maxBodyBytes })
      expect((yield* upTo(300_000)).text).toHaveLength(200_000)
      expect((yield* upTo(150_000)).text).toHaveLength(150_000)
      const endless = yield* receiver({ behaviour: { does: "trickle", pieceBytes: 20_000, everyMs: 1 } })
      expect((yield* ask(`${endless.origin}/`, "POST", "{}", { maxBodyBytes: 90_000 })).text).toHaveLength(90_000)
    }))

  test("answers a redirect as it is, and fails where nothing answers", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "redirect", to: "http://169.254.169.254/" } })
      expect(yield* ask(`${there.origin}/`)).toMatchObject({ status: 302 })
      const broken = yield* receiver({ behaviour: { does: "reset" } })
      const failure = ask(`${broken.origin}/`).pipe(
        Effect.match({ onFailure: ({ reason }) => reason, onSuccess: () => "answered" })
      )
      expect(yield* failure).toBe("connection")
    }))
})

describe("a POST", () => {
  test("goes to the address, with the name in the Host header, although the name does not resolve", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      expect(yield* outcome(`http://nowhere.invalid:${there.port}/hooks?a=1`)).toBe(200)
      expect(there.received).toMatchObject([
        {
          method: "POST",
          path: "/hooks?a=1",
          headers: { host: `nowhere.invalid:${there.port}`, "content-type": "application/json", "content-length": "7" }
        }
      ])
      expect(there.received[0]?.body.toString()).toBe('{"a":1}')
    }))

  // Verifies: E-19.
  testOfTwoAddresses("goes to the address although the name resolves to another", () =>
    Effect.gen(function* () {
      const resolved = yield* receiver()
      const judged = yield* receiver({ host: "127.0.0.2", port: resolved.port })
      expect(yield* outcome(`http://localhost:${resolved.port}/`, { address: "127.0.0.2" })).toBe(200)
      expect([resolved.connections(), judged.received.length]).toEqual([0, 1])
    })
  )

  testOfTwoAddresses("goes to the address even where the URL has another", () =>
    Effect.gen(function* () {
      const written = yield* receiver()
      const judged = yield* receiver({ host: "127.0.0.2", port: written.port })
      expect(yield* outcome(`http://127.0.0.1:${written.port}/`, { address: "127.0.0.2" })).toBe(200)
      expect([written.connections(), judged.received.length]).toEqual([0, 1])
    })
  )

  test(
    "over TLS asks for the name, and checks the certificate against it",
    () =>
      Effect.gen(function* () {
        const there = yield* receiver({ tls: certificate("hooks.example") })
        expect(yield* outcome(`https://hooks.example:${there.port}/`)).toBe(200)
        expect(there.received).toMatchObject([
          { servername: "hooks.example", headers: { host: `hooks.example:${there.port}` } }
        ])
        expect(yield* outcome(`https://other.example:${there.port}/`)).toBe(
          "tls: The endpoint's certificate is for another host name."
        )
      }),
    trusting
  )

  test(
    "over TLS to an address checks the certificate against that",
    () =>
      Effect.gen(function* () {
        const there = yield* receiver({ tls: certificate("127.0.0.1") })
        expect(yield* outcome(`https://127.0.0.1:${there.port}/`)).toBe(200)
        expect(there.received).toMatchObject([{ servername: null }])
        const elsewhere = yield* receiver({ tls: certificate("127.0.0.2") })
        expect(yield* outcome(`https://127.0.0.1:${elsewhere.port}/`)).toMatch(/another host name/)
      }),
    trusting
  )

  // Verifies: E-25, W-126.
  test("answers a redirect as it is, and follows none", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      const target = yield* receiver()
      for (const status of [301, 302, 303, 307, 308]) {
        there.behave({ does: "redirect", to: target.origin, status })
        expect(yield* outcome(there.origin)).toBe(status)
      }
      expect(target.connections()).toBe(0)
    }))

  test("uses no proxy that the environment names", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      const proxy = yield* receiver()
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, proxy.origin)
          vi.stubEnv("NODE_USE_ENV_PROXY", "1")
        }),
        () => Effect.sync(() => vi.unstubAllEnvs())
      )
      expect(yield* Effect.provide(outcome(there.origin), outboundLayer())).toBe(200)
      expect([there.connections(), proxy.connections()]).toEqual([1, 0])
    }))

  // Verifies: W-99.
  for (const interim of [
    "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
  ]) {
    test(`skips what comes before the answer: ${JSON.stringify(interim)}`, () =>
      Effect.gen(function* () {
        const bytes = `${interim}HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok`
        const there = yield* receiver({ behaviour: { does: "raw", bytes } })
        expect(yield* outcome(there.origin)).toBe(201)
        // As key sets are fetched, and functions of agents are called.
        const asked = Outbound.use((port) =>
          port.request({
            method: "GET",
            url: new URL(there.origin),
            address: "127.0.0.1",
            headers: {},
            body: new Uint8Array(),
            remainingMs: 5_000
          })
        )
        const answer = yield* asked
        expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([201, "ok"])
      }))
  }

  test("with a header that cannot be written is a defect of ours, and no failure of the endpoint", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      const exit = yield* Effect.exit(post(there.origin, { headers: { "x-event": "a\r\nx-forged: b" } }))
      expect(Exit.hasDies(exit)).toBe(true)
      expect(there.received).toEqual([])
    }))
})

describe("a connection", () => {
  test("is used again for the same origin at the same address", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "answer", body: "ok" } })
      for (const path of ["/a", "/b", "/c"]) {
        expect(yield* outcome(there.origin + path)).toBe(200)
        yield* until(there, () => there.open() === 1)
        yield* Effect.sleep(20)
      }
      expect(there.received.map(({ connection }) => connection)).toEqual([1, 1, 1])
    }))

  test("is used for one request at a time", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "answer", delayMs: 50 } })
      const statuses = yield* Effect.all([outcome(there.origin), outcome(there.origin)], { concurrency: "unbounded" })
      expect(statuses).toEqual([200, 200])
      expect(there.connections()).toBe(2)
    }))

  test("is never used for another name at the same address", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      for (const name of ["a.example", "b.example", "a.example"]) {
        yield* post(`http://${name}:${there.port}/`)
        yield* Effect.sleep(20)
      }
      expect(there.received.map(({ connection }) => connection)).toEqual([1, 2, 1])
    }))

  // Verifies: E-19.
  testOfTwoAddresses("is never used for another address of the same name", () =>
    Effect.gen(function* () {
      const first = yield* receiver()
      const second = yield* receiver({ host: "127.0.0.2", port: first.port })
      for (const address of ["127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.2"]) {
        yield* post(`http://hooks.example:${first.port}/`, { address })
        yield* Effect.sleep(20)
      }
      expect([first.received.length, first.connections()]).toEqual([2, 1])
      expect([second.received.length, second.connections()]).toEqual([2, 1])
    })
  )

  test("that the endpoint has closed meanwhile is not used again", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "answer", close: true } })
      expect(yield* outcome(there.origin)).toBe(200)
      yield* until(there, () => there.open() === 0)
      yield* Effect.sleep(50)
      expect(yield* outcome(there.origin)).toBe(200)
      expect(there.received.map(({ connection }) => connection)).toEqual([1, 2])
    }))

  test("serves the next attempt for as long as that one has, whatever was left of the last", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      yield* post(there.origin, { remainingMs: 100 })
      yield* Effect.sleep(20)
      there.behave({ does: "answer", delayMs: 200 })
      expect(yield* outcome(there.origin)).toBe(200)
      expect(there.connections()).toBe(1)
    }))

  test(
    "that waits is closed where too many do, the longest unused first",
    () =>
      Effect.gen(function* () {
        const there = yield* receiver()
        const names = ["a", "b", "a", "c", "a"]
        for (const name of names) {
          yield* post(`http://${name}.example:${there.port}/`)
          yield* Effect.sleep(20)
        }
        expect(there.received.map(({ connection }) => connection)).toEqual([1, 2, 1, 3, 1])
        yield* Effect.promise(() => there.until(() => there.open() === 2))
        yield* post(`http://b.example:${there.port}/`)
        expect(there.connections()).toBe(4)
      }),
    { idleConnections: 2 }
  )

  test("that waits is closed after some seconds", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      yield* post(there.origin)
      yield* Effect.promise(() => there.until(() => there.open() === 0))
    }))

  it.live("is closed with its scope, whatever it is doing", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const there = yield* receiver()
        const used = Effect.gen(function* () {
          yield* post(there.origin)
          there.behave({ does: "trickle" })
          yield* post(`http://trickles.example:${there.port}/`)
          there.behave({ does: "hang" })
          const hanging = yield* Effect.forkChild(Effect.exit(post(`http://hangs.example:${there.port}/`)))
          yield* until(there, () => there.received.length === 3)
          expect(there.open()).toBe(3)
          return hanging
        })
        yield* Effect.provide(used, outboundLayer())
        yield* until(there, () => there.open() === 0)
      })
    )
  )
})

describe("an attempt that is given up", () => {
  const givenUp = (url: string, when: Effect.Effect<void>) =>
    Effect.gen(function* () {
      const attempt = yield* Effect.forkChild(post(url))
      yield* when
      yield* Fiber.interrupt(attempt)
    })

  test("closes its connection while it waits for an answer", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "hang" } })
      yield* givenUp(
        there.origin,
        until(there, () => there.received.length === 1)
      )
      yield* until(there, () => there.open() === 0)
    }))

  // Verifies: E-28.
  test("closes its connection while a head trickles in", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "trickle-head" } })
      yield* givenUp(
        there.origin,
        Effect.andThen(
          until(there, () => there.received.length === 1),
          Effect.sleep(50)
        )
      )
      yield* until(there, () => there.open() === 0)
    }))

  // Verifies: E-28.
  test("closes its connection in the middle of the TLS handshake", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* tcpServer((socket) => socket.resume())
      yield* givenUp(
        `https://hooks.example:${port}/`,
        soon(() => sockets.size === 1)
      )
      yield* soon(() => sockets.size === 0)
    }))

  test("closes its connection while the body is being sent", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* tcpServer((socket) => socket.pause())
      const body = new Uint8Array(20_000_000)
      const attempt = yield* Effect.forkChild(post(`http://hooks.example:${port}/`, { body }))
      yield* soon(() => sockets.size === 1)
      yield* Fiber.interrupt(attempt)
      for (const socket of sockets) socket.resume()
      yield* soon(() => sockets.size === 0)
    }))
})

describe("the body of an answer", () => {
  // Verifies: E-28.
  test("does not delay the status", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "trickle", status: 202 } })
      expect(yield* Effect.timeout(Effect.orDie(post(there.origin)), 1_000)).toEqual({ status: 202 })
      expect(there.open()).toBe(1)
    }).pipe(Effect.orDie))

  // Verifies: E-29.
  test("is read until the attempt's time is over, and then the connection is dropped", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "trickle" } })
      yield* post(there.origin, { remainingMs: 300 })
      yield* Effect.sleep(150)
      expect(there.open()).toBe(1)
      yield* Effect.promise(() => there.until(() => there.open() === 0))
    }))

  test("is read on for a very long time where there is one", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "trickle" } })
      yield* post(there.origin, { remainingMs: 2 ** 40 })
      yield* Effect.sleep(100)
      expect(there.open()).toBe(1)
    }))

  test("of 64 KiB is read to its end, announced or not, and the connection kept", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      const body = Buffer.alloc(65_536)
      for (const headers of [{}, { "content-length": "65536" }, {}]) {
        there.behave({ does: "answer", body, headers })
        yield* post(there.origin)
        yield* Effect.sleep(50)
      }
      expect(there.received.map(({ connection }) => connection)).toEqual([1, 1, 1])
    }))

  test("of more that comes at once costs the connection, and not the next attempt", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "answer", body: Buffer.alloc(70_000) } })
      for (const _ of [1, 2]) {
        expect(yield* outcome(there.origin)).toBe(200)
        yield* Effect.sleep(50)
      }
      expect(there.connections()).toBe(2)
    }))

  test("of one byte more that is announced is not read", () =>
    Effect.gen(function* () {
      const there = yield* receiver({
        behaviour: { does: "trickle", pieceBytes: 1, totalBytes: 65_537, contentLength: true }
      })
      expect(yield* outcome(there.origin)).toBe(200)
      yield* Effect.promise(() => there.until(() => there.open() === 0))
      expect(there.sentBytes()).toBeLessThan(100)
    }))

  // Verifies: E-29.
  test("of more than 64 KiB that is not announced is read so far, and the connection dropped", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "trickle", pieceBytes: 4_096, everyMs: 5 } })
      expect(yield* outcome(there.origin)).toBe(200)
      yield* until(there, () => there.open() === 0)
      expect(there.sentBytes()).toBeGreaterThanOrEqual(65_536)
      expect(there.sentBytes()).toBeLessThan(65_536 + 20 * 4_096)
    }))

  test("that ends too early withdraws no status", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "truncate", status: 200 } })
      expect(yield* outcome(there.origin)).toBe(200)
      yield* until(there, () => there.open() === 0)
      there.behave({ does: "answer" })
      expect(yield* outcome(there.origin)).toBe(200)
      expect(there.connections()).toBe(2)
    }))
})

describe("a failure", () => {
  const secure = { tls: certificate("hooks.example") }

  test("says that the endpoint refuses connections", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      yield* Effect.promise(there.close)
      expect(yield* outcome(there.origin)).toBe("connection: The endpoint refuses connections.")
    }))

  test("says that the connection ended", () =>
    Effect.gen(function* () {
      const ended = "connection: The connection ended before there was an answer."
      const there = yield* receiver({ behaviour: { does: "reset" } })
      expect(yield* outcome(there.origin)).toBe(ended)
      there.behave({ does: "raw", bytes: "" })
      expect(yield* outcome(there.origin)).toBe(ended)
      there.behave({ does: "raw", bytes: "HTTP/1.1 200 O" })
      expect(yield* outcome(there.origin)).toBe(ended)
      const resetting = yield* receiver({ resetsConnections: true })
      expect(yield* outcome(resetting.origin)).toBe(ended)
    }))

  test(
    "says so over TLS too",
    () =>
      Effect.gen(function* () {
        const there = yield* receiver({ ...secure, behaviour: { does: "reset" } })
        expect(yield* outcome(`https://hooks.example:${there.port}/`)).toBe(
          "connection: The connection ended before there was an answer."
        )
      }),
    trusting
  )

  test("says what is wrong with a certificate", () =>
    Effect.gen(function* () {
      const own = yield* receiver({ tls: testCertificate("hooks.example", { names: ["hooks.example"] }) })
      expect(yield* outcome(`https://hooks.example:${own.port}/`)).toBe(
        "tls: The endpoint's certificate is self-signed."
      )
      const foreign = yield* receiver(secure)
      expect(yield* outcome(`https://hooks.example:${foreign.port}/`)).toBe(
        "tls: The endpoint's certificate is of no known authority, or its chain is incomplete."
      )
      expect([own.received, foreign.received]).toEqual([[], []])
    }))

  test(
    "says that a certificate has expired",
    () =>
      Effect.gen(function* () {
        const there = yield* receiver({ tls: certificate("hooks.example", Date.UTC(2020, 0)) })
        expect(yield* outcome(`https://hooks.example:${there.port}/`)).toBe(
          "tls: The endpoint's certificate has expired."
        )
      }),
    trusting
  )

  test("is none where Node trusts the authority, others beside it or not", () =>
    Effect.gen(function* () {
      const there = yield* receiver(secure)
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const before = getCACertificates("default")
          setDefaultCACertificates([authority.cert])
          return before
        }),
        (before) => Effect.sync(() => setDefaultCACertificates(before))
      )
      for (const options of [{}, { authorities: [testCertificate("Another").cert] }])
        expect(yield* Effect.provide(outcome(`https://hooks.example:${there.port}/`), outboundLayer(options))).toBe(200)
    }))

  test("of a certificate stays one, whatever the environment says", () =>
    Effect.gen(function* () {
      const there = yield* receiver(secure)
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")),
        () => Effect.sync(() => vi.unstubAllEnvs())
      )
      expect(yield* outcome(`https://hooks.example:${there.port}/`)).toMatch(/^tls: /)
    }))

  test("says that TLS is not spoken, or broken off", () =>
    Effect.gen(function* () {
      const plain = yield* tcpServer((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 x\r\n\r\n")))
      expect(yield* outcome(`https://127.0.0.1:${plain.port}/`)).toBe(
        "tls: The endpoint does not speak TLS at this port."
      )
      const closing = yield* tcpServer((socket) => socket.once("data", () => socket.end()))
      expect(yield* outcome(`https://127.0.0.1:${closing.port}/`)).toBe(
        "tls: The endpoint closed the connection during the TLS handshake."
      )
    }))

  test("says that the answer is not HTTP, or its head too long", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "raw", bytes: "SSH-2.0-OpenSSH_9.9\r\n" } })
      expect(yield* outcome(there.origin)).toBe("protocol: The endpoint's answer is not HTTP.")
      there.behave({ does: "raw", bytes: `HTTP/1.1 200 OK\r\nx-long: ${"a".repeat(20_000)}\r\n\r\n` })
      expect(yield* outcome(there.origin)).toBe("protocol: The head of the endpoint's answer is longer than 16 KiB.")
    }))

  test("names no address", () =>
    Effect.gen(function* () {
      const there = yield* receiver({ behaviour: { does: "reset" } })
      const wrong = yield* receiver({ tls: certificate("127.0.0.2") })
      const details = [
        yield* outcome(there.origin),
        yield* outcome(`https://127.0.0.1:${wrong.port}/`),
        yield* outcome("http://hooks.example:1/"),
        yield* outcome(`http://hooks.example:${there.port}/`, { address: "::1" })
      ]
      expect(details.join()).not.toMatch(/\d{2}\.|::|:\d/)
    }))
})

describe("the host's provider", () => {
  it("starts nothing until it is built", () => {
    expect(outbound()).toMatchObject({ kind: "outbound", layer: expect.anything() })
  })
})
