/** What became of messages, as callers count it and as the chat platform does. Verifies: ANLY-1, ANLY-2, ANLY-3. */
import type { StorageProvider } from "@trunkline/core"
import { channelProvider } from "@trunkline/core/provider"
import { webChat } from "@trunkline/providers/web-chat"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  FakeChatPlatform,
  inboundMessages,
  inboundStatuses,
  refusedWith,
  sampleBodies,
  sampleNumber,
  signed
} from "../messaging/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

const root = "/api/v1/messaging"
const analytics = `${root}/analytics`
const appSecret = "what deliveries are signed with"
const businessAccountId = "102290129340398"
const { phoneNumberId } = sampleNumber
const { inbound, inboundStatus } = sampleBodies

const hour = 3_600_000
const day = 24 * hour
/** 2026-11-21T09:30:00Z, and 15:15 in Kathmandu. */
const start = Date.UTC(2026, 10, 21, 9, 30)
const iso = (at: number) => new Date(at).toISOString()
const seconds = (text: string) => Date.parse(text) / 1000

const empty = { sent: 0, delivered: 0, read: 0, failed: 0, received: 0, failures: [] }

const queryOf = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&")

export const analyticsSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`analytics through ${name}`, () => {
    const platform = new FakeChatPlatform().owns(businessAccountId, "200")
    let now = start
    let webNumber = ""
    let world: HttpWorld

    const ask = (method: string, path: string, json?: unknown, over: Sent = {}): Promise<Answer> =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }), ...over })

    const counted = (route: string, fields: Readonly<Record<string, unknown>> = {}, over: Sent = {}) =>
      ask("GET", `${analytics}/${route}?${queryOf(fields)}`, undefined, over)

    const delivered = async (body: unknown): Promise<void> => {
      const { bytes, headers } = signed(body, appSecret)
      expect((await world.send("POST", `${root}/inbound`, { body: bytes, headers })).status).toBe(200)
    }

    /** Sends a template at an instant, of which the platform reports what became. */
    const sends = async (
      at: number,
      status: string | null,
      more: Fields = {},
      from: string = phoneNumberId
    ): Promise<void> => {
      now = at
      const { body, status: answered } = await ask("POST", `${root}/messages`, {
        phone_number_id: from,
        to: "16505551234",
        type: "template",
        template: { name: "order_sent", language: { code: "en" } }
      })
      expect(answered).toBe(200)
      if (status !== null) await delivered(inboundStatuses(inboundStatus(String(body.msgid), status, more)))
    }

    const failing = (code: number) => ["failed", { errors: [{ code, title: "x" }] }] as const

    beforeAll(async () => {
      world = await openWorld(begin, storage, {
        core: {
          messaging: {
            platform: channelProvider(platform.layer),
            appSecret,
            channels: [webChat({ secret: "the secret of all chats of this suite" })]
          },
          clock: { now: () => now, speed: 1000 },
          workers: { replies: false }
        }
      })
      for (const [phone_number_id, more] of [
        [phoneNumberId, { display_phone_number: "+1 555-078-3881" }],
        ["200", {}]
      ] as const) {
        const json = { phone_number_id, business_account_id: businessAccountId, access_token: "EAAG-a-token", ...more }
        expect((await ask("POST", `${root}/phone_numbers`, json)).status).toBe(201)
      }
      const settings = { id: "shop", origins: ["https://shop.example.com"], title: "Shop" }
      const web = await ask("POST", `${root}/channels/web-chat/connections`, { settings })
      webNumber = String(web.body.phone_number_id)
      await sends(start - 1, "read")
      await sends(start, "delivered")
      await sends(start + hour, null)
      await sends(start + 2 * hour, ...failing(131026))
      await sends(start + 2 * hour + 1, ...failing(131049))
      await sends(start + 2 * hour + 2, ...failing(131049))
      await sends(start + 3 * hour, null, {}, "200")
      now = start + 3 * hour + 1
      await delivered(inboundMessages(inbound.text("Hello")))
      now = start + day
    })
    afterAll(() => world.close())
    beforeEach(() => {
      platform.calls.length = 0
      platform.counts = {}
      platform.templateCounts.length = 0
      platform.fails("messageCounts", null)
    })

    /** Each is refused, and nobody is asked. */
    const refusals = async (route: string, queries: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
      for (const query of queries) {
        const { status, text } = await counted(route, query)
        expect(status, `${JSON.stringify(query)} ${text}`).toBe(422)
      }
      expect(platform.calls).toEqual([])
    }

    describe("counts of our own records", () => {
      // Verifies: M-49.
      it("stand by local hours, also where nothing happened, and a read message is delivered and sent", async () => {
        const period = { from: iso(start - 1), to: iso(start + 3 * hour + 2), granularity: "hour" }
        const { items, status } = await counted("delivery", { ...period, timezone: "Asia/Kathmandu" })
        expect(status).toBe(200)
        expect(items).toEqual([
          { ...empty, start: "2026-11-21T09:15:00.000Z", sent: 2, delivered: 2, read: 1 },
          { ...empty, start: "2026-11-21T10:15:00.000Z", sent: 1 },
          {
            ...empty,
            start: "2026-11-21T11:15:00.000Z",
            failed: 3,
            failures: [
              { code: 131049, count: 2 },
              { code: 131026, count: 1 }
            ]
          },
          { ...empty, start: "2026-11-21T12:15:00.000Z", sent: 1, received: 1 }
        ])
        const utc = await counted("delivery", period)
        expect(utc.items.map((row) => row.sent)).toEqual([2, 1, 0, 1])
        expect(platform.calls).toEqual([])
      })

      it("stand for the last 30 days by day of UTC where nothing else is said", async () => {
        const { items } = await counted("delivery")
        expect(items.length).toBe(31)
        expect(items[0]).toEqual({ ...empty, start: "2026-10-23T00:00:00.000Z" })
        expect(items.at(-2)).toMatchObject({ start: "2026-11-21T00:00:00.000Z", sent: 4, failed: 3, received: 1 })
      })

      it("stand in one row from the first to the last instant, without the last", async () => {
        const total = async (from: number, to: number) => {
          const { items } = await counted("delivery", { from: iso(from), to: iso(to), granularity: "total" })
          expect(items.length).toBe(1)
          return items[0]
        }
        expect(await total(start, start + hour)).toEqual({ ...empty, start: iso(start), sent: 1, delivered: 1 })
        expect(await total(start - 1, start + hour + 1)).toMatchObject({ sent: 3, delivered: 2, read: 1 })
      })

      it("are those of a number, of a type and of an account", async () => {
        const sum = async (fields: Readonly<Record<string, unknown>>, over: Sent = {}) => {
          const query = { from: iso(start - day), to: iso(start + day), granularity: "total", ...fields }
          const { items, text } = await counted("delivery", query, over)
          expect(items.length, text).toBe(1)
          const { received, sent } = items[0]!
          return [sent, received]
        }
        expect(await sum({})).toEqual([4, 1])
        expect(await sum({ phone_number_id: phoneNumberId })).toEqual([3, 1])
        expect(await sum({ phone_number_id: "200" })).toEqual([1, 0])
        expect(await sum({ phone_number_id: webNumber })).toEqual([0, 0])
        expect(await sum({ type: "template" })).toEqual([4, 0])
        expect(await sum({ type: "text" })).toEqual([0, 1])
        expect(await sum({}, { key: world.stranger })).toEqual([0, 0])
      })

      it("are those of a campaign of the account", async () => {
        const fields = { phone_number_id: phoneNumberId, template: { name: "order_sent", language: "en" }, name: "A" }
        const { body } = await ask("POST", `${root}/campaigns`, fields)
        const of = (more: object, over: Sent = {}) =>
          counted("delivery", { granularity: "total", campaign_id: body.id, ...more }, over)
        expect((await of({})).items).toEqual([expect.objectContaining(empty)])
        expect((await of({ phone_number_id: "200" })).items).toEqual([expect.objectContaining(empty)])
        expect((await of({}, { key: world.stranger })).status).toBe(404)
        expect((await of({ campaign_id: world.account })).status).toBe(404)
        expect((await of({ phone_number_id: "unknown" })).status).toBe(404)
      })

      it("have at most 92 days, an end after the start, and a zone that there is", async () => {
        const [from, to] = [iso(start - 92 * day), iso(start)]
        expect((await counted("delivery", { from, to, granularity: "hour" })).items.length).toBe(92 * 24 + 1)
        await refusals("delivery", [
          { from: iso(start - 92 * day - 1), to },
          { from: to, to },
          { from: iso(start + 2 * day) },
          { from: "yesterday" },
          { timezone: "Mars/Olympus" },
          { granularity: "minute" },
          { campaign_id: "1" }
        ])
      })
    })

    const period = { phone_number_id: phoneNumberId, start: "2026-11-20T00:00:00Z", end: "2026-11-21T00:00:00Z" }
    const asked = () => platform.calls.map(({ body, verb }) => [verb, body])
    const point = { start: seconds(period.start), end: seconds(period.end) }
    const [first, last] = ["2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"]

    describe("counts of the chat platform", () => {
      it("of messages are those of the number, or of its business account", async () => {
        platform.counts = {
          analytics: { granularity: "DAY", data_points: [{ ...point, sent: 4, delivered: "3" }, {}] }
        }
        const { items, status } = await counted("messages", period)
        expect(status).toBe(200)
        expect(items).toEqual([
          { start: first, end: last, sent: 4, delivered: 3 },
          { start: null, end: null, sent: null, delivered: null }
        ])
        await counted("messages", { ...period, granularity: "half_hour", this_number: false })
        expect(asked()).toEqual([
          ["messageCounts", { interval: "day", phone: "15550783881" }],
          ["messageCounts", { interval: "half_hour", phone: null }]
        ])
      })

      it("of a number that nobody has named are asked for by what the platform calls it", async () => {
        platform.facts.set("200", { ...platform.facts.get("200")!, displayPhoneNumber: "+49 30 1234567" } as never)
        expect((await counted("messages", { ...period, phone_number_id: "200" })).status).toBe(200)
        expect(asked().at(-1)).toEqual(["messageCounts", { interval: "day", phone: "49301234567" }])
        platform.facts.set("200", { ...platform.facts.get("200")!, displayPhoneNumber: null })
        const unnamed = await counted("messages", { ...period, phone_number_id: "200" })
        expect([unnamed.status, unnamed.body.detail]).toEqual([422, expect.stringContaining("which number this is")])
      })

      it("of prices have what they are divided by", async () => {
        const full = {
          ...{ ...point, volume: 12, cost: 0.42, country: "IN", pricing_type: "REGULAR" },
          ...{ pricing_category: "MARKETING", tier: "0:MAX", phone_number: "15550783881" }
        }
        platform.counts = { pricing_analytics: { data: [{ data_points: [full, { ...point, volume: 1, cost: 0 }] }] } }
        const { items } = await counted("pricing", { ...period, granularity: "month", dimensions: "country,tier" })
        const rest = { phone: null, country: null, pricing_type: null, pricing_category: null, tier: null }
        expect(items).toEqual([
          {
            ...{ start: first, end: last, volume: 12, cost: 0.42, phone: "15550783881", country: "IN" },
            ...{ pricing_type: "REGULAR", pricing_category: "MARKETING", tier: "0:MAX" }
          },
          { ...rest, start: first, end: last, volume: 1, cost: 0 }
        ])
        await counted("pricing", period)
        expect(asked()).toEqual([
          ["pricing", { interval: "month", dimensions: ["country", "tier"] }],
          ["pricing", { interval: "day", dimensions: [] }]
        ])
      })

      it("of templates have what was tapped", async () => {
        const clicked = [{ type: "quick_reply_button", button_content: "Later", count: 3 }]
        platform.templateCounts.push(
          { data_points: [{ ...point, template_id: "7", sent: 5, delivered: 4, read: 2, clicked }] },
          { data_points: [{ ...point, template_id: 8, sent: 1 }] }
        )
        const { items } = await counted("templates", { ...period, template_ids: "7,8" })
        const nothing: Fields = { delivered: null, read: null, clicked: null }
        expect(items).toEqual([
          {
            ...{ template_id: "7", start: first, sent: 5, delivered: 4, read: 2 },
            clicked: [{ type: "quick_reply_button", button: "Later", count: 3 }]
          },
          { ...nothing, template_id: "8", start: first, sent: 1 }
        ])
        expect(asked()).toEqual([["templateCounts", { templateIds: ["7", "8"] }]])
      })

      it("of templates begin once they are enabled", async () => {
        const enable = (number: string, over: Sent = {}) =>
          ask("POST", `${analytics}/templates/enable?phone_number_id=${number}`, undefined, over)
        const { body, status } = await enable(phoneNumberId)
        expect([status, body]).toEqual([200, { enabled: true }])
        expect(asked()).toEqual([["enableTemplateCounts", {}]])
        expect((await enable(webNumber)).status).toBe(422)
        expect((await enable(phoneNumberId, { key: world.stranger })).status).toBe(404)
        expect(asked().length).toBe(1)
      })

      it("are asked for within their bounds alone", async () => {
        const { end, start: begun } = period
        const backwards = { ...period, start: end, end: begun }
        await refusals("messages", [
          backwards,
          { ...period, end: begun },
          { ...period, end: "never" },
          { phone_number_id: phoneNumberId, start: begun },
          { ...period, granularity: "hour" }
        ])
        await refusals("pricing", [
          backwards,
          { ...period, dimensions: "country,colour" },
          { ...period, dimensions: "" }
        ])
        await refusals("templates", [
          { ...backwards, template_ids: "7" },
          period,
          { ...period, template_ids: "" },
          { ...period, template_ids: "7,x" },
          { ...period, template_ids: Array.from({ length: 11 }, (_, nth) => nth + 1).join(",") },
          { ...period, template_ids: "7", start: iso(now - 90 * day - 1) }
        ])
        const oldest = { ...period, template_ids: "7", start: iso(now - 90 * day) }
        expect((await counted("templates", oldest)).status).toBe(200)
      })

      it("are asked of a channel that has them, for a number of the account", async () => {
        for (const route of ["messages", "pricing", "templates"]) {
          const more = route === "templates" ? { template_ids: "7" } : {}
          const web = await counted(route, { ...period, ...more, phone_number_id: webNumber })
          expect([web.status, web.body.detail]).toEqual([422, "The channel of this number has no analytics."])
          expect((await counted(route, { ...period, ...more }, { key: world.stranger })).status).toBe(404)
        }
        expect(platform.calls).toEqual([])
      })

      it("that the platform refuses are refused with its code", async () => {
        platform.fails("messageCounts", refusedWith(100))
        const { body, status } = await counted("messages", period)
        expect([status, String(body.detail)]).toEqual([422, expect.stringContaining("100")])
      })
    })
  })
