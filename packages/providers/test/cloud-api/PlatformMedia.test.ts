/** Verifies: CLAP-1, CLAP-3, CLAP-4, CLAP-5. */

import type { LookupAddress } from "node:dns"
import { assert, describe, it } from "@effect/vitest"
import { atMost } from "@trunkline/testing/slow-machine"
import * as Effect from "effect/Effect"
import { checkedLookup, mediaAddress } from "../../src/chat/MediaAddress.ts"
import { AddressRefused } from "../../src/http/index.ts"
import { clientOf, failureOf, fakePlatform, number, token, unreachable } from "./Numbers.ts"

const jpeg = { contentType: "image/jpeg", bytes: new Uint8Array([0xff, 0xd8, 0, 1, 2, 250]) }

describe("a file", () => {
  it.live("is kept, and comes back as it was, with the number's token both times", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { media, upload } = yield* clientOf(fake)
      const id = yield* upload(number, { ...jpeg, fileName: "cat.jpg" })
      assert.deepStrictEqual(yield* media(number, id, 6), {
        contentType: "image/jpeg",
        size: 6,
        bytes: Buffer.from(jpeg.bytes)
      })
      const [form] = fake.of("upload")
      assert.strictEqual(form?.path, "/106540352242922/media")
      assert.deepStrictEqual(form?.form, {
        fields: { messaging_product: "whatsapp", type: "image/jpeg" },
        file: { name: "cat.jpg", type: "image/jpeg", bytes: jpeg.bytes }
      })
      assert.deepStrictEqual(fake.of("mediaInfo")[0]?.query, { phone_number_id: "106540352242922" })
      assert.strictEqual(fake.of("file")[0]?.token, token)
    })
  )

  it.live.each([
    ["image/png; charset=utf-8", "../../etc/pass\r\nwd", "image/png", "passwd"],
    ["text/html\r\nx: y", "", "application/octet-stream", "file"],
    ["", 'a"b.txt', "application/octet-stream", "a%22b.txt"],
    ["application/pdf", "C:\\docs\\Ä\ud800.pdf", "application/pdf", "Ä\ufffd.pdf"],
    ["application/pdf", `${"x".repeat(300)}.pdf`, "application/pdf", `${"x".repeat(196)}.pdf`]
  ] as const)("of type %j and name %j is kept under what is harmless of them", ([contentType, fileName, type, name]) =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { upload } = yield* clientOf(fake)
      yield* upload(number, { contentType, fileName, bytes: jpeg.bytes })
      const [request] = fake.of("upload")
      assert.strictEqual(request?.form?.fields.type, type)
      assert.strictEqual(request?.form?.file?.type, type)
      assert.strictEqual(request?.form?.file?.name, name.replace("%22", '"'))
      assert.deepStrictEqual(request?.form?.file?.bytes, jpeg.bytes)
    })
  )

  it.live("that was accepted without an id may be kept or not", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { upload } = yield* clientOf(fake)
      fake.behave({ does: "answer", status: 200, body: {} }, ["upload"])
      const failed = yield* failureOf(upload(number, { ...jpeg, fileName: "a" }))
      assert.deepInclude(failed, unreachable(false, "accepted a file without an id") as never)
    })
  )

  it.live("that the platform does not have is refused", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { media } = yield* clientOf(fake)
      const failed = yield* failureOf(media(number, "404", 6))
      assert.deepInclude(failed, { _tag: "PlatformRefused", httpStatus: 400, code: 100 } as never)
    })
  )

  it.live("that is larger than asked for is refused before it is fetched", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const id = fake.keep(jpeg)
      const { media } = yield* clientOf(fake)
      const failed = yield* failureOf(media(number, id, 5))
      assert.deepInclude(failed, {
        _tag: "PlatformRefused",
        httpStatus: 413,
        code: 131052,
        message: "The file has more than 5 bytes."
      } as never)
      assert.lengthOf(fake.of("file"), 0)
    })
  )

  it.live("that is larger than the platform said is given up at the bound", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const id = fake.keep(jpeg)
      const { media } = yield* clientOf(fake)
      fake.behave({ does: "answer", status: 200, body: new Uint8Array(5_000_000) }, ["file"])
      assert.deepInclude(yield* failureOf(media(number, id, 100)), { httpStatus: 413, code: 131052 } as never)
      yield* Effect.promise(() => fake.until(() => fake.aborted() === 1))
    })
  )

  it.live("may be larger than any other answer", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const bytes = new Uint8Array(3_000_000).fill(7)
      const id = fake.keep({ contentType: "video/mp4", bytes })
      const { media } = yield* clientOf(fake)
      const { size } = yield* media(number, id, 3_000_000)
      assert.strictEqual(size, 3_000_000)
    })
  )
})

describe("the address of a file", () => {
  it.live.each([[401], [404]])("is asked for once more where it is answered by %i", ([status]) =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const id = fake.keep(jpeg)
      const { media } = yield* clientOf(fake)
      fake.next({ does: "answer", status: status ?? 0, body: "gone" }, 1, "file")
      assert.strictEqual((yield* media(number, id, 10)).size, 6)
      assert.deepStrictEqual(
        fake.requests.map(({ route }) => route),
        ["mediaInfo", "file", "mediaInfo", "file"]
      )
    })
  )

  it.live("is asked for once more, and then no more", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const id = fake.keep(jpeg)
      const { media } = yield* clientOf(fake)
      fake.behave({ does: "answer", status: 404, body: "gone" }, ["file"])
      assert.deepInclude(yield* failureOf(media(number, id, 10)), { httpStatus: 404, code: null, body: null } as never)
      assert.lengthOf(fake.requests, 4)
    })
  )

  it.live("is not asked for again for any other fault", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const id = fake.keep(jpeg)
      const { media } = yield* clientOf(fake)
      for (const status of [302, 403, 500]) {
        fake.next({ does: "answer", status }, 1, "file")
        assert.deepInclude(yield* failureOf(media(number, id, 10)), { httpStatus: status } as never)
      }
      fake.next({ does: "truncate" }, 1, "file")
      assert.deepInclude(yield* failureOf(media(number, id, 100)), unreachable(false, "the answer broke off") as never)
      assert.lengthOf(fake.requests, 8)
    })
  )

  it.live("and the file together last no longer than one request may", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const id = fake.keep(jpeg)
      const { maxRequestMs, media } = yield* clientOf(fake, { timeoutMs: 200 })
      // Each within its own time; four of them would not be.
      fake.behave(({ route }) =>
        route === "file" ? { does: "answer", status: 404, delayMs: 150 } : { does: "accept", delayMs: 150 }
      )
      const from = performance.now()
      assert.deepInclude(yield* failureOf(media(number, id, 10)), { _tag: "ChannelUnreachable" } as never)
      assert.isBelow(performance.now() - from, maxRequestMs + atMost(100))
    })
  )

  const base = new URL("https://graph.example.com/v23.0")

  it.each([
    ["https://graph.example.com/files/1", base, "platform"],
    ["https://graph.example.com:8443/files/1", base, "near"],
    ["https://lookaside.example.net/files/1?a=b", base, "checked"],
    ["http://127.0.0.1:9000/files/1", new URL("http://127.0.0.1:9000/v23.0"), "platform"],
    ["https://127.0.0.1:9443/files/1", new URL("http://127.0.0.1:9000/v23.0"), "near"],
    ["https://mock/files/1", new URL("http://mock:9000"), "near"]
  ] as const)("may be %s where the platform is at %s", (text, at, way) => {
    const found = mediaAddress(text, at)
    assert.strictEqual(found?.way, way)
    assert.strictEqual(found?.url.href, text)
  })

  it.each([
    ["", base],
    ["files/1", base],
    ["http://graph.example.com/files/1", base],
    ["http://lookaside.example.net/files/1", base],
    ["ftp://lookaside.example.net/files/1", base],
    ["file:///etc/passwd", base],
    ["https://a:b@graph.example.com/files/1", base],
    ["https://127.0.0.1/files/1", base],
    ["https://2130706433/files/1", base],
    ["https://[::1]/files/1", base],
    ["https://[::ffff:10.0.0.1]/files/1", base],
    ["https://169.254.169.254/latest/meta-data", base],
    ["https://localhost/files/1", base],
    ["https://db.internal/files/1", base],
    ["http://127.0.0.1:9001/files/1", new URL("http://127.0.0.1:9000/v23.0")],
    ["https://127.0.0.2/files/1", new URL("http://127.0.0.1:9000/v23.0")]
  ] as const)("may not be %j where the platform is at %s", (text, at) => {
    assert.isUndefined(mediaAddress(text, at))
  })

  it.live("that may not be called is not called, and not shown", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const other = yield* fakePlatform()
      const id = fake.keep(jpeg)
      const { media } = yield* clientOf(fake)
      fake.addressFilesAt(() => `${other.origin}/files/${id}`)
      assert.deepInclude(
        yield* failureOf(media(number, id, 10)),
        unreachable(false, "the file's address is not one that may be called") as never
      )
      fake.addressFilesAt(() => 7 as never)
      yield* failureOf(media(number, id, 10))
      assert.strictEqual(other.connections(), 0)
    })
  )

  const asked = (found: ReadonlyArray<LookupAddress>, all: boolean) =>
    new Promise<unknown>((resolve) => {
      // Node's own look-up has more shapes than the one that is used.
      const look = ((_: string, __: object, done: (error: null, found: ReadonlyArray<LookupAddress>) => void) =>
        done(null, found)) as never
      checkedLookup(look)("files.example.net", { all }, (error, address, family) =>
        resolve(error ?? (all ? address : { address, family }))
      )
    })
  const open = { address: "93.184.215.14", family: 4 }
  const own = { address: "10.0.0.7", family: 4 }

  it("is connected to where its name leads to public addresses alone", async () => {
    assert.deepStrictEqual(await asked([open], true), [open])
    assert.deepStrictEqual(await asked([open], false), open)
    for (const found of [[own], [open, own], [own, open], [{ address: "::ffff:127.0.0.1", family: 6 }], []]) {
      assert.instanceOf(await asked(found, true), AddressRefused)
      assert.instanceOf(await asked(found, false), AddressRefused)
    }
  })

  it("is reported as unreachable where its name cannot be looked up", async () => {
    const failing = ((_: string, __: object, done: (error: Error) => void) => done(new Error("ENOTFOUND"))) as never
    const error = await new Promise((resolve) => checkedLookup(failing)("x.example", {}, resolve))
    assert.deepInclude(error as object, { message: "ENOTFOUND" })
  })
})
