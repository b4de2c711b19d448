/** What a process knows of its running requests, and what it makes of rows that differ. Verifies: BILL-3, BILL-6. */
import { Ids } from "@trunkline/core/effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { LedgerRows, Payer, Used } from "../../../src/platform/billing/index.ts"
import { LedgerDecision } from "../../../src/platform/billing/LedgerDecision.ts"
import {
  addHeld,
  holdName,
  noHold,
  type ProcessHold,
  processLeaseMs,
  type Reservation,
  RunningRequests
} from "../../../src/platform/billing/RunningRequests.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const at = Instant.make(Date.UTC(2026, 10, 29, 12))
const [tenantId, keyId] = [Ids.as<"Account">("account"), Ids.as<"Key">("key")]
const name = { tenantId, ownerId: keyId, service: "llm", month: "2026-11", period: "total" } as const
const slotKey = { keyId, tenantId }

const reservation = (id: string, amount = 3n): Reservation => ({
  ...{ id: Ids.as<"Usage">(id), keyId, ...name },
  ...{ calls: 1, amount, reserved: amount }
})

const nothing = {
  ...{ began: [], ended: [], acquired: [], released: [], lapsed: new Set<string>(), lapsedKeys: new Set<Ids.KeyId>() }
}
const noRows = { holds: [], slots: [] }

/** A process that runs these requests, each with a slot. */
const runningOf = (...reservations: ReadonlyArray<Reservation>): RunningRequests => {
  const running = new RunningRequests()
  running.apply(
    { ...nothing, began: reservations, acquired: reservations.map(({ id }) => ({ id, keyId, tenantId })) },
    noRows
  )
  return running
}

const sumOf = (...reservations: ReadonlyArray<Reservation>): ProcessHold =>
  reservations.reduce((sum, one) => addHeld(sum, one, 1), noHold(name))

/** Counters in which just this is pending. */
const rowsWith = (pending: ProcessHold, stored: ProcessHold | null, own: number | null): LedgerRows => ({
  balances: [{ tenantId, balance: 100n, reserved: pending.reserved }],
  counts: [{ tenantId, service: "llm", month: "2026-11", used: 0, pending: pending.calls }],
  spending: [
    { ownerId: tenantId, period: "2026-11", spent: 0n, pending: pending.amount, alerted: false, exceeded: false },
    { ownerId: keyId, period: "total", spent: 0n, pending: pending.amount, alerted: false, exceeded: false }
  ],
  holds: stored === null ? [] : [stored],
  slots: [{ keyId, tenantId, own, others: 0 }],
  ...{
    windows: [],
    oldest: [],
    versions: [],
    lapsed: [],
    lapsedSlots: [],
    billed: [],
    claimed: [],
    replaced: [],
    standing: [],
    keptBytes: []
  }
})

const decisionOf = (running: RunningRequests, rows: LedgerRows) =>
  new LedgerDecision({
    ...{ at, rows, running, compared: { holds: [name], slots: [slotKey], claims: [] } },
    ...{ processId: Ids.as<"Process">("process"), lease: null, maxKeptBytes: null, nextId: () => "entry" }
  })

/** What is pending once a flush is written. */
const pendingOf = ({ changes }: LedgerDecision, rows: LedgerRows) => {
  const [balance = rows.balances[0]] = changes.balances
  const [counts = rows.counts[0]] = changes.counts
  const spent = [tenantId, keyId].map(
    (owner) => [...changes.spending, ...rows.spending].find(({ ownerId }) => ownerId === owner)!.pending
  )
  return [balance!.reserved, counts!.pending, ...spent]
}

const payer: Payer = {
  ...{ tenantId, plan: "free", monthlyBudget: null },
  key: { id: keyId, name: null, prefix: "svc_abc", budget: 1000n, budgetPeriod: "total" }
}

const used: Used = {
  ...{ requestId: "r", model: "m", httpStatus: 200, units: 1, unit: "tokens", inputTokens: 1, outputTokens: 0 },
  ...{ cacheReadTokens: 0, cacheCreationTokens: 0, latencyMs: 1, sessionId: null, traceId: null }
}

it("takes a row that differs for a commit of which nothing was heard, and brings row and counters to what runs", () => {
  const [one, two, lost] = [reservation("one"), reservation("two"), reservation("lost", 5n)]
  // The admission of `lost` was committed, and its process takes it for refused.
  const rows = rowsWith(sumOf(one, two, lost), sumOf(one, two, lost), 3)
  const decision = decisionOf(runningOf(one, two), rows)
  expect(pendingOf(decision, rows)).toEqual([6n, 2, 6n, 6n])
  expect(decision.changes.holds).toEqual([sumOf(one, two)])
  expect(decision.changes.slots).toEqual([{ keyId, tenantId, acquired: 2 }])
})

it("takes a missing row for one that has lapsed: its requests are charged, and release nothing", () => {
  const [one, two] = [reservation("one"), reservation("two")]
  const running = runningOf(one, two)
  const rows = rowsWith(noHold(name), null, null)
  const decision = decisionOf(running, rows)
  expect(decision.settle(one, payer, 2n, used).charged).toBe(2n)
  decision.releaseSlot(one.id)
  expect(pendingOf(decision, rows)).toEqual([0n, 0, 0n, 0n])
  expect(decision.changes.balances).toEqual([{ tenantId, balance: 98n, reserved: 0n }])
  expect([decision.changes.holds, decision.changes.slots]).toEqual([[], []])
  running.apply(decision.runningChanges, { holds: [name], slots: [slotKey] })
  expect([running.hold(name), running.slots(keyId)]).toEqual([noHold(name), 0])
  expect([running.reservation(one.id), running.reservation(two.id)?.hasLapsed]).toEqual([null, true])
  // What begins after it has a row again, in which what has lapsed has no part.
  const after = reservation("after")
  running.apply({ ...nothing, began: [after], ended: [two.id] }, noRows)
  expect(running.hold(name)).toEqual(sumOf(after))
})

it("forgets a request whose end has failed once nobody tries again, and compares its row then", () => {
  const one = reservation("one")
  const running = runningOf(one, reservation("two"))
  running.failed({ ended: [one.id], released: [one.id] }, { holds: [name], slots: [slotKey] }, at)
  expect(running.doubtful(tenantId)).toEqual({ holds: [name], slots: [slotKey] })
  expect(running.forget(Instant.plus(at, processLeaseMs - 1))).toEqual([tenantId])
  expect(running.reservation(one.id)?.forgottenAt).toBe(at + processLeaseMs)
  running.apply(nothing, { holds: [name], slots: [slotKey] })
  expect(running.forget(Instant.plus(at, processLeaseMs - 1))).toEqual([])
  expect(running.forget(Instant.plus(at, processLeaseMs))).toEqual([tenantId])
  expect([running.reservation(one.id), running.slots(keyId), running.hold(name).running]).toEqual([null, 1, 1])
  expect(running.doubtful(tenantId).holds.map(holdName)).toEqual([holdName(name)])
  expect(running.doubtful(Ids.as<"Account">("another"))).toEqual(noRows)
})

it("is idle once all has ended and nothing is in doubt", () => {
  const one = reservation("one")
  const running = runningOf(one)
  expect([running.isBusy, running.isIdle]).toEqual([true, false])
  running.failed({ ended: [], released: [] }, { holds: [name], slots: [] }, at)
  running.apply({ ...nothing, ended: [one.id], released: [one.id] }, noRows)
  expect([running.isBusy, running.isIdle]).toEqual([false, false])
  running.apply(nothing, { holds: [name], slots: [] })
  expect(running.isIdle).toBe(true)
})

it("always has the sums of what runs, whatever begins, ends and lapses", () => {
  const step = fc.record({ begins: fc.nat(3), ends: fc.array(fc.nat(20), { maxLength: 3 }), lapses: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const running = new RunningRequests()
      const all: Array<Reservation> = []
      const open = new Set<Reservation>()
      for (const { begins, ends, lapses } of steps) {
        const began = Array.from({ length: begins }, (_, nth) => reservation(`${all.length + nth}`, BigInt(nth)))
        const ended = ends.flatMap((nth) => all[nth] ?? [])
        running.apply(
          { ...nothing, began, ended: ended.map(({ id }) => id), lapsed: new Set(lapses ? [holdName(name)] : []) },
          noRows
        )
        if (lapses) open.clear()
        for (const one of ended) open.delete(one)
        for (const one of began) open.add(one)
        all.push(...began)
        expect(running.hold(name)).toEqual(sumOf(...open))
      }
    })
  )
})
