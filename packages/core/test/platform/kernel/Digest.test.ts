/** One SHA-256, one HMAC and one comparison of secrets for everything that proves something: docs/reference/access.md#keys. */

import { createHash, createHmac } from "node:crypto"
import { hmacSha256Hex, sha256Hex, timingSafeEqual } from "@trunkline/core/provider"
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sha256Stream } from "../../../src/platform/kernel/index.ts"

const texts = unicodeText()
const bytes = fc.uint8Array({ maxLength: 200 })

describe("a digest", () => {
  it("is SHA-256 in hex, of a text in UTF-8 as of bytes", () => {
    fc.assert(
      fc.property(fc.oneof(texts, bytes), (data) => {
        expect(sha256Hex(data)).toBe(createHash("sha256").update(data).digest("hex"))
      })
    )
  })

  it("is the same when the bytes come in parts", () => {
    fc.assert(
      fc.property(fc.array(bytes), (parts) => {
        const stream = sha256Stream()
        for (const part of parts) stream.update(part)
        expect(stream.end()).toBe(sha256Hex(Buffer.concat(parts)))
      })
    )
  })

  it("with a key is HMAC-SHA256", () => {
    fc.assert(
      fc.property(fc.oneof(texts, bytes), fc.oneof(texts, bytes), (key, data) => {
        expect(hmacSha256Hex(key, data)).toBe(createHmac("sha256", key).update(data).digest("hex"))
      })
    )
  })
})

describe("a secret", () => {
  it("equals itself alone", () => {
    const digest = sha256Hex("svc_x")
    expect(timingSafeEqual(digest, digest)).toBe(true)
    expect(timingSafeEqual(digest, digest.slice(0, -1))).toBe(false)
    expect(timingSafeEqual(digest.slice(0, -1), digest)).toBe(false)
    expect(timingSafeEqual("", digest)).toBe(false)
    for (let i = 0; i < digest.length; i++) {
      const other = digest.slice(0, i) + (digest[i] === "0" ? "1" : "0") + digest.slice(i + 1)
      expect(timingSafeEqual(digest, other)).toBe(false)
    }
  })
})
