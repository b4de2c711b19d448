/** Which form of a file a client gets: docs/reference/dashboard.md#paths. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formFor, isKnown } from "../../../src/dashboard/pages/ContentCoding.ts"

const bytes = (length: number) => new Uint8Array(length)
const file = { type: "text/css", digest: "d", bytes: bytes(30), brotli: bytes(10), gzip: bytes(20) }

const codingFor = (accepted: string | undefined, of = file as Parameters<typeof formFor>[0]) =>
  formFor(of, accepted).coding

describe("the form of a file", () => {
  it.each([
    [undefined, null],
    ["", null],
    ["br", "br"],
    ["gzip, br", "br"],
    ["x-gzip", "gzip"],
    ["gzip;q=0.9, br;q=0.8", "gzip"],
    ["gzip; Q=0.9 , br ; q=0.8", "gzip"],
    ["br;q=0, gzip;q=0", null],
    ["*;q=0.1", "br"],
    ["*;q=0", null],
    ["identity, gzip;q=0.5", null],
    ["br;q=nonsense", null],
    ["zstd", null]
  ])("for Accept-Encoding %j is %j", (accepted, coding) => {
    expect(codingFor(accepted)).toBe(coding)
  })

  it("is the file itself where no compressed one was smaller", () => {
    expect(codingFor("br, gzip", { ...file, brotli: null })).toBe("gzip")
    expect(codingFor("br, gzip", { ...file, brotli: null, gzip: null })).toBeNull()
  })

  it("is never one that a client has refused, whatever the client writes", () => {
    const part = fc.tuple(
      fc.constantFrom("br", "gzip", "identity", "*", "deflate"),
      fc.constantFrom("", ";q=0", ";q=0.5", ";q=1", ";q=2")
    )
    fc.assert(
      fc.property(fc.uniqueArray(part, { selector: ([name]) => name }), (parts) => {
        const accepted = parts.map(([name, weight]) => name + weight).join(", ")
        const { bytes, coding, tag } = formFor(file, accepted)
        expect(bytes.length).toBe({ br: 10, gzip: 20, plain: 30 }[coding ?? "plain"])
        if (coding === null) return
        expect(accepted).not.toMatch(new RegExp(`\\b${coding};q=[02](?:,|$)`))
        expect(tag).toBe(`"d-${coding}"`)
      })
    )
  })

  it("is known to a client that names its tag, weak or not, and to no other", () => {
    const form = formFor(file, "br")
    for (const named of ['"d-br"', 'W/"d-br"', '"a", "d-br"', "*"]) expect(isKnown(form, named), named).toBe(true)
    for (const named of [undefined, "", '"d"', '"d-gzip"', "d-br"]) expect(isKnown(form, named), named).toBe(false)
  })
})
