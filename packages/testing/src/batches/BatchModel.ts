/**
 * Batches on random days: lines that are slow, fail, are refused or have no credit; batches that are cancelled, expire or have a
 * faulty input; processes that die, stop or stand still at any step, past their claims too, that lose their storage for a while or
 * never hear of a commit. What must hold is checked after every step, at every request to the upstream, and in the end over the
 * files of results, the usage log and the ledger.
 */
import { Instant } from "@trunkline/core/effect"
import type { StorageLayer } from "@trunkline/core/testing"
import { Metering } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { make, runCommand } from "./BatchCommands.ts"
import { type Day, day, knownDays } from "./BatchDay.ts"
import { check, checkAsk, checkEnd } from "./BatchInvariants.ts"
import type { Memory, Seen } from "./BatchMemory.ts"
import { makeBatchWorld } from "./BatchWorld.ts"

/** After a fault another process goes on within this time. */
const goesOnMs = Instant.minute

const keyLeaseMs = 2 * Instant.minute

/** All lines of a day at their slowest, one after the other. */
const maxWorkMs = 60 * Instant.minute

const endedStatus = /^(completed|failed|expired|cancelled)$/

/** Every process goes on, and what nobody heard of is asked for again. */
const recover = (memory: Memory): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { made, seen, world } = memory
    yield* world.clearFaults
    const before = seen.asks
    yield* world.pass(goesOnMs)
    yield* check(memory)
    const open = made.filter(({ last }) => last !== null && !endedStatus.test(last.status))
    const goesOn = open.length === 0 || seen.asks > before || world.upstream.running > 0
    expect(goesOn, "batches go on within a minute").toBe(true)
    // A key whose run has died is free again when its lease has ended.
    yield* world.pass(keyLeaseMs)
    for (const one of made) yield* make(memory, one, null)
    for (let passed = 0; passed < maxWorkMs; passed += 5000) {
      yield* world.pass(5000)
      yield* check(memory)
      if (made.every(({ last }) => last !== null && endedStatus.test(last.status))) break
    }
    // Until reservations of processes that died have lapsed.
    yield* world.pass(2000)
    yield* TestClock.adjust(10 * Instant.minute)
    // A process that has not reached the storage for a while gives others the time of a lease, and then releases what has lapsed.
    for (let passed = 0; passed <= 20 * Instant.second; passed += 10 * Instant.second) {
      yield* world.observe(Metering.use((metering) => metering.sweep))
      yield* TestClock.adjust(10 * Instant.second)
    }
    yield* world.pass(2000)
  })

/** Lives a day on a storage, and checks every step. */
const live = (storage: StorageLayer, given: Day, seen: Seen) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 21))
    const { commands, concurrency, free, processes, windowSeconds } = given
    const world = yield* makeBatchWorld(storage, { processes, concurrency, windowSeconds }, free)
    const memory: Memory = { world, made: [], direct: [], violations: [], free, seen }
    world.upstream.noted = (ask) => checkAsk(memory, ask)
    for (const one of commands) {
      yield* runCommand(memory, one)
      yield* world.settle
      yield* check(memory)
      yield* world.revive
    }
    yield* recover(memory)
    yield* checkEnd(memory)
    seen.deaths += world.deaths
    seen.stops += world.stops
    seen.stalls += world.seen.stalls
    seen.lostCommits += world.seen.lostCommits
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))

const nothing: Seen = {
  ...{ asks: 0, answered: 0, refused: 0, unrun: 0, completed: 0, cancelled: 0, expired: 0, failed: 0 },
  ...{ asksAgain: 0, poor: 0, direct: 0, deaths: 0, stalls: 0, stops: 0, lostCommits: 0 }
}

/** Declares the model on a storage. */
export const batchModelSuite = (name: string, storage: () => StorageLayer, runs: number): void => {
  // Verifies: H-761.
  it(`batches on random days on ${name} keep every promise`, async () => {
    const seen: Seen = { ...nothing }
    await fc.assert(
      fc.asyncProperty(day, (given) => Effect.runPromise(live(storage(), given, seen))),
      { numRuns: runs + knownDays.length, endOnFailure: runs < 60, examples: knownDays.map((one) => [one] as [Day]) }
    )
    console.log(`${runs} days of batches on ${name}:`, JSON.stringify(seen))
    if (runs >= 60) for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0)
  })
}
