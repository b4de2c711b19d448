/** Bodies, ids and lists: what is folded, ignored, cleared and counted. */
import type { StoragePlug } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aCampaign, campaigns, type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

export const fieldSuite = (name: string, start: Start, storage: () => StoragePlug) =>
  describe(`fields through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage)
    })
    afterAll(() => world.close())

    const ask = (method: string, path: string, json?: unknown) =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }) })

    it("ignores fields that it does not know, and those that cannot be set", async () => {
      const more = { status: "running", tenant_id: "x", total_contacts: 9, unheard_of: { of: 1 } }
      const { body, status } = await ask("POST", campaigns, { name: "x", ...more })
      expect(status).toBe(201)
      expect(body).toMatchObject({ status: "draft", tenant_id: world.account, total_contacts: 0 })
      expect((await ask("PATCH", `${campaigns}/${body.id}`, more)).body).toMatchObject({ status: "draft" })
    })

    it("takes null for absent when something is made", async () => {
      const optional = { timezone: null, dial_mode: null, pace_seconds: null, amd_enabled: null, bot_id: null }
      const { body, status } = await ask("POST", campaigns, { name: "x", scheduled_at: null, ...optional })
      expect(status).toBe(201)
      expect(body).toMatchObject({ timezone: "Asia/Kolkata", dial_mode: "power", pace_seconds: 30, bot_id: null })
      expect((await ask("POST", campaigns, { name: null })).status).toBe(422)
    })

    it("clears with null what may be null, refuses it for the rest, and keeps what is left out", async () => {
      const path = await aCampaign(world, { scheduled_at: "2027-01-01T10:00:00+05:30", pace_seconds: 60 })
      expect((await ask("GET", path)).body.scheduled_at).toBe("2027-01-01T04:30:00.000Z")
      expect((await ask("PATCH", path, { scheduled_at: null })).body).toMatchObject({
        scheduled_at: null,
        pace_seconds: 60
      })
      for (const field of ["name", "timezone", "dial_mode", "pace_seconds", "amd_enabled"]) {
        const { body, status } = await ask("PATCH", path, { [field]: null })
        expect(status, field).toBe(422)
        expect(body.detail).toMatchObject([{ loc: ["body", field] }])
      }
    })

    it("counts lengths in code points", async () => {
      const wide = "𝒜"
      const { body } = await ask("POST", campaigns, { name: wide.repeat(255) })
      expect(body.name).toBe(wide.repeat(255))
      expect((await ask("POST", campaigns, { name: wide.repeat(256) })).status).toBe(422)
      expect((await ask("POST", campaigns, { name: " \u3000\t" })).status).toBe(422)
      expect((await ask("POST", campaigns, { name: " kept as sent " })).body.name).toBe(" kept as sent ")
    })

    it("folds upper-case ids in paths and bodies", async () => {
      const bot = (await ask("POST", "/api/v1/bots", { name: "Agent" })).body
      const path = await aCampaign(world, { bot_id: String(bot.id).toUpperCase() })
      const [, id] = path.split(`${campaigns}/`)
      const { body, status } = await ask("GET", `${campaigns}/${id!.toUpperCase()}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, bot_id: bot.id })
    })

    it("pages its lists, newest first, and tells how many there are in all", async () => {
      const key = (await world.core.admin.createKey(world.account)).text
      const before = Number((await world.send("GET", campaigns, { key })).headers["x-total-count"])
      for (const name of ["one", "two", "three"]) await aCampaign(world, { name })
      const page = await ask("GET", `${campaigns}?limit=2&offset=1&unheard_of=1`)
      expect(page.headers["x-total-count"]).toBe(String(before + 3))
      expect(page.items.map((campaign) => campaign.name)).toEqual(["two", "one"])
      const past = await ask("GET", `${campaigns}?offset=100000`)
      expect(past).toMatchObject({ status: 200, text: "[]" })
      expect(past.headers["x-total-count"]).toBe(String(before + 3))
    })

    it("refuses limits and offsets out of bounds, and keys that stand twice", async () => {
      for (const query of [
        "limit=0",
        "limit=101",
        "offset=-1",
        "offset=100001",
        "limit=1.5",
        "limit=",
        "limit=5&limit=6"
      ]) {
        expect((await ask("GET", `${campaigns}?${query}`)).status, query).toBe(422)
      }
      expect((await ask("GET", `${campaigns}?limit=100&offset=100000`)).status).toBe(200)
    })

    it("takes many requests at once and loses none", async () => {
      const names = Array.from({ length: 40 }, (_, index) => `at once ${index}`)
      const made = await Promise.all(names.map((name) => ask("POST", campaigns, { name })))
      expect(made.map(({ body, status }) => `${status} ${body.name}`)).toEqual(names.map((name) => `201 ${name}`))
      expect(new Set(made.map(({ body }) => body.id)).size).toBe(names.length)
      expect(new Set(made.map(({ headers }) => headers["x-request-id"])).size).toBe(names.length)
    })
  })
