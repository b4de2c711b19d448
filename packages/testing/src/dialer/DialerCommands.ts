/** What happens on a random day of the dialer, command by command. */

import { Accounts, Calls, CampaignContacts, Campaigns, Instant, PhoneNumber, Suppression } from "@trunkline/core/effect"
import { operator } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type Command, phones } from "./DialerDay.ts"
import type { Memory } from "./DialerMemory.ts"

type Obey<T extends Command["_tag"]> = (
  memory: Memory,
  given: Extract<Command, { readonly _tag: T }>,
  at: Instant.Instant
) => Effect.Effect<unknown, unknown>

const pick = <A>(items: ReadonlyArray<A>, n: number): A | undefined =>
  items.length === 0 ? undefined : items[n % items.length]

const phoneOf = (n: number): string => phones[n % phones.length]!

const orNull = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A | null> =>
  Effect.catch(work, () => Effect.succeed(null))

const deliverAll = ({ world }: Memory, indexOf: (left: number) => number) =>
  Effect.gen(function* () {
    for (let left = world.network.pending.length; left > 0; left--) yield* world.deliver(indexOf(left), false)
  })

const commands: { readonly [T in Command["_tag"]]: Obey<T> } = {
  Pass: ({ world }, { seconds }) => Effect.andThen(TestClock.adjust(seconds * 1000), world.settle),

  Work: ({ world }, { seconds }) => world.work(seconds),

  Tick: ({ world }) => world.tick,

  Network: ({ world: { network } }, { does, pick: n }, at) =>
    Effect.sync(() => {
      const call = pick(network.openCalls(), n)
      if (call === undefined) return
      switch (does) {
        case "ring":
          return network.ring(call, at)
        case "answer":
          return network.answer(call, "human", at)
        case "machine":
          return network.answer(call, "machine", at)
        case "hangup":
          return call.answeredAt === null ? undefined : network.end(call, "completed", "remote", at)
        case "no_answer":
          network.ring(call, at)
          return network.end(call, "no_answer", null, at)
        default:
          return network.end(call, does, null, at)
      }
    }),

  Crowd: (memory, _, at) =>
    Effect.suspend(() => {
      const { network } = memory.world
      for (const call of network.openCalls()) network.answer(call, "human", at)
      return deliverAll(memory, (left) => left)
    }),

  Race: (memory, { pick: n }, at) =>
    Effect.gen(function* () {
      const { network } = memory.world
      yield* memory.world.tick
      for (const call of network.openCalls()) network.ring(call, at)
      network.pending.length = 0
      const winner = pick(network.openCalls(), n)
      if (winner === undefined) return
      network.answer(winner, "human", at)
      yield* deliverAll(memory, () => 0)
      network.end(winner, "completed", "remote", at)
      yield* memory.world.deliver(network.pending.length - 1, false)
    }),

  Deliver: ({ world }, given) => world.deliver(given.pick, given.again),

  Lose: ({ world }, given) =>
    Effect.sync(() => {
      const { pending } = world.network
      if (pending.length === 0) return
      pending.splice(given.pick % pending.length, 1)
      world.lost += 1
    }),

  CarrierOutage: ({ world }, { acts, seconds }, at) =>
    Effect.sync(() => {
      world.network.outage = { until: Instant.plus(at, seconds * 1000), acts }
    }),

  StorageOutage: ({ world }, { seconds }, at) =>
    Effect.sync(() => {
      world.storageDownUntil = Instant.plus(at, seconds * 1000)
    }),

  Stranger: ({ strangerId, world }, given) =>
    Effect.andThen(
      Effect.ignore(
        world.run(Calls.use((c) => c.create(strangerId, { to: phoneOf(given.pick), fromNumberId: null, botId: null })))
      ),
      world.settle
    ),

  List: ({ listed, tenantId, world }, given) =>
    Effect.gen(function* () {
      const phone = phoneOf(given.pick)
      const added = yield* orNull(world.run(Suppression.use((s) => s.add(tenantId, [{ phone, reason: null }]))))
      if (added === null) return
      const known = new Set((yield* world.calls(tenantId)).map(({ id }) => id as string))
      listed.push({ key: PhoneNumber.usable(phone)!.key, known })
    }),

  Move: ({ campaignId, tenantId, world }, { to }) =>
    Effect.ignore(world.run(Campaigns.use((c) => c.move(tenantId, campaignId, to, { id: "user:anna", name: "Anna" })))),

  Settings: (memory, given, at) =>
    Effect.gen(function* () {
      const { campaignId, dayLimits, tenantId, world } = memory
      // A process that dies or stands still after the commit has changed them all the same.
      memory.maxAttempts = Math.max(memory.maxAttempts, given.attempts)
      const set = { since: at, limit: given.perDay, isCertain: false }
      dayLimits.push(set)
      const settings = {
        dialMode: given.mode,
        parallelLines: given.mode === "parallel" ? given.lines : 1,
        maxAttempts: given.attempts,
        amdEnabled: given.amd,
        maxCallsPerDay: given.perDay
      }
      const changed = yield* orNull(world.run(Campaigns.use((c) => c.change(tenantId, campaignId, settings))))
      set.isCertain = changed !== null
    }),

  Approve: ({ campaignId, tenantId, world }, given) =>
    Effect.gen(function* () {
      const contact = pick(yield* world.contacts(campaignId), given.pick)
      if (contact === undefined) return
      yield* Effect.ignore(
        world.run(
          CampaignContacts.use((c) => c.approve(tenantId, campaignId, contact.id, { id: "user:anna", name: "Anna" }))
        )
      )
    }),

  Plan: ({ tenantId, world }, { to }) =>
    Effect.ignore(world.run(Accounts.use((a) => a.change(tenantId, { plan: to }, operator)))),

  Fault: ({ world }, { kind, steps, when }) =>
    Effect.sync(() => {
      if (kind === "dies") world.process.death ??= { steps, when, at: null }
      else world.process.stall({ steps, when, at: null })
    }),

  GoOn: ({ world }) => world.goOn
}

/** Lets one command happen. */
export const obey = (memory: Memory, given: Command): Effect.Effect<unknown, unknown> =>
  Effect.flatMap(Instant.now, (at) => (commands[given._tag] as Obey<Command["_tag"]>)(memory, given, at))
