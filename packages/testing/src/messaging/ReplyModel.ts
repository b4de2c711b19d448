/**
 * The chat channel on random days: customers who write in bursts, under names that turn out to be one person; deliveries that
 * come twice, together, or whose answer nobody hears; a model that is slow, fails or hangs; a platform that has no room, refuses,
 * is silent or slow; processes that die or stand still at any step, past their claims too, that lose their storage for a while or
 * never hear of a commit; people who take over and give back; reports in any order. What must hold is checked after every step, and at the end, when all is well again.
 */
import { Instant, type Message, type MessageStatus, type StorageLayer } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { chatAnswer } from "../inference/FakeChat.ts"
import { type Answering, accepts, refuses, silent, type TakenMessage, unreachable } from "./FakeChatPlatform.ts"
import { type Delivered, inboundBody, inboundChange, sampleBodies } from "./InboundBodies.ts"
import {
  type Command,
  type Day,
  day,
  isOneName,
  type Letter,
  type Mood,
  maxWaitMs,
  people,
  quietMs,
  type Reach,
  type Report
} from "./ReplyDay.ts"
import { makeReplyWorld, type ReplyWorld } from "./ReplyWorld.ts"

const { inboundEcho, inboundMessage, inboundStatus } = sampleBodies

const { minute, second } = Instant

/** A text that a customer wrote. */
interface Written {
  readonly who: number
  readonly text: string
  readonly msgid: string
  /** Surely stored. */
  isStored: boolean
  /** An answer may come of it alone: it did not come while something was off. */
  isLive: boolean
  /** It may stay without an answer: something was off meanwhile, a person answered, or the model gave up. */
  isExcused: boolean
  /** Known to a turn that was committed. */
  isAnswered: boolean
}

/** A run of the model's. */
interface Run {
  readonly who: number
  readonly at: Instant.Instant
  readonly knows: ReadonlyArray<string>
}

interface Delivery {
  readonly body: Delivered
  readonly written: ReadonlyArray<Written>
  isStored: boolean
  isTried: boolean
}

interface Memory {
  readonly world: ReplyWorld
  readonly written: Map<string, Written>
  readonly deliveries: Array<Delivery>
  /** By the mark that their answers carry. */
  readonly runs: Map<string, Run>
  readonly turns: Set<string>
  readonly statuses: Map<string, MessageStatus>
  /** What the platform was told of a message to report, and by whom it was surely heard. */
  readonly reported: Map<string, { readonly taken: TakenMessage; heard: number }>
  /** Ids of ours that the platform has refused for good. */
  readonly refused: Set<string>
  readonly failedRuns: Map<number, number>
  readonly taken: Set<number>
  isOn: boolean
  mood: Mood
  seen: Seen
}

interface Seen {
  turns: number
  answered: number
  unanswered: number
  discarded: number
  inParts: number
  backedOff: number
  unknown: number
  brokenOff: number
  early: number
  merged: number
  again: number
  lost: number
  overtaken: number
  deaths: number
  stalls: number
  lostCommits: number
}

/** How far behind a message's life lies; a refusal for want of room takes one step back. */
const ranks: Readonly<Record<MessageStatus, number>> = {
  received: 0,
  queued: 0,
  sending: 1,
  unknown: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  read: 6
}

// --- the model and the platform of the day -------------------------------------------------------------------------------

const referenceOf = ({ body }: TakenMessage): string => String(body.biz_opaque_callback_data)

/** What a run of the model comes to in a mood. Its answer says which run it is of. */
const play = (memory: Memory) => {
  const { runs, world, written } = memory
  let made = 0
  const known = (texts: ReadonlyArray<string>) =>
    texts.map((text) => written.get(text)).filter((one) => one !== undefined)
  const giveUp = (texts: ReadonlyArray<string>) => {
    for (const one of known(texts)) one.isExcused = true
  }
  world.model.promises(10 * minute)
  world.model.does((work) =>
    Effect.gen(function* () {
      const knows = work.messages.flatMap((message) => (message.role === "user" ? [message.text] : []))
      const { who } = known(knows).at(-1)!
      made += 1
      const mark = `run-${made}`
      runs.set(mark, { who, at: yield* Instant.now, knows })
      const { mood } = memory
      switch (mood) {
        case "fails":
          memory.failedRuns.set(who, (memory.failedRuns.get(who) ?? 0) + 1)
          // The fourth time in a row is the last; a process that died may have forgotten one.
          if (memory.failedRuns.get(who)! >= 4) giveUp(knows)
          return yield* Effect.die(new Error("the model of the day fails"))
        case "says nothing":
          giveUp(knows)
          return chatAnswer({ text: "" })
        case "hangs":
          giveUp(knows)
          return yield* Effect.never
        case "is slow":
          yield* Effect.sleep(4 * second)
          break
        case "is very slow":
          yield* Effect.sleep(90 * second)
          break
      }
      const parts = mood === "answers at length" ? 3 : 1
      return chatAnswer({
        text: Array.from({ length: parts }, (_, nth) => `${mark} ${nth} ${"x".repeat(parts > 1 ? 2400 : 5)}`).join(
          "\n\n"
        )
      })
    })
  )
}

const reachOf = (memory: Memory, reach: Reach): Answering => {
  switch (reach) {
    case "takes":
      return accepts
    case "has no room":
      return (call, take) => {
        memory.seen.backedOff += 1
        return refuses(130429)(call, take)
      }
    case "is unreachable":
      return unreachable
    case "is silent":
      return silent(false)
    case "is silent and takes":
      return silent(true)
    case "is slow":
      return (_, take) => Effect.tap(take, () => Effect.sleep(5 * second))
    case "refuses":
      return (call, take) => {
        memory.refused.add(String(call.body.biz_opaque_callback_data))
        return refuses(131026)(call, take)
      }
  }
}

// --- what happens ----------------------------------------------------------------------------------------------------------

/** Hands a delivery over. Who hears no answer, or a refusal, will deliver it again. */
const deliver = (memory: Memory, delivery: Delivery, pick: number, times = 1) =>
  Effect.gen(function* () {
    const { seen, world } = memory
    const all = Array.from({ length: times }, (_, nth) => Effect.exit(world.deliver(delivery.body, pick + nth)))
    const answers = yield* Effect.all(all, { concurrency: "unbounded" })
    const isHeard = answers.some((answer) => answer._tag === "Success" && answer.value !== null)
    seen.again += times - 1
    if (!isHeard) seen.lost += 1
    else if (delivery.isStored) seen.again += 1
    for (const one of delivery.written) {
      if (delivery.isStored) continue
      if (!memory.isOn || memory.taken.has(one.who)) silence(memory, one, isHeard && !delivery.isTried && times === 1)
      one.isStored = isHeard
    }
    delivery.isStored ||= isHeard
    delivery.isTried = true
  })

/**
 * A message comes while something is off, so that it stays without an answer, and whatever waits with it. Of a person with two
 * names nobody here knows which of them it is for, and of a delivery without an answer not when it was stored.
 */
const silence = (memory: Memory, late: Written, isSure: boolean): void => {
  excuse(memory, late.who)
  if (!isSure || !isOneName(late.who)) return
  for (const one of memory.written.values()) {
    if (one.who === late.who && one.isStored) one.isLive = false
  }
  late.isLive = false
}

/** What a person has written so far may stay without an answer. */
const excuse = ({ written }: Memory, who: number): void => {
  for (const one of written.values()) if (one.who === who) one.isExcused = true
}

const obey = (memory: Memory, given: Command): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { deliveries, seen, world, written } = memory
    switch (given._tag) {
      case "Write": {
        const at = world.second
        const all = given.letters.map(({ name, who }): readonly [Written, Delivered] => {
          const person = people[who]!
          const text = `m${written.size + 1}`
          const isOne = isOneName(who)
          const names = {
            from: isOne || name !== "userRef" ? person.phone : undefined,
            from_user_id: person.userRef !== null && (isOne || name !== "phone") ? person.userRef : undefined
          }
          const message = inboundMessage("text", { body: text }, { ...names, timestamp: at })
          const one: Written = {
            who,
            text,
            msgid: String(message.id),
            isStored: false,
            isLive: true,
            isExcused: false,
            isAnswered: false
          }
          written.set(text, one)
          return [one, message]
        })
        // Several changes, as the platform makes one of each.
        const body = inboundBody(all.map(([, message]) => inboundChange({ messages: [message] })))
        const delivery: Delivery = { body, written: all.map(([one]) => one), isStored: false, isTried: false }
        deliveries.push(delivery)
        return yield* deliver(memory, delivery, given.pick, given.times)
      }
      case "Redeliver": {
        const chosen = deliveries[given.of % Math.max(1, deliveries.length)]
        if (chosen !== undefined) yield* deliver(memory, chosen, given.pick)
        return
      }
      case "Tick":
        return void (yield* world.tick(given.pick))
      case "Pass":
        return yield* world.pass(given.ms, given.ms > 20_000 ? 5000 : 1000)
      case "Model":
        memory.mood = given.mood
        return
      case "Platform":
        return world.platform.next(reachOf(memory, given.reach), given.times)
      case "Switch": {
        yield* surely(memory)
        yield* world.switchNumber(given.isOn)
        memory.isOn = given.isOn
        if (!given.isOn) for (const who of people.keys()) excuse(memory, who)
        return
      }
      case "TakeOver": {
        yield* surely(memory)
        const { phone } = people[given.who]!
        if ((yield* world.findCustomer(phone)) === null) return
        yield* world.takesOver(given.isOver, phone)
        if (given.isOver) excuse(memory, given.who)
        // Of one with two names the other conversation may be taken over, and be joined to this one later.
        if (given.isOver) memory.taken.add(given.who)
        else if (isOneName(given.who)) memory.taken.delete(given.who)
        return
      }
      case "Echo": {
        yield* surely(memory)
        const { phone } = people[given.who]!
        const body = inboundBody([inboundChange({ echoes: [inboundEcho("A person's answer", { to: phone })] })])
        yield* world.deliver(body, given.pick)
        return excuse(memory, given.who)
      }
      case "Report": {
        const { taken } = world.platform
        // The last ones are the ones of which something is not known yet.
        const chosen = taken.at(-1 - (given.of % 4))
        if (chosen === undefined) return
        const row = (yield* world.everything).find(({ id }) => id === referenceOf(chosen))
        if (row?.msgid === null) seen.early += 1
        return yield* report(memory, chosen, given.report, given.isNamed, given.pick)
      }
      case "Cut":
        // One process alone would only wait.
        if (world.processes.length > 1) world.processes[given.pick % world.processes.length]!.isCut = given.isCut
        return
      case "Overtake": {
        // While a slow model runs its process loses its storage, and its job; it has both again when the answer is there.
        yield* within(memory, "is very slow", given.letter)
        const slow = world.working()
        if (world.processes.length < 2 || slow === undefined) return
        slow.isCut = true
        yield* world.pass(65 * second, 5000)
        slow.isCut = false
        seen.overtaken += 1
        return yield* world.pass(30 * second, 5000)
      }
      case "Down":
        world.isDown = given.isDown
        return
      case "Lose":
        world.processes[given.pick % world.processes.length]!.unheardCommits = given.commits
        return
      case "Stall":
        return world.processes[given.pick % world.processes.length]!.stall({ ...given })
      case "GoOn":
        yield* world.processes[given.pick % world.processes.length]!.resume
        return yield* world.settle
      case "StandStill": {
        const was = memory.mood
        memory.mood = given.atLength ? "answers at length" : "is slow"
        const [slow] = world.processes
        slow!.stall({ ...given })
        yield* obey(memory, { _tag: "Write", letters: [given.letter], pick: 1, times: 1 })
        yield* world.pass(65 * second, 5000)
        memory.mood = was
        yield* slow!.resume
        yield* world.settle
        return yield* world.pass(10 * second)
      }
      case "Hasten":
        // The platform reports a message before it has answered that it takes it.
        world.platform.next(reachOf(memory, "is slow"))
        yield* obey(memory, { _tag: "Write", letters: [given.letter], pick: 0, times: 1 })
        yield* world.pass(2 * second)
        return yield* obey(memory, { ...given, _tag: "Report", of: 0, pick: 0 })
      case "Seize": {
        // A person takes over while the model runs, and gives back before the next one writes.
        yield* within(memory, "is slow", given.letter)
        const { who } = given.letter
        yield* obey(memory, { _tag: "TakeOver", who, isOver: true })
        const before = { isOn: memory.isOn, taken: new Set(memory.taken) }
        yield* world.pass(given.ms)
        yield* check(memory, before)
        return yield* obey(memory, { _tag: "TakeOver", who, isOver: false })
      }
      case "Unite": {
        const names = given.isRefFirst
          ? (["userRef", "phone", "both"] as const)
          : (["phone", "userRef", "both"] as const)
        for (const [nth, name] of names.entries()) {
          yield* obey(memory, { _tag: "Write", letters: [{ who: given.who, name }], pick: nth, times: 1 })
          yield* world.pass(given.waits[nth] ?? 0)
        }
        return
      }
      case "Die":
        return world.dooms(given.steps, given.when, given.at, given.pick)
    }
  })

/** Somebody writes, and the model's run begins in a mood. */
const within = (memory: Memory, mood: Mood, letter: Letter) =>
  Effect.gen(function* () {
    const was = memory.mood
    memory.mood = mood
    yield* obey(memory, { _tag: "Write", letters: [letter], pick: 0, times: 1 })
    yield* memory.world.pass(2 * second)
    memory.mood = was
  })

/** A fault inside would leave us not knowing what holds now. What goes on meanwhile is judged by what held before. */
const surely = (memory: Memory) =>
  Effect.andThen(
    memory.world.mend,
    Effect.suspend(() => check(memory, { isOn: memory.isOn, taken: new Set(memory.taken) }))
  )

const report = (memory: Memory, taken: TakenMessage, word: Report, isNamed: boolean, pick: number) =>
  Effect.gen(function* () {
    const reference = isNamed ? { biz_opaque_callback_data: referenceOf(taken) } : {}
    const body = inboundBody([inboundChange({ statuses: [inboundStatus(taken.id, word, reference)] })])
    const answer = yield* Effect.exit(memory.world.deliver(body, pick))
    const present = memory.reported.get(taken.id) ?? { taken, heard: 0 }
    const isHeard = answer._tag === "Success" && answer.value !== null
    memory.reported.set(taken.id, { taken, heard: isHeard ? Math.max(present.heard, ranks[word]) : present.heard })
  })

// --- what must hold ----------------------------------------------------------------------------------------------------------

const markOf = ({ text }: Message): string => (text ?? "").split(" ")[0]!

interface Switches {
  readonly isOn: boolean
  readonly taken: ReadonlySet<number>
}

/** What must hold at any time; `before` is what was off before the last step. */
const check = (memory: Memory, before: Switches) =>
  Effect.gen(function* () {
    const rows = yield* memory.world.everything
    checkRows(memory, rows)
    const turns = Map.groupBy(
      rows.filter(({ turnId }) => turnId !== null),
      ({ turnId }) => turnId!
    )
    for (const [turnId, parts] of turns) {
      if (!memory.turns.has(turnId)) checkTurn(memory, rows, parts, before)
      memory.turns.add(turnId)
    }
    checkSent(memory, [...turns.values()])
  })

const checkRows = ({ statuses }: Memory, rows: ReadonlyArray<Message>): void => {
  const inbound = rows.filter(({ direction }) => direction === "inbound")
  expect(new Set(inbound.map(({ msgid }) => msgid)).size, "a message is stored once").toBe(inbound.length)
  for (const { id, status } of rows) {
    const was = statuses.get(id) ?? status
    if (!(was === "sending" && status === "queued")) {
      expect(ranks[status], `${id} went from ${was} to ${status}`).toBeGreaterThanOrEqual(ranks[was])
    }
    statuses.set(id, status)
  }
}

/** A turn that is new: it answers something, knows all of it, and was due. */
const checkTurn = (
  memory: Memory,
  rows: ReadonlyArray<Message>,
  parts: ReadonlyArray<Message>,
  before: Switches
): void => {
  const { runs, seen, written } = memory
  const first = parts[0]!
  const mark = markOf(first)
  const run = runs.get(mark)!
  const { who } = run
  const of = ({ text }: Message) => written.get(text ?? "")
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, nth) => nth))

  const said = rows.filter((row) => row.direction === "inbound" && of(row)?.who === who)
  const known = said.filter(({ text }) => run.knows.includes(text!))
  const fresh = known.filter((row) => !of(row)!.isAnswered)
  const answers = fresh.some((row) => of(row)!.isLive)
  expect(answers, `${mark} answers something of ${run.knows.join()}`).toBe(true)

  if (isOneName(who)) {
    expect(before.isOn || memory.isOn, `${mark} while the number is off`).toBe(true)
    expect(before.taken.has(who) && memory.taken.has(who), `${mark} after a person took over`).toBe(false)
    const [from, to] = [said.indexOf(known[0]!), said.indexOf(known.at(-1)!)]
    expect(known.length, `${mark} has read without a hole`).toBe(to - from + 1)
    const latest = fresh[0]!.createdAt + maxWaitMs
    const isQuiet = run.at >= known.at(-1)!.createdAt + quietMs
    expect(isQuiet || run.at >= latest, `${mark} waited for the message group to be complete`).toBe(true)
    // Whoever wrote before the answer was written down, and is not in it, came when the first could wait no longer.
    const over = said.slice(to + 1).filter((row) => rows.indexOf(row) < rows.indexOf(first))
    expect(over.length === 0 || first.createdAt >= latest, `${mark} passes over ${over[0]?.text}`).toBe(true)
  }
  for (const row of fresh) of(row)!.isAnswered = true
  memory.failedRuns.delete(who)
  seen.turns += 1
  if (parts.length > 1) seen.inParts += 1
}

/** Whatever the platform has was sent once, each part after those in front of it. */
const checkSent = ({ refused, runs, world }: Memory, turns: ReadonlyArray<ReadonlyArray<Message>>): void => {
  const order = world.platform.taken.map(referenceOf)
  expect(new Set(order).size, "no part is sent twice").toBe(order.length)
  const inOrder = (rows: ReadonlyArray<Message>, what: string): void => {
    const ids = rows.map(({ id }): string => id)
    const sent = order.filter((id) => ids.includes(id))
    expect(sent, what).toEqual(ids.filter((id) => sent.includes(id)))
  }
  for (const parts of turns) {
    inOrder(parts, "parts go out in their order")
    const end = parts.findIndex(({ id }) => refused.has(id))
    const late = end === -1 ? [] : parts.slice(end).filter(({ id }) => order.includes(id))
    expect(late, "nothing follows a refusal").toEqual([])
  }
  for (const who of people.keys()) {
    if (!isOneName(who)) continue
    const own = turns.flat().filter((row) => runs.get(markOf(row))?.who === who)
    inOrder(own, "answers go out in their order")
  }
}

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
      failedRuns: new Map(),
      taken: new Set(),
      isOn: true,
      mood: "answers",
      seen
    }
    play(memory)
    for (const one of given.commands) {
      const before = { isOn: memory.isOn, taken: new Set(memory.taken) }
      yield* obey(memory, one)
      yield* world.revive
      yield* check(memory, before)
    }

    // In the end everything is well again, and what could not be delivered is delivered.
    const before = { isOn: true, taken: new Set<number>() }
    yield* surely(memory)
    memory.mood = "answers"
    world.platform.does(accepts)
    yield* world.switchNumber(true)
    memory.isOn = true
    for (const { phone, userRef } of people) {
      for (const name of [phone, userRef]) {
        if (name !== null && (yield* world.findCustomer(name)) !== null) yield* world.takesOver(false, name)
      }
    }
    memory.taken.clear()
    for (const delivery of memory.deliveries) {
      if (!delivery.isStored) yield* deliver(memory, delivery, 0)
    }
    // A step that was under way may still kill its process.
    for (let passes = 0; passes < 5; passes += 1) {
      yield* world.pass(2 * minute, 5000)
      yield* world.revive
    }
    yield* check(memory, before)

    const rows = yield* world.everything
    const stored = new Set(rows.map(({ msgid }) => msgid))
    for (const one of memory.written.values()) {
      expect(stored.has(one.msgid), `${one.text} is stored`).toBe(true)
      if (!one.isAnswered) expect(one.isExcused, `${one.text} has an answer, or a reason for none`).toBe(true)
      seen.answered += one.isAnswered ? 1 : 0
      seen.unanswered += one.isAnswered ? 0 : 1
    }
    for (const { phone, userRef } of people) {
      for (const name of [phone, userRef]) {
        const customer = name === null ? null : yield* world.findCustomer(name)
        if (customer === null) continue
        const job = yield* world.findJob(customer.id)
        const hasWritten = rows.some(
          ({ customerId, direction }) => customerId === customer.id && direction === "inbound"
        )
        expect(job !== null, `${name} has a reply job`).toBe(hasWritten)
        if (job === null) continue
        expect(job).toMatchObject({ dueAt: null, waitingSince: null, claim: null, failures: 0 })
      }
    }
    for (const { id, status } of rows) expect(status, `the end of ${id}`).not.toMatch(/queued|sending/)

    // What the platform has, it reports; and then the row says so.
    seen.unknown += rows.filter(({ status }) => status === "unknown").length
    seen.brokenOff += rows.filter(({ fault }) => fault?.message.includes("in front of it")).length
    for (const taken of world.platform.taken) yield* report(memory, taken, "delivered", true, 0)
    yield* check(memory, before)
    const after = new Map<string, Message>((yield* world.everything).map((row) => [row.id, row]))
    for (const taken of world.platform.taken) {
      const row = after.get(referenceOf(taken))
      expect(row?.msgid, "a message that was taken has its id").toBe(taken.id)
      expect(ranks[row!.status], `${row!.status} of ${taken.id}`).toBeGreaterThanOrEqual(
        Math.max(ranks.delivered, memory.reported.get(taken.id)!.heard)
      )
    }
    const runs = [...memory.runs.keys()]
    seen.discarded +=
      runs.length - new Set([...after.values()].filter(({ turnId }) => turnId !== null).map(markOf)).size
    seen.merged += (yield* world.conversations).filter(({ status }) => status === "ended").length
    seen.deaths += world.deaths
    seen.stalls += world.seen.stalls
    seen.lostCommits += world.seen.lostCommits
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))

/** Declares the model on a storage. */
export const replySuite = (name: string, storage: () => StorageLayer, runs: number): void => {
  it(`answers on random days on ${name} keep every promise`, { timeout: 300_000 }, async () => {
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
