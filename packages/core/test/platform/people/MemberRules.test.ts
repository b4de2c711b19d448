/** Owners, the last of them, and the places of a plan: docs/reference/sign-in.md#owners. Verifies: PEOP-6. */
import { Ids, Instant } from "@trunkline/core/effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Caller } from "../../../src/platform/accounts/index.ts"
import { emailKey, isEmail, type Member, memberRoles, mentions } from "../../../src/platform/people/Member.ts"
import { concernsOwner, hasPlace, losesLastOwner, mayChangeOwners } from "../../../src/platform/people/MemberRules.ts"

const at = Instant.make(Date.UTC(2026, 10, 30))

const member = (n: number, over: Partial<Member> = {}): Member => ({
  id: Ids.as(`00000000-0000-7000-8000-00000000000${n}`),
  tenantId: Ids.as("00000000-0000-7000-8000-0000000000ff"),
  email: "ada@example.com",
  emailKey: "ada@example.com",
  name: null,
  role: "owner",
  status: "active",
  password: null,
  oidcIssuer: null,
  oidcSubject: null,
  lastSeenAt: null,
  createdAt: at,
  removedAt: null,
  ...over
})

const person = { subject: "ada", name: null, signIn: { _tag: "Host" } } as const
const user = (role: string): Caller => ({ _tag: "User", role, ...person })

describe("an owner", () => {
  it.each([
    ["the operator", "operator", true],
    ["an owner", user("owner"), true],
    ["an admin", user("admin"), false],
    ["a member", user("member"), false],
    ["a person who may do everything", { _tag: "ScopedUser", scopes: ["*"], ...person }, true],
    ["a person who may manage members", { _tag: "ScopedUser", scopes: ["members:manage"], ...person }, false],
    ["a key", { _tag: "Key", key: {} as never }, false]
  ] as const)("may be changed by %s: %#", (_, changer, may) => {
    expect(mayChangeOwners(changer)).toBe(may)
  })

  it("is concerned by a change of one who is, and of one who becomes it", () => {
    expect(concernsOwner({ role: "owner" }, "viewer")).toBe(true)
    expect(concernsOwner({ role: "viewer" }, "owner")).toBe(true)
    expect(concernsOwner(null, "owner")).toBe(true)
    expect(concernsOwner({ role: "admin" }, undefined)).toBe(false)
    expect(concernsOwner({ role: "admin" }, "viewer")).toBe(false)
  })

  it("is the last one where no other active one is left", () => {
    const before = member(1)
    const others = [member(2, { role: "admin" }), member(3, { status: "invited" })]
    const demoted: Member = { ...before, role: "admin" }
    const removed = { ...before, removedAt: at }
    for (const after of [demoted, removed]) {
      expect(losesLastOwner([before, ...others], before, after)).toBe(true)
      expect(losesLastOwner([before, ...others, member(4)], before, after)).toBe(false)
    }
    expect(losesLastOwner([before], before, { ...before, name: "Ada" })).toBe(false)
  })

  it("is left in every team that had one, whatever single change is allowed", () => {
    const members = fc.array(
      fc.record({
        role: fc.constantFrom(...memberRoles),
        status: fc.constantFrom("invited" as const, "active" as const)
      }),
      { minLength: 1, maxLength: 9 }
    )
    const owners = (team: ReadonlyArray<Member>) =>
      team.filter(({ removedAt, role, status }) => role === "owner" && status === "active" && removedAt === null).length
    fc.assert(
      fc.property(members, fc.nat(), fc.option(fc.constantFrom(...memberRoles)), (given, place, role) => {
        const team = given.map((one, n) => member(n + 1, one))
        const before = team[place % team.length]!
        const after: Member = role === null ? { ...before, removedAt: at } : { ...before, role }
        if (losesLastOwner(team, before, after)) return
        const next = team.map((one) => (one.id === before.id ? after : one))
        expect(owners(next) > 0 || owners(team) === 0).toBe(true)
      })
    )
  })
})

it("a team has as many members as its plan has places, and any number without one", () => {
  expect([hasPlace(1, 2), hasPlace(2, 2), hasPlace(3, 2), hasPlace(10_000, null)]).toEqual([true, false, false, true])
})

describe("an email", () => {
  it.each([
    ["ada@example.com", true],
    ["a@b", true],
    ["ada", false],
    ["@example.com", false],
    ["ada@", false],
    ["ada@one@two", false],
    ["ada lovelace@example.com", false],
    ["ada@example.com\n", false],
    [`${"a".repeat(243)}@example.com`, false],
    [`${"a".repeat(242)}@example.com`, true]
  ])("%j can be one: %s", (text, can) => {
    expect(isEmail(text)).toBe(can)
  })

  it("is the same in any case, and in any form of its characters", () => {
    expect(emailKey(" Ada@Example.COM ")).toBe(emailKey("ada@example.com"))
    expect(emailKey("\u00c5sa@example.com")).toBe(emailKey("a\u030asa@example.com"))
  })

  it("is searched for as the name is, whatever the case of any script", () => {
    const olga = { email: "olga@example.com", name: "Ольга" }
    expect(["ОЛЬ", "LGA@", "ольга"].every((q) => mentions(q)(olga))).toBe(true)
    expect(mentions("ada")(olga)).toBe(false)
    expect(mentions("null")({ ...olga, name: null })).toBe(false)
  })
})
