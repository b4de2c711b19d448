/** Agents and what they know, as a caller of the API sees them. Verifies: BOTS-1, BOTS-6. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Fields } from "./HttpClient.ts"
import { campaigns, type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import { utc, uuid, webhooks } from "./WebhookWorld.ts"

const bots = "/api/v1/bots"
const notFound = { status: 404, detail: "Agent not found" }

const refused = ({ body, status }: Answer): Fields => ({ status, ...body })
const fieldsOf = ({ body }: Answer): ReadonlyArray<unknown> => {
  const names = (body.detail as ReadonlyArray<Fields>).map(({ loc }) => (loc as ReadonlyArray<unknown>).join("."))
  return [...new Set(names)]
}

export const botsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`agents through ${name}`, () => {
    let world: HttpWorld

    const ask = (method: string, path: string, json?: unknown, key = world.key) =>
      world.send(method, path, { key, ...(json === undefined ? {} : { json }) })

    const make = async (fields: object = {}): Promise<Fields> => {
      const { body, status } = await ask("POST", bots, { name: "Asha", ...fields })
      expect(status, JSON.stringify(body)).toBe(201)
      return body
    }

    const pathOf = ({ id }: Fields) => `${bots}/${id}`
    const knowledgeOf = (bot: Fields) => `${pathOf(bot)}/knowledge`

    const learn = async (bot: Fields, title: string, content = "It boils.") => {
      const { body, status } = await ask("POST", knowledgeOf(bot), { title, content })
      expect(status, JSON.stringify(body)).toBe(201)
      return body
    }

    beforeAll(async () => {
      world = await openWorld(start, storage)
    })
    afterAll(() => world.close())

    // Verifies: M-22, M-23, N-2.
    it("are by default active and of the channel's type", async () => {
      expect(await make()).toEqual({
        id: expect.stringMatching(uuid),
        tenant_id: world.account,
        name: "Asha",
        type: "messaging",
        system_prompt: null,
        is_active: true,
        config: {},
        created_at: expect.stringMatching(utc),
        updated_at: expect.stringMatching(utc)
      })
      expect(await make({ is_active: false, type: "sales" })).toMatchObject({ is_active: false, type: "sales" })
    })

    // Verifies: N-1.
    it("are changed field by field; null clears what may be null", async () => {
      const made = await make({ system_prompt: "Be kind.", config: { model: "m", language: "hi" } })
      const change = async (fields: object) => {
        const { body, status } = await ask("PATCH", pathOf(made), fields)
        expect(status, JSON.stringify(body)).toBe(200)
        return body
      }
      const renamed = await change({ name: "Bina" })
      expect(renamed).toEqual({ ...made, name: "Bina", updated_at: renamed.updated_at })
      expect(await change({ is_active: false, type: "sales" })).toMatchObject({ is_active: false, type: "sales" })
      expect(await change({ config: { greeting: "Hi", own_key: { deepKey: [1, null] } } })).toMatchObject({
        name: "Bina",
        system_prompt: "Be kind.",
        config: { greeting: "Hi", own_key: { deepKey: [1, null] } }
      })
      expect((await change({ system_prompt: null })).config).toEqual({
        greeting: "Hi",
        own_key: { deepKey: [1, null] }
      })
      const left = await change({})
      expect((await ask("GET", pathOf(made))).body).toEqual(left)
      expect(left).toMatchObject({ name: "Bina", system_prompt: null, is_active: false })
      expect(Date.parse(String(left.updated_at))).toBeGreaterThanOrEqual(Date.parse(String(made.updated_at)))

      const wrong = await ask("PATCH", pathOf(made), {
        name: null,
        type: "",
        is_active: null,
        config: null,
        system_prompt: 7
      })
      expect(wrong.status).toBe(422)
      expect(fieldsOf(wrong)).toEqual(
        ["name", "type", "system_prompt", "is_active", "config"].map((field) => `body.${field}`)
      )
      for (const fields of [{ name: " " }, { name: "x".repeat(256) }, { type: "x".repeat(65) }, { is_active: "yes" }])
        expect((await ask("PATCH", pathOf(made), fields)).status, JSON.stringify(fields)).toBe(422)
      expect((await ask("GET", pathOf(made))).body).toEqual(left)
    })

    // Verifies: N-3.
    it("have knowledge entries, listed newest first and removed one by one", async () => {
      const bot = await make()
      const entry = await learn(bot, "Kettle AB-1234", "It boils 1.7 litres.\nNot for the dishwasher. 返品 😀")
      expect(entry).toEqual({
        id: expect.stringMatching(uuid),
        bot_id: bot.id,
        title: "Kettle AB-1234",
        content: "It boils 1.7 litres.\nNot for the dishwasher. 返品 😀",
        created_at: expect.stringMatching(utc)
      })
      const second = await learn(bot, "Returns")
      const list = await ask("GET", knowledgeOf(bot))
      expect(list.items).toEqual([second, entry])
      expect(list.headers["x-total-count"]).toBe("2")
      expect((await ask("GET", `${knowledgeOf(bot)}?limit=1&offset=1`)).items).toEqual([entry])
      expect((await ask("GET", `${knowledgeOf(bot)}?limit=501`)).status).toBe(422)

      const path = `${knowledgeOf(bot)}/${entry.id}`
      expect((await ask("DELETE", path)).status).toBe(204)
      expect(refused(await ask("DELETE", path))).toEqual({ status: 404, detail: "Knowledge entry not found" })
      expect((await ask("GET", knowledgeOf(bot))).items).toEqual([second])
      expect((await ask("DELETE", `${knowledgeOf(bot)}/first`)).status).toBe(422)
    })

    // Verifies: N-3.
    it("accept knowledge titles of 1 to 255 and contents of 1 to 100,000 characters", async () => {
      const bot = await make()
      await learn(bot, "😀".repeat(255), "😀".repeat(100_000))
      const table: ReadonlyArray<readonly [fields: object, ...wrong: ReadonlyArray<string>]> = [
        [{}, "title", "content"],
        [{ title: "", content: "" }, "title", "content"],
        [{ title: " ", content: "\n" }, "title", "content"],
        [{ title: null, content: 7 }, "title", "content"],
        [{ title: "x".repeat(256), content: "x" }, "title"],
        [{ title: "x", content: "x".repeat(100_001) }, "content"]
      ]
      for (const [fields, ...wrong] of table) {
        const answer = await ask("POST", knowledgeOf(bot), fields)
        expect(answer.status, JSON.stringify(fields).slice(0, 80)).toBe(422)
        expect(fieldsOf(answer)).toEqual(wrong.map((field) => `body.${field}`))
      }
      expect((await ask("GET", knowledgeOf(bot))).items).toHaveLength(1)
    })

    it("and their knowledge belong to their account, and need the scopes of the channel", async () => {
      const [bot, other] = [await make(), await make()]
      const entry = await learn(bot, "Kettle")
      const one = `${knowledgeOf(bot)}/${entry.id}`
      const change = { name: "x" }
      const fields = { title: "x", content: "x" }
      const routes: ReadonlyArray<readonly [method: string, path: string, json?: object]> = [
        ["GET", pathOf(bot)],
        ["PATCH", pathOf(bot), change],
        ["POST", knowledgeOf(bot), fields],
        ["GET", knowledgeOf(bot)],
        ["DELETE", one],
        ["DELETE", pathOf(bot)]
      ]
      for (const [method, path, json] of routes) {
        const unknown = path.replace(String(bot.id), nobody)
        expect(refused(await ask(method, path, json, world.stranger)), `${method} ${path}`).toEqual(notFound)
        expect(refused(await ask(method, unknown, json)), `${method} ${unknown}`).toEqual(notFound)
        const needed = method === "GET" ? "messaging:read" : "messaging:write"
        const lacking = await world.keyWith(method === "GET" ? "messaging:write" : "messaging:read")
        const { body, status } = await ask(method, path, json, lacking)
        expect(status, `${method} ${path}`).toBe(403)
        expect(String(body.detail)).toContain(needed)
      }
      expect(refused(await ask("DELETE", one.replace(String(bot.id), String(other.id))))).toMatchObject({ status: 404 })
      expect((await ask("GET", knowledgeOf(bot))).items).toEqual([entry])
      expect((await ask("DELETE", one, undefined, await world.keyWith("messaging:write"))).status).toBe(204)
    })

    // Verifies: D-150.
    it("cannot be removed while a campaign that has not ended uses them: 409", async () => {
      const bot = await make()
      const { body: campaign } = await ask("POST", campaigns, { name: "Renewals", bot_id: bot.id })
      expect(refused(await ask("DELETE", pathOf(bot)))).toEqual({
        status: 409,
        detail: "This agent is used by a campaign that has not ended. Change or end the campaign first."
      })
      expect((await ask("GET", pathOf(bot))).status).toBe(200)
      await ask("POST", `${campaigns}/${campaign.id}/status`, { status: "cancelled" })
      expect((await ask("DELETE", pathOf(bot))).status).toBe(204)
    })

    // Verifies: N-1.
    it("are removed with their knowledge; a record that names them keeps the name, and no other record can get it", async () => {
      const bot = await make()
      await learn(bot, "Kettle")
      const { body: campaign } = await ask("POST", campaigns, { name: "Renewals", bot_id: bot.id })
      await ask("POST", `${campaigns}/${campaign.id}/status`, { status: "cancelled" })
      const { body: webhook, status } = await ask("POST", webhooks, {
        url: "https://example.com/hook",
        events: ["call.started"],
        bot_id: bot.id
      })
      expect(status).toBe(201)
      expect((await ask("DELETE", pathOf(bot))).status).toBe(204)
      for (const [method, path, json] of [
        ["GET", pathOf(bot)],
        ["DELETE", pathOf(bot)],
        ["PATCH", pathOf(bot), {}],
        ["GET", knowledgeOf(bot)],
        ["POST", knowledgeOf(bot), { title: "x", content: "x" }],
        ["POST", campaigns, { name: "Next", bot_id: bot.id }],
        ["PATCH", `${campaigns}/${campaign.id}`, { bot_id: bot.id }],
        ["POST", webhooks, { url: "https://example.com/hook", events: ["call.started"], bot_id: bot.id }]
      ] as const)
        expect(refused(await ask(method, path, json)), `${method} ${path}`).toEqual(notFound)
      expect((await ask("GET", `${campaigns}/${campaign.id}`)).body.bot_id).toBe(bot.id)
      expect((await ask("GET", `${webhooks}/${webhook.id}`)).body.bot_id).toBe(bot.id)
      expect((await ask("PATCH", `${campaigns}/${campaign.id}`, { bot_id: null })).body.bot_id).toBeNull()
      expect((await ask("GET", bots)).items.map(({ id }) => id)).not.toContain(bot.id)
    })
  })
