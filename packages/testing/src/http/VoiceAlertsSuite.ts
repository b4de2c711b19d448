/** Alerts as a caller of the API sees them. Verifies: VALT-5, VALT-6, VALT-7. */
import { accelerated, type HostPrincipal, type StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"
import { utc, uuid } from "./WebhookWorld.ts"

const alerts = "/api/v1/voice-alerts"
const few = { name: "Few people answer", metric: "connect_rate", comparison: "below", threshold: 0.3 }

const fieldsOf = ({ body }: Answer): ReadonlyArray<unknown> => {
  const names = (body.detail as ReadonlyArray<Fields>).map(({ loc }) => (loc as ReadonlyArray<unknown>).join("."))
  return [...new Set(names)]
}

export const voiceAlertsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`voice alerts through ${name}`, () => {
    let world: HttpWorld
    let botId: string
    const people: Record<string, HostPrincipal> = {}

    const ask = (method: string, path: string, json?: unknown, key = world.key) =>
      world.send(method, path, { key, ...(json === undefined ? {} : { json }) })

    const make = async (fields: object = {}): Promise<Fields> => {
      const { body, status } = await ask("POST", alerts, { ...few, ...fields })
      expect(status, JSON.stringify(body)).toBe(201)
      return body
    }

    const pathOf = ({ id }: Fields) => `${alerts}/${id}`

    beforeAll(async () => {
      world = await openWorld(start, storage, {
        serve: { authenticate: async (header) => people[header("x-user") ?? "nobody"] },
        core: { clock: accelerated(Date.UTC(2026, 10, 21, 6), 5), voice: { alertsEverySeconds: 1 } }
      })
      const { body } = await world.send("POST", "/api/v1/bots", { key: world.key, json: { name: "Asha" } })
      botId = String(body.id)
      const person = { accountId: world.account, subject: "ada" }
      for (const role of ["owner", "admin", "member", "viewer"]) people[role] = { ...person, role }
    })
    afterAll(() => world.close())

    // Verifies: V-189.
    it("are created with their defaults, listed newest first, found and deleted", async () => {
      const made = await make()
      expect(made).toEqual({
        ...{ id: expect.stringMatching(uuid), ...few, window_seconds: 3600, bot_id: null, enabled: true },
        ...{ cooldown_seconds: 3600, is_firing: false, last_value: null, last_fired_at: null, last_evaluated_at: null },
        ...{ created_at: expect.stringMatching(utc), updated_at: expect.stringMatching(utc) }
      })
      const { comparison: _, ...least } = few
      const second = await ask("POST", alerts, { ...least, bot_id: botId, window_seconds: null, enabled: false })
      expect(second.body).toMatchObject({ comparison: "above", bot_id: botId, window_seconds: 3600, enabled: false })
      const list = await ask("GET", alerts)
      expect(list.items.map(({ id }) => id)).toEqual([second.body.id, made.id])
      expect(list.headers["x-total-count"]).toBe("2")
      expect((await ask("GET", `${alerts}?limit=1&offset=1`)).items.map(({ id }) => id)).toEqual([made.id])
      expect((await ask("GET", pathOf(second.body))).body).toEqual(second.body)
      for (const one of [made, second.body]) expect((await ask("DELETE", pathOf(one))).status).toBe(204)
      const gone = await ask("DELETE", pathOf(made))
      expect({ status: gone.status, ...gone.body }).toEqual({ status: 404, detail: "Alert not found" })
    })

    // Verifies: V-190.
    it("name every field that is not what it must be", async () => {
      const table: ReadonlyArray<readonly [fields: object, field: string]> = [
        [{ name: "" }, "name"],
        [{ name: "x".repeat(121) }, "name"],
        [{ metric: "answer_rate" }, "metric"],
        [{ comparison: "beside" }, "comparison"],
        [{ threshold: "0.3" }, "threshold"],
        [{ threshold: undefined }, "threshold"],
        [{ threshold: 1.01 }, "threshold"],
        [{ threshold: -0.1 }, "threshold"],
        [{ metric: "call_volume", threshold: -1 }, "threshold"],
        [{ window_seconds: 59 }, "window_seconds"],
        [{ window_seconds: 86_401 }, "window_seconds"],
        [{ cooldown_seconds: -1 }, "cooldown_seconds"],
        [{ cooldown_seconds: 604_801 }, "cooldown_seconds"],
        [{ enabled: "yes" }, "enabled"],
        [{ bot_id: "Asha" }, "bot_id"]
      ]
      for (const [fields, field] of table) {
        const answer = await ask("POST", alerts, { ...few, ...fields })
        expect(answer.status, JSON.stringify(fields)).toBe(422)
        expect(fieldsOf(answer), JSON.stringify(fields)).toEqual([`body.${field}`])
      }
      const bounds = { window_seconds: 60, cooldown_seconds: 604_800, metric: "latency_p95", threshold: 1200.5 }
      const made = await make(bounds)
      expect(made).toMatchObject(bounds)
      await ask("DELETE", pathOf(made))
      expect(await ask("POST", alerts, { ...few, bot_id: nobody })).toMatchObject({
        ...{ status: 404, body: { detail: "Agent not found" } }
      })
      expect((await ask("POST", alerts, { ...few, bot_id: botId }, world.stranger)).status).toBe(404)
    })

    // Verifies: V-190.
    it("are changed field by field, but for metric and agent", async () => {
      const made = await make()
      const change = (fields: object) => ask("PATCH", pathOf(made), fields)
      const changed = await change({ name: "Hardly anybody answers", threshold: 0.1, window_seconds: 600 })
      expect(changed.status).toBe(200)
      expect(changed.body).toEqual({
        ...{ ...made, name: "Hardly anybody answers", threshold: 0.1, window_seconds: 600 },
        updated_at: expect.stringMatching(utc)
      })
      const asRead = await change({ ...changed.body, threshold: 0.2, metric: "call_volume", bot_id: botId, id: nobody })
      expect(asRead.status).toBe(200)
      expect(asRead.body).toEqual({ ...changed.body, threshold: 0.2, updated_at: expect.stringMatching(utc) })
      for (const [field, value] of [
        ["threshold", 2],
        ["threshold", null],
        ["window_seconds", 1]
      ] as const) {
        const answer = await change({ name: "x", [field]: value })
        expect(answer.status, field).toBe(422)
        expect(fieldsOf(answer)).toEqual([`body.${field}`])
      }
      expect((await ask("GET", pathOf(made))).body).toMatchObject({ name: "Hardly anybody answers", threshold: 0.2 })
      await ask("DELETE", pathOf(made))
    })

    it("are their own account's alone", async () => {
      const made = await make()
      for (const [method, json] of [["GET"], ["PATCH", { name: "x" }], ["DELETE"]] as const) {
        const answer = await ask(method, pathOf(made), json, world.stranger)
        expect({ status: answer.status, ...answer.body }).toEqual({ status: 404, detail: "Alert not found" })
      }
      expect((await ask("GET", alerts, undefined, world.stranger)).items).toEqual([])
      expect((await ask("GET", `${alerts}/${nobody}`)).status).toBe(404)
      await ask("DELETE", pathOf(made))
    })

    // Verifies: V-189.
    it("need the scope of webhooks of a key, for reading as well", async () => {
      const made = await make()
      const [right, wrong] = [await world.keyWith("webhooks:write"), await world.keyWith("calls:read", "calls:write")]
      for (const [method, path, json, status] of [
        ["GET", alerts, undefined, 200],
        ["GET", pathOf(made), undefined, 200],
        ["PATCH", pathOf(made), { name: "x" }, 200],
        ["POST", alerts, few, 201],
        ["DELETE", pathOf(made), undefined, 204]
      ] as const) {
        const refused = await ask(method, path, json, wrong)
        expect(refused.status, `${method} ${path}`).toBe(403)
        expect(refused.body.detail).toContain("webhooks:write")
        expect((await ask(method, path, json, right)).status, `${method} ${path}`).toBe(status)
      }
      expect((await world.send("GET", alerts)).status).toBe(401)
    })

    // Verifies: V-189.
    it.each([
      ["owner", true],
      ["admin", true],
      ["member", false],
      ["viewer", false]
    ])("are read by people of all roles; %s may write: %s", async (role, mayWrite) => {
      const as = (method: string, path: string, json?: unknown) => {
        const sent: Sent = { headers: { "x-user": role }, ...(json === undefined ? {} : { json }) }
        return world.send(method, path, sent)
      }
      const made = await make()
      expect((await as("GET", alerts)).status).toBe(200)
      expect((await as("GET", pathOf(made))).body).toMatchObject({ id: made.id })
      for (const [method, path, json, status] of [
        ["POST", alerts, few, 201],
        ["PATCH", pathOf(made), { name: "x" }, 200],
        ["DELETE", pathOf(made), undefined, 204]
      ] as const) {
        const answer = await as(method, path, json)
        expect(answer.status, method).toBe(mayWrite ? status : 403)
        if (!mayWrite) expect(answer.body.detail).toBe("Only owners/admins can manage voice alerts")
      }
    })

    // Verifies: V-191.
    it("are at most fifty of an account", async () => {
      const owner = await world.core.admin.createAccount({ name: "Fifty" })
      const { text } = await world.core.admin.createKey(owner.id)
      for (let n = 0; n < 50; n++) expect((await ask("POST", alerts, few, text)).status).toBe(201)
      const refused = await ask("POST", alerts, few, text)
      expect({ status: refused.status, ...refused.body }).toEqual({
        ...{ status: 409, detail: "The account has 50 alerts already: delete one first" }
      })
      expect((await ask("GET", alerts, undefined, text)).headers["x-total-count"]).toBe("50")
    })

    it("are evaluated in the background, and fire with their event", async () => {
      await world.core.start()
      const made = await make({ metric: "call_volume", comparison: "above", threshold: 0.5, bot_id: botId })
      const call = await world.core.calls.create(world.account, { to: "+919876543210", botId })
      expect(call.botId).toBe(botId)
      const firing = await until(async () => {
        const { body } = await ask("GET", pathOf(made))
        return body.is_firing === true ? body : undefined
      })
      expect(firing).toMatchObject({ last_value: 1, last_fired_at: expect.stringMatching(utc) })
      const events = (await world.core.events.read(null, 1000)).filter(({ event }) => event === "voice_alert.triggered")
      expect(events).toMatchObject([{ data: { alert_id: made.id, value: 1, metric: "call_volume", bot_id: botId } }])
      const disarmed = await ask("PATCH", pathOf(made), { threshold: 5 })
      expect(disarmed.body).toMatchObject({ is_firing: false, last_value: 1 })
    })

    it("are the same through the promises of the library", async () => {
      const { voiceAlerts } = world.core
      const made = await voiceAlerts.create(world.account, { name: "Busy", metric: "call_volume", threshold: 10 })
      expect(made).toMatchObject({ windowSeconds: 3600, comparison: "above", botId: null, isFiring: false })
      expect(made).not.toHaveProperty("tenantId")
      expect((await ask("GET", pathOf({ id: made.id }))).body).toMatchObject({ name: "Busy", threshold: 10 })
      expect(await voiceAlerts.change(world.account, made.id, { enabled: false })).toMatchObject({ enabled: false })
      expect((await voiceAlerts.list(world.account, { limit: 1 })).items).toMatchObject([{ id: made.id }])
      await expect(
        voiceAlerts.create(world.account, { name: "x", metric: "hangup_rate", threshold: 2 })
      ).rejects.toMatchObject({ code: "voice_alert_refused", status: 422 })
      await voiceAlerts.remove(world.account, made.id)
      await expect(voiceAlerts.get(world.account, made.id)).rejects.toMatchObject({ code: "voice_alert_not_found" })
    })
  })
