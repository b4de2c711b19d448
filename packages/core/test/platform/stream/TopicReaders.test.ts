/** Who hears of which topics: docs/reference/stream.md#topics. Verifies: STRM-1. */
import { describe, expect, it } from "vitest"
import { read } from "../../../../../test/house/Sources.ts"
import type { Caller } from "../../../src/platform/accounts/index.ts"
import { topicKinds } from "../../../src/platform/changes/index.ts"
import { kindsFor } from "../../../src/platform/stream/index.ts"

const person = { subject: "ada", name: null, signIn: { _tag: "Host" } } as const
const ofRole = (role: string): Caller => ({ _tag: "User", role, ...person })
const ofScopes = (...scopes: Extract<Caller, { readonly _tag: "ScopedUser" }>["scopes"]): Caller => ({
  _tag: "ScopedUser",
  scopes,
  ...person
})

const managed = ["webhooks", "keys"]
const ofEverybody = topicKinds.filter((kind) => !managed.includes(kind))

describe("a person hears", () => {
  it.each(["owner", "admin"])("of everything as %s", (role) => {
    expect([...kindsFor(ofRole(role))]).toEqual(topicKinds)
  })

  it.each(["member", "viewer", "read_only", "anything else"])("of all but webhooks and keys as %s", (role) => {
    expect([...kindsFor(ofRole(role))]).toEqual(ofEverybody)
  })

  it("of what its scopes read, of the account, and of its members", () => {
    expect([...kindsFor(ofScopes())]).toEqual(["account", "members"])
    expect([...kindsFor(ofScopes("calls:read"))]).toEqual(["account", "calls", "numbers", "members", "call"])
    expect([...kindsFor(ofScopes("campaigns:write"))]).toEqual(["account", "members"])
    expect([...kindsFor(ofScopes("keys:manage", "webhooks:write"))]).toEqual([
      ...["account", "alerts", "webhooks", "keys", "members"]
    ])
  })

  it("of the same set as others who hear of the same, so that a note is written once for all of them", () => {
    expect(kindsFor(ofRole("owner"))).toBe(kindsFor(ofRole("admin")))
    expect(kindsFor(ofRole("owner"))).not.toBe(kindsFor(ofRole("viewer")))
  })
})

describe("the table of topics", () => {
  it("has every kind", () => {
    const page = read("docs/reference/stream.md")
    for (const kind of topicKinds) expect(page).toMatch(new RegExp(`^\\| \`${kind}(:ID)?\` \\|`, "m"))
  })
})
