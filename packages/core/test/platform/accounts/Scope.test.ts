/** Scopes and roles: docs/reference/access.md#scopes, docs/reference/access.md#roles. Verifies: ACCS-2. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { actorOf } from "../../../src/platform/accounts/Actor.ts"
import { type Caller, may, missing, scopesOf } from "../../../src/platform/accounts/Principal.ts"
import {
  type Grant,
  grantsKey,
  grantsPerson,
  type PersonGrant,
  parse,
  parseOfPerson,
  peopleScopes,
  render,
  type Scope,
  scopes
} from "../../../src/platform/accounts/Scope.ts"
import { key, keyWith, person } from "./Principals.ts"

const granted = fc.subarray<Grant>([...scopes])
const wanted = fc.constantFrom<Scope>(...scopes)

describe("the scopes of a key", () => {
  // Verifies: D-204.
  it("grant what they name and nothing else; writing does not imply reading", () => {
    expect(grantsKey(["campaigns:write"], "campaigns:write")).toBe(true)
    expect(grantsKey(["campaigns:write"], "campaigns:read")).toBe(false)
    expect(grantsKey(["campaigns:read"], "campaigns:write")).toBe(false)
    expect(grantsKey(["campaigns:read", "campaigns:write"], "calls:write")).toBe(false)
    expect(grantsKey([], "campaigns:read")).toBe(false)
  })

  // Verifies: D-204.
  it("are all there with an asterisk", () => {
    for (const scope of scopes) expect(grantsKey(["*"], scope)).toBe(true)
  })

  it("never allow what people alone may do, with an asterisk either", () => {
    for (const scope of peopleScopes) {
      expect(grantsKey(["*"], scope)).toBe(false)
      expect(grantsKey([scope as "*"], scope)).toBe(false)
      expect(parse(scope, "messaging")).toBeUndefined()
      expect(missing(keyWith("*"), scope, scope)).toContain("No API key may do this")
    }
  })

  // Verifies: E-38.
  it("have one exception: a write key of the email routes may read", () => {
    expect(grantsKey(["email:write"], "email:read")).toBe(true)
    expect(grantsKey(["email:read"], "email:write")).toBe(false)
  })

  it("as a law: a scope that was not given is not granted", () => {
    fc.assert(
      fc.property(granted, wanted, (given, scope) => {
        fc.pre(!(scope === "email:read" && given.includes("email:write")))
        expect(grantsKey(given, scope)).toBe((given as ReadonlyArray<Scope | "*">).includes(scope))
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

const withScopes = (...given: ReadonlyArray<PersonGrant>): Caller => ({
  _tag: "ScopedUser",
  subject: "ada",
  name: null,
  scopes: given,
  signIn: { _tag: "Host" }
})

const reads: ReadonlyArray<Scope> = ["campaigns:read", "calls:read", "contacts:read", "channel:read", "email:read"]
const works: ReadonlyArray<Scope> = [
  ...reads,
  ...(["campaigns:write", "calls:write", "contacts:write", "channel:write", "channel:send", "email:write"] as const)
]
const manages: ReadonlyArray<Scope> = [...works, "webhooks:write", "usage:read", ...peopleScopes]

describe("who may do what", () => {
  it.each<[string, ReadonlyArray<Scope>]>([
    ["owner", manages],
    ["admin", manages],
    ["member", works],
    ["viewer", reads],
    ["read_only", reads],
    ["something else", works]
    // Verifies: D-203.
  ])("a person with the role %s has exactly the scopes of the role", (role, expected) => {
    expect([...scopesOf(person(role))].sort()).toEqual([...expected].sort())
  })

  it("a person with scopes has these, with an asterisk all of them", () => {
    expect(scopesOf(withScopes("keys:manage", "calls:read"))).toEqual(["calls:read", "keys:manage"])
    expect(scopesOf(withScopes("*"))).toEqual([...scopes, ...peopleScopes])
    expect(grantsPerson(["email:write"], "email:read")).toBe(true)
    expect(parseOfPerson("keys:manage", "messaging")).toBe("keys:manage")
  })

  it("a key may do what its scopes say, whatever people may", () => {
    fc.assert(
      fc.property(granted, wanted, (given, scope) => {
        expect(missing(keyWith(...given), scope, scope) === null && may(keyWith(...given), scope)).toBe(
          grantsKey(given, scope)
        )
      })
    )
  })

  it("is answered by a sentence that names what is missing, in the brand's words", () => {
    expect(missing(keyWith(), "channel:send", "chat:send")).toContain("chat:send")
    expect(missing(person("viewer"), "campaigns:write", "campaigns:write")).toContain("may only read")
    expect(missing(person("member"), "keys:manage", "keys:manage")).toContain("only owners and admins")
    expect(missing(withScopes(), "calls:read", "calls:read")).toContain("You lack the scope calls:read")
  })
})

it("the audit log names keys by their id and people by their subject, with their names", () => {
  expect(actorOf(keyWith())).toEqual({ id: `key:${key.id}`, name: key.prefix })
  expect(actorOf(person("owner"))).toEqual({ id: "user:ada", name: "Ada" })
})
