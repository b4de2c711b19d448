/** What the number's own app sends, and which of it answers a customer who waits. Verifies: CHAT-3. */
import { Instant } from "@trunkline/core/effect"
import { type ReplyWorld, sampleBodies } from "@trunkline/testing/messaging"
import { describe, expect } from "vitest"
import { scenario } from "./ReplyScenarios.ts"

const { inboundEcho } = sampleBodies
const { minute, second } = Instant

const secondsAgo = (world: ReplyWorld, seconds: number) => String(Number(world.second) - seconds)

/** An echo without content of its own. */
const echoOf = (world: ReplyWorld, type: string, content: object) => {
  const { text: _, ...rest } = inboundEcho("", { timestamp: world.second })
  return { ...rest, type, [type]: content }
}

const echo = (world: ReplyWorld, text: string, seconds = 0) =>
  world.delivers({ echoes: [inboundEcho(text, { timestamp: secondsAgo(world, seconds) })] })

/** Empty acts, by the words of the platform. */
const acts: ReadonlyArray<readonly [string, object]> = [
  ["revoke", { original_message_id: "wamid.older" }],
  ["edit", { original_message_id: "wamid.older", message: { type: "text", text: { body: "new" } } }],
  ["reaction", { message_id: "wamid.older", emoji: "👍" }],
  ["system", { body: "The business changed its number." }],
  ["unsupported", { type: "unknown" }]
]

describe("a question that waits for its reply", () => {
  for (const [type, content] of acts) {
    scenario(`is answered although the number's app sent a message of the type ${type}`, function* (world) {
      yield* world.writes("How much?")
      yield* world.delivers({ echoes: [echoOf(world, type, content)] })
      yield* world.pass(minute)
      expect(world.texts()).toEqual(["hello"])
    })
  }

  scenario("is not answered once a person has, by a text, a picture or a template", function* (world) {
    for (const [type, content] of [
      ["text", { body: "Ten." }],
      ["image", { id: "1" }],
      ["template", { name: "prices" }]
    ] as const) {
      yield* world.writes("How much?")
      yield* world.delivers({ echoes: [echoOf(world, type, content)] })
      yield* world.pass(minute)
    }
    expect(world.model.works).toEqual([])
    expect(yield* world.job()).toMatchObject({ dueAt: null, waitingSince: null })
  })

  scenario("is answered although a text that was written before it is delivered after it", function* (world) {
    yield* world.writes("How much?")
    yield* echo(world, "Good morning", 30)
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["hello"])
  })

  scenario("is not answered where the answer of a person was delivered first", function* (world) {
    const asked = secondsAgo(world, 30)
    yield* echo(world, "Ten.", 10)
    yield* world.delivers({ messages: [world.text("How much?", { timestamp: asked })] })
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
    yield* world.writes("And two?")
    yield* world.pass(minute)
    expect(world.asked).toEqual([["How much?", "And two?"]])
  })

  scenario("is answered where only the one before it was by a person", function* (world) {
    yield* world.delivers({
      messages: [
        world.text("1", { timestamp: secondsAgo(world, 60) }),
        world.text("2", { timestamp: secondsAgo(world, 20) })
      ]
    })
    yield* echo(world, "To the first.", 40)
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["hello"])
  })

  scenario("is answered where a later one was answered by a person, as they were delivered", function* (world) {
    yield* world.delivers({ messages: [world.text("2", { timestamp: secondsAgo(world, 20) })] })
    yield* world.delivers({ messages: [world.text("1", { timestamp: secondsAgo(world, 60) })] })
    yield* echo(world, "To the first.", 40)
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["hello"])
    expect(yield* world.job()).toMatchObject({ dueAt: null, waitingSince: null })
  })

  scenario("gets a reply that knows what a person has answered of it while the model ran", function* (world) {
    const run = world.model.waits()
    yield* world.delivers({
      messages: [
        world.text("1", { timestamp: secondsAgo(world, 60) }),
        world.text("2", { timestamp: secondsAgo(world, 20) })
      ]
    })
    yield* world.pass(2 * second)
    yield* run.begun
    yield* echo(world, "To the first.", 40)
    world.model.says("to the second")
    yield* run.answer("to both")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["to the second"])
  })
})
