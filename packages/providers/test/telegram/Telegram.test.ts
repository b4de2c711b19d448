/** What the Telegram channel asks of the Bot API. Verifies: BOTA-1, BOTA-3. */
import { assert, describe, it } from "@effect/vitest"
import { type ContentType, contentOf, Ids, type JsonObject } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { InvalidProviderOptions, telegram } from "../../src/telegram/index.ts"
import { bot, botId, channelAt, fakeTelegram, token } from "./Bots.ts"

const ref = Ids.as<"Message">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11")
const customer = { _tag: "User", id: "4242" } as const

const message = (type: ContentType, body: JsonObject, answers: string | null = null) => ({
  content: contentOf(type, body),
  answers,
  options: {}
})

describe("a bot", () => {
  it.live("is identified by its token, and its updates come to its own address with a secret", () =>
    Effect.gen(function* () {
      const fake = yield* fakeTelegram
      const channel = yield* channelAt(fake.apiUrl)
      const identity = yield* channel.identify({ credentials: bot.credentials, settings: {}, named: null })
      assert.deepInclude(identity, { id: `telegram:${botId}`, accountId: String(botId), displayName: "@tea_bot" })
      yield* channel.connect(bot, "/api/v1/messaging/inbound/telegram")
      const { allowed_updates, secret_token, url } = fake.webhook(token)!
      assert.strictEqual(url, `https://chat.example.com/api/v1/messaging/inbound/telegram/${botId}`)
      assert.deepStrictEqual(allowed_updates, ["message", "edited_message", "callback_query"])
      assert.match(String(secret_token), /^[0-9a-f]{64}$/)
      assert.notInclude(String(secret_token), token)
      yield* channel.disconnect(bot)
      assert.isUndefined(fake.webhook(token))
    })
  )

  it.live("with a token of another form is refused without a request, and one that is nobody's by Telegram", () =>
    Effect.gen(function* () {
      const fake = yield* fakeTelegram
      const { identify } = yield* channelAt(fake.apiUrl)
      const asked = (text: string) => identify({ credentials: Redacted.make(text), settings: {}, named: null })
      for (const text of ["", "x", "1:../../etc", `${token}/x`, `${token}?a=b`]) {
        const failed = yield* Effect.flip(asked(text))
        assert.deepInclude(failed, { _tag: "ChannelRefused", class: "credentials" } as never)
      }
      assert.lengthOf(fake.calls, 0)
      const failed = yield* Effect.flip(asked(`7:${"x".repeat(35)}`))
      assert.deepInclude(failed, { class: "credentials" } as never)
      assert.notInclude(JSON.stringify({ ...failed, message: failed.message }), "xxxx")
      const without = yield* Effect.flip(identify({ credentials: null, settings: {}, named: null }))
      assert.include(without.message, "access_token")
    })
  )

  it.live("shows that it is typing, in the chat of the message that it answers", () =>
    Effect.gen(function* () {
      const fake = yield* fakeTelegram
      const { markRead } = yield* channelAt(fake.apiUrl)
      yield* markRead(bot, { id: "4242:7", from: null, typing: false })
      assert.lengthOf(fake.calls, 0)
      yield* markRead(bot, { id: "4242:7", from: null, typing: true })
      assert.deepStrictEqual(fake.calls[0]?.parameters, { chat_id: "4242", action: "typing" })
    })
  )
})

describe("a message", () => {
  it.live.each([
    [
      "text",
      { body: "Hi", preview_url: false },
      "sendMessage",
      { text: "Hi", link_preview_options: { is_disabled: true } }
    ],
    [
      "image",
      { link: "https://example.com/a.jpg", caption: "Look" },
      "sendPhoto",
      { photo: "https://example.com/a.jpg", caption: "Look" }
    ],
    ["audio", { id: "F1" }, "sendAudio", { audio: "F1" }],
    ["video", { id: "F1", caption: "Look" }, "sendVideo", { video: "F1", caption: "Look" }],
    ["document", { id: "F1", filename: "a.pdf" }, "sendDocument", { document: "F1" }],
    ["sticker", { id: "F1" }, "sendSticker", { sticker: "F1" }],
    ["location", { latitude: 1.5, longitude: -2, name: "N" }, "sendLocation", { latitude: 1.5, longitude: -2 }],
    [
      "interactive",
      {
        type: "button",
        body: { text: "Which?" },
        action: { buttons: [{ type: "reply", reply: { id: "a", title: "A" } }] }
      },
      "sendMessage",
      { text: "Which?", reply_markup: { inline_keyboard: [[{ text: "A", callback_data: "a" }]] } }
    ]
  ] as const)("of the type %s has a method of its own", ([type, body, method, parameters]) =>
    Effect.gen(function* () {
      const fake = yield* fakeTelegram
      const { send } = yield* channelAt(fake.apiUrl)
      const sent = yield* send(bot, customer, message(type, body), ref)
      assert.deepStrictEqual(fake.calls, [{ token, method, parameters: { chat_id: "4242", ...parameters } }])
      assert.deepStrictEqual(sent, { id: "4242:1001", contact: { input: "4242", phone: null, userRef: "4242" } })
    })
  )

  it.live("quotes what it answers, where that is of the same chat", () =>
    Effect.gen(function* () {
      const fake = yield* fakeTelegram
      const { send } = yield* channelAt(fake.apiUrl)
      for (const answers of ["4242:7", "1:7", "wamid.A"]) {
        yield* send(bot, customer, message("text", { body: "Hi" }, answers), ref)
      }
      assert.deepStrictEqual(
        fake.calls.map(({ parameters }) => parameters.reply_parameters),
        [{ message_id: 7, allow_sending_without_reply: true }, undefined, undefined]
      )
    })
  )

  it.live("that Telegram cannot send is refused without a request", () =>
    Effect.gen(function* () {
      const fake = yield* fakeTelegram
      const { send } = yield* channelAt(fake.apiUrl)
      const list = { type: "list", body: { text: "Which?" }, action: {} }
      const long = { type: "reply", reply: { id: "x".repeat(65), title: "A" } }
      for (const [type, body] of [
        ["image", {}],
        ["contacts", { contacts: [] }],
        ["interactive", list],
        ["interactive", { type: "button", body: { text: "Which?" }, action: { buttons: [long] } }]
      ] as const) {
        const failed = yield* Effect.flip(send(bot, customer, message(type, body), ref))
        assert.deepInclude(failed, { class: "invalid_content", isCertain: true } as never)
      }
      const phone = { _tag: "Phone", phone: "16505551234" } as const
      const failed = yield* Effect.flip(send(bot, phone, message("text", { body: "Hi" }), ref))
      assert.deepInclude(failed, { class: "recipient_unknown" } as never)
      assert.lengthOf(fake.calls, 0)
    })
  )

  it.live("that is throttled says when to come again; an answer of somebody else is no verdict", () =>
    Effect.gen(function* () {
      const fake = yield* fakeTelegram
      const { send } = yield* channelAt(fake.apiUrl)
      const hello = send(bot, customer, message("text", { body: "Hi" }), ref)
      fake.next("sendMessage", { does: "refuse", code: 429, description: "Too Many Requests", retryAfter: 17 })
      assert.deepInclude(yield* Effect.flip(hello), { class: "throttled", retryAfterSeconds: 17 } as never)
      fake.next("sendMessage", { does: "answer", status: 200, body: "<html>" })
      assert.deepInclude(yield* Effect.flip(hello), { _tag: "ChannelUnreachable", isCertain: false } as never)
      fake.next("sendMessage", { does: "answer", status: 504, body: "<html>" })
      assert.deepInclude(yield* Effect.flip(hello), { class: "unavailable", isCertain: false } as never)
    })
  )
})

describe("a file", () => {
  it.live("of a customer's is fetched in two steps, and not when it is larger than asked for", () =>
    Effect.gen(function* () {
      const fake = yield* fakeTelegram
      const {
        files: { download, upload }
      } = yield* channelAt(fake.apiUrl)
      const id = fake.keep("photos/file_1.jpg", new Uint8Array([1, 2, 3]))
      const file = yield* download(bot, id, 3)
      assert.deepStrictEqual([file.contentType, file.size, [...file.bytes]], ["image/jpeg", 3, [1, 2, 3]])
      assert.deepInclude(yield* Effect.flip(download(bot, id, 2)), { class: "too_large" } as never)
      assert.lengthOf(fake.of("file"), 1)
      assert.deepInclude(yield* Effect.flip(download(bot, "F404", 2)), { class: "invalid_content" } as never)
      const odd = fake.keep("../secret", new Uint8Array(1))
      assert.deepInclude(yield* Effect.flip(download(bot, odd, 2)), { _tag: "ChannelUnreachable" } as never)
      const kept = upload(bot, { contentType: "image/png", fileName: "a", bytes: new Uint8Array(1) })
      assert.deepInclude(yield* Effect.flip(kept), { class: "rejected" } as never)
    })
  )
})

describe("options", () => {
  it("that cannot work are refused with every fault", () => {
    try {
      telegram({ publicUrl: "http://chat.example.com", apiUrl: "x", timeoutMs: 0 })
      assert.fail("they were accepted")
    } catch (error) {
      assert.instanceOf(error, InvalidProviderOptions)
      assert.deepStrictEqual(
        (error as InvalidProviderOptions).problems.map((problem) => problem.split(":")[0]),
        ["publicUrl", "apiUrl", "timeoutMs"]
      )
    }
  })
})
