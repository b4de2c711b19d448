/** What must hold of the dialer on every day. */
import { type Call, type CampaignContact, Instant, Money, PhoneNumber } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { type Day, paceSeconds } from "./DialerDay.ts"
import type { Memory } from "./DialerMemory.ts"

type Calls = ReadonlyArray<Call>

/** The largest number of values that are the same. */
const maxEqual = (values: ReadonlyArray<string>): number => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

/** What must hold after every step. */
export const check = (memory: Memory) =>
  Effect.gen(function* () {
    const { campaignId, strangerId, tenantId, world } = memory
    const calls = yield* world.calls(tenantId)
    oneRequest(memory)
    nobodyListed(memory, calls)
    oneWinner(calls)
    ownRecords(memory, [...calls, ...(yield* world.calls(strangerId))])
    onePersonOneCall(memory, calls)
    const { balance, ledger, reserved } = yield* world.credit(tenantId)
    expect(reserved >= 0n && balance >= reserved, "free credit is never below zero").toBe(true)
    expect(ledger, "the ledger explains the balance").toBe(balance)
    remember(memory, calls)
    dailyLimit(memory, calls)
    // A change of the plan may be written later than its step: its process stood still, or died of it.
    memory.plan = (yield* world.account(tenantId)).plan as Memory["plan"]
    const { campaign, contacts } = yield* world.snapshotOf(campaignId)
    expect(campaign.completedContacts).toBe(contacts.filter(({ status }) => status === "done").length)
    expect(campaign.failedContacts).toBe(contacts.filter(({ status }) => status === "failed").length)
    attemptsWithinBounds(memory, calls, contacts)
  })

const oneRequest = ({ world }: Memory): void => {
  const orders = world.network.log.filter(({ kind }) => kind === "place").map(({ callId }) => callId)
  expect(maxEqual(orders), "the carrier is asked at most once for a call").toBeLessThanOrEqual(1)
}

const nobodyListed = ({ listed }: Memory, calls: Calls): void => {
  for (const { key, known } of listed) {
    const after = calls.filter(({ id, toKey }) => PhoneNumber.samePerson(toKey, key) && !known.has(id))
    expect(after.length, "no call to a listed number is committed after the addition answered").toBe(0)
  }
}

const oneWinner = (calls: Calls): void => {
  const winners = calls.flatMap(({ burstId, isWinner }) => (burstId !== null && isWinner ? [burstId] : []))
  expect(maxEqual(winners), "a parallel dial has at most one winner").toBeLessThanOrEqual(1)
}

const ownRecords = ({ isCertain, world }: Memory, calls: Calls): void => {
  for (const { endReason, id, providerCallId } of calls) {
    const record = providerCallId === null ? undefined : world.network.named(providerCallId)
    expect(record?.order.callId ?? id, "a call has the carrier's record of no other call").toBe(id)
    if (isCertain) expect(endReason, "no outcome is unknown where the carrier knows").not.toBe("unknown")
  }
}

const onePersonOneCall = ({ world }: Memory, calls: Calls): void => {
  const called = world.network.openCalls().flatMap(({ order }) => {
    const row = calls.find(({ id }) => id === order.callId)
    // An outcome that could not be proven is closed; the carrier's call may outlive it.
    return row === undefined || row.endReason === "unknown" ? [] : [row.contactId!]
  })
  expect(maxEqual(called), "a person is called by one call at a time").toBeLessThanOrEqual(1)
}

/** A step either changes the plan or begins and ends calls: the plan of before is theirs. */
const remember = (memory: Memory, calls: Calls): void => {
  for (const { id, stopReason } of calls) {
    if (!memory.begunOn.has(id)) memory.begunOn.set(id, memory.plan)
    if (stopReason !== "credits" || memory.unpaid.has(id)) continue
    memory.unpaid.add(id)
    expect(memory.plan, "no call is hung up for want of credit where none is needed").toBe("free")
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
const dailyLimit = (memory: Memory, calls: Calls): void => {
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

const attemptsWithinBounds = (
  { maxAttempts, world }: Memory,
  calls: Calls,
  contacts: ReadonlyArray<CampaignContact>
): void => {
  for (const { attempts, id } of contacts) {
    expect(attempts, "attempts stay within their bound").toBeLessThanOrEqual(maxAttempts)
    const rang = calls.filter((call) => call.contactId === id && world.network.calls.get(call.id)?.rang === true).length
    expect(rang, "a phone rings at most as often as attempts allow").toBeLessThanOrEqual(maxAttempts)
  }
}

/** What must hold when the day is over and every outage with it. */
export const checkEnd = (memory: Memory, given: Day, spending: bigint) =>
  Effect.gen(function* () {
    const { strangerId, tenantId, world } = memory
    const calls = yield* world.calls(tenantId)
    const strangers = yield* world.calls(strangerId)
    expect(
      [...calls, ...strangers].filter(({ endedAt }) => endedAt === null),
      "every open attempt is settled in the end"
    ).toEqual([])
    const { balance, reserved } = yield* world.credit(tenantId)
    expect(reserved, "nothing is held for calls that have ended").toBe(0n)
    const happened = (tag: Day["commands"][number]["_tag"]) => given.commands.some(({ _tag }) => _tag === tag)
    moneyAddsUp(memory, calls, { spent: spending - balance, isOnePlan: !happened("Plan") })
    if (!happened("Settings")) linesAndPace(memory, calls, given)
  })

/** What was deducted in the end, against the prices of the calls. */
const moneyAddsUp = (
  { begunOn }: Memory,
  calls: Calls,
  { isOnePlan, spent }: { readonly spent: bigint; readonly isOnePlan: boolean }
): void => {
  const priced = calls.reduce((sum, { credits, id }) => (begunOn.get(id) === "free" ? sum + credits : sum), 0n)
  expect(spent <= priced, "nothing is deducted for calls that began on enterprise").toBe(true)
  if (isOnePlan) expect(spent, "what calls cost is what was deducted").toBe(priced)
  for (const { answeredAt, credits, durationSeconds, id } of calls) {
    if (begunOn.get(id) !== "enterprise") continue
    const price = answeredAt === null ? 0n : Money.callPrice(Money.nanoPerCredit, durationSeconds ?? 0)
    expect(credits, "a call shows its price where nothing is deducted").toBe(price)
  }
}

/**
 * Lines and pace, over what the carrier was asked for: checked when no settings were changed during the day, because calls
 * under way keep the settings that they started with.
 */
const linesAndPace = ({ world }: Memory, rows: Calls, { lines, mode }: Day): void => {
  // The line of a call whose outcome could not be proven is used again; the carrier's call may outlive it.
  const known = new Set(rows.filter(({ endReason }) => endReason !== "unknown").map(({ id }) => id))
  const calls = [...world.network.calls.values()]
    .filter(({ order }) => known.has(order.callId))
    .sort((a, b) => a.placedAt - b.placedAt)
  calls.forEach((call, i) => {
    const others = calls.slice(0, i).filter(({ endedAt }) => endedAt === null || endedAt > call.placedAt)
    expect(others.length + 1, "never more concurrent calls than lines").toBeLessThanOrEqual(
      mode === "parallel" ? lines : 1
    )
    const before = calls[i - 1]
    if (mode === "power" && before !== undefined) {
      expect(call.placedAt - before.placedAt, "never faster than the pace").toBeGreaterThanOrEqual(paceSeconds * 1000)
    }
  })
}
