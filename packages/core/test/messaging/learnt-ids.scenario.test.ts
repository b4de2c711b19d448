/** A customer whom the platform knows by another id than the number that is dialed. Verifies: CHAT-2, CHAT-3. */
import { Instant } from "@trunkline/core/effect"
import { inboundStatuses, type ReplyWorld, sampleBodies, waits } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { makeCompatibleSend, readCompatible } from "../../src/messaging/compat/index.ts"
import { NativeSend } from "../../src/messaging/sending/index.ts"
import { names, scenario } from "./ReplyScenarios.ts"

const { inbound, inboundEcho, inboundStatus } = sampleBodies
const { minute, second } = Instant

/** As it is dialed, and as the platform knows it. */
const [dialed, known] = ["5531988880101", "553188880101"]

const knows = (world: ReplyWorld) => void world.platform.knownAs.set(dialed, known)

const writes = (world: ReplyWorld, from: string, text: string, more: object = {}) =>
  world.delivers({ messages: [world.text(text, { from, from_user_id: undefined, ...more })] })

const template = { name: "hello", language: { code: "en" } }

const sendsTemplate = (world: ReplyWorld, digits: string = dialed) =>
  Effect.flatMap(world.number, ({ phoneNumberId }) =>
    world.run(
      NativeSend.use((native) =>
        native.send(world.tenant, {
          phoneNumberId,
          to: { _tag: "Phone", digits },
          type: "template",
          content: template,
          answers: null
        })
      )
    )
  )

const sendsText = (world: ReplyWorld, digits: string) =>
  Effect.flatMap(world.number, ({ phoneNumberId }) =>
    world.run(
      NativeSend.use((native) =>
        native.send(world.tenant, {
          phoneNumberId,
          to: { _tag: "Phone", digits },
          type: "text",
          content: "Hello",
          answers: null
        })
      )
    )
  )

const sendsCompatibly = (world: ReplyWorld, to: string) =>
  Effect.gen(function* () {
    const { phoneNumberId } = yield* world.number
    const product = { word: "messaging", userIdField: "user_id", isAlias: false }
    const message = readCompatible({ messaging_product: "messaging", to, text: { body: "Hello" } }, [product])
    if (message._tag !== "Success" || message.success._tag !== "Message") throw new Error("a message")
    const given = message.success
    yield* world.run(
      Effect.flatMap(makeCompatibleSend, (compatible) => compatible.send(world.tenant, phoneNumberId, given))
    )
  })

/** Either id leads to one customer, in one open conversation. */
const expectOne = (world: ReplyWorld) =>
  Effect.gen(function* () {
    const one = yield* world.customer(known)
    expect((yield* world.customer(dialed)).id).toBe(one.id)
    expect((yield* world.conversations).filter(({ status }) => status === "open").map(({ id }) => id)).toEqual([
      one.conversationId
    ])
    return one
  })

describe("a customer whom the answer to a send names by another id", () => {
  scenario("is one customer who is found by both, in one conversation", function* (world) {
    knows(world)
    yield* sendsTemplate(world)
    yield* writes(world, known, "Hi")
    yield* world.pass(minute)
    expect(yield* expectOne(world)).toMatchObject({ phone: known })
    expect(yield* world.conversations).toHaveLength(1)
    expect((yield* world.messages(dialed)).map(({ role }) => role)).toEqual(["agent", "user", "assistant"])
    yield* sendsText(world, dialed)
    yield* sendsCompatibly(world, `+${dialed}`)
    expect(yield* world.conversations).toHaveLength(1)
    expect((yield* world.messages(known)).map(({ role }) => role).slice(-2)).toEqual(["agent", "agent"])
  })

  scenario("stays with the person who has taken the conversation over before they wrote", function* (world) {
    knows(world)
    yield* sendsTemplate(world)
    yield* world.setTakeover(true, known)
    yield* writes(world, known, "Hi")
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
  })

  scenario("has one conversation with all messages where they had written under that id before", function* (world) {
    knows(world)
    yield* writes(world, known, "Hi")
    yield* world.pass(minute)
    yield* sendsTemplate(world)
    const { conversationId } = yield* expectOne(world)
    const all = yield* world.messages(dialed)
    expect(all.map(({ role }) => role)).toEqual(["user", "assistant", "agent"])
    expect(all.map((message) => message.conversationId)).toEqual(all.map(() => conversationId))
    const sent = (yield* world.events).filter(({ event }) => event === "message.sent").at(-1)!
    expect(sent.data).toMatchObject({ conversation_id: conversationId, user_id: known, type: "template" })
    yield* sendsText(world, dialed)
    yield* writes(world, dialed, "Again")
    yield* world.pass(minute)
    expect(world.asked.at(-1)).toEqual(["Hi", "Again"])
    yield* expectOne(world)
  })

  scenario("keeps the reply that waits in one of two conversations, and the take-over of the other", function* (world) {
    yield* sendsTemplate(world)
    yield* writes(world, known, "1")
    yield* world.pass(minute)
    yield* writes(world, known, "2")
    knows(world)
    yield* sendsTemplate(world)
    yield* world.pass(minute)
    expect(world.asked.at(-1)).toEqual(["1", "2"])
    yield* expectOne(world)
  })

  scenario("is taken over where either conversation was", function* (world) {
    yield* sendsTemplate(world)
    yield* world.setTakeover(true, dialed)
    yield* writes(world, known, "1")
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(1)
    knows(world)
    yield* sendsTemplate(world)
    yield* writes(world, known, "2")
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(1)
  })

  scenario("is one customer by the compatible send and by an agent's reply too", function* (world) {
    knows(world)
    yield* sendsCompatibly(world, dialed)
    yield* writes(world, known, "Hi")
    yield* world.pass(minute)
    yield* expectOne(world)
    expect(yield* world.conversations).toHaveLength(1)
  })

  scenario("is learnt from the answer to an agent's reply", function* (world) {
    knows(world)
    yield* writes(world, dialed, "Hi")
    yield* world.pass(minute)
    expect(yield* expectOne(world)).toMatchObject({ phone: known })
    yield* writes(world, known, "Again")
    yield* world.pass(minute)
    expect(world.asked.at(-1)).toEqual(["Hi", "Again"])
  })

  scenario("is one customer from the next message on where both were being answered", function* (world) {
    const run = world.model.waits()
    yield* writes(world, dialed, "1")
    yield* writes(world, known, "2")
    yield* world.pass(2 * second)
    expect(world.model.works).toHaveLength(2)
    knows(world)
    const gate = waits()
    world.platform.next(gate.answering)
    yield* run.answer("there you are")
    yield* gate.go()
    yield* world.pass(minute)
    yield* writes(world, known, "3")
    yield* world.pass(minute)
    yield* expectOne(world)
    expect(world.asked.at(-1)).toEqual(["1", "2", "3"])
  })
})

describe("a customer whom a report names by another id", () => {
  for (const [title, more] of [
    ["", {}],
    [" before the send is answered", { biz_opaque_callback_data: true }]
  ] as const) {
    scenario(`is one customer who is found by both${title}`, function* (world) {
      const gate = waits()
      if (title !== "") world.platform.next(gate.answering)
      yield* Effect.forkChild(sendsTemplate(world))
      yield* world.settle
      const ref = world.platform.of("send")[0]!.body.biz_opaque_callback_data
      const reference = "biz_opaque_callback_data" in more ? { biz_opaque_callback_data: ref } : {}
      const status = inboundStatus("wamid.000001", "sent", { recipient_id: known, ...reference })
      yield* world.deliver(inboundStatuses(status))
      if (title !== "") yield* gate.go()
      yield* world.settle
      yield* writes(world, known, "Hi")
      yield* world.pass(minute)
      yield* expectOne(world)
      expect(yield* world.conversations).toHaveLength(1)
    })
  }

  scenario("is joined with the one who has written under that id", function* (world) {
    yield* writes(world, known, "Hi")
    yield* world.pass(minute)
    yield* sendsTemplate(world)
    expect(yield* world.conversations).toHaveLength(2)
    const id = world.platform.accepted.at(-1)!.id
    yield* world.deliver(inboundStatuses(inboundStatus(id, "delivered", { recipient_id: known })))
    yield* expectOne(world)
    expect((yield* world.messages(dialed)).map(({ role }) => role)).toEqual(["user", "assistant", "agent"])
    expect(names(yield* world.events).filter((name) => name === "conversation.ended")).toHaveLength(1)
  })

  scenario("has the platform's own id too", function* (world) {
    yield* sendsTemplate(world)
    const id = world.platform.accepted.at(-1)!.id
    const both = { recipient_id: known, recipient_user_id: "BR.1" }
    yield* world.deliver(inboundStatuses(inboundStatus(id, "delivered", both)))
    yield* world.delivers({ messages: [world.text("Hi", { from: undefined, from_user_id: "BR.1" })] })
    expect(yield* expectOne(world)).toMatchObject({ userRef: "BR.1" })
  })

  // A fault in front of the platform must not show one customer's conversation to another one.
  scenario("that is no form of the number that was sent to stays another one", function* (world) {
    yield* sendsTemplate(world)
    yield* writes(world, "491701234567", "Hi")
    const id = world.platform.accepted.at(-1)!.id
    yield* world.deliver(inboundStatuses(inboundStatus(id, "delivered", { recipient_id: "491701234567" })))
    expect((yield* world.customer(dialed)).id).not.toBe((yield* world.customer("491701234567")).id)
  })
})

describe("a delivery whose contact has another id than its message", () => {
  const contacts = [{ profile: { name: "Quim" }, wa_id: known }]
  const differs = (world: ReplyWorld, text: string) =>
    world.delivers({ contacts, messages: [world.text(text, { from: dialed, from_user_id: undefined })] })

  scenario("has the customer's name, and both ids", function* (world) {
    yield* differs(world, "Hi")
    expect(yield* world.customer(dialed)).toMatchObject({ name: "Quim" })
    yield* writes(world, known, "Again", {})
    yield* expectOne(world)
  })

  scenario("of several people has each name where it belongs", function* (world) {
    const others = [...contacts, { profile: { name: "Eva" }, wa_id: "491701234567" }]
    yield* world.delivers({
      contacts: others,
      messages: [
        world.text("1", { from: "491701234567", from_user_id: undefined }),
        world.text("2", { from: dialed, from_user_id: undefined })
      ]
    })
    expect(yield* world.customer("491701234567")).toMatchObject({ name: "Eva" })
    expect(yield* world.customer(dialed)).toMatchObject({ name: "Quim" })
  })
})

describe("what the number's own app writes", () => {
  scenario("to either id answers the customer who waits under the other", function* (world) {
    knows(world)
    yield* sendsTemplate(world)
    yield* writes(world, known, "Hi")
    yield* world.delivers({ echoes: [inboundEcho("A person", { to: dialed, timestamp: world.second })] })
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
    yield* expectOne(world)
  })
})

describe("a phone of two forms", () => {
  scenario("that has a new owner is the new owner's under either", function* (world) {
    knows(world)
    yield* sendsTemplate(world)
    yield* world.delivers({ messages: [world.text("mine", { from: known, from_user_id: "BR.1" })] })
    yield* world.delivers({ messages: [world.text("new here", { from: dialed, from_user_id: "BR.2" })] })
    expect(yield* world.customer("BR.1")).toMatchObject({ phone: null })
    expect((yield* world.customer(known)).id).toBe((yield* world.customer("BR.2")).id)
  })

  scenario("is not the one that the customer moves to", function* (world) {
    knows(world)
    yield* sendsTemplate(world)
    yield* writes(world, known, "1")
    yield* world.delivers({
      messages: [inbound.changedNumber("4917099999999", { from: known, from_user_id: undefined })]
    })
    expect(yield* world.findCustomer(dialed)).toBeNull()
    expect((yield* world.customer("4917099999999")).phone).toBe("4917099999999")
  })
})
