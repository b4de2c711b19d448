/** Verifies: OPAI-1, OPAI-4, OPAI-5, DEEP-5, CLNT-1, CLNT-2, CLNT-3, CLNT-4. */

import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import type { UpstreamFailed } from "@trunkline/core/provider"
import { atMost } from "@trunkline/testing/slow-machine"
import {
  type FakeProviderOptions,
  type FakeUpstream,
  openAiError,
  startFakeOpenAi,
  type UpstreamMood
} from "@trunkline/testing/upstreams"
import { testCertificate } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { openai } from "../../src/openai/index.ts"
import { makeWire, wholeLimits } from "../../src/upstream/UpstreamWire.ts"
import { digestOf, recording, transcribe, work } from "./Works.ts"

const key = "sk-topsecret"

const fake = (options?: FakeProviderOptions) =>
  Effect.acquireRelease(
    Effect.promise(() => startFakeOpenAi(options)),
    (one) => Effect.promise(one.close)
  )
const provider = ({ origin }: Pick<FakeUpstream, "origin">, timeoutMs = 5_000) =>
  openai({ baseUrl: `${origin}/v1`, apiKey: key, timeoutMs })

/** Fails with it: nothing that came from outside, no key and no address is in any of it. */
const failureOf = (effect: Effect.Effect<unknown, UpstreamFailed>) =>
  Effect.map(Effect.flip(effect), (failed) => {
    const all = JSON.stringify({ ...failed, message: failed.message, stack: failed.stack })
    for (const secret of [key, "leaky", "org-1234", "127.0.0.1", "inner.example", "sha256"])
      assert.notInclude(all, secret)
    assert.isNull(failed.advice)
    return { why: failed.why, detail: failed.detail }
  })

// Verifies: H-26.
describe("an upstream that misbehaves", () => {
  it.live.each([
    ["garbage", { does: "answer", body: "<html>leaky</html>" }, "unreadable", "answered 200 with something else"],
    ["nothing", { does: "answer", body: "" }, "unreadable", "answered 200 with something else"],
    [
      "JSON of another shape",
      { does: "answer", body: { error: "leaky" } },
      "unreadable",
      "answered 200 with something else"
    ],
    ["a text that is null", { does: "answer", body: { text: null } }, "unreadable", "answered 200 with something else"],
    ["half an answer", { does: "truncate" }, "unreadable", "the answer broke off"],
    ["bytes that are no HTTP", { does: "raw", bytes: "SSH-2.0-leaky\r\n\r\n" }, "unreadable", "the answer is not HTTP"],
    [
      "a head without end",
      { does: "raw", bytes: `HTTP/1.1 200 OK\r\nx: ${"a".repeat(20_000)}` },
      "unreadable",
      "the head of the answer is too long"
    ],
    ["more than fits", { does: "trickle", megabytes: 17 }, "unreadable", "an answer of more than 16 MiB"],
    ["a reset", { does: "reset" }, "unreachable", "the connection ended before there was an answer"],
    [
      "an end without an answer",
      { does: "raw", bytes: "" },
      "unreachable",
      "the connection ended before there was an answer"
    ],
    [
      "a redirect",
      { does: "answer", status: 307, headers: { location: "https://leaky.example/" } },
      "wrong_route",
      "answered 307"
    ],
    ["a refusal that breaks off", { does: "truncate", status: 503 }, "failed", "answered 503"],
    ["a refusal without end", { does: "trickle", status: 400, megabytes: 1 }, "refused_input", "answered 400"],
    ["a refusal with leaky words", openAiError(401, "invalid_api_key"), "operator", "answered 401 invalid_api_key"]
  ] as ReadonlyArray<[string, UpstreamMood, string, string]>)("%s", ([_, mood, why, detail]) =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave(mood)
      assert.deepStrictEqual(yield* failureOf(transcribe(provider(upstream))), { why, detail } as never)
      assert.strictEqual(upstream.begun(), 1)
    })
  )

  it.live("returns the seconds to wait", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave(openAiError(429, "rate_limit_exceeded", "requests", { "retry-after": "7", "x-leaky": key }))
      const failed = yield* Effect.flip(transcribe(provider(upstream)))
      assert.deepStrictEqual([failed.why, failed.retryAfterSeconds], ["throttled", 7])
      assert.strictEqual(upstream.begun(), 1)
    })
  )

  it.live("is heard although it refuses before the file is through", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave({ does: "early", status: 413 })
      const audio = recording(
        {},
        Array.from({ length: 64 }, () => 64 * 1024)
      )
      assert.strictEqual((yield* failureOf(transcribe(provider(upstream), { audio }))).why, "too_large")
    })
  )
})

describe("an upstream that is slow", () => {
  const timed = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const from = performance.now()
      const value = yield* effect
      return { value, ms: performance.now() - from }
    })

  // Verifies: H-31.
  it.live("and never begins its answer is given up at the time-out, and its connection with it", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave({ does: "hang" })
      const { ms, value } = yield* timed(failureOf(transcribe(provider(upstream, 200))))
      assert.deepStrictEqual(value, { why: "timeout", detail: "no answer within 200 ms" })
      assert.isTrue(ms >= 195 && ms < 1000, `${ms} ms`)
      yield* Effect.promise(() => upstream.until(() => upstream.aborted() === 1))
    })
  )

  it.live("and never ends its answer is given up, too", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave({ does: "trickle" })
      const limits = { bodyMs: 200, maxBytes: 1_000_000 }
      const wire = makeWire({ apiKey: null, baseUrl: upstream.origin, timeoutMs: 5_000 }, undefined, limits)
      const asked = wire.ask({ path: "/v1/models", headers: {}, body: null }, (json) => json)
      const { ms, value } = yield* timed(failureOf(asked))
      assert.deepStrictEqual(value, { why: "timeout", detail: "the answer did not end within 200 ms" })
      assert.isTrue(ms < 1500, `${ms} ms`)
      yield* Effect.promise(() => upstream.until(() => upstream.aborted() === 1))
    })
  )

  it("has for the whole of its answer, from the head on, the time-out again, and never less than 30 s", () => {
    assert.strictEqual(wholeLimits({ timeoutMs: 1_000 }).bodyMs, 30_000)
    assert.strictEqual(wholeLimits({ timeoutMs: 90_000 }).bodyMs, 90_000)
    assert.strictEqual(makeWire({ apiKey: null, baseUrl: "http://a.example", timeoutMs: 1_000 }).maxMs, 31_000)
  })

  it.live("and answers in time is waited for", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave({ does: "answer", body: { text: "late" }, delayMs: 300 })
      assert.strictEqual((yield* transcribe(provider(upstream, 2_000))).text, "late")
    })
  )

  it.live("learns of an interruption within 100 ms", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave({ does: "hang" })
      const fiber = yield* Effect.forkChild(transcribe(provider(upstream)))
      yield* Effect.promise(() => upstream.until(() => upstream.calls.length === 1))
      const { ms } = yield* timed(
        Effect.andThen(
          Fiber.interrupt(fiber),
          Effect.promise(() => upstream.until(() => upstream.aborted() === 1))
        )
      )
      assert.isBelow(ms, atMost(100))
    })
  )

  it.live("learns of an interruption in the middle of the file, and gets no more of it", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      let sent = 0
      const piece = new Uint8Array(64 * 1024)
      function* endless() {
        for (; sent < 4096; sent += 1) yield piece
      }
      // An array to the type checker; what reads it only iterates.
      const chunks = {
        *[Symbol.iterator]() {
          yield* endless()
        }
      } as unknown as ReadonlyArray<Uint8Array>
      const audio = { ...recording(), chunks, size: 4096 * piece.length }
      const fiber = yield* Effect.forkChild(transcribe(provider(upstream), { audio }))
      yield* Effect.promise(() => upstream.until(() => upstream.begun() === 1))
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => upstream.until(() => upstream.aborted() === 1))
      assert.lengthOf(upstream.calls, 0)
    })
  )

  it.live("is not asked at all by who was interrupted before there was a connection", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      const fiber = yield* Effect.forkChild(transcribe(provider(upstream)), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      yield* Effect.sleep(100)
      assert.strictEqual(upstream.begun(), 0)
    })
  )
})

describe("the bytes of a file", () => {
  const parts = Array.from({ length: 40 }, () => 65_536)

  // Verifies: OPAI-6.
  it.live("arrive as they were, and can be sent again", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      const audio = recording({}, parts)
      const sha256 = digestOf(audio)
      for (const nth of [0, 1]) {
        yield* transcribe(provider(upstream), { audio })
        assert.strictEqual(upstream.calls[nth]?.file?.sha256, sha256)
      }
      assert.strictEqual(digestOf(audio), sha256)
    })
  )

  // Verifies: OPAI-6.
  it.live("are as they were where the answer came before they were sent", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave({ does: "early", status: 200, body: { text: "early" } })
      // More than any socket buffers at once.
      const audio = recording(
        {},
        Array.from({ length: 400 }, () => 65_536)
      )
      const sha256 = digestOf(audio)
      yield* Effect.exit(transcribe(provider(upstream), { audio }))
      assert.strictEqual(digestOf(audio), sha256)
    })
  )
})

describe("an upstream that cannot be reached", () => {
  const free = Effect.callback<number>((resume) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0)))
    })
  })

  it.live("since nobody listens", () =>
    Effect.gen(function* () {
      const upstream = provider({ origin: `http://127.0.0.1:${yield* free}` })
      assert.deepStrictEqual(yield* failureOf(transcribe(upstream)), {
        why: "unreachable",
        detail: "connections are refused"
      })
    })
  )

  it.live("since its name does not exist", () =>
    Effect.gen(function* () {
      const { detail, why } = yield* failureOf(transcribe(provider({ origin: "https://speech.invalid" })))
      assert.strictEqual(why, "unreachable")
      assert.match(detail, /^the host name /)
    })
  )

  it.live("since nobody vouches for its certificate", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ tls: testCertificate("127.0.0.1", { names: ["127.0.0.1"] }) })
      assert.deepStrictEqual(yield* failureOf(transcribe(provider(upstream))), {
        why: "unreachable",
        detail: "the certificate is self-signed"
      })
      assert.strictEqual(upstream.begun(), 0)
    })
  )
})

describe("the connection", () => {
  it.live("is used again", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      const run = provider(upstream).make("a").capabilities.transcribe
      assert.isDefined(run)
      for (let i = 0; i < 5; i += 1) yield* run(work())
      // One is free again only after a turn of the event loop, so that a second one is opened.
      assert.isAtMost(upstream.connections(), 2)
      assert.lengthOf(upstream.calls, 5)
    })
  )
})

describe("an answer that is read while it comes", () => {
  it.live("is read in its chunks, and what was refused before it is not", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave(({ method }) =>
        method === "GET"
          ? { does: "answer", status: 400, body: { leaky: true } }
          : { does: "answer", body: { ok: "x".repeat(300_000) } }
      )
      const readers: Array<{ readonly written: Array<Uint8Array>; whole: ReadonlyArray<Uint8Array> | null }> = []
      const reader = () => {
        const one: (typeof readers)[number] = { written: [], whole: null }
        readers.push(one)
        return {
          write: (chunk: Uint8Array) => void one.written.push(chunk),
          end: (chunks: ReadonlyArray<Uint8Array>) => {
            one.whole = chunks
            return "read"
          }
        }
      }
      const wire = makeWire({ apiKey: null, baseUrl: upstream.origin, timeoutMs: 5_000 })
      const request = { path: "/v1/any", headers: {}, body: null }
      const body = { contentType: "text/plain", size: 1, chunks: [Buffer.from("a")] }
      assert.strictEqual(yield* wire.askWhile(request, reader, () => ({ ...request, body })), "read")
      const [refused, answered] = readers
      assert.deepStrictEqual(refused, { written: [], whole: null })
      assert.deepStrictEqual(answered?.written, answered?.whole)
      assert.strictEqual(JSON.parse(Buffer.concat(answered?.written ?? []).toString()).ok.length, 300_000)
    })
  )

  it.live("is not read to its end where it is too large", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave({ does: "trickle", megabytes: 2 })
      let bytes = 0
      const write = (chunk: Uint8Array) => {
        bytes += chunk.length
      }
      const end = () => assert.fail("it was taken for a whole one")
      const wire = makeWire({ apiKey: null, baseUrl: upstream.origin, timeoutMs: 5_000 }, undefined, {
        bodyMs: 5_000,
        maxBytes: 1_000_000
      })
      const asked = wire.askWhile({ path: "/v1/any", headers: {}, body: null }, () => ({ write, end }))
      assert.strictEqual((yield* Effect.flip(asked)).why, "unreadable")
      assert.isAtMost(bytes, 1_000_000)
    })
  )
})
