/** What was used of the plan, and voice sessions beyond it, as callers of the API see them; docs/reference/plans.md#counters. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Fields } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"

const path = "/v1/usage/plan"
const sessions = "/v1/voice/sessions"
const day = 86_400_000

export const planUsageSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`usage of the plan through ${name}`, () => {
    // In a month before one with a change of the year.
    let now = Date.UTC(2026, 11, 30)
    let world: HttpWorld
    let botId: string

    beforeAll(async () => {
      world = await openWorld(start, storage, {
        core: { clock: { now: () => now, speed: 1 }, auth: { jwt: { secret: "a secret that tokens are signed with" } } }
      })
      const { body } = await world.send("POST", "/api/v1/bots", { key: world.key, json: { name: "Asha" } })
      botId = String(body.id)
    })
    afterAll(() => world.close())

    const read = async (key = world.key) => (await world.send("GET", path, { key })).body
    const conversations = async () => ((await read()).counters as Fields).conversations
    const session = () => world.send("POST", sessions, { key: world.key, json: { bot_id: botId } })

    // Verifies: H-800, H-810, H-811.
    it("has every counter with its limit, for the calendar month", async () => {
      expect(await read()).toEqual({
        plan: "free",
        period: { from: "2026-12-01T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" },
        counters: {
          llm_calls: { used: 0, limit: 100 },
          stt_calls: { used: 0, limit: 50 },
          tts_calls: { used: 0, limit: 50 },
          images: { used: 0, limit: 0 },
          conversations: { used: 0, limit: 50 },
          storage_bytes: { used: 0, limit: 100_000_000 },
          team_members: { used: null, limit: 2 }
        }
      })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
      const { counters, plan } = await read()
      expect(plan).toBe("enterprise")
      for (const counter of Object.values(counters as Fields)) expect(counter).toMatchObject({ limit: null })
      await world.core.admin.changeAccount(world.account, { plan: "free" })
    })

    // Verifies: H-803, H-804, H-808.
    it("counts voice sessions, which are refused beyond the plan until the month is over", async () => {
      const first = await session()
      expect(await conversations()).toEqual({ used: 1, limit: 50 })
      expect((await world.send("DELETE", `${sessions}/${first.body.id}`, { key: world.key })).status).toBe(200)
      expect(await conversations()).toEqual({ used: 0, limit: 50 })
      for (let made = 0; made < 50; made++) expect((await session()).status).toBe(200)
      const { body, headers, status } = await session()
      expect([status, headers["retry-after"], headers["x-should-retry"]]).toEqual([
        429,
        String((2 * day) / 1000),
        "false"
      ])
      expect(body.error).toMatchObject({ code: "quota_exceeded", type: "insufficient_quota" })
      expect(await conversations()).toEqual({ used: 50, limit: 50 })
      now += 2 * day
      expect(await conversations()).toEqual({ used: 0, limit: 50 })
      expect((await session()).status).toBe(200)
      expect(await conversations()).toEqual({ used: 1, limit: 50 })
    })

    // Verifies: H-812.
    it("is an account's own, for keys with the scope usage:read and for its managers", async () => {
      expect(((await read(world.stranger)).counters as Fields).conversations).toEqual({ used: 0, limit: 50 })
      const status = async (key: string) => (await world.send("GET", path, { key })).status
      const token = async (role: string) => (await world.core.admin.createToken(world.account, { role })).token
      expect(await status(await world.keyWith("usage:read"))).toBe(200)
      expect(await status(await world.keyWith("messaging:read"))).toBe(403)
      const summary = async (key: string) => (await world.send("GET", "/v1/usage/summary", { key })).status
      for (const role of ["owner", "admin", "member", "viewer"]) {
        const key = await token(role)
        expect(await status(key), role).toBe(await summary(key))
      }
      expect(await status(await token("owner"))).toBe(200)
      expect(await status("svc_nobody")).toBe(401)
    })

    // Verifies: H-813.
    it("is a promise too, with the same figures", async () => {
      const { counters, period, plan } = await world.core.usage.plan(world.account)
      const wire = await read()
      expect([plan, new Date(period.from).toISOString(), new Date(period.to).toISOString()]).toEqual([
        wire.plan,
        ...Object.values(wire.period as Fields)
      ])
      expect(Object.values(counters)).toEqual(Object.values(wire.counters as Fields))
      expect(Object.keys(counters)).toContain("llmCalls")
      await expect(world.core.usage.plan(nobody)).rejects.toMatchObject({ code: "account_not_found", status: 404 })
    })
  })
