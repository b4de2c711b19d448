/** Scopes and roles: docs/reference/access.md#scopes, docs/reference/access.md#roles. Verifies: ACCS-2. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { actorOf, missing } from "../../../src/platform/accounts/Principal.ts"
import { type Grant, grants, parse, render, type Scope, scopes } from "../../../src/platform/accounts/Scope.ts"
import { key, keyWith, person } from "./Principals.ts"

const granted = fc.subarray<Grant>([...scopes])
const wanted = fc.constantFrom<Scope>(...scopes)

describe("the scopes of a key", () => {
  // Verifies: D-204.
  it("grant what they name and nothing else; writing does not imply reading", () => {
    expect(grants(["campaigns:write"], "campaigns:write")).toBe(true)
    expect(grants(["campaigns:write"], "campaigns:read")).toBe(false)
    expect(grants(["campaigns:read"], "campaigns:write")).toBe(false)
    expect(grants(["campaigns:read", "campaigns:write"], "calls:write")).toBe(false)
    expect(grants([], "campaigns:read")).toBe(false)
  })

  // Verifies: D-204.
  it("are all there with an asterisk", () => {
    for (const scope of scopes) expect(grants(["*"], scope)).toBe(true)
  })

  // Verifies: E-38.
  it("have one exception: a write key of the email routes may read", () => {
    expect(grants(["email:write"], "email:read")).toBe(true)
    expect(grants(["email:read"], "email:write")).toBe(false)
  })

  it("as a law: a scope that was not given is not granted", () => {
    fc.assert(
      fc.property(granted, wanted, (given, scope) => {
        fc.pre(!(scope === "email:read" && given.includes("email:write")))
        expect(grants(given, scope)).toBe(given.includes(scope))
      })
    )
  })
})

describe("the brand's own channel word", () => {
  // Verifies: D-218.
  it("stands in scopes as they are shown and read", () => {
    expect(render("channel:send", "messaging")).toBe("messaging:send")
    expect(render("campaigns:read", "messaging")).toBe("campaigns:read")
    expect(parse("messaging:send", "messaging")).toBe("channel:send")
    expect(parse("chat:send", "chat")).toBe("channel:send")
  })

  it("is the only one that is read", () => {
    expect(parse("channel:send", "messaging")).toBeUndefined()
    expect(parse("messaging:send", "chat")).toBeUndefined()
    expect(parse("campaigns:delete", "messaging")).toBeUndefined()
    expect(parse("Campaigns:read", "messaging")).toBeUndefined()
    expect(parse("", "messaging")).toBeUndefined()
  })

  it("comes back from every scope that is shown", () => {
    for (const scope of [...scopes, "*"] as const) expect(parse(render(scope, "chat"), "chat")).toBe(scope)
  })
})

describe("who may do what", () => {
  const may = (caller: Parameters<typeof missing>[0], scope: Scope) => missing(caller, scope, scope) === null

  it.each<[string, boolean, boolean]>([
    ["owner", true, true],
    ["admin", true, true],
    ["member", true, true],
    ["viewer", true, false],
    ["read_only", true, false],
    ["something else", true, true]
    // Verifies: D-203.
  ])("a person with the role %s reads: %s, writes: %s", (role, reads, writes) => {
    for (const scope of scopes) expect(may(person(role), scope)).toBe(scope.endsWith(":read") ? reads : writes)
  })

  it("a key may do what its scopes say, whatever people may", () => {
    fc.assert(
      fc.property(granted, wanted, (given, scope) => {
        expect(may(keyWith(...given), scope)).toBe(grants(given, scope))
      })
    )
  })

  it("is answered by a sentence that names what is missing, in the brand's words", () => {
    expect(missing(keyWith(), "channel:send", "chat:send")).toContain("chat:send")
    expect(missing(person("viewer"), "campaigns:write", "campaigns:write")).toContain("viewer")
  })
})

it("the audit log names keys by their id and people by their subject", () => {
  expect(actorOf(keyWith())).toBe(`key:${key.id}`)
  expect(actorOf(person("owner"))).toBe("user:ada")
})
