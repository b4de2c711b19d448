/** People who have opted out of messages of campaigns, as callers and customers see it. Verifies: OPT-1, OPT-2, OPT-3. */
import type { StorageProvider } from "@trunkline/core"
import type { Event } from "@trunkline/core/effect"
import { channelProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  FakeChatPlatform,
  inboundMessages,
  inboundStatuses,
  refuses,
  sampleBodies,
  sampleNumber,
  signed
} from "../messaging/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import { utc, uuid } from "./WebhookWorld.ts"

const root = "/api/v1/messaging"
const optOuts = `${root}/opt-outs`
const appSecret = "what deliveries are signed with"
const businessAccountId = "102290129340398"
const { phoneNumberId } = sampleNumber
const { inbound, inboundStatus } = sampleBodies

/** 2026-11-21T09:30:00Z: when the sample customer's messages were sent. */
const start = Date.UTC(2026, 10, 21, 9, 30)

export const optOutsSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`opt-outs through ${name}`, () => {
    const platform = new FakeChatPlatform().owns(businessAccountId, "200")
    const heard: Array<Event> = []
    let world: HttpWorld
    let people = 0

    const ask = (method: string, path: string, json?: unknown, over: Sent = {}): Promise<Answer> =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }), ...over })

    const delivered = async (body: unknown): Promise<void> => {
      const { bytes, headers } = signed(body, appSecret)
      expect((await world.send("POST", `${root}/inbound`, { body: bytes, headers })).status).toBe(200)
    }

    /** A phone that nobody else in this test has. */
    const somebody = (): string => {
      people += 1
      return `1650557${String(people).padStart(4, "0")}`
    }

    const writes = (from: string, text: string) =>
      delivered(inboundMessages(inbound.text(text, { from, from_user_id: undefined })))

    /** What the platform delivers once somebody has changed what they want there. */
    const wants = (value: string, person: object, category = "marketing_messages") =>
      delivered({
        object: "whatsapp_business_account",
        entry: [
          {
            id: businessAccountId,
            changes: [
              {
                field: "user_preferences",
                value: {
                  messaging_product: "whatsapp",
                  metadata: { display_phone_number: "15550783881", phone_number_id: phoneNumberId },
                  user_preferences: [{ ...person, category, value, detail: "x", timestamp: start / 1000 }]
                }
              }
            ]
          }
        ]
      })

    const entriesOf = async (phone: string, more = ""): Promise<ReadonlyArray<Fields>> =>
      (await ask("GET", `${optOuts}?phone=${encodeURIComponent(phone)}${more}`)).items

    /** Events of what people want since the last look. */
    const preferences = (): ReadonlyArray<Fields> =>
      heard.splice(0).flatMap(({ data, event }) => (event === "contact.preference" ? [data] : []))

    const sends = (to: string, template = "offer") =>
      ask("POST", `${root}/messages`, {
        phone_number_id: phoneNumberId,
        to,
        type: "template",
        template: { name: template, language: { code: "en" } }
      })

    beforeAll(async () => {
      world = await openWorld(begin, storage, {
        core: {
          messaging: { platform: channelProvider(platform.layer), appSecret },
          clock: { now: () => start, speed: 1000 },
          workers: { replies: false }
        }
      })
      world.core.events.on("*", (event) => void heard.push(event))
      for (const phone_number_id of [phoneNumberId, "200"]) {
        const json = { phone_number_id, business_account_id: businessAccountId, access_token: "EAAG-a-token" }
        expect((await ask("POST", `${root}/phone_numbers`, json)).status).toBe(201)
      }
      const template = { language: "en", status: "APPROVED", components: [] }
      platform.templates.push(
        { ...template, id: "1", name: "offer", category: "MARKETING" },
        { ...template, id: "2", name: "order_sent", category: "UTILITY" }
      )
      await ask("GET", `${root}/templates?phone_number_id=${phoneNumberId}`)
    })
    afterAll(() => world.close())
    beforeEach(() => {
      platform.calls.length = 0
      preferences()
    })

    describe("the list", () => {
      it("takes people by phone and by id, each once for a number and a scope", async () => {
        const phone = somebody()
        const entries = [
          { phone: `+${phone}`, detail: "Asked us by email" },
          { phone, scope: "all" },
          { phone, scope: "marketing" },
          { phone, phone_number_id: "200" },
          { user_id: `US.${phone}`, scope: "marketing" },
          { phone: "12" }
        ]
        const { body, status } = await ask("POST", optOuts, { entries })
        expect([status, body]).toEqual([200, { added: 4, skipped: 2, skipped_invalid: 1 }])
        const found = await entriesOf(phone)
        expect(found.length).toBe(3)
        expect(found).toContainEqual({
          id: expect.stringMatching(uuid),
          phone: `+${phone}`,
          user_id: null,
          phone_number_id: null,
          scope: "all",
          source: "api",
          detail: "Asked us by email",
          created_at: expect.stringMatching(utc)
        })
        expect(await entriesOf(phone, "&phone_number_id=200")).toMatchObject([{ phone_number_id: "200" }])
        expect(preferences()).toHaveLength(4)
        expect((await ask("POST", optOuts, { entries: [] })).body).toEqual({ added: 0, skipped: 0, skipped_invalid: 0 })
        expect(await world.core.admin.audit(world.account)).toContainEqual(
          expect.objectContaining({ action: "opt_out.add" })
        )
      })

      it("is paged, filtered by source, and its own account's alone", async () => {
        const { headers, items } = await ask("GET", `${optOuts}?limit=1`)
        expect(items).toHaveLength(1)
        expect(Number(headers["x-total-count"])).toBeGreaterThan(1)
        expect(
          (await ask("GET", `${optOuts}?source=platform&limit=500`)).items.every((one) => one.source === "platform")
        ).toBe(true)
        const { items: foreign } = await ask("GET", optOuts, undefined, { key: world.stranger })
        expect(foreign).toEqual([])
        const [mine] = items
        expect((await ask("DELETE", `${optOuts}/${mine?.id}`, undefined, { key: world.stranger })).status).toBe(404)
      })

      it("refuses what cannot be an entry, and says where", async () => {
        for (const [entry, field] of [
          [{}, "phone"],
          [{ phone: null }, "phone"],
          [{ phone: "" }, "phone"],
          [{ phone: "1".repeat(65) }, "phone"],
          [{ user_id: "u".repeat(513) }, "user_id"],
          [{ phone: "+14155550123", scope: "none" }, "scope"],
          [{ phone: "+14155550123", detail: "d".repeat(501) }, "detail"]
        ] as const) {
          const { body, status } = await ask("POST", optOuts, { entries: [entry] })
          expect(status, JSON.stringify(entry)).toBe(422)
          expect(body.detail, JSON.stringify(entry)).toMatchObject([{ loc: ["body", "entries", 0, field] }])
        }
        const many = Array.from({ length: 1001 }, () => ({ phone: "+14155550123" }))
        expect((await ask("POST", optOuts, { entries: many })).status).toBe(422)
        const elsewhere = { phone: somebody(), phone_number_id: "900" }
        expect((await ask("POST", optOuts, { entries: [elsewhere] })).status).toBe(404)
        expect(await entriesOf(elsewhere.phone)).toEqual([])
      })

      it("lets entries go, but for those that only the person can take back", async () => {
        const phone = somebody()
        await ask("POST", optOuts, { entries: [{ phone }] })
        await wants("stop", { wa_id: phone })
        preferences()
        const [ofPlatform, ofApi] = await entriesOf(phone)
        expect([ofPlatform?.source, ofApi?.source]).toEqual(["platform", "api"])
        expect((await ask("DELETE", `${optOuts}/${ofPlatform?.id}`)).status).toBe(409)
        expect((await ask("DELETE", `${optOuts}/${ofApi?.id}`)).status).toBe(204)
        expect((await ask("DELETE", `${optOuts}/${ofApi?.id}`)).status).toBe(404)
        expect((await ask("DELETE", `${optOuts}/${nobody}`)).status).toBe(404)
        expect(await entriesOf(phone)).toEqual([ofPlatform])
        expect(preferences()).toMatchObject([{ preference: "resumed", source: "api", phone }])
        expect(await world.core.admin.audit(world.account)).toContainEqual(
          expect.objectContaining({ action: "opt_out.delete", targetId: ofApi?.id })
        )
      })
    })

    describe("a customer", () => {
      it("who writes the word is on the list before the delivery is acknowledged, and off it by another word", async () => {
        const phone = somebody()
        await writes(phone, "Stop!")
        expect(await entriesOf(phone)).toMatchObject([
          { phone, source: "keyword", scope: "all", phone_number_id: null, detail: "Stop!" }
        ])
        await writes(phone, "stop")
        await writes(phone, "Please stop calling me")
        expect(preferences()).toEqual([
          { phone_number_id: null, user_id: null, phone, preference: "stopped", scope: "all", source: "keyword" }
        ])
        await writes(phone, "START")
        expect(await entriesOf(phone)).toEqual([])
        await writes(phone, "START")
        expect(preferences()).toMatchObject([{ preference: "resumed", source: "keyword" }])
      })

      it("opts out by a button, and back in by one", async () => {
        const phone = somebody()
        const tapped = (text: string, payload: string) =>
          inboundMessages({
            ...inbound.text("x", { from: phone, from_user_id: undefined }),
            type: "button",
            text: undefined,
            button: { text, payload }
          })
        await delivered(tapped("No, thanks", "STOP"))
        expect(await entriesOf(phone)).toMatchObject([{ source: "button", detail: "STOP" }])
        await delivered(tapped("Start", "yes"))
        expect(await entriesOf(phone)).toEqual([])
      })

      it("keeps what others have said for them when they write START", async () => {
        const phone = somebody()
        await ask("POST", optOuts, { entries: [{ phone }] })
        await writes(phone, "START")
        expect(await entriesOf(phone)).toMatchObject([{ source: "api" }])
      })

      it("stops, resumes and asks for marketing messages at the platform, of that number alone", async () => {
        const phone = somebody()
        const contact = await ask("POST", "/api/v1/contacts", { phone: `+${phone}`, name: "Ada" })
        await wants("stop", { wa_id: phone })
        await wants("stop", { wa_id: phone })
        const entry = { phone, source: "platform", scope: "marketing", phone_number_id: phoneNumberId, detail: null }
        expect(await entriesOf(phone)).toMatchObject([entry])
        await wants("resume", { wa_id: phone })
        expect(await entriesOf(phone)).toEqual([])
        expect((await ask("GET", `/api/v1/contacts/${contact.body.id}`)).body.opted_in).toBe(false)
        await wants("stop", { wa_id: phone })
        await wants("signup", { wa_id: phone })
        expect(await entriesOf(phone)).toEqual([])
        expect((await ask("GET", `/api/v1/contacts/${contact.body.id}`)).body.opted_in).toBe(true)
        expect(preferences().map(({ preference }) => preference)).toEqual(["stopped", "resumed", "stopped", "resumed"])
        await wants("stop", { wa_id: phone }, "another_category")
        await wants("a value of tomorrow", { wa_id: phone })
        await wants("stop", {})
        expect(await entriesOf(phone)).toEqual([])
      })
    })

    describe("a marketing template", () => {
      it("is not sent to somebody who has opted out, and everything else goes on", async () => {
        const phone = somebody()
        await writes(phone, "STOP")
        const { body, status } = await sends(phone)
        expect([status, body.detail]).toEqual([422, expect.stringContaining("opted out of marketing messages")])
        expect(platform.of("send")).toEqual([])
        expect((await sends(phone, "order_sent")).status).toBe(200)
        const text = { phone_number_id: phoneNumberId, to: phone, text: "As you wish." }
        expect((await ask("POST", `${root}/messages`, text)).status).toBe(200)
        const compatible = {
          messaging_product: "messaging",
          to: phone,
          type: "template",
          template: { name: "offer", language: { code: "en" } }
        }
        expect((await ask("POST", `${root}/${phoneNumberId}/messages`, compatible)).status).toBe(200)
        await writes(phone, "START")
        expect((await sends(phone)).status).toBe(200)
      })

      it("that the platform refuses for it puts its recipient on the list, in an answer and in a report", async () => {
        const [first, second] = [somebody(), somebody()]
        platform.next(refuses(131050))
        expect((await sends(first)).status).toBe(422)
        const entry = { source: "platform", scope: "marketing", phone_number_id: phoneNumberId }
        expect(await entriesOf(first)).toMatchObject([entry])
        const { body } = await sends(second)
        const failed = inboundStatus(String(body.msgid), "failed", { errors: [{ code: 131050 }] })
        await delivered(inboundStatuses(failed))
        await delivered(inboundStatuses(failed))
        expect(await entriesOf(second)).toMatchObject([entry])
        expect(preferences()).toMatchObject([{ phone: first }, { phone: second }])
      })
    })
  })
