/** Who delivers: docs/reference/messaging.md#inbound. */
import { inbound, inboundMessages, signed } from "@trunkline/testing/messaging"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sameSecret } from "../../src/chat/SameSecret.ts"
import { verifyInbound } from "../../src/cloud-api/InboundSignature.ts"

const secret = "app-secret"
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const body = inboundMessages(inbound.text("Grüße 👋🏽 こんにちは"))

const headerOf = (of: unknown, key = secret) => signed(of, key).headers["x-hub-signature-256"] ?? ""

describe("a delivery", () => {
  // Verifies: M-4, N-15.
  it("is the platform's when its bytes are signed, with letters escaped as the platform does", () => {
    const delivered = signed(body, secret)
    expect(new TextDecoder().decode(delivered.bytes)).toMatch(/^[\x20-\x7e]+$/)
    expect(new TextDecoder().decode(delivered.bytes)).toContain("\\ud83d\\udc4b")
    expect(verifyInbound(secret, headerOf(body), delivered.bytes)).toBe(true)
  })

  it("is the platform's when its letters are not escaped, and signed so", () => {
    const text = JSON.stringify(body)
    expect(text).toContain("👋🏽")
    expect(verifyInbound(secret, headerOf(text), bytes(text))).toBe(true)
  })

  it("is not, once it was parsed and written again", () => {
    const again = JSON.stringify(JSON.parse(new TextDecoder().decode(signed(body, secret).bytes)))
    expect(verifyInbound(secret, headerOf(body), bytes(again))).toBe(false)
    expect(verifyInbound(secret, headerOf(again), signed(body, secret).bytes)).toBe(false)
  })

  it("may be any bytes, and none of them changed", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (raw, place, bits) => {
          const text = String.fromCharCode(...raw)
          const header = headerOf(text)
          const sent = bytes(text)
          expect(verifyInbound(secret, header, sent)).toBe(true)
          const changed = sent.slice()
          changed[place % sent.length]! ^= bits
          expect(verifyInbound(secret, header, changed)).toBe(false)
        }
      )
    )
  })

  it("is proven as the standard's own example is", () => {
    // RFC 4231, test case 2.
    const header = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    expect(verifyInbound("Jefe", header, bytes("what do ya want for nothing?"))).toBe(true)
  })

  it("is not with another digest, wherever it differs", () => {
    const header = headerOf(body)
    for (let i = "sha256=".length; i < header.length; i++) {
      const other = header[i] === "0" ? "1" : "0"
      const changed = header.slice(0, i) + other + header.slice(i + 1)
      expect(verifyInbound(secret, changed, signed(body, secret).bytes)).toBe(false)
    }
  })

  it.each<[what: string, header: string | null | undefined]>([
    ["no header", undefined],
    ["null", null],
    ["an empty one", ""],
    ["no digest", "sha256="],
    ["a digest alone", headerOf(body).slice(7)],
    ["another algorithm", `sha1=${"0".repeat(40)}`],
    ["a short digest", headerOf(body).slice(0, -1)],
    ["a long digest", `${headerOf(body)}0`],
    ["two of them", `${headerOf(body)}, ${headerOf(body)}`],
    ["a line break", `${headerOf(body)}\n`],
    ["one of another secret", headerOf(body, "another")]
  ])("is not with %s", (_, header) => {
    expect(verifyInbound(secret, header, signed(body, secret).bytes)).toBe(false)
  })

  // Verifies: N-15.
  it("is nobody's where no secret is set: an empty one is everybody's", () => {
    const delivered = signed(body, "")
    expect(verifyInbound("", delivered.headers["x-hub-signature-256"], delivered.bytes)).toBe(false)
  })

  it("never makes the check throw", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.uint8Array(), (key, header, raw) => {
        expect(verifyInbound(key, header, raw)).toBe(false)
      })
    )
  })
})

describe("a verify token", () => {
  // Verifies: N-14.
  it("is the expected one or it is not, and no token is nobody's", () => {
    expect(sameSecret("tøken", "tøken")).toBe(true)
    for (const other of ["", "token", "tøken ", "tøke", "tøkem"]) expect(sameSecret("tøken", other)).toBe(false)
    expect(sameSecret("", "")).toBe(false)
  })
})
