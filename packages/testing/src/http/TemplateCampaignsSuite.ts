/** Template campaigns as callers make, fill, move and read them, before a message goes out. Verifies: TCMP-2. */
import type { StorageProvider } from "@trunkline/core"
import { channelProvider } from "@trunkline/core/provider"
import { webChat } from "@trunkline/providers/web-chat"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FakeChatPlatform, refusedWith, sampleNumber } from "../messaging/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import { utc, uuid } from "./WebhookWorld.ts"

const root = "/api/v1/messaging"
const campaigns = `${root}/campaigns`
const businessAccountId = "102290129340398"
const { phoneNumberId } = sampleNumber

const start = Date.UTC(2026, 10, 21, 9, 30)
const tomorrow = "2026-11-22T09:30:00.000Z"
const yesterday = "2026-11-20T09:30:00.000Z"

const statuses = ["draft", "scheduled", "running", "paused", "completed", "cancelled"] as const
type Status = (typeof statuses)[number]

/** Where a caller may move a campaign of each status; what is not here is refused. */
const moves: Readonly<Record<Exclude<Status, "completed">, ReadonlyArray<Status>>> = {
  draft: ["scheduled", "running", "cancelled"],
  scheduled: ["draft", "running", "cancelled"],
  running: ["paused", "cancelled"],
  paused: ["running", "cancelled"],
  cancelled: []
}

/** How a draft comes to each status. */
const ways: Readonly<Record<keyof typeof moves, ReadonlyArray<Status>>> = {
  draft: [],
  scheduled: ["scheduled"],
  running: ["running"],
  paused: ["running", "paused"],
  cancelled: ["cancelled"]
}

const faultsIn = ({ body }: Answer): ReadonlyArray<string> =>
  ((body.detail ?? []) as ReadonlyArray<{ readonly loc: ReadonlyArray<string | number> }>).map(({ loc }) =>
    loc.slice(1).join(".")
  )

export const templateCampaignsSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`template campaigns through ${name}`, () => {
    const platform = new FakeChatPlatform().owns(businessAccountId, "200")
    let world: HttpWorld
    let people = 0

    const ask = (method: string, path: string, json?: unknown, over: Sent = {}): Promise<Answer> =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }), ...over })

    /** A number that nobody else in this suite has. */
    const somebody = (): string => {
      people += 1
      return `+1650557${String(people).padStart(4, "0")}`
    }

    const fieldsOf = (more: object = {}) => ({
      name: "Autumn",
      phone_number_id: phoneNumberId,
      template: { name: "order_sent", language: "en" },
      ...more
    })

    const make = (more: object = {}) => ask("POST", campaigns, fieldsOf(more))

    const made = async (more: object = {}): Promise<string> => {
      const { body, status, text } = await make(more)
      expect(status, text).toBe(201)
      return `${campaigns}/${body.id}`
    }

    const add = (path: string, contacts: ReadonlyArray<object>) => ask("POST", `${path}/contacts`, { contacts })

    const moved = (path: string, status: string, over: Sent = {}) => ask("POST", `${path}/status`, { status }, over)

    /** A campaign with one contact that has come to a status. */
    const cameTo = async (status: keyof typeof moves, more: object = {}): Promise<string> => {
      const path = await made({ scheduled_at: tomorrow, ...more })
      expect((await add(path, [{ phone: somebody() }])).status).toBe(200)
      for (const step of ways[status]) {
        const answer = await moved(path, step)
        expect(answer.status, `${step}: ${answer.text}`).toBe(200)
      }
      return path
    }

    beforeAll(async () => {
      world = await openWorld(begin, storage, {
        core: {
          messaging: {
            platform: channelProvider(platform.layer),
            channels: [webChat({ secret: "the secret of all chats of this suite" })]
          },
          clock: { now: () => start, speed: 1000 },
          workers: { replies: false, templateCampaigns: false }
        }
      })
      for (const phone_number_id of [phoneNumberId, "200"]) {
        const json = { phone_number_id, business_account_id: businessAccountId, access_token: "EAAG-a-token" }
        expect((await ask("POST", `${root}/phone_numbers`, json)).status).toBe(201)
      }
      const settings = { id: "shop", origins: ["https://shop.example.com"], title: "Shop" }
      expect((await ask("POST", `${root}/channels/web-chat/connections`, { settings })).status).toBe(201)
      const body = [{ type: "BODY", text: "Hello {{1}}" }]
      const template = { language: "en", status: "APPROVED", components: body }
      platform.templates.push(
        { ...template, id: "1", name: "offer", category: "MARKETING" },
        { ...template, id: "2", name: "order_sent", category: "UTILITY" },
        { ...template, id: "3", name: "code", category: "AUTHENTICATION" },
        { ...template, id: "4", name: "waiting", category: "UTILITY", status: "PENDING" },
        {
          ...template,
          id: "5",
          name: "cards",
          category: "UTILITY",
          components: [...body, { type: "CAROUSEL", cards: [] }]
        }
      )
      await ask("GET", `${root}/templates?phone_number_id=${phoneNumberId}`)
    })
    afterAll(() => world.close())
    beforeEach(() => {
      platform.calls.length = 0
      platform.fails("templatesNamed", null)
    })

    describe("a campaign", () => {
      it("is a draft with the defaults of what was left out, and asks the platform nothing", async () => {
        const { body, status } = await make()
        expect(status).toBe(201)
        expect(body).toEqual({
          id: expect.stringMatching(uuid),
          tenant_id: world.account,
          name: "Autumn",
          phone_number_id: phoneNumberId,
          template: { name: "order_sent", language: "en" },
          category: "UTILITY",
          template_status: "APPROVED",
          template_quality: null,
          parameters: {},
          status: "draft",
          pause_reason: null,
          scheduled_at: null,
          timezone: "Asia/Kolkata",
          quiet_hours_start: 9,
          quiet_hours_end: 21,
          max_per_second: null,
          max_per_day: null,
          require_opt_in: true,
          respect_do_not_call: true,
          pause_on_quality: "red",
          max_failure_percent: 30,
          retry_marketing_limit: false,
          reply_window_hours: 72,
          total_contacts: 0,
          sent_contacts: 0,
          delivered_contacts: 0,
          read_contacts: 0,
          failed_contacts: 0,
          skipped_contacts: 0,
          replied_contacts: 0,
          pricing: {},
          started_at: null,
          completed_at: null,
          created_at: expect.stringMatching(utc),
          updated_at: body.created_at
        })
        expect((await ask("GET", `${campaigns}/${body.id}`)).body).toEqual(body)
        const unknown = await make({ template: { name: "nobody_knows", language: "en_US" } })
        expect(unknown.body).toMatchObject({ category: null, template_status: null, template_quality: null })
        expect(platform.calls).toEqual([])
      })

      it("takes every field at its bounds, null as absent, and ignores fields that it does not have", async () => {
        const fields = {
          name: "😀".repeat(255),
          template: { name: "t".repeat(512), language: "l".repeat(16) },
          parameters: {
            "body.1": { value: "v".repeat(1024) },
            "body.total": { field: "variables.total", fallback: null },
            "header.media": { value: "https://example.com/a.jpg" },
            "buttons.0": { field: "custom.code", fallback: "none" }
          },
          scheduled_at: tomorrow,
          timezone: "Europe/Paris",
          quiet_hours_start: 0,
          quiet_hours_end: 24,
          max_per_second: 1000,
          max_per_day: 1_000_000,
          require_opt_in: false,
          respect_do_not_call: false,
          pause_on_quality: "never",
          max_failure_percent: 100,
          retry_marketing_limit: true,
          reply_window_hours: 168
        }
        const { body } = await make({ ...fields, status: "running", total_contacts: 5, colour: "red" })
        expect(body).toMatchObject({ ...fields, status: "draft", total_contacts: 0 })
        const nulls = Object.fromEntries(
          Object.keys(fields)
            .slice(2)
            .map((field) => [field, null])
        )
        expect((await make(nulls)).body).toMatchObject({
          parameters: {},
          timezone: "Asia/Kolkata",
          require_opt_in: true
        })
      })

      it("is refused with the field that is at fault, and is not made", async () => {
        const count = async () => (await ask("GET", `${campaigns}?limit=1`)).headers["x-total-count"]
        const before = await count()
        for (const [more, field] of [
          [{ name: "" }, "name"],
          [{ name: "   " }, "name"],
          [{ name: "n".repeat(256) }, "name"],
          [{ name: undefined }, "name"],
          [{ phone_number_id: undefined }, "phone_number_id"],
          [{ phone_number_id: "+1 650" }, "phone_number_id"],
          [{ template: undefined }, "template"],
          [{ template: { language: "en" } }, "template.name"],
          [{ template: { name: "t".repeat(513), language: "en" } }, "template.name"],
          [{ template: { name: "t", language: "e" } }, "template.language"],
          [{ template: { name: "t", language: "l".repeat(17) } }, "template.language"],
          [{ parameters: { "body.1": { value: "v".repeat(1025) } } }, "parameters.body.1"],
          [{ parameters: { "footer.1": { value: "v" } } }, "parameters.footer.1"],
          [{ parameters: { "body.1": { field: "surname" } } }, "parameters.body.1"],
          [{ parameters: { "header.media": { value: "ftp://example.com/a" } } }, "parameters.header.media"],
          [{ scheduled_at: "soon" }, "scheduled_at"],
          [{ timezone: "Mars/Olympus" }, "timezone"],
          [{ quiet_hours_start: -1 }, "quiet_hours_start"],
          [{ quiet_hours_start: 24 }, "quiet_hours_start"],
          [{ quiet_hours_end: 0 }, "quiet_hours_end"],
          [{ quiet_hours_end: 25 }, "quiet_hours_end"],
          [{ quiet_hours_start: 12, quiet_hours_end: 12 }, "quiet_hours_end"],
          [{ quiet_hours_start: 22 }, "quiet_hours_end"],
          [{ max_per_second: 0 }, "max_per_second"],
          [{ max_per_second: 1001 }, "max_per_second"],
          [{ max_per_day: 0 }, "max_per_day"],
          [{ max_per_day: 1_000_001 }, "max_per_day"],
          [{ require_opt_in: "yes" }, "require_opt_in"],
          [{ require_opt_in: false, template: { name: "offer", language: "en" } }, "require_opt_in"],
          [{ respect_do_not_call: 1 }, "respect_do_not_call"],
          [{ pause_on_quality: "green" }, "pause_on_quality"],
          [{ max_failure_percent: 0 }, "max_failure_percent"],
          [{ max_failure_percent: 101 }, "max_failure_percent"],
          [{ retry_marketing_limit: "no" }, "retry_marketing_limit"],
          [{ reply_window_hours: 0 }, "reply_window_hours"],
          [{ reply_window_hours: 169 }, "reply_window_hours"]
        ] as const) {
          const answer = await make(more)
          expect([answer.status, faultsIn(answer)], JSON.stringify(more).slice(0, 80)).toEqual([422, [field]])
        }
        expect(await count()).toBe(before)
      })

      it("belongs to a connected number of the account, on a channel that has templates", async () => {
        expect((await make({ phone_number_id: "900" })).status).toBe(404)
        expect((await ask("POST", campaigns, fieldsOf(), { key: world.stranger })).status).toBe(404)
        const lacking = await make({ phone_number_id: "web-chat:shop" })
        expect([lacking.status, lacking.body.detail]).toEqual([422, "The channel of this number has no templates."])
      })

      it("is changed by the fields that are sent, judged on the merged record", async () => {
        const path = await made({ quiet_hours_start: 8 })
        const change = { name: "Winter", template: { name: "waiting", language: "en" }, max_per_day: 5 }
        const { body, status } = await ask("PATCH", path, { ...change, status: "running", phone_number_id: "200" })
        expect(status).toBe(200)
        expect(body).toMatchObject({
          ...change,
          status: "draft",
          phone_number_id: phoneNumberId,
          quiet_hours_start: 8,
          template_status: "PENDING"
        })
        expect(faultsIn(await ask("PATCH", path, { quiet_hours_end: 8 }))).toEqual(["quiet_hours_end"])
        expect(faultsIn(await ask("PATCH", path, { quiet_hours_start: 21 }))).toEqual(["quiet_hours_end"])
        expect(faultsIn(await ask("PATCH", path, { timezone: null }))).toEqual(["timezone"])
        expect((await ask("PATCH", path, { max_per_day: null })).body.max_per_day).toBe(null)
        const marketing = { require_opt_in: false, template: { name: "offer", language: "en" } }
        expect(faultsIn(await ask("PATCH", path, marketing))).toEqual(["require_opt_in"])
        expect((await ask("GET", path)).body).toMatchObject({ ...change, max_per_day: null, require_opt_in: true })
        expect((await ask("PATCH", `${campaigns}/${nobody}`, { name: "x" })).status).toBe(404)
      })

      it("has one template once it is no draft any more, and no change once it has ended", async () => {
        const path = await cameTo("scheduled")
        const same = { template: { name: "order_sent", language: "en" }, name: "The same one" }
        expect((await ask("PATCH", path, same)).body).toMatchObject(same)
        expect((await ask("PATCH", path, { template: { name: "offer", language: "en" } })).status).toBe(409)
        await moved(path, "cancelled")
        const { body, status } = await ask("PATCH", path, { name: "x" })
        expect([status, body.detail]).toEqual([409, "This campaign is cancelled, and cannot be changed any more."])
      })

      it("is deleted with its list, but not while it runs", async () => {
        const path = await cameTo("running")
        expect((await ask("DELETE", path)).status).toBe(409)
        await moved(path, "paused")
        expect((await ask("DELETE", path)).status).toBe(204)
        for (const [method, below] of [
          ["GET", ""],
          ["DELETE", ""],
          ["GET", "/contacts"],
          ["GET", "/contacts.csv"],
          ["GET", "/live"]
        ] as const) {
          expect((await ask(method, `${path}${below}`)).status, `${method} ${below}`).toBe(404)
        }
      })

      it("is listed with others, newest first, by pages, status and number", async () => {
        const ofSecond = (more: object = {}) => made({ phone_number_id: "200", ...more })
        const [first, second] = [await ofSecond({ name: "First" }), await ofSecond({ name: "Second" })]
        expect((await moved(first, "cancelled")).status).toBe(200)
        const listed = async (query: string) => {
          const { headers, items } = await ask("GET", `${campaigns}?${query}`)
          return [headers["x-total-count"], items.map((one) => one.name)]
        }
        expect(await listed("phone_number_id=200")).toEqual(["2", ["Second", "First"]])
        expect(await listed("phone_number_id=200&limit=1")).toEqual(["2", ["Second"]])
        expect(await listed("phone_number_id=200&limit=1&offset=1")).toEqual(["2", ["First"]])
        expect(await listed("phone_number_id=200&status=cancelled")).toEqual(["1", ["First"]])
        expect(await listed("phone_number_id=900")).toEqual(["0", []])
        expect((await ask("GET", second)).body.name).toBe("Second")
        for (const query of ["limit=0", "limit=101", "offset=-1", "status=gone", "status=draft,running"]) {
          expect((await ask("GET", `${campaigns}?${query}`)).status, query).toBe(422)
        }
      })
    })

    describe("its status", () => {
      it.each(Object.keys(moves) as ReadonlyArray<keyof typeof moves>)(
        "moves from %s as the table says, and nowhere else",
        async (from) => {
          for (const to of statuses) {
            const path = await cameTo(from)
            const { body, status } = await moved(path, to)
            const may = to === from || moves[from].includes(to)
            expect([to, status], String(body.detail)).toEqual([to, may ? 200 : 409])
            expect((await ask("GET", path)).body.status).toBe(may ? to : from)
          }
          expect(faultsIn(await moved(await cameTo(from), "gone"))).toEqual(["status"])
        }
      )

      it("changes nothing where it is the present one", async () => {
        const path = await cameTo("running")
        platform.calls.length = 0
        const before = (await ask("GET", path)).body
        expect((await moved(path, "running")).body).toEqual(before)
        expect(platform.calls).toEqual([])
        expect((await moved(`${campaigns}/${nobody}`, "running")).status).toBe(404)
      })

      it("says when it was first started, and who has moved it stands in the audit log", async () => {
        const path = await cameTo("running")
        const started = (await ask("GET", path)).body.started_at
        expect(started).toMatch(utc)
        await moved(path, "paused")
        const paused = (await ask("GET", path)).body
        expect(paused).toMatchObject({ started_at: started, pause_reason: null, completed_at: null })
        const targetId = path.slice(campaigns.length + 1)
        expect((await ask("POST", `${path}/retry`)).status).toBe(202)
        const file = new TextEncoder().encode("phone,name\n+4930901829,Ada\n")
        await world.core.templateCampaigns.importCsv(world.account, targetId, file, { dryRun: false })
        await moved(path, "cancelled")
        expect((await ask("DELETE", path)).status).toBe(204)
        const actions = (await world.core.admin.audit(world.account)).filter((entry) => entry.targetId === targetId)
        expect(actions.map(({ action }) => action).sort()).toEqual([
          "template_campaign.cancel",
          "template_campaign.delete",
          "template_campaign.import",
          "template_campaign.pause",
          "template_campaign.retry",
          "template_campaign.start"
        ])
      })

      it("is scheduled for a time that is to come, and for no other", async () => {
        for (const scheduled_at of [null, yesterday]) {
          const path = await made({ scheduled_at })
          await add(path, [{ phone: somebody() }])
          const { body, status } = await moved(path, "scheduled")
          expect([status, body.detail]).toEqual([409, expect.stringContaining("scheduled_at is in the future")])
          expect((await ask("PATCH", path, { scheduled_at: tomorrow })).status).toBe(200)
          expect((await moved(path, "scheduled")).body).toMatchObject({ status: "scheduled", scheduled_at: tomorrow })
        }
      })

      it.each([
        ["it has no contacts", {}, 0, /no contacts/],
        [
          "there is no such template",
          { template: { name: "unheard_of", language: "en" } },
          1,
          /no template of this name/
        ],
        [
          "there is no such language of it",
          { template: { name: "order_sent", language: "de" } },
          1,
          /in this language/
        ],
        [
          "a template's name is a part of another one alone",
          { template: { name: "order", language: "en" } },
          1,
          /no template/
        ],
        ["the template is not approved", { template: { name: "waiting", language: "en" } }, 1, /status is PENDING/],
        ["the template is for codes", { template: { name: "code", language: "en" } }, 1, /category AUTHENTICATION/],
        ["the template cannot be filled", { template: { name: "cards", language: "en" } }, 1, /cannot fill, CAROUSEL/]
      ] as const)("is refused to start where %s: 409, and 409 to schedule", async (_, more, contacts, sentence) => {
        const path = await made({ scheduled_at: tomorrow, ...more })
        if (contacts > 0) await add(path, [{ phone: somebody() }])
        for (const to of ["running", "scheduled"]) {
          const { body, status } = await moved(path, to)
          expect([status, body.detail]).toEqual([409, expect.stringMatching(sentence)])
        }
        expect((await ask("GET", path)).body.status).toBe("draft")
        expect(platform.of("send")).toEqual([])
      })

      it("is refused to start where a template is known as MARKETING only then, and consent is not asked for", async () => {
        platform.templates.push({
          id: "9",
          name: "news",
          language: "en",
          status: "APPROVED",
          category: "MARKETING",
          components: []
        })
        const path = await made({ template: { name: "news", language: "en" }, require_opt_in: false })
        await add(path, [{ phone: somebody() }])
        const { body, status } = await moved(path, "running")
        expect([status, body.detail]).toEqual([409, expect.stringContaining("set require_opt_in to true")])
      })

      it("is not decided where the platform cannot be read: 502", async () => {
        const path = await made()
        await add(path, [{ phone: somebody() }])
        platform.fails("templatesNamed", refusedWith(131016, 500))
        expect((await moved(path, "running")).status).toBe(502)
        expect((await ask("GET", path)).body.status).toBe("draft")
      })
    })

    describe("its contacts", () => {
      it("are shown in the order of adding, with every field", async () => {
        const path = await made()
        const [first, second] = [somebody(), somebody()]
        const contacts = [
          { phone: first, name: "Ada", variables: { "1": "4711", total: "5 €" }, opted_in: true },
          { user_id: "US.77" },
          { phone: second, user_id: "US.78", name: null, variables: null, opted_in: null }
        ]
        const { body, status } = await add(path, contacts)
        expect([status, body]).toEqual([200, { added: 3, skipped_duplicate: 0, skipped_invalid: 0, total_now: 3 }])
        const { headers, items } = await ask("GET", `${path}/contacts`)
        expect(headers["x-total-count"]).toBe("3")
        expect(items[0]).toEqual({
          id: expect.stringMatching(uuid),
          ...contacts[0],
          user_id: null,
          status: "queued",
          reason: null,
          error: null,
          attempts: 0,
          next_attempt_at: null,
          held: false,
          message_id: null,
          msgid: null,
          conversation_id: null,
          sent_at: null,
          delivered_at: null,
          read_at: null,
          failed_at: null,
          replied_at: null,
          reply: null,
          pricing: null,
          created_at: expect.stringMatching(utc)
        })
        expect(items.slice(1).map((one) => [one.phone, one.user_id, one.name, one.variables, one.opted_in])).toEqual([
          [null, "US.77", null, {}, false],
          [second, "US.78", null, {}, false]
        ])
        expect((await ask("GET", path)).body.total_contacts).toBe(3)
      })

      it("are on the list once, by number and by id, in one request and in a later one", async () => {
        const path = await made()
        const phone = somebody()
        const once = await add(path, [
          { phone, name: "First" },
          { phone: phone.replace("+1", "001 "), name: "Again" },
          { user_id: "US.1" },
          { user_id: "US.1" },
          { phone: "12" },
          { phone: somebody(), user_id: "US.1" }
        ])
        expect(once.body).toEqual({ added: 2, skipped_duplicate: 3, skipped_invalid: 1, total_now: 2 })
        const again = await add(path, [{ phone }, { user_id: "US.1" }, { user_id: "US.2" }])
        expect(again.body).toEqual({ added: 1, skipped_duplicate: 2, skipped_invalid: 0, total_now: 3 })
        expect((await ask("GET", `${path}/contacts`)).items[0]?.name).toBe("First")
      })

      it("are at most 1000 in one request, each within its bounds", async () => {
        const path = await made()
        const many = (count: number) => Array.from({ length: count }, () => ({ phone: somebody() }))
        expect((await add(path, many(1001))).status).toBe(422)
        expect((await add(path, many(1000))).body.added).toBe(1000)
        expect((await add(path, [])).body).toEqual({
          added: 0,
          skipped_duplicate: 0,
          skipped_invalid: 0,
          total_now: 1000
        })
        const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, ""]))
        for (const [contact, field] of [
          [{}, "phone"],
          [{ phone: null, user_id: null }, "phone"],
          [{ phone: "" }, "phone"],
          [{ phone: "1".repeat(65) }, "phone"],
          [{ user_id: "" }, "user_id"],
          [{ user_id: "u".repeat(513) }, "user_id"],
          [{ phone: "+14155550123", name: "n".repeat(256) }, "name"],
          [{ phone: "+14155550123", opted_in: "yes" }, "opted_in"],
          [{ phone: "+14155550123", variables: named(65) }, "variables"],
          [{ phone: "+14155550123", variables: { ["k".repeat(65)]: "" } }, "variables"],
          [{ phone: "+14155550123", variables: { "": "" } }, "variables"],
          [{ phone: "+14155550123", variables: { "1": "v".repeat(1025) } }, "variables.1"],
          [{ phone: "+14155550123", variables: { "1": 5 } }, "variables.1"]
        ] as const) {
          const answer = await add(path, [contact])
          expect([answer.status, faultsIn(answer)], JSON.stringify(contact).slice(0, 80)).toEqual([
            422,
            [`contacts.0.${field}`]
          ])
        }
        const largest = { user_id: "u".repeat(512), name: "😀".repeat(255), variables: named(64) }
        expect((await add(path, [largest])).body.added).toBe(1)
      })

      it("are added while the campaign is draft, scheduled or paused", async () => {
        for (const [status, expected] of [
          ["draft", 200],
          ["scheduled", 200],
          ["running", 409],
          ["paused", 200],
          ["cancelled", 409]
        ] as const) {
          const path = await cameTo(status)
          expect((await add(path, [{ phone: somebody() }])).status, status).toBe(expected)
          const segment = await ask("POST", `${path}/contacts/segment`, { tags: ["nobody has it"], dry_run: true })
          expect(segment.status, status).toBe(expected)
        }
      })

      it("are filtered by status, reason, reply and the last digits of the number", async () => {
        const path = await made()
        await add(path, [{ phone: "+1 (650) 558-7001" }, { phone: "+16505587101" }, { user_id: "US.1" }])
        const found = async (query: string) => {
          const { headers, items } = await ask("GET", `${path}/contacts?${query}`)
          return [headers["x-total-count"], items.map(({ phone, user_id }) => phone ?? user_id)]
        }
        const [first, second] = ["+1 (650) 558-7001", "+16505587101"]
        expect(await found("status=queued")).toEqual(["3", [first, second, "US.1"]])
        expect(await found("status=sent")).toEqual(["0", []])
        expect(await found("reason=platform")).toEqual(["0", []])
        expect(await found("replied=false&limit=1&offset=1")).toEqual(["3", [second]])
        expect(await found("replied=true")).toEqual(["0", []])
        expect(await found("phone=101")).toEqual(["1", [second]])
        expect(await found("phone=01")).toEqual(["2", [first, second]])
        expect(await found(`phone=${encodeURIComponent("(650) 558-7001")}`)).toEqual(["1", [first]])
        expect(await found("phone=16505587001")).toEqual(["1", [first]])
        expect(await found("phone=nobody")).toEqual(["0", []])
        for (const query of ["status=gone", "reason=none", "replied=maybe", "limit=501", "phone="]) {
          expect((await ask("GET", `${path}/contacts?${query}`)).status, query).toBe(422)
        }
      })

      it("are a CSV file in which no cell runs as a formula, with the same filters", async () => {
        const path = await made()
        const [phone, other] = [somebody(), somebody()]
        await add(path, [
          { phone, name: '=HYPERLINK("x")', variables: { "1": "a,b" }, opted_in: true },
          { phone: other, name: "@SUM(A1)" }
        ])
        const file = await ask("GET", `${path}/contacts.csv`)
        expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8")
        expect(file.headers["content-disposition"]).toBe('attachment; filename="contacts.csv"')
        const [header, first, second] = file.text.split("\r\n")
        expect(header).toBe(
          "id,phone,user_id,name,variables,opted_in,status,reason,error_code,error_message,attempts,next_attempt_at,held,message_id,msgid,conversation_id,sent_at,delivered_at,read_at,failed_at,replied_at,reply_message_id,reply_text,reply_button,pricing_category,pricing_type,pricing_billable,created_at"
        )
        expect(first).toContain(`,'${phone},,"'=HYPERLINK(""x"")","{""1"":""a,b""}",true,queued,`)
        expect(second).toContain(`,'${other},,'@SUM(A1),{},false,queued,`)
        expect((await ask("GET", `${path}/contacts.csv?phone=${other.slice(-6)}`)).text.split("\r\n")).toHaveLength(3)
        expect((await ask("GET", `${path}/contacts.csv?status=failed`)).text).toBe(`${header}\r\n`)
      })

      it("leave the list while they are queued, and are missed by nobody", async () => {
        const path = await made()
        await add(path, [{ phone: somebody() }, { phone: somebody() }])
        const [first, second] = (await ask("GET", `${path}/contacts`)).items
        const elsewhere = await made()
        expect((await ask("DELETE", `${elsewhere}/contacts/${first?.id}`)).status).toBe(404)
        expect((await ask("DELETE", `${path}/contacts/${first?.id}`)).status).toBe(204)
        expect((await ask("DELETE", `${path}/contacts/${first?.id}`)).status).toBe(404)
        expect((await ask("GET", `${path}/contacts`)).items).toEqual([second])
        expect((await ask("GET", path)).body.total_contacts).toBe(1)
      })

      it("come from the address book by tags, as they are now", async () => {
        const tagged = (tags: ReadonlyArray<string>, more: object = {}) =>
          ask("POST", "/api/v1/contacts", { phone: somebody(), tags, ...more })
        await tagged(["tea"], { name: "Ada", opted_in: true })
        await tagged(["tea", "gold"])
        await tagged(["tea", "complaint"])
        await tagged(["gold"])
        const path = await made()
        const segment = (order: object) => ask("POST", `${path}/contacts/segment`, order)
        const counts = async (order: object) => {
          const { body } = await segment({ ...order, dry_run: true })
          return [body.matched, body.added]
        }
        expect(await counts({ tags: ["tea"] })).toEqual([3, 3])
        expect(await counts({ tags: ["tea", "gold"] })).toEqual([4, 4])
        expect(await counts({ tags: ["tea", "gold"], match: "all" })).toEqual([1, 1])
        expect(await counts({ tags: ["tea"], exclude_tags: ["complaint"] })).toEqual([2, 2])
        expect(await counts({ tags: ["tea"], opted_in: true })).toEqual([1, 1])
        expect((await ask("GET", path)).body.total_contacts).toBe(0)
        const added = await segment({ tags: ["tea"], exclude_tags: ["complaint"] })
        expect(added.body).toEqual({ matched: 2, added: 2, skipped_duplicate: 0, total_now: 2 })
        const again = await segment({ tags: ["gold"] })
        expect(again.body).toEqual({ matched: 2, added: 1, skipped_duplicate: 1, total_now: 3 })
        expect((await ask("GET", `${path}/contacts`)).items[0]).toMatchObject({ name: "Ada", opted_in: true })
        const many = Array.from({ length: 51 }, (_, i) => `tag ${i}`)
        for (const [order, field] of [
          [{}, "tags"],
          [{ tags: [] }, "tags"],
          [{ tags: many }, "tags"],
          [{ tags: [""] }, "tags.0"],
          [{ tags: ["tea"], exclude_tags: many }, "exclude_tags"],
          [{ tags: ["tea"], match: "none" }, "match"],
          [{ tags: ["tea"], dry_run: "yes" }, "dry_run"]
        ] as const) {
          const answer = await segment(order)
          expect([answer.status, faultsIn(answer)], JSON.stringify(order).slice(0, 60)).toEqual([422, [field]])
        }
      })
    })

    describe("a retry", () => {
      it("is for reasons for which a second message can be right", async () => {
        const path = await cameTo("paused")
        const retry = (json?: unknown) => ask("POST", `${path}/retry`, json)
        for (const order of [undefined, {}, { reasons: null }, { reasons: ["platform", "rejected"] }]) {
          const { body, status } = await retry(order)
          expect([status, body], JSON.stringify(order)).toEqual([202, { queued: 0 }])
        }
        for (const reason of ["opted_out", "outcome_unknown", "undeliverable", "blocked", "unheard_of"]) {
          const answer = await retry({ reasons: ["platform", reason] })
          expect([answer.status, faultsIn(answer)], reason).toEqual([422, ["reasons.1"]])
        }
        expect(faultsIn(await retry({ reasons: [] }))).toEqual(["reasons"])
        expect((await ask("GET", path)).body.status).toBe("paused")
      })

      it("is refused but for a campaign that is paused or completed", async () => {
        for (const status of ["draft", "scheduled", "running", "cancelled"] as const) {
          expect((await ask("POST", `${await cameTo(status)}/retry`)).status, status).toBe(409)
        }
        expect((await ask("POST", `${campaigns}/${nobody}/retry`)).status).toBe(404)
      })
    })

    describe("before a start", () => {
      it("a dry run says what would be sent and changes nothing", async () => {
        const path = await made({ parameters: { "body.1": { field: "first_name" } } })
        await add(path, [
          { phone: "+16505590001", name: "Ada Lovelace", opted_in: true },
          { phone: "+16505590002", name: "Bo" },
          { phone: "+16505590003", opted_in: true }
        ])
        const { body, status } = await ask("POST", `${path}/dry-run`)
        expect(status).toBe(200)
        expect(body).toMatchObject({
          contacts: 3,
          sendable: 1,
          skipped: { no_opt_in: 1, missing_variable: 1 },
          errors: [],
          samples: [
            { to: "16505590001", text: "Hello Ada", template: { name: "order_sent", language: { code: "en" } } }
          ],
          template: { name: "order_sent", language: "en", category: "UTILITY", status: "APPROVED", quality: null },
          estimate: { category: "UTILITY", messages: 1, free: 0, currency: "USD", cost: null, by_prefix: [] }
        })
        expect(body.number).toMatchObject({ used_24h: 0 })
        expect((await ask("GET", path)).body).toMatchObject({ status: "draft", skipped_contacts: 0 })
        expect(platform.of("send")).toEqual([])
      })

      it("a dry run names everything that would refuse the start, and is refused once the campaign is cancelled", async () => {
        const path = await made({ template: { name: "unheard_of", language: "en" } })
        const { body, status } = await ask("POST", `${path}/dry-run`)
        expect(status).toBe(200)
        const errors = body.errors as ReadonlyArray<Fields>
        expect(errors.map(({ code }) => code)).toEqual(["no_contacts", "template_missing"])
        expect((await moved(path, "running")).body.detail).toBe(errors.map(({ message }) => message).join(" "))
        expect((await ask("POST", `${await cameTo("cancelled")}/dry-run`)).status).toBe(409)
        platform.fails("templatesNamed", refusedWith(131016, 500))
        expect((await ask("POST", `${path}/dry-run`)).status).toBe(502)
      })

      it("a test message goes to one person, and is on no list and in no count", async () => {
        const path = await made()
        const to = somebody()
        const { body, status } = await ask("POST", `${path}/test`, { to, variables: { "1": "Ada" } })
        expect(status, JSON.stringify(body)).toBe(200)
        expect(body).toMatchObject({
          msgid: expect.stringContaining("wamid"),
          contacts: [{ user_id: expect.anything() }]
        })
        expect(platform.of("send")).toHaveLength(1)
        expect((await ask("GET", path)).body).toMatchObject({ total_contacts: 0, sent_contacts: 0 })
        const lacking = await ask("POST", `${path}/test`, { to })
        expect(lacking.status).toBe(422)
        for (const [json, field] of [
          [{}, "to"],
          [{ to: "12" }, "to"],
          [{ user_id: "u".repeat(513) }, "user_id"],
          [{ to, variables: { "": "x" } }, "variables"]
        ] as const) {
          expect(faultsIn(await ask("POST", `${path}/test`, json)), JSON.stringify(json).slice(0, 60)).toEqual([field])
        }
        await ask("POST", `${root}/opt-outs`, { entries: [{ phone: to }] })
        expect((await ask("POST", `${path}/test`, { to, variables: { "1": "Ada" } })).status).toBe(409)
        expect(platform.of("send")).toHaveLength(1)
      })

      it("the live view says what the campaign waits for", async () => {
        const path = await cameTo("scheduled")
        const { body, status } = await ask("GET", `${path}/live`)
        expect(status).toBe(200)
        expect(body).toMatchObject({
          campaign_id: path.slice(campaigns.length + 1),
          status: "scheduled",
          pause_reason: null,
          by_status: {
            queued: 1,
            sending: 0,
            sent: 0,
            delivered: 0,
            read: 0,
            skipped: 0,
            failed: 0,
            unknown: 0
          },
          messages_per_second: 0,
          failures: [],
          template: { status: "APPROVED", category: "UTILITY" },
          waiting_for: { reason: "not_running", until: tomorrow }
        })
      })
    })

    describe("who may", () => {
      it("see and change a campaign is its account alone: every id of another one is unknown", async () => {
        const path = await cameTo("draft")
        const [contact] = (await ask("GET", `${path}/contacts`)).items
        const foreign = { key: world.stranger }
        for (const [method, below, json] of [
          ["GET", "", undefined],
          ["PATCH", "", { name: "x" }],
          ["DELETE", "", undefined],
          ["POST", "/status", { status: "running" }],
          ["POST", "/status", { status: "cancelled" }],
          ["POST", "/contacts", { contacts: [{ phone: somebody() }] }],
          ["GET", "/contacts", undefined],
          ["GET", "/contacts.csv", undefined],
          ["DELETE", `/contacts/${contact?.id}`, undefined],
          ["POST", "/contacts/segment", { tags: ["tea"] }],
          ["POST", "/contacts/segment", { tags: ["tea"], dry_run: true }],
          ["POST", "/retry", undefined],
          ["POST", "/dry-run", undefined],
          ["POST", "/test", { to: somebody() }],
          ["GET", "/live", undefined]
        ] as const) {
          expect((await ask(method, `${path}${below}`, json, foreign)).status, `${method} ${below}`).toBe(404)
        }
        expect((await ask("GET", campaigns, undefined, foreign)).items).toEqual([])
        expect((await ask("GET", path)).body).toMatchObject({ name: "Autumn", status: "draft", total_contacts: 1 })
      })

      it("have messages sent needs a scope of its own beside the one to change", async () => {
        const path = await cameTo("paused", { scheduled_at: tomorrow })
        const draft = await cameTo("draft")
        const writer = { key: await world.keyWith("messaging:write") }
        const sender = { key: await world.keyWith("messaging:send") }
        const both = { key: await world.keyWith("messaging:write", "messaging:send") }
        for (const [campaign, to] of [
          [path, "running"],
          [draft, "scheduled"],
          [draft, "running"]
        ] as const) {
          const refused = await moved(campaign, to, writer)
          expect([refused.status, refused.headers["x-service-error"]], to).toEqual([403, "permission_denied"])
          expect(refused.body.detail).toBe("This API key lacks the scope messaging:send. Use a key that has it.")
          expect((await moved(campaign, to, sender)).body.detail).toContain("lacks the scope messaging:write")
        }
        const refused = await ask("POST", `${path}/retry`, {}, writer)
        expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("messaging:send")])
        expect((await ask("POST", `${path}/retry`, {}, sender)).status).toBe(403)
        expect((await ask("POST", `${path}/retry`, {}, both)).status).toBe(202)
        expect((await moved(path, "running", both)).status).toBe(200)
        expect((await moved(path, "paused", writer)).status).toBe(200)
        expect((await moved(path, "cancelled", writer)).status).toBe(200)
      })
    })

    it("are the same for a host that uses promises", async () => {
      const { templateCampaigns } = world.core
      const fields = { name: "Promised", phoneNumberId, template: { name: "order_sent", language: "en" } }
      const campaign = await templateCampaigns.create(world.account, { ...fields, scheduledAt: new Date(tomorrow) })
      const path = `${campaigns}/${campaign.id}`
      expect(campaign).toMatchObject({
        ...fields,
        status: "draft",
        scheduledAt: Date.parse(tomorrow),
        totalContacts: 0
      })
      expect(campaign).not.toHaveProperty("counts")
      const contacts = [{ phone: somebody(), variables: { "1": "Ada" } }]
      expect(await templateCampaigns.addContacts(world.account, campaign.id, contacts)).toMatchObject({ added: 1 })
      const { items, total } = await templateCampaigns.listContacts(world.account, campaign.id, { status: "queued" })
      expect([total, items[0]?.variables]).toEqual([1, { "1": "Ada" }])
      expect(await templateCampaigns.move(world.account, campaign.id, "scheduled")).toMatchObject({
        status: "scheduled"
      })
      expect((await ask("GET", path)).body).toMatchObject({ name: "Promised", status: "scheduled", total_contacts: 1 })
      expect(await templateCampaigns.live(world.account, campaign.id)).toMatchObject({
        campaignId: campaign.id,
        waitingFor: { reason: "not_running" }
      })
      await expect(templateCampaigns.retry(world.account, campaign.id)).rejects.toMatchObject({
        code: "template_move_refused",
        status: 409
      })
      await expect(templateCampaigns.change(world.account, campaign.id, { quietHoursEnd: 9 })).rejects.toMatchObject({
        code: "invalid_template_campaign",
        fields: [{ path: ["quietHoursEnd"] }]
      })
    })
  })
