/** What waits for people: unread messages, and conversations that no agent answers. */
import { Instant } from "@trunkline/core/effect"
import { chatAnswer } from "@trunkline/testing/inference"
import { inboundMessages, type ReplyWorld, sampleBodies } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { Conversations } from "../../src/messaging/conversations/index.ts"
import { conversationRecord } from "../../src/messaging/routes/MessagingHttp.ts"
import { scenario } from "./ReplyScenarios.ts"

const { inbound, inboundEcho } = sampleBodies
const { hour, minute, second } = Instant

/** The customer's conversation as the API shows it. */
const shown = (world: ReplyWorld) =>
  Effect.flatMap(world.customer(), ({ conversationId }) =>
    Effect.map(
      Effect.orDie(world.run(Conversations.use((service) => service.get(world.tenant, conversationId)))),
      (view) => conversationRecord(view!)
    )
  )

describe("a conversation needs a person", () => {
  // Verifies: B-503.
  scenario("once its agent is switched off, and until somebody answers", function* (world) {
    world.model.says("One moment.")
    yield* world.writes("Hello?")
    expect((yield* shown(world)).needs_person).toBe(false)
    yield* world.setTakeover()
    expect((yield* shown(world)).needs_person).toBe(true)
    // The message gets no reply any more, also where the agent is switched on again.
    yield* world.pass(10 * second)
    yield* world.setTakeover(false)
    expect((yield* shown(world)).needs_person).toBe(true)
    yield* world.delivers({ echoes: [inboundEcho("Here I am.", { timestamp: world.second })] })
    expect(yield* shown(world)).toMatchObject({ needs_person: false, unread_count: 0 })
  })

  scenario("also once its agent is on again, where the message came while it was off", function* (world) {
    world.model.says("Here I am.")
    yield* world.writes("Hello?")
    yield* world.pass(10 * second)
    for (const [off, on] of [
      [world.setTakeover(), world.setTakeover(false)],
      [world.switchNumber(false), world.switchNumber(true)],
      [world.changeBot({ isActive: false }), world.changeBot({ isActive: true })],
      [world.link(null), world.link(world.bot.id)]
    ] as const) {
      yield* off
      yield* world.writes("Is anybody there?")
      yield* world.pass(10 * second)
      yield* on
      yield* world.pass(minute, 5000)
      expect(yield* shown(world)).toMatchObject({ needs_person: true, last_message: { text: "Is anybody there?" } })
      // The agent answers what comes from then on.
      yield* world.writes("Hello again")
      expect((yield* shown(world)).needs_person).toBe(false)
      yield* world.pass(10 * second)
      expect(yield* shown(world)).toMatchObject({ needs_person: false, last_message: { text: "Here I am." } })
    }
  })

  scenario("no more once its agent is on again, where the message still waits for its reply", function* (world) {
    world.model.says("Here I am.")
    yield* world.writes("Hello?")
    yield* world.setTakeover()
    expect((yield* shown(world)).needs_person).toBe(true)
    yield* world.setTakeover(false)
    expect((yield* shown(world)).needs_person).toBe(false)
    yield* world.pass(10 * second)
    expect(yield* shown(world)).toMatchObject({ needs_person: false, last_message: { text: "Here I am." } })
  })

  scenario("where its number is switched off, or its agent cannot answer", function* (world) {
    world.model.does(() => Effect.never)
    yield* world.writes("Hello?")
    for (const [off, on] of [
      [world.switchNumber(false), world.switchNumber(true)],
      [world.changeBot({ isActive: false }), world.changeBot({ isActive: true })],
      [world.changeBot({ systemPrompt: " \n" }), world.changeBot({ systemPrompt: "You help." })],
      [world.link(null), world.link(world.bot.id)]
    ] as const) {
      expect((yield* shown(world)).needs_person).toBe(false)
      yield* off
      expect((yield* shown(world)).needs_person).toBe(true)
      yield* on
    }
  })

  scenario("where the agent's run has failed for the last time", function* (world) {
    world.model.does(() => Effect.die(new Error("a bug of the upstream's")))
    yield* world.writes("Hello?")
    yield* world.pass(10 * second)
    expect((yield* shown(world)).needs_person).toBe(false)
    yield* world.pass(minute, 5000)
    expect((yield* shown(world)).needs_person).toBe(true)
    world.model.says("Here I am.")
    yield* world.writes("Is anybody there?")
    expect((yield* shown(world)).needs_person).toBe(false)
    yield* world.pass(10 * second)
    expect(yield* shown(world)).toMatchObject({ needs_person: false, unread_count: 0 })
  })

  scenario("where a reply was discarded, since the number has another agent meanwhile", function* (world) {
    world.model.does(() => Effect.delay(Effect.succeed(chatAnswer()), 5 * second))
    yield* world.writes("Hello?")
    yield* world.pass(3 * second)
    yield* world.link(null)
    yield* world.pass(10 * second)
    yield* world.link(world.bot.id)
    expect((yield* shown(world)).needs_person).toBe(true)
  })

  scenario("for what its agent cannot read, and not for what asks for nothing", function* (world) {
    const now = () => ({ timestamp: world.second })
    yield* world.deliver(inboundMessages(inbound.audio(now())))
    yield* world.pass(10 * second)
    expect((yield* shown(world)).needs_person).toBe(true)
    // Nobody has answered by it.
    yield* world.deliver(inboundMessages(inbound.reaction("👍", now())))
    expect((yield* shown(world)).needs_person).toBe(true)
    yield* world.delivers({ echoes: [inboundEcho("I am listening.", now())] })
    yield* world.deliver(inboundMessages(inbound.reaction("👍", now())))
    expect((yield* shown(world)).needs_person).toBe(false)
    yield* world.writes("STOP")
    yield* world.pass(10 * second)
    expect((yield* shown(world)).needs_person).toBe(false)
  })
})

describe("a conversation's unread messages", () => {
  // Verifies: B-502, B-501.
  scenario("are those since the last answer, of whomever, and since the last read mark", function* (world) {
    world.model.does(() => Effect.never)
    yield* world.writes("One")
    yield* world.writes("Two")
    expect(yield* shown(world)).toMatchObject({
      unread_count: 2,
      last_message: { direction: "inbound", role: "user", type: "text", text: "Two", status: "received" }
    })
    const { conversationId } = yield* world.customer()
    const read = world.run(Conversations.use((service) => service.markRead(world.tenant, conversationId)))
    yield* read
    yield* read
    expect((yield* shown(world)).unread_count).toBe(0)
    yield* world.writes("Three")
    expect((yield* shown(world)).unread_count).toBe(1)
    yield* world.delivers({ echoes: [inboundEcho("An answer from the app.", { timestamp: world.second })] })
    expect(yield* shown(world)).toMatchObject({
      unread_count: 0,
      last_message: { direction: "outbound", role: "agent", text: "An answer from the app." }
    })
  })

  scenario("and who it is assigned to go on in the customer's next conversation", function* (world) {
    world.model.does(() => Effect.never)
    yield* world.writes("One")
    const first = yield* world.customer()
    const assigned = { assignedTo: { _tag: "Subject", subject: "ada" } } as const
    yield* world.run(
      Conversations.use((service) => service.change(world.tenant, first.conversationId, assigned, "operator"))
    )
    yield* world.pass(25 * hour, hour)
    yield* world.writes("Two")
    const next = yield* world.customer()
    expect(next.conversationId).not.toBe(first.conversationId)
    expect(yield* shown(world)).toMatchObject({ unread_count: 1, assigned_to: { subject: "ada", name: null } })
  })
})
