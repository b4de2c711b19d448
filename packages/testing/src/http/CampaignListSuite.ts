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
  })
