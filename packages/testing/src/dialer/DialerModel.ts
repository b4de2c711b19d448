/**
 * The dialer against random days: crashes and standstills at any step, lost answers, lost, late, repeated and disordered
 * reports, outages of the carrier and of the storage, calls of another account to the same numbers, additions to the
 * do-not-call list, pauses, changed settings, changed plans, clock jumps. What must hold is checked over the carrier's own log,
 * and over the ledger.
 */

import { Accounts, Campaigns, Instant, Money } from "@trunkline/core/effect"
import { operator } from "@trunkline/core/provider"
import type { StorageLayer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { obey } from "./DialerCommands.ts"
import { type Day, day, paceSeconds, phones } from "./DialerDay.ts"
import { check, checkEnd } from "./DialerInvariants.ts"
import { beginMemory, type Memory, type Seen } from "./DialerMemory.ts"
import { makeWorld, prepare } from "./DialerWorld.ts"

const start = Date.UTC(2026, 10, 21, 6, 0, 0)

/** How long a call may stay open whose carrier answers, whatever was lost of it. Source: docs/reference/telephony.md#reconcile. */
const settledWithinSeconds = 180

/** Lives a day on a storage, and checks every step. */
const live = (storage: StorageLayer, given: Day, seen: Seen) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const memory = yield* begin(storage, given)
    const spending = given.credits * Money.nanoPerCredit
    yield* memory.world.spendDownTo(memory.tenantId, spending)
    yield* memory.world.run(Accounts.use((a) => a.change(memory.tenantId, { plan: given.plan }, operator)))
    for (const one of given.commands) {
      if (given.isReliable && one._tag === "CarrierOutage") continue
      yield* obey(memory, one)
      yield* memory.world.replace
      yield* check(memory)
    }
    yield* loseEverything(memory)
    yield* check(memory)
    yield* checkEnd(memory, given, spending)
    yield* count(memory, seen)
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))

const begin = (storage: StorageLayer, given: Day) =>
  Effect.gen(function* () {
    const { lines, maxAttempts, mode, orders } = given
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
    return beginMemory(given, { world, tenantId: account.id, campaignId: campaign.id, strangerId: stranger.id })
  })

/** Every outage is over, every call ends, and every report of it is lost. No process is started anew for it. */
const loseEverything = ({ campaignId, tenantId, world }: Memory) =>
  Effect.gen(function* () {
    world.network.outage = null
    world.storageDownUntil = Instant.make(0)
    yield* world.process.clearFaults
    // What it was doing when it stood still comes before the pause: it may be a move to running.
    yield* world.settle
    while (world.isStalled) yield* world.goOn
    yield* world.replace
    yield* Effect.ignore(
      world.run(Campaigns.use((c) => c.move(tenantId, campaignId, "paused", { id: "user:anna", name: "Anna" })))
    )
    // Orders that wait for a start slot are placed.
    yield* world.work(10)
    const at = yield* Instant.now
    for (const call of world.network.openCalls()) world.network.end(call, "no_answer", null, at)
    world.network.pending.length = 0
    yield* world.work(settledWithinSeconds)
  })

const count = ({ begunOn, campaignId, strangerId, tenantId, world }: Memory, seen: Seen) =>
  Effect.gen(function* () {
    const calls = yield* world.calls(tenantId)
    seen.calls += calls.length
    seen.answered += calls.filter(({ answeredAt }) => answeredAt !== null).length
    seen.winners += calls.filter(({ isWinner }) => isWinner).length
    seen.abandoned += calls.filter(({ abandoned }) => abandoned).length
    seen.listed += calls.filter(({ endReason }) => endReason === "do_not_call").length
    seen.unproven += calls.filter(({ lookUps, firstLookUpAt }) => lookUps > 0 || firstLookUpAt !== null).length
    seen.free += calls.filter(({ credits, id }) => credits > 0n && begunOn.get(id) === "enterprise").length
    seen.deaths += world.deaths
    seen.stalls += world.seen.stalls
    seen.lost += world.lost
    seen.unknown += calls.filter(({ endReason }) => endReason === "unknown").length
    seen.strangers += (yield* world.calls(strangerId)).length
    seen.completed += (yield* world.campaign(campaignId)).status === "completed" ? 1 : 0
  })

/** Verifies: CAMP-3, CAMP-4, CAMP-6, SUPP-2, TELE-2, TELE-3, TELE-4, TELE-5, TELE-6, TELE-7, TELE-8, BILL-1. */
export const suite = (name: string, storage: () => StorageLayer, runs: number): void => {
  // Verifies: D-33, D-119, D-250, D-255, G-208.
  it(`random days of the dialer on ${name} keep every promise`, async () => {
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
