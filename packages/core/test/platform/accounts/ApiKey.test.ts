import { describe, expect, it } from "vitest"
import * as ApiKey from "../../../src/platform/accounts/ApiKey.ts"
import { seconds, start } from "../../calling/calls/SampleCall.ts"
import { key } from "./Principals.ts"

const bytes = (...values: ReadonlyArray<number>) => Uint8Array.from(values)
const filled = (value: number) => new Uint8Array(80).fill(value)

describe("the text of a key", () => {
  // Verifies: D-200.
  it("is the prefix and 40 characters of base 62", () => {
    const text = ApiKey.make("svc_")
    expect(text).toMatch(/^svc_[0-9A-Za-z]{40}$/)
    expect(ApiKey.make("acme_")).toMatch(/^acme_[0-9A-Za-z]{40}$/)
  })

  it("is never the same twice", () => {
    expect(new Set(Array.from({ length: 500 }, () => ApiKey.make("svc_"))).size).toBe(500)
  })

  it("has each of the 62 characters for equally many of the 256 bytes, and skips the other eight", () => {
    const from = new Map<string, number>()
    for (let byte = 0; byte < 248; byte++) {
      const character = ApiKey.fromBytes("", filled(byte))![0]!
      from.set(character, (from.get(character) ?? 0) + 1)
    }
    expect(from.size).toBe(62)
    expect(new Set(from.values())).toEqual(new Set([4]))
    for (let byte = 248; byte < 256; byte++) expect(ApiKey.fromBytes("", filled(byte))).toBeUndefined()
    expect(ApiKey.fromBytes("", bytes(255, ...new Array<number>(40).fill(0)))).toBe("0".repeat(40))
    expect(ApiKey.fromBytes("", new Uint8Array(39))).toBeUndefined()
  })

  // Verifies: D-221.
  it("is shown later by its first 8 characters after the prefix alone", () => {
    expect(ApiKey.prefixOf("svc_abcdefghIJKLMNOP", "svc_")).toBe("svc_abcdefgh")
  })
})

describe("the expiry of a key", () => {
  it("is the first instant at which it is no longer valid", () => {
    expect(ApiKey.isExpired({ ...key, expiresAt: null }, seconds(1_000_000))).toBe(false)
    expect(ApiKey.isExpired({ ...key, expiresAt: seconds(1) }, start)).toBe(false)
    expect(ApiKey.isExpired({ ...key, expiresAt: start }, start)).toBe(true)
  })
})
