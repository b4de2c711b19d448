/** What is left when a process dies, at any step, and how another one continues. Verifies: CHAT-1, CHAT-2, CHAT-4. */
import { Instant } from "@trunkline/core/effect"
import { ReplyWorker } from "@trunkline/core/testing"
import { chatAnswer } from "@trunkline/testing/inference"
import { type Edge, inboundMessages, type ReplyWorld, sampleBodies } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { newWorld, scenario } from "./ReplyScenarios.ts"

const { inboundStatus } = sampleBodies

const { minute, second } = Instant

const long = ["a", "b", "c"].map((char) => char.repeat(4000)).join("\n\n")
const firsts = (world: ReplyWorld) => world.texts().map((text) => text[0])

/** A customer writes twice, within one message group, and gets a reply of three parts. A process that dies is started again. */
const story = function* (world: ReplyWorld) {
  world.model.says(long)
  for (const text of ["1", "2"]) {
    const body = inboundMessages(world.text(text))
    // Who has no answer to a delivery delivers again.
    for (let times = 0; (yield* world.deliver(body, times)) === null; times += 1) yield* world.revive
    yield* world.jump(200)
  }
  for (let passed = 0; passed < 4; passed += 1) {
    yield* world.pass(minute, 5 * second)
    yield* world.revive
  }
}

/** Steps of a whole story over each edge, at least. */
const least: Readonly<Record<Edge, number>> = { storage: 15, platform: 6, model: 1 }

describe("a process that dies", () => {
  for (const edge of ["storage", "platform", "model"] as const) {
    for (const when of ["before", "after"] as const) {
      // Verifies: M-5, N-16.
      scenario(`${when} any step to the ${edge} loses nothing and sends nothing twice`, function* () {
        let step = 1
        for (let hasDied = true; hasDied; step += 1) {
          const world = yield* newWorld()
          world.crashAfter(step, when, edge)
          yield* story(world)
          hasDied = world.deaths > 0
          const message = `step ${step}`
          const [one, two, ...answer] = yield* world.messages()
          expect(
            [one, two].map((stored) => stored?.text),
            message
          ).toEqual(["1", "2"])
          expect(new Set(answer.map(({ turnId }) => turnId)).size, message).toBe(1)
          expect(
            answer.map(({ part }) => part),
            message
          ).toEqual([0, 1, 2])
          // One part may have been on its way: then nobody knows, and it is not sent again.
          const unknown = answer.filter(({ status }) => status === "unknown")
          expect(unknown.length, message).toBeLessThanOrEqual(edge === "model" ? 0 : 1)
          const sent = world.platform.accepted.map(({ body }) => body.biz_opaque_callback_data)
          const known = answer.filter(({ id, status }) => status === "sent" || sent.includes(id)).map(({ id }) => id)
          expect(sent, message).toEqual(known)
          expect(sent.length, message).toBeGreaterThanOrEqual(2)
          expect(world.asked.at(-1), message).toEqual(["1", "2"])
          expect(yield* world.job(), message).toMatchObject({ dueAt: null, waitingSince: null, claim: null })
        }
        expect(step - 2).toBeGreaterThanOrEqual(least[edge])
      })
    }
  }
})

describe("a process that stands still past its claim", () => {
  for (const edge of ["storage", "platform", "model"] as const) {
    for (const when of ["before", "after"] as const) {
      // Verifies: N-55.
      scenario(`${when} any step to the ${edge} sends no part twice and none out of its order`, function* () {
        let step = 1
        for (let hasStalled = true; hasStalled; step += 1) {
          const world = yield* newWorld({ processes: 2 })
          world.processes[0]!.stall({ steps: step, when, at: edge })
          yield* story(world)
          yield* world.processes[0]!.resume
          yield* world.pass(minute)
          hasStalled = world.seen.stalls > 0
          const message = `step ${step}`
          const [, , ...answer] = yield* world.messages()
          expect(new Set(answer.map(({ turnId }) => turnId)).size, message).toBe(1)
          const sent = world.platform.accepted.map(({ body }) => body.biz_opaque_callback_data)
          expect(new Set(sent).size, message).toBe(sent.length)
          expect(sent, message).toEqual(answer.map(({ id }) => id).filter((id) => sent.includes(id)))
          expect(sent.length, message).toBeGreaterThanOrEqual(2)
          expect(answer.filter(({ status }) => status === "unknown").length, message).toBeLessThanOrEqual(1)
          expect(yield* world.job(), message).toMatchObject({ dueAt: null, waitingSince: null, claim: null })
        }
        expect(step - 2).toBeGreaterThanOrEqual(least[edge] / 2)
      })
    }
  }
})

describe("a process that goes on with what another one has left", () => {
  scenario(
    "waits for the lease's end",
    function* (world) {
      world.model.does(() =>
        world.model.works.length === 1 ? Effect.never : Effect.succeed(chatAnswer({ text: "second" }))
      )
      yield* world.writes("1")
      yield* world.jump(1500)
      yield* world.tick(0)
      world.processes[0]!.alive = false
      yield* world.jump(50 * second - 1)
      expect(yield* world.tick(1)).toBe(0)
      yield* world.jump(1)
      expect(yield* world.tick(1)).toBe(1)
      expect(world.texts()).toEqual(["second"])
    },
    { processes: 2 }
  )

  scenario(
    "is the only one whose answer counts, also where the first was only slow",
    function* (world) {
      const run = world.model.waits()
      yield* world.writes("1")
      yield* world.jump(1500)
      yield* world.tick(0)
      yield* run.begun
      // The first cannot renew its claim: it has no storage and no clock.
      world.processes[0]!.isCut = true
      yield* world.jump(minute)
      world.model.says("from the second")
      yield* world.tick(1)
      expect(world.texts()).toEqual(["from the second"])
      world.processes[0]!.isCut = false
      yield* run.answer("from the first")
      yield* world.pass(minute)
      expect(world.texts()).toEqual(["from the second"])
      expect(yield* world.messages()).toHaveLength(2)
    },
    { processes: 2 }
  )

  scenario(
    "is not changed by the first, whose run fails late",
    function* (world) {
      const run = world.model.waits()
      yield* world.writes("1")
      yield* world.jump(1500)
      yield* world.tick(0)
      yield* run.begun
      world.processes[0]!.isCut = true
      yield* world.jump(minute)
      world.model.waits()
      expect(yield* world.tick(1)).toBe(1)
      world.processes[0]!.isCut = false
      yield* run.answer("")
      yield* world.settle
      yield* world.jump(40 * second)
      // The second still has its claim.
      expect(yield* world.tick(0)).toBe(0)
      expect(yield* world.job()).toMatchObject({ failures: 0 })
      expect((yield* world.job()).waitingSince).not.toBeNull()
    },
    { processes: 2 }
  )

  scenario(
    "does not claim what still runs",
    function* (world) {
      world.model.does(() => Effect.as(Effect.sleep(2 * minute), chatAnswer({ text: "slow" })))
      world.model.promises(10 * minute)
      yield* world.writes("1")
      yield* world.pass(3 * minute, 5 * second)
      expect(world.model.works).toHaveLength(1)
      expect(world.texts()).toEqual(["slow"])
    },
    { processes: 2 }
  )

  scenario("does not know whether the last part has arrived until the channel reports it", function* (world) {
    world.model.says(long)
    world.crashAfter(4, "after", "platform")
    yield* world.writes("1")
    yield* world.pass(3 * minute)
    expect(firsts(world)).toEqual(["a", "b"])
    yield* world.revive
    yield* world.pass(3 * minute)
    expect(firsts(world)).toEqual(["a", "b", "c"])
    const [, , lost] = yield* world.messages()
    expect(lost).toMatchObject({ status: "unknown", msgid: null })
    const [, taken] = world.platform.accepted
    const report = { biz_opaque_callback_data: taken!.body.biz_opaque_callback_data }
    // One report names the platform's id alone: it is kept until another one names the message.
    yield* world.delivers({ statuses: [inboundStatus(taken!.id, "read")] })
    expect((yield* world.messages())[2]).toMatchObject({ status: "unknown" })
    yield* world.delivers({ statuses: [inboundStatus(taken!.id, "delivered", report)] })
    expect((yield* world.messages())[2]).toMatchObject({ status: "read", msgid: taken!.id, fault: null })
    expect(world.platform.of("send")).toHaveLength(3)
  })
})

describe("a process that stops", () => {
  scenario(
    "cancels its models' runs, and the next one replies at once",
    function* (world) {
      world.model.does(() =>
        world.model.works.length === 1 ? Effect.never : Effect.succeed(chatAnswer({ text: "second" }))
      )
      yield* world.writes("1")
      yield* world.jump(1500)
      yield* world.tick(0)
      yield* world.run(ReplyWorker.use((replies) => replies.cancel))
      yield* world.settle
      expect(world.model.interrupted).toBe(1)
      expect(yield* world.tick(1)).toBe(1)
      expect(world.texts()).toEqual(["second"])
    },
    { processes: 2 }
  )

  scenario("does not wait for the platform for longer than a second", function* (world) {
    world.platform.does(() => Effect.never)
    yield* world.writes("1")
    yield* world.pass(2 * second)
    const stopped = yield* Effect.forkChild(world.run(ReplyWorker.use((replies) => replies.cancel)))
    yield* world.settle
    expect(stopped.pollUnsafe()).toBeUndefined()
    yield* world.jump(second)
    yield* world.settle
    expect(stopped.pollUnsafe()).toMatchObject({ _tag: "Success" })
  })
})

describe("due jobs", () => {
  scenario(
    "are handled as far as `places` allows, oldest first; the others wait",
    function* (world) {
      world.model.does(() => Effect.as(Effect.sleep(10 * second), chatAnswer({ text: "slow" })))
      for (const phone of ["491701", "491702", "491703"]) {
        yield* world.deliver(inboundMessages(world.text(phone, { from: phone, from_user_id: undefined })))
        yield* world.jump(1)
      }
      yield* world.pass(3 * second)
      expect(world.asked).toEqual([["491701"], ["491702"]])
      expect(yield* world.run(ReplyWorker.use((replies) => replies.nextDue))).toBeNull()
      yield* world.pass(minute)
      expect(world.platform.accepted.map(({ to }) => to)).toEqual(["491701", "491702", "491703"])
    },
    { reply: { places: 2 } }
  )
})
