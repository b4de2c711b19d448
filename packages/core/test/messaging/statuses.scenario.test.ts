/** What the platform reports of messages. Verifies: CHAT-6. */
import { Instant } from "@trunkline/core/effect"
import { type ReplyWorld, sampleBodies, sampleCustomer, silent, waits } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import { Inbound } from "../../src/messaging/inbound/index.ts"
import { Outgoing } from "../../src/messaging/sending/index.ts"
import { scenario } from "./ReplyScenarios.ts"

const { inboundStatus } = sampleBodies

const { day, minute, second } = Instant

/** A reply was sent; returns its id. */
const answered = function* (world: ReplyWorld) {
  yield* world.writes("Hi")
  yield* world.pass(2 * second)
  return world.platform.accepted.at(-1)!.id
}

const reports = (world: ReplyWorld, ...statuses: ReadonlyArray<unknown>) => world.delivers({ statuses })

/** What others heard of a message. */
const heard = (world: ReplyWorld, msgid: string) =>
  Effect.map(world.events, (events) =>
    events
      .filter(({ data, event }) => event === "message.status" && data.msgid === msgid)
      .map(({ data }) => data.status)
  )

const statusOf = (world: ReplyWorld, msgid: string) =>
  Effect.map(world.messages(), (all) => all.find((message) => message.msgid === msgid)?.status)

describe("a report", () => {
  // Verifies: M-43, N-46, W-157.
  scenario("moves a message on, and is reported by an event", function* (world) {
    const id = yield* answered(world)
    yield* reports(world, inboundStatus(id, "sent"), inboundStatus(id, "delivered"))
    yield* reports(world, inboundStatus(id, "read"))
    expect(yield* statusOf(world, id)).toBe("read")
    expect(yield* heard(world, id)).toEqual(["sent", "delivered", "read"])
  })

  scenario("that comes late or twice changes nothing", function* (world) {
    const id = yield* answered(world)
    for (const status of ["read", "delivered", "sent", "read"]) yield* reports(world, inboundStatus(id, status))
    expect(yield* statusOf(world, id)).toBe("read")
    expect(yield* heard(world, id)).toEqual(["sent", "read"])
  })

  // Verifies: N-51.
  scenario("of a failure says why in our own words, with the platform's code", function* (world) {
    const id = yield* answered(world)
    yield* reports(world, inboundStatus(id, "failed"))
    const [, answer] = yield* world.messages()
    const sentence =
      "The message cannot be delivered: the customer may not use the platform, or not its present version."
    expect(answer).toMatchObject({ status: "failed", fault: { code: 131026, message: sentence } })
    expect((yield* world.events).at(-1)!.data).toMatchObject({
      status: "failed",
      error: `${sentence} (platform code 131026)`
    })
    yield* reports(world, inboundStatus(id, "delivered"))
    expect(yield* world.messages()).toMatchObject([{}, { status: "delivered", fault: null }])
  })

  scenario("that is unreadable does not lose the others", function* (world) {
    const id = yield* answered(world)
    yield* reports(
      world,
      inboundStatus("wamid.nobody", "read"),
      inboundStatus(id, "warped"),
      { status: "read" },
      null,
      inboundStatus(id, "delivered", { timestamp: "soon", recipient_id: null, errors: "none" })
    )
    expect(yield* statusOf(world, id)).toBe("delivered")
  })

  scenario("about a customer's own message is none", function* (world) {
    yield* answered(world)
    const [asked] = yield* world.messages()
    yield* reports(world, inboundStatus(asked!.msgid!, "failed"))
    expect(yield* statusOf(world, asked!.msgid!)).toBe("received")
  })

  scenario("cannot be about another number's message, whatever reference it has", function* (world) {
    const other = { phoneNumberId: "222222222222222", displayPhoneNumber: "+1 555 000 0002" }
    yield* world.connect(other)
    world.platform.next(silent(true))
    yield* world.writes("Hi")
    yield* world.pass(2 * second)
    const [taken] = world.platform.accepted
    const report = { biz_opaque_callback_data: taken!.body.biz_opaque_callback_data }
    yield* world.delivers({ ...other, statuses: [inboundStatus(taken!.id, "read", report)] })
    expect((yield* world.messages())[1]).toMatchObject({ status: "unknown", msgid: null })
  })
})

describe("a report that is earlier than what it is about", () => {
  scenario("is kept until the platform's answer is there", function* (world) {
    const gate = waits()
    world.platform.next(gate.answering)
    yield* world.writes("Hi")
    yield* world.pass(2 * second)
    yield* reports(world, inboundStatus("wamid.000001", "delivered"), inboundStatus("wamid.000001", "read"))
    expect(yield* heard(world, "wamid.000001")).toEqual([])
    yield* gate.go()
    yield* world.settle
    expect(world.platform.accepted[0]!.id).toBe("wamid.000001")
    expect(yield* statusOf(world, "wamid.000001")).toBe("read")
    expect(yield* heard(world, "wamid.000001")).toEqual(["sent", "delivered", "read"])
  })

  scenario("by our own reference is applied at once, and reported once", function* (world) {
    const gate = waits()
    world.platform.next(gate.answering)
    yield* world.writes("Hi")
    yield* world.pass(2 * second)
    const { body } = world.platform.of("send")[0]!
    yield* reports(
      world,
      inboundStatus("wamid.000001", "delivered", { biz_opaque_callback_data: body.biz_opaque_callback_data })
    )
    expect(yield* statusOf(world, "wamid.000001")).toBe("delivered")
    yield* gate.go()
    yield* world.settle
    expect(yield* statusOf(world, "wamid.000001")).toBe("delivered")
    const about = (yield* world.events).filter(({ data }) => data.msgid === "wamid.000001")
    expect(about.map(({ data, event }) => data.status ?? event)).toEqual(["message.sent", "sent", "delivered"])
  })

  scenario("by our own reference is believed, and not the silence after it", function* (world) {
    const gate = waits()
    world.platform.next(gate.answering)
    yield* world.writes("Hi")
    yield* world.pass(2 * second)
    const { body } = world.platform.of("send")[0]!
    const report = { biz_opaque_callback_data: body.biz_opaque_callback_data }
    yield* reports(world, inboundStatus("wamid.000001", "delivered", report))
    yield* gate.go(silent(true))
    yield* world.pass(second)
    expect((yield* world.messages())[1]).toMatchObject({ status: "delivered", msgid: "wamid.000001", fault: null })
  })

  scenario("of a message that never comes is forgotten after eight days", function* (world) {
    yield* reports(world, inboundStatus("wamid.nobody", "read"))
    const sweep = world.run(Inbound.use((inbox) => inbox.sweep))
    yield* world.jump(8 * day)
    expect(yield* sweep).toBe(0)
    yield* world.jump(1)
    expect(yield* sweep).toBe(1)
  })
})

describe("a message of a program's", () => {
  const number = (world: ReplyWorld) => world.number
  const text = "Your tea is ready."
  const message = { type: "text", text, body: { body: text }, answers: null, options: {} } as const
  const person = { phone: sampleCustomer.phone, userRef: null, name: null }
  const to = { _tag: "Phone", phone: person.phone } as const

  scenario("whose process is gone is unknown after five minutes", function* (world) {
    const gate = waits()
    world.platform.next(gate.answering)
    const dispatch = { number: yield* number(world), person, to, message, callbackData: null }
    const sending = yield* Effect.forkChild(world.run(Outgoing.use((outgoing) => outgoing.send(dispatch))))
    yield* gate.begun
    expect(yield* world.messages()).toMatchObject([{ status: "sending", role: "agent" }])
    const sweep = world.run(Inbound.use((inbox) => inbox.sweep))
    yield* world.jump(5 * minute)
    expect(yield* sweep).toBe(0)
    yield* world.jump(1)
    expect(yield* sweep).toBe(1)
    expect(yield* world.messages()).toMatchObject([{ status: "unknown" }])
    // The platform was only slow.
    yield* gate.go()
    yield* Fiber.join(sending)
    expect(yield* world.messages()).toMatchObject([{ status: "sent", fault: null }])
  })

  scenario("that the platform delivers to us before it answers stays one that was sent", function* (world) {
    const gate = waits()
    world.platform.next(gate.answering)
    const dispatch = { number: yield* number(world), person, to, message, callbackData: null }
    const sending = yield* Effect.forkChild(world.run(Outgoing.use((outgoing) => outgoing.send(dispatch))))
    yield* gate.begun
    const echo = { from: "15550783881", to: person.phone, id: "wamid.000001", type: "text", text: { body: text } }
    yield* world.delivers({ echoes: [echo] })
    yield* gate.go()
    yield* Fiber.join(sending)
    expect((yield* world.messages()).map(({ msgid, status }) => [msgid, status])).toEqual([
      [null, "sent"],
      ["wamid.000001", "sent"]
    ])
  })
})
