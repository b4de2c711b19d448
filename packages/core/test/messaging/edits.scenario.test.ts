/** Messages that are edited and deleted after they were sent: docs/reference/messaging.md#edits. Verifies: CHAT-2. */
import { Instant } from "@trunkline/core/effect"
import { type ReplyWorld, sampleBodies } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { scenario } from "./ReplyScenarios.ts"

const { inbound, inboundEcho, inboundMessage } = sampleBodies
const { day, minute, second } = Instant

const text = (body: string) => ({ type: "text", text: { body } })

const later = (world: ReplyWorld, seconds: number) => String(Number(world.second) + seconds)

/** The customer edits a message. */
const edits = (world: ReplyWorld, id: unknown, message: object, more: object = {}) =>
  world.delivers({
    messages: [inboundMessage("edit", { original_message_id: id, message }, { timestamp: world.second, ...more })]
  })

const deletes = (world: ReplyWorld, id: unknown) =>
  world.delivers({ messages: [inboundMessage("revoke", { original_message_id: id }, { timestamp: world.second })] })

/** The same in the number's own app. */
const appSends = (world: ReplyWorld, type: string, content: object) => {
  const { text: _, ...rest } = inboundEcho("", { timestamp: world.second })
  return world.delivers({ echoes: [{ ...rest, type, [type]: content }] })
}

/** The customer writes; returns the message as it was delivered. */
const says = (world: ReplyWorld, body: string) => {
  const message = world.text(body)
  return Effect.as(world.delivers({ messages: [message] }), message)
}

describe("a message that is edited", () => {
  scenario("before it is answered is answered as it is then", function* (world) {
    const { id } = yield* says(world, "two pizzas")
    yield* edits(world, id, text("three pizzas"))
    yield* world.pass(minute)
    expect(world.asked).toEqual([["three pizzas"]])
    expect(yield* world.messages()).toMatchObject([
      {
        text: "three pizzas",
        body: { body: "three pizzas" },
        original: { text: "two pizzas", content: { body: "two pizzas" } }
      },
      { role: "assistant", original: null, editedAt: null }
    ])
  })

  scenario("while the model runs is answered by a run that knows it alone", function* (world) {
    const run = world.model.waits()
    const { id } = yield* says(world, "two pizzas")
    yield* world.pass(2 * second)
    yield* run.begun
    yield* world.jump(20 * second)
    yield* edits(world, id, text("three pizzas"))
    world.model.says("three, then")
    yield* run.answer("two, then")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["three, then"])
    expect(world.asked).toEqual([["two pizzas"], ["three pizzas"]])
  })

  scenario("after it was answered is not answered again, and is read so from then on", function* (world) {
    const { id } = yield* says(world, "two pizzas")
    yield* world.pass(minute)
    yield* edits(world, id, text("three pizzas"))
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(1)
    yield* world.writes("Thanks")
    yield* world.pass(minute)
    expect(world.asked.at(-1)).toEqual(["three pizzas", "Thanks"])
  })

  scenario("before it is delivered is stored and answered as it is then", function* (world) {
    const message = world.text("two pizzas")
    yield* edits(world, message.id, text("three pizzas"))
    expect(yield* world.conversations).toEqual([])
    yield* world.delivers({ messages: [message] })
    yield* world.pass(minute)
    expect(world.asked).toEqual([["three pizzas"]])
  })

  scenario("twice has the later text, in whatever order and however often they come", function* (world) {
    const { id } = yield* says(world, "one")
    const [first, second_] = [
      [id, text("two"), { id: "wamid.edit1", timestamp: later(world, 1) }],
      [id, text("three"), { id: "wamid.edit2", timestamp: later(world, 2) }]
    ] as const
    yield* world.jump(5 * second)
    for (const [of, message, more] of [second_, first, second_, first]) yield* edits(world, of, message, more)
    expect(yield* world.messages()).toMatchObject([{ text: "three", original: { text: "one" } }])
  })

  scenario("in its caption keeps its picture", function* (world) {
    const picture = inbound.image("two of these", { timestamp: world.second })
    yield* world.delivers({ messages: [picture] })
    yield* edits(world, picture.id, { type: "image", image: { caption: "three of these" } })
    const [{ id }] = [picture.image as { readonly id: string }]
    expect(yield* world.messages()).toMatchObject([
      { type: "image", text: "three of these", body: { id, caption: "three of these" } }
    ])
  })

  scenario("in a conversation that has ended is edited there", function* (world) {
    const { id } = yield* says(world, "two pizzas")
    yield* world.pass(minute)
    yield* world.jump(2 * day)
    yield* edits(world, id, text("three pizzas"))
    expect(yield* world.conversations).toHaveLength(1)
    yield* world.writes("Thanks")
    yield* world.pass(minute)
    expect(world.asked.at(-1)).toEqual(["three pizzas", "Thanks"])
  })

  scenario("to STOP gets no reply", function* (world) {
    const { id } = yield* says(world, "Hello")
    yield* edits(world, id, text("STOP"))
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
    expect(yield* world.job()).toMatchObject({ dueAt: null, waitingSince: null })
  })

  scenario("by its business is read so", function* (world) {
    yield* world.writes("How much?")
    const echo = inboundEcho("Ten.", { timestamp: world.second })
    yield* world.delivers({ echoes: [echo] })
    yield* appSends(world, "edit", { original_message_id: echo.id, message: text("Twenty.") })
    yield* world.writes("Good")
    yield* world.pass(minute)
    expect(world.model.works.at(-1)!.messages.map((one) => ("text" in one ? one.text : ""))).toContain(
      "[From a colleague] Twenty."
    )
  })

  scenario("by the other side stays as it was", function* (world) {
    const { id } = yield* says(world, "two pizzas")
    yield* appSends(world, "edit", { original_message_id: id, message: text("no pizza") })
    yield* appSends(world, "revoke", { original_message_id: id })
    yield* world.pass(minute)
    expect(world.asked).toEqual([["two pizzas"]])
  })
})

describe("a message that is deleted", () => {
  scenario("before it is answered gets no reply, and no model reads it", function* (world) {
    const { id } = yield* says(world, "my password is tea")
    yield* deletes(world, id)
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
    expect(yield* world.job()).toMatchObject({ dueAt: null, waitingSince: null })
    yield* world.writes("Hello")
    yield* world.pass(minute)
    expect(world.asked).toEqual([["Hello"]])
    expect(yield* world.messages()).toMatchObject([
      { text: "my password is tea", deletedAt: expect.any(Number) },
      { deletedAt: null },
      { role: "assistant" }
    ])
  })

  scenario("while the model runs gets no reply", function* (world) {
    const run = world.model.waits()
    const { id } = yield* says(world, "my password is tea")
    yield* world.pass(2 * second)
    yield* run.begun
    yield* deletes(world, id)
    yield* run.answer("tea, then")
    yield* world.pass(minute)
    expect(world.platform.accepted).toEqual([])
    expect(yield* world.job()).toMatchObject({ dueAt: null, waitingSince: null })
  })

  scenario("while the model runs leaves the others of its group, which are answered anew", function* (world) {
    const run = world.model.waits()
    const { id } = yield* says(world, "my password is tea")
    yield* world.writes("How much?")
    yield* world.pass(2 * second)
    yield* run.begun
    yield* deletes(world, id)
    world.model.says("ten")
    yield* run.answer("tea, then")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["ten"])
    expect(world.asked.at(-1)).toEqual(["How much?"])
  })

  scenario("after it was answered is read no more, nor where it was quoted", function* (world) {
    const { id } = yield* says(world, "my password is tea")
    yield* world.pass(minute)
    yield* deletes(world, id)
    yield* world.deliver({})
    yield* world.delivers({ messages: [world.text("Thanks", { context: { id } })] })
    yield* world.pass(minute)
    expect(world.asked.at(-1)).toEqual(["Thanks"])
  })

  scenario("lets the next one wait for its group as if it had never been there", function* (world) {
    const { id } = yield* says(world, "my password is tea")
    yield* deletes(world, id)
    yield* world.jump(12 * second)
    yield* world.writes("Hello")
    yield* world.pass(second)
    expect(world.model.works).toEqual([])
    yield* world.writes("How much?")
    yield* world.pass(minute)
    expect(world.asked).toEqual([["Hello", "How much?"]])
  })

  scenario("before it is delivered is stored as deleted", function* (world) {
    const message = world.text("my password is tea")
    yield* deletes(world, message.id)
    yield* world.delivers({ messages: [message, world.text("Hello")] })
    yield* world.pass(minute)
    expect(world.asked).toEqual([["Hello"]])
  })

  scenario("and edited before is gone all the same", function* (world) {
    const { id } = yield* says(world, "one")
    yield* deletes(world, id)
    yield* edits(world, id, text("two"))
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
  })

  scenario("by its business is read no more, and the customer is answered by nobody else", function* (world) {
    yield* world.writes("How much?")
    const echo = inboundEcho("Ten.", { timestamp: world.second })
    yield* world.delivers({ echoes: [echo] })
    yield* appSends(world, "revoke", { original_message_id: echo.id })
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
    yield* world.writes("Well?")
    yield* world.pass(minute)
    expect(JSON.stringify(world.model.works.at(-1)!.messages)).not.toContain("Ten.")
  })

  scenario("by its business before the platform's answer to it came is deleted", function* (world) {
    yield* world.writes("How much?")
    yield* appSends(world, "revoke", { original_message_id: "wamid.000001" })
    yield* world.pass(minute)
    expect((yield* world.messages())[1]).toMatchObject({ msgid: "wamid.000001", deletedAt: expect.any(Number) })
  })
})

describe("an edit that names nothing", () => {
  scenario("is stored as it came, and answered by nobody", function* (world) {
    yield* world.delivers({ messages: [inboundMessage("edit", { message: text("?") }), inboundMessage("revoke")] })
    yield* world.pass(minute)
    expect((yield* world.messages()).map(({ type }) => type)).toEqual(["edit", "revoke"])
    expect(world.model.works).toEqual([])
  })
})
