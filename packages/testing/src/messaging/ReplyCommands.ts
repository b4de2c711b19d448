/** What happens on a random day, command by command. */
import { Instant } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import type { AcceptedMessage } from "./FakeChatPlatform.ts"
import { type Delivered, inboundBody, inboundChange, sampleBodies } from "./InboundBodies.ts"
import { answeringOf } from "./ReplyActors.ts"
import {
  type Command,
  type CustomerMessage,
  isOneName,
  type Mood,
  type OperatorKind,
  people,
  type Report,
  twoForms
} from "./ReplyDay.ts"
import { check } from "./ReplyInvariants.ts"
import { allowNoReply, type Delivery, type Memory, ranks, referenceOf, type Written } from "./ReplyMemory.ts"

const { inboundEcho, inboundMessage, inboundStatus } = sampleBodies

/** Before anybody has written. */
const longAgo = String(Date.UTC(2026, 10, 20) / 1000)

/** What the platform says of who writes: the person's phone, the other name, or both. */
const namesOf = ({ name, who }: CustomerMessage) => {
  const { other, phone } = people[who]!
  const isOne = isOneName(who)
  if (who !== twoForms) {
    return {
      from: isOne || name !== "other" ? phone : undefined,
      from_user_id: other !== null && (isOne || name !== "phone") ? other : undefined
    }
  }
  return { from: name === "other" ? other : phone, from_user_id: undefined }
}

/** A contact has the form of a phone that the platform prefers. */
const contactsOf = ({ name, who }: CustomerMessage) =>
  who === twoForms && name === "both" ? { contacts: [{ wa_id: people[who]!.other }] } : {}

const { second } = Instant

/** Hands a delivery over. Who hears no answer, or a refusal, will deliver it again. */
export const deliver = (memory: Memory, delivery: Delivery, pick: number, times = 1) =>
  Effect.gen(function* () {
    const { seen, world } = memory
    const all = Array.from({ length: times }, (_, nth) => Effect.exit(world.deliver(delivery.body, pick + nth)))
    const answers = yield* Effect.all(all, { concurrency: "unbounded" })
    const isAcknowledged = answers.some((answer) => answer._tag === "Success" && answer.value !== null)
    seen.again += times - 1
    if (!isAcknowledged) seen.lost += 1
    else if (delivery.isStored) seen.again += 1
    for (const one of delivery.written) {
      if (delivery.isStored) continue
      if (!memory.isOn || memory.takenOver.has(one.who))
        expectNoReply(memory, one, isAcknowledged && !delivery.isTried && times === 1)
      one.isStored = isAcknowledged
    }
    delivery.isStored ||= isAcknowledged
    delivery.isTried = true
  })

/**
 * A message comes while something is off, so that it stays without an answer, and whatever waits with it. Of a person with two
 * names nobody here knows which of them it is for, and of a delivery without an answer not when it was stored.
 */
const expectNoReply = (memory: Memory, late: Written, isSure: boolean): void => {
  allowNoReply(memory, late.who)
  if (!isSure || !isOneName(late.who)) return
  for (const one of memory.written.values()) {
    if (one.who === late.who && one.isStored) one.isLive = false
  }
  late.isLive = false
}

type RunCommand<T extends Command["_tag"]> = (
  memory: Memory,
  given: Extract<Command, { readonly _tag: T }>
) => Effect.Effect<void, unknown>

const commands: { readonly [T in Command["_tag"]]: RunCommand<T> } = {
  Write: (memory, given) =>
    Effect.gen(function* () {
      const { deliveries, world, written } = memory
      const at = world.second
      const all = given.messages.map((by): readonly [Written, Delivered] => {
        const text = `m${written.size + 1}`
        const message = inboundMessage("text", { body: text }, { ...namesOf(by), timestamp: at })
        const one: Written = {
          who: by.who,
          text,
          msgid: String(message.id),
          edits: 0,
          isDeleted: false,
          changedIn: null,
          known: { edit: 0, isDeleted: false },
          stored: { edit: 0, isDeleted: false },
          isStored: false,
          isLive: true,
          mayBeAnswered: false,
          mayHaveNoReply: false,
          isAnswered: false
        }
        written.set(text, one)
        return [one, inboundChange({ messages: [message], ...contactsOf(by) })]
      })
      // Several changes, as the platform makes one of each.
      const body = inboundBody(all.map(([, change]) => change))
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
  ModelMood: (memory, given) =>
    Effect.sync(() => {
      memory.mood = given.mood
    }),
  SendOutcomes: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.platform.next(answeringOf(memory, given.outcome), given.times)
    }),
  SwitchNumber: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      yield* clearFaults(memory)
      yield* world.switchNumber(given.isOn)
      memory.isOn = given.isOn
      if (!given.isOn) for (const who of people.keys()) allowNoReply(memory, who)
    }),
  TakeOver: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      yield* clearFaults(memory)
      const { phone } = people[given.who]!
      if ((yield* world.findCustomer(phone)) === null) return
      yield* world.setTakeover(given.isOver, phone)
      if (given.isOver) allowNoReply(memory, given.who)
      // Of one with two names the other conversation may be taken over, and be joined to this one later.
      if (given.isOver) memory.takenOver.add(given.who)
      else if (isOneName(given.who)) memory.takenOver.delete(given.who)
    }),
  OperatorMessage: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      yield* clearFaults(memory)
      const { phone } = people[given.who]!
      yield* world.deliver(inboundBody([inboundChange({ echoes: [echoOf(given.kind, phone)] })]), given.pick)
      if (given.kind !== "text") return
      allowNoReply(memory, given.who)
      for (const one of memory.written.values()) if (one.who === given.who) one.mayBeAnswered = true
    }),
  Change: (memory, given) =>
    Effect.gen(function* () {
      const { deliveries, seen, world, written } = memory
      const all = [...written.values()]
      const one = all[given.of % Math.max(1, all.length)]
      const at = world.second
      if (one === undefined || one.changedIn === at) return
      const { isDeletion } = given
      const original_message_id = one.msgid
      const content = isDeletion
        ? inboundMessage("revoke", { original_message_id }, { ...authorOf(one), timestamp: at })
        : inboundMessage("edit", { original_message_id, message: editFor(one) }, { ...authorOf(one), timestamp: at })
      one.changedIn = at
      // What may be history already, a run may have read before.
      const isSurelyDue = !one.mayHaveNoReply
      if (isDeletion) [one.isDeleted, one.mayHaveNoReply] = [true, true]
      else one.edits += 1
      seen[isDeletion ? "deleted" : "edited"] += 1
      const body = inboundBody([inboundChange({ messages: [content] })])
      const delivery: Delivery = { body, written: [], isStored: false, isTried: false }
      deliveries.push(delivery)
      yield* deliver(memory, delivery, given.pick)
      const { edit, isDeleted } = one.stored
      if (delivery.isStored && isSurelyDue) {
        one.stored = isDeletion ? { edit, isDeleted: true } : { edit: one.edits, isDeleted }
      }
    }),
  Report: (memory, given) =>
    Effect.gen(function* () {
      const { seen, world } = memory
      const { accepted } = world.platform
      // The last ones are the ones of which something is not known yet.
      const chosen = accepted.at(-1 - (given.of % 4))
      if (chosen === undefined) return
      const row = (yield* world.everything).find(({ id }) => id === referenceOf(chosen))
      if (row?.msgid === null) seen.early += 1
      return yield* report(memory, chosen, given.report, given.isNamed, given.pick)
    }),
  CutStorage: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      // One process alone would only wait.
      if (world.processes.length > 1) world.processes[given.pick % world.processes.length]!.isCut = given.isCut
    }),
  LoseClaim: (memory, given) =>
    Effect.gen(function* () {
      const { seen, world } = memory
      // While a slow model runs its process loses its storage, and its job; it has both again when the answer is there.
      yield* within(memory, "is very slow", given.message)
      const slow = world.working()
      if (world.processes.length < 2 || slow === undefined) return
      slow.isCut = true
      yield* world.pass(65 * second, 5000)
      slow.isCut = false
      seen.overtaken += 1
      return yield* world.pass(30 * second, 5000)
    }),
  StopStorage: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.isDown = given.isDown
    }),
  LoseCommits: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.processes[given.pick % world.processes.length]!.commitsToLose = given.commits
    }),
  Stall: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.processes[given.pick % world.processes.length]!.stall({ ...given })
    }),
  Resume: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      yield* world.processes[given.pick % world.processes.length]!.resume
      return yield* world.settle
    }),
  StallPastClaim: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      const was = memory.mood
      memory.mood = given.atLength ? "answers at length" : "is slow"
      const [slow] = world.processes
      slow!.stall({ ...given })
      yield* runCommand(memory, { _tag: "Write", messages: [given.message], pick: 1, times: 1 })
      yield* world.pass(65 * second, 5000)
      memory.mood = was
      yield* slow!.resume
      yield* world.settle
      return yield* world.pass(10 * second)
    }),
  ReportEarly: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      // The platform reports a message before it has answered that it takes it.
      world.platform.next(answeringOf(memory, "is slow"))
      yield* runCommand(memory, { _tag: "Write", messages: [given.message], pick: 0, times: 1 })
      yield* world.pass(2 * second)
      return yield* runCommand(memory, { ...given, _tag: "Report", of: 0, pick: 0 })
    }),
  TakeOverDuringRun: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      // A person takes over while the model runs, and hands back to the agent before the next message comes.
      yield* within(memory, "is slow", given.message)
      const { who } = given.message
      yield* runCommand(memory, { _tag: "TakeOver", who, isOver: true })
      const before = { isOn: memory.isOn, takenOver: new Set(memory.takenOver) }
      yield* world.pass(given.ms)
      yield* check(memory, before)
      return yield* runCommand(memory, { _tag: "TakeOver", who, isOver: false })
    }),
  MergeCustomer: (memory, given) =>
    Effect.gen(function* () {
      const { world } = memory
      const names = given.isRefFirst ? (["other", "phone", "both"] as const) : (["phone", "other", "both"] as const)
      for (const [nth, name] of names.entries()) {
        yield* runCommand(memory, { _tag: "Write", messages: [{ who: given.who, name }], pick: nth, times: 1 })
        yield* world.pass(given.waits[nth] ?? 0)
      }
    }),
  Crash: (memory, given) =>
    Effect.sync(() => {
      const { world } = memory
      world.crashAfter(given.steps, given.when, given.at, given.pick)
    })
}

export const runCommand = (memory: Memory, given: Command): Effect.Effect<void, unknown> =>
  // A command and its handler have one tag, which the compiler cannot follow through the table.
  (commands[given._tag] as RunCommand<Command["_tag"]>)(memory, given)

/** A message is changed under a name of its writer's. */
const authorOf = ({ who }: Written) => namesOf({ who, name: "phone" })

const editFor = ({ edits, text }: Written) => ({ type: "text", text: { body: `${text}.${edits + 1}` } })

/** What the number's own app sends to a customer. */
const echoOf = (kind: OperatorKind, to: string): Delivered => {
  if (kind === "text") return inboundEcho("A person's answer", { to })
  if (kind === "older text") return inboundEcho("An older answer", { to, timestamp: longAgo })
  const { text: _, ...rest } = inboundEcho("", { to })
  return kind === "reaction"
    ? { ...rest, type: "reaction", reaction: { message_id: "wamid.nothing", emoji: "👍" } }
    : { ...rest, type: "revoke", revoke: { original_message_id: "wamid.nothing" } }
}

/** Somebody writes, and the model's run begins in a mood. */
const within = (memory: Memory, mood: Mood, message: CustomerMessage) =>
  Effect.gen(function* () {
    const was = memory.mood
    memory.mood = mood
    yield* runCommand(memory, { _tag: "Write", messages: [message], pick: 0, times: 1 })
    yield* memory.world.pass(2 * second)
    memory.mood = was
  })

/** A fault inside would leave us not knowing what holds now. What happens meanwhile is checked by what held before. */
export const clearFaults = (memory: Memory) =>
  Effect.andThen(
    memory.world.clearFaults,
    Effect.suspend(() => check(memory, { isOn: memory.isOn, takenOver: new Set(memory.takenOver) }))
  )

export const report = (memory: Memory, accepted: AcceptedMessage, word: Report, isNamed: boolean, pick: number) =>
  Effect.gen(function* () {
    const reference = isNamed ? { biz_opaque_callback_data: referenceOf(accepted) } : {}
    const { knownAs } = memory.world.platform
    const recipient =
      accepted.body.to === undefined
        ? { recipient_id: undefined, recipient_user_id: accepted.to }
        : { recipient_id: knownAs.get(accepted.to) ?? accepted.to }
    const status = inboundStatus(accepted.id, word, { ...recipient, ...reference })
    const body = inboundBody([inboundChange({ statuses: [status] })])
    const answer = yield* Effect.exit(memory.world.deliver(body, pick))
    const present = memory.reported.get(accepted.id) ?? { message: accepted, received: 0 }
    const isAcknowledged = answer._tag === "Success" && answer.value !== null
    memory.reported.set(accepted.id, {
      message: accepted,
      received: isAcknowledged ? Math.max(present.received, ranks[word]) : present.received
    })
  })
