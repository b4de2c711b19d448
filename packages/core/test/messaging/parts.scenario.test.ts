/** How a reply goes out: in parts, in order, none of them twice. Verifies: CHAT-4. */
import { ConnectedNumbers, Instant } from "@trunkline/core/effect"
import {
  accepts,
  inboundMessages,
  platformLeak,
  type ReplyWorld,
  refuses,
  sampleBodies,
  silent,
  unreachable,
  waits
} from "@trunkline/testing/messaging"
import { describe, expect } from "vitest"
import { names, scenario, start } from "./ReplyScenarios.ts"

const { inboundStatus } = sampleBodies

const { minute, second } = Instant

const paragraph = (char: string) => char.repeat(4000)
const [one, two, three] = ["a", "b", "c"].map(paragraph) as [string, string, string]
const long = [one, two, three].join("\n\n")

/** An answer of three parts is on its way. */
const answers = function* (world: ReplyWorld) {
  world.model.says(long)
  yield* world.writes("Tell me everything.")
  yield* world.pass(1500)
}

const parts = (world: ReplyWorld) => world.messages()

/** When each request to send came, in milliseconds from the end of the message group. */
const requests = ({ platform }: ReplyWorld) => platform.of("send").map(({ at }) => at - start - 1500)

const firstWords = (texts: ReadonlyArray<string>) => texts.map((text) => text[0])

describe("a long answer", () => {
  scenario("goes out in parts, in order, and each is reported by events", function* (world) {
    yield* answers(world)
    expect(world.texts()).toEqual([one, two, three])
    const [, ...sent] = yield* parts(world)
    expect(new Set(sent.map(({ turnId }) => turnId)).size).toBe(1)
    expect(sent.map(({ part }) => part)).toEqual([0, 1, 2])
    expect(sent.map(({ msgid }) => msgid)).toEqual(world.platform.accepted.map(({ id }) => id))
    const events = yield* world.events
    expect(names(events).slice(2)).toEqual([
      "message.sent",
      "message.status",
      "message.sent",
      "message.status",
      "message.sent",
      "message.status"
    ])
    expect(events.filter(({ event }) => event === "message.sent").map(({ data }) => data.msgid)).toEqual(
      sent.map(({ msgid }) => msgid)
    )
    expect((yield* world.job()).dueAt).toBeNull()
  })

  scenario("waits with each part for the one in front of it", function* (world) {
    const gate = waits()
    world.platform.next(gate.answering)
    yield* answers(world)
    yield* world.pass(20 * second)
    expect(world.platform.of("send")).toHaveLength(1)
    yield* gate.go()
    yield* world.pass(second)
    expect(firstWords(world.texts())).toEqual(["a", "b", "c"])
  })

  scenario("carries our own reference with each part", function* (world) {
    yield* answers(world)
    const [, ...sent] = yield* parts(world)
    expect(world.platform.accepted.map(({ body }) => body.biz_opaque_callback_data)).toEqual(sent.map(({ id }) => id))
  })

  scenario("reaches a customer who has no phone number", function* (world) {
    yield* world.deliver(inboundMessages(world.text("Hi", { from: undefined, from_user_id: "US.77" })))
    yield* world.pass(2 * second)
    expect(world.platform.accepted.map(({ body }) => [body.to, body.recipient])).toEqual([[undefined, "US.77"]])
  })
})

describe("a part that the platform has no room for", () => {
  scenario("is sent again later, and nothing that was sent before it", function* (world) {
    world.platform.next(accepts)
    world.platform.next(refuses(130429), 3)
    yield* answers(world)
    expect(firstWords(world.texts())).toEqual(["a"])
    yield* world.pass(minute)
    expect(firstWords(world.texts())).toEqual(["a", "b", "c"])
    expect(requests(world)).toEqual([0, 0, 4, 12, 28, 28].map((s) => s * second))
    expect((yield* parts(world)).map(({ status }) => status)).toEqual(["received", "sent", "sent", "sent"])
    expect((yield* world.job()).failures).toBe(0)
  })

  scenario("is sent when the platform says", function* (world) {
    world.platform.next(refuses(131056, 400, 7))
    yield* answers(world)
    yield* world.pass(minute)
    expect(requests(world)).toEqual([0, 7, 7, 7].map((s) => s * second))
  })

  scenario("is not sent sooner for a message that comes meanwhile, which gets its reply afterwards", function* (world) {
    world.platform.next(refuses(130429, 400, 30))
    yield* answers(world)
    world.model.says("And that.")
    yield* world.writes("And this?")
    yield* world.pass(29 * second)
    expect(world.platform.of("send")).toHaveLength(1)
    yield* world.pass(3 * second)
    expect(firstWords(world.texts())).toEqual(["a", "b", "c", "A"])
  })

  scenario("stays queued whatever is switched off, and whatever comes meanwhile", function* (world) {
    world.platform.next(refuses(130429, 400, 30))
    yield* answers(world)
    yield* world.switchNumber(false)
    yield* world.writes("Hello?")
    yield* world.pass(minute)
    expect(firstWords(world.texts())).toEqual(["a", "b", "c"])
    expect(world.model.works).toHaveLength(1)
  })

  scenario("fails after the twelfth attempt, with all parts after it", function* (world) {
    world.platform.does(refuses(130429))
    yield* answers(world)
    yield* world.pass(20 * minute)
    expect(world.platform.of("send")).toHaveLength(12)
    const [, ...sent] = yield* parts(world)
    expect(sent.map(({ status }) => status)).toEqual(["failed", "failed", "failed"])
    expect(sent[0]!.fault).toMatchObject({ code: 130429 })
    expect((yield* world.job()).dueAt).toBeNull()
    world.platform.does(accepts)
    world.model.says("Again.")
    yield* world.writes("Hello?")
    yield* world.pass(2 * second)
    expect(world.texts()).toEqual(["Again."])
  })
})

describe("a part that the platform refuses", () => {
  scenario("ends the answer there, and each part says why", function* (world) {
    world.platform.next(accepts)
    world.platform.next(refuses(131026))
    yield* answers(world)
    yield* world.pass(minute)
    expect(firstWords(world.texts())).toEqual(["a"])
    const [, ...sent] = yield* parts(world)
    expect(sent.map(({ status }) => status)).toEqual(["sent", "failed", "failed"])
    expect(sent[1]!.fault!.code).toBe(131026)
    expect(sent[2]!.fault!.message).toMatch(/in front of it/)
    expect(JSON.stringify(sent)).not.toContain(platformLeak)
    const failed = (yield* world.events).filter(({ data }) => data.status === "failed")
    expect(failed.map(({ data }) => data.error)).toEqual([
      `${sent[1]!.fault!.message} (platform code 131026)`,
      sent[2]!.fault!.message
    ])
  })
})

describe("a platform that cannot be reached", () => {
  scenario("is asked again, for nothing was sent", function* (world) {
    world.platform.next(unreachable, 2)
    yield* answers(world)
    yield* world.pass(minute)
    expect(requests(world)).toEqual([0, 4, 12, 12, 12].map((s) => s * second))
    expect(firstWords(world.texts())).toEqual(["a", "b", "c"])
  })

  for (const hasTaken of [true, false]) {
    scenario(`and may have taken a part is not asked again: it ${hasTaken ? "has" : "has not"}`, function* (world) {
      world.platform.next(silent(hasTaken))
      yield* answers(world)
      yield* world.pass(30 * minute)
      expect(world.platform.of("send")).toHaveLength(3)
      const [, first, second] = yield* parts(world)
      expect(first).toMatchObject({ status: "unknown", msgid: null })
      expect(first!.fault!.message).toMatch(/not known/)
      expect(second!.status).toBe("sent")
      const sentEvents = (yield* world.events).filter(({ event }) => event === "message.sent")
      expect(sentEvents).toHaveLength(2)
    })
  }

  scenario("reports later, by our own reference, what became of the part", function* (world) {
    world.platform.next(silent(true))
    yield* answers(world)
    const [taken] = world.platform.accepted
    const report = { biz_opaque_callback_data: taken!.body.biz_opaque_callback_data }
    yield* world.delivers({ statuses: [inboundStatus(taken!.id, "delivered", report)] })
    yield* world.delivers({ statuses: [inboundStatus(taken!.id, "read", report)] })
    const [, first] = yield* parts(world)
    expect(first).toMatchObject({ status: "read", msgid: taken!.id, fault: null })
    const about = (yield* world.events).filter(({ data }) => data.msgid === taken!.id)
    expect(about.map(({ data, event }) => data.status ?? event)).toEqual(["message.sent", "sent", "delivered", "read"])
  })

  scenario("and answers with a server's own error has not refused: nobody knows", function* (world) {
    world.platform.next(refuses(null, 502))
    yield* answers(world)
    yield* world.pass(minute)
    expect(firstWords(world.texts())).toEqual(["b", "c"])
    expect((yield* parts(world))[1]!.status).toBe("unknown")
  })

  scenario("and says so with a code of its own is asked again", function* (world) {
    world.platform.next(refuses(131016, 500))
    yield* answers(world)
    yield* world.pass(minute)
    expect(firstWords(world.texts())).toEqual(["a", "b", "c"])
  })
})

describe("a number that is disconnected", () => {
  scenario("sends nothing of what was on its way", function* (world) {
    world.platform.next(accepts)
    world.platform.next(refuses(130429))
    yield* answers(world)
    yield* world.run(ConnectedNumbers.use((numbers) => numbers.disconnect(world.tenant, world.phoneId)))
    yield* world.pass(minute)
    expect(firstWords(world.texts())).toEqual(["a"])
    const [, ...sent] = yield* parts(world)
    expect(sent.map(({ status }) => status)).toEqual(["sent", "failed", "failed"])
    expect(sent[1]!.fault!.message).toMatch(/disconnected/)
    expect((yield* world.job()).dueAt).toBeNull()
  })
})

describe("a storage that is away", () => {
  scenario("while a part is on its way records its outcome when the storage is back", function* (world) {
    const gate = waits()
    world.platform.next(gate.answering)
    yield* answers(world)
    world.isDown = true
    yield* gate.go()
    yield* world.settle
    yield* world.jump(second)
    world.isDown = false
    yield* world.pass(10 * second)
    expect(firstWords(world.texts())).toEqual(["a", "b", "c"])
    expect((yield* parts(world)).map(({ status }) => status)).toEqual(["received", "sent", "sent", "sent"])
  })

  scenario("for too long leaves the part unknown, and goes on with the next one", function* (world) {
    const gate = waits()
    world.platform.next(gate.answering)
    yield* answers(world)
    world.isDown = true
    yield* gate.go()
    for (let waited = 0; waited < 20; waited += 1) {
      yield* world.jump(second)
      yield* world.settle
    }
    world.isDown = false
    yield* world.pass(5 * minute)
    expect(firstWords(world.texts())).toEqual(["a", "b", "c"])
    expect((yield* parts(world)).map(({ status }) => status)).toEqual(["received", "unknown", "sent", "sent"])
  })
})
