/** What happens on a random day, command by command. */
import { Instant } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import type { TakenMessage } from "./FakeChatPlatform.ts"
import { type Delivered, inboundBody, inboundChange, sampleBodies } from "./InboundBodies.ts"
import { reachOf } from "./ReplyActors.ts"
import { type Command, isOneName, type Letter, type Mood, people, type Report } from "./ReplyDay.ts"
import { check } from "./ReplyInvariants.ts"
import { type Delivery, excuse, type Memory, ranks, referenceOf, type Written } from "./ReplyMemory.ts"

const { inboundEcho, inboundMessage, inboundStatus } = sampleBodies

const { second } = Instant

/** Hands a delivery over. Who hears no answer, or a refusal, will deliver it again. */
export const deliver = (memory: Memory, delivery: Delivery, pick: number, times = 1) =>
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

type Obey<T extends Command["_tag"]> = (
  memory: Memory,
  given: Extract<Command, { readonly _tag: T }>
) => Effect.Effect<void, unknown>

const commands: { readonly [T in Command["_tag"]]: Obey<T> } = {
  Write: (memory, given) =>
    Effect.gen(function* () {
      const { deliveries, world, written } = memory
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
    }),
  Redeliver: (memory, given) =>
    Effect.gen(function* () {
      const { deliveries } = memory
      const chosen = deliveries[given.of % Math.max(1, deliveries.length)]
      if (chosen !== undefined) yield* deliver(memory, chosen, given.pick)
    }),
  Tick: (memory, given) => Effect.asVoid(memory.world.tick(given.pick)),
  Pass: (memory, given) => memory.world.pass(given.ms, given.ms > 20_000 ? 5000 : 1000),
  Model: (memory, given) =>
    Effect.sync(() => {
      memory.mood = given.mood
    }),
  Platform: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.platform.next(reachOf(memory, given.reach), given.times)
    }),
  Switch: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      yield* surely(memory)
      yield* world.switchNumber(given.isOn)
      memory.isOn = given.isOn
      if (!given.isOn) for (const who of people.keys()) excuse(memory, who)
    }),
  TakeOver: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      yield* surely(memory)
      const { phone } = people[given.who]!
      if ((yield* world.findCustomer(phone)) === null) return
      yield* world.takesOver(given.isOver, phone)
      if (given.isOver) excuse(memory, given.who)
      // Of one with two names the other conversation may be taken over, and be joined to this one later.
      if (given.isOver) memory.taken.add(given.who)
      else if (isOneName(given.who)) memory.taken.delete(given.who)
    }),
  Echo: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      yield* surely(memory)
      const { phone } = people[given.who]!
      const body = inboundBody([inboundChange({ echoes: [inboundEcho("A person's answer", { to: phone })] })])
      yield* world.deliver(body, given.pick)
      return excuse(memory, given.who)
    }),
  Report: (memory, given) =>
    Effect.gen(function* () {
      const { seen, world } = memory
      const { taken } = world.platform
      // The last ones are the ones of which something is not known yet.
      const chosen = taken.at(-1 - (given.of % 4))
      if (chosen === undefined) return
      const row = (yield* world.everything).find(({ id }) => id === referenceOf(chosen))
      if (row?.msgid === null) seen.early += 1
      return yield* report(memory, chosen, given.report, given.isNamed, given.pick)
    }),
  Cut: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      // One process alone would only wait.
      if (world.processes.length > 1) world.processes[given.pick % world.processes.length]!.isCut = given.isCut
    }),
  Overtake: (memory, given) =>
    Effect.gen(function* () {
      const { seen, world } = memory
      // While a slow model runs its process loses its storage, and its job; it has both again when the answer is there.
      yield* within(memory, "is very slow", given.letter)
      const slow = world.working()
      if (world.processes.length < 2 || slow === undefined) return
      slow.isCut = true
      yield* world.pass(65 * second, 5000)
      slow.isCut = false
      seen.overtaken += 1
      return yield* world.pass(30 * second, 5000)
    }),
  Down: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.isDown = given.isDown
    }),
  Lose: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.processes[given.pick % world.processes.length]!.unheardCommits = given.commits
    }),
  Stall: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.processes[given.pick % world.processes.length]!.stall({ ...given })
    }),
  GoOn: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      yield* world.processes[given.pick % world.processes.length]!.resume
      return yield* world.settle
    }),
  StandStill: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
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
    }),
  Hasten: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      // The platform reports a message before it has answered that it takes it.
      world.platform.next(reachOf(memory, "is slow"))
      yield* obey(memory, { _tag: "Write", letters: [given.letter], pick: 0, times: 1 })
      yield* world.pass(2 * second)
      return yield* obey(memory, { ...given, _tag: "Report", of: 0, pick: 0 })
    }),
  Seize: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      // A person takes over while the model runs, and gives back before the next one writes.
      yield* within(memory, "is slow", given.letter)
      const { who } = given.letter
      yield* obey(memory, { _tag: "TakeOver", who, isOver: true })
      const before = { isOn: memory.isOn, taken: new Set(memory.taken) }
      yield* world.pass(given.ms)
      yield* check(memory, before)
      return yield* obey(memory, { _tag: "TakeOver", who, isOver: false })
    }),
  Unite: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      const names = given.isRefFirst ? (["userRef", "phone", "both"] as const) : (["phone", "userRef", "both"] as const)
      for (const [nth, name] of names.entries()) {
        yield* obey(memory, { _tag: "Write", letters: [{ who: given.who, name }], pick: nth, times: 1 })
        yield* world.pass(given.waits[nth] ?? 0)
      }
    }),
  Die: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.dooms(given.steps, given.when, given.at, given.pick)
    })
}

export const obey = (memory: Memory, given: Command): Effect.Effect<void, unknown> =>
  // A command and its handler have one tag, which the compiler cannot follow through the table.
  (commands[given._tag] as Obey<Command["_tag"]>)(memory, given)

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
export const surely = (memory: Memory) =>
  Effect.andThen(
    memory.world.mend,
    Effect.suspend(() => check(memory, { isOn: memory.isOn, taken: new Set(memory.taken) }))
  )

export const report = (memory: Memory, taken: TakenMessage, word: Report, isNamed: boolean, pick: number) =>
  Effect.gen(function* () {
    const reference = isNamed ? { biz_opaque_callback_data: referenceOf(taken) } : {}
    const body = inboundBody([inboundChange({ statuses: [inboundStatus(taken.id, word, reference)] })])
    const answer = yield* Effect.exit(memory.world.deliver(body, pick))
    const present = memory.reported.get(taken.id) ?? { taken, heard: 0 }
    const isHeard = answer._tag === "Success" && answer.value !== null
    memory.reported.set(taken.id, { taken, heard: isHeard ? Math.max(present.heard, ranks[word]) : present.heard })
  })
