/** What the chat platform keeps of numbers and templates, as callers read and set it. Verifies: NUM-1, NUM-2, NUM-3, TPL-1, TPL-2. */
import type { StorageProvider } from "@trunkline/core"
import type { Event } from "@trunkline/core/effect"
import { ChannelUnreachable, channelProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FakeChatPlatform, refusedWith, sampleNumber, signed, usualFacts } from "../messaging/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"
import { upload } from "./Upload.ts"
import { utc } from "./WebhookWorld.ts"

const root = "/api/v1/messaging"
const numbers = `${root}/phone_numbers`
const templates = `${root}/templates`
const appSecret = "what deliveries are signed with"
const businessAccountId = "102290129340398"
const { phoneNumberId } = sampleNumber
const second = Date.UTC(2026, 10, 21, 9, 30) / 1000

const welcome = {
  id: "594425479261596",
  name: "welcome",
  language: "en_US",
  status: "PENDING",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Welcome" }]
}

/** A delivery about a business account. */
const about = (field: string, value: object, more: { readonly account?: string; readonly time?: number } = {}) => ({
  object: "whatsapp_business_account",
  entry: [{ id: more.account ?? businessAccountId, time: more.time ?? second, changes: [{ field, value }] }]
})

const ofTemplate = (value: object) => ({
  message_template_id: Number(welcome.id),
  message_template_name: welcome.name,
  message_template_language: welcome.language,
  ...value
})

/** A form with a file that shows a template's header. */
const example = (type: string) => {
  const fields = [["phone_number_id", phoneNumberId]] as const
  const { body, headers } = upload({ fields, file: new Uint8Array([1, 2, 3]), fileName: "a.png" })
  return { body: Buffer.from(body.toString("latin1").replace("audio/wav", type), "latin1"), headers }
}

export const channelFactsSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`what the chat platform keeps of numbers and templates through ${name}`, () => {
    const platform = new FakeChatPlatform().owns(businessAccountId, "200").owns("9", "900")
    let world: HttpWorld
    let id: string
    let elsewhere: string
    const heard: Array<Event> = []

    const ask = (method: string, path: string, json?: unknown, over: Sent = {}): Promise<Answer> =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }), ...over })

    const connect = async (phone_number_id: string, fields: object = {}, key = world.key): Promise<string> => {
      const json = { phone_number_id, business_account_id: businessAccountId, access_token: "EAAG-a-token", ...fields }
      const { body, status } = await world.send("POST", numbers, { key, json })
      expect(status).toBe(201)
      return String(body.id)
    }

    const platformOf = async (phone: string): Promise<Fields | null> =>
      (await ask("GET", `${numbers}/${phone}`)).body.platform as Fields | null

    const delivered = async (body: unknown): Promise<void> => {
      const { bytes, headers } = signed(body, appSecret)
      expect((await world.send("POST", `${root}/inbound`, { body: bytes, headers })).status).toBe(200)
    }

    /** Events of these names since the last look. */
    const news = (...names: ReadonlyArray<string>): ReadonlyArray<Fields> =>
      heard.splice(0).flatMap(({ data, event }) => (names.includes(event) ? [data] : []))

    const audited = async (action: string) =>
      (await world.core.admin.audit(world.account)).filter((entry) => entry.action === action)

    const read = (phone: string, holds: (platform: Fields) => boolean) =>
      until(async () => {
        const known = await platformOf(phone)
        return known !== null && holds(known) ? known : undefined
      })

    beforeAll(async () => {
      world = await openWorld(begin, storage, {
        core: {
          messaging: { platform: channelProvider(platform.layer), appSecret },
          clock: { now: () => second * 1000, speed: 1000 }
        }
      })
      world.core.events.on("*", (event) => void heard.push(event))
      await world.core.start()
      id = await connect(phoneNumberId, { display_phone_number: "+1 555-078-3881" })
      elsewhere = await connect("900", { business_account_id: "9" }, world.stranger)
      await read(id, ({ checked_at }) => checked_at !== null)
    })
    afterAll(() => world.close())
    beforeEach(() => {
      platform.calls.length = 0
      news()
    })

    describe("numbers", () => {
      it("are read by themselves once they are connected", async () => {
        expect(await platformOf(id)).toEqual({
          status: "CONNECTED",
          quality_rating: "GREEN",
          messaging_limit: { tier: "TIER_250", per_day: 250 },
          throughput: { level: "STANDARD", per_second: 80 },
          verified_name: "A business",
          name_status: "APPROVED",
          code_verification_status: "VERIFIED",
          is_pin_enabled: true,
          restriction: null,
          checked_at: expect.stringMatching(utc)
        })
        expect((await ask("GET", numbers)).items[0]?.platform).toMatchObject({ status: "CONNECTED" })
      })

      it("are read anew when somebody asks, and each change is one event", async () => {
        platform.facts.set(phoneNumberId, { ...usualFacts, qualityRating: "RED", verifiedName: "Another name" })
        const { body, status } = await ask("POST", `${numbers}/${id}/refresh`)
        expect(status).toBe(200)
        expect(body).toMatchObject({ id, platform: { quality_rating: "RED", verified_name: "Another name" } })
        expect(news("number.status")).toEqual([
          expect.objectContaining({
            phone_id: id,
            phone_number_id: phoneNumberId,
            change: "quality",
            quality_rating: "RED"
          }),
          expect.objectContaining({ change: "display_name", verified_name: "Another name" })
        ])
        await ask("POST", `${numbers}/${id}/refresh`)
        expect(news("number.status")).toEqual([])
        platform.facts.delete(phoneNumberId)
        await ask("POST", `${numbers}/${id}/refresh`)
      })

      it("keep what is known of them where the platform refuses or cannot be reached", async () => {
        const before = await platformOf(id)
        platform.fails("facts", refusedWith(190, 401))
        expect((await ask("POST", `${numbers}/${id}/refresh`)).status).toBe(422)
        platform.fails("facts", new ChannelUnreachable({ isCertain: true, detail: "no connection" }))
        expect((await ask("POST", `${numbers}/${id}/refresh`)).status).toBe(502)
        platform.fails("facts", refusedWith(4, 429, 7))
        const throttled = await ask("POST", `${numbers}/${id}/refresh`)
        expect([throttled.status, throttled.headers["retry-after"]]).toEqual([429, "7"])
        platform.fails("facts", null)
        expect(await platformOf(id)).toEqual(before)
      })

      it("have the limit of a delivery about one of them, by its digits, and are read after it", async () => {
        platform.facts.set(phoneNumberId, { ...usualFacts, messagingLimit: { tier: "TIER_2K", perDay: 2000 } })
        const value = {
          display_phone_number: "15550783881",
          event: "THROUGHPUT_UPGRADE",
          max_daily_conversations_per_business: "TIER_2K"
        }
        await delivered(about("phone_number_quality_update", value))
        expect(news("number.status")).toMatchObject([
          { change: "messaging_limit", messaging_limit: { tier: "TIER_2K", per_day: 2000 } }
        ])
        await until(async () => (platform.of("facts").length > 0 ? true : undefined))
        await delivered(about("phone_number_quality_update", { ...value, display_phone_number: "19998887777" }))
        await delivered(about("phone_number_quality_update", { ...value, max_daily_conversations_per_business: {} }))
        expect(news("number.status")).toEqual([])
      })

      it("have the limit, the name and the restriction that deliveries about their business account name", async () => {
        platform.facts.set(phoneNumberId, { ...usualFacts, messagingLimit: null, nameStatus: "DECLINED" })
        await delivered(about("business_capability_update", { max_daily_conversations_per_business: -1 }))
        const limitless = { tier: "-1", per_day: null }
        expect(await platformOf(id)).toMatchObject({ messaging_limit: limitless })
        await delivered(about("business_capability_update", { max_daily_conversation_per_phone: 1000 }))
        expect(await platformOf(id)).toMatchObject({ messaging_limit: { per_day: 1000 } })
        await delivered(
          about("phone_number_name_update", {
            display_phone_number: "15550783881",
            decision: "DECLINED",
            requested_verified_name: "Another"
          })
        )
        expect(await platformOf(id)).toMatchObject({ name_status: "DECLINED" })
        await delivered(
          about("account_update", {
            event: "ACCOUNT_RESTRICTION",
            restriction_info: [
              { restriction_type: "RESTRICTED_ADD_PHONE_NUMBER_ACTION", expiration: second + 60 },
              { restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING", expiration: second + 3600 }
            ]
          })
        )
        const restriction = { type: "RESTRICTED_BIZ_INITIATED_MESSAGING", until: "2026-11-21T10:30:00.000Z" }
        expect(await platformOf(id)).toMatchObject({ restriction })
        // Whether the name comes by the delivery or by the read after the first one, it is one event.
        expect(
          news("number.status")
            .map(({ change }) => change)
            .toSorted()
        ).toEqual(["display_name", "messaging_limit", "messaging_limit", "restriction"])
        await until(async () => (platform.of("facts").length > 0 ? true : undefined))
        // A read names no restriction, and no limit where the platform leaves it out.
        await ask("POST", `${numbers}/${id}/refresh`)
        expect(await platformOf(id)).toMatchObject({ restriction, messaging_limit: { per_day: 1000 } })
        await delivered(
          about("account_update", { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "REINSTATE" } })
        )
        expect(await platformOf(id)).toMatchObject({ restriction: null })
      })

      it("of another business account are not changed, and what nobody knows is 200", async () => {
        const before = await world.send("GET", `${numbers}/${elsewhere}`, { key: world.stranger })
        await delivered(about("business_capability_update", { max_daily_conversations_per_business: 50 }))
        await delivered(
          about("business_capability_update", { max_daily_conversations_per_business: 50 }, { account: "8" })
        )
        await delivered(about("a_field_of_tomorrow", { anything: [1, { more: true }] }))
        await delivered(about("account_update", { event: "AN_EVENT_OF_TOMORROW", restriction_info: "none" }))
        expect(await world.send("GET", `${numbers}/${elsewhere}`, { key: world.stranger })).toMatchObject({
          body: before.body
        })
      })

      it("of a business account are found without storing anything", async () => {
        const { items, status } = await ask("POST", `${numbers}/discover`, {
          business_account_id: businessAccountId,
          access_token: "EAAG-another"
        })
        expect([status, items]).toEqual([
          200,
          [
            expect.objectContaining({ phone_number_id: phoneNumberId, connected: true }),
            {
              phone_number_id: "200",
              display_phone_number: "+1 555-078-3881",
              verified_name: "A business",
              quality_rating: "GREEN",
              status: "CONNECTED",
              connected: false
            }
          ]
        ])
        expect((await ask("GET", numbers)).items.length).toBe(1)
        const strangers = await ask(
          "POST",
          `${numbers}/discover`,
          { business_account_id: businessAccountId, access_token: "EAAG-another" },
          { key: world.stranger }
        )
        expect(strangers.items.map(({ connected }) => connected)).toEqual([false, false])
      })

      it("are registered and deregistered, and their PIN is in no answer, log, record or event", async () => {
        const registered = await ask("POST", `${numbers}/${id}/register`, {
          pin: "482915",
          data_localization_region: "DE"
        })
        expect([registered.status, registered.body.id]).toEqual([200, id])
        expect(platform.of("register")[0]?.body).toEqual({ pin: "482915", region: "DE" })
        expect((await ask("PUT", `${numbers}/${id}/pin`, { pin: "482915" })).status).toBe(204)
        expect((await ask("POST", `${numbers}/${id}/deregister`)).status).toBe(200)
        for (const action of ["number.register", "number.pin", "number.deregister"]) {
          expect(await audited(action)).toMatchObject([{ action, targetId: id }])
        }
        for (const wrong of ["12345", "1234567", "12345a", 123456]) {
          expect((await ask("PUT", `${numbers}/${id}/pin`, { pin: wrong })).status).toBe(422)
        }
        const records = JSON.stringify([
          await ask("GET", `${numbers}/${id}`),
          world.log,
          await world.core.events.read(null, 1000),
          await world.core.admin.audit(world.account)
        ])
        expect(records).not.toContain("482915")
      })

      it("show and change their profile", async () => {
        const change = { about: "Open from nine to five", websites: ["https://example.com"], vertical: "RETAIL" }
        const { body, status } = await ask("PATCH", `${numbers}/${id}/profile`, {
          ...change,
          profile_picture_handle: "4::aW1hZ2U="
        })
        const whole = { ...change, address: null, description: null, email: null, profile_picture_url: null }
        expect([status, body]).toEqual([200, whole])
        expect((await ask("GET", `${numbers}/${id}/profile`)).body).toEqual(whole)
        for (const wrong of [
          { about: "" },
          { about: "a".repeat(140) },
          { websites: ["javascript:alert(1)"] },
          { websites: ["https://a.example", "https://b.example", "https://c.example"] },
          { email: "a".repeat(129) }
        ]) {
          expect((await ask("PATCH", `${numbers}/${id}/profile`, wrong)).status, JSON.stringify(wrong)).toBe(422)
        }
      })

      it("block people and let them write again, and say who could not be blocked", async () => {
        platform.unblockable.set("16505559999", 131047)
        const users = ["+1 650-555-1234", "16505559999", "US.13491208655302741918"]
        const blocked = await ask("POST", `${numbers}/${id}/blocked`, { users })
        expect([blocked.status, blocked.body]).toEqual([
          200,
          {
            blocked: [
              { input: "16505551234", user_id: "16505551234" },
              { input: "US.13491208655302741918", user_id: "US.13491208655302741918" }
            ],
            failed: [{ input: "16505559999", code: 131047 }]
          }
        ])
        const unblocked = await ask("DELETE", `${numbers}/${id}/blocked`, { users: ["16505551234"] })
        expect([unblocked.status, unblocked.body]).toEqual([
          200,
          { unblocked: [{ input: "16505551234", user_id: "16505551234" }], failed: [] }
        ])
        expect((await ask("GET", `${numbers}/${id}/blocked?limit=10&after=x`)).body).toEqual({ data: [] })
        expect(platform.of("blocked")[0]?.body).toEqual({ limit: "10", after: "x" })
        for (const wrong of [{ users: [] }, { users: [""] }, {}]) {
          expect((await ask("POST", `${numbers}/${id}/blocked`, wrong)).status).toBe(422)
        }
      })

      it("of other accounts, and those that nobody has, are unknown", async () => {
        const routes = [
          ["POST", "refresh", undefined],
          ["POST", "register", { pin: "482915" }],
          ["POST", "deregister", undefined],
          ["PUT", "pin", { pin: "482915" }],
          ["GET", "profile", undefined],
          ["PATCH", "profile", { about: "x" }],
          ["GET", "blocked", undefined],
          ["POST", "blocked", { users: ["16505551234"] }],
          ["DELETE", "blocked", { users: ["16505551234"] }]
        ] as const
        for (const [method, path, json] of routes) {
          for (const phone of [elsewhere, nobody]) {
            const { status } = await ask(method, `${numbers}/${phone}/${path}`, json)
            expect(status, `${method} ${path}`).toBe(404)
          }
        }
        expect(platform.calls.filter(({ verb }) => verb !== "facts")).toEqual([])
      })
    })

    describe("templates", () => {
      const ofNumber = `?phone_number_id=${phoneNumberId}`
      const one = `${templates}/${welcome.id}`

      const status = (event: string, more: object = {}) => ofTemplate({ event, reason: "NONE", ...more })

      beforeAll(async () => {
        platform.templates.push(welcome)
        expect((await ask("GET", `${templates}${ofNumber}`)).status).toBe(200)
      })

      it("are read one by one, as the platform writes them", async () => {
        const { body, status } = await ask("GET", `${one}${ofNumber}&fields=name,status`)
        expect([status, body]).toEqual([200, welcome])
        expect(platform.of("template")[0]?.body).toEqual({ id: welcome.id, fields: "name,status" })
        expect(news("template.status")).toEqual([])
      })

      it("make one event of each change that a delivery reports", async () => {
        await delivered(about("message_template_status_update", status("APPROVED"), { time: second + 1 }))
        await delivered(about("message_template_status_update", status("APPROVED"), { time: second + 1 }))
        expect(news("template.status")).toEqual([
          {
            business_account_id: businessAccountId,
            template_id: welcome.id,
            name: "welcome",
            language: "en_US",
            change: "status",
            status: "APPROVED",
            previous_status: "PENDING",
            quality: null,
            category: "UTILITY",
            reason: "NONE"
          }
        ])
        await delivered(
          about(
            "message_template_quality_update",
            ofTemplate({ previous_quality_score: "UNKNOWN", new_quality_score: "GREEN" }),
            {
              time: second + 2
            }
          )
        )
        await delivered(
          about("template_category_update", ofTemplate({ correct_category: "MARKETING" }), { time: second + 3 })
        )
        await delivered(
          about("template_category_update", ofTemplate({ previous_category: "UTILITY", new_category: "MARKETING" }), {
            time: second + 4
          })
        )
        await delivered(about("message_template_status_update", status("FLAGGED"), { time: second + 5 }))
        expect(news("template.status")).toMatchObject([
          { change: "quality", quality: "GREEN", status: "APPROVED" },
          { change: "category", category: "MARKETING" }
        ])
      })

      it("are not changed by a delivery that was written before the last one", async () => {
        await delivered(about("message_template_status_update", status("PAUSED"), { time: second + 20 }))
        await delivered(about("message_template_status_update", status("APPROVED"), { time: second + 10 }))
        expect(news("template.status")).toMatchObject([{ status: "PAUSED", previous_status: "APPROVED" }])
      })

      it("are read anew where their words were changed", async () => {
        platform.templates[0] = {
          ...welcome,
          status: "APPROVED",
          category: "MARKETING",
          components: [{ type: "BODY", text: "Hello" }]
        }
        await delivered(about("message_template_components_update", ofTemplate({}), { time: second + 30 }))
        expect(news("template.status")).toMatchObject([{ change: "components" }])
        await until(async () => (platform.of("template").length > 0 ? true : undefined))
      })

      it("are changed, unpaused and deleted, by one language and by every one", async () => {
        const change = { components: [{ type: "BODY", text: "Hello again" }] }
        expect((await ask("PATCH", `${one}${ofNumber}`, change)).body).toEqual({ success: true })
        expect(platform.of("changeTemplate")[0]?.body).toEqual({ id: welcome.id, ...change })
        expect((await ask("POST", `${one}/unpause${ofNumber}`)).body).toEqual({ success: true })
        expect((await ask("DELETE", `${one}${ofNumber}`)).status).toBe(422)
        expect((await ask("DELETE", `${one}${ofNumber}&name=welcome`)).status).toBe(204)
        expect((await ask("DELETE", `${templates}${ofNumber}&name=welcome`)).status).toBe(204)
        expect(platform.of("removeTemplate").map(({ body }) => body)).toEqual([
          { id: welcome.id, name: "welcome" },
          { id: null, name: "welcome" }
        ])
        expect(await audited("template.delete")).toMatchObject([
          { targetId: null, targetName: "welcome" },
          { targetId: welcome.id, targetName: "welcome" }
        ])
      })

      it("take a file that shows their header, of some types alone", async () => {
        const kept = await ask("POST", `${templates}/media`, undefined, example("image/png"))
        expect([kept.status, kept.body]).toEqual([200, { handle: "4::aW1hZ2U=" }])
        expect(platform.of("keepExample")[0]?.body).toEqual({ contentType: "image/png", fileName: "a.png", size: 3 })
        expect((await ask("POST", `${templates}/media`, undefined, example("image/gif"))).status).toBe(422)
      })

      it("take none where the installation names no app, and say what the operator can do", async () => {
        const without = new FakeChatPlatform()
        without.hasApp = false
        const other = await openWorld(begin, storage, {
          core: { messaging: { platform: channelProvider(without.layer), appSecret }, workers: { replies: false } }
        })
        const json = { phone_number_id: phoneNumberId, business_account_id: businessAccountId, access_token: "EAAG" }
        expect((await other.send("POST", numbers, { key: other.key, json })).status).toBe(201)
        const { body, status } = await other.send("POST", `${templates}/media`, {
          key: other.key,
          ...example("image/png")
        })
        await other.close()
        expect([status, body.detail]).toEqual([503, expect.stringContaining("messaging.app_id")])
      })

      it("have ids of digits alone, and belong to a number of the account's", async () => {
        expect((await ask("GET", `${templates}/a${ofNumber}`)).status).toBe(422)
        expect((await ask("GET", `${templates}/${"1".repeat(65)}${ofNumber}`)).status).toBe(422)
        for (const [method, path, json] of [
          ["GET", `${one}?phone_number_id=900`, undefined],
          ["PATCH", `${one}?phone_number_id=900`, {}],
          ["DELETE", `${one}?phone_number_id=900&name=welcome`, undefined],
          ["DELETE", `${templates}?phone_number_id=900&name=welcome`, undefined],
          ["POST", `${one}/unpause?phone_number_id=900`, undefined]
        ] as const) {
          expect((await ask(method, path, json)).status, `${method} ${path}`).toBe(404)
        }
      })
    })
  })
