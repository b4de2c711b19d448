/** The whole life of a campaign as a caller of the API sees it, with a carrier that the test plays. Verifies: CONT-7. */
import { accelerated, type StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Fields } from "./HttpClient.ts"
import { aCampaign, campaigns, type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"

/** A Saturday morning, so that the default calling window is open; five seconds of pace pass in 50 ms. */
const morning = Date.UTC(2026, 10, 21, 6)
const speed = 100

const csv = ["phone,name,custom.plan", "+14155550101,Ada,gold", "+14155550102,Grace,", "not a number,Nobody,"].join(
  "\n"
)

/** How it is read. */
const readFile = {
  total_rows: 3,
  failed: 1,
  errors: [{ row: 4, field: "phone", message: expect.stringMatching(/dialed/) }],
  error_counts: [{ row: 4, field: "phone", message: expect.stringMatching(/dialed/), rows: 1 }],
  columns: { phone: "phone", name: "name", "custom.plan": "custom.plan" }
}

/** The CRM contact of the file's first row. */
const ada = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  phone: "+14155550101",
  name: "Ada",
  first_name: null,
  last_name: null,
  email: null,
  company: null,
  tags: [],
  notes: null,
  opted_in: true,
  custom: { plan: "gold" },
  created_at: expect.stringMatching(/^\d{4}-.+\.\d{3}Z$/),
  updated_at: expect.stringMatching(/^\d{4}-.+\.\d{3}Z$/)
}

const completed = { _tag: "Ended", status: "completed", failure: null, durationSeconds: 30, by: "remote" } as const
const busy = { _tag: "Ended", status: "busy", failure: null, durationSeconds: 0, by: null } as const

type Parts = Readonly<Record<string, string>>

const form = (parts: Parts) => {
  const boundary = "----a-boundary"
  const fields = Object.entries(parts).map(([name, value]) => {
    const file = name === "file" ? '; filename="people.csv"\r\nContent-Type: text/csv' : ""
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
  })
  return {
    body: `${fields.join("")}--${boundary}--\r\n`,
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` }
  }
}

export const campaignLifeSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the life of a campaign through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage, { core: { clock: accelerated(morning, speed) } })
      await world.core.start()
    })
    afterAll(() => world.close())

    const ask = (method: string, path: string, json?: unknown) =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }) })

    const importInto = (path: string, parts: Parts) =>
      world.send("POST", `${path}/contacts/import`, { key: world.key, ...form(parts) })

    /** The campaign's one call that is not over, once there is one. */
    const calling = (path: string) =>
      until(async () => {
        const { body } = await ask("GET", `${path}/live`)
        return (body.active_calls as ReadonlyArray<Fields>)[0]
      })

    /** Fills a new campaign with two contacts. */
    const fill = async (path: string) => {
      expect((await ask("GET", path)).body).toMatchObject({ name: "Renewals", status: "draft", total_contacts: 0 })
      const added = await ask("POST", `${path}/contacts`, {
        contacts: [{ phone: "+14155550101", name: "Ada" }, { phone: "+14155550102" }, { phone: "---" }]
      })
      expect(added.body).toEqual({ inserted: 2, skipped_invalid: 1, total_now: 2 })
      expect((await ask("PATCH", path, { name: "Renewals in autumn" })).body).toMatchObject({ total_contacts: 2 })
      const { id } = (await ask("GET", `${path}/contacts`)).items[0]!
      // There is nothing to approve outside preview mode.
      expect((await ask("POST", `${path}/contacts/${id}/approve`)).status).toBe(409)
    }

    /** Brings a draft to `running`. */
    const run = async (path: string) => {
      const refused = await ask("POST", `${path}/status`, { status: "running" })
      expect(refused.status).toBe(409)
      expect(refused.body.detail).toMatch(/draft.*running/)
      expect((await ask("POST", `${path}/status`, { status: "scheduled" })).status).toBe(200)
      expect((await ask("POST", `${path}/status`, { status: "running" })).body).toMatchObject({ status: "running" })
      expect((await ask("POST", `${path}/contacts`, { contacts: [] })).status).toBe(409)
    }

    /** Plays both calls: the first is answered, whose id it returns, the second is busy. */
    const playCalls = async (path: string) => {
      const first = await calling(path)
      expect(first).toMatchObject({ phone: "+14155550101", name: "Ada", is_winner: false })
      const call = String(first.call_id)
      expect((await world.report(call, { _tag: "Ringing" })).status).toBe(200)
      expect((await world.report(call, { _tag: "Answered" })).status).toBe(200)
      expect(await calling(path)).toMatchObject({ call_id: call, status: "in_progress" })
      await world.report(call, completed)
      await world.report(call, completed)
      const second = await until(async () => {
        const next = await calling(path)
        return next.call_id === call ? undefined : next
      })
      await world.report(String(second.call_id), busy)
      return call
    }

    // Verifies: C-2, C-102, C-110, C-117, C-176.
    it("is created, gets contacts, is scheduled, runs, calls every contact and is completed", async () => {
      const path = await aCampaign(world, { name: "Renewals", pace_seconds: 5, max_attempts: 1 })
      await fill(path)
      await run(path)
      const call = await playCalls(path)
      const done = await until(async () => {
        const { body } = await ask("GET", path)
        return body.status === "completed" ? body : undefined
      })
      expect(done).toMatchObject({ total_contacts: 2, completed_contacts: 1, failed_contacts: 1 })

      const contacts = await ask("GET", `${path}/contacts`)
      expect(contacts.headers["x-total-count"]).toBe("2")
      expect(contacts.items).toMatchObject([
        { phone: "+14155550101", status: "done", attempts: 1, last_error: null, call_id: call },
        { phone: "+14155550102", status: "failed", attempts: 1, last_error: "busy" }
      ])

      expect((await ask("DELETE", path)).status).toBe(204)
      expect((await ask("GET", path)).status).toBe(404)
      expect((await ask("GET", `/api/v1/telephony/calls/${call}`)).body).toMatchObject({
        status: "completed",
        end_reason: "hangup_remote",
        credits: 1
      })
    })

    it("is returned with instants in UTC, for an id in upper or lower case", async () => {
      const path = await aCampaign(world, { scheduled_at: "2027-01-01T09:30:00.120+05:30" })
      const { body, status } = await ask("GET", path)
      expect(status).toBe(200)
      expect(body).toMatchObject({ scheduled_at: "2027-01-01T04:00:00.120Z", tenant_id: world.account })
      expect((await ask("GET", `${campaigns}/${String(body.id).toUpperCase()}`)).body).toEqual(body)
      expect((await ask("GET", `${path}?`)).body).toEqual(body)
    })

    // Verifies: C-127, C-176, D-134.
    it("dials in preview mode only contacts that were approved", async () => {
      const path = await aCampaign(world, { dial_mode: "preview" })
      await ask("POST", `${path}/contacts`, { contacts: [{ phone: "+14155550103" }, { phone: "+14155550104" }] })
      await ask("POST", `${path}/status`, { status: "scheduled" })
      await ask("POST", `${path}/status`, { status: "running" })
      const { body } = await ask("GET", `${path}/live`)
      expect(body).toMatchObject({ awaiting_approval_total: 2, active_calls: [] })
      const waiting = body.awaiting_approval as ReadonlyArray<Fields>
      const second = `${path}/contacts/${waiting[1]!.contact_id}/approve`
      const approved = await ask("POST", second)
      expect(approved.status).toBe(200)
      expect(approved.body).toMatchObject({ id: waiting[1]!.contact_id, phone: "+14155550104", attempts: 0 })
      expect((await ask("POST", second)).status).toBe(409)
      expect((await ask("POST", `${path}/contacts/${nobody}/approve`)).status).toBe(404)
      const call = await calling(path)
      expect(call.phone).toBe("+14155550104")
      expect((await ask("POST", `/api/v1/telephony/calls/${call.call_id}/hangup`)).status).toBe(200)
      await ask("POST", `${path}/status`, { status: "cancelled" })
    })

    // Verifies: C-130, C-131, D-135.
    it("calls no number of the do-not-call list, neither from a campaign nor as a single call", async () => {
      const list = `${campaigns}/dnc`
      const entry = { phone: "(415) 555-0105", reason: "asked" }
      expect((await ask("POST", list, { entries: [entry, entry, { phone: "?" }] })).body).toEqual({
        added: 1,
        skipped: 2,
        skipped_invalid: 1
      })
      const { headers, items } = await ask("GET", list)
      expect(headers["x-total-count"]).toBe("1")
      expect(items).toMatchObject([entry])
      expect((await ask("POST", "/api/v1/telephony/calls", { to: "+14155550105" })).status).toBe(409)
      const one = `${list}/${items[0]!.id}`
      expect((await world.send("DELETE", one, { key: world.stranger })).status).toBe(404)
      expect((await ask("DELETE", one)).status).toBe(204)
      expect((await ask("DELETE", one)).status).toBe(404)
    })

    // Verifies: C-2, C-12, C-72, C-73, C-118, C-119, C-121, C-123, C-124, D-89, D-95, D-206, D-223.
    it("imports a CSV file, first as a dry run", async () => {
      const path = await aCampaign(world)
      const upload = (parts: Parts) => importInto(path, parts)
      const counts = { total_rows: 3, created: 2, updated: 0, failed: 1, attached: 2, skipped_duplicate: 0 }

      expect((await upload({ file: csv })).body).toMatchObject({ ...counts, dry_run: true })
      expect((await ask("GET", `${path}/contacts`)).items).toEqual([])
      // Fields may stand before and after the file.
      expect((await upload({ opted_in: "TRUE", file: csv, dry_run: "0" })).body).toMatchObject({
        ...counts,
        dry_run: false,
        total_now: 2
      })
      expect((await upload({ file: csv, dry_run: "false" })).body).toEqual({
        dry_run: false,
        ...readFile,
        created: 0,
        updated: 2,
        attached: 0,
        skipped_invalid: 1,
        skipped_duplicate: 2,
        total_now: 2
      })
      const people = await ask("GET", "/api/v1/contacts?phone=4155550101")
      expect(people.items).toEqual([ada])
      expect((await ask("GET", `/api/v1/contacts/${people.items[0]!.id}`)).body).toEqual(people.items[0])

      const wrong = await upload({ dry_run: "perhaps", opted_in: "maybe" })
      expect(wrong.status).toBe(422)
      expect((wrong.body.detail as ReadonlyArray<Fields>).map(({ loc }) => loc)).toEqual([
        ["body", "file"],
        ["body", "dry_run"],
        ["body", "opted_in"]
      ])
      expect((await ask("POST", `${path}/contacts/import`, {})).status).toBe(415)
      const theirs = { key: world.stranger, ...form({ file: csv }) }
      expect((await world.send("POST", `${path}/contacts/import`, theirs)).status).toBe(404)
    })

    /** A CRM contact, whose row was imported into a campaign, and a key that may change it. */
    const importGrace = async () => {
      const path = await aCampaign(world)
      const file = "phone,name,tags,plan\n+14155550177,Grace,vip;new,gold"
      await importInto(path, { file, opted_in: "1", dry_run: "0" })
      const found = async () => (await ask("GET", "/api/v1/contacts?phone=4155550177")).items
      const [grace] = await found()
      const one = `/api/v1/contacts/${grace!.id}`
      const writer = await world.keyWith("contacts:write")
      const change = async (json: object) => world.send("PATCH", one, { key: writer, json })
      return { path, found, grace, one, writer, change }
    }

    // Verifies: D-229.
    it("corrects a CRM contact, withdraws its consent, and deletes it: contacts:write", async () => {
      const { change, found, grace, one, path, writer } = await importGrace()
      const correction = {
        name: "Grace H.",
        email: "grace@example.com",
        tags: ["lapsed"],
        opted_in: false,
        custom: { plan: "silver" }
      }
      const changed = await change({ ...correction, phone: "+14155550178", id: "ignored" })
      expect(changed).toMatchObject({ status: 200 })
      expect(changed.body).toEqual({ ...grace, ...correction, updated_at: expect.any(String) })
      expect(await found()).toEqual([changed.body])
      expect((await change({ email: null, notes: "called twice" })).body).toMatchObject({
        name: "Grace H.",
        email: null,
        notes: "called twice",
        tags: ["lapsed"]
      })
      expect((await change({})).body).toMatchObject({ notes: "called twice", opted_in: false })

      for (const method of ["PATCH", "DELETE"]) {
        expect((await world.send(method, one, { key: world.stranger, json: {} })).status).toBe(404)
      }
      expect((await world.send("DELETE", one, { key: writer })).status).toBe(204)
      expect((await world.send("DELETE", one, { key: writer })).status).toBe(404)
      expect((await ask("GET", one)).status).toBe(404)
      expect(await found()).toEqual([])
      // The list of a campaign is another matter: the person is still on it.
      expect((await ask("GET", `${path}/contacts`)).items).toMatchObject([{ phone: "+14155550177", name: "Grace" }])
    })

    // Verifies: D-229.
    it("refuses a change of a CRM contact, and names every field that is wrong: 422", async () => {
      const { change, one, writer } = await importGrace()
      const wrong = await change({
        name: "😀".repeat(256),
        email: "nobody",
        tags: ["x".repeat(65)],
        opted_in: null,
        custom: { "": "x" }
      })
      expect(wrong.status).toBe(422)
      const fields = (wrong.body.detail as ReadonlyArray<Fields>).map(({ loc }) => (loc as ReadonlyArray<string>)[1])
      expect([...new Set(fields)].sort()).toEqual(["custom", "email", "name", "opted_in", "tags"])
      expect((await change({ name: "😀".repeat(255) })).status).toBe(200)
      await world.send("DELETE", one, { key: writer })
    })

    // Verifies: C-120.
    it("reads the columns that a map names, and no others", async () => {
      const path = await aCampaign(world)
      const file = "Mobile;name;Tier\n+1 415 555 0111;Ada;gold\n"
      const column_map = JSON.stringify({ Mobile: "phone", Tier: "custom.tier" })
      expect((await importInto(path, { file, column_map, dry_run: "false" })).body).toMatchObject({ attached: 1 })
      const { items } = await ask("GET", "/api/v1/contacts?phone=4155550111")
      expect(items).toMatchObject([{ phone: "+1 415 555 0111", name: null, custom: { tier: "gold" } }])
    })

    // Verifies: D-189.
    it("reads the flags of a form as true, false, 1 and 0, in upper or lower case", async () => {
      const path = await aCampaign(world)
      for (const [dry_run, dry] of [
        ["true", true],
        ["TRUE", true],
        ["1", true],
        ["false", false],
        ["False", false],
        ["0", false]
      ] as const) {
        expect((await importInto(path, { file: csv, dry_run, opted_in: dry_run })).body.dry_run, dry_run).toBe(dry)
      }
      for (const dry_run of ["yes", "", "2"]) {
        expect((await importInto(path, { file: csv, dry_run })).status, dry_run).toBe(422)
      }
    })

    // Verifies: C-120, C-180, C-181, D-97, D-98, D-99.
    it("refuses a file or a map that cannot be read, and names the part: 422", async () => {
      const path = await aCampaign(world)
      for (const [parts, part] of [
        [{ file: "" }, "file"],
        [{ file: "phone\n" }, "file"],
        [{ file: "name\nAda\n" }, "file"],
        [{ file: 'phone\n"+14155550101\n' }, "file"],
        [{ file: csv, column_map: "{" }, "column_map"],
        [{ file: csv, column_map: '["phone"]' }, "column_map"],
        [{ file: csv, column_map: '{"Mobile":"phone"}' }, "column_map"],
        [{ file: csv, column_map: '{"phone":"telephone"}' }, "column_map"]
      ] as const) {
        const { body, status } = await importInto(path, { ...parts, dry_run: "false" })
        expect(status, JSON.stringify(parts)).toBe(422)
        for (const { loc } of body.detail as ReadonlyArray<Fields>) expect(loc).toEqual(["body", part])
      }
      expect((await ask("GET", `${path}/contacts`)).items).toEqual([])
    })

    // Verifies: C-182, D-111.
    it("accepts a file of 25 MiB and refuses one more byte: 422", async () => {
      const path = await aCampaign(world)
      // Few rows, so that the test is about bytes.
      const line = `+14155550101,${"x".repeat(1024 * 1024 - 14)}\n`
      const full = `phone,notes\n${line.repeat(24)}`
      const file = `${full}${"x".repeat(25 * 1024 * 1024 - full.length)}`
      expect((await importInto(path, { file })).body).toMatchObject({ total_rows: 25, failed: 25 })
      const { body, status } = await importInto(path, { file: `${file}x` })
      expect(status).toBe(422)
      expect(body.detail).toMatchObject([{ loc: ["body", "file"], type: "too_large" }])
    })

    it("uses numbers, templates and agents of the account, which cannot be removed while it uses them", async () => {
      const number = (await ask("POST", "/api/v1/telephony/numbers", { phone: "+14155550100", label: null })).body
      const template = (await ask("POST", "/api/v1/voicemail-templates", { name: "Sorry", text: "Later." })).body
      const bot = (await ask("POST", "/api/v1/bots", { name: "Agent", config: { greeting: "Hello" } })).body
      const path = await aCampaign(world, {
        bot_id: bot.id,
        from_number_id: number.id,
        voicemail_template_id: template.id
      })
      expect((await ask("DELETE", `/api/v1/telephony/numbers/${number.id}`)).status).toBe(409)
      expect((await ask("DELETE", `/api/v1/voicemail-templates/${template.id}`)).status).toBe(409)
      expect((await ask("POST", campaigns, { name: "x", bot_id: nobody })).status).toBe(404)
      await ask("PATCH", path, { from_number_id: null, voicemail_template_id: null })
      expect((await ask("DELETE", `/api/v1/telephony/numbers/${number.id}`)).status).toBe(204)
      const both = await ask("PATCH", `/api/v1/voicemail-templates/${template.id}`, {
        audio_url: "https://example.com/a"
      })
      expect(both.status).toBe(422)
      expect((await ask("DELETE", `/api/v1/voicemail-templates/${template.id}`)).status).toBe(204)
      expect((await ask("GET", `/api/v1/bots/${bot.id}`)).body).toEqual(bot)
      for (const list of ["/api/v1/bots", "/api/v1/telephony/numbers", "/api/v1/voicemail-templates"]) {
        expect((await ask("GET", list)).status).toBe(200)
      }
    })
  })
