/** Who a customer is, and where one conversation ends and the next begins. Verifies: CHAT-2. */
import { Instant } from "@trunkline/core/effect"
import { chatAnswer } from "@trunkline/testing/inference"
import {
  inboundMessages,
  type ReplyWorld,
  refuses,
  sampleBodies,
  sampleCustomer,
  waits
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { Outgoing } from "../../src/messaging/sending/index.ts"
import { names, scenario } from "./ReplyScenarios.ts"

const { inbound } = sampleBodies

const { day, minute, second } = Instant
const { phone, userRef } = sampleCustomer

const byPhone = { from: phone, from_user_id: undefined }
const byRef = { from: undefined, from_user_id: userRef }
const byBoth = { from: phone, from_user_id: userRef }

const twoParts = `${"a".repeat(4000)}\n\n${"b".repeat(4000)}`

const writes = (world: ReplyWorld, who: object, ...texts: ReadonlyArray<string>) =>
  world.deliver(inboundMessages(...texts.map((text) => world.text(text, { ...who }))))

const texts = (world: ReplyWorld, name?: string) =>
  Effect.map(world.messages(name), (all) => all.map(({ text }) => text))

describe("a customer", () => {
  scenario("is known by phone, by the platform's own id, or by both", function* (world) {
    yield* writes(world, byPhone, "1")
    expect(yield* world.customer(phone)).toMatchObject({ phone, userRef: null, name: "Ada" })
    yield* writes(world, byBoth, "2")
    expect(yield* world.customer(userRef)).toMatchObject({ phone, userRef })
    yield* writes(world, byRef, "3")
    expect(yield* texts(world)).toEqual(["1", "2", "3"])
    expect(yield* world.conversations).toHaveLength(1)
  })

  scenario("on one number is another one on the next", function* (world) {
    const other = { phoneNumberId: "222222222222222", displayPhoneNumber: "+1 555 000 0002" }
    yield* world.connect(other)
    const messages = [world.text("Hi")]
    yield* world.delivers({ messages }, { ...other, messages: [world.text("Hi there")] })
    expect(yield* texts(world)).toEqual(["Hi"])
    expect(yield* world.conversations).toHaveLength(2)
  })

  scenario("who is written to before they ever wrote is the same when they answer", function* (world) {
    const message = { type: "template", text: null, body: { name: "hello" }, answers: null, options: {} } as const
    const person = { phone, userRef: null, name: null }
    const to = { _tag: "Phone", phone } as const
    const dispatch = { number: yield* world.number, person, to, message, callbackData: null }
    yield* world.run(Outgoing.use((outgoing) => outgoing.send(dispatch)))
    expect((yield* world.customer()).windowExpiresAt).toBeNull()
    yield* writes(world, byBoth, "Thanks")
    yield* world.pass(minute)
    expect((yield* world.messages()).map(({ role }) => role)).toEqual(["agent", "user", "assistant"])
    expect(yield* world.conversations).toHaveLength(1)
  })

  scenario("whose phone has a new owner is not the new owner", function* (world) {
    yield* writes(world, byBoth, "mine")
    yield* world.pass(minute)
    yield* writes(world, { from: phone, from_user_id: "US.new" }, "new here")
    yield* world.pass(minute)
    expect(yield* world.customer(userRef)).toMatchObject({ phone: null })
    expect(yield* world.customer(phone)).toMatchObject({ userRef: "US.new" })
    expect(world.asked.at(-1)).toEqual(["new here"])
    yield* writes(world, byRef, "still me")
    yield* world.pass(minute)
    expect(world.asked.at(-1)).toEqual(["mine", "still me"])
  })
})

describe("two customers who turn out to be one", () => {
  const both = function* (world: ReplyWorld) {
    yield* writes(world, byPhone, "by phone")
    yield* world.pass(minute)
    yield* writes(world, byRef, "by ref")
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(2)
  }

  scenario("have one history and one open conversation, and no message gets a second reply", function* (world) {
    yield* both(world)
    yield* writes(world, byBoth, "by both")
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(3)
    expect(world.asked.at(-1)).toEqual(["by phone", "by ref", "by both"])
    expect((yield* world.customer(phone)).id).toBe((yield* world.customer(userRef)).id)
    const conversations = yield* world.conversations
    expect(conversations.map(({ status }) => status).toSorted()).toEqual(["ended", "open"])
    const ended = (yield* world.events).filter(({ event }) => event === "conversation.ended")
    expect(ended.map(({ data }) => data.conversation_id)).toEqual([
      conversations.find((one) => one.status === "ended")!.id
    ])
  })

  scenario("are taken over where one of them was", function* (world) {
    yield* both(world)
    yield* world.setTakeover(true, userRef)
    yield* writes(world, byBoth, "by both")
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(2)
  })

  for (const [first, second_] of [
    [byPhone, byRef],
    [byRef, byPhone]
  ] as const) {
    const who = first === byPhone ? "phone" : "ref"
    scenario(`have one answer where both were waiting, known by ${who} first`, function* (world) {
      yield* writes(world, first, "1")
      yield* writes(world, second_, "2")
      yield* writes(world, byBoth, "3")
      yield* world.pass(minute)
      expect(world.asked).toEqual([["1", "2", "3"]])
      expect(world.platform.accepted).toHaveLength(1)
    })
  }

  for (const [first, second_] of [
    [byRef, byPhone],
    [byPhone, byRef]
  ] as const) {
    const who = first === byPhone ? "phone" : "ref"
    scenario(
      `have one answer where the one known by ${who} was being answered: it is made anew with all`,
      function* (world) {
        const run = world.model.waits()
        yield* writes(world, first, "1")
        yield* world.jump(10)
        yield* writes(world, second_, "2")
        yield* world.jump(1490)
        // There is one place.
        yield* world.tick()
        yield* run.begun
        const { id } = yield* world.customer(first === byPhone ? phone : userRef)
        yield* writes(world, byBoth, "3")
        expect((yield* world.customer(userRef)).id).toBe(id)
        world.model.says("to all")
        yield* run.answer("to one")
        yield* world.pass(minute)
        expect(world.platform.accepted).toHaveLength(1)
        expect(world.asked.at(-1)).toEqual(["1", "2", "3"])
      },
      { reply: { places: 1 } }
    )
  }

  scenario("get their reply, also where a sticker showed that they are one", function* (world) {
    yield* writes(world, byRef, "1")
    yield* world.pass(minute)
    yield* writes(world, byPhone, "2")
    yield* world.deliver(inboundMessages(inbound.sticker(byBoth)))
    yield* world.pass(minute)
    expect(world.asked).toEqual([["1"], ["1", "2", "[sticker]"]])
  })

  scenario("keep the parts of one that were to be sent while one of the other's is on its way", function* (world) {
    const gate = waits()
    world.platform.toward(userRef, refuses(130429, 400, 30))
    world.platform.toward(phone, gate.answering)
    yield* writes(world, byRef, "1")
    yield* writes(world, byPhone, "2")
    yield* world.pass(2 * second)
    world.platform.toward(userRef, null)
    yield* world.deliver(inboundMessages(inbound.sticker(byBoth)))
    yield* gate.go()
    yield* world.pass(minute)
    const sent = (yield* world.messages()).filter(({ role }) => role === "assistant")
    expect(sent.map(({ status }) => status)).toEqual(["sent", "sent"])
  })

  scenario("with replies to both in progress are merged by the next message, and lose nothing", function* (world) {
    const run = world.model.waits()
    yield* writes(world, byRef, "1")
    yield* writes(world, byPhone, "2")
    yield* world.pass(2 * second)
    expect(world.model.works).toHaveLength(2)
    yield* writes(world, byBoth, "3")
    yield* run.answer("there you are")
    yield* world.pass(minute)
    const before = world.model.works.length
    yield* writes(world, byBoth, "4")
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(before + 1)
    expect(world.asked.at(-1)).toEqual(["1", "2", "3", "4"])
    expect((yield* world.customer(phone)).id).toBe((yield* world.customer(userRef)).id)
  })

  scenario("keep the parts that were still to be sent", function* (world) {
    world.model.says(twoParts)
    world.platform.next(refuses(130429, 400, 30))
    yield* writes(world, byRef, "1")
    yield* world.pass(2 * second)
    yield* writes(world, byPhone, "2")
    world.model.says("c")
    yield* writes(world, byBoth, "3")
    yield* world.pass(minute)
    const all = (yield* world.messages(phone)).filter(({ role }) => role === "assistant")
    expect(all.map(({ status }) => status)).toEqual(["sent", "sent", "sent"])
    expect(world.platform.accepted.map(({ body }) => JSON.stringify(body.text)[9])).toEqual(["a", "b", "c"])
  })

  scenario("keep their order where a part of one is on its way", function* (world) {
    const gate = waits()
    world.model.says(twoParts)
    world.platform.next(gate.answering)
    yield* writes(world, byRef, "1")
    yield* world.pass(2 * second)
    yield* writes(world, byPhone, "2")
    world.model.says("c")
    yield* writes(world, byBoth, "3")
    yield* world.pass(20 * second)
    expect(world.platform.accepted).toEqual([])
    yield* gate.go()
    yield* world.pass(minute)
    expect(world.platform.accepted.map(({ body }) => JSON.stringify(body.text)[9])).toEqual(["a", "b", "c"])
  })
})

describe("two customers who turn out to be one while replies to both are in progress", () => {
  scenario("keep the order of the parts of both", function* (world) {
    const [first, second_] = [waits(), waits()]
    world.platform.toward(userRef, first.answering)
    world.platform.toward(phone, second_.answering)
    world.model.says(twoParts)
    yield* writes(world, byRef, "1")
    yield* writes(world, byPhone, "2")
    yield* world.pass(2 * second)
    expect(world.platform.of("send")).toHaveLength(2)
    world.model.says("c")
    yield* writes(world, byBoth, "3")
    // The second is done with its answer, and the first still waits for the platform.
    world.platform.toward(phone, null)
    yield* second_.go()
    yield* world.pass(10 * second)
    world.platform.toward(userRef, null)
    yield* first.go()
    yield* world.pass(minute)
    const toFirst = world.platform.accepted.filter(({ to }) => to === userRef)
    expect(toFirst.map(({ body }) => JSON.stringify(body.text)[9])).toEqual(["a", "b", "c"])
  })
})

describe("a customer whom the platform calls by another name", () => {
  const elsewhere = "4917099999999"
  const moved = (more: object = {}) => inbound.changedNumber(elsewhere, { from_user_id: userRef, ...more })

  scenario("keeps the conversation and the history under a new number", function* (world) {
    yield* writes(world, byBoth, "1")
    yield* world.pass(minute)
    yield* world.deliver(inboundMessages(moved()))
    expect(yield* world.findCustomer(phone)).toBeNull()
    yield* writes(world, { from: elsewhere, from_user_id: undefined }, "2")
    yield* world.pass(minute)
    expect(world.asked.at(-1)).toEqual(["1", "[system]", "2"])
    expect(world.texts(elsewhere)).toEqual(["hello"])
    expect(yield* world.conversations).toHaveLength(1)
  })

  scenario("is merged with the customer who has the new number already", function* (world) {
    yield* writes(world, byBoth, "1")
    yield* world.pass(minute)
    yield* writes(world, { from: elsewhere, from_user_id: undefined }, "2")
    yield* world.pass(minute)
    yield* world.deliver(inboundMessages(moved()))
    yield* writes(world, { from: elsewhere, from_user_id: undefined }, "3")
    yield* world.pass(minute)
    expect(world.asked.at(-1)).toEqual(["1", "2", "[system]", "3"])
    expect(world.model.works).toHaveLength(3)
  })

  scenario("is known by the new id and the old phone", function* (world) {
    yield* writes(world, byBoth, "1")
    yield* world.deliver(inboundMessages(inbound.changedUserRef("US.new")))
    yield* writes(world, { from: undefined, from_user_id: "US.new" }, "2")
    expect(yield* world.customer(phone)).toMatchObject({ userRef: "US.new" })
    expect(yield* world.conversations).toHaveLength(1)
  })
})

describe("a conversation", () => {
  scenario("ends after a day of silence with the next message, which begins another one", function* (world) {
    yield* world.writes("1")
    yield* world.pass(minute)
    yield* world.jump(day - minute - 1)
    yield* world.writes("2")
    expect(yield* world.conversations).toHaveLength(1)
    yield* world.pass(2 * second)
    yield* world.jump(day)
    yield* world.writes("3")
    yield* world.pass(minute)
    expect(names(yield* world.events).filter((name) => name.startsWith("conversation"))).toEqual([
      "conversation.started",
      "conversation.ended",
      "conversation.started"
    ])
    const [first, second_] = yield* world.conversations
    expect([first!.status, second_!.status]).toEqual(["ended", "open"])
    expect((yield* world.customer()).conversationId).toBe(second_!.id)
    // What was said before is not forgotten.
    expect(world.asked.at(-1)).toEqual(["1", "2", "3"])
  })

  scenario("that a human operator has taken over stays so in the next one", function* (world) {
    yield* world.writes("1")
    yield* world.pass(minute)
    yield* world.setTakeover()
    yield* world.jump(2 * day)
    yield* world.writes("2")
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(1)
    yield* world.setTakeover(false)
    yield* world.writes("3")
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(2)
  })

  scenario("is the latest in a list once its answer is there", function* (world) {
    world.model.does(() => Effect.as(Effect.sleep(10 * second), chatAnswer({ text: "slow" })))
    yield* world.writes("1")
    yield* world.pass(5 * second)
    yield* writes(world, { from: "4917012345678", from_user_id: undefined }, "2")
    yield* world.pass(7 * second)
    expect((yield* world.conversations).at(-1)!.id).toBe((yield* world.customer()).conversationId)
  })
})
