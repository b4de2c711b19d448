/** Who may use `/v1/*`: docs/reference/access.md#inference, row by row. Verifies: INFE-1. */

import { type ApiKeys, Ids, Instant } from "@trunkline/core/storage"
import { describe, expect, it } from "vitest"
import { Admission } from "../../../src/gateway/admission/index.ts"
import type { Principal } from "../../../src/platform/accounts/index.ts"

const at = Instant.make(Date.UTC(2026, 10, 21))
const day = (n: number) => Instant.plus(at, n * Instant.day)

const account: Principal["account"] = {
  id: Ids.as("00000000-0000-7000-8000-000000000001"),
  name: "Account",
  plan: "free",
  status: "active",
  voiceCampaigns: false,
  paymentMethod: "verified",
  paymentDeadline: null,
  monthlyBudget: null,
  createdAt: at,
  updatedAt: at
}

const key: ApiKeys.ApiKey = {
  id: Ids.as("00000000-0000-7000-8000-000000000002"),
  tenantId: account.id,
  hash: "",
  prefix: "svc_",
  name: null,
  scopes: ["usage:read"],
  permissions: ["stt"],
  budget: null,
  budgetPeriod: "total",
  allowedModels: null,
  allowedDomains: null,
  searchProviders: null,
  requestsPerMinute: null,
  concurrency: null,
  expiresAt: null,
  revokedAt: null,
  createdAt: at,
  createdBy: "operator",
  previousHash: null,
  previousPrefix: null,
  previousUntil: null
}

const byKey = (more: Partial<ApiKeys.ApiKey> = {}, of: Partial<Principal["account"]> = {}): Principal => ({
  tenantId: account.id,
  account: { ...account, ...of },
  caller: { _tag: "Key", key: { ...key, ...more } }
})

const byPerson = (role: string): Principal => ({
  tenantId: account.id,
  account,
  caller: { _tag: "User", subject: "ada", name: null, role, signIn: { _tag: "Host" } }
})

const none: Admission.Needs = { signedIn: "nobody", permissions: [], scope: null }
const nowhere = { origin: undefined, referer: undefined }

const codeOf = (
  principal: Principal,
  needs: Partial<Admission.Needs> = {},
  from: Partial<Admission.Origin> = {},
  when = at
) => Admission.refusalOf(principal, { ...none, ...needs }, { ...nowhere, ...from }, when)?.code ?? null

describe("admission", () => {
  // Verifies: H-3, H-4, H-5.
  it("refuses by the first that fails of account, payment, permission and domain", () => {
    const wrong = { permissions: [], allowedDomains: ["a.test"] } as const
    const needs = { permissions: ["stt"] } as const
    expect(codeOf(byKey(wrong, { status: "inactive", paymentMethod: "missing" }), needs)).toBe("account_inactive")
    expect(codeOf(byKey(wrong, { paymentMethod: "missing" }), needs)).toBe("payment_method_required")
    expect(codeOf(byKey(wrong), needs)).toBe("permission_denied")
    expect(codeOf(byKey({ ...wrong, permissions: ["stt"] }), needs)).toBe("domain_not_allowed")
    expect(codeOf(byKey({ permissions: ["stt"] }), needs)).toBeNull()
  })

  it.each([
    ["active", null],
    ["inactive", "account_inactive"],
    ["terminated", "account_terminated"]
    // Verifies: G-39.
  ] as const)("answers an account that is %s with %s", (status, code) => {
    expect(codeOf(byKey({}, { status }))).toBe(code)
  })

  it.each([
    ["verified", null, 0, null],
    ["missing", null, 0, "payment_method_required"],
    ["grace", null, 1000, null],
    ["grace", day(1), 0, null],
    ["grace", day(1), Instant.day - 1, null],
    ["grace", day(1), Instant.day, "payment_method_required"]
    // Verifies: G-41, H-137.
  ] as const)("payment %s, deadline %s: after %s ms %s", (paymentMethod, paymentDeadline, after, code) => {
    expect(codeOf(byKey({}, { paymentMethod, paymentDeadline }), {}, {}, Instant.plus(at, after))).toBe(code)
  })

  // Verifies: G-30, G-138.
  it.each(["llm", "stt", "tts", "image", "search"] as const)("asks a key for the permission %s alone", (permission) => {
    const others = (["llm", "stt", "tts", "image", "search"] as const).filter((one) => one !== permission)
    expect(codeOf(byKey({ permissions: [permission] }), { permissions: [permission] })).toBeNull()
    expect(codeOf(byKey({ permissions: others }), { permissions: [permission] })).toBe("permission_denied")
  })

  it("asks a key for all permissions of a route before its domains", () => {
    const needs = { permissions: ["llm", "stt", "tts"] } as const
    const allowedDomains = ["a.test"]
    expect(codeOf(byKey({ permissions: ["llm", "stt"], allowedDomains }), needs)).toBe("permission_denied")
    expect(codeOf(byKey({ permissions: ["tts", "stt", "llm"], allowedDomains }), needs)).toBe("domain_not_allowed")
    expect(codeOf(byKey({ permissions: ["tts", "stt", "llm"] }), needs)).toBeNull()
  })

  // Verifies: H-140.
  it("asks a key for the scope of a route, which the star grants", () => {
    const scope = "usage:read"
    expect(codeOf(byKey(), { scope })).toBeNull()
    expect(codeOf(byKey({ scopes: ["*"] }), { scope })).toBeNull()
    expect(codeOf(byKey({ scopes: ["calls:read"] }), { scope })).toBe("permission_denied")
  })

  it.each([
    ["managers", "owner", null],
    ["managers", "admin", null],
    ["managers", "member", "permission_denied"],
    ["managers", "viewer", "permission_denied"],
    ["everybody", "viewer", null],
    ["nobody", "owner", "invalid_api_key"]
    // Verifies: H-91.
  ] as const)("a route for %s answers a person who is %s with %s", (people, role, code) => {
    expect(codeOf(byPerson(role), { signedIn: people, scope: "usage:read" })).toBe(code)
  })
})

describe("a key with allowed domains", () => {
  const judged = (allowedDomains: ReadonlyArray<string>, from: Partial<Admission.Origin>) =>
    codeOf(byKey({ allowedDomains }), {}, from) === null

  it.each([
    ["example.com", "https://example.com", true],
    ["example.com", "http://example.com:3000", true],
    ["example.com", "https://EXAMPLE.com", true],
    ["Example.COM", "https://example.com", true],
    ["example.com", "https://example.com.", true],
    ["example.com", "https://www.example.com", false],
    ["example.com", "https://example.com.evil.test", false],
    ["example.com", "https://notexample.com", false],
    ["example.com", "https://evil.test/example.com", false],
    ["example.com", "https://example.com@evil.test", false],
    ["*.example.com", "https://a.example.com", true],
    ["*.example.com", "https://a.b.example.com", true],
    ["*.example.com", "https://example.com", false],
    ["*.example.com", "https://notexample.com", false],
    ["*", "https://example.com", false],
    ["", "https://example.com", false],
    ["example.com:8080", "https://example.com:9090", true],
    ["https://example.com", "http://example.com", true],
    ["https://*.example.com:1", "http://a.example.com", true],
    [" example.com ", "https://example.com", true],
    ["bücher.example", "https://xn--bcher-kva.example", true],
    ["localhost", "http://localhost:5173", true],
    ["[::1]", "http://[::1]:5173", true],
    ["example.com", "null", false],
    ["example.com", "", false],
    ["example.com", "example.com", false]
    // Verifies: G-141, H-126.
  ])("%s accepts the origin %s: %s", (entry, origin, taken) => {
    expect(judged([entry], { origin })).toBe(taken)
  })

  it("needs one of its entries to fit, and with none admits nobody", () => {
    expect(judged(["a.test", "b.test"], { origin: "https://b.test" })).toBe(true)
    expect(judged([], { origin: "https://b.test" })).toBe(false)
  })

  // Verifies: H-126.
  it("reads Referer where there is no Origin, and Origin alone where there is one", () => {
    expect(judged(["a.test"], { referer: "https://a.test/page?q=1" })).toBe(true)
    expect(judged(["a.test"], { origin: "https://a.test", referer: "https://b.test/" })).toBe(true)
    expect(judged(["a.test"], { origin: "https://b.test", referer: "https://a.test/" })).toBe(false)
    expect(judged(["a.test"], { origin: "null", referer: "https://a.test/" })).toBe(false)
  })

  // Verifies: H-125.
  it("is refused without either", () => {
    expect(judged(["a.test"], {})).toBe(false)
  })

  it("does not bind people, who have no key", () => {
    expect(codeOf(byPerson("owner"), { signedIn: "managers" })).toBeNull()
  })
})

describe("lists of a key", () => {
  it.each([
    [null, true],
    [["a"], true],
    [["b"], false],
    [[], false]
    // Verifies: G-36, G-142.
  ] as const)("allowed models and search providers %j let it use a: %s", (list, may) => {
    expect(Admission.mayUseModel({ allowedModels: list }, "a")).toBe(may)
    expect(Admission.mayUseSearchProvider({ searchProviders: list }, "a")).toBe(may)
  })

  it("bind nobody without a key", () => {
    expect(Admission.mayUseModel(null, "a")).toBe(true)
    expect(Admission.mayUseSearchProvider(null, "a")).toBe(true)
  })
})
