/** The inbox as people and keys use it: what is unread, what is assigned to whom, and which conversations need a person. */
import type { HostPrincipal, StorageProvider, TrunklineOptions } from "@trunkline/core"
import { channelProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  FakeChatPlatform,
  inboundMessages,
  refuses,
  sampleBodies,
  sampleNumber,
  signed,
  silent
} from "../messaging/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import { type Browser, invited, openPasswordWorld, owner } from "./PasswordWorld.ts"
import { utc } from "./WebhookWorld.ts"

const { inbound, inboundEcho } = sampleBodies

const root = "/api/v1/messaging"
const conversations = `${root}/conversations`
const messages = `${root}/messages`
const appSecret = "what deliveries are signed with"
const { phoneNumberId } = sampleNumber

/** When the sample customer's messages were sent. */
const start = Date.UTC(2026, 10, 21, 9, 30)
const day = 86_400_000

const connection = {
  phone_number_id: phoneNumberId,
  business_account_id: "102290129340398",
  access_token: "EAAG-a-token",
  display_phone_number: sampleNumber.displayPhoneNumber
}

/** An installation with one number, whose clock a test sets. */
class Inbox {
  readonly platform = new FakeChatPlatform().owns("102290129340398", phoneNumberId)
  now = start
  world!: HttpWorld
  #customers = 0

  readonly options = (): Partial<TrunklineOptions> => ({
    messaging: { platform: channelProvider(this.platform.layer), appSecret },
    clock: { now: () => this.now, speed: 1000 },
    workers: { replies: false }
  })

  readonly ask = (method: string, path: string, json?: unknown, sent: Sent = {}): Promise<Answer> =>
    this.world.send(method, path, { key: this.world.key, ...(json === undefined ? {} : { json }), ...sent })

  async connect(): Promise<string> {
    const { body, status } = await this.ask("POST", `${root}/phone_numbers`, connection)
    expect(status).toBe(201)
    return String(body.id)
  }

  async #delivered(body: unknown): Promise<void> {
    const { bytes, headers } = signed(body, appSecret)
    expect((await this.world.send("POST", `${root}/inbound`, { body: bytes, headers })).status).toBe(200)
  }

  get #timestamp(): string {
    return String(Math.floor(this.now / 1000))
  }

  /** A new customer's phone. */
  phone(): string {
    this.#customers += 1
    return `1650557${String(this.#customers).padStart(4, "0")}`
  }

  readonly writes = (from: string, ...texts: ReadonlyArray<string>) =>
    this.#delivered(
      inboundMessages(
        ...texts.map((text) => inbound.text(text, { timestamp: this.#timestamp, from, from_user_id: undefined }))
      )
    )

  readonly of = async (phone: string): Promise<Fields> => {
    const { items } = await this.ask("GET", `${conversations}?limit=500&status=open&phone=${phone}`)
    expect(items).toHaveLength(1)
    return items[0]!
  }

  /** A conversation with a customer who has just written. */
  readonly written = async (...texts: ReadonlyArray<string>): Promise<Fields> => {
    const phone = this.phone()
    await this.writes(phone, ...(texts.length === 0 ? ["Hello"] : texts))
    return this.of(phone)
  }

  readonly get = async (id: unknown): Promise<Fields> => (await this.ask("GET", `${conversations}/${String(id)}`)).body

  readonly echo = (to: string, text: string) => {
    const { bytes, headers } = signed(echoBody(inboundEcho(text, { to, timestamp: this.#timestamp })), appSecret)
    return this.world.send("POST", `${root}/inbound`, { body: bytes, headers })
  }
}

const echoBody = (echo: object) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: "102290129340398",
      changes: [
        {
          field: "smb_message_echoes",
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: sampleNumber.displayPhoneNumber, phone_number_id: phoneNumberId },
            message_echoes: [echo]
          }
        }
      ]
    }
  ]
})

export const inboxSuite = (name: string, begin: Start, storage: () => StorageProvider) => {
  describe(`the inbox through ${name}`, () => {
    const inbox = new Inbox()
    const { ask, get, of, written, writes } = inbox
    const known: Record<string, HostPrincipal> = {}
    let phoneId: string

    beforeAll(async () => {
      inbox.world = await openWorld(begin, storage, {
        core: inbox.options(),
        serve: { authenticate: async (header) => known[header("x-user") ?? "nobody"] }
      })
      const { account } = inbox.world
      known.anna = { accountId: account, subject: "anna", name: "Anna" }
      known.ben = { accountId: account, subject: "ben" }
      known.reader = { accountId: account, subject: "reader", role: "viewer" }
      phoneId = await inbox.connect()
    })
    afterAll(() => inbox.world.close())

    const as = (user: string, method: string, path: string, json?: unknown) =>
      inbox.world.send(method, path, { headers: { "x-user": user }, ...(json === undefined ? {} : { json }) })

    const change = (user: string, { id }: Fields, json: object) => as(user, "PATCH", `${conversations}/${id}`, json)

    const sends = (user: string, to: string, text: string) =>
      as(user, "POST", messages, { phone_number_id: phoneNumberId, to, text })

    const idsIn = async (query: string, user?: string) => {
      const path = `${conversations}?limit=500&${query}`
      const { headers, items, status } = user === undefined ? await ask("GET", path) : await as(user, "GET", path)
      expect(status).toBe(200)
      expect(headers["x-total-count"]).toBe(String(items.length))
      return items.map(({ id }) => id)
    }

    // Verifies: B-501, B-502.
    it("shows what of a conversation is unread, and its newest message", async () => {
      const conversation = await written("Where is my order?", "👩🏽".repeat(150))
      expect(conversation).toMatchObject({
        unread_count: 2,
        needs_person: true,
        assigned_to: null,
        last_message: {
          direction: "inbound",
          role: "user",
          type: "text",
          text: [..."👩🏽".repeat(150)].slice(0, 200).join(""),
          status: "received",
          created_at: expect.stringMatching(utc)
        }
      })
      const phone = String(conversation.phone)
      expect((await sends("anna", phone, "On its way.")).status).toBe(200)
      expect(await get(conversation.id)).toMatchObject({
        unread_count: 0,
        needs_person: false,
        last_message: { direction: "outbound", role: "agent", text: "On its way.", status: "sent" }
      })
      await writes(phone, "Thanks")
      expect(await get(conversation.id)).toMatchObject({ unread_count: 1, last_message: { text: "Thanks" } })
      await inbox.echo(phone, "You are welcome.")
      expect(await get(conversation.id)).toMatchObject({ unread_count: 0, last_message: { text: "You are welcome." } })
      inbox.platform.next(refuses(131026))
      await writes(phone, "One more thing")
      expect((await sends("anna", phone, "Yes?")).status).toBe(422)
      expect(await get(conversation.id)).toMatchObject({ unread_count: 0, last_message: { status: "failed" } })
    })

    // Verifies: B-505.
    it("marks read what has come, once or more often", async () => {
      const { id } = await written("One", "Two")
      const read = (user: string) => as(user, "POST", `${conversations}/${id}/read`)
      expect((await read("reader")).status).toBe(403)
      expect((await get(id)).unread_count).toBe(2)
      for (const _ of [1, 2]) expect([(await read("anna")).status, (await get(id)).unread_count]).toEqual([204, 0])
      expect((await as("anna", "POST", `${conversations}/${nobody}/read`)).status).toBe(404)
      const foreign = await inbox.world.send("POST", `${conversations}/${id}/read`, { key: inbox.world.stranger })
      expect(foreign.status).toBe(404)
      await writes(String((await get(id)).phone), "Three")
      expect((await get(id)).unread_count).toBe(1)
    })

    // Verifies: B-503.
    it("says which conversations need a person, as their switches and agents are now", async () => {
      const { body: bot } = await ask("POST", "/api/v1/bots", { name: "Asha", system_prompt: "Be kind." })
      const link = (bot_id: unknown) => ask("POST", `${root}/phone_numbers/${phoneId}/link-bot`, { bot_id })
      const number = (is: boolean) => ask("PATCH", `${root}/phone_numbers/${phoneId}`, { ai_autoreply_enabled: is })
      const agent = (fields: object) => ask("PATCH", `/api/v1/bots/${bot.id}`, fields)
      await link(bot.id)
      const conversation = await written()
      const needs = async () => (await get(conversation.id)).needs_person
      const listed = async () => (await idsIn("needs_person=true")).includes(conversation.id)
      expect([await needs(), await listed()]).toEqual([false, false])
      for (const [off, on] of [
        [() => number(false), () => number(true)],
        [() => agent({ is_active: false }), () => agent({ is_active: true })],
        [() => agent({ system_prompt: " \n\u00a0" }), () => agent({ system_prompt: "Be kind." })],
        [() => link(null), () => link(bot.id)],
        [
          () => change("anna", conversation, { ai_autoreply_enabled: false }),
          () => change("anna", conversation, { ai_autoreply_enabled: true })
        ]
      ] as const) {
        await off()
        expect([await needs(), await listed()]).toEqual([true, true])
        expect(await idsIn("needs_person=false")).not.toContain(conversation.id)
        await on()
        expect([await needs(), await listed()]).toEqual([false, false])
      }
      await link(null)
      await sends("anna", String(conversation.phone), "Here I am.")
      expect([await needs(), await listed()]).toEqual([false, false])
    })

    // Verifies: B-504.
    it("finds conversations by who they are assigned to, what is unread, and whom they are with", async () => {
      const [one, two] = [await written(), await written()]
      await change("anna", one, { assigned_to: "me" })
      await as("anna", "POST", `${conversations}/${two.id}/read`)
      expect(await idsIn("assigned_to=me", "anna")).toEqual([one.id])
      expect(await idsIn("assigned_to=me", "ben")).toEqual([])
      expect(await idsIn("assigned_to=anna")).toEqual([one.id])
      const free = await idsIn("assigned_to=none")
      expect([free.includes(one.id), free.includes(two.id)]).toEqual([false, true])
      const [unread, read] = [await idsIn("unread=true"), await idsIn("unread=false")]
      expect([unread.includes(one.id), unread.includes(two.id)]).toEqual([true, false])
      expect([read.includes(one.id), read.includes(two.id)]).toEqual([false, true])
      const phone = String(two.phone)
      for (const query of [
        `phone=${phone}`,
        `phone=%2B1%20650%20${phone.slice(4)}`,
        `phone=${phone.slice(-7)}`,
        `q=${phone.slice(-6)}`,
        `q=%20${phone}%20`,
        `q=${phone.slice(1, 4)}-${phone.slice(4)}`,
        `phone=${phone}&unread=false&assigned_to=none&status=open&phone_id=${phoneId}`
      ]) {
        expect(await idsIn(query), query).toEqual([two.id])
      }
      expect(await idsIn(`phone=${phone}&unread=true`)).toEqual([])
      expect(await idsIn("phone=not%20a%20number")).toEqual([])
      for (const query of ["q=", "q=%20", `q=${"x".repeat(101)}`, "unread=1", "needs_person=maybe", "assigned_to="]) {
        expect((await ask("GET", `${conversations}?${query}`)).status, query).toBe(422)
      }
      const foreign = await inbox.world.send("GET", `${conversations}?q=1650`, { key: inbox.world.stranger })
      expect([foreign.items, foreign.headers["x-total-count"]]).toEqual([[], "0"])
    })

    it("finds a customer by a part of the name or the id, in any case", async () => {
      const phone = inbox.phone()
      const { bytes, headers } = signed(
        inboundMessages(inbound.text("Hi", { from: phone, from_user_id: "US.Ref.Ärger" })),
        appSecret
      )
      await inbox.world.send("POST", `${root}/inbound`, { body: bytes, headers })
      const { id, name, user_id } = await of(phone)
      expect(user_id).toBe("US.Ref.Ärger")
      expect(await idsIn("q=ref.%C3%84RG")).toEqual([id])
      expect(await idsIn(`q=${String(name).toUpperCase()}`)).toContain(id)
    })

    // Verifies: B-506.
    it("assigns a conversation to one at a time, and names who has it", async () => {
      const conversation = await written()
      const taken = await change("anna", conversation, { assigned_to: "me" })
      expect([taken.status, taken.body.assigned_to]).toEqual([200, { subject: "anna", name: "Anna" }])
      for (const to of ["me", "carol"]) {
        const refused = await change("ben", conversation, { assigned_to: to })
        expect(refused.status).toBe(409)
        expect(refused.body.detail).toContain("Anna")
      }
      expect((await change("ben", conversation, { assigned_to: "anna" })).status).toBe(200)
      expect((await get(conversation.id)).assigned_to).toEqual({ subject: "anna", name: "Anna" })
      const forced = await change("ben", conversation, { assigned_to: "me", force: true })
      expect(forced.body.assigned_to).toEqual({ subject: "ben", name: null })
      // Who has it passes it on, and everybody may return it.
      expect((await change("ben", conversation, { assigned_to: "carol" })).body.assigned_to).toEqual({
        subject: "carol",
        name: null
      })
      expect((await change("anna", conversation, { assigned_to: null })).body.assigned_to).toBeNull()
      const byKey = await ask("PATCH", `${conversations}/${conversation.id}`, { assigned_to: "me" })
      expect(byKey.body.assigned_to).toMatchObject({ subject: expect.stringMatching(/^[0-9a-f-]{36}$/) })
      for (const to of ["", "x".repeat(256), 5]) {
        expect((await change("anna", conversation, { assigned_to: to })).status).toBe(422)
      }
      expect((await change("reader", conversation, { assigned_to: "me" })).status).toBe(403)
    })

    // Verifies: B-507.
    it("takes over and assigns with one request, or does neither", async () => {
      const conversation = await written()
      await change("anna", conversation, { assigned_to: "me" })
      const both = { ai_autoreply_enabled: false, assigned_to: "me" }
      expect((await change("ben", conversation, both)).status).toBe(409)
      expect(await get(conversation.id)).toMatchObject({
        ai_autoreply_enabled: true,
        assigned_to: { subject: "anna" }
      })
      expect((await change("anna", conversation, both)).body).toMatchObject({
        ai_autoreply_enabled: false,
        assigned_to: { subject: "anna", name: "Anna" }
      })
      expect((await change("anna", conversation, {})).status).toBe(200)
      const audit = await inbox.world.core.admin.audit(inbox.world.account, { limit: 100 })
      const own = audit.filter(({ targetId }) => targetId === conversation.id)
      expect(own.map(({ action, actor, actorName }) => [action, actor, actorName])).toEqual([
        ["conversation.change", "user:anna", "Anna"],
        ["conversation.change", "user:anna", "Anna"]
      ])
    })

    // Verifies: B-506.
    it("a customer's next conversation is assigned to who had the one before", async () => {
      const first = await written()
      await change("anna", first, { assigned_to: "me", ai_autoreply_enabled: false })
      inbox.now += day
      try {
        await writes(String(first.phone), "It is me again.")
        const next = await of(String(first.phone))
        expect(next.id).not.toBe(first.id)
        expect(next).toMatchObject({
          assigned_to: { subject: "anna", name: "Anna" },
          ai_autoreply_enabled: false,
          unread_count: 1
        })
        expect(await get(first.id)).toMatchObject({ status: "ended", needs_person: false, unread_count: 1 })
        const late = await change("anna", first, { ai_autoreply_enabled: true, assigned_to: null })
        expect(late.status).toBe(409)
        expect((await get(first.id)).assigned_to).toEqual({ subject: "anna", name: "Anna" })
      } finally {
        inbox.now -= day
      }
    })

    // Verifies: B-508.
    it("lists older messages before one, and says which person has sent a message", async () => {
      const { id, phone } = await written("1", "2", "3")
      await sends("anna", String(phone), "4")
      await ask("POST", messages, { phone_number_id: phoneNumberId, to: phone, text: "5" })
      await inbox.echo(String(phone), "6")
      const list = (query = "") => ask("GET", `${conversations}/${id}/messages?${query}`)
      const all = (await list()).items
      expect(all.map(({ sent_by, text }) => [text, sent_by])).toEqual([
        ["6", null],
        ["5", null],
        ["4", { subject: "anna", name: "Anna" }],
        ["3", null],
        ["2", null],
        ["1", null]
      ])
      const older = await list(`before=${all[2]!.id}&limit=2`)
      expect([older.items, older.headers["x-total-count"]]).toEqual([all.slice(3, 5), "6"])
      expect((await list(`before=${all[4]!.id}&limit=2`)).items).toEqual(all.slice(5))
      expect((await list(`before=${all[5]!.id}`)).items).toEqual([])
      const other = await written("elsewhere")
      const [elsewhere] = (await ask("GET", `${conversations}/${other.id}/messages`)).items
      for (const before of [nobody, elsewhere!.id]) expect((await list(`before=${before}`)).status).toBe(404)
      expect((await list("before=x")).status).toBe(422)
    })

    // Verifies: B-509.
    it("sends one message under one key, also where nobody knows whether it arrived", async () => {
      const { phone } = await written()
      const post = (key: string, text: string) =>
        inbox.world.send("POST", messages, {
          headers: { "x-user": "anna", "idempotency-key": key },
          json: { phone_number_id: phoneNumberId, to: phone, text }
        })
      const first = await post("a reply", "Hello")
      const again = await post("a reply", "Hello")
      expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"])
      expect((await post("a reply", "Another")).status).toBe(409)
      inbox.platform.next(silent(true))
      expect((await post("a lost reply", "Are you there?")).status).toBe(502)
      const lost = await post("a lost reply", "Are you there?")
      expect([lost.status, lost.headers["x-service-error"]]).toEqual([409, "idempotency_outcome_unknown"])
      expect(inbox.platform.texts(String(phone))).toEqual(["Hello", "Are you there?"])
    })
  })

  describe(`the inbox of people who sign in through ${name}`, () => {
    const inbox = new Inbox()
    const { get, written, writes } = inbox
    let ada: Browser
    let ben: Browser

    beforeAll(async () => {
      inbox.world = await openPasswordWorld(begin, storage, { core: inbox.options() })
      ada = await owner(inbox.world)
      ben = await invited(inbox.world, "ben@example.com", "member")
      await inbox.connect()
    })
    afterAll(() => inbox.world.close())

    const subjectOf = async (browser: Browser) => String((await browser.send("GET", "/api/v1/me")).body.subject)

    const assign = (browser: Browser, { id }: Fields, to: unknown, more: object = {}) =>
      browser.send("PATCH", `${conversations}/${id}`, { json: { assigned_to: to, ...more } })

    // Verifies: B-506.
    it("assigns conversations to members, and to nobody else", async () => {
      const conversation = await written()
      for (const to of ["ben", nobody, "ben@example.com"]) {
        const refused = await assign(ada, conversation, to)
        expect(refused.status, JSON.stringify(refused.body)).toBe(422)
        expect(refused.body.detail).toMatchObject([{ loc: ["body", "assigned_to"] }])
      }
      const bens = await subjectOf(ben)
      const given = await assign(ada, conversation, bens)
      expect(given.body.assigned_to).toEqual({ subject: bens, name: "ben@example.com" })
      expect((await assign(ada, conversation, "me")).body.detail).toContain("ben@example.com")
      const own = await assign(ada, conversation, "me", { force: true })
      expect(own.body.assigned_to).toEqual({ subject: await subjectOf(ada), name: "Ada" })
      const mine = await ada.send("GET", `${conversations}?assigned_to=me`)
      expect(mine.items.map(({ id }) => id)).toEqual([conversation.id])
    })

    // Verifies: B-510.
    it("unassigns the conversations of a member who is removed, and keeps their name at what they sent", async () => {
      const [one, other] = [await written(), await written()]
      const bens = await subjectOf(ben)
      await assign(ben, one, "me", { ai_autoreply_enabled: false })
      await assign(ada, other, "me")
      const sent = await ben.send("POST", messages, {
        json: { phone_number_id: phoneNumberId, to: one.phone, text: "I look." }
      })
      expect(sent.status).toBe(200)
      expect((await ada.send("DELETE", `/api/v1/members/${bens}`)).status).toBe(204)
      expect(await get(one.id)).toMatchObject({ assigned_to: null, ai_autoreply_enabled: false })
      expect((await get(other.id)).assigned_to).toMatchObject({ name: "Ada" })
      const [said] = (await ada.send("GET", `${conversations}/${one.id}/messages`)).items
      expect(said!.sent_by).toEqual({ subject: bens, name: null })
      expect((await assign(ada, one, bens)).status).toBe(422)
      inbox.now += day
      await writes(String(one.phone), "Hello?")
      expect((await inbox.of(String(one.phone))).assigned_to).toBeNull()
    })
  })
}

/** Two people and one conversation, at two processes on one storage. */
export const inboxRaceSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`the inbox of two processes on ${name}`, () => {
    const inboxes = [new Inbox(), new Inbox()] as const
    const worlds: Array<HttpWorld> = []
    const keys: Array<string> = []
    const ids: Array<string> = []

    beforeAll(async () => {
      for (const one of inboxes) {
        one.world = await openWorld(begin, storage, { core: one.options() })
        worlds.push(one.world)
      }
      await inboxes[0].connect()
      for (let i = 0; i < 8; i++) {
        const made = await worlds[0]!.core.admin.createKey(worlds[0]!.account, { scopes: ["*"], name: `Person ${i}` })
        keys.push(made.text)
        ids.push(made.id)
      }
    })
    afterAll(() => Promise.all(worlds.map((world) => world.close())))

    const at = (i: number, method: string, path: string, json?: unknown) =>
      worlds[i % 2]!.send(method, path, { key: keys[i]!, ...(json === undefined ? {} : { json }) })

    // Verifies: B-506, B-507.
    it("gives a conversation to one of those who take it at a time, and names that one to all others", async () => {
      for (let round = 0; round < 10; round++) {
        const { id } = await inboxes[0].written()
        const take = { assigned_to: "me", ai_autoreply_enabled: false }
        const answers = await Promise.all(keys.map((_, i) => at(i, "PATCH", `${conversations}/${id}`, take)))
        const taken = answers.findIndex(({ status }) => status === 200)
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
        for (const { body, status } of answers) if (status === 409) expect(body.detail).toContain(`Person ${taken}.`)
        expect(await inboxes[1].ask("GET", `${conversations}/${id}`, undefined, { key: keys[0]! })).toMatchObject({
          body: { assigned_to: { subject: ids[taken] }, ai_autoreply_enabled: false }
        })
      }
    })

    // Verifies: B-502.
    it("counts what is unread exactly, whatever is written, answered and read at a time", async () => {
      const conversation = await inboxes[0].written()
      const phone = String(conversation.phone)
      const path = `${conversations}/${conversation.id}`
      const read = async () => (await at(0, "GET", path)).body
      const list = async () => (await at(0, "GET", `${path}/messages?limit=500`)).items
      const texts = Array.from({ length: 24 }, (_, n) => `text ${n}`)
      await Promise.all(texts.map((text, n) => inboxes[n % 2 === 0 ? 0 : 1].writes(phone, text)))
      expect((await read()).unread_count).toBe(25)
      await Promise.all([
        ...texts.map((text, n) => inboxes[n % 2 === 0 ? 0 : 1].writes(phone, `more ${text}`)),
        at(0, "POST", messages, { phone_number_id: phoneNumberId, to: phone, text: "An answer" }),
        at(1, "POST", messages, { phone_number_id: phoneNumberId, to: phone, text: "Another" })
      ])
      const all = await list()
      const since = all.findIndex(({ direction }) => direction === "outbound")
      expect(await read()).toMatchObject({ unread_count: since, last_message: { text: all[0]!.text } })
      await at(1, "POST", `${path}/read`)
      await Promise.all([
        ...Array.from({ length: 6 }, (_, n) => inboxes[n % 2 === 0 ? 0 : 1].writes(phone, `last ${n}`)),
        ...Array.from({ length: 12 }, (_, n) => at(n % 8, "POST", `${path}/read`))
      ])
      const raced = await read()
      expect(Number(raced.unread_count)).toBeLessThanOrEqual(6)
      expect(raced.last_message).toMatchObject({ text: (await list())[0]!.text })
      await at(1, "POST", `${path}/read`)
      await inboxes[0].writes(phone, "the very last")
      expect((await read()).unread_count).toBe(1)
    })
  })
