/** What visitors of a page get from its chat. Verifies: WEBC-1, WEBC-2, WEBC-4. */
import { assert, describe, it } from "@effect/vitest"
import { type ChannelCallback, type ChannelReply, type ChatChannel, Ids, Instant } from "@trunkline/core/provider"
import { storedInbound } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { chatScript } from "../../src/web-chat/ChatScript.ts"
import { InvalidProviderOptions, webChat } from "../../src/web-chat/index.ts"
import { channelWith, chat, origin, request } from "./Chats.ts"

type Channel = ChatChannel["Service"]

const ref = Ids.as<"Message">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11")

/** What a request brings, and the reply to it in a conversation that is empty. */
const asked = (channel: Channel, callback: ChannelCallback) =>
  Effect.map(Effect.orDie(channel.read(callback, chat)), ({ batches, reply }) => {
    const rendered: ChannelReply = "render" in reply ? reply.render([]) : reply
    const body: Record<string, unknown> = rendered.body.startsWith("{") ? JSON.parse(rendered.body) : {}
    return { ...rendered, json: body, messages: batches.flatMap(({ messages }) => messages.map(storedInbound)) }
  })

const visitor = (channel: Channel) =>
  Effect.map(asked(channel, request("session", {})), ({ json }) => String(json.token))

const message = (token: string, more: object = {}) =>
  request("message", { token, id: "message-1", text: "Hello", ...more })

describe("a visitor", () => {
  it.effect("gets a token, sends with it, and is another one without it", () =>
    Effect.gen(function* () {
      const channel = yield* channelWith()
      const [ada, grace] = [yield* visitor(channel), yield* visitor(channel)]
      const sent = yield* asked(channel, message(ada))
      assert.strictEqual(sent.status, 200)
      assert.strictEqual(sent.headers["access-control-allow-origin"], origin)
      assert.deepStrictEqual(
        sent.messages.map(({ id, text, userRef }) => [id, text, userRef]),
        [[`${ada.split(".")[0]}:message-1`, "Hello", ada.split(".")[0] ?? ""]]
      )
      const other = yield* asked(channel, message(grace))
      assert.notStrictEqual(other.messages[0]?.userRef, sent.messages[0]?.userRef)
    })
  )

  it.effect("whose token is forged, of another chat or missing reaches nothing", () =>
    Effect.gen(function* () {
      const channel = yield* channelWith()
      const token = yield* visitor(channel)
      const elsewhere = { ...chat, id: "web-chat:other" }
      const { reply } = yield* Effect.orDie(channel.read(message(token), elsewhere))
      assert.strictEqual("render" in reply ? 200 : reply.status, 401)
      for (const wrong of [
        `${token}x`,
        token.replace(/.$/, (end) => (end === "0" ? "1" : "0")),
        "",
        "a.b",
        null,
        7,
        {}
      ]) {
        for (const resource of ["message", "transcript"]) {
          const { messages, status } = yield* asked(
            channel,
            request(resource, { token: wrong, id: "message-1", text: "x" })
          )
          assert.deepStrictEqual([status, messages], [401, []])
        }
      }
    })
  )

  it.effect("of a page that is not listed reaches nothing", () =>
    Effect.gen(function* () {
      const channel = yield* channelWith()
      const token = yield* visitor(channel)
      for (const from of ["https://evil.example.com", `${origin}.evil.example`, "null", ""]) {
        for (const resource of ["session", "message", "transcript"]) {
          const { headers, messages, status } = yield* asked(
            channel,
            request(resource, { token, id: "message-1", text: "x" }, from)
          )
          assert.deepStrictEqual([status, messages], [403, []])
          assert.notProperty(headers, "access-control-allow-origin")
        }
      }
    })
  )

  it.effect("is limited in a minute, alone, and so is how many come", () =>
    Effect.gen(function* () {
      const channel = yield* channelWith({ messagesPerMinute: 2, visitorsPerMinute: 2 })
      const [ada, grace] = [yield* visitor(channel), yield* visitor(channel)]
      assert.strictEqual((yield* asked(channel, request("session", {}))).status, 429)
      const send = (token: string) => asked(channel, message(token))
      assert.strictEqual((yield* send(ada)).status, 200)
      yield* TestClock.adjust(20_000)
      assert.strictEqual((yield* send(ada)).status, 200)
      const refused = yield* send(ada)
      assert.deepStrictEqual([refused.status, refused.headers["retry-after"], refused.messages], [429, "40", []])
      assert.strictEqual((yield* send(grace)).status, 200)
      yield* TestClock.adjust(40_000)
      assert.strictEqual((yield* send(ada)).status, 200)
      assert.strictEqual((yield* asked(channel, request("session", {}))).status, 200)
    })
  )

  it.effect("comes anew though a few addresses ask for as many visitors as they can", () =>
    Effect.gen(function* () {
      const channel = yield* channelWith({ visitorsPerMinute: 30 })
      const session = (address: string) =>
        Effect.map(asked(channel, { ...request("session", {}), address }), ({ status }) => status)
      const known = yield* visitor(channel)
      for (let n = 0; n < 20; n++) {
        // Of each of them three are admitted: a tenth of all. All addresses of one /64 are one.
        const expected = n < 3 ? 200 : 429
        assert.strictEqual(yield* session("203.0.113.1"), expected)
        assert.strictEqual(yield* session(`2001:db8:1:2::${n}`), expected)
      }
      assert.strictEqual(yield* session("203.0.113.2"), 200)
      assert.strictEqual((yield* asked(channel, message(known))).status, 200)
    })
  )

  it.effect("sends texts of some size, under an id", () =>
    Effect.gen(function* () {
      const channel = yield* channelWith({ messagesPerMinute: 100 })
      const token = yield* visitor(channel)
      const statusOf = (more: object) => Effect.map(asked(channel, message(token, more)), ({ status }) => status)
      assert.strictEqual(yield* statusOf({ text: "😀".repeat(4096) }), 200)
      for (const text of ["", " \n", "x".repeat(4097), 7, null]) assert.strictEqual(yield* statusOf({ text }), 400)
      for (const id of ["", "short", "x".repeat(65), "a b c d e", 7]) assert.strictEqual(yield* statusOf({ id }), 400)
      assert.strictEqual(channel.traits.callbacks?.maxBytes, 32 * 1024)
      assert.strictEqual((yield* asked(channel, request("message", "[1]"))).status, 400)
      assert.strictEqual((yield* asked(channel, request("secrets", {}))).status, 404)
    })
  )
})

describe("the conversation", () => {
  it.effect("is rendered for its visitor, and left out where the page has it", () =>
    Effect.gen(function* () {
      const channel = yield* channelWith()
      const token = yield* visitor(channel)
      const said = [
        { id: ref, role: "user", type: "text", text: "Hi", at: Instant.make(0) },
        { id: ref, role: "assistant", type: "text", text: "Hello", at: Instant.make(1000) }
      ] as const
      const render = (version: unknown) =>
        Effect.map(Effect.orDie(channel.read(request("transcript", { token, version }), chat)), ({ reply }) => {
          if (!("render" in reply)) throw new Error("no conversation")
          assert.strictEqual(reply.userId, token.split(".")[0])
          return JSON.parse(reply.render(said).body)
        })
      const first = yield* render(null)
      assert.deepStrictEqual(
        first.messages.map(({ role, text }: { role: string; text: string }) => [role, text]),
        [
          ["visitor", "Hi"],
          ["agent", "Hello"]
        ]
      )
      assert.deepStrictEqual(yield* render(first.version), { version: first.version })
    })
  )
})

describe("a chat", () => {
  it.effect("is identified by an id of the caller's, and keeps the origins of its pages", () =>
    Effect.gen(function* () {
      const { identify } = yield* channelWith()
      const settings = { id: "shop", origins: [origin], title: "Shop" }
      assert.deepInclude(yield* identify({ credentials: null, settings, named: null }), {
        id: "web-chat:shop",
        displayName: "Shop"
      })
      const fresh = yield* identify({ credentials: null, settings: { origins: [origin] }, named: null })
      assert.match(fresh!.id, /^web-chat:[0-9a-f-]{36}$/)
      for (const wrong of [
        {},
        { origins: [] },
        { origins: ["shop.example.com"] },
        { origins: [`${origin}/`] },
        { origins: ["*"] },
        { ...settings, id: "../x" },
        { ...settings, title: 7 }
      ]) {
        const failed = yield* Effect.flip(identify({ credentials: null, settings: wrong, named: null }))
        assert.deepInclude(failed, { class: "invalid_content" } as never)
      }
    })
  )

  it.effect("sends texts to its visitors, and nothing else", () =>
    Effect.gen(function* () {
      const { send } = yield* channelWith()
      const text = { content: { _tag: "Text", text: "Hi" }, answers: null, options: {} } as const
      const customer = { _tag: "User", id: "0190f2a4-7c1e-4b3a-9a55-2f1f0c5d8e11" } as const
      assert.strictEqual((yield* send(chat, customer, text, ref)).id, ref)
      const image = { ...text, content: { _tag: "Media", kind: "image", file: { id: "F1" } } } as const
      assert.deepInclude(yield* Effect.flip(send(chat, customer, image, ref)), { class: "invalid_content" } as never)
      for (const to of [
        { _tag: "Phone", phone: "16505551234" },
        { _tag: "User", id: "somebody" }
      ] as const) {
        assert.deepInclude(yield* Effect.flip(send(chat, to, text, ref)), { class: "recipient_unknown" } as never)
      }
    })
  )

  it.effect("serves its script to every page, and the script writes no markup", () =>
    Effect.gen(function* () {
      const channel = yield* channelWith()
      const { body, headers, status } = yield* asked(channel, { ...request("chat.js", ""), method: "GET" })
      assert.strictEqual(status, 200)
      assert.match(headers["content-type"] ?? "", /^text\/javascript/)
      assert.strictEqual(body, chatScript)
      assert.doesNotThrow(() => new Function(chatScript))
      assert.notMatch(chatScript, /innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|trunkline/i)
    })
  )

  it("needs a secret", () => {
    try {
      webChat({ secret: "short", messagesPerMinute: 0 })
      assert.fail("it was accepted")
    } catch (error) {
      assert.instanceOf(error, InvalidProviderOptions)
      assert.lengthOf((error as InvalidProviderOptions).problems, 2)
    }
  })
})
