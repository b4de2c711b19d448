/** The host's own sign-in: whom it names is let in, and nothing is guessed where it names badly. Verifies: ACCS-5, NODE-8, PEOP-1. */
import type { HostPrincipal, StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Sent } from "./HttpClient.ts"
import { aCampaign, campaigns, type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

const webhooks = "/api/v1/webhooks"
const sessions = "/v1/voice/sessions"
const summary = "/v1/usage/summary"
const me = "/api/v1/me"

export const signInSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the host's own sign-in through ${name}`, () => {
    let world: HttpWorld
    let asked = 0
    const people: Record<string, unknown> = {}

    beforeAll(async () => {
      world = await openWorld(start, storage, {
        core: { auth: { jwt: { secret: "a secret for the tokens of this test" } } },
        serve: {
          prefix: "/calling",
          authenticate: async (header) => {
            asked += 1
            return people[header("x-user") ?? "nobody"] as HostPrincipal | undefined
          }
        }
      })
      const { account: accountId } = world
      const person = { accountId, subject: "ada" }
      Object.assign(people, {
        owner: { ...person, role: "owner" },
        viewer: { ...person, role: "viewer" },
        plain: { ...person, name: " Ada Lovelace " },
        capital: { ...person, accountId: accountId.toUpperCase(), role: " Viewer" },
        shouting: { ...person, role: "OWNER" },
        reader: { ...person, scopes: ["campaigns:read"] },
        accountant: { ...person, scopes: ["usage:read"] },
        hooks: { ...person, scopes: ["webhooks:write"] },
        everything: { ...person, scopes: ["*"] },
        nothing: { ...person, scopes: [] },
        stranger: { ...person, accountId: "00000000-0000-4000-8000-000000000000" }
      })
    })
    afterAll(() => world.close())

    const as = (user: string, sent: Sent = {}): Sent => ({ ...sent, headers: { ...sent.headers, "x-user": user } })
    const statusOf = async (method: string, path: string, sent: Sent) => (await world.send(method, path, sent)).status

    it.each([
      ["owner", 200, 201, 200],
      ["plain", 200, 201, 403],
      ["viewer", 200, 403, 403],
      ["capital", 200, 403, 403],
      ["shouting", 200, 201, 200],
      ["reader", 200, 403, 403],
      ["hooks", 403, 403, 200],
      ["everything", 200, 201, 200],
      ["nothing", 403, 403, 403]
      // Verifies: D-202, D-227.
    ])("lets %s do what the role or the scopes allow", async (user, reads, writes, manages) => {
      const path = await aCampaign(world)
      expect(await statusOf("GET", campaigns, as(user))).toBe(reads)
      expect(await statusOf("GET", path, as(user))).toBe(reads)
      expect(await statusOf("POST", campaigns, as(user, { json: { name: "x" } }))).toBe(writes)
      expect(await statusOf("GET", webhooks, as(user))).toBe(manages)
    })

    it("names the scope that a person lacks", async () => {
      const refused = await world.send("POST", campaigns, as("reader", { json: { name: "x" } }))
      expect(refused.body.detail).toMatch(/You lack the scope campaigns:write/)
    })

    it("uses the request's key when nobody is signed in, and refuses an account that does not exist", async () => {
      expect(await statusOf("GET", campaigns, {})).toBe(401)
      expect(await statusOf("GET", campaigns, { key: world.key })).toBe(200)
      expect(await statusOf("GET", campaigns, as("stranger", { key: world.key }))).toBe(401)
    })

    it("asks once for each request, and not at all where keys alone are accepted", async () => {
      const path = await aCampaign(world)
      for (const [method, target, sent, status, times] of [
        ["GET", path, as("owner"), 200, 1],
        ["GET", path, as("hooks"), 403, 1],
        ["GET", path, as("unknown"), 401, 1],
        ["PATCH", path, as("owner", { json: { name: "y" } }), 200, 1],
        ["POST", sessions, as("owner", { json: {} }), 401, 0],
        ["GET", "/v1/models", as("nothing"), 200, 1]
      ] as const) {
        const before = asked
        expect(await statusOf(method, target, sent), `${method} ${target}`).toBe(status)
        expect(asked - before, `${method} ${target}`).toBe(times)
      }
    })

    const reads = ["calls:read", "campaigns:read", "contacts:read", "email:read", "messaging:read"]
    const works = [
      ...["calls:read", "calls:write", "campaigns:read", "campaigns:write", "contacts:read", "contacts:write"],
      ...["email:read", "email:write", "messaging:read", "messaging:send", "messaging:write"]
    ]
    const everything = [...works, "usage:read", "webhooks:write"]
    const people3 = ["audit:read", "keys:manage", "members:manage"]

    // Verifies: B-1, B-2, B-3.
    it.each([
      ["viewer", "viewer", null, reads],
      ["plain", "member", "Ada Lovelace", works],
      ["owner", "owner", null, [...people3, ...everything].sort()],
      ["reader", null, null, ["campaigns:read"]],
      ["everything", null, null, [...people3, ...everything].sort()],
      ["nothing", null, null, []]
    ])("says to %s who they are and all that they may do", async (user, role, name, scopes) => {
      const { body, status } = await world.send("GET", me, as(user))
      expect(status).toBe(200)
      expect(body).toEqual({
        ...{ kind: "person", subject: "ada", name, email: null, role, scopes, sign_in: "host" },
        ...{ session_id: null, expires_at: null },
        account: { id: world.account, name: expect.any(String), plan: expect.any(String) }
      })
    })

    // Verifies: B-1, B-2.
    it("says to a key and to a token who they are, and gives no key what people alone may do", async () => {
      const ofKey = (await world.send("GET", me, { key: world.key })).body
      expect(ofKey).toMatchObject({ kind: "key", role: null, email: null, sign_in: "key", expires_at: null })
      expect(ofKey.scopes).toEqual([...everything].sort())
      const { expiresAt, token } = await world.core.admin.createToken(world.account, {
        ...{ role: "viewer", subject: "bob", name: "Bob" }
      })
      expect((await world.send("GET", me, { key: token })).body).toMatchObject({
        ...{ kind: "person", subject: "bob", name: "Bob", role: "viewer", sign_in: "token", scopes: reads },
        expires_at: expiresAt.toISOString()
      })
      expect((await world.send("GET", me)).status).toBe(401)
      await expect(world.keyWith("keys:manage")).rejects.toMatchObject({ status: 422 })
    })

    it.each([
      ["owner", 200],
      ["plain", 403],
      ["accountant", 200],
      ["everything", 200],
      ["reader", 403]
    ])("answers %s about usage with %s", async (user, status) => {
      expect(await statusOf("GET", summary, as(user))).toBe(status)
    })

    // Verifies: D-228.
    it("answers a malformed principal with 500 and one line in the log that says what to fix", async () => {
      const { account: accountId } = world
      const person = { accountId, subject: "ada" }
      for (const [wrong, sentence] of [
        [true, "it must be an object"],
        [[], "it must be an object"],
        [{ accountId, role: "owner" }, "subject must be"],
        [{ ...person, accountId: 7 }, "accountId must be the UUID"],
        [{ ...person, accountId: "acme" }, "accountId must be the UUID"],
        [{ ...person, subject: " " }, "subject must be"],
        [{ ...person, role: null }, "role must be"],
        [{ ...person, role: "" }, "role must be"],
        [{ ...person, role: "owner", scopes: ["*"] }, "exclude each other"],
        [{ ...person, scopes: undefined }, "scopes must be an array"],
        [{ ...person, scopes: "campaigns:read" }, "scopes must be an array"],
        [{ ...person, scopes: ["campaigns:raed", 7] }, '"campaigns:raed" is not a scope'],
        [{ ...person, scope: ["campaigns:read"] }, "scope is not a field"],
        [{ ...person, name: "" }, "name must be"],
        [{ ...person, name: "x".repeat(256) }, "name must be"]
      ] as const) {
        people.wrong = wrong
        for (const path of [campaigns, `${campaigns}/${accountId}`, summary]) {
          const before = world.log.length
          const answer = await world.host("GET", `/calling${path}`, as("wrong", { key: world.key }))
          expect(answer.status, sentence).toBe(500)
          const lines = world.log.slice(before)
          expect(lines.map(({ level }) => level)).toEqual(["error"])
          expect(lines[0]?.message).toContain(sentence)
          expect(lines[0]?.message).not.toContain("\n")
          expect(lines[0]?.requestId).toBe(answer.headers["x-request-id"])
        }
      }
    })
  })
