/** API keys as an account's people manage them: docs/reference/access.md#manage. Verifies: KEYS-1, KEYS-2, KEYS-3, KEYS-4, KEYS-5, ACCS-7. */
import { createHash } from "node:crypto"
import type { HostPrincipal, StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { llmBodies } from "../upstreams/index.ts"
import type { Answer, Fields } from "./Exchange.ts"
import { nobody, type Start } from "./HttpWorld.ts"
import { type LlmWorld, openLlmWorld } from "./LlmWorld.ts"
import { testTime } from "./PasswordWorld.ts"
import { utc } from "./WebhookWorld.ts"

const keys = "/api/v1/keys"
const day = 86_400

/** What a chat of these suites costs. */
const price = 19

export const keysSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`API keys through ${name}`, () => {
    const time = testTime()
    const people: Record<string, HostPrincipal> = {}
    let world: LlmWorld

    beforeAll(async () => {
      world = await openLlmWorld(start, storage, {
        core: {
          clock: time.clock,
          auth: {
            authenticate: ({ headers }) => people[headers.get("x-user") ?? "nobody"] ?? null,
            jwt: { secret: "a secret for the tokens of this test" }
          }
        }
      })
      world.there.says({ json: llmBodies.chat_completions("hi") })
      const person = { accountId: world.account, subject: "ada", name: "Ada" }
      Object.assign(people, {
        owner: { ...person, role: "owner" },
        admin: { ...person, role: "admin" },
        member: { ...person, role: "member" },
        viewer: { ...person, role: "viewer" },
        scoped: { ...person, scopes: ["keys:manage"] }
      })
    })
    afterAll(() => world.close())

    const as = (user: string, method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
      world.send(method, path, { headers: { "x-user": user, ...headers }, ...(json === undefined ? {} : { json }) })

    const make = async (fields: Fields = {}): Promise<Fields & { readonly id: string; readonly key: string }> => {
      const made = await as("owner", "POST", keys, { scopes: ["*"], permissions: ["llm"], ...fields })
      expect(made.status, made.text).toBe(201)
      return made.body as Fields & { readonly id: string; readonly key: string }
    }

    const change = (id: string, json: unknown) => as("owner", "PATCH", `${keys}/${id}`, json)
    const rotate = (id: string, json?: unknown) => as("owner", "POST", `${keys}/${id}/rotate`, json)
    const look = async (id: string) => (await as("owner", "GET", `${keys}/${id}`)).body

    const chats = async (key: string, fields: Fields = {}) => {
      const { body, status } = await world.ask(
        "chat_completions",
        { model: "coin-model", max_tokens: 10, ...fields },
        { key }
      )
      return status === 200 ? 200 : [status, (body.error as Fields).code]
    }
    /** What a key is answered on a route of the platform. */
    const reads = async (key: string) => (await world.send("GET", "/api/v1/voice-campaigns", { key })).status
    const refused = [401, "invalid_api_key"]

    // Verifies: B-601.
    it("are managed by people with keys:manage, and by no key whatever its scopes", async () => {
      const [{ id }, { key }] = [await make(), await make()]
      const routes = [
        ["GET", keys, undefined],
        ["POST", keys, { scopes: [], permissions: [] }],
        ["GET", `${keys}/${id}`, undefined],
        ["PATCH", `${keys}/${id}`, { name: "Mine" }],
        ["POST", `${keys}/${id}/rotate`, { overlap_seconds: day }],
        ["DELETE", `${keys}/${(await make()).id}`, undefined]
      ] as const
      for (const [method, path, json] of routes) {
        const sent = json === undefined ? {} : { json }
        const byKey = await world.send(method, path, { key, ...sent })
        expect([byKey.status, byKey.body.detail], `${method} ${path}`).toEqual([
          403,
          expect.stringContaining("Sign in as a person")
        ])
        for (const user of ["member", "viewer"]) {
          const { body, status } = await as(user, method, path, json)
          expect([status, body.detail], `${user}: ${method} ${path}`).toEqual([403, expect.stringContaining("owners")])
        }
        expect((await world.send(method, path, sent)).status).toBe(401)
        for (const user of ["scoped", "admin"]) expect((await as(user, method, path, json)).status).toBeLessThan(300)
      }
      people.stranger = {
        accountId: (await world.core.admin.createAccount({ name: "Other" })).id,
        subject: "eve",
        role: "owner"
      }
      for (const [method, path, json] of routes.slice(2))
        expect((await as("stranger", method, path, json)).status, `${method} ${path}`).toBe(404)
      expect((await as("stranger", "GET", keys)).items).toEqual([])
    })

    // Verifies: B-602, B-603.
    it("are made with a text that is in one answer, and nowhere else", async () => {
      const answer = await as("owner", "POST", keys, {
        name: "Site",
        scopes: ["calls:read", "calls:read"],
        permissions: []
      })
      expect([answer.status, answer.headers["cache-control"]]).toEqual([201, "no-store"])
      const { key, ...record } = answer.body as Fields & { readonly key: string }
      expect(key).toMatch(/^svc_[0-9A-Za-z]{40}$/)
      expect(record).toEqual({
        id: expect.any(String),
        name: "Site",
        prefix: key.slice(0, 12),
        state: "active",
        scopes: ["calls:read"],
        permissions: [],
        budget: null,
        budget_period: "total",
        spent: 0,
        models: null,
        domains: null,
        search_providers: null,
        rpm: null,
        concurrency: null,
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
        previous_prefix: null,
        previous_until: null,
        created_at: expect.stringMatching(utc),
        created_by: "user:ada"
      })
      expect(await look(String(record.id))).toEqual(record)
      const rotated = await rotate(String(record.id), {})
      expect([rotated.status, rotated.headers["cache-control"]]).toEqual([200, "no-store"])
      await change(String(record.id), { name: "Page" })
      await reads(key)
      const texts = [key, String(rotated.body.key)]
      const secrets = [...texts, ...texts.map((text) => createHash("sha256").update(text).digest("hex"))]
      const events = await world.core.events.read(null, 1000)
      const said = [
        ...[await as("owner", "GET", keys), await as("owner", "GET", `${keys}/${record.id}`)].map(({ text }) => text),
        JSON.stringify(await world.core.admin.audit(world.account)),
        JSON.stringify(events, (_, value) => (typeof value === "bigint" ? String(value) : value)),
        ...world.log.map((entry) => JSON.stringify(entry))
      ].join("\n")
      for (const secret of secrets) expect(said).not.toContain(secret)
    })

    // Verifies: B-603.
    it("are made and changed only as they could be used", async () => {
      const { id } = await make()
      const wrong: ReadonlyArray<readonly [Fields, ReadonlyArray<string | number>]> = [
        [{ scopes: ["keys:manage"] }, ["body", "scopes", 0]],
        [{ scopes: ["audit:read", "*"] }, ["body", "scopes", 0]],
        [{ permissions: ["everything"] }, ["body", "permissions", 0]],
        [{ models: ["chat-model", "no-model"] }, ["body", "models", 1]],
        [{ expires_at: new Date(time.clock.now()).toISOString() }, ["body", "expires_at"]],
        [{ name: " " }, ["body", "name"]],
        [{ budget: -1 }, ["body", "budget"]],
        [{ budget: 0.000_000_000_1 }, ["body", "budget"]],
        [{ budget: 1e9 }, ["body", "budget"]],
        [{ budget: "5" }, ["body", "budget"]],
        [{ budget_period: "week" }, ["body", "budget_period"]],
        [{ rpm: 0 }, ["body", "rpm"]],
        [{ concurrency: 1.5 }, ["body", "concurrency"]]
      ]
      const places = ({ body, status }: Answer) => [status, (body.detail as ReadonlyArray<Fields>)[0]!.loc]
      for (const [fields, loc] of wrong) {
        const what = JSON.stringify(fields)
        const made = await as("owner", "POST", keys, { scopes: ["*"], permissions: ["llm"], ...fields })
        expect(places(made), what).toEqual([422, loc])
        expect(places(await change(id, fields)), what).toEqual([422, loc])
      }
      for (const missing of ["scopes", "permissions"]) {
        const { [missing as "scopes"]: _, ...rest } = { scopes: ["*"], permissions: ["llm"] }
        expect(places(await as("owner", "POST", keys, rest))).toEqual([422, ["body", missing]])
      }
      for (const fields of [{ overlap_seconds: -1 }, { overlap_seconds: 604_801 }])
        expect(places(await rotate(id, fields))).toEqual([422, ["body", "overlap_seconds"]])
      expect((await change(nobody, { name: "x" })).status).toBe(404)
    })

    // Verifies: B-603.
    it("are made once under an Idempotency-Key, also where the first answer was lost", async () => {
      const before = (await as("owner", "GET", keys)).headers["x-total-count"]
      const once = () => as("owner", "POST", keys, { scopes: [], permissions: [] }, { "idempotency-key": "once" })
      const first = await once()
      const again = await once()
      expect(again.body).toEqual(first.body)
      expect([again.headers["idempotent-replayed"], again.headers["cache-control"]]).toEqual(["true", "no-store"])
      expect((await as("owner", "GET", keys)).headers["x-total-count"]).toBe(String(Number(before) + 1))
    })

    // Verifies: B-602.
    it("are listed newest first, by their state, and found by name and prefix", async () => {
      const until = new Date(time.clock.now() + 60_000).toISOString()
      const [plain, ending, gone] = [
        await make({ name: "Straße A" }),
        await make({ name: "Straße B", expires_at: until }),
        await make({ name: "Straße C" })
      ]
      expect((await as("owner", "DELETE", `${keys}/${gone.id}`)).status).toBe(204)
      time.pass(60)
      const found = async (query: string) => {
        const { headers, items } = await as("owner", "GET", `${keys}?${query}`)
        expect(headers["x-total-count"]).toBe(String(items.length))
        return items.map(({ id }) => id)
      }
      const q = `q=${encodeURIComponent(" STRASSE ")}`
      expect(await found(q)).toEqual([gone.id, ending.id, plain.id])
      expect(await found(`${q}&state=active`)).toEqual([plain.id])
      expect(await found(`${q}&state=expired`)).toEqual([ending.id])
      expect(await found(`${q}&state=revoked`)).toEqual([gone.id])
      expect(await found(`q=${plain.key.slice(4, 12).toLowerCase()}`)).toContain(plain.id)
      const page = await as("owner", "GET", `${keys}?${q}&limit=1&offset=1`)
      expect([page.items.map(({ id }) => id), page.headers["x-total-count"]]).toEqual([[ending.id], "3"])
      for (const query of ["state=gone", "q=%20", `q=${"x".repeat(101)}`, "limit=501", "offset=1000001"])
        expect((await as("owner", "GET", `${keys}?${query}`)).status, query).toBe(422)
      expect([await look(ending.id), await look(gone.id)]).toMatchObject([
        { state: "expired", revoked_at: null },
        { state: "revoked", revoked_at: expect.stringMatching(utc) }
      ])
    })

    // Verifies: B-604.
    it("may do what they were changed to from the next request on", async () => {
      const { id, key } = await make()
      expect([await chats(key), await reads(key)]).toEqual([200, 200])
      const steps: ReadonlyArray<readonly [Fields, unknown, number]> = [
        [{ scopes: ["calls:read"] }, 200, 403],
        [{ scopes: ["campaigns:read"], permissions: [] }, [403, "permission_denied"], 200],
        [{ permissions: ["llm"], models: ["chat-model"] }, [403, "model_not_allowed"], 200],
        [{ models: null, domains: ["example.com"] }, [403, "domain_not_allowed"], 200],
        [{ domains: null, budget: 1 }, [402, "budget_exceeded"], 200],
        [{ budget: null, rpm: 1 }, 200, 200],
        [{ concurrency: 1 }, [429, "rate_limit_exceeded"], 200],
        [{ rpm: null, expires_at: new Date(time.clock.now() + 60_000).toISOString() }, 200, 200]
      ]
      for (const [fields, chat, read] of steps) {
        const changed = await change(id, fields)
        expect([changed.status, changed.body], changed.text).toMatchObject([200, { id, ...fields }])
        expect([await chats(key), await reads(key)], JSON.stringify(fields)).toEqual([chat, read])
      }
      time.pass(60)
      expect([await chats(key), await reads(key)]).toEqual([[401, "api_key_expired"], 401])
      expect((await change(id, { expires_at: null })).body).toMatchObject({ state: "active", expires_at: null })
      expect([await chats(key), await reads(key)]).toEqual([200, 200])
      expect((await change(id, {})).body).toMatchObject({
        scopes: ["campaigns:read"],
        permissions: ["llm"],
        name: null
      })
      await as("owner", "DELETE", `${keys}/${id}`)
      const late = await change(id, { name: "x" })
      expect([late.status, late.headers["x-service-error"]]).toEqual([409, "key_revoked"])
    })

    // Verifies: B-605.
    it("are rotated with the same id, limits and spend; the text before works until its overlap is over", async () => {
      const { id, key } = await make({ name: "Turning", budget: 1_000_000, rpm: 100 })
      expect(await chats(key)).toBe(200)
      const before = await look(id)
      const first = await rotate(id, { overlap_seconds: 3600 })
      expect(first.body).toEqual({
        ...before,
        key: expect.stringMatching(/^svc_/),
        prefix: String(first.body.key).slice(0, 12),
        previous_prefix: before.prefix,
        previous_until: new Date(time.clock.now() + 3_600_000).toISOString()
      })
      expect(first.body.spent).toBe(price)
      const second = String(first.body.key)
      expect([await chats(key), await chats(second), await reads(key), await reads(second)]).toEqual([
        200, 200, 200, 200
      ])
      expect((await look(id)).spent).toBe(3 * price)

      time.pass(3599)
      expect([await chats(key), await reads(key)]).toEqual([200, 200])
      time.pass(1)
      expect([await chats(key), await reads(key), await chats(second)]).toEqual([refused, 401, 200])
      expect(await look(id)).toMatchObject({ state: "active", previous_prefix: null, previous_until: null })

      // A day, where nothing is said; and a second rotation ends the older one at once.
      const third = await rotate(id)
      expect(third.body.previous_until).toBe(new Date(time.clock.now() + day * 1000).toISOString())
      expect(await chats(second)).toBe(200)
      const fourth = await rotate(id, { overlap_seconds: 60 })
      expect([await chats(second), await reads(second)]).toEqual([refused, 401])
      expect([await chats(String(third.body.key)), await chats(String(fourth.body.key))]).toEqual([200, 200])
      const fifth = await rotate(id, { overlap_seconds: 0 })
      expect(fifth.body).toMatchObject({ previous_prefix: null, previous_until: null })
      expect([await chats(String(fourth.body.key)), await chats(String(third.body.key))]).toEqual([refused, refused])
      expect(await chats(String(fifth.body.key))).toBe(200)
    })

    // Verifies: B-605, B-606.
    it("are revoked with both of their texts, as often as somebody asks; their records stay", async () => {
      const { id, key } = await make({ name: "Leaving" })
      const { body } = await rotate(id)
      expect([await chats(key), await chats(String(body.key))]).toEqual([200, 200])
      for (const _ of [1, 2]) expect((await as("owner", "DELETE", `${keys}/${id}`)).status).toBe(204)
      expect([await chats(key), await chats(String(body.key)), await reads(key)]).toEqual([refused, refused, 401])
      expect(await look(id)).toMatchObject({ name: "Leaving", state: "revoked", previous_prefix: null })
      const late = await rotate(id)
      expect([late.status, late.headers["x-service-error"]]).toEqual([409, "key_revoked"])
      expect((await as("owner", "DELETE", `${keys}/${nobody}`)).status).toBe(404)
      const until = new Date(time.clock.now() + 1000).toISOString()
      const ended = await make({ expires_at: until })
      time.pass(1)
      const expired = await rotate(ended.id)
      expect([expired.status, expired.headers["x-service-error"]]).toEqual([409, "key_expired"])
    })

    // Verifies: B-602.
    it("show what they have spent in the period of their budget, without one in their lifetime", async () => {
      const { id, key } = await make()
      const spent = async () => (await look(id)).spent
      expect(await chats(key)).toBe(200)
      expect(await spent()).toBe(price)
      // A budget that is set later knows what was spent.
      expect((await change(id, { budget: 2 * price })).body.spent).toBe(price)
      expect(await chats(key)).toEqual([402, "budget_exceeded"])
      expect((await change(id, { budget: 1_000_000, budget_period: "month" })).body.spent).toBe(price)
      time.pass(31 * day)
      expect(await spent()).toBe(0)
      expect(await chats(key)).toBe(200)
      expect(await spent()).toBe(price)
      expect((await change(id, { budget_period: "total" })).body.spent).toBe(2 * price)
      expect((await change(id, { budget: null })).body.spent).toBe(2 * price)
    })

    // Verifies: B-602.
    it("say again that a budget is nearly spent where it was changed", async () => {
      const { id, key } = await make({ budget: 2000 })
      const alerts = async () =>
        (await world.core.events.read(null, 1000)).filter(
          ({ data, event }) => event === "budget.alert" && (data as Fields).key_id === id
        ).length
      const usage = { prompt_tokens: 950, completion_tokens: 0, total_tokens: 950 }
      world.there.says({ json: { ...llmBodies.chat_completions("hi"), usage } })
      expect(await chats(key)).toBe(200)
      expect(await alerts()).toBe(0)
      await change(id, { budget: 2300 })
      expect(await chats(key)).toBe(200)
      expect(await alerts()).toBe(1)
      // 81 % of this one; the first has been reported.
      await change(id, { budget: 3500 })
      expect(await chats(key)).toBe(200)
      expect(await alerts()).toBe(2)
      world.there.says({ json: llmBodies.chat_completions("hi") })
    })

    // Verifies: B-602.
    it("show when they were used last, to a minute", async () => {
      const { id, key } = await make()
      const at = new Date(time.clock.now()).toISOString()
      await reads(key)
      expect((await look(id)).last_used_at).toBe(at)
      time.pass(59)
      await chats(key)
      expect((await look(id)).last_used_at).toBe(at)
      time.pass(1)
      await chats(key)
      expect((await look(id)).last_used_at).toBe(new Date(time.clock.now()).toISOString())
      const listed = await as("owner", "GET", `${keys}?q=${key.slice(0, 12)}`)
      expect(listed.items[0]).toMatchObject({
        id,
        last_used_at: (await look(id)).last_used_at
      })
    })
  })
