/** Verifies: OPAI-5. */
import { assert, describe, it } from "@effect/vitest"
import type { Audio } from "@trunkline/core/provider"
import { type Fields, multipart as formOf } from "../../src/http/index.ts"
import { formFileOf } from "../../src/upstream/AudioFile.ts"
import { recording } from "../upstream/Works.ts"

const multipart = (fields: Fields, audio: Audio) => formOf(fields, formFileOf(audio))

const joined = (chunks: ReadonlyArray<Uint8Array>) => new Uint8Array(Buffer.concat(chunks))
/** By the platform's own parser. */
const parsed = ({ chunks, contentType }: ReturnType<typeof multipart>) =>
  new Response(joined(chunks), { headers: { "content-type": contentType } }).formData()

describe("a form", () => {
  it("is read by others as it was meant, in its order", async () => {
    const fields = [
      ["model", "saaras:v3"],
      ["keyterm", "नमस्ते"],
      ["keyterm", "two\r\nlines"],
      ['odd"name', "--trunkline"]
    ] as const
    const audio = recording()
    const form = await parsed(multipart(fields, audio))
    const [file] = form.getAll("file")
    assert.instanceOf(file, File)
    const read = [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
    assert.deepStrictEqual(
      read,
      fields.map((field) => [...field])
    )
    assert.deepStrictEqual([file.name, file.type, file.size], ["talk.wav", "audio/wav", audio.size])
    assert.deepStrictEqual(new Uint8Array(await file.arrayBuffer()), joined(audio.chunks))
  })

  it("says its length beforehand", () => {
    for (const sizes of [[], [1], [70_000, 3]]) {
      const body = multipart([["a", "ü"]], recording({}, sizes))
      assert.strictEqual(body.size, joined(body.chunks).length)
    }
  })

  it("passes the file's parts on as they are", () => {
    const audio = recording()
    const { chunks } = multipart([], audio)
    for (const [index, chunk] of audio.chunks.entries()) assert.strictEqual(chunks[index + 1], chunk)
  })

  it("ends where nobody can foresee", () => {
    const boundaries = [1, 2].map(() => multipart([], recording()).contentType)
    assert.notStrictEqual(boundaries[0], boundaries[1])
  })

  it("cannot be broken out of by a file's name", async () => {
    const name = 'a"\r\nContent-Type: text/html\r\n\r\nx.wav'
    const form = await parsed(multipart([], recording({ fileName: name })))
    const file = form.get("file")
    assert.instanceOf(file, File)
    assert.strictEqual(file.type, "audio/wav")
    assert.lengthOf([...form], 1)
  })
})
