/** Interim answers that a client reads past, in whatever pieces they come. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { InterimHeads } from "../../../src/platform/kernel/index.ts"

const interim = fc.constantFrom(
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 100\r\nx: HTTP/1.1 100\r\n\r\n",
  "HTTP/1.0 100 Continue\r\nx: 1\r\n\r\n",
  "HTTP/1.1 102 Processing\r\n\r\n",
  "\r\nHTTP/1.1 103 Early Hints\r\nlink: <100>\r\n\r\n"
)

const answer = fc.constantFrom(
  "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 404 Not Found\r\n\r\n\r\nHTTP/1.1 100 no head\r\n",
  "nothing that is HTTP\r\n\r\n"
)

/** Reads a text cut at these places. */
const read = (heads: InterimHeads, text: string, cuts: ReadonlyArray<number>): string => {
  const bytes = new TextEncoder().encode(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  const pieces = places.slice(1).map((end, nth) => bytes.slice(places[nth], end))
  for (const piece of pieces) heads.rewrite(piece)
  return new TextDecoder().decode(Buffer.concat(pieces))
}

describe("interim answers", () => {
  it("are 102 where they are 100, and all else stays as it is, however it is cut, for each request anew", () => {
    const exchange = fc.record({ before: fc.array(interim, { maxLength: 4 }), answer, cuts: fc.array(fc.nat()) })
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 3 }), (exchanges) => {
        const heads = new InterimHeads()
        for (const { answer, before, cuts } of exchanges) {
          heads.await()
          const expected = before.map((head) => head.replace(/^(\s*HTTP\/1\.\d) 100/, "$1 102")).join("") + answer
          expect(read(heads, before.join("") + answer, cuts)).toBe(expected)
        }
      })
    )
  })

  it("are none before a request was sent", () => {
    const text = "HTTP/1.1 100 Continue\r\n\r\n"
    expect(read(new InterimHeads(), text, [])).toBe(text)
  })
})
