/** Which requests a page of another origin may have made: docs/reference/access.md#origin. The suites of the hosts have the rest. */
import { describe, expect, it } from "vitest"
import {
  isFromOwnOrigin,
  isFromOwnPage,
  type OriginRequest,
  originOf
} from "../../../src/platform/accounts/OriginCheck.ts"

const none = { allowed: new Set<string>(), dashboard: null }
const request = (headers: OriginRequest["headers"], source: object = {}, method = "POST") => ({
  method,
  headers,
  source
})

describe("a request of a page", () => {
  it.each([
    ["https://own.example", "own.example", true],
    ["https://own.example", "own.example:443", true],
    ["http://own.example", "own.example:80", true],
    ["https://own.example:8443", "own.example:8443", true],
    ["https://OWN.example", "Own.Example", true],
    ["http://[::1]:8787", "[::1]:8787", true],
    ["https://own.example:8443", "own.example", false],
    ["https://own.example", "own.example:80", false],
    ["https://own.example.evil.example", "own.example", false],
    ["https://evil.example/own.example", "own.example", false],
    ["null", "null", false],
    ["file://", "", false],
    ["", "own.example", false],
    ["https://own.example", "not a host/", false]
  ])("of the origin %j to the host %j is an own one: %s", (origin, host, isOwn) => {
    expect(isFromOwnPage(request({ origin, host }), none)).toBe(isOwn)
  })

  it("to a host of the fetch API is compared with the host of its URL", () => {
    const source = new Request("https://own.example/calling/api/v1/bots", { method: "POST" })
    expect(isFromOwnPage(request({ origin: "https://own.example" }, source), none)).toBe(true)
    expect(isFromOwnPage(request({ origin: "https://evil.example" }, source), none)).toBe(false)
  })

  it("says where it comes from once, and in known words", () => {
    for (const site of ["cross-site", "same-site", "same-origin, none", "Same-Origin", ""]) {
      expect(isFromOwnPage(request({ "sec-fetch-site": site, host: "own.example" }), none), site).toBe(false)
    }
  })

  it("that only reads may come from anywhere, but not one that opens a WebSocket", () => {
    const headers = { origin: "https://evil.example", host: "own.example" }
    for (const method of ["GET", "HEAD", "OPTIONS"])
      expect(isFromOwnPage(request(headers, {}, method), none)).toBe(true)
    expect(isFromOwnPage(request({ ...headers, upgrade: "websocket" }, {}, "GET"), none)).toBe(false)
  })

  it("of the dashboard's configured address is an own one where the browser does not say the site", () => {
    const own = { ...none, dashboard: originOf("https://app.example.com/phone/") }
    expect(isFromOwnPage(request({ origin: "https://app.example.com", host: "inside:8787" }), own)).toBe(true)
    expect(isFromOwnPage(request({ origin: "https://other.example.com", host: "inside:8787" }), own)).toBe(false)
    const crossSite = { origin: "https://app.example.com", "sec-fetch-site": "cross-site", host: "inside:8787" }
    expect(isFromOwnPage(request(crossSite), own)).toBe(false)
  })

  it("to sign in is checked whatever its method and its credential", () => {
    const foreign = { origin: "https://evil.example", host: "own.example", authorization: "Bearer svc_1" }
    for (const method of ["GET", "POST", "DELETE"]) {
      expect(isFromOwnOrigin(request(foreign, {}, method), null)).toBe(false)
      expect(isFromOwnOrigin(request({ host: "own.example" }, {}, method), null)).toBe(true)
    }
  })
})
