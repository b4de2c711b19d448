/** The registry of the codes of `/v1/*` and its page of the documentation. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import {
  type InferenceCode,
  inferenceCodes,
  refuse,
  refuseFields,
  retryAfterOf,
  typeOf
} from "../../../src/gateway/errors/index.ts"

const codes = Object.keys(inferenceCodes) as ReadonlyArray<InferenceCode>

const page = readFileSync(new URL("../../../../../docs/reference/errors.md", import.meta.url), "utf8")
const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \| `(\w+)` \| (.+) \| (\w+) \|$/gm)]

describe("the registry of inference codes", () => {
  // Verifies: G-10, G-154, G-170, G-174, G-175, G-176, G-183, G-193, H-30.
  it("is what docs/reference/errors.md lists, row by row and in its order", () => {
    expect(rows.map(([, code, status, type, , retry]) => [code, Number(status), type, retry])).toEqual(
      codes.map((code) => [code, inferenceCodes[code].status, typeOf(code), inferenceCodes[code].retry])
    )
  })

  it("says in whole sentences what happened", () => {
    for (const code of codes) expect(inferenceCodes[code].message, code).toMatch(/^\w.*\.$|^Not Found$/)
  })

  it.each([
    ["invalid_request", undefined, "invalid_request_error"],
    ["invalid_request", 415, "invalid_request_error"],
    ["invalid_request", 422, "invalid_request_error"],
    ["api_key_expired", undefined, "authentication_error"],
    ["budget_exceeded", undefined, "insufficient_quota"],
    ["quota_exceeded", undefined, "insufficient_quota"],
    ["rate_limit_exceeded", undefined, "rate_limit_error"],
    ["permission_denied", undefined, "permission_error"],
    ["idempotency_key_reused", undefined, "invalid_request_error"],
    ["service_unavailable", 503, "api_error"],
    ["internal_error", undefined, "api_error"]
    // Verifies: H-16, H-17, H-18, H-19, H-20, H-21.
  ] as const)("has for %s with status %s the type %s", (code, status, type) => {
    expect(typeOf(code, status)).toBe(type)
  })
})

describe("a refusal", () => {
  it("has the status and sentence of its code, unless there are better ones", () => {
    expect(refuse("permission_denied")).toMatchObject({ status: 403, detail: inferenceCodes.permission_denied.message })
    expect(refuse("service_unavailable", { status: 503, message: "Later." })).toMatchObject({
      status: 503,
      detail: "Later.",
      param: null,
      showsRequestId: false
    })
  })

  // Verifies: G-197, H-110.
  it("says how long to wait on every 429 and while a first run goes on, and nowhere else by itself", () => {
    const waits = codes.filter((code) => retryAfterOf(refuse(code)) !== null)
    expect(waits).toEqual([
      "idempotency_in_progress",
      "rate_limit_exceeded",
      "quota_exceeded",
      "too_many_concurrent_requests"
    ])
    expect(retryAfterOf(refuse("rate_limit_exceeded", { retryAfterSeconds: 7 }))).toBe(7)
    expect(retryAfterOf(refuse("model_under_maintenance", { retryAfterSeconds: 60 }))).toBe(60)
  })

  it("forbids the retries that client libraries would make in vain", () => {
    expect(codes.filter((code) => refuse(code).isPermanent)).toEqual([
      "idempotency_key_reused",
      "limit_reached",
      "quota_exceeded"
    ])
    expect(refuse("service_unavailable", { isPermanent: true }).isPermanent).toBe(true)
  })

  // Verifies: G-199.
  it("allows a retry of every code with status 500, 502 or 503", () => {
    const failures = codes.filter((code) => inferenceCodes[code].status >= 500)
    expect(new Set(failures.map((code) => inferenceCodes[code].status))).toEqual(new Set([500, 502, 503]))
    for (const code of failures) {
      expect(["now", "later"], code).toContain(inferenceCodes[code].retry)
      expect(refuse(code).isPermanent, code).toBe(false)
    }
  })

  // Verifies: H-159.
  it("does not mention operators, configuration or vendors", () => {
    for (const code of codes) {
      expect(inferenceCodes[code].message, code).not.toMatch(/operator|configur|upstream|sarvam|deepgram|openai/i)
    }
  })

  // Verifies: H-15.
  it("of fields names every one, and the first as the parameter", () => {
    const faults = [
      { field: "mode", message: "Expected a mode" },
      { field: "temperature", message: "Expected at most 2" }
    ]
    expect(refuseFields(faults)).toMatchObject({
      code: "invalid_request",
      status: 422,
      param: "mode",
      detail: "mode: Expected a mode; temperature: Expected at most 2"
    })
    expect(refuseFields([{ field: "", message: "Expected an object" }])).toMatchObject({
      param: null,
      detail: "Expected an object"
    })
  })
})
