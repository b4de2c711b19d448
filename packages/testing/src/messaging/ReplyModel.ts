/**
 * The chat channel on random days: customers who write in bursts, under names that turn out to be one person; deliveries that
 * come twice, together, or whose answer nobody hears; a model that is slow, fails or hangs; a platform that has no room, refuses,
 * is silent or slow; processes that die or stand still at any step, past their claims too, that lose their storage for a while or
 * never hear of a commit; people who take over and hand back; messages that are edited and deleted, known or not yet; a phone with two
 * forms; reports in any order. What must hold is checked after every step, and at the end, when all is well again.
 */
import { Instant, type Message } from "@trunkline/core/effect"
import type { StorageLayer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { accepts } from "./FakeChatPlatform.ts"
import { play, watchOrder } from "./ReplyActors.ts"
import { clearFaults, deliver, report, runCommand } from "./ReplyCommands.ts"
import { type Day, day, maxWaitMs, people, quietMs, twoForms } from "./ReplyDay.ts"
import { check, markOf } from "./ReplyInvariants.ts"
import { editOf, type Memory, ranks, referenceOf, type Seen, writtenAs } from "./ReplyMemory.ts"
import { makeReplyWorld } from "./ReplyWorld.ts"

const { minute } = Instant

const allOn = { isOn: true, takenOver: new Set<number>() }

/** Lives a day on a storage, and checks every step. */
const live = (storage: StorageLayer, given: Day, seen: Seen) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 21))
    const world = yield* makeReplyWorld(storage, { processes: given.processes, reply: { quietMs, maxWaitMs } })
    const memory: Memory = {
      world,
      written: new Map(),
      deliveries: [],
      runs: new Map(),
      turns: new Set(),
      statuses: new Map(),
      reported: new Map(),
      refused: new Set(),
      followers: [],
      failedRuns: [],
      takenOver: new Set(),
      isOn: true,
      mood: "answers",
      seen
    }
    world.platform.knownAs.set(people[twoForms].phone, people[twoForms].other)
    play(memory)
    watchOrder(memory)
    for (const one of given.commands) {
      const before = { isOn: memory.isOn, takenOver: new Set(memory.takenOver) }
      yield* runCommand(memory, one)
      yield* world.revive
      yield* check(memory, before)
    }
    yield* recover(memory)
    yield* checkEnd(memory)
    yield* checkWaiting(memory)
    yield* checkReports(memory)
    yield* checkPlan(memory)
    yield* count(memory)
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))

/** In the end everything is well again, and what could not be delivered is delivered. */
const recover = (memory: Memory) =>
  Effect.gen(function* () {
    const { world } = memory
    yield* clearFaults(memory)
    memory.mood = "answers"
    world.platform.does(accepts)
    yield* world.switchNumber(true)
    memory.isOn = true
    for (const name of namesOf(people)) {
      if ((yield* world.findCustomer(name)) !== null) yield* world.setTakeover(false, name)
    }
    memory.takenOver.clear()
    for (const delivery of memory.deliveries) {
      if (!delivery.isStored) yield* deliver(memory, delivery, 0)
    }
    // A step that was in progress may still kill its process.
    for (let passes = 0; passes < 5; passes += 1) {
      yield* world.pass(2 * minute, 5000)
      yield* world.revive
    }
    yield* check(memory, allOn)
  })

const namesOf = (all: typeof people): ReadonlyArray<string> =>
  all.flatMap(({ other, phone }) => [phone, other].filter((name) => name !== null))

/** Every message has its reply or a reason for none, and nothing is left to do. */
const checkEnd = ({ seen, world, written }: Memory) =>
  Effect.gen(function* () {
    const rows = yield* world.everything
    const stored = new Map(rows.map((row) => [row.msgid, row]))
    for (const one of written.values()) {
      const row = stored.get(one.msgid)
      expect(row, `${one.text} is stored`).toBeDefined()
      expect([editOf(row!.text!), row!.deletedAt !== null], `the end of ${one.text}`).toEqual([
        one.edits,
        one.isDeleted
      ])
      if (!one.isAnswered) expect(one.mayHaveNoReply, `${one.text} has an answer, or a reason for none`).toBe(true)
      seen.answered += one.isAnswered ? 1 : 0
      seen.unanswered += one.isAnswered ? 0 : 1
    }
    for (const name of namesOf(people)) {
      const customer = yield* world.findCustomer(name)
      if (customer === null) continue
      const job = yield* world.findJob(customer.id)
      // A person's text has answered what comes later and was written before it.
      const hasWritten = rows.some(
        ({ customerId, direction, role, type }) =>
          customerId === customer.id && (direction === "inbound" || (role === "agent" && type === "text"))
      )
      expect(job !== null, `${name} has a reply job`).toBe(hasWritten)
      if (job === null) continue
      expect(job).toMatchObject({ dueAt: null, waitingSince: null, claim: null, failures: 0 })
    }
    for (const { id, status } of rows) expect(status, `the end of ${id}`).not.toMatch(/queued|sending/)
    seen.unknown += rows.filter(({ status }) => status === "unknown").length
    seen.brokenOff += rows.filter(({ fault }) => fault?.message.includes("in front of it")).length
  })

/** Nothing is left to do: what no agent has answered a person has to, but for what was deleted and what a person has answered. */
const checkWaiting = (memory: Memory) =>
  Effect.map(memory.world.inbox, ({ conversations, rows }) => {
    for (const { awaits, id } of conversations) {
      if (awaits !== "agent") continue
      const said = rows.filter(({ conversationId }) => conversationId === id)
      const unanswered = said.slice(said.findLastIndex(({ direction }) => direction === "outbound") + 1)
      const left = unanswered.filter(
        ({ deletedAt, text }) => deletedAt === null && writtenAs(memory, text)?.mayBeAnswered !== true
      )
      expect(
        left.map(({ text }) => text),
        `what nobody answers in ${id}`
      ).toEqual([])
    }
    for (const { awaits } of conversations) if (awaits === "person") memory.seen.leftToPeople += 1
  })

/** What the channel has, it reports; and then the row says so. */
const checkReports = (memory: Memory) =>
  Effect.gen(function* () {
    const { world } = memory
    for (const accepted of world.platform.accepted) yield* report(memory, accepted, "delivered", true, 0)
    yield* check(memory, allOn)
    yield* checkForms(memory)
    const after = new Map<string, Message>((yield* world.everything).map((row) => [row.id, row]))
    for (const accepted of world.platform.accepted) {
      const row = after.get(referenceOf(accepted))
      expect(row?.msgid, "a message that was accepted has its id").toBe(accepted.id)
      expect(ranks[row!.status], `${row!.status} of ${accepted.id}`).toBeGreaterThanOrEqual(
        Math.max(ranks.delivered, memory.reported.get(accepted.id)!.received)
      )
    }
  })

/** What the platform has named as one number is one customer, who has one open conversation. */
const checkForms = ({ seen, world }: Memory) =>
  Effect.gen(function* () {
    const { other, phone } = people[twoForms]
    if (!world.platform.accepted.some(({ to }) => to === phone)) return
    const one = yield* world.customer(other)
    expect((yield* world.customer(phone)).id, "both forms of a phone lead to one customer").toBe(one.id)
    const own = (yield* world.conversations).filter(({ customerId }) => customerId === one.id)
    expect(own.filter(({ status }) => status === "open").map(({ id }) => id)).toEqual([one.conversationId])
    seen.formsJoined += own.length > 1 ? 1 : 0
  })

/**
 * Every conversation in which the agent has replied counts for the plan, once, and no other does, but one whose messages another one
 * has, which counted before they were joined. Source: docs/reference/plans.md#conversations.
 */
const checkPlan = ({ world }: Memory) =>
  Effect.gen(function* () {
    const rows = yield* world.everything
    const answered = new Set(rows.filter(({ turnId }) => turnId !== null).map(({ conversationId }) => conversationId))
    const all = yield* world.conversations
    for (const { id, isCounted, status } of all) {
      const isEmpty = status === "ended" && rows.every(({ conversationId }) => conversationId !== id)
      if (!isEmpty) expect(isCounted, id).toBe(answered.has(id))
    }
    const counted = all.filter(({ isCounted }) => isCounted).length
    expect(yield* world.countedConversations, "conversations of the plan").toBe(counted)
  })

/** What the day has seen, so that a run shows that everything came up. */
const count = ({ runs, seen, world }: Memory) =>
  Effect.gen(function* () {
    const turns = (yield* world.everything).filter(({ turnId }) => turnId !== null)
    seen.discarded += runs.size - new Set(turns.map(markOf)).size
    seen.merged += (yield* world.conversations).filter(({ status }) => status === "ended").length
    seen.deaths += world.deaths
    seen.stalls += world.seen.stalls
    seen.lostCommits += world.seen.lostCommits
  })

/** Declares the model on a storage. */
export const replySuite = (name: string, storage: () => StorageLayer, runs: number): void => {
  it(`answers on random days on ${name} keep every promise`, async () => {
    const seen: Seen = {
      turns: 0,
      answered: 0,
      unanswered: 0,
      discarded: 0,
      inParts: 0,
      backedOff: 0,
      unknown: 0,
      brokenOff: 0,
      early: 0,
      merged: 0,
      again: 0,
      lost: 0,
      overtaken: 0,
      edited: 0,
      deleted: 0,
      formsJoined: 0,
      leftToPeople: 0,
      deaths: 0,
      stalls: 0,
      lostCommits: 0
    }
    await fc.assert(
      fc.asyncProperty(day, (given) => Effect.runPromise(live(storage(), given, seen))),
      { numRuns: runs, endOnFailure: runs < 60 }
    )
    console.log(`${runs} days of answers on ${name}:`, JSON.stringify(seen))
    // A refusal in the middle of an answer is rare even in many days.
    const { brokenOff: _, ...certain } = seen
    if (runs >= 60) for (const [what, times] of Object.entries(certain)) expect(times, what).toBeGreaterThan(0)
  })
}
