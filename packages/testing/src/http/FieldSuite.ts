/** Bodies, ids and lists: what is folded, ignored, cleared and counted. */
import type { StorageProvider } from "@trunkline/core"
import { Wire } from "@trunkline/core/provider"
import { DialingSettings } from "@trunkline/core/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { maxima, settingBounds } from "../SettingBounds.ts"
import { aCampaign, campaigns, type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const phone = "+14155550101"
const numbers = "/api/v1/telephony/numbers"
const calls = "/api/v1/telephony/calls"
const templates = "/api/v1/voicemail-templates"

/** Requests that create one record each. */
const creations: ReadonlyArray<readonly [method: string, path: string, json: object]> = [
  ["POST", campaigns, { name: "x" }],
  ["POST", calls, { to: phone }],
  ["POST", numbers, { phone: "+14155550102", label: "Front desk" }],
  ["POST", templates, { name: "x", audio_url: "https://example.com/a.mp3" }],
  ["POST", "/api/v1/bots", { name: "x" }]
]

export const fieldSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`fields through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage)
    })
    afterAll(() => world.close())

    const ask = (method: string, path: string, json?: unknown) =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }) })

    /** What an account has that a campaign may refer to. */
    const references = async () => {
      const [bot, number, template] = await Promise.all([
        ask("POST", "/api/v1/bots", { name: "Agent" }),
        ask("POST", numbers, { phone: "+14155550100" }),
        ask("POST", templates, { name: "Sorry", text: "Later." })
      ])
      return { bot_id: bot.body.id, from_number_id: number.body.id, voicemail_template_id: template.body.id }
    }

    // Verifies: C-18, C-19, C-38, C-98, C-105, C-107, D-1, D-177.
    it("shows every field of a campaign, with the defaults of those that were left out", async () => {
      const { body, status } = await ask("POST", campaigns, { name: "Renewals" })
      expect(status).toBe(201)
      expect(body).toEqual({
        ...Wire.toWire(DialingSettings.defaults),
        id: expect.stringMatching(uuid),
        tenant_id: world.account,
        name: "Renewals",
        status: "draft",
        total_contacts: 0,
        completed_contacts: 0,
        failed_contacts: 0,
        timezone: "Asia/Kolkata",
        quiet_hours_start: 9,
        quiet_hours_end: 21,
        max_attempts: 3,
        dial_mode: "power",
        pace_seconds: 30,
        parallel_lines: 1,
        amd_enabled: false,
        bot_id: null,
        from_number_id: null,
        scheduled_at: null,
        voicemail_template_id: null,
        created_at: expect.stringMatching(utc),
        updated_at: body.created_at
      })
      expect((await ask("GET", `${campaigns}/${body.id}`)).body).toEqual(body)
    })

    // Verifies: C-104, C-105, C-108, D-1.
    it("accepts every field when a campaign is created, and the same ones when it is changed", async () => {
      const fields = {
        ...Wire.toWire(maxima),
        name: "All of them",
        ...(await references()),
        scheduled_at: "2030-01-01T00:00:00.000Z",
        timezone: "Europe/Paris",
        quiet_hours_start: 0,
        quiet_hours_end: 24,
        max_attempts: 5,
        dial_mode: "parallel",
        pace_seconds: 3600,
        parallel_lines: 5,
        amd_enabled: true
      }
      expect((await ask("POST", campaigns, fields)).body).toMatchObject({ ...fields, status: "draft" })
      const path = await aCampaign(world)
      expect((await ask("PATCH", path, fields)).body).toMatchObject(fields)
      expect((await ask("GET", path)).body).toMatchObject(fields)
    })

    // Verifies: C-125, C-126, D-10, D-84, D-217.
    it("shows every field of a contact, of a contact that waits for approval, and of a do-not-call entry", async () => {
      const path = await aCampaign(world, { dial_mode: "preview" })
      await ask("POST", `${path}/contacts`, { contacts: [{ phone: "(415) 555-0101" }] })
      const { items } = await ask("GET", `${path}/contacts`)
      const contact = { phone: "(415) 555-0101", name: null, attempts: 0, created_at: expect.stringMatching(utc) }
      const id = expect.stringMatching(uuid)
      const last = { next_attempt_at: null, last_error: null, call_id: null }
      const unheld = { held_by: null, held_until: null }
      const unseen = { ...unheld, approved_by: null, approved_at: null, outcome: null }
      expect(items).toEqual([{ ...contact, ...last, ...unseen, id, status: "pending" }])
      expect((await ask("GET", `${path}/live`)).body).toEqual({
        campaign_id: path.slice(campaigns.length + 1),
        status: "draft",
        dial_mode: "preview",
        pace_seconds: 30,
        parallel_lines: 1,
        active_calls: [],
        awaiting_approval: [{ ...contact, ...unheld, contact_id: items[0]!.id }],
        awaiting_approval_total: 1,
        waiting_for: { reason: "not_running", until: null },
        abandon_rate: 0
      })
      await ask("POST", `${campaigns}/dnc`, { entries: [{ phone: "(415) 555-0177" }] })
      const entry = { id, phone: "(415) 555-0177", reason: null, created_at: expect.stringMatching(utc) }
      expect((await ask("GET", `${campaigns}/dnc?limit=1`)).items).toEqual([entry])
    })

    // Verifies: D-131, D-133, D-134, D-146, D-184, G-158.
    it("answers 201 when one record is created, 204 when it is removed, and 200 otherwise", async () => {
      const statuses = async (...asked: ReadonlyArray<readonly [method: string, path: string, json?: unknown]>) => {
        const found = []
        for (const [method, path, json] of asked) found.push((await ask(method, path, json)).status)
        return [...new Set(found)]
      }
      const path = await aCampaign(world)
      const { bot_id, from_number_id, voicemail_template_id } = await references()
      const call = await ask("POST", calls, { to: phone, from_number_id, bot_id })
      expect(call.status).toBe(201)
      expect(call.body).toMatchObject({ to: phone, from_number_id, from: "+14155550100", bot_id, campaign_id: null })
      const one = `${calls}/${call.body.id}`
      const template = `${templates}/${voicemail_template_id}`
      expect(await statuses(...creations)).toEqual([201])
      expect(
        await statuses(
          ["PATCH", path, { name: "x" }],
          ["POST", `${path}/contacts`, { contacts: [{ phone }] }],
          ["POST", `${path}/status`, { status: "scheduled" }],
          ["POST", `${path}/status`, { status: "scheduled" }],
          ["POST", `${campaigns}/dnc`, { entries: [{ phone: "+14155550178" }] }],
          ["GET", calls],
          ["GET", one],
          ["POST", `${one}/hangup`],
          ["GET", template],
          ["PATCH", template, { name: "y" }]
        )
      ).toEqual([200])
      const { items } = await ask("GET", `${campaigns}/dnc?limit=1`)
      expect(
        await statuses(
          ["DELETE", path],
          ["DELETE", template],
          ["DELETE", `${numbers}/${from_number_id}`],
          ["DELETE", `${campaigns}/dnc/${items[0]!.id}`]
        )
      ).toEqual([204])
    })

    // Verifies: C-192, C-193, C-194.
    it("accepts numbers within their bounds, and refuses the next one on either side", async () => {
      const path = await aCampaign(world)
      expect(settingBounds).toEqual(
        expect.arrayContaining([
          { name: "quietHoursStart", minimum: 0, maximum: 23 },
          { name: "quietHoursEnd", minimum: 1, maximum: 24 },
          { name: "maxAttempts", minimum: 1, maximum: 5 },
          { name: "paceSeconds", minimum: 5, maximum: 3600 },
          { name: "parallelLines", minimum: 1, maximum: 5 }
        ])
      )
      for (const { maximum, minimum, name } of settingBounds) {
        const field = Wire.snakeName(name)
        const settings = { name: "x", dial_mode: "parallel", quiet_hours_start: 0, quiet_hours_end: 24 }
        for (const value of [minimum, maximum]) {
          const { body } = await ask("POST", campaigns, { ...settings, [field]: value })
          expect(body[field], `${field} ${value}`).toBe(value)
        }
        for (const value of [minimum - 1, maximum + 1]) {
          for (const refused of [
            await ask("POST", campaigns, { ...settings, [field]: value }),
            await ask("PATCH", path, { [field]: value })
          ]) {
            expect(refused.status, `${field} ${value}`).toBe(422)
            expect(refused.body.detail).toMatchObject([{ loc: ["body", field] }])
          }
        }
      }
    })

    // Verifies: C-115, C-116, C-129, C-190, C-191, D-41.
    it("accepts texts up to their maximum lengths, and refuses longer ones", async () => {
      const path = await aCampaign(world)
      const padded = (length: number) => phone + " ".repeat(length - phone.length)
      for (const [to, batch, field, taken, refused] of [
        [`${path}/contacts`, "contacts", "phone", [padded(64)], ["", padded(65)]],
        [`${path}/contacts`, "contacts", "name", ["", "x".repeat(255)], ["x".repeat(256)]],
        [`${campaigns}/dnc`, "entries", "phone", [padded(64)], ["", padded(65)]],
        [`${campaigns}/dnc`, "entries", "reason", ["", "x".repeat(500)], ["x".repeat(501)]]
      ] as const) {
        const send = (text: string) => ask("POST", to, { [batch]: [{ phone, [field]: text }] })
        for (const text of taken) expect((await send(text)).status, `${batch} ${field} ${text.length}`).toBe(200)
        for (const text of refused) {
          const { body, status } = await send(text)
          expect(status, `${batch} ${field} ${text.length}`).toBe(422)
          expect(body.detail).toMatchObject([{ loc: ["body", batch, 0, field] }])
        }
        expect((await ask("POST", to, { [batch]: [{}] })).body.detail).toMatchObject([{ type: "missing" }])
      }
    })

    // Verifies: C-114, C-117, C-129, C-130, C-179, C-187, C-188, D-184.
    it("accepts a batch of none to a thousand, and refuses one more", async () => {
      const path = await aCampaign(world)
      const batch = (length: number) =>
        Array.from({ length }, (_, at) => ({ phone: `+9198765${String(at).padStart(5, "0")}` }))
      const add = (length: number) => ask("POST", `${path}/contacts`, { contacts: batch(length) })
      expect((await add(1000)).body).toEqual({ inserted: 1000, skipped_invalid: 0, total_now: 1000 })
      expect((await add(0)).body).toEqual({ inserted: 0, skipped_invalid: 0, total_now: 1000 })
      const many = await add(1001)
      expect(many.status).toBe(422)
      expect(many.body.detail).toMatchObject([{ loc: ["body", "contacts"] }])
      const list = (length: number) => ask("POST", `${campaigns}/dnc`, { entries: batch(length) })
      expect((await list(1000)).body).toEqual({ added: 1000, skipped: 0, skipped_invalid: 0 })
      expect((await list(0)).body).toEqual({ added: 0, skipped: 0, skipped_invalid: 0 })
      const long = await list(1001)
      expect(long.status).toBe(422)
      expect(long.body.detail).toMatchObject([{ loc: ["body", "entries"] }])
    })

    // Verifies: D-178.
    it("reads any ISO 8601 instant, one without an offset as UTC, and refuses a date alone", async () => {
      const path = await aCampaign(world)
      const change = (scheduled_at: unknown) => ask("PATCH", path, { scheduled_at })
      for (const [given, kept] of [
        ["2030-01-01T10:00:00+05:30", "2030-01-01T04:30:00.000Z"],
        ["2030-01-01T10:00", "2030-01-01T10:00:00.000Z"],
        ["2030-01-01T10:00:00.123456Z", "2030-01-01T10:00:00.123Z"]
      ]) {
        expect((await change(given)).body.scheduled_at).toBe(kept)
      }
      for (const given of ["2030-01-01", "tomorrow", 1_893_456_000_000]) {
        const { body, status } = await change(given)
        expect(status, String(given)).toBe(422)
        expect(body.detail).toMatchObject([{ loc: ["body", "scheduled_at"] }])
      }
    })

    // Verifies: C-101, C-102, D-180.
    it("ignores fields that it does not know, and those that cannot be set", async () => {
      const more = { status: "running", tenant_id: "x", total_contacts: 9, unheard_of: { of: 1 } }
      const { body, status } = await ask("POST", campaigns, { name: "x", ...more })
      expect(status).toBe(201)
      expect(body).toMatchObject({ status: "draft", tenant_id: world.account, total_contacts: 0 })
      expect((await ask("PATCH", `${campaigns}/${body.id}`, more)).body).toMatchObject({ status: "draft" })
    })

    // Verifies: C-20, D-181.
    it("reads null as absent when a record is created", async () => {
      const optional = { timezone: null, dial_mode: null, pace_seconds: null, amd_enabled: null, bot_id: null }
      const { body, status } = await ask("POST", campaigns, { name: "x", scheduled_at: null, ...optional })
      expect(status).toBe(201)
      expect(body).toMatchObject({ timezone: "Asia/Kolkata", dial_mode: "power", pace_seconds: 30, bot_id: null })
      expect((await ask("POST", campaigns, { name: null })).status).toBe(422)
      const nameless = await ask("POST", campaigns, {})
      expect(nameless.status).toBe(422)
      expect(nameless.body.detail).toMatchObject([{ loc: ["body", "name"], type: "missing" }])
    })

    // Verifies: D-182.
    it("clears fields with null where they may be null, refuses null for the others, and keeps fields that are left out", async () => {
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

    // Verifies: C-20, C-189, D-191, D-217.
    it("counts lengths in code points", async () => {
      const wide = "𝒜"
      const { body } = await ask("POST", campaigns, { name: wide.repeat(255) })
      expect(body.name).toBe(wide.repeat(255))
      expect((await ask("POST", campaigns, { name: wide.repeat(256) })).status).toBe(422)
      expect((await ask("POST", campaigns, { name: " \u3000\t" })).status).toBe(422)
      expect((await ask("POST", campaigns, { name: " kept as sent " })).body.name).toBe(" kept as sent ")
    })

    // Verifies: D-176.
    it("folds upper-case ids in paths and bodies", async () => {
      const bot = (await ask("POST", "/api/v1/bots", { name: "Agent" })).body
      const path = await aCampaign(world, { bot_id: String(bot.id).toUpperCase() })
      const [, id] = path.split(`${campaigns}/`)
      const { body, status } = await ask("GET", `${campaigns}/${id!.toUpperCase()}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, bot_id: bot.id })
    })

    // Verifies: D-179.
    it("pages its lists, newest first, and returns the total", async () => {
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

    // Verifies: C-106, C-125, C-128, C-195, C-196, C-197, D-140, D-206.
    it("has pages of a standard and of a maximum size, and a maximum offset", async () => {
      const { id } = await world.core.admin.createAccount({ name: "Lister", voiceCampaigns: true })
      const key = (await world.core.admin.createKey(id)).text
      const make = (path: string, json: unknown) => world.send("POST", path, { key, json })
      const many = Array.from({ length: 501 }, (_, at) => ({ phone: `+9198765${String(at).padStart(5, "0")}` }))
      const campaign = `${campaigns}/${(await make(campaigns, { name: "x" })).body.id}`
      await make(`${campaign}/contacts`, { contacts: many })
      await make(`${campaigns}/dnc`, { entries: many })
      const csv = ["phone", ...many.map((person) => person.phone)].join("\n")
      await world.core.campaigns.importCsv(id, campaign.slice(campaigns.length + 1), Buffer.from(csv), {
        dryRun: false
      })
      for (let at = 0; at < 101; at++) {
        await make(campaigns, { name: "x" })
        await make(numbers, { phone })
        await make(calls, { to: phone })
      }
      for (const [list, standard, most, last] of [
        [campaigns, 50, 100, 100_000],
        [`${campaign}/contacts`, 100, 500, 1_000_000],
        [`${campaigns}/dnc`, 100, 500, 1_000_000],
        ["/api/v1/contacts", 100, 500, 1_000_000],
        [calls, 100, 500, 1_000_000],
        [numbers, 100, 500, 1_000_000]
      ] as const) {
        const get = (query: string) => world.send("GET", list + query, { key })
        const first = await get("")
        const total = Number(first.headers["x-total-count"])
        expect(first.items, list).toHaveLength(standard)
        expect(total, list).toBeGreaterThan(standard)
        expect((await get("?offset=0")).items, list).toEqual(first.items)
        expect((await get(`?limit=${most}`)).items, list).toHaveLength(Math.min(most, total))
        expect(await get(`?offset=${last}`), list).toMatchObject({ status: 200, items: [] })
        for (const query of [`limit=0`, `limit=${most + 1}`, `offset=-1`, `offset=${last + 1}`]) {
          expect((await get(`?${query}`)).status, `${list}?${query}`).toBe(422)
        }
      }
    })

    it("refuses limits and offsets that are no whole numbers, and parameters that occur twice", async () => {
      const odd = ["1e1", "1.0", "-0", "%2B5", "007", "0x5", "1_0", "%205"].map((number) => `limit=${number}`)
      for (const query of ["limit=1.5", "limit=", "offset=many", "limit=5&limit=6", ...odd]) {
        const { body, status } = await ask("GET", `${campaigns}?${query}`)
        expect(status, query).toBe(422)
        expect(body.detail, query).toHaveLength(1)
      }
    })

    // Verifies: D-195.
    it("handles many concurrent requests and loses none", async () => {
      const names = Array.from({ length: 40 }, (_, index) => `at once ${index}`)
      const made = await Promise.all(names.map((name) => ask("POST", campaigns, { name })))
      expect(made.map(({ body, status }) => `${status} ${body.name}`)).toEqual(names.map((name) => `201 ${name}`))
      expect(new Set(made.map(({ body }) => body.id)).size).toBe(names.length)
      expect(new Set(made.map(({ headers }) => headers["x-request-id"])).size).toBe(names.length)
    })
  })
