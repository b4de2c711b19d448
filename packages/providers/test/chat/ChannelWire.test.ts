/** Verifies: CLAP-1, CLAP-2, CLAP-3, CLAP-4, CLNT-1, CLNT-2, CLNT-3, CLNT-4. */

import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import type { PlatformMood } from "@trunkline/testing/messaging"
import { atMost } from "@trunkline/testing/slow-machine"
import { testCertificate } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { makeWire } from "../../src/chat/ChannelWire.ts"
import { clientOf, failureOf, fakePlatform, hello, number, unreachable } from "../cloud-api/Numbers.ts"

const ended = "the connection ended before there was an answer"
const brokeOff = "the answer broke off"

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const from = performance.now()
    const value = yield* effect
    return { value, ms: performance.now() - from }
  })

describe("nobody knows what became of a message", () => {
  it.live.each([
    ["a reset before it was taken", { does: "reset" }, 0, ended],
    ["a reset after it was taken", { does: "reset", takes: true }, 1, ended],
    ["an end without an answer", { does: "raw", bytes: "", takes: true }, 1, ended],
    ["half an answer", { does: "truncate", takes: true }, 1, brokeOff],
    ["garbage", { does: "answer", status: 200, body: "<html>", takes: true }, 1, "answered 200 with something else"],
    ["an empty answer", { does: "answer", status: 204, body: "" }, 0, "answered 204 with something else"],
    ["no id", { does: "answer", status: 200, body: { messages: [] } }, 0, "accepted a message without an id"],
    [
      "an empty id",
      { does: "answer", status: 200, body: { messages: [{ id: "" }] } },
      0,
      "accepted a message without an id"
    ],
    ["bytes that are no HTTP", { does: "raw", bytes: "SSH-2.0-x\r\n\r\n", takes: true }, 1, "the answer is not HTTP"],
    [
      "a head without end",
      { does: "raw", bytes: `HTTP/1.1 200 OK\r\nx: ${"a".repeat(20_000)}`, takes: true },
      1,
      "the head of the answer is too long"
    ],
    [
      "more than fits",
      { does: "answer", status: 200, body: `{"a":"${"x".repeat(1024 * 1024)}"}`, takes: true },
      1,
      "an answer of more than 1 MiB"
    ]
  ] as ReadonlyArray<[string, PlatformMood, number, string]>)(
    "after %s, and it is not sent again",
    ([_, mood, taken, detail]) =>
      Effect.gen(function* () {
        const fake = yield* fakePlatform()
        const { send } = yield* clientOf(fake)
        // On a connection that was used before, where a repeat would suggest itself.
        yield* send(number, hello)
        fake.behave(mood)
        assert.deepInclude(yield* failureOf(send(number, hello)), unreachable(false, detail) as never)
        yield* Effect.sleep(20)
        assert.lengthOf(fake.requests, 2)
        assert.lengthOf(fake.messages, 1 + taken)
      })
  )

  it.live("where the answer never begins: it is given up at the time-out, and its connection with it", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      // On a connection that is there: a loaded machine may need longer than this to open one.
      const { maxRequestMs, send } = yield* clientOf(fake, { timeoutMs: 150 })
      yield* Effect.retry(send(number, hello), { times: 20 })
      const before = fake.requests.length
      fake.behave({ does: "hang", takes: true })
      const { ms, value } = yield* timed(failureOf(send(number, hello)))
      assert.deepInclude(value, unreachable(false, "no answer in time") as never)
      assert.isTrue(ms >= 145 && ms < maxRequestMs + atMost(500), `${ms} ms`)
      yield* Effect.promise(() => fake.until(() => fake.aborted() === 1))
      assert.lengthOf(fake.requests, before + 1)
    })
  )

  it.live("where the answer never ends", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { maxRequestMs, send } = yield* clientOf(fake, { timeoutMs: 150 })
      fake.behave({ does: "trickle", takes: true })
      const { ms, value } = yield* timed(failureOf(send(number, hello)))
      assert.deepInclude(value, unreachable(false, "the answer did not end in time") as never)
      assert.isBelow(ms, maxRequestMs + atMost(500))
      assert.strictEqual(maxRequestMs, 300)
      yield* Effect.promise(() => fake.until(() => fake.aborted() === 1))
    })
  )
})

describe("it is certain that nothing arrived", () => {
  const free = Effect.callback<number>((resume) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0)))
    })
  })

  it.live("where nobody listens", () =>
    Effect.gen(function* () {
      const { send } = yield* clientOf({ baseUrl: `http://127.0.0.1:${yield* free}/v23.0` })
      assert.deepInclude(yield* failureOf(send(number, hello)), unreachable(true, "connections are refused") as never)
    })
  )

  it.live("where the host name does not exist", () =>
    Effect.gen(function* () {
      const { send } = yield* clientOf({ baseUrl: "https://graph.invalid/v23.0" })
      const failed = yield* failureOf(send(number, hello))
      assert.deepInclude(failed, { _tag: "ChannelUnreachable", isCertain: true } as never)
      assert.match(failed.message, /^the host name /)
    })
  )

  it.live("where nobody vouches for the certificate", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform({ tls: testCertificate("127.0.0.1", { names: ["127.0.0.1"] }) })
      const { send } = yield* clientOf(fake)
      assert.deepInclude(
        yield* failureOf(send(number, hello)),
        unreachable(true, "the certificate is self-signed") as never
      )
      assert.lengthOf(fake.requests, 0)
    })
  )

  it.live("where no handshake comes about in time, and nothing is sent should it come about later", () =>
    Effect.gen(function* () {
      // Takes connections and says nothing, so that TLS never stands.
      const mute = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1", () =>
            resume(Effect.succeed(server))
          )
        }),
        (server) => Effect.sync(() => void server.close())
      )
      const address = mute.address()
      const port = typeof address === "object" ? address?.port : 0
      const { send } = yield* clientOf({ baseUrl: `https://127.0.0.1:${port}` }, { timeoutMs: 100 })
      assert.deepInclude(yield* failureOf(send(number, hello)), unreachable(true, "no connection in time") as never)
    })
  )

  it.live("where every connection is busy for as long as a message may wait, which is not sent later", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { close, exchange } = makeWire(1_000, 1)
      yield* Effect.addFinalizer(() => Effect.promise(close))
      const url = new URL(`${fake.baseUrl}/1`)
      const ask = (withinMs: number) =>
        exchange({
          method: "GET",
          to: { url, way: "platform" },
          authorization: null,
          body: null,
          maxBytes: 1024,
          deadline: performance.now() + withinMs
        })
      fake.next({ does: "accept", delayMs: 200 }, 1, "mediaInfo")
      const first = yield* Effect.forkChild(ask(1_000), { startImmediately: true })
      assert.deepInclude(yield* failureOf(ask(50)), unreachable(true, "no connection in time") as never)
      yield* Fiber.join(first)
      yield* ask(1_000)
      assert.lengthOf(fake.requests, 2)
    })
  )
})

describe("a caller who cancels", () => {
  it.live("ends the connection within 100 ms", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { send } = yield* clientOf(fake)
      fake.behave({ does: "hang" })
      const fiber = yield* Effect.forkChild(send(number, hello))
      yield* Effect.promise(() => fake.until(() => fake.requests.length === 1))
      const { ms } = yield* timed(
        Effect.andThen(
          Fiber.interrupt(fiber),
          Effect.promise(() => fake.until(() => fake.aborted() === 1))
        )
      )
      assert.isBelow(ms, atMost(100))
    })
  )

  it.live("before there is a connection sends nothing", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { send } = yield* clientOf(fake)
      const fiber = yield* Effect.forkChild(send(number, hello), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      yield* Effect.sleep(50)
      assert.lengthOf(fake.requests, 0)
    })
  )
})
