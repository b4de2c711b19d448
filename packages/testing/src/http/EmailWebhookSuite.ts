/** Webhooks of email events, and the list of addresses that mail must not be sent to, as a caller of the API sees them. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Fields } from "./HttpClient.ts"
import { nobody, type Start } from "./HttpWorld.ts"
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
  "email.bounced",
  "email.complained",
  "email.sent",
  "email.delivered",
  "email.opened",
  "email.received"
]

const deliveries = `${emailWebhooks}/deliveries`
const suppressions = "/api/v1/email/suppressions"
const noWebhook = { detail: "Webhook not found" }
const noEntry = { detail: "Entry not found" }

/** A report of the host, and its fields as a webhook shows them. */
const complaint = {
  emailId: "018f0000-0000-7000-8000-000000000001",
  messageId: "<1@example.com>",
  recipient: "Ada@Example.com",
  detail: "marked as spam",
  domain: "example.com"
}
const { emailId: email_id, messageId: message_id, ...sameNames } = complaint
const shownComplaint = { email_id, message_id, ...sameNames }

export const emailWebhookSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`email webhooks through ${name}`, () => {
    let world: WebhookWorld
    beforeAll(async () => {
      world = await openWebhookWorld(start, storage)
    })
    afterAll(() => world.close())

    const within = async (use: (other: WebhookWorld) => Promise<void>) => {
      const other = await openWebhookWorld(start, storage)
      try {
        await use(other)
      } finally {
        await other.close()
      }
    }

    /** The caps are of an account, so a test that makes subscriptions has one of its own. */
    const make = async (at: WebhookWorld, fields: object = {}): Promise<Fields & { readonly secret: string }> => {
      const { body, status } = await at.ask("POST", emailWebhooks, { url: at.endpoint(), ...fields })
      expect(status, JSON.stringify(body)).toBe(201)
      return { ...(body.webhook as Fields), secret: String(body.secret) }
    }

    const bounce = (at: WebhookWorld, recipient: string, fields: object = {}) =>
      at.core.email.report(at.account, { type: "email.bounced", recipient, ...fields })

    const pathOf = ({ id }: Fields) => `${emailWebhooks}/${id}`
    const totalOf = ({ headers }: Answer) => headers["x-total-count"]

    describe("subscriptions", () => {
      // Verifies: E-5, E-7, W-20, W-21, W-23, W-24, W-26, W-69, W-71, W-72, W-75.
      it("creates a subscription and returns its secret once; later answers show its first ten characters", () =>
        within(async (other) => {
          const url = other.endpoint()
          const { body, status } = await other.ask("POST", emailWebhooks, {
            url,
            description: "for the CRM",
            events: ["email.bounced", "email.opened", "email.bounced"]
          })
          expect(status).toBe(201)
          const webhook = {
            id: expect.stringMatching(uuid),
            url,
            description: "for the CRM",
            events: ["email.bounced", "email.opened"],
            secret_prefix: String(body.secret).slice(0, 10),
            is_active: true,
            created_at: expect.stringMatching(utc)
          }
          expect(body).toEqual({ webhook, secret: expect.stringMatching(secretText) })
          expect((await other.ask("GET", emailWebhooks)).items).toEqual([body.webhook])
          const changed = await other.ask("PATCH", pathOf(body.webhook as Fields), { is_active: true })
          expect(changed.body).toEqual(body.webhook)
        }))

      // Verifies: E-43, W-22, W-23, W-70, W-117.
      it("gets every event when none is named: null", () =>
        within(async (other) => {
          for (const fields of [{}, { events: [] }, { events: null, description: null }, { description: "" }]) {
            expect((await make(other, fields)).events, JSON.stringify(fields)).toBeNull()
          }
          expect((await make(other, { events: catalogue })).events).toEqual(catalogue)
          expect((await other.ask("GET", emailWebhooks)).items.map(({ description }) => description)).toEqual([
            null,
            "",
            null,
            null,
            null
          ])
        }))

      // Verifies: W-144.
      it("refuses an event that it does not know, and lists those that it does: 422", async () => {
        for (const unknown of ["email.forwarded", "campaign.started", ""]) {
          const { body, status } = await world.ask("POST", emailWebhooks, {
            url: world.endpoint(),
            events: ["email.bounced", unknown]
          })
          expect(status).toBe(422)
          const [fault, ...others] = body.detail as ReadonlyArray<Fields>
          expect(others).toEqual([])
          expect(fault).toMatchObject({
            loc: ["body", "events", 1],
            msg: expect.stringContaining(catalogue.join(", "))
          })
        }
      })

      // Verifies: W-22, W-69, W-146, W-153.
      it("accepts texts up to their maximum lengths, and refuses longer ones: 422", () =>
        within(async (other) => {
          const longest = `${other.endpoint()}/${"x".repeat(2048)}`.slice(0, 2048)
          const description = "ü".repeat(255)
          expect(await make(other, { url: longest, description })).toMatchObject({ url: longest, description })
          for (const [field, value] of [
            ["url", `${longest}x`],
            ["url", ""],
            ["url", null],
            ["description", `${description}ü`],
            ["events", "email.bounced"]
          ] as const) {
            const { body, status } = await other.ask("POST", emailWebhooks, { url: longest, [field]: value })
            expect(status, field).toBe(422)
            expect(body.detail, field).toMatchObject([{ loc: ["body", field] }])
          }
          expect((await other.ask("POST", emailWebhooks, {})).body.detail).toMatchObject([
            { loc: ["body", "url"], type: "missing" }
          ])
        }))

      // Verifies: E-17, E-37, W-69, W-109, W-142, W-145.
      it("accepts http and https, and refuses a URL that must not be called with a reason: 422", () =>
        within(async (other) => {
          other.endpoints.moods.set("inside.example.com", { _tag: "Inside" })
          for (const url of ["http://example.com/hooks", "https://example.com/hooks", "http://93.184.216.34:8080"]) {
            expect((await make(other, { url })).url).toBe(url)
          }
          for (const [url, why] of [
            ["ftp://example.com", /^Only http:\/\/ and https:\/\//],
            ["example.com", /cannot be read/],
            ["http://ada:secret@example.com", /user name or password/],
            ["http://localhost:3000", /\.localhost/],
            ["http://127.0.0.1", /public addresses/],
            ["http://[::1]:3000", /public addresses/],
            ["http://169.254.169.254/latest", /public addresses/],
            ["http://inside.example.com", /public addresses/]
          ] as const) {
            const { body, status, text } = await other.ask("POST", emailWebhooks, { url })
            expect(status, url).toBe(422)
            expect(body, url).toEqual({
              detail: { reason: "webhook_url_forbidden", error: expect.stringMatching(why) }
            })
            expect(text).not.toContain("10.0.0.7")
          }
          expect(totalOf(await other.ask("GET", emailWebhooks))).toBe("3")
        }))

      // Verifies: E-37, W-73, W-143, W-145, W-152.
      it("accepts 20 subscriptions of an account, lists the newest first, and refuses one more with a reason: 422", () =>
        within(async (other) => {
          const made = []
          for (let nth = 0; nth < 20; nth++) made.unshift((await make(other)).id)
          const { body, status } = await other.ask("POST", emailWebhooks, { url: other.endpoint() })
          expect(status).toBe(422)
          expect(body).toEqual({ detail: { reason: "too_many_webhooks", error: expect.stringContaining("20") } })

          const listed = await other.ask("GET", emailWebhooks)
          expect(totalOf(listed)).toBe("20")
          expect(listed.items.map(({ id }) => id)).toEqual(made)

          // Of this account and of this kind alone.
          const json = { url: other.endpoint() }
          expect((await other.send("POST", emailWebhooks, { key: other.stranger, json })).status).toBe(201)
          expect((await other.ask("POST", webhooks, { ...json, events: ["credits.low"] })).status).toBe(201)
          expect((await other.ask("DELETE", `${emailWebhooks}/${made[0]}`)).status).toBe(204)
          await make(other)
        }))

      // Verifies: W-152.
      it("lets only one of two concurrent requests create the last subscription", () =>
        within(async (other) => {
          for (let nth = 0; nth < 19; nth++) await make(other)
          const answers = await Promise.all(
            Array.from({ length: 5 }, () => other.ask("POST", emailWebhooks, { url: other.endpoint() }))
          )
          expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
        }))

      // Verifies: E-11, W-25, W-40, W-41, W-75, W-77.
      it("is turned off and on, and keeps its URL, its secret and its log", () =>
        within(async (other) => {
          const { secret, ...made } = await make(other)
          await bounce(other, "ada@example.com")
          const [before] = await other.ended(deliveries)
          const off = await other.ask("PATCH", pathOf(made), { is_active: false })
          expect(off).toMatchObject({ status: 200, body: { ...made, is_active: false } })
          await bounce(other, "grace@example.com")
          expect(
            (await other.ask("PATCH", pathOf(made), { is_active: true, url: "https://else.example" })).body
          ).toEqual(made)
          await bounce(other, "alan@example.com")
          const rows = await other.ended(deliveries, 2)
          expect(rows[1]).toEqual(before)
          const posts = other.postsTo(made.url)
          expect(posts.map(({ body }) => JSON.parse(body).data.recipient)).toEqual([
            "ada@example.com",
            "alan@example.com"
          ])
          expect(posts[1]!.headers["X-Service-Signature"]).toBe(signatureOf(posts[1]!.body, secret))
          for (const json of [{}, { is_active: null }, { is_active: "yes" }]) {
            const { body, status } = await other.ask("PATCH", pathOf(made), json)
            expect(status).toBe(422)
            expect(body.detail).toMatchObject([{ loc: ["body", "is_active"] }])
          }
        }))
    })

    describe("deliveries and their log", () => {
      // Verifies: E-30, E-45, W-2, W-27, W-28, W-29, W-30, W-33, W-34, W-35, W-37, W-106, W-116, W-119, W-120, W-121, W-122.
      it("delivers the events of a subscription in the form of emails, signed, and logs them", () =>
        within(async (other) => {
          const made = await make(other, { events: ["email.complained"] })
          await bounce(other, "grace@example.com")
          await other.core.email.report(other.account, { type: "email.complained", ...complaint })
          const [row, ...others] = await other.ended(deliveries)
          expect(others).toEqual([])
          expect(row).toEqual({
            id: expect.stringMatching(uuid),
            webhook_id: made.id,
            event: "email.complained",
            send_id: complaint.emailId,
            status: "delivered",
            attempt_count: 1,
            response_code: 200,
            error_detail: null,
            created_at: expect.stringMatching(utc),
            last_attempt_at: expect.stringMatching(utc),
            delivered_at: row!.last_attempt_at
          })
          const [post] = other.postsTo(made.url)
          expect(JSON.parse(post!.body)).toEqual({
            type: "email.complained",
            created_at: row!.created_at,
            data: shownComplaint
          })
          expect(post!.headers).toEqual({
            "Content-Type": "application/json",
            "User-Agent": "webhooks/1",
            "X-Service-Event": "email.complained",
            "X-Service-Delivery": row!.id,
            "X-Service-Signature": signatureOf(post!.body, made.secret)
          })
        }))

      // Verifies: W-29, W-120, W-121.
      it("has null in fields that were not reported", () =>
        within(async (other) => {
          const made = await make(other)
          await bounce(other, "ada@example.com")
          const [row] = await other.ended(deliveries)
          expect(row!.send_id).toBeNull()
          const nothing = { email_id: null, message_id: null, detail: null, domain: null }
          const [post] = other.postsTo(made.url)
          expect(JSON.parse(post!.body).data).toEqual({ ...nothing, recipient: "ada@example.com" })
        }))

      // Verifies: E-25, W-27, W-30, W-31, W-32, W-33, W-35, W-38, W-39, W-112, W-123, W-124, W-126, W-127.
      it("logs deliveries that failed after three attempts, and those that were blocked without an attempt", () =>
        within(async (other) => {
          const failing = await make(other, { url: other.endpoint({ _tag: "Answers", status: 302 }) })
          const dead = await make(other, { url: other.endpoint({ _tag: "Refuses" }) })
          const inside = await make(other)
          other.endpoints.moods.set(new URL(String(inside.url)).hostname, { _tag: "Inside" })
          await bounce(other, "ada@example.com")
          for (const [made, logged, error, posts] of [
            [failing, { status: "failed", attempt_count: 3, response_code: 302 }, /302/, 3],
            [dead, { status: "failed", attempt_count: 3, response_code: null }, /refused/, 3],
            [inside, { status: "blocked", attempt_count: 0, response_code: null }, /public addresses/, 0]
          ] as const) {
            const [row, ...others] = await other.ended(`${deliveries}?webhook_id=${made.id}`)
            expect(others).toEqual([])
            expect(row).toMatchObject({ ...logged, delivered_at: null, last_attempt_at: expect.stringMatching(utc) })
            expect(row!.error_detail).toMatch(error)
            const sent = other.postsTo(made.url).map(({ delivery }) => delivery)
            expect(sent).toEqual(Array.from({ length: posts }, () => row!.id))
          }
        }))

      // Verifies: E-4, W-28, W-74, W-154.
      it("shows the log of all subscriptions or of one, newest first, page by page", () =>
        within(async (other) => {
          const [one, two] = [await make(other), await make(other)]
          for (let nth = 0; nth < 26; nth++) await bounce(other, `a${nth}@example.com`)
          const look = async (query: string) => {
            const answer = await other.ask("GET", `${deliveries}${query}`)
            expect(answer.status, query).toBe(200)
            return { total: totalOf(answer), ids: answer.items.map(({ id }) => id) }
          }
          const all = await look("?limit=200")
          expect(all).toEqual({ total: "52", ids: [...all.ids].sort().reverse() })
          expect(all.ids).toHaveLength(52)
          expect(await look("")).toEqual({ total: "52", ids: all.ids.slice(0, 50) })
          expect(await look("?limit=1&offset=51")).toEqual({ total: "52", ids: all.ids.slice(51) })
          expect(await look("?offset=1000000000")).toEqual({ total: "52", ids: [] })
          for (const { id } of [one, two]) {
            const { items } = await other.ask("GET", `${deliveries}?webhook_id=${id}`)
            expect(items).toHaveLength(26)
            expect(new Set(items.map(({ webhook_id }) => webhook_id))).toEqual(new Set([id]))
          }
          expect(await look(`?webhook_id=${String(one.id).toUpperCase()}&limit=1`)).toMatchObject({ total: "26" })
          for (const [query, field] of [
            ["limit=0", "limit"],
            ["limit=201", "limit"],
            ["offset=-1", "offset"],
            ["offset=many", "offset"],
            ["webhook_id=no-uuid", "webhook_id"]
          ]) {
            const { body, status } = await other.ask("GET", `${deliveries}?${query}`)
            expect(status, query).toBe(422)
            expect(body.detail, query).toMatchObject([{ loc: ["query", field] }])
          }
        }))
    })

    describe("removal, ownership and keys", () => {
      // Verifies: W-76.
      it("removes a subscription with its log, and records it in the audit log: 204", () =>
        within(async (other) => {
          const [made, kept] = [await make(other), await make(other)]
          await bounce(other, "ada@example.com")
          await other.ended(deliveries, 2)
          expect(await other.ask("DELETE", pathOf(made))).toMatchObject({ status: 204, text: "" })
          expect(await other.audited()).toMatchObject({ action: "webhook.delete", targetId: made.id })
          const left = await other.ask("GET", deliveries)
          expect(totalOf(left)).toBe("1")
          expect(left.items).toMatchObject([{ webhook_id: kept.id }])
          expect((await other.ask("GET", emailWebhooks)).items.map(({ id }) => id)).toEqual([kept.id])
          await bounce(other, "ada@example.com")
          await other.ended(deliveries, 2)
          expect(other.postsTo(made.url)).toHaveLength(1)
        }))

      // Verifies: W-141.
      it("finds no subscription of another account, and none of the platform's events: 404", async () => {
        const mine = (await make(world)).id
        const platform = await world.ask("POST", webhooks, { url: world.endpoint(), events: ["credits.low"] })
        for (const [id, key] of [
          [nobody, world.key],
          [platform.body.id, world.key],
          [mine, world.stranger]
        ] as const) {
          for (const [method, path, json] of [
            ["PATCH", `${emailWebhooks}/${id}`, { is_active: false }],
            ["DELETE", `${emailWebhooks}/${id}`, undefined],
            ["GET", `${deliveries}?webhook_id=${id}`, undefined]
          ] as const) {
            const answer = await world.send(method, path, { key, ...(json === undefined ? {} : { json }) })
            expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: noWebhook })
          }
        }
        expect((await world.send("GET", emailWebhooks, { key: world.stranger })).items).toEqual([])
        expect((await world.ask("PATCH", `${emailWebhooks}/no-uuid`, { is_active: true })).body.detail).toMatchObject([
          { loc: ["path", "webhook_id"] }
        ])
        expect((await world.ask("DELETE", `${emailWebhooks}/no-uuid`)).status).toBe(422)
      })

      // Verifies: E-38, W-81, W-82, W-139, W-140.
      it("is read with a read key, and changed with a write key, which may read too", async () => {
        const { id } = await make(world)
        const reading = [emailWebhooks, deliveries, suppressions]
        const writing = [
          ["POST", emailWebhooks, { url: world.endpoint() }],
          ["PATCH", `${emailWebhooks}/${id}`, { is_active: true }],
          ["DELETE", `${emailWebhooks}/${id}`, undefined],
          ["DELETE", `${suppressions}/${nobody}`, undefined]
        ] as const
        for (const path of reading) {
          const answer = await world.send("GET", path)
          expect(answer).toMatchObject({ status: 401, body: { detail: expect.any(String) } })
          expect(answer.headers["www-authenticate"]).toBe("Bearer")
        }
        for (const key of [
          await world.keyWith("email:read"),
          await world.keyWith("email:write"),
          await world.person("member"),
          await world.person("viewer")
        ]) {
          for (const path of reading) expect((await world.send("GET", path, { key })).status, path).toBe(200)
        }
        for (const [key, detail] of [
          [await world.keyWith("email:read"), /email:write/],
          [await world.keyWith("webhooks:write"), /email:write/],
          [await world.person("viewer"), /viewer/]
        ] as const) {
          for (const [method, path, json] of writing) {
            const answer = await world.send(method, path, { key, ...(json === undefined ? {} : { json }) })
            expect(answer.status, `${method} ${path}`).toBe(403)
            expect(answer.body).toEqual({ detail: expect.stringMatching(detail) })
          }
        }
        for (const key of [await world.keyWith("email:write"), await world.person("member")]) {
          for (const [method, path, json] of writing) {
            const answer = await world.send(method, path, { key, ...(json === undefined ? {} : { json }) })
            expect([201, 200, 204, 404], `${method} ${path}`).toContain(answer.status)
          }
        }
      })
    })

    describe("the suppression list", () => {
      // Verifies: E-39, E-40, W-115, W-116.
      it("suppresses an address that bounced or complained, once, with its first reason", () =>
        within(async (other) => {
          const entry = (email: string, reason: string, detail: string | null) => ({
            id: expect.stringMatching(uuid),
            email,
            reason,
            detail,
            created_at: expect.stringMatching(utc)
          })
          expect(await bounce(other, " Ada@Example.com ", { detail: "mailbox full" })).toBe(true)
          await other.core.email.report(other.account, { type: "email.complained", recipient: "ada@example.COM" })
          await other.core.email.report(other.account, { type: "email.complained", recipient: "grace@example.com" })
          const listed = await other.ask("GET", suppressions)
          expect(totalOf(listed)).toBe("2")
          expect(listed.items).toEqual([
            entry("grace@example.com", "complained", null),
            entry("ada@example.com", "bounced", "mailbox full")
          ])
          expect((await other.send("GET", suppressions, { key: other.stranger })).items).toEqual([])
        }))

      // Verifies: E-42, E-45, W-118.
      it("accepts a report under the same key once, and none of another kind", () =>
        within(async (other) => {
          const made = await make(other)
          expect(await bounce(other, "ada@example.com", { idempotencyKey: "1" })).toBe(true)
          expect(await bounce(other, "grace@example.com", { idempotencyKey: "1" })).toBe(false)
          for (const [type, recipient] of [
            ["email.opened", "ada@example.com"],
            ["campaign.started", "ada@example.com"],
            ["email.bounced", "nobody"]
          ] as const) {
            await expect(other.core.email.report(other.account, { type, recipient })).rejects.toThrow(/\w/)
          }
          await other.ended(deliveries)
          expect(other.postsTo(made.url)).toHaveLength(1)
          expect((await other.ask("GET", suppressions)).items).toMatchObject([{ email: "ada@example.com" }])
        }))

      // Verifies: E-4, E-40.
      it("pages the suppression list, newest first", () =>
        within(async (other) => {
          for (let nth = 0; nth < 102; nth++) await bounce(other, `a${nth}@example.com`)
          const look = async (query: string) => {
            const answer = await other.ask("GET", `${suppressions}${query}`)
            expect(answer.status, query).toBe(200)
            expect(totalOf(answer)).toBe("102")
            return answer.items.map(({ email }) => email)
          }
          const all = Array.from({ length: 102 }, (_, nth) => `a${101 - nth}@example.com`)
          expect(await look("?limit=500")).toEqual(all)
          expect(await look("")).toEqual(all.slice(0, 100))
          expect(await look("?limit=1&offset=1")).toEqual(all.slice(1, 2))
          for (const query of ["limit=0", "limit=501", "offset=-1"]) {
            expect((await other.ask("GET", `${suppressions}?${query}`)).status, query).toBe(422)
          }
        }))

      // Verifies: E-41.
      it("removes an address from the suppression list, once, and records it in the audit log: 204", () =>
        within(async (other) => {
          await bounce(other, "ada@example.com")
          const { id } = (await other.ask("GET", suppressions)).items[0]!
          const path = `${suppressions}/${id}`
          for (const [asked, key] of [
            [path, other.stranger],
            [`${suppressions}/${nobody}`, other.key]
          ] as const) {
            expect(await other.send("DELETE", asked, { key })).toMatchObject({ status: 404, body: noEntry })
          }
          expect((await other.ask("DELETE", `${suppressions}/no-uuid`)).status).toBe(422)
          expect(await other.ask("DELETE", path)).toMatchObject({ status: 204, text: "" })
          expect(await other.audited()).toMatchObject({ action: "email.suppression.delete", targetId: id })
          expect((await other.ask("GET", suppressions)).items).toEqual([])
          expect(await other.ask("DELETE", path)).toMatchObject({ status: 404, body: noEntry })
          await bounce(other, "ada@example.com")
          expect((await other.ask("GET", suppressions)).items).toHaveLength(1)
        }))
    })
  })
