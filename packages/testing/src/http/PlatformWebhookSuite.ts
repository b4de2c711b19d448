/**
 * Webhooks of platform events as a caller of the API sees them: what is taken, shown, refused, sent and logged.
 *
 * Verifies: HOOK-5, HOOK-6, HOOK-8.
 */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Fields } from "./HttpClient.ts"
import { campaigns, nobody, type Start, until } from "./HttpWorld.ts"
import {
  emailWebhooks,
  openWebhookWorld,
  secretText,
  signatureOf,
  utc,
  uuid,
  type WebhookWorld,
  webhooks
} from "./WebhookWorld.ts"

const catalogue = [
  "conversation.started",
  "conversation.ended",
  "message.received",
  "message.sent",
  "message.status",
  "number.status",
  "template.status",
  "contact.preference",
  "voice_session.started",
  "voice_session.ended",
  "voice_session.failed",
  "call.started",
  "call.completed",
  "call.failed",
  "call.amd_detected",
  "voice_analysis.completed",
  "campaign.started",
  "campaign.completed",
  "campaign.failed",
  "voice_alert.triggered",
  "budget.alert",
  "budget.exceeded",
  "credits.low",
  "api_key.expired",
  "invoice.created",
  "payment.succeeded",
  "payment.failed",
  "payment_request.partially_paid",
  "payment_request.paid",
  "payment_request.expired",
  "payment_request.cancelled"
]

const alert = "voice_alert.triggered"
const managers = "Only owners/admins can manage webhooks"
const noWebhook = { detail: "Webhook not found" }
const noDelivery = { detail: "Delivery not found" }
const noAgent = { detail: "Agent not found" }
const paused = { detail: "The webhook is paused: set is_active to true, then replay" }

/** Every route of one subscription, with a body where it takes one. */
const routesOf = (id: string) =>
  [
    ["GET", `${webhooks}/${id}`, undefined],
    ["PUT", `${webhooks}/${id}`, { is_active: false }],
    ["POST", `${webhooks}/${id}/test`, undefined],
    ["POST", `${webhooks}/${id}/rotate-secret`, {}],
    ["POST", `${webhooks}/${id}/recover`, { since: "2026-01-01T00:00:00Z" }],
    ["GET", `${webhooks}/${id}/deliveries`, undefined],
    ["GET", `${webhooks}/${id}/deliveries/${nobody}`, undefined],
    ["POST", `${webhooks}/${id}/deliveries/${nobody}/replay`, undefined],
    ["DELETE", `${webhooks}/${id}`, undefined]
  ] as const

export const platformWebhookSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`platform webhooks through ${name}`, () => {
    let world: WebhookWorld
    beforeAll(async () => {
      world = await openWebhookWorld(start, storage)
    })
    afterAll(() => world.close())

    const ask: WebhookWorld["ask"] = (...given) => world.ask(...given)

    const within = async (
      settings: Parameters<typeof openWebhookWorld>[2],
      use: (other: WebhookWorld) => Promise<void>
    ) => {
      const other = await openWebhookWorld(start, storage, settings)
      try {
        await use(other)
      } finally {
        await other.close()
      }
    }

    const make = async (fields: object = {}): Promise<Fields> => {
      const { body, status } = await ask("POST", webhooks, { url: world.endpoint(), events: [alert], ...fields })
      expect(status, JSON.stringify(body)).toBe(201)
      return body
    }

    const pathOf = ({ id }: Fields) => `${webhooks}/${id}`
    const mask = (secret: unknown) => `${String(secret).slice(0, 4)}****${String(secret).slice(-4)}`
    const anAgent = async () => (await ask("POST", "/api/v1/bots", { name: "Agent" })).body.id

    describe("events and subscriptions", () => {
      // Verifies: E-4, E-54, E-66, W-84.
      it("lists the events, and when each of them is emitted", async () => {
        const { headers, items, status } = await ask("GET", `${webhooks}/events`)
        expect(status).toBe(200)
        expect(headers["x-total-count"]).toBe("31")
        expect(items.map(({ event }) => event)).toEqual(catalogue)
        for (const item of items) {
          expect(item).toEqual({
            event: item.event,
            category: expect.stringMatching(/\w/),
            fires: expect.any(String),
            fired_by: expect.stringMatching(/^(product|host)$/)
          })
          expect(item.fires).toMatch(/^(when|once|on)\b/)
        }
        const firedBy = (event: string) => items.find((item) => item.event === event)?.fired_by
        expect([firedBy("call.completed"), firedBy("invoice.created")]).toEqual(["product", "host"])
      })

      // Verifies: E-3, E-5, W-4, W-5, W-7, W-8, W-9, W-11, W-12, W-44, W-45, W-47, W-52.
      it("creates a subscription and returns its secret once; later answers show its first and last four characters", async () => {
        const url = world.endpoint()
        const { body, status } = await ask("POST", webhooks, { url, events: [alert, "credits.low"] })
        expect(status).toBe(201)
        expect(body).toEqual({
          id: expect.stringMatching(uuid),
          tenant_id: world.account,
          url,
          secret: expect.stringMatching(secretText),
          events: [alert, "credits.low"],
          is_active: true,
          bot_id: null,
          retry_schedule: "standard",
          pause_after_days: null,
          failing_since: null,
          previous_secret_until: null,
          created_at: expect.stringMatching(utc)
        })
        const shown = { ...body, secret: mask(body.secret) }
        expect(shown.secret).toMatch(/^whse\*{4}.{3}=$/)
        expect((await ask("GET", pathOf(body))).body).toEqual(shown)
        expect((await ask("GET", webhooks)).items[0]).toEqual(shown)
        expect((await ask("PUT", pathOf(body), {})).body).toEqual(shown)
        expect((await make()).secret).not.toBe(body.secret)
      })

      // Verifies: E-57, E-58, W-46, W-48.
      it("accepts every field when a subscription is created, and the same ones when it is changed", async () => {
        const fields = { bot_id: await anAgent(), retry_schedule: "long", pause_after_days: 30 }
        expect(await make(fields)).toMatchObject(fields)
        const path = pathOf(await make())
        expect((await ask("PUT", path, fields)).body).toMatchObject(fields)
        expect((await ask("GET", path)).body).toMatchObject(fields)
        expect((await ask("PUT", path, { pause_after_days: null })).body.pause_after_days).toBeNull()
        expect(await make({ bot_id: null, retry_schedule: null, pause_after_days: null })).toMatchObject({
          bot_id: null,
          retry_schedule: "standard",
          pause_after_days: null
        })
      })

      // Verifies: E-2, W-10, W-48, W-50.
      it("changes the fields that are sent and keeps the others", async () => {
        const bot_id = await anAgent()
        const made = await make({ bot_id, events: [alert, "credits.low"] })
        const shown = { ...made, secret: mask(made.secret) }
        const path = pathOf(made)
        const url = world.endpoint()
        expect((await ask("PUT", path, { url })).body).toEqual({ ...shown, url })
        expect((await ask("PUT", path, { is_active: false })).body).toEqual({ ...shown, url, is_active: false })
        expect((await ask("PUT", path, { events: ["call.failed"] })).body).toEqual({
          ...shown,
          url,
          is_active: false,
          events: ["call.failed"]
        })
        expect((await ask("PUT", path, { is_active: true, bot_id: null })).body).toMatchObject({
          is_active: true,
          bot_id,
          events: ["call.failed"]
        })
        for (const field of ["url", "events", "is_active", "clear_bot_id", "retry_schedule"]) {
          expect((await ask("PUT", path, { [field]: null })).status, field).toBe(422)
        }
        expect((await ask("PUT", path, { id: nobody, secret: "mine", tenant_id: nobody })).body.id).toBe(made.id)
      })

      // Verifies: W-51.
      it("widens to the workspace when the request says so, even if it also names an agent", async () => {
        const [bot_id, other] = [await anAgent(), await anAgent()]
        const path = pathOf(await make({ bot_id }))
        expect((await ask("PUT", path, { bot_id: other, clear_bot_id: false })).body.bot_id).toBe(other)
        expect((await ask("PUT", path, { bot_id, clear_bot_id: true })).body.bot_id).toBeNull()
        expect((await ask("PUT", path, { bot_id: nobody, clear_bot_id: true })).body.bot_id).toBeNull()
      })

      // Verifies: E-2, W-50, W-91, W-136.
      it("drops duplicates of an event, and reads an empty list as every event on PUT alone", async () => {
        const made = await make({ events: [alert, "credits.low", alert] })
        expect(made.events).toEqual([alert, "credits.low"])
        const path = pathOf(made)
        expect((await ask("PUT", path, { events: ["call.failed", "call.failed"] })).body.events).toEqual([
          "call.failed"
        ])
        expect((await ask("PUT", path, { events: [] })).body.events).toEqual([])
        await world.happens(alert)
        expect((await world.ended(`${path}/deliveries`)).map(({ event }) => event)).toEqual([alert])
        expect((await ask("POST", webhooks, { url: world.endpoint(), events: [] })).status).toBe(422)
      })

      // Verifies: E-1, W-84, W-92, W-147.
      it("accepts 31 events as they were sent, and refuses one more", async () => {
        expect((await make({ events: catalogue })).events).toEqual(catalogue)
        const path = pathOf(await make())
        expect((await ask("PUT", path, { events: catalogue })).body.events).toEqual(catalogue)
        for (const events of [[...catalogue, alert], Array.from({ length: 32 }, () => alert)]) {
          for (const answer of [
            await ask("POST", webhooks, { url: world.endpoint(), events }),
            await ask("PUT", path, { events })
          ]) {
            expect(answer.status).toBe(422)
            expect(answer.body.detail).toMatchObject([{ loc: ["body", "events"] }])
          }
        }
      })

      // Verifies: W-90, W-136.
      it("refuses an event that it does not know, and lists those that it does: 422", async () => {
        const path = pathOf(await make())
        for (const unknown of ["campaign.exploded", "email.bounced", "", "CALL.STARTED", "toString"]) {
          for (const answer of [
            await ask("POST", webhooks, { url: world.endpoint(), events: [alert, unknown] }),
            await ask("PUT", path, { events: [alert, unknown] })
          ]) {
            expect(answer.status, unknown).toBe(422)
            const [fault, ...others] = answer.body.detail as ReadonlyArray<Fields>
            expect(others).toEqual([])
            expect(fault!.loc).toEqual(["body", "events", 1])
            expect(String(fault!.msg)).toContain(catalogue.join(", "))
          }
        }
      })

      // Verifies: E-55, W-6, W-45, W-137, W-146.
      it("accepts values within their bounds, and refuses the next one: 422", async () => {
        const longest = `${world.endpoint()}/${"x".repeat(2048)}`.slice(0, 2048)
        const path = pathOf(await make({ url: longest, pause_after_days: 1 }))
        expect((await ask("GET", path)).body.url).toBe(longest)
        for (const [field, value] of [
          ["url", `${longest}x`],
          ["url", ""],
          ["url", 5],
          ["bot_id", "no-uuid"],
          ["pause_after_days", 0],
          ["pause_after_days", 31],
          ["pause_after_days", 1.5],
          ["retry_schedule", "forever"]
        ] as const) {
          for (const answer of [
            await ask("POST", webhooks, { url: world.endpoint(), events: [alert], [field]: value }),
            await ask("PUT", path, { [field]: value })
          ]) {
            expect(answer.status, `${field} ${value}`).toBe(422)
            expect(answer.body.detail, `${field} ${value}`).toMatchObject([{ loc: ["body", field] }])
          }
        }
        expect((await ask("POST", webhooks, {})).body.detail).toMatchObject([
          { loc: ["body", "url"], type: "missing" },
          { loc: ["body", "events"], type: "missing" }
        ])
        for (const [overlap_seconds, status] of [
          [-1, 422],
          [0, 200],
          [7 * 86_400, 200],
          [7 * 86_400 + 1, 422]
        ] as const) {
          const answer = await ask("POST", `${path}/rotate-secret`, { overlap_seconds })
          expect(answer.status, String(overlap_seconds)).toBe(status)
        }
        for (const since of [undefined, null, "yesterday", "2026-11-21"]) {
          expect((await ask("POST", `${path}/recover`, { since })).status, String(since)).toBe(422)
        }
      })

      // Verifies: E-4, W-43, W-56, W-137, W-148.
      it("lists the newest first, up to a limit of 1 to 200 and after an offset, and returns the total", () =>
        within({}, async (other) => {
          const ids: Array<unknown> = []
          for (let nth = 0; nth < 52; nth++) {
            ids.unshift((await other.ask("POST", webhooks, { url: other.endpoint(), events: [alert] })).body.id)
          }
          const look = async (path: string) => {
            const { headers, items } = await other.ask("GET", path)
            return { total: headers["x-total-count"], ids: items.map(({ id }) => id) }
          }
          expect(await look(webhooks)).toEqual({ total: "52", ids: ids.slice(0, 50) })
          expect(await look(`${webhooks}?limit=1`)).toEqual({ total: "52", ids: ids.slice(0, 1) })
          expect(await look(`${webhooks}/?limit=200`)).toEqual({ total: "52", ids })
          expect(await look(`${webhooks}?limit=2&offset=49`)).toEqual({ total: "52", ids: ids.slice(49, 51) })
          expect(await look(`${webhooks}?offset=1000000`)).toEqual({ total: "52", ids: [] })

          await Promise.all(Array.from({ length: 51 }, () => other.happens()))
          const log = `${webhooks}/${ids[0]}/deliveries`
          const rows = await look(`${log}?limit=200`)
          expect(rows).toEqual({ total: "51", ids: [...rows.ids].sort().reverse() })
          expect(rows.ids).toHaveLength(51)
          expect((await look(log)).ids).toEqual(rows.ids.slice(0, 50))
          expect((await look(`${log}?limit=1`)).ids).toEqual(rows.ids.slice(0, 1))
          expect(await look(`${log}?limit=2&offset=50`)).toEqual({ total: "51", ids: rows.ids.slice(50) })

          const refused = { limit: ["0", "201", "-1", "1.5", "many", ""], offset: ["-1", "1000001", "1.5", "many", ""] }
          for (const path of [webhooks, log]) {
            for (const [field, values] of Object.entries(refused)) {
              for (const value of values) {
                const { body, status } = await other.ask("GET", `${path}?${field}=${value}`)
                expect(status, `${path}?${field}=${value}`).toBe(422)
                expect(body.detail).toMatchObject([{ loc: ["query", field] }])
              }
            }
          }
        }))
    })

    describe("addresses", () => {
      // Verifies: E-17, W-6, W-49, W-109, W-110, W-113, W-114, W-130.
      it("refuses a URL that must not be called, with the reason in a sentence: 400", async () => {
        const made = await make()
        world.endpoints.moods.set("inside.example.com", { _tag: "Inside" })
        for (const [url, why] of [
          ["http://example.com/hooks", /^Only https:\/\//],
          ["ftp://example.com/hooks", /^Only https:\/\//],
          ["example.com/hooks", /cannot be read/],
          ["https://ada:secret@example.com", /user name or password/],
          ["https://example.com:0", /^Port 0/],
          ["https://localhost/hooks", /\.localhost, \.local or \.internal/],
          ["https://printer.local", /\.localhost, \.local or \.internal/],
          ["https://example.com./", /ends in a dot/],
          ["https://127.0.0.1/hooks", /public addresses/],
          ["https://0x7f.1/hooks", /public addresses/],
          ["https://10.0.0.7", /public addresses/],
          ["https://100.64.0.1", /public addresses/],
          ["https://169.254.169.254/latest", /public addresses/],
          ["https://192.168.1.1", /public addresses/],
          ["https://[::1]/", /public addresses/],
          ["https://[::ffff:10.0.0.7]/", /public addresses/],
          ["https://[fe80::1]/", /public addresses/],
          ["https://inside.example.com/hooks", /public addresses/]
        ] as const) {
          for (const answer of [
            await ask("POST", webhooks, { url, events: [alert] }),
            await ask("PUT", pathOf(made), { url, is_active: false })
          ]) {
            expect(answer.status, url).toBe(400)
            expect(answer.body, url).toEqual({ detail: expect.stringMatching(why) })
            expect(answer.text, url).not.toContain("10.0.0.7")
          }
        }
        expect((await ask("GET", pathOf(made))).body).toMatchObject({ url: made.url, is_active: true })
      })

      // Verifies: E-22.
      it("accepts a URL whose name does not resolve yet", async () => {
        const url = world.endpoint({ _tag: "Unknown" })
        const { body, status } = await ask("POST", webhooks, { url, events: [alert] })
        expect(status).toBe(201)
        expect((await ask("PUT", pathOf(body), { url })).status).toBe(200)
      })

      // Verifies: E-20, E-21.
      it("lets the operator exempt a network, plain http included, and opens no other", () =>
        within({ webhooks: { allowNetworks: ["10.0.0.0/24", "127.0.0.0/8"] } }, async (other) => {
          other.endpoints.moods.set("inside.example.com", { _tag: "Inside" })
          for (const [url, status] of [
            ["http://127.0.0.1:9999/hooks", 201],
            ["https://10.0.0.7/hooks", 201],
            ["http://inside.example.com/hooks", 201],
            ["http://outside.example.com/hooks", 400],
            ["https://10.0.1.7/hooks", 400],
            ["http://ada@127.0.0.1:9999/hooks", 400],
            ["http://localhost:9999/hooks", 400]
          ] as const) {
            const answer = await other.ask("POST", webhooks, { url, events: [alert] })
            expect(answer.status, url).toBe(status)
          }
        }))

      // Verifies: E-20.
      it("calls an internal name in exempt networks alone, and refuses one that does not resolve", () =>
        within({ webhooks: { allowNetworks: ["10.0.0.0/24"] } }, async (other) => {
          other.endpoints.moods.set("hooks.default.svc.cluster.local", { _tag: "Inside" })
          other.endpoints.moods.set("gone.internal", { _tag: "Unknown" })
          for (const [url, status] of [
            ["http://hooks.default.svc.cluster.local/hooks", 201],
            ["https://outside.internal/hooks", 400],
            ["https://gone.internal/hooks", 400],
            ["http://gone.internal/hooks", 400]
          ] as const) {
            const { body, ...answer } = await other.ask("POST", webhooks, { url, events: [alert] })
            expect(answer.status, url).toBe(status)
            if (status === 400) {
              expect(body.detail, url).toMatch(/\.localhost, \.local or \.internal .*\(webhooks\.allow_networks\)/)
            }
          }
        }))
    })

    describe("ownership and permissions", () => {
      // Verifies: E-3, E-14, W-133.
      it("finds no subscription of another account, and none of emails: 404", async () => {
        const mine = String((await make()).id)
        const ofEmails = await ask("POST", emailWebhooks, { url: world.endpoint() })
        const removed = await make()
        expect((await ask("DELETE", pathOf(removed))).status).toBe(204)
        for (const [id, key] of [
          [nobody, world.key],
          [mine, world.stranger],
          [String((ofEmails.body.webhook as Fields).id), world.key],
          [String(removed.id), world.key]
        ] as const) {
          for (const [method, path, json] of routesOf(id)) {
            const answer = await world.send(method, path, { key, ...(json === undefined ? {} : { json }) })
            expect(answer.status, `${method} ${path}`).toBe(404)
            expect(answer.body, `${method} ${path}`).toEqual(noWebhook)
          }
        }
        expect((await world.send("GET", webhooks, { key: world.stranger })).items).toEqual([])
        expect((await ask("GET", `${webhooks}/${mine.toUpperCase()}`)).body.is_active).toBe(true)
      })

      // Verifies: E-14, W-134.
      it("finds no delivery of another subscription: 404", async () => {
        const [mine, other] = [await make(), await make()]
        await world.happens()
        const [row] = await world.ended(`${pathOf(other)}/deliveries`)
        for (const id of [nobody, row!.id]) {
          const path = `${pathOf(mine)}/deliveries/${id}`
          expect(await ask("GET", path)).toMatchObject({ status: 404, body: noDelivery })
          expect(await ask("POST", `${path}/replay`)).toMatchObject({ status: 404, body: noDelivery })
        }
      })

      // Verifies: E-14, W-46, W-135.
      it("finds no agent of another account: 404", async () => {
        const mine = pathOf(await make())
        const theirs = await world.send("POST", "/api/v1/bots", { key: world.stranger, json: { name: "Theirs" } })
        for (const bot_id of [nobody, theirs.body.id]) {
          const created = await ask("POST", webhooks, { url: world.endpoint(), events: [alert], bot_id })
          expect(created).toMatchObject({ status: 404, body: noAgent })
          expect(await ask("PUT", mine, { bot_id, is_active: false })).toMatchObject({ status: 404, body: noAgent })
        }
        expect((await ask("GET", mine)).body).toMatchObject({ bot_id: null, is_active: true })
      })

      // Verifies: W-138.
      it("refuses an id that is no UUID: 422", async () => {
        for (const [method, path, json] of routesOf("no-uuid")) {
          const { body, status } = await ask(method, path, json)
          expect(status, `${method} ${path}`).toBe(422)
          expect(body.detail, `${method} ${path}`).toMatchObject([{ loc: ["path", "webhook_id"] }])
        }
        const log = `${webhooks}/${nobody}/deliveries/no-uuid`
        expect((await ask("GET", log)).body.detail).toMatchObject([{ loc: ["path", "delivery_id"] }])
        expect((await ask("POST", `${log}/replay`)).body.detail).toMatchObject([{ loc: ["path", "delivery_id"] }])
      })

      // Verifies: E-14, W-78, W-79, W-80, W-132.
      it("is for owners and admins, and for keys with webhooks:write, also for reading: 403", async () => {
        const { id } = await make()
        const every = [
          ["GET", `${webhooks}/events`, undefined],
          ["GET", webhooks, undefined],
          ["POST", webhooks, { url: world.endpoint(), events: [alert] }],
          ...routesOf(String(id))
        ] as const
        for (const role of ["member", "viewer", "read_only", "owners", "something else"]) {
          const key = await world.person(role)
          for (const [method, path, json] of every) {
            const answer = await world.send(method, path, { key, ...(json === undefined ? {} : { json }) })
            expect(answer, `${role} ${method} ${path}`).toMatchObject({ status: 403, body: { detail: managers } })
          }
        }
        const lacks = await world.keyWith("campaigns:write", "email:write", "messaging:write")
        expect((await world.send("GET", webhooks, { key: lacks })).body).toEqual({
          detail: "This API key lacks the scope webhooks:write. Use a key that has it."
        })
        for (const key of [
          await world.person("owner"),
          await world.person("OWNER"),
          await world.person("admin"),
          await world.keyWith("webhooks:write")
        ]) {
          for (const [method, path] of [
            ["GET", webhooks],
            ["GET", `${webhooks}/${id}`],
            ["POST", `${webhooks}/${id}/test`]
          ] as const) {
            expect((await world.send(method, path, { key })).status, `${method} ${path}`).toBe(200)
          }
        }
      })

      it("reports the first fault, in the order account, role or scope, schema, ownership, address, state", async () => {
        const { admin } = world.core
        const { id } = await admin.createAccount({ name: "Judged" })
        const everything = (await admin.createKey(id)).text
        const nothing = (await admin.createKey(id, { scopes: ["campaigns:read"] })).text
        const put = async (key: string | undefined, path: string, json: unknown) =>
          (await world.send("PUT", `${webhooks}/${path}`, key === undefined ? { json } : { key, json })).status
        const wrong = { url: "" }
        const refused = { url: "https://10.0.0.7" }
        const taken = { url: world.endpoint() }

        expect(await put(undefined, "no-uuid", wrong)).toBe(401)
        await admin.changeAccount(id, { status: "inactive" })
        const inactive = await world.send("PUT", `${webhooks}/no-uuid`, { key: nothing, json: wrong })
        expect(inactive).toMatchObject({ status: 403, body: { detail: expect.stringContaining("inactive") } })
        await admin.changeAccount(id, { status: "active" })
        expect(await put(nothing, "no-uuid", wrong)).toBe(403)
        expect(await put(everything, "no-uuid", refused)).toBe(422)
        expect(await put(everything, nobody, wrong)).toBe(422)
        expect(await put(everything, nobody, refused)).toBe(404)
        const own = await world.send("POST", webhooks, { key: everything, json: { ...taken, events: [alert] } })
        expect(await put(everything, String(own.body.id), refused)).toBe(400)
        expect(await put(everything, String(own.body.id), { ...taken, is_active: false })).toBe(200)
        const replay = `${webhooks}/${own.body.id}/deliveries/${nobody}/replay`
        expect((await world.send("POST", replay, { key: everything })).status).toBe(404)
      })
    })

    describe("deliveries", () => {
      // Verifies: E-6, E-30, E-31, E-44, W-1, W-9, W-13, W-15, W-16, W-17, W-18, W-19, W-57, W-83, W-87, W-93, W-94, W-95, W-96, W-97, W-106.
      it("delivers the events of a subscription, signed over the sent bytes, and logs them", async () => {
        const made = await make()
        const data = await world.happens()
        await world.happens("credits.low")
        const log = `${pathOf(made)}/deliveries`
        const [row] = await world.ended(log)
        expect(row).toEqual({
          id: expect.stringMatching(uuid),
          webhook_id: made.id,
          event: alert,
          status: "delivered",
          status_code: 200,
          attempts: 1,
          success: true,
          error: null,
          created_at: expect.stringMatching(utc),
          delivered_at: expect.stringMatching(utc),
          next_attempt_at: null
        })
        const [post, ...others] = world.postsTo(made.url)
        expect(others).toEqual([])
        const payload = JSON.parse(post!.body)
        expect(payload).toEqual({
          event: alert,
          data,
          timestamp: String(row!.created_at).replace("Z", "+00:00")
        })
        expect(post!.headers).toEqual({
          "Content-Type": "application/json",
          "User-Agent": "webhooks/1",
          "X-Service-Event": alert,
          "X-Service-Delivery": row!.id,
          "X-Service-Signature": signatureOf(post!.body, made.secret),
          "webhook-id": row!.id,
          "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
          "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/)
        })
        expect((await ask("GET", `${log}/${row!.id}`)).body).toEqual({ ...row, payload })
      })

      // Verifies: E-26, W-14, W-15, W-16, W-17, W-18, W-100, W-103, W-112.
      it("logs a failed attempt with its status, or with the reason why there is none, and makes five attempts", async () => {
        const refusing = await make({ url: world.endpoint({ _tag: "Answers", status: 500 }) })
        const dead = await make({ url: world.endpoint({ _tag: "Refuses" }) })
        const inside = await make()
        world.endpoints.moods.set(new URL(String(inside.url)).hostname, { _tag: "Inside" })
        await world.happens()
        for (const [made, status_code, error, posts] of [
          [refusing, 500, /500/, 5],
          [dead, null, /\w/, 5],
          [inside, null, /public addresses/, 0]
        ] as const) {
          const [row] = await world.ended(`${pathOf(made)}/deliveries`)
          expect(row).toMatchObject({ status_code, attempts: 5, success: false, delivered_at: null })
          expect(row!.error).toMatch(error)
          expect(row!.error).not.toContain("10.0.0.7")
          expect(world.postsTo(made.url)).toHaveLength(posts)
          expect((await ask("GET", pathOf(made))).body.failing_since).toMatch(utc)
        }
      })

      // Verifies: E-65, B-712.
      it("lists pending deliveries with the instant of their next attempt, and failed ones, separately", async () => {
        const made = await make({ url: world.endpoint({ _tag: "Answers", status: 500 }), retry_schedule: "long" })
        const log = `${pathOf(made)}/deliveries`
        await world.happens()
        // After the short waits the long schedule waits for minutes, of which one passes in 0.6 s.
        const waiting = await until(async () => {
          const [row] = (await ask("GET", `${log}?status=pending`)).items
          return row !== undefined && Number(row.attempts) >= 5 && row.next_attempt_at !== null ? row : undefined
        })
        expect(waiting.next_attempt_at).toMatch(utc)
        expect(Date.parse(String(waiting.next_attempt_at))).toBeGreaterThan(
          Date.parse(String(waiting.created_at)) + 60_000
        )
        expect((await ask("GET", `${log}?status=failed`)).items).toEqual([])

        const failing = await make({ url: world.endpoint({ _tag: "Answers", status: 500 }) })
        await world.happens()
        const [failed] = await world.ended(`${pathOf(failing)}/deliveries`)
        world.endpoints.moods.delete(new URL(String(failing.url)).hostname)
        await world.happens()
        await world.ended(`${pathOf(failing)}/deliveries`, 2)
        const answer = await ask("GET", `${pathOf(failing)}/deliveries?status=failed`)
        expect(answer.items).toEqual([failed])
        expect(answer.headers["x-total-count"]).toBe("1")
        const next = await ask("GET", `${pathOf(failing)}/deliveries?status=failed&offset=1`)
        expect([next.headers["x-total-count"], next.items]).toEqual(["1", []])
        expect((await ask("GET", `${pathOf(failing)}/deliveries?status=pending`)).items).toEqual([])
        const { deliveries } = world.core.webhooks
        expect(await deliveries(world.account, String(failing.id), { status: "failed" })).toMatchObject({
          items: [{ id: failed!.id, nextAttemptAt: null }],
          total: 1
        })
        const accepted = await ask("GET", `${pathOf(failing)}/deliveries?status=delivered`)
        expect([accepted.headers["x-total-count"], accepted.items.map(({ status }) => status)]).toEqual([
          ...["1", ["delivered"]]
        ])
        const { event } = failed!
        const ofEvent = await ask("GET", `${pathOf(failing)}/deliveries?event=${event}&status=failed`)
        expect([ofEvent.headers["x-total-count"], ofEvent.items]).toEqual(["1", [failed]])
        const ofOther = await ask("GET", `${pathOf(failing)}/deliveries?event=call.started`)
        expect([ofOther.headers["x-total-count"], ofOther.items]).toEqual(["0", []])
        expect((await ask("GET", `${pathOf(failing)}/deliveries?event=anything`)).status).toBe(422)
        const refused = await ask("GET", `${pathOf(failing)}/deliveries?status=sent`)
        expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ["query", "status"] }] } })
      })

      // Verifies: W-19, W-56, W-57.
      it("shows payloads in the detail of a delivery alone", async () => {
        const made = await make()
        const data = await world.happens()
        const log = `${pathOf(made)}/deliveries`
        const [row] = await world.ended(log)
        expect(row).not.toHaveProperty("payload")
        const { body } = await ask("GET", `${log}/${row!.id}`)
        expect((body.payload as Fields).data).toEqual(data)
      })

      // Verifies: E-9, E-44, W-11.
      it("delivers events of one agent to a subscription of that agent, and events of all to one of the workspace", async () => {
        const [bot_id, other] = [String(await anAgent()), String(await anAgent())]
        const [scoped, wide] = [await make({ bot_id }), await make()]
        const [about, ,] = [
          await world.happens(alert, bot_id),
          await world.happens(alert, other),
          await world.happens()
        ]
        await world.ended(`${pathOf(wide)}/deliveries`, 3)
        await world.ended(`${pathOf(scoped)}/deliveries`)
        expect(world.postsTo(wide.url)).toHaveLength(3)
        expect(world.postsTo(scoped.url).map(({ body }) => JSON.parse(body).data)).toEqual([about])
      })

      // Verifies: W-128.
      it("answers the request that led to an event before its delivery has ended", async () => {
        // No attempt ends before the test does.
        const slow = await openWebhookWorld(start, storage, { webhooks: { timeoutMs: 3_600_000 } })
        try {
          const { body: made } = await slow.ask("POST", webhooks, {
            url: slow.endpoint({ _tag: "Hangs" }),
            events: ["campaign.started"]
          })
          const { body: campaign } = await slow.ask("POST", campaigns, { name: "Autumn" })
          for (const status of ["scheduled", "running"]) {
            const moved = await slow.ask("POST", `${campaigns}/${campaign.id}/status`, { status })
            expect(moved).toMatchObject({ status: 200, body: { status } })
          }
          await until(async () => (slow.endpoints.hanging > 0 ? true : undefined))
          const { items } = await slow.core.webhooks.deliveries(slow.account, String(made.id))
          expect(items).toMatchObject([{ event: "campaign.started", status: "pending", attempts: 1 }])
        } finally {
          await slow.close()
        }
      })

      // Verifies: E-11, W-10, W-40, W-41.
      it("makes no deliveries for a paused subscription", async () => {
        const made = await make()
        await ask("PUT", pathOf(made), { is_active: false })
        await world.happens()
        await ask("PUT", pathOf(made), { is_active: true })
        const data = await world.happens()
        await world.ended(`${pathOf(made)}/deliveries`)
        expect(world.postsTo(made.url).map(({ body }) => JSON.parse(body).data)).toEqual([data])
      })
    })

    describe("tests of an endpoint", () => {
      // Verifies: W-55, W-63, W-64, W-65, W-68, W-105.
      it("tests an endpoint with one signed POST, and returns the result", async () => {
        const made = await make({ events: ["credits.low"] })
        const { body, status } = await ask("POST", `${pathOf(made)}/test`)
        expect(status).toBe(200)
        expect(body).toEqual({ success: true, status_code: 200, latency_ms: expect.any(Number), error: null })
        const [post, ...others] = world.postsTo(made.url)
        expect(others).toEqual([])
        expect(JSON.parse(post!.body)).toEqual({
          event: "test",
          data: { message: expect.stringMatching(/test/) },
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
        })
        expect(post!.headers).toMatchObject({
          "X-Service-Event": "test",
          "X-Service-Delivery": expect.stringMatching(uuid),
          "X-Service-Signature": signatureOf(post!.body, made.secret)
        })
        expect((await ask("GET", `${pathOf(made)}/deliveries`)).items).toEqual([])
      })

      // Verifies: E-22, E-25, W-65, W-66, W-67, W-68, W-151.
      it("answers 200 when a test fails, makes one attempt, and logs nothing", async () => {
        for (const [mood, status_code, error, posts] of [
          [{ _tag: "Answers", status: 204 }, 204, null, 1],
          [{ _tag: "Answers", status: 302 }, 302, /302/, 1],
          [{ _tag: "Answers", status: 500 }, 500, /500/, 1],
          [{ _tag: "Refuses" }, null, /refused/, 1],
          [{ _tag: "Unknown" }, null, /name/, 0],
          [{ _tag: "Hangs" }, null, /within 10 seconds/, 1]
        ] as const) {
          const made = await make({ url: world.endpoint(mood), events: ["credits.low"] })
          const { body, status } = await ask("POST", `${pathOf(made)}/test`)
          expect(status, mood._tag).toBe(200)
          expect(body, mood._tag).toEqual({
            success: error === null,
            status_code,
            latency_ms: expect.any(Number),
            error: error === null ? null : expect.stringMatching(error)
          })
          // A timer of the machine may be a millisecond early, which is a hundred here.
          if (mood._tag === "Hangs") expect(body.latency_ms).toBeGreaterThanOrEqual(9_800)
          expect(world.postsTo(made.url), mood._tag).toHaveLength(posts)
          expect((await ask("GET", `${pathOf(made)}/deliveries`)).items).toEqual([])
        }
      })

      // Verifies: E-13, W-62, W-111.
      it("does not test a stored URL that must not be called any more: 400", async () => {
        const made = await make()
        world.endpoints.moods.set(new URL(String(made.url)).hostname, { _tag: "Inside" })
        const { body, status } = await ask("POST", `${pathOf(made)}/test`)
        expect(status).toBe(400)
        expect(body).toEqual({ detail: expect.stringMatching(/public addresses/) })
        expect(world.postsTo(made.url)).toEqual([])
      })

      // Verifies: E-32, W-104, W-105.
      it("writes to a team chat in the chat's own form, signed like every other", async () => {
        const made = await make({ url: "https://hooks.slack.com/services/T0/B0/x", events: ["credits.low"] })
        expect((await ask("POST", `${pathOf(made)}/test`)).body.success).toBe(true)
        const [post] = world.postsTo(made.url)
        expect(JSON.parse(post!.body)).toMatchObject({ text: expect.any(String), blocks: expect.any(Array) })
        expect(post!.headers["X-Service-Signature"]).toBe(signatureOf(post!.body, made.secret))
      })
    })

    describe("replay, rotation and removal", () => {
      // Verifies: E-15, E-27, W-1, W-58, W-59, W-60, W-61.
      it("replays a delivery as a new one, to the present URL with the present secret: 202", async () => {
        const made = await make()
        await world.happens()
        const log = `${pathOf(made)}/deliveries`
        const [original] = await world.ended(log)
        const [first] = world.postsTo(made.url)
        const url = world.endpoint()
        await ask("PUT", pathOf(made), { url })
        const { secret } = (await ask("POST", `${pathOf(made)}/rotate-secret`, { overlap_seconds: 0 })).body

        const key = await world.person("admin")
        const { body, status } = await world.send("POST", `${log}/${original!.id}/replay`, { key })
        expect(status).toBe(202)
        expect(body).toEqual({ delivery_id: expect.stringMatching(uuid), status: "queued" })
        expect(body.delivery_id).not.toBe(original!.id)
        expect(await world.audited()).toMatchObject({
          actor: "user:ada",
          action: "webhook.delivery.replay",
          targetId: original!.id
        })
        const [again, before] = await world.ended(log, 2)
        expect(before).toEqual(original)
        expect(again).toMatchObject({ id: body.delivery_id, event: alert, attempts: 1, success: true })
        const [post] = world.postsTo(url)
        expect(post!.body).toBe(first!.body)
        expect(post!.headers["X-Service-Delivery"]).toBe(body.delivery_id)
        expect(post!.headers["X-Service-Signature"]).toBe(signatureOf(first!.body, secret))
      })

      // Verifies: W-42, W-131.
      it("replays nothing to a paused subscription: 400", async () => {
        const made = await make()
        await world.happens()
        const log = `${pathOf(made)}/deliveries`
        const [row] = await world.ended(log)
        await ask("PUT", pathOf(made), { is_active: false })
        const replay = `${log}/${row!.id}/replay`
        expect(await ask("POST", replay)).toMatchObject({ status: 400, body: paused })
        const recover = await ask("POST", `${pathOf(made)}/recover`, { since: "2026-01-01T00:00:00Z" })
        expect(recover).toMatchObject({ status: 400, body: paused })
        expect((await ask("GET", log)).items).toEqual([row])
        await ask("PUT", pathOf(made), { is_active: true })
        expect((await ask("POST", replay)).status).toBe(202)
      })

      // Verifies: E-56.
      it("recovers deliveries that have failed since an instant, and no others: 202", async () => {
        const made = await make()
        const host = new URL(String(made.url)).hostname
        const log = `${pathOf(made)}/deliveries`
        const recover = (since: unknown) => ask("POST", `${pathOf(made)}/recover`, { since })
        await world.happens()
        await world.ended(log, 1)
        world.endpoints.moods.set(host, { _tag: "Answers", status: 503 })
        for (const count of [2, 3]) {
          await world.happens()
          await world.ended(log, count)
        }
        world.endpoints.moods.delete(host)
        const [second, first, delivered] = (await ask("GET", log)).items

        expect(await recover("2030-01-01T00:00:00Z")).toMatchObject({ status: 202, body: { queued: 0 } })
        expect((await recover(second!.created_at)).body).toEqual({ queued: 1 })
        expect(await world.audited()).toMatchObject({ action: "webhook.recover", targetId: made.id })
        expect(await world.ended(log, 4)).toMatchObject([{ success: true, attempts: 1 }, second!, first!, delivered!])
        expect((await recover("2026-01-01T00:00:00")).body).toEqual({ queued: 2 })
        const rows = await world.ended(log, 6)
        expect(rows).toHaveLength(6)
        const bodies = world.postsTo(made.url).map(({ body }) => body)
        expect(bodies.slice(-2)).toEqual([bodies[1], bodies.at(-3)])
        expect((await ask("GET", pathOf(made))).body.failing_since).toBeNull()
      })

      // Verifies: E-55.
      it("rotates the secret and returns the new one once; both sign until the old one expires", async () => {
        const made = await make()
        const path = pathOf(made)
        const { body, status } = await ask("POST", `${path}/rotate-secret`, { overlap_seconds: 600 })
        expect(status).toBe(200)
        expect(body).toEqual({
          ...made,
          secret: expect.stringMatching(secretText),
          previous_secret_until: expect.stringMatching(utc)
        })
        expect(body.secret).not.toBe(made.secret)
        expect((await ask("GET", path)).body).toEqual({ ...body, secret: mask(body.secret) })
        expect(await world.audited()).toMatchObject({ action: "webhook.rotate_secret", targetId: made.id })

        await ask("POST", `${path}/test`)
        const [post] = world.postsTo(made.url)
        expect(post!.headers).toMatchObject({
          "X-Service-Signature": signatureOf(post!.body, made.secret),
          "X-Service-Signature-Next": signatureOf(post!.body, body.secret),
          "webhook-signature": expect.stringMatching(/^v1,\S{44} v1,\S{44}$/)
        })

        const day = (await ask("POST", `${path}/rotate-secret`, {})).body
        const left = Date.parse(String(day.previous_secret_until)) - Date.parse(String(body.created_at))
        expect(left / 86_400_000).toBeCloseTo(1, 1)

        const hard = (await ask("POST", `${path}/rotate-secret`, { overlap_seconds: 0 })).body
        expect(hard.previous_secret_until).toBeNull()
        await ask("POST", `${path}/test`)
        const last = world.postsTo(made.url)[1]!
        expect(last.headers["X-Service-Signature"]).toBe(signatureOf(last.body, hard.secret))
        expect(last.headers).not.toHaveProperty("X-Service-Signature-Next")
      })

      // Verifies: E-15, W-53, W-54.
      it("removes a subscription with its log, and records it in the audit log: 204", async () => {
        const made = await make()
        await world.happens()
        const log = `${pathOf(made)}/deliveries`
        const [row] = await world.ended(log)
        const answer = await world.send("DELETE", pathOf(made), { key: await world.person("owner") })
        expect(answer).toMatchObject({ status: 204, text: "" })
        expect(await world.audited()).toMatchObject({ actor: "user:ada", action: "webhook.delete", targetId: made.id })
        for (const path of [pathOf(made), log, `${log}/${row!.id}`]) {
          expect(await ask("GET", path)).toMatchObject({ status: 404, body: noWebhook })
        }
        expect((await ask("GET", `${webhooks}?limit=200`)).items.map(({ id }) => id)).not.toContain(made.id)
        await world.happens()
        await world.happens("credits.low")
        expect(world.postsTo(made.url)).toHaveLength(1)
      })
    })
  })
