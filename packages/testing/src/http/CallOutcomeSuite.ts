/** What is noted of calls, and how calls are found, as a caller of the API sees it. */
import { accelerated, type HostPrincipal, type StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Fields } from "./HttpClient.ts"
import { aCampaign, campaigns, type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"
import { utc } from "./WebhookWorld.ts"

const calls = "/api/v1/telephony/calls"
const morning = Date.UTC(2026, 10, 21, 6)

export const callOutcomeSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`outcomes of calls through ${name}`, () => {
    let world: HttpWorld
    const known: Record<string, HostPrincipal> = {}

    beforeAll(async () => {
      world = await openWorld(start, storage, {
        core: { clock: accelerated(morning, 100) },
        serve: { authenticate: async (header) => known[header("x-user") ?? "nobody"] }
      })
      known.anna = { accountId: world.account, subject: "anna", name: "Anna" }
      known.reader = { accountId: world.account, subject: "reader", role: "viewer" }
      await world.core.start()
    })
    afterAll(() => world.close())

    const ask = (method: string, path: string, json?: unknown, key = world.key) =>
      world.send(method, path, { key, ...(json === undefined ? {} : { json }) })

    const as = (user: string, method: string, path: string, json: unknown) =>
      world.send(method, path, { headers: { "x-user": user }, json })

    const call = async (to: string) => String((await ask("POST", calls, { to })).body.id)

    const busy = (id: string) =>
      world.report(id, { ...{ _tag: "Ended", status: "busy", failure: null, durationSeconds: 0, by: null } })

    const found = async (query: string) => {
      const { headers, items, status } = await ask("GET", `${calls}?${query}`)
      expect(status, query).toBe(200)
      expect(headers["x-total-count"]).toBe(String(items.length))
      return items.map(({ id }) => id)
    }

    // Verifies: D-340, D-341.
    it("an outcome is noted with who and when, replaced, and shown in every call", async () => {
      const id = await call("+14155550201")
      const noted = await as("anna", "PUT", `${calls}/${id}/outcome`, { outcome: "Interested", note: "after five" })
      expect(noted.status, JSON.stringify(noted.body)).toBe(200)
      const outcome = {
        outcome: "Interested",
        note: "after five",
        by: { subject: "anna", name: "Anna" },
        at: expect.stringMatching(utc)
      }
      expect(noted.body).toMatchObject({ id, outcome })
      await busy(id)
      const replaced = await ask("PUT", `${calls}/${id}/outcome`, { outcome: "Call back" })
      const second = { outcome: "Call back", note: null, by: { subject: expect.stringMatching(/-/) } }
      expect(replaced.body).toMatchObject({ status: "busy", outcome: second })
      expect((await ask("GET", calls)).items[0]).toMatchObject({ id, outcome: second })
      expect((await ask("GET", `${calls}/${id}`)).body).toMatchObject({
        ...{ id, outcome: second, recording: "none", analysis: null }
      })
      for (const wrong of [{}, { outcome: "" }, { outcome: "x".repeat(65) }, { outcome: "x", note: "x".repeat(2001) }])
        expect((await ask("PUT", `${calls}/${id}/outcome`, wrong)).status, JSON.stringify(wrong)).toBe(422)
      const json = { outcome: "Interested" }
      expect((await ask("PUT", `${calls}/${nobody}/outcome`, json)).status).toBe(404)
      expect((await ask("PUT", `${calls}/${id}/outcome`, json, world.stranger)).status).toBe(404)
      expect((await as("reader", "PUT", `${calls}/${id}/outcome`, json)).status).toBe(403)
    })

    // Verifies: D-342.
    it("the number of a call is put on the do-not-call list with its outcome", async () => {
      const id = await call("+14155550202")
      const json = { outcome: "Not interested", do_not_call: true }
      const noted = await ask("PUT", `${calls}/${id}/outcome`, json)
      expect(noted.body).toMatchObject({ outcome: { outcome: "Not interested" } })
      const entries = (await ask("GET", `${campaigns}/dnc`)).items
      expect(entries).toEqual([expect.objectContaining({ phone: "+14155550202", reason: "outcome: Not interested" })])
      // It had not been answered: it is cancelled, as all calls to numbers that are put on the list.
      await until(async () => ((await ask("GET", `${calls}/${id}`)).body.ended_at === null ? undefined : true))
      expect((await ask("PUT", `${calls}/${id}/outcome`, json)).status).toBe(200)
      expect((await ask("GET", `${campaigns}/dnc`)).items).toHaveLength(1)
      await ask("DELETE", `${campaigns}/dnc/${String(entries[0]!.id)}`)
    })

    // Verifies: D-343.
    it("calls are found by number, end, outcome and time, and exported as a CSV file", async () => {
      const first = await call("+1 (415) 555-0203")
      await busy(first)
      const second = await call("4155550203")
      await ask("PUT", `${calls}/${second}/outcome`, { outcome: "Interested", note: "=1" })
      await busy(second)
      expect(await found("phone=%2B14155550203")).toEqual([second, first])
      expect(await found("phone=555-0203")).toEqual([second, first])
      expect(await found("phone=nobody")).toEqual([])
      expect(await found("outcome=Interested&phone=5550203")).toEqual([second])
      expect(await found("outcome=interested&phone=5550203")).toEqual([])
      expect(await found("outcome=Interested")).toEqual([second])
      const { created_at: at } = (await ask("GET", `${calls}/${second}`)).body
      const since = encodeURIComponent(String(at))
      expect(await found(`phone=5550203&since=${since}`)).toEqual([second])
      expect(await found(`phone=5550203&until=${since}`)).toEqual([first])
      expect(await found(`phone=5550203&answered_by=human`)).toEqual([])
      expect(await found(`phone=5550203&status=busy&end_reason=busy`)).toEqual([second, first])
      expect(await found(`phone=5550203&bot_id=${nobody}`)).toEqual([])
      expect((await ask("GET", `${calls}?end_reason=gone`)).status).toBe(422)
      const file = await ask("GET", `${calls}.csv?phone=5550203`)
      expect(file.headers["content-disposition"]).toBe('attachment; filename="calls.csv"')
      const [header, ...rows] = file.text.trimEnd().split("\r\n")
      expect(header).toBe(
        "id,campaign_id,contact_id,attempt,bot_id,from_number_id,from,to,status,answered_by,burst_id,is_winner,abandoned,provider,provider_call_id,started_at,answered_at,ended_at,duration_seconds,end_reason,voice_session_id,credits,created_at,outcome,note"
      )
      expect(
        rows.map((row) => row.split(",")).map((cells) => [cells[0], cells[8], cells[11], ...cells.slice(-2)])
      ).toEqual([
        [second, "busy", "false", "Interested", "'=1"],
        [first, "busy", "false", "", ""]
      ])
      expect((await ask("GET", `${calls}.csv`, undefined, world.stranger)).text.trimEnd().split("\r\n")).toHaveLength(1)
    })

    // Verifies: D-344.
    it("contacts of a campaign are listed and exported with the outcome of their latest call", async () => {
      const path = await aCampaign(world, { max_attempts: 1 })
      await ask("POST", `${path}/contacts`, {
        contacts: [{ phone: "+14155550204", name: "Ada" }, { phone: "+14155550205" }]
      })
      await ask("POST", `${path}/status`, { status: "scheduled" })
      await ask("POST", `${path}/status`, { status: "running" })
      const id = await until(async () => {
        const { active_calls: active } = (await ask("GET", `${path}/live`)).body as {
          readonly active_calls: ReadonlyArray<Fields>
        }
        return active[0]?.call_id as string | undefined
      })
      await ask("PUT", `${calls}/${id}/outcome`, { outcome: "Wrong number", note: "a shop" })
      const listed = (await ask("GET", `${path}/contacts?outcome=Wrong%20number`)).items
      expect(listed).toEqual([
        expect.objectContaining({
          name: "Ada",
          outcome: expect.objectContaining({ outcome: "Wrong number", note: "a shop" })
        })
      ])
      expect((await ask("GET", `${path}/contacts?outcome=Other`)).headers["x-total-count"]).toBe("0")
      const file = (await ask("GET", `${path}/contacts.csv?outcome=Wrong%20number`)).text.trimEnd().split("\r\n")
      expect(file).toHaveLength(2)
      expect(file[1]).toContain(",Wrong number,a shop,")
    })

    // Verifies: D-345.
    it("a call without a conversation has no recording, and another account's call is unknown", async () => {
      const id = await call("+14155550206")
      expect((await ask("GET", `${calls}/${id}/recording`)).status).toBe(404)
      expect((await ask("GET", `${calls}/${id}/recording`, undefined, world.stranger)).status).toBe(404)
    })

    // Verifies: D-346.
    it("a caller number gets another label", async () => {
      const numbers = "/api/v1/telephony/numbers"
      const { id } = (await ask("POST", numbers, { phone: "+14155550207", label: "Sales" })).body
      expect((await ask("PATCH", `${numbers}/${String(id)}`, { label: "Support" })).body).toMatchObject({
        label: "Support"
      })
      expect((await ask("PATCH", `${numbers}/${String(id)}`, {})).body).toMatchObject({ label: "Support" })
      expect((await ask("PATCH", `${numbers}/${String(id)}`, { label: null })).body).toMatchObject({ label: null })
      expect((await ask("GET", numbers)).items[0]).toMatchObject({ id, label: null })
      expect((await ask("PATCH", `${numbers}/${nobody}`, { label: "x" })).status).toBe(404)
    })
  })
