/** Lists of campaigns and contacts as a caller of the API filters, searches and counts them. */
import { accelerated, type StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aCampaign, campaigns, type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"

const morning = Date.UTC(2026, 10, 21, 6)

const people = [
  { phone: "+1 (415) 555-0101", name: "Ada Lovelace" },
  { phone: "+14155550102", name: "JÖRG MÜLLER" },
  { phone: "+14155550199" }
]

const busy = { _tag: "Ended", status: "busy", failure: null, durationSeconds: 0, by: null } as const
const done = { _tag: "Ended", status: "completed", failure: null, durationSeconds: 9, by: "remote" } as const

export const campaignListSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`lists of campaigns through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage, { core: { clock: accelerated(morning, 100) } })
      await world.core.start()
    })
    afterAll(() => world.close())

    const ask = (method: string, path: string, json?: unknown, key = world.key) =>
      world.send(method, path, { key, ...(json === undefined ? {} : { json }) })

    const make = (named: string, fields: object = {}) => aCampaign(world, { name: named, ...fields })

    const namesOf = async (path: string) => {
      const { headers, items, status } = await ask("GET", path)
      expect(status).toBe(200)
      expect(headers["x-total-count"]).toBe(String(items.length))
      return items.map(({ name: shown }) => shown)
    }

    const faultOf = async (path: string) => {
      const { body, status } = await ask("GET", path)
      expect(status).toBe(422)
      return (body.detail as ReadonlyArray<{ readonly loc: unknown }>).map(({ loc }) => loc)
    }

    // Verifies: D-320, D-321.
    it("campaigns are found by one status or several, and by a part of the name in any case", async () => {
      const autumn = await make("Herbst für MÜNCHEN")
      await make("Frühling")
      await ask("POST", `${autumn}/status`, { status: "cancelled" })
      expect(await namesOf(`${campaigns}?q=${encodeURIComponent(" HERBST FÜR m ")}`)).toEqual(["Herbst für MÜNCHEN"])
      expect(await namesOf(`${campaigns}?status=cancelled`)).toEqual(["Herbst für MÜNCHEN"])
      expect(await namesOf(`${campaigns}?status=cancelled,draft&q=${encodeURIComponent("ü")}`)).toEqual([
        "Frühling",
        "Herbst für MÜNCHEN"
      ])
      expect(await namesOf(`${campaigns}?status=running`)).toEqual([])
      expect((await ask("GET", `${campaigns}?q=herbst`, undefined, world.stranger)).items).toEqual([])
      for (const wrong of ["gone", "draft,", "draft,gone", ""])
        expect(await faultOf(`${campaigns}?status=${wrong}`)).toEqual([["query", "status"]])
      for (const wrong of ["", "%20%20", "x".repeat(101)])
        expect(await faultOf(`${campaigns}?q=${wrong}`)).toEqual([["query", "q"]])
      expect((await ask("GET", `${campaigns}?q=%20${"x".repeat(100)}%20`)).status).toBe(200)
    })

    // Verifies: D-321, D-322.
    it("contacts are found by status, last error, name and digits, and counted as the list has them", async () => {
      const path = await make("Renewals")
      await ask("POST", `${path}/contacts`, { contacts: people })
      const contacts = `${path}/contacts`
      expect(await namesOf(`${contacts}?q=${encodeURIComponent("jörg")}`)).toEqual(["JÖRG MÜLLER"])
      expect(await namesOf(`${contacts}?q=555-01`)).toEqual(["Ada Lovelace", "JÖRG MÜLLER", null])
      expect(await namesOf(`${contacts}?q=0199&status=pending`)).toEqual([null])
      expect(await namesOf(`${contacts}?q=12`)).toEqual([])
      expect(await faultOf(`${contacts}?status=gone`)).toEqual([["query", "status"]])
      expect(await faultOf(`${contacts}?last_error=gone`)).toEqual([["query", "last_error"]])

      expect((await ask("GET", `${path}/counts`)).body).toEqual({
        total: 3,
        by_status: { pending: 3, approved: 0, calling: 0, done: 0, failed: 0 },
        by_last_error: {
          ...{ busy: 0, no_answer: 0, machine: 0, invalid_number: 0, blocked_number: 0, do_not_call: 0 },
          ...{ provider_error: 0, outcome_unknown: 0, canceled: 0 }
        },
        held: 0,
        due: 3,
        next_attempt_at: null,
        answered: 0,
        calls: 0
      })
      await ask("POST", `${path}/status`, { status: "scheduled" })
      await ask("POST", `${path}/status`, { status: "running" })
      const calling = (but: ReadonlyArray<string>) =>
        until(async () => {
          const { body } = await ask("GET", `${path}/live`)
          const [call] = body.active_calls as ReadonlyArray<{ readonly call_id: string }>
          return call === undefined || but.includes(call.call_id) ? undefined : call.call_id
        })
      const first = await calling([])
      await world.report(first, busy)
      const second = await calling([first])
      await world.report(second, { _tag: "Answered" })
      await world.report(second, done)
      await calling([first, second])
      expect(await namesOf(`${contacts}?status=done`)).toEqual(["JÖRG MÜLLER"])
      expect(await namesOf(`${contacts}?last_error=busy`)).toEqual(["Ada Lovelace"])
      expect(await namesOf(`${contacts}?last_error=busy&status=done`)).toEqual([])
      const counts = (await ask("GET", `${path}/counts`)).body
      const [waiting] = (await ask("GET", `${contacts}?last_error=busy`)).items
      expect(counts).toMatchObject({
        total: 3,
        by_status: { pending: 1, approved: 0, calling: 1, done: 1, failed: 0 },
        by_last_error: { busy: 1, no_answer: 0 },
        due: 0,
        next_attempt_at: waiting!.next_attempt_at,
        answered: 1,
        calls: 3
      })
    })

    // Verifies: D-322, D-323.
    it("approvals say who and when, and counts are no stranger's", async () => {
      const path = await make("Preview", { dial_mode: "preview" })
      await ask("POST", `${path}/contacts`, { contacts: people.slice(0, 1) })
      const [contact] = (await ask("GET", `${path}/contacts`)).items
      expect(contact).toMatchObject({ approved_by: null, approved_at: null })
      await ask("POST", `${path}/contacts/${String(contact!.id)}/approve`)
      expect((await ask("GET", `${path}/contacts?status=approved`)).items).toEqual([
        expect.objectContaining({
          approved_by: expect.stringMatching(/^key:[0-9a-f-]{36}$/),
          approved_at: expect.stringMatching(/^2026-.+Z$/)
        })
      ])
      expect((await ask("GET", `${path}/counts`, undefined, world.stranger)).status).toBe(404)
      expect((await ask("GET", `${campaigns}/${nobody}/counts`)).status).toBe(404)
      const reader = await world.keyWith("calls:read")
      expect((await ask("GET", `${path}/counts`, undefined, reader)).status).toBe(403)
    })

    const audited = async () =>
      (await world.core.admin.audit(world.account, { limit: 50 })).map(({ action, targetId }) => [action, targetId])

    /** A paused campaign with a contact that is done, one that has failed and one that waits; with the calls. */
    const called = async (named: string) => {
      const path = await make(named, { max_attempts: 1 })
      await ask("POST", `${path}/contacts`, { contacts: people })
      await ask("POST", `${path}/status`, { status: "scheduled" })
      await ask("POST", `${path}/status`, { status: "running" })
      const calling = (but: string) =>
        until(async () => {
          const { body } = await ask("GET", `${path}/live`)
          const [call] = body.active_calls as ReadonlyArray<{ readonly call_id: string }>
          return call === undefined || call.call_id === but ? undefined : call.call_id
        })
      const first = await calling("")
      const [contact] = (await ask("GET", `${path}/contacts?status=calling`)).items
      const refused = await ask("DELETE", `${path}/contacts/${String(contact!.id)}`)
      expect(refused.status).toBe(409)
      await world.report(first, { _tag: "Answered" })
      await world.report(first, done)
      const second = await calling(first)
      await ask("POST", `${path}/status`, { status: "paused" })
      await world.report(second, busy)
      await until(async () => ((await ask("GET", path)).body.failed_contacts === 1 ? true : undefined))
      return { path, first }
    }

    // Verifies: D-326, D-330.
    it("contacts are removed unless they are being called, and the totals follow", async () => {
      const { path, first } = await called("Removals")
      const [gone, failed] = (await ask("GET", `${path}/contacts`)).items
      expect((await ask("DELETE", `${path}/contacts/${String(gone!.id)}`, undefined, world.stranger)).status).toBe(404)
      for (const contact of [gone, failed])
        expect((await ask("DELETE", `${path}/contacts/${String(contact!.id)}`)).status).toBe(204)
      expect((await ask("DELETE", `${path}/contacts/${String(gone!.id)}`)).status).toBe(404)
      expect((await ask("GET", path)).body).toMatchObject({
        total_contacts: 1,
        completed_contacts: 0,
        failed_contacts: 0
      })
      expect((await ask("GET", `/api/v1/telephony/calls/${first}`)).status).toBe(200)
      expect(await audited()).toContainEqual(["contact.delete", gone!.id])
      await ask("POST", `${path}/status`, { status: "running" })
      await ask("DELETE", path)
      const id = path.slice(campaigns.length + 1)
      expect(await audited()).toEqual(
        expect.arrayContaining([
          ["campaign.status", id],
          ["campaign.delete", id]
        ])
      )
    })

    // Verifies: D-327, D-330.
    it("failed contacts are called again by order, and suppressed ones are not", async () => {
      const { path } = await called("Retries")
      const retry = (json: unknown) => ask("POST", `${path}/contacts/retry`, json)
      const list = (await ask("GET", `${path}/contacts`)).items
      const ids = list.map(({ id }) => id)
      for (const wrong of [
        {},
        { contact_ids: [] },
        { last_error: [] },
        { last_error: ["do_not_call"] },
        { last_error: ["busy"], contact_ids: ids }
      ])
        expect((await retry(wrong)).status, JSON.stringify(wrong)).toBe(422)
      expect((await retry({ contact_ids: [...ids, nobody] })).body).toEqual({ retried: 1, skipped: 3 })
      const [, again] = (await ask("GET", `${path}/contacts`)).items
      expect(again).toMatchObject({ status: "pending", attempts: 0, last_error: null, next_attempt_at: null })
      expect((await ask("GET", path)).body).toMatchObject({ failed_contacts: 0, completed_contacts: 1 })
      expect(await audited()).toContainEqual(["campaign.retry", path.slice(campaigns.length + 1)])

      await ask("POST", `${campaigns}/dnc`, { entries: [{ phone: String(again!.phone).slice(-8), reason: null }] })
      await ask("POST", `${path}/status`, { status: "running" })
      await until(async () => ((await ask("GET", path)).body.failed_contacts === 1 ? true : undefined))
      expect((await retry({ contact_ids: ids })).body).toEqual({ retried: 0, skipped: 3 })
      expect((await retry({ last_error: ["busy", "no_answer"] })).body).toEqual({ retried: 0, skipped: 0 })
      await ask("POST", `${path}/status`, { status: "cancelled" })
      expect((await retry({ contact_ids: ids })).status).toBe(409)
      const [entry] = (await ask("GET", `${campaigns}/dnc`)).items
      await ask("DELETE", `${campaigns}/dnc/${String(entry!.id)}`)
    })

    // Verifies: D-328.
    it("a campaign is duplicated as a draft, with no, the failed or all contacts", async () => {
      const { path } = await called("Autumn")
      const duplicate = (json: unknown) => ask("POST", `${path}/duplicate`, json)
      const plain = await duplicate({})
      expect(plain.status).toBe(201)
      const { completed_contacts: _, created_at: __, id: ___, ...original } = (await ask("GET", path)).body
      expect(plain.body).toMatchObject({
        ...original,
        name: "Autumn (copy)",
        status: "draft",
        total_contacts: 0,
        completed_contacts: 0,
        failed_contacts: 0,
        scheduled_at: null,
        updated_at: plain.body.created_at
      })
      const failed = await duplicate({ name: "Second round", contacts: "failed" })
      expect(failed.body).toMatchObject({ name: "Second round", total_contacts: 1 })
      const all = await duplicate({ contacts: "all" })
      const copied = (await ask("GET", `${campaigns}/${String(all.body.id)}/contacts`)).items
      expect(copied.map(({ attempts, name: shown, phone, status }) => [phone, shown, status, attempts])).toEqual(
        people.map(({ name: shown = null, phone }) => [phone, shown, "pending", 0])
      )
      const before = (await ask("GET", `${path}/contacts`)).items.map(({ id }) => id)
      expect(copied.filter(({ id }) => before.includes(id))).toEqual([])
      const long = await make("x".repeat(255))
      expect((await ask("POST", `${long}/duplicate`, {})).body.name).toHaveLength(255)
      expect((await duplicate({ contacts: "some" })).status).toBe(422)
    })

    // Verifies: D-329.
    it("contacts are exported as a CSV file, with the results of their latest calls", async () => {
      const { path, first } = await called("Exports")
      await ask("POST", `${path}/contacts`, { contacts: [{ phone: "+14155550177", name: "=SUM(A1)" }] })
      const file = await ask("GET", `${path}/contacts.csv`)
      expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8")
      expect(file.headers["content-disposition"]).toBe('attachment; filename="contacts.csv"')
      const [header, ...rows] = file.text.trimEnd().split("\r\n")
      expect(header).toBe(
        "id,phone,name,status,attempts,last_error,next_attempt_at,call_id,call_status,answered_by,answered_at,duration_seconds,credits,outcome,note,approved_by,created_at"
      )
      const cells = rows.map((row) => row.split(","))
      expect(cells.map(([, phone, named, status, attempts]) => [phone, named, status, attempts])).toEqual([
        ["'+1 (415) 555-0101", "Ada Lovelace", "done", "1"],
        ["'+14155550102", "JÖRG MÜLLER", "failed", "1"],
        ["'+14155550199", "", "pending", "0"],
        ["'+14155550177", "'=SUM(A1)", "pending", "0"]
      ])
      expect(cells[0]!.slice(7, 9)).toEqual([first, "completed"])
      expect((await ask("GET", `${path}/contacts.csv?status=failed`)).text.trimEnd().split("\r\n")).toHaveLength(2)
      expect((await ask("GET", `${path}/contacts.csv?q=xyz`)).text.trimEnd().split("\r\n")).toHaveLength(1)
      expect((await ask("GET", `${path}/contacts.csv`, undefined, world.stranger)).status).toBe(404)
    })
  })
