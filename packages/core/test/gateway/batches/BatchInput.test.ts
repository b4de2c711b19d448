/** The input of a batch, line by line: docs/reference/batches.md#input. Verifies: BATC-2. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { BatchInput, type InputLine } from "../../../src/gateway/batches/BatchInput.ts"

const endpoint = "/v1/chat/completions"

const request = (over: object = {}): object => ({
  custom_id: "a",
  method: "POST",
  url: endpoint,
  body: { model: "m" },
  ...over
})

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === "string" ? new TextEncoder().encode(text) : text

/** Checks an input that comes in chunks of a size. */
const check = (text: string | Uint8Array, { maxRequests = 100, size = 1000 } = {}) => {
  const input = new BatchInput({ endpoint, maxRequests })
  const bytes = bytesOf(text)
  const lines: Array<InputLine> = []
  for (let from = 0; from < bytes.byteLength; from += size) lines.push(...input.add(bytes.slice(from, from + size)))
  lines.push(...input.end())
  return { lines, faults: input.faults, total: input.total }
}

const faultsOf = (text: string | Uint8Array, options = {}) =>
  check(text, options).faults.map(({ code, line, param }) => [code, line, param])

const valid = (n: number): string => JSON.stringify(request({ custom_id: `line ${n}` }))

describe("the input of a batch", () => {
  // Verifies: H-733, H-734.
  it.each([
    ["nothing", "", [["empty_file", null, null]]],
    ["blank lines", " \n\r\n\t\n", [["empty_file", null, null]]],
    ["no JSON", `${valid(1)}\n\n{`, [["invalid_json", 3, null]]],
    ["an array", "[]", [["invalid_json", 1, null]]],
    ["what is no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), [["invalid_json", 1, null]]],
    [
      "JSON that is nested too deeply",
      `${valid(1)}\n{"a":${"[".repeat(500)}${"]".repeat(500)}}`,
      [["json_too_deep", 2, null]]
    ],
    ["too many elements", `{"a":[${"0,".repeat(200_000)}0]}\n${valid(2)}`, [["json_too_large", 1, null]]],
    ["no custom_id", request({ custom_id: undefined }), [["missing_custom_id", 1, "custom_id"]]],
    ["an empty custom_id", request({ custom_id: "" }), [["missing_custom_id", 1, "custom_id"]]],
    ["a custom_id that is no text", request({ custom_id: 1 }), [["missing_custom_id", 1, "custom_id"]]],
    ["the same custom_id twice", `${valid(1)}\n${valid(1)}`, [["duplicate_custom_id", 2, "custom_id"]]],
    ["another method", request({ method: "GET" }), [["invalid_method", 1, "method"]]],
    ["another url", request({ url: "/v1/responses" }), [["invalid_url", 1, "url"]]],
    ["no body", request({ body: "x" }), [["invalid_body", 1, "body"]]],
    ["no model", request({ body: {} }), [["invalid_body", 1, "body.model"]]],
    ["a stream", request({ body: { model: "m", stream: true } }), [["invalid_body", 1, "body.stream"]]],
    [
      "everything at once",
      {},
      [
        ["missing_custom_id", 1, "custom_id"],
        ["invalid_method", 1, "method"],
        ["invalid_url", 1, "url"],
        ["invalid_body", 1, "body"]
      ]
    ]
  ])("with %s is faulty", (_, input, faults) => {
    const text = typeof input === "string" || input instanceof Uint8Array ? input : JSON.stringify(input)
    expect(faultsOf(text)).toEqual(faults)
  })

  // Verifies: H-734.
  it("with more requests than allowed has one fault, at the first of them", () => {
    const text = Array.from({ length: 5 }, (_, n) => valid(n)).join("\n")
    expect(faultsOf(text, { maxRequests: 3 })).toEqual([["too_many_requests", 4, null]])
    expect(check(text, { maxRequests: 5 })).toMatchObject({ faults: [], total: 5 })
  })

  // Verifies: H-734.
  it("names the first 100 faults", () => {
    expect(faultsOf("x\n".repeat(200), { maxRequests: 1000 })).toHaveLength(100)
  })

  it("may begin with a mark of its byte order, end without a newline, and have the line ends of Windows", () => {
    expect(check(`\ufeff${valid(1)}\r\n${valid(2)}`)).toMatchObject({ faults: [], total: 2 })
  })

  // Verifies: H-731.
  it("is the same lines in whatever chunks it comes, each where its bytes stand", () => {
    const text = fc.array(
      fc.constantFrom("", " ", ...Array.from({ length: 20 }, (_, n) => valid(n)), valid(7).replace("7", "✓")),
      {
        maxLength: 12
      }
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 90 }), (lines, size) => {
        const whole = lines.join("\n")
        const pieces = check(whole, { size })
        expect(pieces).toEqual(check(whole, { size: 100_000 }))
        const bytes = bytesOf(whole)
        for (const { byteLength, customId, fromByte, n } of pieces.lines) {
          const line = new TextDecoder().decode(bytes.subarray(fromByte, fromByte + byteLength))
          expect(line).toBe(lines[n - 1])
          expect(JSON.stringify(JSON.parse(line).custom_id)).toBe(customId)
        }
      })
    )
  })
})
