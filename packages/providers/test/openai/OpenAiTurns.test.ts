/** Chats for templates whose roles take turns: docs/reference/upstreams.md#turns. Verifies: OPAI-1, OPAI-4, OPAI-8. */

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import type { ChatMessage, ChatWork } from "@trunkline/core/provider"
import { atMost } from "@trunkline/testing/slow-machine"
import { openAiChat, startFakeOpenAi, type UpstreamCall, type UpstreamMood } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import { openai } from "../../src/openai/index.ts"
import { messagesOf } from "../../src/openai/OpenAiChat.ts"
import { inTurns, type OpenAiMessage, type Turns, turnsAfter } from "../../src/openai/OpenAiTurns.ts"

const system: ChatMessage = { role: "system", text: "Be kind." }
const user = (text: string, ...images: ReadonlyArray<number>): ChatMessage => ({
  ...{ role: "user", text },
  images: images.map((byte) => ({ contentType: "image/png", bytes: new Uint8Array([byte]) }))
})
const agent = (text: string): ChatMessage => ({ role: "assistant", text, toolCalls: [] })
const lookUp = (text: string, id: string): ReadonlyArray<ChatMessage> => [
  { role: "assistant", text: "", toolCalls: [{ id, name: "look_up", arguments: "{}" }] },
  { role: "tool", callId: id, text }
]
const work = (messages: ReadonlyArray<ChatMessage>, model = "gemma-3"): ChatWork => ({
  ...{ model, requestedModel: model, messages, tools: [], maxOutputTokens: 64 }
})
const group = [system, user("hi"), user("are you there?")]

const sentences = {
  gemma: "Conversation roles must alternate user/assistant/user/assistant/...",
  mistral: "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
  devstral:
    "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
  noSystem: "System role not supported",
  noOther: "Only user and assistant roles are supported!"
}

/** What templates refuse, and with which words; null for what they render. Tools are beyond all of them. */
type Template = (messages: ReadonlyArray<OpenAiMessage>) => string | null
const alternate = (messages: ReadonlyArray<OpenAiMessage>): boolean =>
  messages.every(({ role }, nth) => role === (nth % 2 === 0 ? "user" : "assistant"))
const withoutFirst = (messages: ReadonlyArray<OpenAiMessage>) => messages.slice(messages[0]?.role === "system" ? 1 : 0)
const templates = {
  "Gemma 3": (messages) => (alternate(withoutFirst(messages)) ? null : sentences.gemma),
  "Gemma 2": (messages) =>
    messages[0]?.role === "system" ? sentences.noSystem : alternate(messages) ? null : sentences.gemma,
  "Mistral 0.3": (messages) => (alternate(withoutFirst(messages)) ? null : sentences.mistral),
  "Devstral 2": (messages) => (alternate(withoutFirst(messages)) ? null : sentences.devstral),
  "Mistral 0.1": (messages) => (alternate(messages) ? null : sentences.gemma),
  "a template that looks at names first": (messages) =>
    messages.some(({ role }) => role === "system") ? sentences.noOther : alternate(messages) ? null : sentences.gemma
} satisfies Readonly<Record<string, Template>>

/** How servers tell it. */
type Server = (message: string) => [status: number, body: unknown]
const servers = {
  vLLM: (message) => [400, { error: { message, type: "BadRequestError", param: null, code: 400 } }],
  "an older vLLM": (message) => [400, { object: "error", message, type: "invalid_request_error", code: null }],
  "llama.cpp": (message) => [
    500,
    {
      error: {
        ...{ code: 500, type: "server_error" },
        message:
          "\n------------\nWhile executing CallExpression at line 19, column 27 in source:\n...% 2 == 0) -%}↵" +
          `        {{ raise_exception("System role not supp...\n              ^\nError: Jinja Exception: ${message}`
      }
    }
  ],
  "an older llama.cpp": (message) => [
    500,
    {
      error: {
        ...{ code: 500, type: "server_error" },
        message:
          `${message} at row 1, column 84:\n{{ bos_token }}{% if messages[0]['role'] == 'system' %}` +
          "{{ raise_exception('System role not supported') }}{% endif %}\n         ^\n"
      }
    }
  ],
  "text-generation-inference": (message) => [
    422,
    { error: `Template error: syntax error: ${message} (in <string>:1)`, error_type: "template_error" }
  ],
  "LM Studio": (message) => [400, { error: `Error rendering prompt with jinja template: "${message}".` }]
} satisfies Readonly<Record<string, Server>>

const refusing = (status: number, body: unknown): UpstreamMood => ({ does: "answer", status, body })
const messagesIn = ({ json }: UpstreamCall) => (json as { readonly messages: ReadonlyArray<OpenAiMessage> }).messages
const behaving =
  (template: Template, server: Server = servers.vLLM) =>
  (call: UpstreamCall): UpstreamMood => {
    const fault = template(messagesIn(call))
    return fault === null ? openAiChat({ text: "hello" }) : refusing(...server(fault))
  }

const fake = Effect.acquireRelease(
  Effect.promise(() => startFakeOpenAi()),
  (one) => Effect.promise(one.close)
)
const chatOf = (origin: string, timeoutMs = 5_000) =>
  openai({ baseUrl: `${origin}/v1`, timeoutMs, serves: ["llm"] }).make("a").capabilities.chat!

describe("a chat in turns", () => {
  const of = (turns: Turns, ...messages: ReadonlyArray<ChatMessage>) => inTurns(messagesOf(work(messages)), turns)
  const image = (base64: string) => ({ type: "image_url", image_url: { url: `data:image/png;base64,${base64}` } })

  it("has a message group and an answer in parts as one message each", () =>
    assert.deepStrictEqual<unknown>(of("joined", ...group, agent("yes"), agent("I am"), user("good")), [
      { role: "system", content: "Be kind." },
      { role: "user", content: "hi\nare you there?" },
      { role: "assistant", content: "yes\nI am" },
      { role: "user", content: "good" }
    ]))

  it("has pictures where they were sent, and one text for texts that meet", () =>
    assert.deepStrictEqual<unknown>(of("joined", user("a"), user("b", 1, 2), user("", 3), user("c"), user("d")), [
      {
        role: "user",
        content: [
          { type: "text", text: "a\nb" },
          ...[image("AQ=="), image("Ag=="), image("Aw==")],
          { type: "text", text: "c\nd" }
        ]
      }
    ]))

  it("begins with a user, whatever the history begins with", () => {
    assert.deepStrictEqual<unknown>(of("joined", system, agent("Welcome"), user("hi")), [
      { role: "system", content: "Be kind." },
      { role: "user", content: "…" },
      { role: "assistant", content: "Welcome" },
      { role: "user", content: "hi" }
    ])
    assert.deepStrictEqual<unknown>(of("systemless", system, agent("Welcome"), user("hi")), [
      { role: "user", content: "Be kind.\n" },
      { role: "assistant", content: "Welcome" },
      { role: "user", content: "hi" }
    ])
  })

  it("has what the system says before what the user says, where there is no system", () =>
    assert.deepStrictEqual<unknown>(of("systemless", ...group), [
      { role: "user", content: "Be kind.\n\nhi\nare you there?" }
    ]))

  it("has calls of tools and their results as they were", () => {
    const messages = messagesOf(work([user("a"), ...lookUp("x", "1"), ...lookUp("y", "2"), agent("b"), agent("c")]))
    assert.deepStrictEqual(inTurns(messages, "joined").slice(0, 5), messages.slice(0, 5))
    assert.deepStrictEqual<unknown>(inTurns(messages, "joined").slice(5), [{ role: "assistant", content: "b\nc" }])
  })

  /** Conversations whose texts and pictures are all different: numbers, by which they are found again. */
  const conversations = (withTools: boolean) =>
    fc
      .record({
        hasSystem: fc.boolean(),
        kinds: fc.array(fc.constantFrom("user", "seen", "picture", "agent", ...(withTools ? ["tool"] : [])), {
          ...{ minLength: 1, maxLength: 12 }
        })
      })
      .map(({ hasSystem, kinds }) => {
        let next = 0
        const text = () => `<${next++}>`
        const made = kinds.flatMap((kind): ReadonlyArray<ChatMessage> => {
          if (kind === "user") return [user(text())]
          if (kind === "seen") return [user(text(), next++, next++)]
          if (kind === "picture") return [user("", next++)]
          return kind === "agent" ? [agent(text())] : lookUp(text(), text())
        })
        return messagesOf(work([...(hasSystem ? [system] : []), ...made]))
      })
  const both = ["joined", "systemless"] as const

  /** Every text and picture with the role whose it is, in their order. */
  const contents = (messages: ReadonlyArray<OpenAiMessage>) =>
    messages.flatMap(({ content, role }) =>
      [...JSON.stringify(content).matchAll(/Be kind\.|<\d+>|base64,([\w=]+)/g)].map(([found]) =>
        found === "Be kind." ? found : `${role} ${found}`
      )
    )

  it("alternates its roles, whatever it was", () =>
    fc.assert(
      fc.property(conversations(false), fc.constantFrom(...both), (messages, turns) => {
        const taken = inTurns(messages, turns)
        assert.isTrue(alternate(turns === "joined" ? withoutFirst(taken) : taken))
        assert.deepStrictEqual(inTurns(taken, turns), taken)
      })
    ))

  it("has every text, picture, call and result once, in their order and in their roles", () =>
    fc.assert(
      fc.property(conversations(true), fc.constantFrom(...both), (messages, turns) => {
        const taken = inTurns(messages, turns)
        assert.deepStrictEqual(contents(taken), contents(messages))
        const ofTools = (all: ReadonlyArray<OpenAiMessage>) =>
          all.filter((one) => one.role === "tool" || "tool_calls" in one)
        assert.deepStrictEqual(ofTools(taken), ofTools(messages))
        for (const [nth, one] of taken.entries()) {
          const after = taken[nth + 1]
          if (one.role === after?.role && one.role !== "tool")
            assert.isTrue("tool_calls" in one || "tool_calls" in after, "neighbours of one role are one message")
        }
      })
    ))

  it("is not changed where its roles alternate already", () => {
    const messages = messagesOf(work([system, user("a", 1), agent("b"), user("c")]))
    assert.deepStrictEqual(inTurns(messages, "joined"), messages)
    for (const one of inTurns(messages, "joined")) assert.include(messages, one)
  })

  it("is asked for in other turns each time, and at most twice more", () =>
    fc.assert(
      fc.property(
        conversations(true),
        fc.infiniteStream(fc.constantFrom(...Object.values(sentences))),
        (messages, said) => {
          const asked: Array<Turns> = ["plain"]
          for (const message of said) {
            const next = turnsAfter(asked.at(-1)!, messages, { status: 400, message })
            if (next === null) break
            asked.push(next)
          }
          assert.isAtMost(asked.length, 3)
          const bodies = asked.map((turns) => JSON.stringify(inTurns(messages, turns)))
          assert.strictEqual(new Set(bodies).size, bodies.length)
        }
      )
    ))
})

describe("a server whose template wants turns", () => {
  const pairs = Object.entries<Template>(templates).flatMap(([template, faultIn]) =>
    Object.entries<Server>(servers).map(([server, failure]) => [template, server, faultIn, failure] as const)
  )
  it.live.each(pairs)(
    "answers a message group, and the next one at once: %s under %s",
    ([template, _, faultIn, failure]) =>
      Effect.gen(function* () {
        const upstream = yield* fake
        upstream.behave(behaving(faultIn, failure))
        const chat = chatOf(upstream.origin)
        const answer = yield* chat(work(group))
        assert.strictEqual(answer.text, "hello")
        // The oldest says the same of both of its wishes.
        assert.lengthOf(upstream.calls, template === "Mistral 0.1" ? 3 : 2)
        assert.deepStrictEqual(messagesIn(upstream.calls[0]!), messagesOf(work(group)))
        const takesSystem = faultIn([{ role: "system", content: "" }]) === null
        const joined = inTurns(messagesOf(work(group)), takesSystem ? "joined" : "systemless")
        assert.deepStrictEqual(messagesIn(upstream.calls.at(-1)!), joined)

        const before = upstream.calls.length
        yield* chat(work([...group, agent("yes"), agent("I am"), user("good")]))
        assert.lengthOf(upstream.calls, before + 1)
      })
  )

  it.live("is asked in turns for this model alone, and for no other upstream", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(behaving(templates["Gemma 3"]))
      const [chat, other] = [chatOf(upstream.origin), chatOf(upstream.origin)]
      const requests = Effect.fnUntraced(function* (run: typeof chat, model: string) {
        const before = upstream.calls.length
        yield* run(work(group, model))
        return upstream.calls.length - before
      })
      assert.strictEqual(yield* requests(chat, "a"), 2)
      assert.strictEqual(yield* requests(chat, "a"), 1)
      assert.strictEqual(yield* requests(chat, "b"), 2)
      assert.strictEqual(yield* requests(other, "a"), 2)
    })
  )

  it.live("is remembered for the latest hundred models", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(behaving(templates["Gemma 3"]))
      const chat = chatOf(upstream.origin)
      for (let nth = 0; nth <= 100; nth++) yield* chat(work(group, `m${nth}`))
      assert.lengthOf(upstream.calls, 202)
      yield* chat(work(group, "m1"))
      assert.lengthOf(upstream.calls, 203)
      yield* chat(work(group, "m0"))
      assert.lengthOf(upstream.calls, 205)
    })
  )

  it.live("is asked as it was where the other turns had no answer either", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const refused = behaving(templates["Gemma 3"])
      upstream.behave((call) =>
        refused(call).does === "answer" && alternate(withoutFirst(messagesIn(call))) ? { does: "reset" } : refused(call)
      )
      const chat = chatOf(upstream.origin)
      for (const requests of [2, 4]) {
        const { why } = yield* Effect.flip(chat(work(group)))
        assert.strictEqual(why, "unreachable")
        assert.lengthOf(upstream.calls, requests)
        assert.deepStrictEqual(messagesIn(upstream.calls[requests - 2]!), messagesOf(work(group)))
      }
    })
  )

  it.live("that refuses tools for the same reason is asked once", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(behaving(templates["Gemma 3"]))
      const { why } = yield* Effect.flip(chatOf(upstream.origin)(work([system, user("hi"), ...lookUp("x", "1")])))
      assert.strictEqual(why, "refused_input")
      assert.lengthOf(upstream.calls, 1)
    })
  )
})

describe("any other refusal", () => {
  const { vLLM } = servers
  it.live.each([
    ["an unrelated one", ...vLLM("This model's maximum context length is 8192 tokens.")],
    ["one without words", 400, ""],
    ["one about other roles", ...vLLM("Unknown role: developer. Roles must alternate.")],
    [
      "one of Mistral's that begins alike",
      ...vLLM("Only user and assistant roles are supported, with the exception of an initial optional system message!")
    ],
    [
      "a fault elsewhere in such a template",
      ...vLLM(`Value is not callable at row 1:\n{{ raise_exception('${sentences.gemma}') }}\n  ^`)
    ],
    ["one that throttles", 429, { error: { message: sentences.gemma } }],
    ["one of our key", 401, { error: { message: sentences.gemma } }],
    ["a server that is away", 503, { error: { message: sentences.gemma } }],
    ["the sentence beside the refusal", 400, { error: { message: "no" }, prompt: sentences.gemma }]
  ] as ReadonlyArray<[string, number, unknown]>)("stays one, and nothing is sent twice: %s", ([_, status, body]) =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(refusing(status, body))
      const failed = yield* Effect.flip(chatOf(upstream.origin)(work(group)))
      assert.match(failed.detail, new RegExp(`^answered ${status}`))
      assert.lengthOf(upstream.calls, 1)
    })
  )

  it.live("remains a refusal after all forms of the chat were tried, and shows nothing of the upstream's text", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(refusing(...vLLM(sentences.gemma)))
      const failed = yield* Effect.flip(chatOf(upstream.origin)(work(group)))
      assert.strictEqual(failed.why, "refused_input")
      assert.notMatch(JSON.stringify(failed), /roles|alternate|kind|127\.0\.0\.1/)
      assert.lengthOf(upstream.calls, 3)
    })
  )
})

describe("a chat that is asked for once more", () => {
  const lateRefusal = (call: UpstreamCall): UpstreamMood =>
    alternate(withoutFirst(messagesIn(call)))
      ? { does: "hang" }
      : { ...{ does: "answer", status: 400, delayMs: 300 }, body: servers.vLLM(sentences.gemma)[1] }

  it.live("has the time that the first request has left", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(lateRefusal)
      const began = performance.now()
      const { why } = yield* Effect.flip(chatOf(upstream.origin, 500)(work(group)))
      assert.strictEqual(why, "timeout")
      assert.lengthOf(upstream.calls, 2)
      assert.isBelow(performance.now() - began, 300 + atMost(500))
    })
  )

  it.live("is not where the time is over", () =>
    Effect.gen(function* () {
      let requests = 0
      const [status, body] = servers.vLLM(sentences.gemma)
      const server = createServer((request, response) => {
        requests += 1
        request.resume()
        // In its own time, of which so much is over only with its body.
        setTimeout(() => response.writeHead(status).flushHeaders(), 150)
        setTimeout(() => response.end(JSON.stringify(body)), 350)
      })
      yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
      const { port } = server.address() as AddressInfo // of TCP: never a path
      const { why } = yield* Effect.flip(chatOf(`http://127.0.0.1:${port}`, 300)(work(group)))
      server.closeAllConnections()
      server.close()
      assert.strictEqual(why, "refused_input")
      assert.strictEqual(requests, 1)
    })
  )

  it.live("ends when its caller cancels", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(lateRefusal)
      const waiting = yield* Effect.forkChild(chatOf(upstream.origin)(work(group)))
      yield* Effect.promise(() => upstream.until(() => upstream.calls.length === 2))
      yield* Fiber.interrupt(waiting)
      yield* Effect.promise(() => upstream.until(() => upstream.aborted() === 1))
    })
  )
})
