/** What every chat channel promises, whatever its network: docs/reference/messaging.md#channels. */

import { assert, describe, it } from "@effect/vitest"
import {
  type ChannelCallback,
  type ChannelConnection,
  type ChatChannel,
  contentOf,
  contentTypes,
  Ids,
  type JsonObject,
  type OutboundMessage,
  type Recipient,
  type RefusalClass,
  sendMeanings
} from "@trunkline/core/provider"
import { isRetryable } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { storedInbound } from "./StoredInbound.ts"

/** Words of the network that must never be in a sentence of ours. */
export const channelLeak = "leaky words of app 1234"

/** A refusal as its network sends it, and what it is to the product. */
export interface ChannelRefusal {
  readonly class: RefusalClass
  /** False where a server in front of the network may have answered. Default true. */
  readonly isCertain?: boolean
  readonly next: () => void
}

/** A channel and its network, which a test can look at and make misbehave. */
export interface ChannelSubject {
  readonly channel: ChatChannel["Service"]
  readonly connection: ChannelConnection
  readonly customer: Recipient
  /** Texts that the customer got, in their order; null where the channel hands nothing to a network. */
  readonly texts: (() => ReadonlyArray<string>) | null
  /** Refusals of the network, each with a way to have the next send refused so. They say `channelLeak`. */
  readonly refusals: ReadonlyArray<ChannelRefusal>
  /** Breaks the connection once the next send has arrived; null where there is no network. */
  readonly breaksOff: (() => void) | null
  /** A callback with a text of the customer's, and the connection that its address names. */
  readonly writes: (id: string, text: string) => ChannelCallback
  /** The same from somebody who is not the network. */
  readonly forged: (callback: ChannelCallback) => ChannelCallback
  /** The connection that addresses of callbacks name; null where they name none. */
  readonly addressed: ChannelConnection | null
  /** Has the network keep an approved template, whose text has the place `1`; null where it has no templates. */
  readonly keepsTemplate: ((name: string, language: string) => void) | null
}

const hello = (text: string): OutboundMessage => ({ content: { _tag: "Text", text }, answers: null, options: {} })

const ref = Ids.as<"Message">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11")

/** Runs the suite on a channel that `open` makes anew for each test. */
export const channelSuite = (name: string, open: Effect.Effect<ChannelSubject, never, Scope.Scope>): void => {
  const proves = (title: string, work: (subject: ChannelSubject) => Effect.Effect<void, unknown>) =>
    it.live(title, () => Effect.scoped(Effect.flatMap(open, work)))

  describe(`the channel ${name}`, () => {
    proves("says what it can do", ({ channel, connection }) =>
      Effect.sync(() => {
        const { contents, maxTextLength, replyWindowMs } = channel.traits
        assert.match(channel.kind, /^[a-z][a-z0-9-]{0,31}$/)
        assert.isTrue(contents.includes("text") && contents.every((one) => contentTypes.includes(one)))
        assert.isAtLeast(maxTextLength, 1)
        assert.isTrue(replyWindowMs === null || replyWindowMs > 0)
        assert.isAtLeast(channel.maxRequestMs, 0)
        // The standard channel's numbers have the ids that its network gives them.
        if (channel.kind !== "cloud-api") assert.isTrue(connection.id.startsWith(`${channel.kind}:`), connection.id)
      })
    )

    proves("says of a number that is named whether the credentials are for it", ({ channel, connection }) =>
      Effect.gen(function* () {
        if (!channel.traits.provesNumbers) return
        const { accountId, credentials, id } = connection
        const asked = (id: string) => channel.identify({ credentials, settings: {}, named: { id, accountId } })
        assert.strictEqual((yield* asked(id))?.id, id)
        assert.notStrictEqual((yield* asked(`${id}0`))?.id, `${id}0`)
      })
    )

    proves("sends a text once, under an id of its own", ({ channel, connection, customer, texts }) =>
      Effect.gen(function* () {
        const first = yield* channel.send(connection, customer, hello("one"), ref)
        const other = Ids.as<"Message">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e12")
        const second = yield* channel.send(connection, customer, hello("two"), other)
        assert.notStrictEqual(first.id, second.id)
        assert.isNotEmpty(first.id)
        if (texts !== null) assert.deepStrictEqual(texts(), ["one", "two"])
      })
    )

    proves(
      "names every refusal by its class and certainty, in words of its own",
      ({ channel, connection, customer, refusals }) =>
        Effect.gen(function* () {
          for (const refusal of refusals) {
            refusal.next()
            const failed = yield* Effect.flip(channel.send(connection, customer, hello("no"), ref))
            assert.strictEqual(failed._tag, "ChannelRefused")
            if (failed._tag !== "ChannelRefused") continue
            assert.deepInclude(failed, { class: refusal.class, isCertain: refusal.isCertain ?? true })
            assert.match(failed.sentence, /^[A-Z][^\n]+\.$/)
            assert.notInclude(failed.sentence + failed.detail, channelLeak)
            assert.strictEqual(
              isRetryable(failed),
              failed.isCertain && ["throttled", "unavailable"].includes(refusal.class)
            )
          }
        })
    )

    proves("reports an uncertain failure where its network does not answer, and does not send again", (subject) =>
      Effect.gen(function* () {
        const { breaksOff, channel, connection, customer, texts } = subject
        if (breaksOff === null) return
        breaksOff()
        const failed = yield* Effect.flip(channel.send(connection, customer, hello("doubtful"), ref))
        assert.isFalse(failed.isCertain)
        assert.isFalse(isRetryable(failed))
        yield* channel.send(connection, customer, hello("sure"), ref)
        assert.deepStrictEqual(
          texts?.().filter((text) => text === "sure"),
          ["sure"]
        )
      })
    )

    proves("reads a customer's text, the same each time that it is delivered", (subject) =>
      Effect.gen(function* () {
        const { addressed, channel, connection, customer, writes } = subject
        const callback = writes("m1", "Hello 👋")
        const read = Effect.orDie(channel.read(callback, addressed))
        const [batch, ...others] = (yield* read).batches
        assert.lengthOf(others, 0)
        assert.strictEqual(batch?.connectionId, connection.id)
        const [message, ...more] = batch!.messages
        assert.lengthOf(more, 0)
        assert.deepInclude(storedInbound(message!), { type: "text", text: "Hello 👋", isEcho: false })
        const writer = customer._tag === "Phone" ? message!.from : message!.userRef
        assert.strictEqual(writer, customer._tag === "Phone" ? customer.phone : customer.id)
        assert.strictEqual((yield* read).batches[0]?.messages[0]?.id, message!.id)
        const other = yield* Effect.orDie(channel.read(writes("m2", "Hello 👋"), addressed))
        assert.notStrictEqual(other.batches[0]?.messages[0]?.id, message!.id)
      })
    )

    proves("reads every template of exactly a name, and says what fills it", ({ channel, connection, ...subject }) =>
      Effect.gen(function* () {
        const { keepsTemplate } = subject
        const { templates } = channel.network
        assert.strictEqual(templates === null, keepsTemplate === null)
        if (templates === null || keepsTemplate === null) return
        for (const language of ["en", "de"]) keepsTemplate("welcome", language)
        for (const other of ["welcome_back", "a_welcome"]) keepsTemplate(other, "en")
        const read = yield* templates.named(connection, "welcome")
        assert.deepStrictEqual(read.map(({ language, name }) => [name, language]).sort(), [
          ["welcome", "de"],
          ["welcome", "en"]
        ])
        for (const { components } of read) {
          const shape = templates.shapeOf(components!)
          assert.deepStrictEqual([shape.body.places, shape.unsupported], [["1"], null])
        }
        assert.deepStrictEqual(yield* templates.named(connection, "nobody"), [])
      })
    )

    proves("fills a template with values that only ever become its texts, and sends it", (subject) =>
      Effect.gen(function* () {
        const { channel, connection, customer, keepsTemplate } = subject
        const { templates } = channel.network
        if (templates === null || keepsTemplate === null) return
        keepsTemplate("welcome", "en")
        const [read] = yield* templates.named(connection, "welcome")
        const shape = templates.shapeOf(read!.components!)
        const filled = (value: string) =>
          templates.contentOf({ name: "welcome", language: "en", shape, values: { "body.1": value } })
        const withWord = JSON.stringify(filled("word"))
        fc.assert(
          fc.property(fc.oneof(fc.string(), fc.constantFrom('"},{"', "{{1}}", "__proto__")), (value) => {
            const sent = JSON.stringify(filled(value), (_, one: unknown) => (one === value ? "word" : one))
            // A value may say what the channel itself says of a template.
            if (!withWord.includes(JSON.stringify(value))) assert.strictEqual(sent, withWord)
          })
        )
        const content = contentOf("template", filled("Ada"))
        const { id } = yield* channel.send(connection, customer, { content, answers: null, options: {} }, ref)
        assert.isNotEmpty(id)
      })
    )

    proves("has a meaning for every code of a message, and a shape for whatever is named a template", ({ channel }) =>
      Effect.sync(() => {
        const { templates } = channel.network
        if (templates === null) return
        const named = { name: "x", language: "en", values: {} }
        fc.assert(
          fc.property(fc.integer(), fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (code, components) => {
            assert.include(sendMeanings, templates.meaningOf(code))
            templates.contentOf({ ...named, shape: templates.shapeOf(components as ReadonlyArray<JsonObject>) }) // JSON
          })
        )
      })
    )

    proves("stores nothing that somebody else than its network sends", ({ addressed, channel, forged, writes }) =>
      Effect.gen(function* () {
        const read = yield* Effect.result(channel.read(forged(writes("m1", "Hello")), addressed))
        if (read._tag === "Failure") return
        assert.lengthOf(read.success.batches, 0)
        const { reply } = read.success
        assert.isTrue(!("render" in reply) && reply.status >= 400)
      })
    )

    proves("reads or refuses whatever else comes in", ({ addressed, channel, writes }) =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(oddCallbacks(writes("m1", "Hello")), async (callback) => {
            const exit = await Effect.runPromiseExit(Effect.result(channel.read(callback, addressed)))
            assert.strictEqual(exit._tag, "Success")
          }),
          { numRuns: 50 }
        )
      )
    )
  })
}

/** Callbacks that differ from a good one in their bytes, method, query, resource and headers. */
const oddCallbacks = (good: ChannelCallback): fc.Arbitrary<ChannelCallback> =>
  fc.record({
    body: fc.oneof(fc.constant(good.body), fc.uint8Array({ maxLength: 64 }), fc.json({ maxDepth: 2 }).map(bytesOf)),
    method: fc.constantFrom("GET", "POST"),
    target: fc.oneof(
      fc.constant(good.target),
      fc.string({ maxLength: 32 }).map((query) => `${good.target}?${query}`)
    ),
    resource: fc.oneof(fc.constant(good.resource), fc.constant(null), fc.string({ minLength: 1, maxLength: 16 })),
    headers: fc.oneof(
      fc.constant(good.headers),
      fc.constant({}),
      fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 })
    )
  })

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
