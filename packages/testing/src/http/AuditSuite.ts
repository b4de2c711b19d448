/** What an account was charged, and who did what in it: docs/reference/credits.md#ledger, docs/reference/access.md#audit. Verifies: OVER-3, OVER-4, ACCS-4. */
import type { HostPrincipal, StorageProvider } from "@trunkline/core"
import { channelProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeChatPlatform, sampleNumber } from "../messaging/index.ts"
import type { Fields } from "./Exchange.ts"
import { campaigns, type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import { testTime } from "./PasswordWorld.ts"
import { upload } from "./Upload.ts"
import { utc } from "./WebhookWorld.ts"

const ledger = "/api/v1/credits/ledger"
const audit = "/api/v1/audit"
const messaging = "/api/v1/messaging"

export const auditSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the ledger and the audit log through ${name}`, () => {
    const time = testTime()
    const people: Record<string, HostPrincipal> = {}
    let world: HttpWorld

    beforeAll(async () => {
      world = await openWorld(start, storage, {
        core: {
          clock: time.clock,
          messaging: { platform: channelProvider(new FakeChatPlatform().layer), appSecret: "a secret" },
          auth: { authenticate: ({ headers }) => people[headers.get("x-user") ?? ""] ?? null }
        }
      })
      const person = { accountId: world.account, subject: "ada", name: "Ada" }
      Object.assign(people, {
        owner: { ...person, role: "owner" },
        member: { ...person, role: "member" },
        stranger: { ...person, accountId: (await world.core.admin.createAccount({ name: "Other" })).id, role: "owner" }
      })
    })
    afterAll(() => world.close())

    const as = (user: string, method: string, path: string, json?: unknown) =>
      world.send(method, path, { headers: { "x-user": user }, ...(json === undefined ? {} : { json }) })

    // Verifies: B-607.
    it("the ledger has what was added and charged, and its sum is the balance", async () => {
      const { admin } = world.core
      time.pass(3600)
      await admin.addCredits(world.account, "12.5")
      time.pass(3600)
      await admin.changeAccount(world.account, { plan: "starter" })
      const all = await as("owner", "GET", ledger)
      expect([all.status, all.headers["x-total-count"]]).toEqual([200, String(all.items.length)])
      expect(all.items.at(-1)).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: expect.stringMatching(utc),
        kind: "grant",
        amount: 1000,
        reference: null
      })
      const sum = all.items.reduce((total, { amount }) => total + Number(amount), 0)
      expect(sum).toBe(Number((await admin.credits(world.account)).balance))
      const found = async (query: string) => {
        const { headers, items } = await as("owner", "GET", `${ledger}?${query}`)
        return [items.map(({ amount }) => amount), headers["x-total-count"]]
      }
      const at = String(all.items[1]!.created_at)
      expect(await found("kind=call")).toEqual([[], "0"])
      expect((await found(`to=${at}`))[0]).toEqual([1000])
      expect((await found(`from=${at}&limit=1&offset=1`))[0]).toEqual([12.5])
      for (const query of ["kind=gift", "limit=1001", "from=yesterday"])
        expect((await as("owner", "GET", `${ledger}?${query}`)).status, query).toBe(422)
      const { headers, text } = await as("owner", "GET", `${ledger}.csv`)
      expect(headers["content-disposition"]).toMatch(/^attachment; filename="credit-ledger.csv"$/)
      const lines = text.trimEnd().split("\r\n")
      expect(lines[0]).toBe("id,created_at,kind,amount,reference")
      expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(all.items.map(({ id }) => id))
      expect((await as("member", "GET", ledger)).status).toBe(403)
      expect((await world.send("GET", ledger, { key: await world.keyWith("usage:read") })).status).toBe(200)
      expect((await as("stranger", "GET", ledger)).items).toHaveLength(1)
    })

    // Verifies: B-609.
    it("the audit log is read by people with audit:read alone, and by every filter", async () => {
      const { body: made } = await as("owner", "POST", "/api/v1/keys", { name: "Site", scopes: [], permissions: [] })
      time.pass(1)
      await as("owner", "DELETE", `/api/v1/keys/${made.id}`)
      const of = async (query: string) => (await as("owner", "GET", `${audit}?${query}`)).items
      const [last] = await of("limit=1")
      expect(last).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: expect.stringMatching(utc),
        actor: "user:ada",
        actor_name: "Ada",
        action: "key.revoke",
        target_id: made.id,
        target_name: "Site"
      })
      const actions = async (query: string) => (await of(query)).map(({ action }) => action)
      expect(await actions(`target_id=${made.id}`)).toEqual(["key.revoke", "key.create"])
      expect(await actions(`target_id=${made.id}&action=key.create`)).toEqual(["key.create"])
      expect(await actions("actor=user:ada")).toEqual(["key.revoke", "key.create"])
      expect(await actions("actor=user:nobody")).toEqual([])
      expect(await actions(`actor=user:ada&from=${last!.at}`)).toEqual(["key.revoke"])
      expect(await actions(`actor=user:ada&to=${last!.at}`)).toEqual(["key.create"])
      const page = await as("owner", "GET", `${audit}?actor=user:ada&limit=1&offset=1`)
      expect([page.items[0]!.action, page.headers["x-total-count"]]).toEqual(["key.create", "2"])
      for (const query of ["action=key.made", "actor=", "limit=501"])
        expect((await as("owner", "GET", `${audit}?${query}`)).status, query).toBe(422)
      expect((await as("member", "GET", audit)).status).toBe(403)
      expect((await world.send("GET", audit, { key: world.key })).status).toBe(403)
      expect(JSON.stringify((await as("stranger", "GET", audit)).items)).not.toContain(String(made.id))
    })

    // Verifies: B-610.
    it("every write that has an action stands in it, of people and of keys, and none that was refused", async () => {
      const newest = async () => (await as("owner", "GET", `${audit}?limit=1`)).items[0]!
      const phone = "+14155550101"
      for (const by of ["person", "key"] as const) {
        const key = await world.keyWith("*")
        const actor =
          by === "person" ? "user:ada" : `key:${(await world.core.admin.listKeys(world.account, { limit: 1 }))[0]!.id}`
        const ask = (method: string, path: string, json?: unknown) =>
          by === "person"
            ? as("owner", method, path, json)
            : world.send(method, path, { key, ...(json === undefined ? {} : { json }) })
        const { body: bot } = await ask("POST", "/api/v1/bots", { name: "Asha" })
        const list = async () => `${campaigns}/${(await ask("POST", campaigns, { name: "A list" })).body.id}`
        const [draft, running] = [await list(), await list()]
        await ask("POST", `${running}/contacts`, { contacts: [{ phone }] })
        const contact = (await ask("GET", `${running}/contacts`)).items[0]!
        await ask("POST", `${campaigns}/dnc`, { entries: [{ phone: "+14155550199" }] })
        const entry = (await ask("GET", `${campaigns}/dnc`)).items[0]!
        const { phoneNumberId: phone_number_id } = sampleNumber
        const connection = { phone_number_id, business_account_id: "102290129340398", access_token: "EAAG" }
        await ask("POST", `${messaging}/phone_numbers`, connection)
        const template = { name: "welcome", language: { code: "en_US" } }
        await ask("POST", `${messaging}/messages`, { phone_number_id, to: phone, type: "template", template })
        const chat = (await ask("GET", `${messaging}/conversations`)).items[0]!
        const switched = { ai_autoreply_enabled: by === "key" }
        const file = upload({
          fields: [["dry_run", "false"]],
          file: Buffer.from("phone\n+14155550102\n"),
          fileName: "p.csv"
        })
        const numbers = upload({
          fields: [["dry_run", "false"]],
          file: Buffer.from("phone\n+14155550198\n"),
          fileName: "n.csv"
        })
        const credential = by === "person" ? { headers: { "x-user": "owner" } } : { key }
        const writes: ReadonlyArray<readonly [string, unknown, () => Promise<{ readonly status: number }>]> = [
          ["agent.change", bot.id, () => ask("PATCH", `/api/v1/bots/${bot.id}`, { name: "Asha B." })],
          [
            "agent.change",
            bot.id,
            () =>
              ask("POST", `/api/v1/bots/${bot.id}/knowledge`, { title: "Delivery", content: "We deliver on Mondays." })
          ],
          [
            "agent.change",
            bot.id,
            async () => {
              const [entry] = (await ask("GET", `/api/v1/bots/${bot.id}/knowledge`)).items
              return ask("PATCH", `/api/v1/bots/${bot.id}/knowledge/${entry!.id}`, { title: "Days of delivery" })
            }
          ],
          [
            "agent.change",
            bot.id,
            async () => {
              const [entry] = (await ask("GET", `/api/v1/bots/${bot.id}/knowledge`)).items
              return ask("DELETE", `/api/v1/bots/${bot.id}/knowledge/${entry!.id}`)
            }
          ],
          ["agent.delete", bot.id, () => ask("DELETE", `/api/v1/bots/${bot.id}`)],
          ["contact.delete", contact.id, () => ask("DELETE", `${running}/contacts/${contact.id}`)],
          [
            "campaign.import",
            running.split("/").at(-1),
            () =>
              world.send("POST", `${running}/contacts/import`, {
                ...file,
                ...credential,
                headers: { ...file.headers, ...credential.headers }
              })
          ],
          [
            "campaign.status",
            running.split("/").at(-1),
            () => ask("POST", `${running}/status`, { status: "scheduled" })
          ],
          [
            "conversation.change",
            chat.id,
            () => ask("PATCH", `${messaging}/conversations/${chat.id}`, { ...switched, assigned_to: "me", force: true })
          ],
          [
            "suppression.import",
            null,
            () =>
              world.send("POST", `${campaigns}/dnc/import`, {
                ...numbers,
                ...credential,
                headers: { ...numbers.headers, ...credential.headers }
              })
          ],
          ["campaign.delete", draft.split("/").at(-1), () => ask("DELETE", draft)],
          ["suppression.delete", entry.id, () => ask("DELETE", `${campaigns}/dnc/${entry.id}`)]
        ]
        for (const [action, target, write] of writes) {
          expect((await write()).status, `${action} by a ${by}`).toBeLessThan(300)
          // People who read the log know a campaign by its name.
          const named = action.startsWith("campaign.") ? { target_name: "A list" } : {}
          expect(await newest(), `${action} by a ${by}`).toMatchObject({ action, actor, target_id: target, ...named })
          // Which of two entries of one instant is the newer one is not known.
          time.pass(1)
        }
        const before = await newest()
        for (const [method, path, json] of [
          ["PATCH", `/api/v1/bots/${nobody}`, { name: "x" }],
          ["DELETE", `/api/v1/bots/${bot.id}`, undefined],
          ["POST", `${running}/status`, { status: "insufficient_balance" }],
          ["PATCH", `${messaging}/conversations/${nobody}`, switched],
          ["DELETE", draft, undefined],
          ["DELETE", `${campaigns}/dnc/${entry.id}`, undefined]
        ] as const)
          if ((await ask(method, path, json)).status < 400) throw new Error(`${method} ${path} was not refused`)
        expect(await newest()).toEqual(before)
      }
      const { body: made } = await as("owner", "POST", "/api/v1/keys", { name: "K", scopes: [], permissions: [] })
      const own: ReadonlyArray<readonly [string, string, string, Fields | undefined]> = [
        ["key.change", "PATCH", "", { name: "L" }],
        ["key.rotate", "POST", "/rotate", {}],
        ["key.revoke", "DELETE", "", undefined]
      ]
      for (const [action, method, path, json] of own) {
        expect((await as("owner", method, `/api/v1/keys/${made.id}${path}`, json)).status).toBeLessThan(300)
        expect(await newest()).toMatchObject({ action, actor: "user:ada", target_id: made.id, target_name: "L" })
      }
      const last = await newest()
      expect((await as("owner", "PATCH", `/api/v1/keys/${made.id}`, { name: "M" })).status).toBe(409)
      expect(await newest()).toEqual(last)
    })
  })
