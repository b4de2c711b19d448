/**
 * Deliveries on random days: endpoints that fail, hang, vanish or lead inside; processes that die or stand still at any step, past
 * their claims too; a storage that is gone for all or for one of them, that takes no ends, or that commits without an answer;
 * pauses, changed addresses, replays. What must hold is checked over the log of what reached the endpoints.
 */

import { verifyWebhook } from "@trunkline/core/domain"
import { Deliveries, type Ids, Instant } from "@trunkline/core/effect"
import { operator } from "@trunkline/core/provider"
import type { DeliveryEntry, StorageLayer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type DeliveryWorld, makeDeliveryWorld } from "./DeliveryWorld.ts"
import type { Mood, Posted } from "./Endpoints.ts"

const hosts = ["one.example", "two.example", "three.example", "four.example"]
const events = ["payment.succeeded", "invoice.created", "voice_alert.triggered"]

/** What is waited at least before attempt 2, 3, 4 and 5. */
const waits = [2, 4, 8, 16].map((seconds) => seconds * Instant.second)

type Command =
  | { readonly _tag: "Publish"; readonly pick: number }
  | { readonly _tag: "Tick"; readonly pick: number }
  | { readonly _tag: "Pass"; readonly ms: number; readonly ticks: boolean }
  | { readonly _tag: "Mood"; readonly pick: number; readonly mood: Mood }
  | { readonly _tag: "Active"; readonly pick: number; readonly isActive: boolean }
  | { readonly _tag: "Replay"; readonly pick: number; readonly of: number }
  | { readonly _tag: "Full"; readonly isFull: boolean }
  | { readonly _tag: "Die"; readonly pick: number; readonly steps: number; readonly when: "before" | "after" }
  | { readonly _tag: "Stall"; readonly pick: number; readonly steps: number; readonly when: "before" | "after" }
  | { readonly _tag: "GoOn"; readonly pick: number }
  /** A process stands still over a delivery, for longer than its claim, while the others work. */
  | { readonly _tag: "Overtake"; readonly pick: number; readonly steps: number; readonly when: "before" | "after" }
  /** A process stands still over a claim, for too long to begin an attempt, and goes on before the claim expires. */
  | {
      readonly _tag: "Hesitate"
      readonly pick: number
      readonly steps: number
      readonly when: "before" | "after"
      readonly ms: number
    }
  | { readonly _tag: "Down"; readonly isDown: boolean }
  | { readonly _tag: "Cut"; readonly pick: number; readonly isCut: boolean }
  /** The answers of the next commits are lost, although the commits are made. */
  | { readonly _tag: "Lose"; readonly pick: number; readonly commits: number }

const nat = fc.nat({ max: 1000 })
const tagged = <T extends string>(tag: T) => fc.constant(tag)

const mood: fc.Arbitrary<Mood> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ _tag: tagged("Answers"), status: fc.constantFrom(200, 204, 299, 300, 302, 404, 500, 503) })
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Mood>({ _tag: "Hangs" }, { _tag: "Refuses" }, { _tag: "Unknown" }, { _tag: "Inside" })
  }
)

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ _tag: tagged("Publish"), pick: nat }) },
  { weight: 6, arbitrary: fc.record({ _tag: tagged("Tick"), pick: nat }) },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: tagged("Pass"),
      ms: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 5000, max: 40_000 })),
      ticks: fc.boolean()
    })
  },
  { weight: 5, arbitrary: fc.record({ _tag: tagged("Mood"), pick: nat, mood }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Active"), pick: nat, isActive: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Replay"), pick: nat, of: nat }) },
  { weight: 1, arbitrary: fc.record({ _tag: tagged("Full"), isFull: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: tagged("Die"),
      pick: nat,
      steps: fc.integer({ min: 1, max: 6 }),
      when: fc.constantFrom("before" as const, "after" as const)
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: tagged("Stall"),
      pick: nat,
      steps: fc.integer({ min: 1, max: 6 }),
      when: fc.constantFrom("before" as const, "after" as const)
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: tagged("GoOn"), pick: nat }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: tagged("Overtake"),
      pick: nat,
      steps: fc.integer({ min: 1, max: 5 }),
      when: fc.constantFrom("before" as const, "after" as const)
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: tagged("Hesitate"),
      pick: nat,
      steps: fc.integer({ min: 1, max: 3 }),
      when: fc.constantFrom("before" as const, "after" as const),
      ms: fc.integer({ min: 11_000, max: 29_000 })
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Down"), isDown: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Cut"), pick: nat, isCut: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ _tag: tagged("Lose"), pick: nat, commits: fc.integer({ min: 1, max: 3 }) })
  }
)

const day = fc.record({
  commands: fc.array(command, { minLength: 5, maxLength: 60 }),
  processes: fc.integer({ min: 1, max: 2 })
})
type Day = typeof day extends fc.Arbitrary<infer A> ? A : never

interface Memory {
  readonly world: DeliveryWorld
  readonly subscriptions: ReadonlyArray<{ readonly id: Ids.WebhookId; readonly host: string }>
  readonly active: Map<Ids.WebhookId, boolean>
  /** How many events each subscription was to hear of; a publication that nobody heard the answer of may count. */
  readonly due: Map<Ids.WebhookId, { sure: number; unsure: number }>
  /** POSTs of the log that were looked at. */
  checked: number
  outages: number
}

/** A change of which nobody heard may have been made, also by a process that goes on later. */
const count = ({ due }: Memory, id: Ids.WebhookId, heard: Exit.Exit<unknown, unknown>): void => {
  const counted = due.get(id)!
  if (Exit.isSuccess(heard) && heard.value !== null) counted.sure += 1
  else counted.unsure += 1
}

const processAt = ({ world }: Memory, pick: number) => world.processes[pick % world.processes.length]!

const subscriptionAt = ({ subscriptions }: Memory, pick: number) => subscriptions[pick % subscriptions.length]!

const publish = (memory: Memory, pick: number): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { active, subscriptions, world } = memory
    const name = events[pick % events.length]!
    const heard = yield* Effect.exit(world.publish(name, { n: pick }, pick))
    for (const { id } of subscriptions) if (active.get(id) === true) count(memory, id, heard)
  })

const setActive = (memory: Memory, { isActive, pick }: Of<"Active">): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { active, world } = memory
    const { id } = subscriptionAt(memory, pick)
    // A fault inside would leave us not knowing what holds now, and what was claimed before is still sent.
    yield* world.clearFaults
    yield* world.pass(Instant.second, false)
    checkActive(memory)
    if ((yield* world.change(id, { isActive })) !== null) active.set(id, isActive)
  })

const replay = (memory: Memory, { of, pick }: Of<"Replay">): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { active, world } = memory
    const { id } = subscriptionAt(memory, pick)
    const log = yield* world.log(id)
    const chosen = log[of % Math.max(1, log.length)]
    if (chosen === undefined || active.get(id) !== true) return
    const key = { tenantId: world.tenant, webhookId: id, deliveryId: chosen.id }
    const replayed = Deliveries.use((deliveries) => deliveries.replay(key, operator))
    count(memory, id, yield* Effect.exit(world.run(replayed, of)))
  })

const overtake = (memory: Memory, { pick, steps, when }: Of<"Overtake">): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { world } = memory
    yield* publish(memory, pick)
    processAt(memory, pick).stall({ steps, when, at: null })
    yield* world.tick(pick)
    yield* world.pass(31 * Instant.second)
    yield* processAt(memory, pick).resume
    yield* world.settle
    yield* world.pass(2 * Instant.second)
  })

/** Attempts that the rows of every subscription count. */
const countedAttempts = ({ subscriptions, world }: Memory) =>
  Effect.map(
    Effect.forEach(subscriptions, ({ id }) => world.log(id)),
    (logs) => logs.flat().reduce((sum, { attempts }) => sum + attempts, 0)
  )

const hesitate = (memory: Memory, { ms, pick, steps, when }: Of<"Hesitate">): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { world } = memory
    // What other faults have left to be written changes counts, too.
    yield* world.clearFaults
    yield* world.pass(Instant.second, false)
    yield* publish(memory, pick)
    const before = (yield* countedAttempts(memory)) - world.begun
    processAt(memory, pick).stall({ steps, when, at: "storage" })
    yield* world.tick(pick)
    yield* world.pass(ms, false)
    yield* processAt(memory, pick).resume
    yield* world.settle
    expect((yield* countedAttempts(memory)) - world.begun, "an attempt is counted when it is begun, and else not").toBe(
      before
    )
  })

type Of<T extends Command["_tag"]> = Extract<Command, { readonly _tag: T }>

/** Performs one command. */
const perform = (memory: Memory, given: Command): Effect.Effect<void, unknown> => {
  const { world } = memory
  switch (given._tag) {
    case "Publish":
      return publish(memory, given.pick)
    case "Tick":
      return Effect.asVoid(world.tick(given.pick))
    case "Pass":
      return world.pass(given.ms, given.ticks)
    case "Active":
      return setActive(memory, given)
    case "Replay":
      return replay(memory, given)
    case "GoOn":
      return Effect.andThen(processAt(memory, given.pick).resume, world.settle)
    case "Overtake":
      return overtake(memory, given)
    case "Hesitate":
      return hesitate(memory, given)
    default:
      return Effect.sync(() => setFault(memory, given))
  }
}

/** What endpoints, processes and the storage do from now on. */
const setFault = (memory: Memory, given: Of<"Mood" | "Full" | "Die" | "Stall" | "Down" | "Cut" | "Lose">): void => {
  const { world } = memory
  switch (given._tag) {
    case "Mood":
      world.endpoints.moods.set(subscriptionAt(memory, given.pick).host, given.mood)
      return
    case "Full":
      // Where one process cannot write for longer than its claim and another can, a second POST is not to be avoided.
      world.isFull = given.isFull && world.processes.length === 1
      return
    case "Die":
      processAt(memory, given.pick).death = { steps: given.steps, when: given.when, at: null }
      return
    case "Stall":
      processAt(memory, given.pick).stall({ steps: given.steps, when: given.when, at: null })
      return
    case "Down":
      world.isDown = given.isDown
      memory.outages += 1
      return
    case "Cut":
      processAt(memory, given.pick).isCut = given.isCut
      memory.outages += 1
      return
    case "Lose":
      processAt(memory, given.pick).commitsToLose = given.commits
      return
  }
}

/** What was sent since the last look went to subscriptions that are on. */
const checkActive = (memory: Memory) => {
  const { active, subscriptions, world } = memory
  for (const post of world.endpoints.log.slice(memory.checked)) {
    const { id } = subscriptions.find(({ host }) => host === post.host)!
    expect(active.get(id), "nothing is sent to a paused subscription").toBe(true)
  }
  memory.checked = world.endpoints.log.length
}

const byDelivery = (log: ReadonlyArray<Posted>): ReadonlyMap<string, ReadonlyArray<Posted>> =>
  Map.groupBy(log, ({ delivery }) => delivery)

const isArrival = (mood: Mood | undefined): boolean =>
  mood?._tag === "Answers" && mood.status >= 200 && mood.status < 300

/** Who heard that it had arrived died or stood still before it could say so, or had no storage while another process had. */
const mayForgetArrivals = ({ outages, world }: Memory): boolean =>
  world.deaths + world.seen.stalls + (world.processes.length > 1 ? outages : 0) > 0

/** What must hold of the log at any time. */
const check = (memory: Memory, rows: ReadonlyMap<string, DeliveryEntry>) => {
  const { world } = memory
  for (const [id, posts] of byDelivery(world.endpoints.log)) {
    expect(posts.length, `POSTs of ${id}`).toBeLessThanOrEqual(5)
    const row = rows.get(id)
    expect(row, `a row for what was sent: ${id}`).toBeDefined()
    expect(row!.attempts, `attempts in the row of ${id}`).toBeGreaterThanOrEqual(posts.length)
    for (const [n, post] of posts.slice(1).entries()) {
      expect(post.at - posts[n]!.at, `wait before POST ${n + 2} of ${id}`).toBeGreaterThanOrEqual(waits[n]!)
      if (isArrival(posts[n]!.mood)) expect(mayForgetArrivals(memory), `a POST after success of ${id}`).toBe(true)
    }
    for (const post of posts) {
      expect(post.address).toBe("93.184.216.34")
      const secrets = [...world.secrets.values()].flat()
      const verified = verifyWebhook(secrets, post.headers, post.body, { now: post.at, requireStandard: true })
      expect(verified, JSON.stringify(verified)).toMatchObject({ ok: true })
    }
  }
}

interface Seen {
  posts: number
  delivered: number
  failed: number
  deaths: number
  stalls: number
  lostCommits: number
  repeated: number
}

/** A world with its subscriptions and processes. */
const begin = (storage: StorageLayer, { processes }: Day) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 21))
    const world = yield* makeDeliveryWorld(storage)
    const subscriptions: Array<Memory["subscriptions"][number]> = []
    for (const host of hosts) subscriptions.push({ host, id: (yield* world.subscribe(host)).id })
    while (world.processes.length < processes) yield* world.boot
    return {
      world,
      subscriptions,
      active: new Map(subscriptions.map(({ id }) => [id, true])),
      due: new Map(subscriptions.map(({ id }) => [id, { sure: 0, unsure: 0 }])),
      checked: 0,
      outages: 0
    } satisfies Memory
  })

/** Repairs everything, and lets time pass until every delivery has ended. */
const finish = ({ subscriptions, world }: Memory) =>
  Effect.gen(function* () {
    yield* world.clearFaults
    for (const { host, id } of subscriptions) {
      world.endpoints.moods.set(host, { _tag: "Answers", status: 200 })
      // A step that was under way may still kill the process, and then nobody heard the answer.
      while ((yield* world.change(id, { isActive: true })) === null) yield* world.revive
    }
    yield* world.pass(90_000)
  })

/** What must hold of a delivery that has ended. */
const checkEnd = (memory: Memory, row: DeliveryEntry): void => {
  const { world } = memory
  expect(row.status, `the end of ${row.id}: ${row.error}`).toMatch(/^(delivered|failed)$/)
  const posts = world.endpoints.log.filter(({ delivery }) => delivery === row.id)
  const last = posts.at(-1)?.mood
  const answer = `${row.status}, and the last answer was ${JSON.stringify(last)}`
  if (row.status === "delivered" && !world.unheard.has(row.id)) expect(isArrival(last), answer).toBe(true)
  if (row.status === "failed" && isArrival(last)) {
    expect(mayForgetArrivals(memory), answer).toBe(true)
    // What had arrived was forgotten: attempts without a POST followed, or it was the last attempt that nobody ended.
    const wasForgotten = row.attempts > posts.length || /^The server ended during/.test(row.error ?? "")
    expect(wasForgotten || world.unheard.has(row.id), answer).toBe(true)
  }
  if (row.status === "failed") expect(row.error).not.toBeNull()
  expect(row.error ?? "", "what was resolved is nobody's business").not.toMatch(/10\.0\.0\.7|93\.184/)
}

/** What must hold of the log of one subscription in the end. */
const checkLog = (memory: Memory, log: ReadonlyArray<DeliveryEntry>, due: { sure: number; unsure: number }) => {
  expect(log.length, "a row for every event").toBeGreaterThanOrEqual(due.sure)
  expect(log.length, "no row without an event").toBeLessThanOrEqual(due.sure + due.unsure)
  for (const row of log) checkEnd(memory, row)
}

const countSeen = (seen: Seen, world: DeliveryWorld, rows: ReadonlyArray<DeliveryEntry>): void => {
  seen.delivered += rows.filter(({ status }) => status === "delivered").length
  seen.failed += rows.filter(({ status }) => status === "failed").length
  seen.posts += world.endpoints.log.length
  seen.deaths += world.deaths
  seen.stalls += world.seen.stalls
  seen.lostCommits += world.seen.lostCommits
  seen.repeated += [...byDelivery(world.endpoints.log).values()].filter(({ length }) => length > 1).length
}

const runDay = (storage: StorageLayer, given: Day, seen: Seen) =>
  Effect.gen(function* () {
    const memory = yield* begin(storage, given)
    const { due, subscriptions, world } = memory
    for (const one of given.commands) {
      yield* perform(memory, one)
      checkActive(memory)
    }
    yield* finish(memory)
    const logs = yield* Effect.forEach(subscriptions, ({ id }) => world.log(id))
    check(memory, new Map(logs.flat().map((row) => [row.id as string, row])))
    for (const [at, { id }] of subscriptions.entries()) checkLog(memory, logs[at]!, due.get(id)!)
    countSeen(seen, world, logs.flat())
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))

/** Declares the model on a storage. */
export const deliverySuite = (name: string, storage: () => StorageLayer, runs: number): void => {
  // Verifies: E-12, E-19, E-23, W-3, W-102, W-105, W-112.
  it(`deliveries on random days on ${name} keep every promise`, async () => {
    const seen: Seen = { posts: 0, delivered: 0, failed: 0, deaths: 0, stalls: 0, lostCommits: 0, repeated: 0 }
    await fc.assert(
      fc.asyncProperty(day, (given) => Effect.runPromise(runDay(storage(), given, seen))),
      { numRuns: runs, endOnFailure: runs < 60 }
    )
    // Five failed attempts in a row are rare even in many days.
    const { failed: _, ...certain } = seen
    if (runs >= 60) for (const [what, times] of Object.entries(certain)) expect(times, what).toBeGreaterThan(0)
    console.log(`${runs} days of deliveries on ${name}:`, JSON.stringify(seen))
  })
}
