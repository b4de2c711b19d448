/** Chats as conversations of the plan: which count, when, and what is left beyond the plan: docs/reference/plans.md#conversations. */
import { Accounts, Instant, PlanUsage } from "@trunkline/core/effect"
import { inboundMessages, leaveConversations, type ReplyWorld, sampleBodies } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe, expect } from "vitest"
import { NativeSend } from "../../src/messaging/sending/index.ts"
import { operator } from "../../src/platform/accounts/index.ts"
import { Months } from "../../src/platform/billing/index.ts"
import { scenario, start } from "./ReplyScenarios.ts"

const { inboundEcho } = sampleBodies
const { day, minute } = Instant
const anna = "4917012345678"
const ben = "4917087654321"

/** What has been counted in the present month. */
const counted = (world: ReplyWorld) =>
  Effect.map(world.run(PlanUsage.use((usage) => usage.read(world.tenant, "free"))), (read) => {
    return read!.counters.conversations.used
  })

const writes = (world: ReplyWorld, from: string, text: string) =>
  world.deliver(inboundMessages(world.text(text, { from, from_user_id: undefined })))

const listening = (lines: Array<string>) =>
  Logger.layer([Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))])

describe("a chat", () => {
  // Verifies: H-805.
  scenario("counts once, in the month in which an agent first replies in it", function* (world) {
    yield* world.writes("Hi")
    expect(yield* counted(world)).toBe(0)
    yield* world.pass(minute)
    expect(yield* counted(world)).toBe(1)
    yield* world.writes("And now?")
    yield* world.pass(minute)
    expect(world.texts()).toHaveLength(2)
    expect(yield* counted(world)).toBe(1)
    // Written in November, answered in December.
    yield* world.jump(Months.nextStart(Instant.make(start)) - start - 2 * minute - 500)
    yield* world.writes("Are you there?")
    yield* world.pass(minute)
    expect(yield* counted(world)).toBe(1)
    expect(world.texts()).toHaveLength(3)
  })

  // Verifies: H-805.
  scenario("that goes on over the end of a month does not count again, and a new one does", function* (world) {
    const november = Months.nextStart(Instant.make(start))
    yield* world.jump(november - start - minute)
    yield* world.writes("Good night")
    yield* world.pass(minute / 2)
    expect(yield* counted(world)).toBe(1)
    yield* world.jump(minute)
    yield* world.writes("Good morning")
    yield* world.pass(minute)
    expect(world.texts()).toHaveLength(2)
    expect(yield* counted(world)).toBe(0)
    yield* world.jump(day)
    yield* world.writes("Another day")
    yield* world.pass(minute)
    expect(yield* counted(world)).toBe(1)
  })

  // Verifies: H-805.
  scenario("in which no agent replies does not count", function* (world) {
    yield* world.switchNumber(false)
    yield* world.writes("Hi")
    yield* world.pass(minute)
    yield* world.switchNumber(true)
    const run = world.model.waits()
    yield* world.writes("Hi again")
    yield* world.pass(1500)
    yield* run.begun
    // A person is faster.
    yield* world.delivers({ echoes: [inboundEcho("I look into it.")] })
    yield* run.answer("too late")
    yield* world.pass(minute)
    expect(world.texts()).toEqual([])
    expect(yield* counted(world)).toBe(0)
  })
})

describe("a chat beyond the plan's conversations", () => {
  // Verifies: H-806, H-807.
  scenario("is stored and shown, gets no reply and no run of the model, and the log says why", function* (world) {
    yield* leaveConversations(world, 0)
    const lines: Array<string> = []
    yield* world.writes("Hi").pipe(Effect.provide(listening(lines)))
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
    expect(world.texts()).toEqual([])
    expect(yield* world.messages()).toMatchObject([{ text: "Hi", status: "received" }])
    expect((yield* world.events).map(({ event }) => event)).toEqual(["conversation.started", "message.received"])
    expect(lines).toEqual([
      `Warn the agent of number ${world.phoneId} does not reply: quota_exceeded, the plan's conversations of this month`
    ])
    expect(yield* counted(world)).toBe(50)
  })

  // Verifies: H-806.
  scenario("is answered by people, by hand and over the API", function* (world) {
    yield* leaveConversations(world, 0)
    yield* writes(world, anna, "Hi")
    yield* world.delivers({ echoes: [inboundEcho("I look into it.", { to: anna })] })
    const { phoneNumberId } = yield* world.number
    const message = { type: "text", content: "Here it is.", answers: null } as const
    const to = { _tag: "Phone", digits: anna } as const
    yield* world.run(NativeSend.use((sends) => sends.send(world.tenant, { ...message, phoneNumberId, to })))
    expect(world.texts(anna)).toEqual(["Here it is."])
    expect(yield* counted(world)).toBe(50)
  })

  // Verifies: H-805, H-806.
  scenario("leaves those alone that an agent has replied in, and gets replies in the next month", function* (world) {
    yield* leaveConversations(world, 1)
    yield* writes(world, anna, "1")
    yield* world.pass(minute)
    yield* writes(world, ben, "1")
    yield* writes(world, anna, "2")
    yield* world.pass(minute)
    expect([world.texts(anna).length, world.texts(ben).length]).toEqual([2, 0])
    yield* world.jump(Months.nextStart(Instant.make(start)) - start)
    yield* writes(world, ben, "2")
    yield* world.pass(minute)
    expect(world.texts(ben)).toEqual(["hello"])
    // A message that had no reply is known to the next one.
    expect(world.asked.at(-1)).toEqual(["1", "2"])
  })

  // Verifies: H-806.
  scenario("gets replies from the next message on once the account has another plan", function* (world) {
    yield* leaveConversations(world, 0)
    yield* world.writes("1")
    yield* world.pass(minute)
    yield* world.run(Accounts.use((accounts) => accounts.change(world.tenant, { plan: "starter" }, operator)))
    yield* world.writes("2")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["hello"])
    expect(yield* counted(world)).toBe(51)
  })
})
