/** The compatible send under the test clock: docs/reference/messaging.md#compatible-window. Verifies: CHAT-5. */
import { ConnectedNumbers, Instant } from "@trunkline/core/effect"
import { channelProvider } from "@trunkline/core/provider"
import { decodeInbound } from "@trunkline/providers/cloud-api"
import { FakeChatPlatform, inboundMessages, sampleBodies, sampleNumber, waits } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { type CompatibleMessage, makeCompatibleSend, readCompatible } from "../../../src/messaging/compat/index.ts"
import { Inbound } from "../../../src/messaging/inbound/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const { inbound } = sampleBodies

const { phoneNumberId } = sampleNumber
const customer = "16505551234"

const message = (over: object = {}): CompatibleMessage => {
  const body = { messaging_product: "messaging", to: customer, type: "text", text: { body: "Hi" }, ...over }
  const read = Result.getOrThrow(readCompatible(body, [{ word: "messaging", userIdField: "user_id", isAlias: false }]))
  if (read._tag === "Read") throw new Error("is no message")
  return read
}

/** A product with a number that is connected. */
const played = (
  title: string,
  play: (stage: Stage, platform: FakeChatPlatform) => Generator<Effect.Effect<unknown, unknown>, void, never>
) => {
  const platform = new FakeChatPlatform()
  scenario(
    title,
    function* (stage) {
      const connection = {
        phoneNumberId,
        businessAccountId: "102290129340398",
        token: Redacted.make("EAAG-a-token"),
        displayPhoneNumber: null,
        inboundPath: "/api/v1/messaging/inbound"
      }
      yield* stage.run(ConnectedNumbers.use((numbers) => numbers.connect(stage.tenant, connection)))
      yield* Effect.gen(() => play(stage, platform))
    },
    { host: { messaging: { platform: channelProvider(platform.layer) } } }
  )
}

const send = (stage: Stage, sent = message()) =>
  stage.run(Effect.flatMap(makeCompatibleSend, (compatible) => compatible.send(stage.tenant, phoneNumberId, sent)))

/** The code of a refusal; null where the message was taken. */
const refusal = (stage: Stage, sent = message()) =>
  Effect.match(send(stage, sent), {
    onFailure: (failed) => ("code" in failed ? failed.code : failed._tag),
    onSuccess: () => null
  })

/** The customer writes now. */
const writes = (stage: Stage) =>
  Effect.flatMap(Instant.now, (at) => {
    const timestamp = String(at / Instant.second)
    const body = inboundMessages(inbound.text("Hi", { from: customer, from_user_id: undefined, timestamp }))
    return stage.run(Inbound.use(({ receive }) => receive({ channel: "cloud-api", batches: decodeInbound(body) })))
  })

describe("the compatible send", () => {
  played(
    "accepts free text until the millisecond before the window closes, and a template after it",
    function* (stage, platform) {
      yield* writes(stage)
      yield* TestClock.adjust(Instant.day - 1)
      expect(yield* refusal(stage)).toBeNull()
      yield* TestClock.adjust(1)
      const asked = platform.of("send").length
      expect(yield* refusal(stage)).toBe(131047)
      expect(platform.of("send")).toHaveLength(asked)
      expect(yield* refusal(stage, message({ type: "template", template: { name: "welcome" } }))).toBeNull()
      yield* writes(stage)
      expect(yield* refusal(stage)).toBeNull()
    }
  )

  played("knows a customer by the platform's id as well as by the phone", function* (stage, platform) {
    const timestamp = String((yield* Instant.now) / Instant.second)
    const body = inboundMessages(inbound.text("Hi", { from: customer, from_user_id: "US.1", timestamp }))
    yield* stage.run(Inbound.use(({ receive }) => receive({ channel: "cloud-api", batches: decodeInbound(body) })))
    yield* TestClock.adjust(Instant.day)
    const { to: _, ...nobody } = { messaging_product: "messaging", to: customer }
    expect(yield* refusal(stage, message())).toBe(131047)
    expect(yield* refusal(stage, message({ ...nobody, to: undefined, recipient: "US.1" }))).toBe(131047)
    expect(platform.of("send")).toEqual([])
  })

  played(
    "begins one conversation with a customer to whom many messages go at once, each of them once",
    function* (stage, platform) {
      const texts = Array.from({ length: 20 }, (_, nth) => `Message ${nth}`)
      yield* Effect.all(
        texts.map((body) => send(stage, message({ text: { body } }))),
        { concurrency: "unbounded" }
      )
      expect(platform.texts(customer).toSorted()).toEqual(texts.toSorted())
      const events = yield* stage.events
      const count = (name: string) => events.filter(({ event }) => event === name).length
      expect([count("conversation.started"), count("message.sent")]).toEqual([1, 20])
    }
  )

  played("writes down what became of a message whose sender has gone", function* (stage, platform) {
    const { answering, begun, go } = waits()
    platform.next(answering)
    const fiber = yield* Effect.forkChild(send(stage))
    yield* begun
    const gone = yield* Effect.forkChild(Fiber.interrupt(fiber))
    yield* go()
    yield* Fiber.join(gone)
    expect((yield* stage.events).map(({ event }) => event)).toContain("message.sent")
  })
})
