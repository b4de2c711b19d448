/** Refusals: what is answered, in which form, and which of several faults is reported first. Verifies: HTTP-2, ACCS-3. */
import type { StorageProvider } from "@trunkline/core"
import { Instant } from "@trunkline/core/effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Fields } from "./HttpClient.ts"
import { aCampaign, campaigns, type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"

const one = `${campaigns}/${nobody}`

const templateCampaigns = "/api/v1/messaging/campaigns"
const templateCampaign = `${templateCampaigns}/${nobody}`

/** Every route that asks for a key, and the scopes that it asks for. */
const routes = [
  ["POST", campaigns, "campaigns:write"],
  ["GET", campaigns, "campaigns:read"],
  ["GET", one, "campaigns:read"],
  ["PATCH", one, "campaigns:write"],
  ["DELETE", one, "campaigns:write"],
  ["POST", `${one}/status`, "campaigns:write"],
  ["POST", `${one}/contacts`, "campaigns:write"],
  ["GET", `${one}/contacts`, "campaigns:read"],
  ["POST", `${one}/contacts/import`, "campaigns:write"],
  ["GET", `${one}/live`, "campaigns:read"],
  ["GET", `${one}/counts`, "campaigns:read"],
  ["GET", `${one}/contacts.csv`, "campaigns:read"],
  ["DELETE", `${one}/contacts/${nobody}`, "campaigns:write"],
  ["POST", `${one}/contacts/retry`, "campaigns:write"],
  ["POST", `${one}/duplicate`, "campaigns:write"],
  ["POST", `${one}/contacts/${nobody}/approve`, "campaigns:write"],
  ["POST", `${one}/contacts/next`, "campaigns:write"],
  ["POST", `${one}/contacts/${nobody}/hold`, "campaigns:write"],
  ["DELETE", `${one}/contacts/${nobody}/hold`, "campaigns:write"],
  ["POST", `${one}/contacts/${nobody}/skip`, "campaigns:write"],
  ["GET", `${campaigns}/dnc`, "campaigns:read"],
  ["POST", `${campaigns}/dnc`, "campaigns:write"],
  ["DELETE", `${campaigns}/dnc/${nobody}`, "campaigns:write"],
  ["GET", `${campaigns}/dnc.csv`, "campaigns:read"],
  ["POST", `${campaigns}/dnc/import`, "campaigns:write"],
  ["POST", "/api/v1/telephony/calls", "calls:write"],
  ["GET", "/api/v1/telephony/calls", "calls:read"],
  ["GET", `/api/v1/telephony/calls/${nobody}`, "calls:read"],
  ["GET", "/api/v1/telephony/calls.csv", "calls:read"],
  ["PUT", `/api/v1/telephony/calls/${nobody}/outcome`, "calls:write"],
  ["GET", `/api/v1/telephony/calls/${nobody}/recording`, "calls:read"],
  ["GET", `/api/v1/telephony/calls/${nobody}/transcript`, "calls:read"],
  ["POST", `/api/v1/telephony/calls/${nobody}/hangup`, "calls:write"],
  ["POST", "/api/v1/telephony/numbers", "calls:write"],
  ["GET", "/api/v1/telephony/numbers", "calls:read"],
  ["DELETE", `/api/v1/telephony/numbers/${nobody}`, "calls:write"],
  ["PATCH", `/api/v1/telephony/numbers/${nobody}`, "calls:write"],
  ["POST", "/api/v1/voice-alerts", "webhooks:write"],
  ["GET", "/api/v1/voice-alerts", "webhooks:write"],
  ["GET", `/api/v1/voice-alerts/${nobody}`, "webhooks:write"],
  ["PATCH", `/api/v1/voice-alerts/${nobody}`, "webhooks:write"],
  ["DELETE", `/api/v1/voice-alerts/${nobody}`, "webhooks:write"],
  ["POST", "/api/v1/voicemail-templates", "campaigns:write"],
  ["GET", "/api/v1/voicemail-templates", "campaigns:read"],
  ["GET", `/api/v1/voicemail-templates/${nobody}`, "campaigns:read"],
  ["PATCH", `/api/v1/voicemail-templates/${nobody}`, "campaigns:write"],
  ["DELETE", `/api/v1/voicemail-templates/${nobody}`, "campaigns:write"],
  ["GET", "/api/v1/account", "usage:read"],
  ["GET", "/api/v1/credits/ledger", "usage:read"],
  ["GET", "/api/v1/credits/ledger.csv", "usage:read"],
  ["GET", "/api/v1/contacts", "contacts:read"],
  ["POST", "/api/v1/contacts", "contacts:write"],
  ["GET", `/api/v1/contacts/${nobody}`, "contacts:read"],
  ["PATCH", `/api/v1/contacts/${nobody}`, "contacts:write"],
  ["DELETE", `/api/v1/contacts/${nobody}`, "contacts:write"],
  ["POST", "/api/v1/bots", "messaging:write"],
  ["GET", "/api/v1/bots", "messaging:read"],
  ["GET", `/api/v1/bots/${nobody}`, "messaging:read"],
  ["PATCH", `/api/v1/bots/${nobody}`, "messaging:write"],
  ["DELETE", `/api/v1/bots/${nobody}`, "messaging:write"],
  ["POST", `/api/v1/bots/${nobody}/knowledge`, "messaging:write"],
  ["GET", `/api/v1/bots/${nobody}/knowledge`, "messaging:read"],
  ["DELETE", `/api/v1/bots/${nobody}/knowledge/${nobody}`, "messaging:write"],
  ["GET", `/api/v1/bots/${nobody}/knowledge/search`, "messaging:read"],
  ["PATCH", `/api/v1/bots/${nobody}/knowledge/${nobody}`, "messaging:write"],
  ["POST", `/api/v1/bots/${nobody}/test`, "messaging:write"],
  ["GET", "/api/v1/messaging/channels", "messaging:read"],
  ["POST", "/api/v1/messaging/channels/telegram/connections", "messaging:write"],
  ["POST", "/api/v1/messaging/phone_numbers", "messaging:write"],
  ["GET", "/api/v1/messaging/phone_numbers", "messaging:read"],
  ["GET", `/api/v1/messaging/phone_numbers/${nobody}`, "messaging:read"],
  ["PATCH", `/api/v1/messaging/phone_numbers/${nobody}`, "messaging:write"],
  ["DELETE", `/api/v1/messaging/phone_numbers/${nobody}`, "messaging:write"],
  ["POST", `/api/v1/messaging/phone_numbers/${nobody}/link-bot`, "messaging:write"],
  ["POST", "/api/v1/messaging/phone_numbers/discover", "messaging:write"],
  ["POST", `/api/v1/messaging/phone_numbers/${nobody}/refresh`, "messaging:write"],
  ["POST", `/api/v1/messaging/phone_numbers/${nobody}/register`, "messaging:write"],
  ["POST", `/api/v1/messaging/phone_numbers/${nobody}/deregister`, "messaging:write"],
  ["PUT", `/api/v1/messaging/phone_numbers/${nobody}/pin`, "messaging:write"],
  ["GET", `/api/v1/messaging/phone_numbers/${nobody}/profile`, "messaging:read"],
  ["PATCH", `/api/v1/messaging/phone_numbers/${nobody}/profile`, "messaging:write"],
  ["GET", `/api/v1/messaging/phone_numbers/${nobody}/blocked`, "messaging:read"],
  ["POST", `/api/v1/messaging/phone_numbers/${nobody}/blocked`, "messaging:write"],
  ["DELETE", `/api/v1/messaging/phone_numbers/${nobody}/blocked`, "messaging:write"],
  ["GET", "/api/v1/messaging/conversations", "messaging:read"],
  ["GET", `/api/v1/messaging/conversations/${nobody}`, "messaging:read"],
  ["PATCH", `/api/v1/messaging/conversations/${nobody}`, "messaging:write"],
  ["GET", `/api/v1/messaging/conversations/${nobody}/messages`, "messaging:read"],
  ["POST", `/api/v1/messaging/conversations/${nobody}/read`, "messaging:write"],
  ["POST", "/api/v1/messaging/messages", "messaging:send"],
  ["POST", "/api/v1/messaging/media", "messaging:send"],
  ["GET", `/api/v1/messaging/media/${nobody}`, "messaging:read"],
  ["GET", "/api/v1/messaging/templates", "messaging:read"],
  ["POST", "/api/v1/messaging/templates", "messaging:write"],
  ["DELETE", "/api/v1/messaging/templates", "messaging:write"],
  ["POST", "/api/v1/messaging/templates/media", "messaging:write"],
  ["GET", `/api/v1/messaging/templates/${nobody}`, "messaging:read"],
  ["PATCH", `/api/v1/messaging/templates/${nobody}`, "messaging:write"],
  ["DELETE", `/api/v1/messaging/templates/${nobody}`, "messaging:write"],
  ["POST", `/api/v1/messaging/templates/${nobody}/unpause`, "messaging:write"],
  ["GET", "/api/v1/messaging/flows", "messaging:read"],
  ["POST", "/api/v1/messaging/flows", "messaging:write"],
  ["GET", `/api/v1/messaging/flows/${nobody}`, "messaging:read"],
  ["PATCH", `/api/v1/messaging/flows/${nobody}`, "messaging:write"],
  ["DELETE", `/api/v1/messaging/flows/${nobody}`, "messaging:write"],
  ["GET", `/api/v1/messaging/flows/${nobody}/json`, "messaging:read"],
  ["PUT", `/api/v1/messaging/flows/${nobody}/json`, "messaging:write"],
  ["POST", `/api/v1/messaging/flows/${nobody}/publish`, "messaging:write"],
  ["POST", `/api/v1/messaging/flows/${nobody}/deprecate`, "messaging:write"],
  ["GET", `/api/v1/messaging/phone_numbers/${nobody}/flow-key`, "messaging:read"],
  ["PUT", `/api/v1/messaging/phone_numbers/${nobody}/flow-key`, "messaging:write"],
  ["GET", "/api/v1/messaging/analytics/delivery", "messaging:read"],
  ["GET", "/api/v1/messaging/analytics/messages", "messaging:read"],
  ["GET", "/api/v1/messaging/analytics/pricing", "messaging:read"],
  ["GET", "/api/v1/messaging/analytics/templates", "messaging:read"],
  ["POST", "/api/v1/messaging/analytics/templates/enable", "messaging:write"],
  ["GET", "/api/v1/messaging/opt-outs", "messaging:read"],
  ["POST", "/api/v1/messaging/opt-outs", "messaging:write"],
  ["DELETE", `/api/v1/messaging/opt-outs/${nobody}`, "messaging:write"],
  ["GET", `/api/v1/messaging/phone_numbers/${nobody}/commerce`, "messaging:read"],
  ["PATCH", `/api/v1/messaging/phone_numbers/${nobody}/commerce`, "messaging:write"],
  ["GET", "/api/v1/messaging/catalogs", "messaging:read"],
  ["GET", `/api/v1/messaging/catalogs/${nobody}/products`, "messaging:read"],
  ["GET", "/api/v1/messaging/payment-configurations", "messaging:read"],
  ["GET", "/api/v1/messaging/payment-configurations/shop", "messaging:read"],
  ["POST", "/api/v1/messaging/payments", "messaging:send"],
  ["GET", "/api/v1/messaging/payments", "messaging:read"],
  ["GET", `/api/v1/messaging/payments/${nobody}`, "messaging:read"],
  ["POST", `/api/v1/messaging/payments/${nobody}/refresh`, "messaging:write"],
  ["POST", `/api/v1/messaging/payments/${nobody}/status`, "messaging:send"],
  ["POST", templateCampaigns, "messaging:write"],
  ["GET", templateCampaigns, "messaging:read"],
  ["GET", templateCampaign, "messaging:read"],
  ["PATCH", templateCampaign, "messaging:write"],
  ["DELETE", templateCampaign, "messaging:write"],
  ["POST", `${templateCampaign}/status`, "messaging:write"],
  ["POST", `${templateCampaign}/contacts`, "messaging:write"],
  ["GET", `${templateCampaign}/contacts`, "messaging:read"],
  ["GET", `${templateCampaign}/contacts.csv`, "messaging:read"],
  ["POST", `${templateCampaign}/contacts/segment`, "messaging:write"],
  ["POST", `${templateCampaign}/contacts/import`, "messaging:write"],
  ["DELETE", `${templateCampaign}/contacts/${nobody}`, "messaging:write"],
  ["POST", `${templateCampaign}/retry`, "messaging:write messaging:send"],
  ["POST", `${templateCampaign}/dry-run`, "messaging:read"],
  ["POST", `${templateCampaign}/test`, "messaging:send"],
  ["GET", `${templateCampaign}/live`, "messaging:read"],
  ["GET", "/api/v1/webhooks/events", "webhooks:write"],
  ["GET", "/api/v1/webhooks", "webhooks:write"],
  ["POST", "/api/v1/webhooks", "webhooks:write"],
  ["GET", `/api/v1/webhooks/${nobody}`, "webhooks:write"],
  ["PUT", `/api/v1/webhooks/${nobody}`, "webhooks:write"],
  ["DELETE", `/api/v1/webhooks/${nobody}`, "webhooks:write"],
  ["POST", `/api/v1/webhooks/${nobody}/test`, "webhooks:write"],
  ["POST", `/api/v1/webhooks/${nobody}/rotate-secret`, "webhooks:write"],
  ["POST", `/api/v1/webhooks/${nobody}/recover`, "webhooks:write"],
  ["GET", `/api/v1/webhooks/${nobody}/deliveries`, "webhooks:write"],
  ["GET", `/api/v1/webhooks/${nobody}/deliveries/${nobody}`, "webhooks:write"],
  ["POST", `/api/v1/webhooks/${nobody}/deliveries/${nobody}/replay`, "webhooks:write"],
  ["GET", "/api/v1/email/webhooks", "email:read"],
  ["POST", "/api/v1/email/webhooks", "email:write"],
  ["GET", "/api/v1/email/webhooks/deliveries", "email:read"],
  ["PATCH", `/api/v1/email/webhooks/${nobody}`, "email:write"],
  ["DELETE", `/api/v1/email/webhooks/${nobody}`, "email:write"],
  ["GET", "/api/v1/email/suppressions", "email:read"],
  ["DELETE", `/api/v1/email/suppressions/${nobody}`, "email:write"]
] as const

const needed = [...new Set(routes.flatMap(([, , scopes]) => scopes.split(" ")))]

/** Scopes that let a key do what is asked for under another one. */
const wider: Readonly<Record<string, string>> = { "email:read": "email:write" }

export const envelopeSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`refusals through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage)
    })
    afterAll(() => world.close())

    const faults = (body: Fields) => body.detail as ReadonlyArray<Fields>

    // Verifies: D-197.
    it("requires authentication: 401 with WWW-Authenticate", async () => {
      for (const authorization of [undefined, "Bearer svc_unknown", "Bearer a.b.c", "Basic YTpi", "Bearer "]) {
        const headers = authorization === undefined ? {} : { authorization }
        const answer = await world.send("GET", campaigns, { headers })
        expect(answer.status).toBe(401)
        expect(answer.headers["www-authenticate"]).toBe("Bearer")
        expect(Object.keys(answer.body)).toEqual(["detail"])
      }
    })

    // Verifies: C-164, C-165.
    it("names the scope that a key lacks: 403", async () => {
      const reader = await world.keyWith("campaigns:read")
      const answer = await world.send("POST", campaigns, { key: reader, json: { name: "x" } })
      expect(answer.status).toBe(403)
      expect(answer.body.detail).toMatch(/campaigns:write/)
      const writer = await world.keyWith("campaigns:write")
      expect((await world.send("GET", campaigns, { key: writer })).status).toBe(403)
    })

    // Verifies: C-10, C-198, D-219.
    it("has a scope for every route", () => {
      const paths = Object.entries(world.core.openapi().paths as Readonly<Record<string, object>>)
      const described = paths.flatMap(([path, operations]) =>
        Object.keys(operations).map(
          (method) =>
            `${method.toUpperCase()} ${path
              .replace(/\{\w+_id\}/g, nobody)
              .replace("{channel}", "telegram")
              .replace("{name}", "shop")}`
        )
      )
      // Those of /v1 are the inference suite's, and the compatible send has one of its own; models are shown to any key, who is asking
      // to everybody, and changes, first steps and what is one's own to people alone.
      const open = described.filter((route) =>
        /\/providers\/|\/inbound$|^GET \/portal\/|^\w+ \/v1\/|\/models(\/access)?$|^\w+ \/api\/v1\/(me|me\/password|stream|setup|audit|keys|keys\/[^ ]+)\/?$|^POST .*[0}]\/messages$/.test(
          route
        )
      )
      const plain = (path: string) => path.replace(/\/$/, "")
      expect(routes.map(([method, path]) => `${method} ${path}`).sort()).toEqual(
        described
          .filter((route) => !open.includes(route))
          .map(plain)
          .sort()
      )
    })

    // Verifies: C-104, C-106, C-107, C-108, C-110, C-111, C-114, C-118, C-125, C-126, C-127, C-128, C-129, C-131, C-152, C-153, C-154, C-155, C-156, C-157, C-164, C-165, D-131, D-133, D-134, D-146, D-205, D-206, D-222, G-137, W-79, W-81, W-82.
    it("lets a key do what its scope says, route by route: 403 with every other scope", async () => {
      for (const scope of needed) {
        const lacks = await world.keyWith(...needed.filter((other) => other !== scope && other !== wider[scope]))
        for (const [method, path] of routes.filter(([, , scopes]) => scopes.split(" ").includes(scope))) {
          const refused = await world.send(method, path, { key: lacks })
          expect(refused.status, `${method} ${path}`).toBe(403)
          expect(refused.body.detail).toContain(scope)
        }
      }
      for (const scopes of new Set(routes.map(([, , scopes]) => scopes))) {
        const holds = await world.keyWith(...scopes.split(" "))
        for (const [method, path] of routes.filter(([, , needs]) => needs === scopes)) {
          expect([401, 403], `${method} ${path}`).not.toContain((await world.send(method, path, { key: holds })).status)
        }
      }
    })

    // Verifies: C-184, D-137.
    it("states every other refusal in one sentence: `detail`, and nothing else", async () => {
      const dear = await openWorld(start, storage, { core: { pricing: { callCreditsPerMinute: 1001 } } })
      const { admin } = dear.core
      const { id } = await admin.createAccount({ name: "Closed" })
      const closed = (await admin.createKey(id)).text
      await admin.changeAccount(id, { status: "terminated" })
      const path = await aCampaign(dear)
      const dialed = { to: "+14155550101" }
      const paused = { status: "paused" }
      try {
        for (const [status, answer] of [
          [401, await dear.send("GET", campaigns)],
          [402, await dear.send("POST", "/api/v1/telephony/calls", { key: dear.key, json: dialed })],
          [403, await dear.send("GET", campaigns, { key: closed })],
          [404, await dear.send("GET", one, { key: dear.key })],
          [405, await dear.send("PUT", campaigns, { key: dear.key })],
          [409, await dear.send("POST", `${path}/status`, { key: dear.key, json: paused })],
          [
            415,
            await dear.send("POST", campaigns, { key: dear.key, body: "x", headers: { "content-type": "text/csv" } })
          ]
        ] as const) {
          expect(answer.status).toBe(status)
          expect(answer.body, String(status)).toEqual({ detail: expect.stringMatching(/\w/) })
        }
      } finally {
        await dear.close()
      }
    })

    // Verifies: D-261.
    it("places a call for an account that may spend: otherwise 402 or 429, and a notice in the grace period", async () => {
      const other = await openWorld(start, storage)
      const { admin } = other.core
      const call = () => other.send("POST", "/api/v1/telephony/calls", { key: other.key, json: { to: "+14155550101" } })
      const account = (change: Parameters<typeof admin.changeAccount>[1]) => admin.changeAccount(other.account, change)
      try {
        await account({ paymentMethod: "grace", paymentDeadline: Instant.make(Date.UTC(2100, 0, 1)) })
        const inGrace = await call()
        expect(inGrace.status).toBe(201)
        expect(inGrace.headers["x-service-notice"]).toBe("payment_method_required; deadline=2100-01-01T00:00:00.000Z")
        await account({ paymentMethod: "missing" })
        const unpaid = await call()
        expect([unpaid.status, unpaid.headers["x-service-notice"]]).toEqual([402, undefined])
        expect(unpaid.body).toEqual({ detail: "The account has no verified payment method. Add one and try again." })
        await account({ paymentMethod: "verified", monthlyBudget: 0n })
        const spent = await call()
        expect(spent.status).toBe(429)
        expect(Number(spent.headers["retry-after"])).toBeGreaterThan(0)
        expect(spent.body).toEqual({ detail: expect.stringMatching(/budget of this month is used up/) })
        await account({ monthlyBudget: null })
        expect((await call()).headers["x-service-notice"]).toBeUndefined()
      } finally {
        await other.close()
      }
    })

    // Verifies: C-12.
    it("answers another account's id as one that does not exist: 404", async () => {
      const path = await aCampaign(world)
      const unknown = await world.send("GET", `${campaigns}/${nobody}`, { key: world.key })
      const foreign = await world.send("GET", path, { key: world.stranger })
      expect(unknown.status).toBe(404)
      expect(foreign).toMatchObject({ status: 404, text: unknown.text })
      for (const [method, below, json] of [
        ["PATCH", "", { name: "x" }],
        ["DELETE", "", undefined],
        ["POST", "/status", { status: "scheduled" }],
        ["POST", "/contacts", { contacts: [] }],
        ["GET", "/contacts", undefined],
        ["GET", "/live", undefined],
        ["POST", `/contacts/${nobody}/approve`, undefined]
      ] as const) {
        const sent = { key: world.stranger, ...(json === undefined ? {} : { json }) }
        expect((await world.send(method, path + below, sent)).text).toBe(unknown.text)
      }
    })

    // Verifies: C-20, C-183, C-185, C-189, D-185, D-191, G-156.
    it("lists every invalid field in one answer: 422 with loc, msg and type", async () => {
      const { body, status } = await world.send("POST", campaigns, {
        key: world.key,
        json: {
          name: "",
          timezone: "Mars/Olympus",
          quiet_hours_start: "9",
          max_attempts: 6,
          dial_mode: "robo",
          pace_seconds: 4.5,
          amd_enabled: 1,
          bot_id: "no-uuid",
          scheduled_at: "2026-02-30T10:00:00Z"
        }
      })
      expect(status).toBe(422)
      expect(new Set(faults(body).map(({ loc }) => (loc as ReadonlyArray<string>).join(".")))).toEqual(
        new Set([
          "body.name",
          "body.timezone",
          "body.quiet_hours_start",
          "body.max_attempts",
          "body.dial_mode",
          "body.pace_seconds",
          "body.amd_enabled",
          "body.bot_id",
          "body.scheduled_at"
        ])
      )
      for (const fault of faults(body)) expect(fault.msg, JSON.stringify(fault)).not.toBe("")
    })

    // Verifies: C-115, D-185.
    it("names the index of an invalid element", async () => {
      const path = await aCampaign(world)
      const contacts = [{ phone: "+14155550101" }, { phone: 5 }, {}, { phone: "", name: "x".repeat(256) }]
      const { body, status } = await world.send("POST", `${path}/contacts`, { key: world.key, json: { contacts } })
      expect(status).toBe(422)
      expect(faults(body)).toMatchObject([
        { loc: ["body", "contacts", 1, "phone"] },
        { loc: ["body", "contacts", 2, "phone"], type: "missing" },
        { loc: ["body", "contacts", 3, "phone"] },
        { loc: ["body", "contacts", 3, "name"] }
      ])
      expect((await world.send("GET", `${path}/contacts`, { key: world.key })).items).toEqual([])
    })

    // Verifies: C-39, C-177, C-178.
    it("reports rules over several fields in the same form", async () => {
      const overnight = { name: "x", quiet_hours_start: 20, quiet_hours_end: 8 }
      const empty = { name: "x", quiet_hours_start: 9, quiet_hours_end: 9 }
      const lines = { name: "x", parallel_lines: 2 }
      for (const [json, field] of [
        [overnight, "quiet_hours_end"],
        [empty, "quiet_hours_end"],
        [lines, "parallel_lines"],
        [{ ...lines, dial_mode: "preview" }, "parallel_lines"]
      ] as const) {
        const { body, status } = await world.send("POST", campaigns, { key: world.key, json })
        expect(status).toBe(422)
        expect(faults(body)).toMatchObject([{ loc: ["body", field] }])
      }
    })

    // Verifies: C-183, C-185, D-176, D-185.
    it("names where a fault is: path, query or body", async () => {
      const inPath = await world.send("GET", `${campaigns}/no-uuid`, { key: world.key })
      expect(faults(inPath.body)).toMatchObject([{ loc: ["path", "campaign_id"] }])
      const inQuery = await world.send("GET", `${campaigns}?limit=0&offset=many`, { key: world.key })
      expect(faults(inQuery.body)).toMatchObject([{ loc: ["query", "limit"] }, { loc: ["query", "offset"] }])
      const noBody = await world.send("POST", campaigns, { key: world.key })
      expect(noBody.status).toBe(422)
      expect(faults(noBody.body)[0]).toMatchObject({ loc: ["body"] })
    })

    // Verifies: D-186.
    it("refuses a text that is no JSON: 422 json_invalid", async () => {
      for (const body of ["{", "name=x", '{"name": "x",}', "\u0000"]) {
        const headers = { "content-type": "application/json" }
        const answer = await world.send("POST", campaigns, { key: world.key, body, headers })
        expect(answer.status).toBe(422)
        expect(faults(answer.body)).toMatchObject([{ loc: ["body"], type: "json_invalid" }])
      }
    })

    it("refuses JSON that is nested too deeply or has too many elements before it looks at a field: 422", async () => {
      const headers = { "content-type": "application/json" }
      for (const [nested, type] of [
        [`${"[".repeat(1_000_000)}`, "json_too_deep"],
        [`${'{"a":'.repeat(200)}1${"}".repeat(200)}`, "json_too_deep"],
        [`[${"{},".repeat(200_000)}{}]`, "json_too_large"]
      ] as const) {
        const body = `{"name":1,"zz":${nested}}`
        const answer = await world.send("POST", campaigns, { key: world.key, body, headers })
        expect(answer.status).toBe(422)
        expect(faults(answer.body)).toEqual([{ loc: ["body"], type, msg: expect.stringMatching(/200/) }])
      }
      const most = `{"name":"a","zz":${"[".repeat(199)}${"]".repeat(199)}}`
      expect((await world.send("POST", campaigns, { key: world.key, body: most, headers })).status).toBe(201)
    })

    it("names one fault of a list that is too long, and at most 100 faults of one that is not", async () => {
      const add = (length: number) =>
        world.send("POST", "/api/v1/voice-campaigns/dnc", {
          key: world.key,
          json: { entries: Array.from({ length }, () => ({})) }
        })
      const [long, whole] = [await add(1001), await add(1000)]
      expect([long.status, whole.status]).toEqual([422, 422])
      expect(faults(long.body)).toMatchObject([{ loc: ["body", "entries"] }])
      expect(faults(whole.body)).toHaveLength(100)
      expect(faults(whole.body).at(-1)).toMatchObject({ loc: ["body", "entries", 99, "phone"], type: "missing" })
    })

    // Verifies: C-75, C-174.
    it("refuses a change of status that is not allowed, and names both statuses: 409", async () => {
      const path = await aCampaign(world)
      const answer = await world.send("POST", `${path}/status`, { key: world.key, json: { status: "completed" } })
      expect(answer.status).toBe(409)
      expect(answer.body.detail).toMatch(/draft.*completed/)
    })

    // Verifies: D-196.
    it("reports the first fault, in the order account, feature, scope, schema, ownership, state", async () => {
      const { admin } = world.core
      const { id } = await admin.createAccount({ name: "Judged" })
      const everything = (await admin.createKey(id)).text
      const nothing = (await admin.createKey(id, { scopes: ["contacts:read"] })).text
      const move = async (key: string | undefined, path: string, json: unknown) => {
        const sent = key === undefined ? { json } : { key, json }
        return (await world.send("POST", `${campaigns}/${path}/status`, sent)).status
      }
      const wrong = { status: "nowhere" }
      const impossible = { status: "completed" }

      expect(await move(undefined, "no-uuid", wrong)).toBe(401)
      await admin.changeAccount(id, { status: "inactive" })
      expect(await move(nothing, "no-uuid", wrong)).toBe(403)
      await admin.changeAccount(id, { status: "active" })
      expect(await move(nothing, "no-uuid", wrong)).toBe(404)
      await admin.changeAccount(id, { voiceCampaigns: true })
      expect(await move(nothing, "no-uuid", wrong)).toBe(403)
      expect(await move(everything, "no-uuid", impossible)).toBe(422)
      expect(await move(everything, nobody, wrong)).toBe(422)
      expect(await move(everything, nobody, impossible)).toBe(404)
      const mine = await world.send("POST", campaigns, { key: everything, json: { name: "x" } })
      expect(await move(everything, String(mine.body.id), impossible)).toBe(409)
    })

    // Verifies: C-9, C-166, D-207.
    it("answers 404 on every route of campaigns while the feature is off", async () => {
      const { id } = await world.core.admin.createAccount({ name: "Without" })
      const key = (await world.core.admin.createKey(id)).text
      for (const [method, path] of routes.filter(([, path]) => path.startsWith(campaigns))) {
        expect(await world.send(method, path, { key }), `${method} ${path}`).toMatchObject({
          status: 404,
          text: '{"detail":"Not Found"}'
        })
      }
      expect((await world.send("GET", "/api/v1/contacts", { key })).status).toBe(200)
    })
  })
