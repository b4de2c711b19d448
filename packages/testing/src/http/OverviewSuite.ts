/** What an account has, and its first steps, as people and keys ask for them. Verifies: OVER-1, OVER-2. */
import type { HostPrincipal, StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { campaigns, type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"
import { utc } from "./WebhookWorld.ts"

const account = "/api/v1/account"
const setup = "/api/v1/setup"

export const overviewSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the account and its first steps through ${name}`, () => {
    let world: HttpWorld
    const people: Record<string, HostPrincipal> = {}

    beforeAll(async () => {
      world = await openWorld(start, storage, {
        serve: { authenticate: async (header) => people[header("x-user") ?? "nobody"] }
      })
      const person = { accountId: world.account, subject: "ada" }
      Object.assign(people, {
        owner: { ...person, role: "owner" },
        viewer: { ...person, role: "viewer" },
        nothing: { ...person, scopes: [] }
      })
    })
    afterAll(() => world.close())

    const as = (user: string, path: string) => world.send("GET", path, { headers: { "x-user": user } })

    const stepsOf = async () => {
      const { body, status } = await as("viewer", setup)
      expect(status).toBe(200)
      const steps = body.steps as ReadonlyArray<{ readonly id: string; readonly done: boolean }>
      return { completed: body.completed, ids: steps.map(({ id }) => id), done: steps.filter(({ done }) => done) }
    }

    // Verifies: D-324.
    it("every person reads the account; a key needs usage:read", async () => {
      const expected = {
        id: world.account,
        name: "Account",
        plan: "free",
        status: "active",
        features: { voice_campaigns: true },
        payment_method: "verified",
        payment_deadline: null,
        credits: { balance: 1000, reserved: 0, available: 1000 },
        monthly_budget: null,
        monthly_spent: 0,
        call_credits_per_minute: 1,
        created_at: expect.stringMatching(utc)
      }
      for (const user of ["viewer", "nothing"]) expect((await as(user, account)).body, user).toEqual(expected)
      const reader = await world.keyWith("usage:read")
      expect((await world.send("GET", account, { key: reader })).body).toEqual(expected)
      const other = await world.send("GET", account, { key: await world.keyWith("campaigns:read") })
      expect(other.status).toBe(403)
      expect(other.body.detail).toContain("usage:read")
      expect((await world.send("GET", account)).status).toBe(401)
    })

    // Verifies: D-325.
    it("the first steps are done as things are made, in one order, and no key may ask", async () => {
      // What was used in other accounts counts for nothing here.
      people.viewer = {
        ...people.viewer!,
        accountId: (await world.core.admin.createAccount({ name: "New", voiceCampaigns: true })).id
      }
      people.owner = { ...people.owner!, accountId: people.viewer.accountId }
      const before = await stepsOf()
      expect(before.ids).toEqual([
        ...["carrier", "caller_number", "credits", "agent", "campaign", "chat_number", "webhook", "key"]
      ])
      // The carrier of this test needs no number.
      expect(before.done.map(({ id }) => id)).toEqual(["carrier", "caller_number", "credits"])
      expect(before.completed).toBe(false)

      const ask = (method: string, path: string, json: unknown) =>
        world.send(method, path, { headers: { "x-user": "owner" }, json })
      const { body: bot } = await ask("POST", "/api/v1/bots", { name: "Asha" })
      expect((await stepsOf()).done).toHaveLength(3)
      await ask("PATCH", `/api/v1/bots/${String(bot.id)}`, { system_prompt: "Be kind." })
      const made = await ask("POST", campaigns, { name: "A list" })
      const path = `${campaigns}/${made.body.id}`
      await ask("POST", `${path}/status`, { status: "scheduled" })
      expect((await stepsOf()).done.map(({ id }) => id)).toEqual(["carrier", "caller_number", "credits", "agent"])
      await ask("POST", `${path}/status`, { status: "running" })
      const events = ["campaign.started"]
      expect((await ask("POST", "/api/v1/webhooks", { url: "https://example.com/hook", events })).status).toBe(201)
      const after = await stepsOf()
      expect(after.done.map(({ id }) => id)).toEqual([
        ...["carrier", "caller_number", "credits", "agent", "campaign", "webhook"]
      ])
      expect(after.completed).toBe(false)
      const { text: key } = await world.core.admin.createKey(people.viewer.accountId)
      expect((await stepsOf()).completed).toBe(false)
      await world.send("GET", "/api/v1/me", { key })
      const last = await stepsOf()
      expect([last.done.at(-1)!.id, last.completed]).toEqual(["key", true])
      const refused = await world.send("GET", setup, { key: world.key })
      expect(refused.status).toBe(403)
      expect(refused.body.detail).toContain("Sign in")
      expect((await world.send("GET", campaigns, { key: world.stranger })).items).toEqual([])
    })
  })
