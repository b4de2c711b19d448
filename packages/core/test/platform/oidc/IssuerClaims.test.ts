/** What an issuer says of a person: docs/reference/sign-in.md#oidc. Verifies: OIDC-3. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Instant } from "../../../src/platform/kernel/index.ts"
import { issuerFault } from "../../../src/platform/oidc/IssuerAddress.ts"
import { issuedPerson, issuedRole } from "../../../src/platform/oidc/IssuerClaims.ts"
import { attemptIn, attemptText, newAttempt } from "../../../src/platform/oidc/OidcCookie.ts"
import { memberRoles } from "../../../src/platform/people/index.ts"

describe("the role of a claim", () => {
  const roles = { bosses: "owner", ops: "admin", staff: "member", guests: "viewer" } as const

  it.each([
    [["staff", "ops"], "admin"],
    [["guests", "unknown"], "viewer"],
    ["staff", "member"],
    ["guests bosses", "owner"],
    [["OPS"], null],
    [["constructor", "__proto__", "toString"], null],
    [[], null],
    [undefined, null],
    [{ ops: true }, null],
    [[1, null, "staff"], "member"]
  ])("of %j is %s", (groups, role) => {
    expect(issuedRole({ groups }, { claim: "groups", roles })).toBe(role)
  })

  it("is the strongest of all, in whatever order they stand", () => {
    const words = Object.keys(roles) as ReadonlyArray<keyof typeof roles>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1 }), (given) => {
        const role = issuedRole({ groups: given }, { claim: "groups", roles })
        const best = Math.min(...given.map((word) => memberRoles.indexOf(roles[word])))
        expect(role).toBe(memberRoles[best])
      })
    )
  })
})

describe("a person of an issuer", () => {
  it("has a subject and an email, and a name where there is one", () => {
    const claims = { sub: "1", email: " ada@example.com ", email_verified: "true", name: "A".repeat(300) }
    expect(issuedPerson(claims)).toEqual({
      subject: "1",
      email: "ada@example.com",
      isEmailVerified: true,
      name: "A".repeat(255)
    })
    expect(issuedPerson({ sub: "1", email: "ada@example.com", email_verified: 1 })).toMatchObject({
      isEmailVerified: false,
      name: null
    })
    for (const broken of [
      {},
      { sub: "1" },
      { email: "ada@example.com" },
      { sub: 1, email: "a@b.c" },
      { sub: "1", email: " " }
    ])
      expect(issuedPerson(broken)).toBeNull()
  })
})

describe("an issuer's address", () => {
  it.each([
    ["https://login.example.com/realms/main", true],
    ["http://127.0.0.1:8080", true],
    ["http://localhost", true],
    ["http://[::1]:1", true],
    ["http://login.example.com", false],
    ["http://127.0.0.1.example.com", false],
    ["login.example.com", false],
    ["", false],
    [null, false]
  ])("%j may be used: %s", (address, may) => {
    expect(issuerFault(address) === null).toBe(may)
  })
})

describe("a sign-in that has begun", () => {
  const at = Instant.make(Date.UTC(2026, 10, 30))
  const kept = (place: string | undefined) => newAttempt(place, at)

  it("is read from its cookie for ten minutes", () => {
    const attempt = kept("#/calls?q=1")
    const text = attemptText(attempt)
    expect(text).not.toMatch(/[;,\s"]/)
    expect(attemptIn(text, Instant.plus(at, 10 * Instant.minute - 1))).toEqual(attempt)
    expect(attemptIn(text, Instant.plus(at, 10 * Instant.minute))).toBeNull()
    for (const broken of [null, "", "%", "null", "{}", encodeURIComponent('{"state":"a"}')])
      expect(attemptIn(broken, at)).toBeNull()
  })

  it.each([
    ["#/campaigns", "#/campaigns"],
    ["#/calls?q=a b", "#/calls?q=a%20b"],
    ["#/a\r\nset-cookie: b", "#/aset-cookie:%20b"],
    ["#campaigns", ""],
    ["//evil.example", ""],
    ["https://evil.example/#/", ""],
    [undefined, ""]
  ])("comes back from %j to %j", (asked, place) => {
    expect(kept(asked).place).toBe(place)
  })
})
