/** The form of the speech routes: docs/reference/gateway.md#form, docs/reference/gateway.md#limits. */

import { createHash } from "node:crypto"
import { noise } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { speechFingerprint } from "../../../src/gateway/speech/SpeechFingerprint.ts"
import { type ReadBody, readForm } from "../../../src/gateway/speech/SpeechForm.ts"
import type { FormFields } from "../../../src/gateway/speech/SpeechRequest.ts"

const boundary = "----a boundary of some client".replaceAll(" ", "-")

interface Sent {
  readonly name: string
  readonly value: string | Uint8Array
  readonly fileName?: string
}

const part = ({ fileName, name, value }: Sent): Uint8Array => {
  const file = fileName === undefined ? "" : `; filename="${fileName}"\r\nContent-Type: audio/wav`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(value as string), Buffer.from("\r\n")])
}

const body = (...sent: ReadonlyArray<Sent>): Uint8Array =>
  Buffer.concat([...sent.map(part), Buffer.from(`--${boundary}--\r\n`)])

const chunked = (bytes: Uint8Array, size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.byteLength / size) }, (_, nth) => bytes.subarray(nth * size, (nth + 1) * size))

/** Chunks whose memory is gone as soon as it is released. */
const reading =
  (chunks: ReadonlyArray<Uint8Array>): ReadBody =>
  (onChunk) => {
    for (const chunk of chunks) {
      const own = new Uint8Array(chunk)
      const refused = onChunk(own, () => void own.buffer.transfer(0))
      if (refused !== undefined) return Effect.fail(refused)
    }
    return Effect.void
  }

const receive = (bytes: Uint8Array, { hashed = false, size = 65_536 } = {}) => {
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
  return Effect.runPromise(
    readForm(reading(chunked(bytes, size)), headers, { hashed }).pipe(
      Effect.match({
        onFailure: ({ code, detail, status }) => ({ code, detail, status, form: null }),
        onSuccess: (form) => ({ code: null, detail: "", status: 200, form })
      })
    )
  )
}

const file = (value: Uint8Array, name = "file"): Sent => ({ name, value, fileName: "a.wav" })

describe("a form", () => {
  // Verifies: G-42.
  it("is read in whatever pieces it comes, with its fields before and after the file", async () => {
    await fc.assert(
      fc.asyncProperty(
        // Also bytes in which a boundary seems to begin, so that the parser waits for more.
        fc
          .array(
            fc.oneof(
              fc.uint8Array({ maxLength: 400 }),
              fc.constantFrom(`\r\n--${boundary.slice(0, 9)}`, "\r", "\r\n--")
            )
          )
          .map((parts) => new Uint8Array(Buffer.concat(parts.map((one) => Buffer.from(one as string))))),
        fc.integer({ min: 1, max: 700 }),
        fc.string({ unit: "grapheme", maxLength: 50 }).filter((text) => text === text.toWellFormed()),
        async (bytes, size, text) => {
          const { form } = await receive(
            body({ name: "model", value: "nova-3" }, file(bytes), { name: "prompt", value: text }),
            { size, hashed: true }
          )
          expect(form?.fields).toEqual([
            ["model", "nova-3"],
            ["prompt", text]
          ])
          expect(Buffer.concat(form?.file?.audio.chunks ?? []).equals(bytes)).toBe(true)
          expect(form?.file).toMatchObject({
            audio: { size: bytes.byteLength, fileName: "a.wav", contentType: "audio/wav" },
            digest: createHash("sha256").update(bytes).digest("hex")
          })
        }
      ),
      { numRuns: 150 }
    )
  })

  it("is kept in few chunks, and frees the memory of those in which it arrived", async () => {
    const sent = body(file(new Uint8Array(3_000_000).fill(7)))
    const headers = {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(sent.length)
    }
    let freed = 0
    const read: ReadBody = (onChunk) => {
      for (const chunk of chunked(sent, 65_536)) onChunk(chunk, () => (freed += chunk.byteLength))
      return Effect.void
    }
    const { file: upload } = await Effect.runPromise(readForm(read, headers, { hashed: false }))
    expect(upload?.audio.chunks.map(({ byteLength }) => byteLength)).toEqual([1_048_576, 1_048_576, 902_848])
    expect(freed).toBe(sent.length)
    upload?.free()
    expect(upload?.audio.chunks.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0])
  })

  it("is copied once, also where a boundary seems to begin at the end of each chunk", async () => {
    const bytes = 8_000_000
    const chunkBytes = 65_536
    const sent = body(file(new Uint8Array(bytes)))
    for (let end = chunkBytes; end < bytes; end += chunkBytes) sent[end - 1] = "\r".charCodeAt(0)
    const headers = {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(sent.length)
    }
    const before = process.memoryUsage().arrayBuffers
    await Effect.runPromise(readForm(reading(chunked(sent, chunkBytes)), headers, { hashed: false }))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.2 * bytes)
  })

  it.each(["words", "-5", "1", ""])("is read whole where its Content-Length is %j", async (length) => {
    const sent = body(file(noise(10_000)))
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": length }
    const { file: upload } = await Effect.runPromise(readForm(reading([sent]), headers, { hashed: false }))
    expect(Buffer.concat(upload?.audio.chunks ?? []).equals(Buffer.from(noise(10_000)))).toBe(true)
  })

  it("has no file where there is none, or where it is a mere text", async () => {
    expect((await receive(body())).form).toEqual({ fields: [], file: null })
    expect((await receive(body({ name: "file", value: "words" }))).form?.file).toBeNull()
    expect((await receive(body(file(noise(10), "audio")))).form?.file).toBeNull()
  })

  it("has an empty file where it is empty", async () => {
    expect((await receive(body(file(new Uint8Array(0))))).form?.file?.audio).toMatchObject({ chunks: [], size: 0 })
  })

  it("has one file: further ones are passed over", async () => {
    const { form } = await receive(body(file(noise(10)), file(noise(20))))
    expect(form?.file?.audio.size).toBe(10)
  })

  it("keeps a file of 26,214,400 bytes whole, and counts a larger one without keeping it", async () => {
    const most = await receive(body(file(new Uint8Array(26_214_400))))
    expect(most.form?.file?.audio.size).toBe(26_214_400)
    expect(most.form?.file?.audio.chunks.length).toBeGreaterThan(0)
    const more = await receive(body(file(new Uint8Array(26_214_401)), { name: "mode", value: "x" }))
    expect(more.form?.file?.audio).toMatchObject({ size: 26_214_401, chunks: [] })
    expect(more.form?.fields).toEqual([["mode", "x"]])
  })

  it("is not waited for when it has no end: 413", async () => {
    const { code, status } = await receive(body(file(new Uint8Array(110_000_000))))
    expect({ code, status }).toEqual({ code: "file_too_large", status: 413 })
  })

  it.each<[string, Uint8Array, RegExp]>([
    ["cut off", body(file(noise(100))).subarray(0, -20), /not valid multipart/],
    ["another boundary", Buffer.from("--other\r\n\r\n--other--\r\n"), /not valid multipart/],
    [
      "no part has a name",
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${boundary}--\r\n`),
      /not valid/
    ],
    ["a field of 100 KB", body({ name: "prompt", value: "x".repeat(100_000) }), /more than 65536 bytes/],
    ["1,000 fields", body(...Array.from({ length: 1000 }, () => ({ name: "keyterm", value: "x" }))), /more than 200/]
  ])("is refused when it cannot be read: %s", async (_, bytes, sentence) => {
    const { code, detail, status } = await receive(bytes)
    expect({ code, status }).toEqual({ code: "invalid_request", status: 400 })
    expect(detail).toMatch(sentence)
  })
})

describe("a fingerprint", () => {
  const of = (fields: FormFields, digest = "a") => speechFingerprint("transcriptions", fields, digest)

  // Verifies: H-112.
  it("is the same for the same route, fields and file, in whatever order the fields came", () => {
    expect(
      of([
        ["model", "a"],
        ["mode", "b"]
      ])
    ).toBe(
      of([
        ["mode", "b"],
        ["model", "a"]
      ])
    )
    expect(of([])).toMatch(/^[0-9a-f]{64}$/)
  })

  // Verifies: H-112.
  it("is another one for anything else", () => {
    const all = [
      of([]),
      of([], "b"),
      speechFingerprint("translations", [], "a"),
      of([["model", "a"]]),
      of([["model", "ab"]]),
      of([
        ["model", "a"],
        ["b", ""]
      ]),
      of([
        ["keyterm", "one"],
        ["keyterm", "two"]
      ]),
      of([
        ["keyterm", "two"],
        ["keyterm", "one"]
      ])
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})
