/** What the platform delivers: stored once and as a whole, then acknowledged. Verifies: CHAT-1, CHAT-7. */
import { Instant } from "@trunkline/core/effect"
import { decodeInbound } from "@trunkline/providers/cloud-api"
import { inboundMessages, refusedWith, sampleBodies, sampleCustomer, worldToken } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe, expect } from "vitest"
import { Inbound } from "../../src/messaging/inbound/index.ts"
import { names, scenario } from "./ReplyScenarios.ts"

const { inbound, inboundStatus } = sampleBodies

const { minute, second } = Instant

const other = { phoneNumberId: "222222222222222", displayPhoneNumber: "+1 555 000 0002" }

describe("a delivery", () => {
  scenario(
    "that comes twenty times at the same time is stored, reported and answered once",
    function* (world) {
      const body = inboundMessages(world.text("Hi"))
      const twenty = Array.from({ length: 20 }, (_, nth) => world.deliver(body, nth))
      yield* Effect.all(twenty, { concurrency: "unbounded" })
      yield* world.pass(minute)
      expect(yield* world.messages()).toHaveLength(2)
      expect(world.texts()).toEqual(["hello"])
      expect(world.model.works).toHaveLength(1)
      expect(names(yield* world.events).filter((name) => name === "message.received")).toHaveLength(1)
    },
    { processes: 2 }
  )

  scenario("that is repeated after the answer, and after weeks, is already known", function* (world) {
    const body = inboundMessages(world.text("Hi"))
    yield* world.deliver(body)
    yield* world.pass(minute)
    yield* world.deliver(body)
    yield* world.pass(minute)
    yield* world.jump(40 * Instant.day)
    yield* world.deliver(body)
    yield* world.pass(minute)
    expect(world.model.works).toHaveLength(1)
    expect(yield* world.conversations).toHaveLength(1)
  })

  // Verifies: M-2.
  scenario("of two entries with two changes of three messages each is stored as a whole", function* (world) {
    yield* world.connect(other)
    yield* world.writes("before")
    yield* world.pass(minute)
    const { id } = world.platform.accepted[0]!
    const changes = [0, 1, 2, 3].map((nth) => ({
      ...(nth % 2 === 0 ? {} : other),
      messages: [0, 1, 2].map((one) =>
        world.text(`${nth}.${one}`, { from: `49170000000${one}`, from_user_id: undefined })
      ),
      statuses: [inboundStatus(id, ["sent", "delivered", "read", "delivered"][nth]!)]
    }))
    yield* world.delivers(...changes)
    for (const one of [0, 1, 2]) {
      const texts = (yield* world.messages(`49170000000${one}`)).map(({ text }) => text)
      expect(texts).toEqual([`0.${one}`, `2.${one}`])
    }
    expect(yield* world.conversations).toHaveLength(1 + 6)
    expect((yield* world.messages())[1]).toMatchObject({ status: "read" })
  })

  // Verifies: M-10.
  scenario("keeps each message as it came, whatever its type", function* (world) {
    const all = [
      inbound.location(),
      inbound.contacts(),
      inbound.order("Two, please"),
      inbound.unsupported(),
      inbound.unheardOf({ extra: { deep: [1, "two"] } }),
      inbound.welcome()
    ]
    yield* world.deliver(inboundMessages(...all))
    const stored = yield* world.messages()
    expect(stored.map(({ type }) => type)).toEqual(all.map(({ type }) => type))
    expect(stored[4]!.body).toEqual({ beam: { colour: "blue" } })
    expect(stored[2]!.text).toBe("Two, please")
    expect(stored.map(({ context }) => context)).toEqual(stored.map(() => null))
  })

  scenario("keeps the text of a message whose content is larger than any platform sends", function* (world) {
    const text = "x".repeat(70_000)
    yield* world.deliver(inboundMessages(world.text(text, { text: { body: text, extra: "y".repeat(300_000) } })))
    expect(yield* world.messages()).toMatchObject([{ type: "text", text: text.slice(0, 65_536), body: {} }])
  })

  scenario("keeps what a message answers", function* (world) {
    yield* world.deliver(
      inboundMessages(world.text("this one", { context: { from: "15550783881", id: "wamid.BEFORE" } }))
    )
    expect((yield* world.messages()).map(({ context }) => context)).toEqual(["wamid.BEFORE"])
  })

  // Verifies: N-16.
  scenario("that cannot be stored fails as a whole, and is stored when it comes again", function* (world) {
    const body = inboundMessages(world.text("1"), world.text("2"))
    world.isDown = true
    const delivery = { channel: "cloud-api", batches: decodeInbound(body) }
    const exit = yield* Effect.exit(world.run(Inbound.use((inbox) => inbox.receive(delivery))))
    expect(exit._tag).toBe("Failure")
    world.isDown = false
    expect(yield* world.findCustomer(sampleCustomer.phone)).toBeNull()
    yield* world.deliver(body)
    yield* world.pass(minute)
    expect(world.asked).toEqual([["1", "2"]])
  })

  scenario("for a number that nobody has connected changes nothing, and the others are stored", function* (world) {
    const messages = [world.text("Hi")]
    yield* world.delivers({ ...other, messages, statuses: [inboundStatus("wamid.x", "read")] }, { messages })
    expect(yield* world.conversations).toHaveLength(1)
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["hello"])
  })

  // Verifies: N-59.
  scenario("of another business account than the number was connected with is stored nowhere", function* (world) {
    const message = { ...inboundMessages(world.text("theirs")) }
    const entry = (message.entry as ReadonlyArray<object>)[0]!
    yield* world.deliver({
      ...message,
      entry: [
        { ...entry, id: "999" },
        { ...entry, id: undefined }
      ]
    })
    expect(yield* world.conversations).toEqual([])
    yield* world.deliver(inboundMessages(world.text("ours")))
    expect((yield* world.messages()).map(({ text }) => text)).toEqual(["ours"])
  })

  scenario(
    "of whatever business account is stored where that is not checked",
    function* (world) {
      const message = inboundMessages(world.text("Hi"))
      yield* world.deliver({ ...message, entry: [{ ...(message.entry as ReadonlyArray<object>)[0]!, id: "0" }] })
      expect(yield* world.messages()).toHaveLength(1)
    },
    { checkBusinessAccount: false }
  )

  scenario("with a message that is from nobody stores the others", function* (world) {
    yield* world.delivers({
      messages: [world.text("who?", { from: undefined, from_user_id: undefined }), world.text("me")],
      contacts: []
    })
    expect((yield* world.messages()).map(({ text }) => text)).toEqual(["me"])
  })
})

describe("a stored message", () => {
  // Verifies: M-6, M-7, N-20.
  scenario("is marked read, once for all of a customer's in the delivery", function* (world) {
    const messages = [
      world.text("1"),
      world.text("2"),
      world.text("3", { from: "4917012345678", from_user_id: undefined })
    ]
    yield* world.deliver(inboundMessages(...messages))
    expect(world.platform.of("send")).toEqual([])
    expect(world.platform.of("markRead").map(({ body }) => [body.id, body.typing])).toEqual([
      [messages[1]!.id, false],
      [messages[2]!.id, false]
    ])
  })

  scenario("of somebody who goes on writing is marked read once a second, the last one then", function* (world) {
    for (const text of ["1", "2", "3"]) yield* world.deliver(inboundMessages(world.text(text)))
    const [first, , third] = yield* world.messages()
    const marked = () => world.platform.of("markRead").map(({ body }) => body.id)
    expect(marked()).toEqual([first!.msgid])
    yield* world.jump(second)
    yield* world.settle
    expect(marked()).toEqual([first!.msgid, third!.msgid])
    yield* world.jump(second)
    yield* world.settle
    expect(marked()).toEqual([first!.msgid, third!.msgid])
  })

  scenario("of a hundred customers at once is marked with a few requests at a time", function* (world) {
    world.platform.delays("markRead", 100)
    const from = Array.from({ length: 100 }, (_, n) => `49170${1_000_000 + n}`)
    yield* world.deliver(
      inboundMessages(...from.map((one) => world.text("Hi", { from: one, from_user_id: undefined })))
    )
    for (let waited = 0; waited < 10; waited += 1) {
      yield* world.jump(100)
      yield* world.settle
    }
    const begun = Map.groupBy(world.platform.of("markRead"), ({ at }) => at)
    expect([...begun.values()].map((calls) => calls.length)).toEqual([16, 16, 16, 16, 16, 16, 4])
  })

  // Verifies: N-20.
  scenario("of a number that is not linked is stored, gets no reply and is not marked read", function* (world) {
    yield* world.link(null)
    yield* world.writes("Hi")
    yield* world.pass(minute)
    expect(yield* world.messages()).toHaveLength(1)
    expect(world.platform.of("markRead")).toEqual([])
    expect(world.model.works).toEqual([])
  })

  scenario("is tried to be marked read three times, and nobody waits for it", function* (world) {
    world.platform.fails("markRead", refusedWith(131016, 500))
    yield* world.writes("Hi")
    expect(yield* world.messages()).toHaveLength(1)
    for (let waited = 0; waited < 10; waited += 1) {
      yield* world.jump(second)
      yield* world.settle
    }
    expect(world.platform.of("markRead")).toHaveLength(3)
    world.platform.fails("markRead", null)
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["hello"])
  })
})

describe("a token", () => {
  scenario("goes to the platform, and nowhere else: no log, no event, no message", function* (world) {
    const lines: Array<unknown> = []
    const logger = Logger.layer([Logger.make((entry) => void lines.push(entry))])
    yield* Effect.provide(
      Effect.gen(function* () {
        world.platform.next(() => Effect.fail(refusedWith(190, 401)))
        world.model.fails("failed")
        yield* world.writes("Hi")
        yield* world.pass(5 * minute)
        world.model.says("Hello.")
        yield* world.writes("Hi?")
        yield* world.pass(5 * minute)
      }),
      logger
    )
    expect(world.platform.of("send").length).toBeGreaterThan(0)
    const shown = JSON.stringify([lines.map(String), yield* world.events, yield* world.messages()])
    expect(lines.length).toBeGreaterThan(0)
    expect(shown).not.toContain(worldToken)
  })
})
