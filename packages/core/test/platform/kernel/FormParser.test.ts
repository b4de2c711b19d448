/** Verifies: KERN-6. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type FormFault, FormParser } from "../../../src/platform/kernel/FormParser.ts"

const limits = { maxParts: 5, maxFieldSize: 100 }

interface Parsed {
  readonly fault: FormFault | null
  readonly fields: ReadonlyArray<readonly [string, string]>
  readonly files: ReadonlyArray<{ readonly name: string; readonly filename: string; readonly text: string }>
}

/** A body in pieces of at most `size` bytes. */
const parse = (body: string | Uint8Array, contentType = "multipart/form-data; boundary=b", size = 1 << 20): Parsed => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  const fields: Array<readonly [string, string]> = []
  const files: Array<{ readonly name: string; readonly filename: string; text: string }> = []
  const parser = new FormParser({ "content-type": contentType }, limits, {
    field: (name, value) => void fields.push([name, value]),
    file: ({ filename, name }) => {
      const file = { name, filename, text: "" }
      files.push(file)
      return (piece) => {
        file.text += new TextDecoder().decode(piece)
      }
    }
  })
  for (let at = 0; at < bytes.length; at += size) parser.write(bytes.subarray(at, at + size))
  parser.end()
  return { fault: parser.fault, fields, files }
}

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f.wav"\r\nContent-Type: audio/wav\r\n\r\n${text}\r\n`
const end = "--b--\r\n"

describe("a form", () => {
  it("is read in whatever pieces it comes", () => {
    const body = field("model", "whisper") + file("file", "RIFF") + field("language", "en") + end
    for (const size of [1, 2, 3, 7, 1 << 20]) {
      expect(parse(body, undefined, size)).toEqual({
        fault: null,
        fields: [
          ["model", "whisper"],
          ["language", "en"]
        ],
        files: [{ name: "file", filename: "f.wav", text: "RIFF" }]
      })
    }
  })

  it("is malformed where the headers of a part do not end, whatever stands before it", () => {
    for (const before of ["", field("model", "whisper"), file("file", "RIFF")]) {
      for (const size of [1, 4, 1 << 20]) {
        const { fault, fields, files } = parse(`${before}--b\r\nA\r\n${end}`, undefined, size)
        expect([before, fault]).toEqual([before, "malformed"])
        expect(fields.length + files.length).toBe(before === "" ? 0 : 1)
      }
    }
  })

  it("is malformed without a boundary, with an empty one, and with one of more than 70 characters", () => {
    const boundaries = ["", "; boundary=", '; boundary=""', `; boundary=${"b".repeat(71)}`]
    for (const boundary of boundaries) {
      expect(parse(`--\r\nA\r\n----\r\n`, `multipart/form-data${boundary}`).fault).toBe("malformed")
    }
    const long = "b".repeat(70)
    const body = (field("a", "1") + end).replaceAll("--b", `--${long}`)
    expect(parse(body, `multipart/form-data; boundary="${long}"`).fields).toEqual([["a", "1"]])
  })

  it("ends with its closing boundary: what follows is no part of it", () => {
    expect(parse(field("a", "1") + end + field("b", "2"))).toMatchObject({ fault: null, fields: [["a", "1"]] })
    expect(parse(`${field("a", "1")}${end}--b\r\nA\r\n${end}`)).toMatchObject({ fault: null, fields: [["a", "1"]] })
  })

  it("is malformed without its closing boundary", () => {
    expect(parse(field("a", "1")).fault).toBe("malformed")
    expect(parse("").fault).toBe("malformed")
  })

  it("is refused with too many parts and with a field that is too large", () => {
    expect(parse(field("a", "1").repeat(6) + end).fault).toBe("too_many_parts")
    expect(parse(field("a", "1".repeat(101)) + end).fault).toBe("field_too_large")
  })

  it("is read or refused, and nothing is thrown, whatever bytes come in whatever pieces", () => {
    const scrap = fc.constantFrom(
      "--b",
      "--b--",
      "\r\n",
      "\r\n\r\n",
      "\n",
      ":",
      "A",
      "Content-Disposition",
      ': form-data; name="a"',
      '; filename="f"',
      ": form-data",
      "; filename*=utf-8''%e2%82%ac",
      "Content-Type: text/plain; charset=nope",
      "\0",
      "é",
      "--",
      '"'
    )
    const body = fc.oneof(
      fc.array(scrap, { maxLength: 30 }).map((scraps) => new TextEncoder().encode(scraps.join(""))),
      fc.uint8Array({ maxLength: 300 })
    )
    const contentType = fc.oneof(
      fc.constant("multipart/form-data; boundary=b"),
      fc.string().map((text) => `multipart/form-data; boundary=${text}`),
      fc.string()
    )
    fc.assert(
      fc.property(body, contentType, fc.integer({ min: 1, max: 40 }), (bytes, type, size) => {
        parse(bytes, type, size)
      }),
      { numRuns: 2_000 }
    )
  })
})
