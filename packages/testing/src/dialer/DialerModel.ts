/**
 * The dialer against random days: crashes and standstills at any step, lost answers, lost, late, repeated and disordered
 * reports, outages of the carrier and of the storage, calls of another account to the same numbers, additions to the
 * do-not-call list, pauses, changed settings, changed plans, clock jumps. What must hold is checked over the carrier's own log,
 * and over the ledger.
 */
import {
  Accounts,
  type Call,
  Calls,
  CampaignContacts,
  type CampaignStatus,
  Campaigns,
  CreditStore,
  type Ids,
  Instant,
  lock,
  Money,
  PhoneNumber,
  Storage,
  type StorageLayer,
  Suppression
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { OnPlace } from "../FakeCarrier.ts"
import { type Fate, makeWorld, prepare, type World } from "./World.ts"

const phones = [
  "+91 98765 43210",
  "098765 43211",
  "+1 (212) 555-0123",
  "0044 20 7946 0958",
  "+49 30 901820",
  "9876543215"
]

type Command =
  /** Time passes and nobody works. */
  | { readonly _tag: "Pass"; readonly seconds: number }
  /** Time passes with the workers at work. */
  | { readonly _tag: "Work"; readonly seconds: number }
  | { readonly _tag: "Tick" }
  | {
      readonly _tag: "Network"
      readonly pick: number
      readonly does: "ring" | "answer" | "machine" | "busy" | "no_answer" | "failed" | "hangup"
    }
  /** Everybody whom the carrier calls answers at one instant, and all that is pending is heard. */
  | { readonly _tag: "Crowd" }
  /** Every phone rings, and those reports are lost; then one person answers and hangs up, and those reports arrive. */
  | { readonly _tag: "Race"; readonly pick: number }
  | { readonly _tag: "Deliver"; readonly pick: number; readonly again: boolean }
  /** A report is lost. */
  | { readonly _tag: "Lose"; readonly pick: number }
  /** The carrier answers no request; it does what it is asked for all the same, or does not hear of it. */
  | { readonly _tag: "CarrierOutage"; readonly seconds: number; readonly acts: boolean }
  | { readonly _tag: "StorageOutage"; readonly seconds: number }
  /** Another account calls one of the numbers. */
  | { readonly _tag: "Stranger"; readonly pick: number }
  | { readonly _tag: "List"; readonly pick: number }
  | { readonly _tag: "Move"; readonly to: CampaignStatus }
  | {
      readonly _tag: "Settings"
      readonly mode: "power" | "parallel" | "preview"
      readonly lines: number
      readonly attempts: number
      readonly amd: boolean
      readonly perDay: number | null
    }
  | { readonly _tag: "Approve"; readonly pick: number }
  | { readonly _tag: "Plan"; readonly to: "free" | "enterprise" }
  | ({ readonly _tag: "Fate" } & Fate)
  /** A process that stands still goes on. */
  | { readonly _tag: "GoOn" }

const nat = fc.nat({ max: 1000 })

const callsPerDay = fc.constantFrom(null, null, 1, 3)

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Pass" as const),
      seconds: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 60, max: 40_000 }))
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({ _tag: fc.constant("Work" as const), seconds: fc.integer({ min: 5, max: 150 }) })
  },
  { weight: 8, arbitrary: fc.record({ _tag: fc.constant("Tick" as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("Network" as const),
      pick: nat,
      does: fc.constantFrom(
        "ring" as const,
        "answer" as const,
        "machine" as const,
        "busy" as const,
        "no_answer" as const,
        "failed" as const,
        "hangup" as const
      )
    })
  },
  { weight: 9, arbitrary: fc.record({ _tag: fc.constant("Deliver" as const), pick: nat, again: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Lose" as const), pick: nat }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("CarrierOutage" as const),
      seconds: fc.integer({ min: 5, max: 240 }),
      acts: fc.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("StorageOutage" as const), seconds: fc.integer({ min: 5, max: 240 }) })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Stranger" as const), pick: nat }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Crowd" as const) }) },
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("Race" as const), pick: nat }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("List" as const), pick: nat }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Move" as const),
      to: fc.constantFrom("paused" as const, "running" as const)
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Settings" as const),
      mode: fc.constantFrom("power" as const, "parallel" as const, "parallel" as const, "preview" as const),
      lines: fc.integer({ min: 1, max: 5 }),
      attempts: fc.integer({ min: 1, max: 5 }),
      amd: fc.boolean(),
      perDay: callsPerDay
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Approve" as const), pick: nat }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Plan" as const),
      to: fc.constantFrom("free" as const, "enterprise" as const)
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Fate" as const),
      kind: fc.constantFrom("dies" as const, "stands still" as const),
      steps: fc.integer({ min: 1, max: 8 }),
      when: fc.constantFrom("before" as const, "after" as const)
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("GoOn" as const) }) }
)

const day = fc.record({
  commands: fc.array(command, { minLength: 10, maxLength: 90, size: "medium" }),
  orders: fc.array(
    fc.constantFrom<OnPlace>(
      "accept",
      "accept",
      "accept",
      "accept",
      "lose_answer",
      "lose_order",
      "throttled",
      "rejected",
      "invalid_number"
    ),
    { minLength: 1, maxLength: 20 }
  ),
  mode: fc.constantFrom("power" as const, "parallel" as const),
  lines: fc.integer({ min: 1, max: 5 }),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  perDay: callsPerDay,
  /** How the carrier finds a call whose id we do not know, whether it always answers, and what proves that there is none. */
  findsBy: fc.constantFrom("call id" as const, "number" as const),
  isReliable: fc.boolean(),
  proof: fc.constantFrom({ lookUps: 1, overMs: 0 }, { lookUps: 3, overMs: 2 * Instant.minute }),
  /** What the account has when the day begins. */
  credits: fc.constantFrom(0n, 4n, 1000n, 1000n, 1000n),
  plan: fc.constantFrom("free" as const, "free" as const, "enterprise" as const)
})

type Day = typeof day extends fc.Arbitrary<infer A> ? A : never

/** What the model remembers of the day, beside the carrier's log. */
interface Memory {
  readonly tenantId: Ids.AccountId
  readonly campaignId: Ids.CampaignId
  readonly strangerId: Ids.AccountId
  /** The carrier identifies each call and has always answered: nothing of this day can be unknown. */
  readonly isCertain: boolean
  /** Per listed key: the calls that existed when the addition had answered. */
  readonly listed: Array<{ readonly key: PhoneNumber.MatchKey; readonly known: ReadonlySet<string> }>
  mode: "power" | "parallel" | "preview"
  lines: number
  /** The most lines that any settings since the last quiet moment allowed: calls under way keep those they started with. */
  maxAttempts: number
  /** The daily limits that were set, and since when: a limit that may not have been stored leaves the one before in force. */
  readonly dayLimits: Array<{ readonly since: Instant.Instant; readonly limit: number | null; isCertain: boolean }>
  plan: "free" | "enterprise"
  /** The plan on which each call was begun. */
  readonly begunOn: Map<string, "free" | "enterprise">
  /** Calls that were hung up for want of credit. */
  readonly unpaid: Set<string>
}

const paceSeconds = 5

const start = Date.UTC(2026, 10, 21, 6, 0, 0)

const pick = <A>(items: ReadonlyArray<A>, n: number): A | undefined =>
  items.length === 0 ? undefined : items[n % items.length]

const step = (world: World, memory: Memory, given: Command) =>
  Effect.gen(function* () {
    const at = yield* Instant.now
    switch (given._tag) {
      case "Pass":
        yield* TestClock.adjust(given.seconds * 1000)
        return yield* world.settle
      case "Work":
        return yield* world.work(given.seconds)
      case "Tick":
        return yield* world.tick
      case "Network":
        return network(world, given, at)
      case "Crowd":
        for (const call of world.network.openCalls()) world.network.answer(call, "human", at)
        for (let i = world.network.pending.length; i > 0; i--) yield* world.deliver(i, false)
        return
      case "Race": {
        const { network } = world
        yield* world.tick
        for (const call of network.openCalls()) network.ring(call, at)
        network.pending.length = 0
        const winner = pick(network.openCalls(), given.pick)
        if (winner === undefined) return
        network.answer(winner, "human", at)
        for (let i = network.pending.length; i > 0; i--) yield* world.deliver(0, false)
        network.end(winner, "completed", "remote", at)
        return yield* world.deliver(network.pending.length - 1, false)
      }
      case "Deliver":
        return yield* world.deliver(given.pick, given.again)
      case "Lose":
        if (world.network.pending.length > 0) {
          world.network.pending.splice(given.pick % world.network.pending.length, 1)
          world.lost += 1
        }
        return
      case "CarrierOutage":
        world.network.outage = { until: Instant.plus(at, given.seconds * 1000), acts: given.acts }
        return
      case "StorageOutage":
        world.storageDownUntil = Instant.plus(at, given.seconds * 1000)
        return
      case "Stranger":
        yield* Effect.ignore(
          world.run(
            Calls.use((c) =>
              c.create(memory.strangerId, { to: pick(phones, given.pick)!, fromNumberId: null, botId: null })
            )
          )
        )
        return yield* world.settle
      case "List": {
        const phone = pick(phones, given.pick)!
        const added = yield* orNull(
          world.run(Suppression.use((s) => s.add(memory.tenantId, [{ phone, reason: null }])))
        )
        if (added === null) return
        const known = new Set((yield* world.calls(memory.tenantId)).map(({ id }) => id as string))
        memory.listed.push({ key: PhoneNumber.usable(phone)!.key, known })
        return
      }
      case "Move":
        return yield* Effect.ignore(
          world.run(Campaigns.use((c) => c.move(memory.tenantId, memory.campaignId, given.to)))
        )
      case "Settings": {
        // A process that dies or stands still after the commit has changed them all the same.
        memory.maxAttempts = Math.max(memory.maxAttempts, given.attempts)
        const set = { since: at, limit: given.perDay, isCertain: false }
        memory.dayLimits.push(set)
        const changed = yield* orNull(
          world.run(
            Campaigns.use((c) =>
              c.change(memory.tenantId, memory.campaignId, {
                dialMode: given.mode,
                parallelLines: given.mode === "parallel" ? given.lines : 1,
                maxAttempts: given.attempts,
                amdEnabled: given.amd,
                maxCallsPerDay: given.perDay
              })
            )
          )
        )
        if (changed === null) return
        set.isCertain = true
        memory.mode = given.mode
        memory.lines = given.mode === "parallel" ? given.lines : 1
        return
      }
      case "Approve": {
        const contact = pick(yield* world.contacts(memory.campaignId), given.pick)
        if (contact === undefined) return
        return yield* Effect.ignore(
          world.run(CampaignContacts.use((c) => c.approve(memory.tenantId, memory.campaignId, contact.id)))
        )
      }
      case "Plan":
        return yield* Effect.ignore(
          world.run(Accounts.use((a) => a.change(memory.tenantId, { plan: given.to }, "operator")))
        )
      case "Fate":
        world.process.fate ??= { kind: given.kind, steps: given.steps, when: given.when }
        return
      case "GoOn":
        return yield* world.goOn
    }
  })

const orNull = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A | null> =>
  Effect.catch(work, () => Effect.succeed(null))

const network = (world: World, { does, pick: n }: Extract<Command, { _tag: "Network" }>, at: Instant.Instant) => {
  const call = pick(world.network.openCalls(), n)
  if (call === undefined) return
  switch (does) {
    case "ring":
      return world.network.ring(call, at)
    case "answer":
      return world.network.answer(call, "human", at)
    case "machine":
      return world.network.answer(call, "machine", at)
    case "hangup":
      return call.answeredAt === null ? undefined : world.network.end(call, "completed", "remote", at)
    case "no_answer":
      world.network.ring(call, at)
      return world.network.end(call, "no_answer", null, at)
    default:
      return world.network.end(call, does, null, at)
  }
}

const creditOf = (world: World, { tenantId }: Memory) =>
  world.look(
    Effect.gen(function* () {
      const store = yield* CreditStore
      const storage = yield* Storage
      return yield* storage.transact(
        Effect.gen(function* () {
          yield* lock("account", tenantId)
          return { ...(yield* store.balance(tenantId))!, ledger: yield* store.ledgerSum(tenantId) }
        })
      )
    })
  )

/** A step either changes the plan or begins and ends calls: the plan of before is theirs. */
const remember = (memory: Memory, calls: ReadonlyArray<Call>) =>
  Effect.sync(() => {
    for (const { id, stopReason } of calls) {
      if (!memory.begunOn.has(id)) memory.begunOn.set(id, memory.plan)
      if (stopReason !== "credits" || memory.unpaid.has(id)) continue
      memory.unpaid.add(id)
      expect(memory.plan, "no call is hung up for want of credit where none is needed").toBe("free")
    }
  })

/** What was deducted in the end, against what the calls tell of their cost. */
const moneyAddsUp = (calls: ReadonlyArray<Call>, { begunOn }: Memory, spent: bigint, isOnePlan: boolean) => {
  const told = (plan: Memory["plan"]) =>
    calls.reduce((sum, { credits, id }) => (begunOn.get(id) === plan ? sum + credits : sum), 0n)
  expect(spent <= told("free"), "nothing is deducted for calls that began on enterprise").toBe(true)
  if (isOnePlan) expect(spent, "what calls cost is what was deducted").toBe(told("free"))
  for (const { answeredAt, credits, durationSeconds, id } of calls) {
    if (begunOn.get(id) !== "enterprise") continue
    const price = answeredAt === null ? 0n : Money.callPrice(Money.nanoPerCredit, durationSeconds ?? 0)
    expect(credits, "a call tells its price where nothing is deducted").toBe(price)
  }
}

/** The highest limit that was in force during a day of UTC, which is the campaign's zone; null for none. */
const limitOfDay = ({ dayLimits }: Memory, day: number): number | null => {
  const begins = day * Instant.day
  const inForce = dayLimits.filter(
    ({ since }, i) =>
      since < begins + Instant.day && !dayLimits.slice(i + 1).some((later) => later.isCertain && later.since <= begins)
  )
  return inForce.some(({ limit }) => limit === null) ? null : Math.max(...inForce.map(({ limit }) => limit!))
}

/** A call that was closed before the carrier had it is no call. */
const dailyLimit = (calls: ReadonlyArray<Call>, memory: Memory) => {
  const perDay = new Map<number, number>()
  for (const { providerCallId, startedAt, status } of calls) {
    if (status === "canceled" && providerCallId === null) continue
    const day = Math.floor(startedAt / Instant.day)
    perDay.set(day, (perDay.get(day) ?? 0) + 1)
  }
  for (const [day, started] of perDay) {
    const limit = limitOfDay(memory, day)
    if (limit !== null) expect(started, "no day has more calls than its limit").toBeLessThanOrEqual(limit)
  }
}

/** What must hold after every step. */
const alwaysHolds = (world: World, memory: Memory) =>
  Effect.gen(function* () {
    const orders = world.network.log.filter(({ kind }) => kind === "place")
    const perCall = new Map<string, number>()
    for (const { callId } of orders) perCall.set(callId, (perCall.get(callId) ?? 0) + 1)
    expect(Math.max(0, ...perCall.values()), "the carrier is asked at most once for a call").toBeLessThanOrEqual(1)

    const calls = yield* world.calls(memory.tenantId)
    for (const { key, known } of memory.listed) {
      const after = calls.filter(({ id, toKey }) => PhoneNumber.samePerson(toKey, key) && !known.has(id))
      expect(after.length, "no call to a listed number is committed after the addition answered").toBe(0)
    }

    const winners = new Map<string, number>()
    for (const { burstId, isWinner } of calls)
      if (burstId !== null && isWinner) winners.set(burstId, (winners.get(burstId) ?? 0) + 1)
    expect(Math.max(0, ...winners.values()), "a burst has at most one winner").toBeLessThanOrEqual(1)

    const strangers = yield* world.calls(memory.strangerId)
    for (const { endReason, id, providerCallId } of [...calls, ...strangers]) {
      const record = providerCallId === null ? undefined : world.network.named(providerCallId)
      expect(record?.order.callId ?? id, "a call has the carrier's record of no other call").toBe(id)
      if (memory.isCertain) expect(endReason, "no outcome is unknown where the carrier knows").not.toBe("unknown")
    }

    const openByContact = new Map<string, number>()
    for (const call of world.network.openCalls()) {
      const row = calls.find(({ id }) => id === call.order.callId)
      if (row === undefined) continue
      // An outcome that could not be proven is closed; the carrier's call may outlive it.
      if (row.endReason === "unknown") continue
      openByContact.set(row.contactId!, (openByContact.get(row.contactId!) ?? 0) + 1)
    }
    expect(Math.max(0, ...openByContact.values()), "a person is called by one call at a time").toBeLessThanOrEqual(1)

    const { balance, ledger, reserved } = yield* creditOf(world, memory)
    expect(reserved >= 0n && balance >= reserved, "free credit is never below zero").toBe(true)
    expect(ledger, "the ledger explains the balance").toBe(balance)
    yield* remember(memory, calls)
    dailyLimit(calls, memory)
    // A change of the plan may be written later than its step: its process stood still, or died of it.
    memory.plan = (yield* world.account(memory.tenantId)).plan as Memory["plan"]

    const { campaign, contacts } = yield* world.together(memory.campaignId)
    expect(campaign.completedContacts).toBe(contacts.filter(({ status }) => status === "done").length)
    expect(campaign.failedContacts).toBe(contacts.filter(({ status }) => status === "failed").length)
    for (const { attempts, id } of contacts) {
      expect(attempts, "attempts stay within their bound").toBeLessThanOrEqual(memory.maxAttempts)
      const rang = calls.filter(
        (call) => call.contactId === id && world.network.calls.get(call.id)?.rang === true
      ).length
      expect(rang, "a phone rings at most as often as attempts allow").toBeLessThanOrEqual(memory.maxAttempts)
    }
  })

/**
 * Lines and pace, over what the carrier was asked for: judged when no settings were changed during the day, because calls
 * under way keep the settings that they started with.
 */
const linesAndPace = (world: World, rows: ReadonlyArray<Call>, { lines, mode }: Day) => {
  // The line of a call whose outcome could not be proven is used again; the carrier's call may outlive it.
  const known = new Set(rows.filter(({ endReason }) => endReason !== "unknown").map(({ id }) => id))
  const calls = [...world.network.calls.values()]
    .filter(({ order }) => known.has(order.callId))
    .sort((a, b) => a.placedAt - b.placedAt)
  calls.forEach((call, i) => {
    const others = calls.slice(0, i).filter(({ endedAt }) => endedAt === null || endedAt > call.placedAt)
    expect(others.length + 1, "never more calls at once than lines").toBeLessThanOrEqual(
      mode === "parallel" ? lines : 1
    )
    const before = calls[i - 1]
    if (mode === "power" && before !== undefined) {
      expect(call.placedAt - before.placedAt, "never faster than the pace").toBeGreaterThanOrEqual(paceSeconds * 1000)
    }
  })
}

/** What the days were made of: a model that never does anything proves nothing. */
export interface Seen {
  calls: number
  answered: number
  winners: number
  abandoned: number
  listed: number
  deaths: number
  unproven: number
  completed: number
  stalls: number
  lost: number
  unknown: number
  strangers: number
  /** Calls that needed no credit. */
  free: number
}

const count = (world: World, memory: Memory, seen: Seen) =>
  Effect.gen(function* () {
    const calls = yield* world.calls(memory.tenantId)
    seen.calls += calls.length
    seen.answered += calls.filter(({ answeredAt }) => answeredAt !== null).length
    seen.winners += calls.filter(({ isWinner }) => isWinner).length
    seen.abandoned += calls.filter(({ abandoned }) => abandoned).length
    seen.listed += calls.filter(({ endReason }) => endReason === "do_not_call").length
    seen.unproven += calls.filter(({ lookUps, firstLookUpAt }) => lookUps > 0 || firstLookUpAt !== null).length
    seen.free += calls.filter(({ credits, id }) => credits > 0n && memory.begunOn.get(id) === "enterprise").length
    seen.deaths += world.deaths
    seen.stalls += world.stalls
    seen.lost += world.lost
    seen.unknown += calls.filter(({ endReason }) => endReason === "unknown").length
    seen.strangers += (yield* world.calls(memory.strangerId)).length
    seen.completed += (yield* world.campaign(memory.campaignId)).status === "completed" ? 1 : 0
  })

/** How long a call may stay open whose carrier answers, whatever was lost of it. Source: docs/telephony.md#reconcile. */
const settledWithinSeconds = 180

/** Every outage is over, every call ends, and every report of it is lost. No process is started anew for it. */
const everythingIsLost = (world: World, memory: Memory) =>
  Effect.gen(function* () {
    world.process.fate = null
    world.network.outage = null
    world.storageDownUntil = Instant.make(0)
    while (world.isStalled) yield* world.goOn
    yield* world.replace
    yield* Effect.ignore(world.run(Campaigns.use((c) => c.move(memory.tenantId, memory.campaignId, "paused"))))
    // Orders that wait for a start slot are placed.
    yield* world.work(10)
    const at = yield* Instant.now
    for (const call of world.network.openCalls()) world.network.end(call, "no_answer", null, at)
    world.network.pending.length = 0
    yield* world.work(settledWithinSeconds)
  })

const live = (storage: StorageLayer, given: Day, seen: Seen) =>
  Effect.gen(function* () {
    const { lines, maxAttempts, mode, orders } = given
    const commands = given.commands.filter(({ _tag }) => !(given.isReliable && _tag === "CarrierOutage"))
    yield* TestClock.setTime(start)
    const world = yield* makeWorld(storage, {
      findsBy: given.findsBy,
      proof: given.proof,
      onPlace: (_, nth) => orders[(nth - 1) % orders.length]!
    })
    const { account, campaign } = yield* prepare(world, {
      phones,
      fields: {
        name: "Model",
        dialMode: mode,
        parallelLines: mode === "parallel" ? lines : 1,
        paceSeconds,
        maxAttempts,
        maxCallsPerDay: given.perDay
      }
    })
    const stranger = yield* world.stranger
    const isCertain = given.findsBy === "call id" && given.isReliable
    const memory: Memory = {
      ...{ tenantId: account.id, campaignId: campaign.id, strangerId: stranger.id, isCertain },
      ...{ listed: [], mode, lines, maxAttempts, plan: given.plan, begunOn: new Map(), unpaid: new Set() },
      dayLimits: [{ since: Instant.make(0), limit: given.perDay, isCertain: true }]
    }
    const spending = given.credits * Money.nanoPerCredit
    yield* world.leave(account.id, spending)
    yield* world.run(Accounts.use((a) => a.change(account.id, { plan: given.plan }, "operator")))
    for (const one of commands) {
      yield* step(world, memory, one)
      yield* world.replace
      yield* alwaysHolds(world, memory)
    }
    yield* everythingIsLost(world, memory)
    yield* alwaysHolds(world, memory)

    const calls = yield* world.calls(memory.tenantId)
    const strangers = yield* world.calls(memory.strangerId)
    expect(
      [...calls, ...strangers].filter(({ endedAt }) => endedAt === null),
      "every open attempt is settled in the end"
    ).toEqual([])
    const { balance, reserved } = yield* creditOf(world, memory)
    expect(reserved, "nothing is held for calls that have ended").toBe(0n)
    moneyAddsUp(calls, memory, spending - balance, !commands.some(({ _tag }) => _tag === "Plan"))
    if (!commands.some(({ _tag }) => _tag === "Settings")) linesAndPace(world, calls, given)
    yield* count(world, memory, seen)
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))

/** Verifies: CAMP-3, CAMP-4, CAMP-6, SUPP-2, TELE-2, TELE-3, TELE-4, TELE-5, TELE-6, TELE-7, TELE-8, BILL-1. */
export const suite = (name: string, storage: () => StorageLayer, runs: number): void => {
  // Verifies: D-33, D-119, D-250, D-255, G-208.
  it(`random days of the dialer on ${name} keep every promise`, { timeout: 300_000 }, async () => {
    const seen: Seen = {
      calls: 0,
      answered: 0,
      winners: 0,
      abandoned: 0,
      listed: 0,
      deaths: 0,
      unproven: 0,
      completed: 0,
      stalls: 0,
      lost: 0,
      unknown: 0,
      strangers: 0,
      free: 0
    }
    await fc.assert(
      fc.asyncProperty(day, (given) => Effect.runPromise(live(storage(), given, seen))),
      {
        numRuns: runs, // A short run is one on a real server, where finding the smallest day takes minutes.
        endOnFailure: runs < 100
      }
    )
    // Few days may have none of the rarer things; in many days, what is common must have happened.
    const { abandoned: _, completed: __, listed: ___, ...certain } = seen
    for (const [what, times] of runs < 100 ? [] : Object.entries(certain))
      expect(times, `the days had ${what}`).toBeGreaterThan(0)
    console.log(`${runs} days on ${name}:`, JSON.stringify(seen))
  })
}
