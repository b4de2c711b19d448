/** An account with a number of each channel: docs/reference/messaging.md#channels. Verifies: CHAT-1, CHAT-5, BOTA-2, WEBC-1, WEBC-2, WEBC-3. */

import type { StorageProvider } from "@trunkline/core"
import { channelProvider } from "@trunkline/core/provider"
import { telegram } from "@trunkline/providers/telegram"
import { webChat } from "@trunkline/providers/web-chat"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeChat } from "../inference/FakeChat.ts"
import {
  FakeChatPlatform,
  type FakeTelegram,
  inboundMessages,
  sampleBodies,
  sampleNumber,
  signed,
  startFakeTelegram,
  telegramText,
  telegramToken
} from "../messaging/index.ts"
import type { Fields } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start, until } from "./HttpWorld.ts"

const { inbound } = sampleBodies

const root = "/api/v1/messaging"
const appSecret = "what deliveries are signed with"
const [botId, otherBot] = [110201543, 110201544]
const token = telegramToken(botId)
const customer = 4242
const origin = "https://shop.example.com"

export const channelsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`chat channels side by side through ${name}`, () => {
    const platform = new FakeChatPlatform()
    const model = new FakeChat()
    let fake: FakeTelegram
    let world: HttpWorld
    let bot: Fields
    let chat: Fields

    const ask = (method: string, path: string, json?: unknown, key = world.key) =>
      world.send(method, path, { key, ...(json === undefined ? {} : { json }) })

    const connect = (channel: string, json: unknown, key = world.key) =>
      ask("POST", `${root}/channels/${channel}/connections`, json, key)

    const conversations = async (phoneId: unknown): Promise<ReadonlyArray<Fields>> =>
      (await ask("GET", `${root}/conversations?phone_id=${phoneId}`)).items

    const messages = async (phoneId: unknown): Promise<ReadonlyArray<Fields>> => {
      const found = await conversations(phoneId)
      const all = await Promise.all(found.map(({ id }) => ask("GET", `${root}/conversations/${id}/messages`)))
      return all.flatMap(({ items }) => items.toReversed())
    }

    beforeAll(async () => {
      fake = await startFakeTelegram([botId, otherBot])
      world = await openWorld(start, storage, {
        core: {
          messaging: {
            platform: channelProvider(platform.layer),
            channels: [
              telegram({ publicUrl: "http://chat.internal", apiUrl: fake.apiUrl }),
              webChat({ secret: "the secret of all chats of this suite" })
            ],
            appSecret,
            reply: { quietMs: 0 }
          },
          models: { upstreams: { fake: model.provider }, routes: { "*": { upstream: "fake" } } },
          workers: { dialer: false, deliveries: false }
        }
      })
      fake.deliverTo(world.served.origin)
      const agent = await ask("POST", "/api/v1/bots", { name: "Agent", system_prompt: "You sell tea." })
      const cloud = await ask("POST", `${root}/phone_numbers`, {
        phone_number_id: sampleNumber.phoneNumberId,
        business_account_id: "102290129340398",
        access_token: "EAAG-a-token"
      })
      expect(cloud.body).toMatchObject({ channel: "cloud-api" })
      const connected = await connect("telegram", { access_token: token })
      expect(connected.status).toBe(201)
      bot = connected.body
      const page = await connect("web-chat", { settings: { id: "shop", origins: [origin], title: "Shop" } })
      expect(page.status).toBe(201)
      chat = page.body
      for (const { id } of [cloud.body, bot, chat]) {
        expect((await ask("POST", `${root}/phone_numbers/${id}/link-bot`, { bot_id: agent.body.id })).status).toBe(200)
      }
      await world.core.start()
    })
    afterAll(async () => {
      await world.close()
      await fake.close()
    })

    it("are listed with their capabilities, the standard one first", async () => {
      const { items } = await ask("GET", `${root}/channels`)
      expect(items.map(({ channel, is_standard }) => [channel, is_standard])).toEqual([
        ["cloud-api", true],
        ["telegram", false],
        ["web-chat", false]
      ])
      expect(items[0]).toMatchObject({ reply_window_seconds: 86_400, templates: true, statuses: true })
      expect(items[1]).toMatchObject({ reply_window_seconds: null, templates: false, max_text_length: 4096 })
    })

    it("identify a bot by its token, and keep it from other accounts", async () => {
      expect(bot).toMatchObject({
        channel: "telegram",
        phone_number_id: `telegram:${botId}`,
        display_phone_number: "@tea_bot"
      })
      expect((await connect("telegram", { access_token: token })).status).toBe(200)
      expect((await connect("telegram", { access_token: token }, world.stranger)).status).toBe(409)
      const wrong = await connect("telegram", { access_token: telegramToken(7) })
      expect([wrong.status, String(wrong.body.detail)]).toEqual([422, expect.stringContaining("token")])
      expect((await connect("telegram", {})).status).toBe(422)
      expect((await connect("pigeon", { access_token: "x" })).status).toBe(404)
      expect((await connect("cloud-api", { access_token: "x" })).status).toBe(422)
      const lacking = await world.keyWith("messaging:read")
      expect((await connect("telegram", { access_token: token }, lacking)).status).toBe(403)
    })

    it("reply to each customer on the channel on which the customer wrote", async () => {
      model.says("Tea is 4 euros.")
      expect((await fake.writes(token, telegramText(customer, 1, "How much is tea?"))).status).toBe(200)
      const from = "16505551234"
      const timestamp = String(Math.floor(Date.now() / 1000))
      const { bytes, headers } = signed(inboundMessages(inbound.text("And coffee?", { from, timestamp })), appSecret)
      expect((await world.send("POST", `${root}/inbound`, { body: bytes, headers: { ...headers } })).status).toBe(200)
      await until(async () => (fake.of("sendMessage").length > 0 && platform.accepted.length > 0 ? true : undefined))
      expect(fake.of("sendMessage").map(({ parameters }) => parameters)).toEqual([
        { chat_id: String(customer), text: "Tea is 4 euros." }
      ])
      expect(platform.texts(from)).toEqual(["Tea is 4 euros."])
      expect(fake.of("sendChatAction").length).toBeGreaterThan(0)
      const stored = await until(async () => {
        const all = await messages(bot.id)
        // A message is shown as sent while it is being sent: its id says that the platform has accepted it.
        return all.length === 2 && all[1]!.status === "sent" && all[1]!.msgid !== null ? all : undefined
      })
      expect(stored.map(({ msgid, role, text }) => [msgid, role, text])).toEqual([
        [`${customer}:1`, "user", "How much is tea?"],
        [expect.stringMatching(/^4242:\d+$/), "assistant", "Tea is 4 euros."]
      ])
      expect((await conversations(bot.id))[0]).toMatchObject({
        user_id: String(customer),
        phone: null,
        name: "Ada L.",
        window_expires_at: null
      })
    })

    it("store an update once, and only with its bot's secret", async () => {
      const update = telegramText(customer, 1, "How much is tea?")
      const before = (await messages(bot.id)).length
      expect((await fake.writes(token, update)).status).toBe(200)
      const path = `${root}/inbound/telegram/${botId}`
      const forged = { "content-type": "application/json", "x-telegram-bot-api-secret-token": "guessed" }
      const body = JSON.stringify({ message: telegramText(customer, 77, "forged") })
      expect((await world.send("POST", path, { body, headers: forged })).status).toBe(401)
      expect((await world.send("POST", `${root}/inbound/telegram/${otherBot}`, { body, headers: forged })).status).toBe(
        404
      )
      expect((await world.send("POST", `${root}/inbound/pigeon/1`, { body, headers: forged })).status).toBe(404)
      expect((await messages(bot.id)).length).toBe(before)
    })

    it("share one route for sending, which names what a channel does not support", async () => {
      const send = (json: Fields) =>
        ask("POST", `${root}/messages`, { phone_number_id: bot.phone_number_id, user_id: String(customer), ...json })
      const sent = await send({ text: "Hello" })
      expect(sent.body).toMatchObject({ contacts: [{ input: String(customer), user_id: String(customer) }] })
      expect(String(sent.body.msgid)).toMatch(/^4242:\d+$/)
      const template = await send({ type: "template", template: { name: "welcome" } })
      expect([template.status, String(template.body.detail)]).toEqual([422, expect.stringContaining("template")])
      const templates = await ask("GET", `${root}/templates?phone_number_id=${bot.phone_number_id}`)
      expect([templates.status, String(templates.body.detail)]).toEqual([422, expect.stringContaining("templates")])
      fake.next("sendMessage", { does: "refuse", code: 403, description: "Forbidden: bot was blocked by the user" })
      const blocked = await send({ text: "Hello?" })
      expect([blocked.status, blocked.body.detail]).toEqual([422, expect.stringContaining("(platform code 403)")])
      expect((await messages(bot.id)).at(-1)).toMatchObject({ status: "failed", error: { code: 403 } })
      fake.next("sendMessage", { does: "refuse", code: 429, description: "Too Many Requests", retryAfter: 9 })
      const throttled = await send({ text: "Hello?" })
      expect([throttled.status, throttled.headers["retry-after"]]).toEqual([429, "9"])
    })

    it("are served by the compatible send too", async () => {
      const path = `${root}/${bot.phone_number_id}/messages`
      const body = { messaging_product: "messaging", recipient: String(customer), text: { body: "Compatible" } }
      const sent = await ask("POST", path, body)
      expect(sent.body).toMatchObject({ contacts: [{ input: String(customer) }] })
      expect(fake.of("sendMessage").at(-1)?.parameters).toEqual({ chat_id: String(customer), text: "Compatible" })
      fake.next("sendMessage", { does: "refuse", code: 429, description: "Too Many Requests", retryAfter: 9 })
      const throttled = await ask("POST", path, body)
      expect([throttled.status, throttled.headers["retry-after"]]).toEqual([429, "9"])
      expect(throttled.body).toMatchObject({ error: { code: 130429 } })
    })

    /** What the script of a page asks for. */
    const page = (resource: string, json: object, from = origin) =>
      world.send("POST", `${root}/inbound/web-chat/shop/${resource}`, {
        body: JSON.stringify(json),
        headers: { origin: from, "content-type": "text/plain;charset=UTF-8" }
      })

    it("reply to a visitor of a page, who has the same conversation after a reload", async () => {
      model.says("Tea is 4 euros.")
      expect(chat).toMatchObject({ phone_number_id: "web-chat:shop", display_phone_number: "Shop" })
      const script = await world.send("GET", `${root}/inbound/web-chat/shop/chat.js`)
      expect([script.status, script.headers["content-type"]]).toEqual([200, expect.stringMatching(/^text\/javascript/)])
      const { body: session } = await page("session", {})
      const { token } = session
      const sent = { token, id: "message-1", text: "How much is tea?" }
      const first = await page("message", sent)
      expect(first.headers["access-control-allow-origin"]).toBe(origin)
      expect(first.body.messages).toMatchObject([{ role: "visitor", text: "How much is tea?" }])
      expect((await page("message", sent)).status).toBe(200)
      // A page that is loaded again has the token alone.
      const shown = await until(async () => {
        const { body } = await page("transcript", { token })
        return (body.messages as ReadonlyArray<Fields>).length === 2 ? body : undefined
      })
      expect(shown.messages).toMatchObject([
        { role: "visitor", text: "How much is tea?" },
        { role: "agent", text: "Tea is 4 euros." }
      ])
      expect((await page("transcript", { token, version: shown.version })).body).toEqual({ version: shown.version })
      const [conversation] = await conversations(chat.id)
      const written = await ask("POST", `${root}/messages`, {
        phone_number_id: chat.phone_number_id,
        user_id: conversation!.user_id,
        text: "Anything else?"
      })
      expect(written.status).toBe(200)
      expect((await page("transcript", { token })).body.messages).toHaveLength(3)
      expect(await messages(chat.id)).toHaveLength(3)
    })

    it("keep visitors and pages apart", async () => {
      const { body: other } = await page("session", {})
      expect((await page("transcript", { token: other.token })).body.messages).toEqual([])
      expect((await page("transcript", { token: "guessed" })).status).toBe(401)
      expect((await page("session", {}, "https://evil.example.com")).status).toBe(403)
      expect((await world.send("POST", `${root}/inbound/web-chat/nowhere/session`, { body: "{}" })).status).toBe(404)
    })

    // Verifies: N-58.
    it("keep a chat's id for its account, so that its visitors are never another account's", async () => {
      const settings = { id: "kept", origins: [origin] }
      const first = await connect("web-chat", { settings })
      expect(first.status).toBe(201)
      const visit = (resource: string, body: unknown) =>
        world.send("POST", `${root}/inbound/web-chat/kept/${resource}`, {
          body: JSON.stringify(body),
          headers: { origin, "content-type": "text/plain" }
        })
      const { token: visitor } = (await visit("session", {})).body
      expect((await connect("web-chat", { settings }, world.stranger)).status).toBe(409)
      expect((await ask("DELETE", `${root}/phone_numbers/${first.body.id}`)).status).toBe(204)
      const taken = await connect("web-chat", { settings }, world.stranger)
      expect([taken.status, taken.body.detail]).toEqual([409, expect.stringMatching(/another account's, and stays so/)])
      expect((await visit("transcript", { token: visitor })).status).toBe(404)
      const back = await connect("web-chat", { settings })
      expect([back.status, back.body.id]).toEqual([201, first.body.id])
      expect((await visit("transcript", { token: visitor })).status).toBe(200)
    })

    it("are connected by their own kind's route alone where they say who they are", async () => {
      const named = { business_account_id: "102290129340398", access_token: token }
      for (const phone_number_id of [`telegram:${otherBot}`, "web-chat:squatted"]) {
        const answer = await ask("POST", `${root}/phone_numbers`, { ...named, phone_number_id })
        expect(answer.status).toBe(422)
      }
    })

    it("remove a bot that is disconnected, here and at its network", async () => {
      expect((await ask("DELETE", `${root}/phone_numbers/${bot.id}`)).status).toBe(204)
      expect(fake.webhook(token)).toBeUndefined()
      const again = await connect("telegram", { access_token: token })
      expect([again.status, again.body.id]).toEqual([201, bot.id])
    })
  })
