/** The preview desk as people and keys use it. Verifies: PREV-1, PREV-2, PREV-3. */
import { accelerated, type HostPrincipal, type StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Fields } from "./HttpClient.ts"
import { aCampaign, campaigns, type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"

const morning = Date.UTC(2026, 10, 21, 6)

const people = [
  { phone: "+14155550101", name: "Ada" },
  { phone: "+14155550102", name: "Grace" },
  { phone: "+14155550103", name: "Edith" }
]

export const previewSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the preview desk through ${name}`, () => {
    let world: HttpWorld
    const known: Record<string, HostPrincipal> = {}

    beforeAll(async () => {
      world = await openWorld(start, storage, {
        core: { clock: accelerated(morning, 100) },
        serve: { authenticate: async (header) => known[header("x-user") ?? "nobody"] }
      })
      for (const user of ["anna", "ben"])
        known[user] = { accountId: world.account, subject: user, name: user === "anna" ? "Anna" : "Ben" }
      known.reader = { accountId: world.account, subject: "reader", role: "viewer" }
      await world.core.start()
    })
    afterAll(() => world.close())

    const ask = (method: string, path: string, json?: unknown) =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }) })

    const as = (user: string, method: string, path: string, json?: unknown) =>
      world.send(method, path, { headers: { "x-user": user }, ...(json === undefined ? {} : { json }) })

    const make = async (fields: object = {}) => {
      const path = await aCampaign(world, { dial_mode: "preview", ...fields })
      await ask("POST", `${path}/contacts`, { contacts: people })
      return path
    }

    const next = (user: string, path: string) => as(user, "POST", `${path}/contacts/next`)

    const contactOf = ({ body, status }: Answer) => {
      expect(status, JSON.stringify(body)).toBe(200)
      return body.contact as Fields
    }

    const nameOf = (answer: Answer) => contactOf(answer).name

    const heldIn = async (path: string) =>
      (await ask("GET", `${path}/contacts`)).items.map(({ held_by }) => (held_by as Fields | null)?.subject ?? null)

    // Verifies: D-331, D-332, D-335.
    it("shows each person another contact, and the same one again", async () => {
      const path = await make()
      const first = await next("anna", path)
      expect(first.body).toEqual({
        contact: expect.objectContaining({
          name: "Ada",
          status: "pending",
          held_by: { subject: "anna", name: "Anna" },
          held_until: first.body.held_until
        }),
        suppressed: false,
        crm: null,
        calls: [],
        conversation_id: null,
        held_until: expect.stringMatching(/^2026-.+Z$/)
      })
      expect(nameOf(await next("ben", path))).toBe("Grace")
      const again = await next("anna", path)
      expect(nameOf(again)).toBe("Ada")
      expect(String(again.body.held_until) > String(first.body.held_until)).toBe(true)
      const byKey = await world.send("POST", `${path}/contacts/next`, { key: world.key, json: {} })
      expect(contactOf(byKey).held_by).toEqual({
        subject: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: expect.any(String)
      })
      const other = await world.keyWith("campaigns:write")
      expect((await world.send("POST", `${path}/contacts/next`, { key: other })).status).toBe(204)
      expect(await heldIn(path)).toEqual(["anna", "ben", expect.any(String)])
      expect((await ask("GET", `${path}/counts`)).body).toMatchObject({ held: 3, due: 3 })
      const { awaiting_approval: live } = (await ask("GET", `${path}/live`)).body as {
        readonly awaiting_approval: ReadonlyArray<Fields>
      }
      expect(live.map(({ held_by, held_until }) => [held_by, typeof held_until])).toEqual([
        [{ subject: "anna", name: "Anna" }, "string"],
        [{ subject: "ben", name: "Ben" }, "string"],
        [{ subject: expect.any(String), name: expect.any(String) }, "string"]
      ])
    })

    // Verifies: D-332, D-333.
    it("holds a contact that is named, in place of the one before, and releases one's own alone", async () => {
      const path = await make()
      const [ada, grace, edith] = (await ask("GET", `${path}/contacts`)).items.map(({ id }) => String(id))
      const hold = (user: string, id: string) => as(user, "POST", `${path}/contacts/${id}/hold`)
      await next("anna", path)
      expect(nameOf(await hold("anna", edith!))).toBe("Edith")
      expect(await heldIn(path)).toEqual([null, null, "anna"])
      const refused = await hold("ben", edith!)
      expect(refused.status).toBe(409)
      expect(refused.body.detail).toContain("Anna")
      expect(nameOf(await next("ben", path))).toBe("Ada")
      const release = (user: string, id: string) => as(user, "DELETE", `${path}/contacts/${id}/hold`)
      for (const [user, id] of [
        ["ben", edith!],
        ["anna", grace!],
        ["anna", edith!],
        ["anna", edith!]
      ] as const)
        expect((await release(user, id)).status).toBe(204)
      expect(await heldIn(path)).toEqual(["ben", null, null])
      expect((await hold("anna", nobody)).status).toBe(404)
      expect((await release("anna", nobody)).status).toBe(404)
      expect((await ask("POST", `${path}/contacts/${ada}/approve`)).status).toBe(200)
      expect((await hold("anna", ada!)).status).toBe(409)
    })

    // Verifies: D-333.
    it("shows a held contact to others once its time is over", async () => {
      const path = await make()
      await next("anna", path)
      for (const user of ["ben"]) expect(nameOf(await next(user, path))).toBe("Grace")
      await as("ben", "DELETE", `${path}/contacts/${String(contactOf(await next("ben", path)).id)}/hold`)
      await until(async () => (nameOf(await next("ben", path)) === "Ada" ? true : release("ben", path)))
      expect((await heldIn(path))[0]).toBe("ben")
    })

    const release = async (user: string, path: string) => {
      const { id } = contactOf(await next(user, path))
      await as(user, "DELETE", `${path}/contacts/${String(id)}/hold`)
      return undefined
    }

    // Verifies: D-334.
    it("shows skipped contacts after all others, the longest skipped first", async () => {
      const path = await make()
      const skip = async (user: string) => {
        const { id } = contactOf(await next(user, path))
        const skipped = await as(user, "POST", `${path}/contacts/${String(id)}/skip`)
        expect(skipped.status, JSON.stringify(skipped.body)).toBe(200)
        expect(skipped.body).toMatchObject({ id, status: "pending", held_by: null })
        return skipped.body.name
      }
      const seen = []
      for (let i = 0; i < 5; i++) seen.push(await skip("anna"))
      expect(seen).toEqual(["Ada", "Grace", "Edith", "Ada", "Grace"])
      const { id } = contactOf(await next("anna", path))
      expect((await as("ben", "POST", `${path}/contacts/${String(id)}/skip`, {})).status).toBe(409)
    })

    // Verifies: D-334, D-336.
    it("puts a number on the do-not-call list and fails its contact at once", async () => {
      const path = await make()
      const { id } = contactOf(await next("anna", path))
      const json = { do_not_call: true, reason: "asked us to" }
      const skipped = await as("anna", "POST", `${path}/contacts/${String(id)}/skip`, json)
      expect(skipped.body).toMatchObject({ status: "failed", last_error: "do_not_call", attempts: 0 })
      const entries = (await ask("GET", `${campaigns}/dnc`)).items
      expect(entries).toEqual([expect.objectContaining({ phone: "+14155550101", reason: "asked us to" })])
      expect((await ask("GET", path)).body).toMatchObject({ failed_contacts: 1 })
      expect((await as("anna", "POST", `${path}/contacts/${String(id)}/skip`)).status).toBe(409)
      const other = await make()
      expect((await next("anna", other)).body).toMatchObject({ suppressed: true, contact: { name: "Ada" } })
      await ask("DELETE", `${campaigns}/dnc/${String(entries[0]!.id)}`)
    })

    // Verifies: D-337, D-338.
    it("ends a hold by an approval of whomever, and no hold prevents a call", async () => {
      const path = await make()
      const { id } = contactOf(await next("anna", path))
      await ask("POST", `${path}/status`, { status: "scheduled" })
      await ask("POST", `${path}/status`, { status: "running" })
      const approved = await as("ben", "POST", `${path}/contacts/${String(id)}/approve`)
      expect(approved.body).toMatchObject({ approved_by: "user:ben", held_by: null, held_until: null })
      const second = await as("anna", "POST", `${path}/contacts/${String(id)}/approve`)
      expect(second.status).toBe(409)
      const call = await until(async () => {
        const { active_calls } = (await ask("GET", `${path}/live`)).body as {
          readonly active_calls: ReadonlyArray<Fields>
        }
        return active_calls[0]
      })
      expect(call).toMatchObject({ contact_id: id })
      await world.report(String(call.call_id), { _tag: "Answered" })
      await world.report(String(call.call_id), {
        ...{ _tag: "Ended", status: "completed", failure: null, durationSeconds: 3, by: "remote" }
      })
      expect(nameOf(await next("anna", path))).toBe("Grace")
      // In another mode held contacts are called like all others.
      await ask("PATCH", path, { dial_mode: "power", pace_seconds: 5 })
      const dialed = await until(async () => {
        const { active_calls } = (await ask("GET", `${path}/live`)).body as {
          readonly active_calls: ReadonlyArray<Fields>
        }
        return active_calls[0]
      })
      expect(dialed).toMatchObject({ name: "Grace" })
      expect((await ask("GET", `${path}/counts`)).body).toMatchObject({ held: 0 })
      const again = await make()
      const calls = (await next("anna", again)).body.calls as ReadonlyArray<Fields>
      expect(calls.map(({ id }) => id)).toContain(call.call_id)
    })

    // Verifies: D-331, D-339.
    it("is there for campaigns in preview mode that have not ended, and for those who may write", async () => {
      const power = await make({ dial_mode: "power" })
      expect((await next("anna", power)).status).toBe(409)
      const path = await make()
      expect((await next("reader", path)).status).toBe(403)
      expect((await world.send("POST", `${path}/contacts/next`, { key: world.stranger })).status).toBe(404)
      const reader = await world.keyWith("campaigns:read")
      expect((await world.send("POST", `${path}/contacts/next`, { key: reader })).status).toBe(403)
      await ask("POST", `${path}/status`, { status: "cancelled" })
      expect((await next("anna", path)).body.detail).toMatch(/cancelled/)
    })
  })

/** Twenty people at the desk of two processes on one storage: each contact is shown to one of them. */
export const previewRaceSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the preview desk of two processes on ${name}`, () => {
    const worlds: Array<HttpWorld> = []
    beforeAll(async () => {
      for (const _ of [1, 2]) worlds.push(await openWorld(start, storage))
    })
    afterAll(() => Promise.all(worlds.map((world) => world.close())))

    // Verifies: PREV-1, D-332.
    it("shows each of twenty people another contact, and no contact to two of them", async () => {
      const [one, two] = worlds as [HttpWorld, HttpWorld]
      const path = await aCampaign(one, { dial_mode: "preview" })
      const contacts = Array.from({ length: 120 }, (_, i) => ({ phone: `+1415555${1000 + i}` }))
      await one.send("POST", `${path}/contacts`, { key: one.key, json: { contacts } })
      const keys = await Promise.all(Array.from({ length: 20 }, () => one.keyWith("campaigns:write")))
      const at = (i: number) => (i % 2 === 0 ? one : two)
      const next = async (i: number) => {
        const { body, status } = await at(i).send("POST", `${path}/contacts/next`, { key: keys[i]! })
        return status === 204 ? null : String((body.contact as Fields).id)
      }
      const everybody = () => Promise.all(keys.map((_, i) => next(i)))
      const first = await everybody()
      expect(new Set(first).size).toBe(20)
      expect(await everybody()).toEqual(first)

      const approved: Array<string> = []
      const work = async (i: number) => {
        for (let id = await next(i); id !== null; id = await next(i)) {
          const { status } = await at(i).send("POST", `${path}/contacts/${id}/approve`, { key: keys[i]! })
          expect(status).toBe(200)
          approved.push(id)
        }
      }
      await Promise.all(keys.map((_, i) => work(i)))
      expect(new Set(approved).size).toBe(120)
      expect(approved).toHaveLength(120)
    })
  })
