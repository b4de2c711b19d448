/** Which due deliveries are attempted now: docs/reference/webhooks.md#fairness. Verifies: HOOK-4. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Ids } from "../../../src/platform/kernel/index.ts"
import {
  availableSlots,
  type Candidate,
  isRisky,
  type PoolState,
  selectDeliveries
} from "../../../src/webhooks/deliveries/FairScheduler.ts"
import type { DeliveryLimits } from "../../../src/webhooks/WebhookSettings.ts"

const limits: DeliveryLimits = { slots: 8, reservedSlots: 2, perEndpoint: 3 }

const endpoint = (name: string) => Ids.as<"Webhook">(name)

const due = (name: string, count: number, attempts = 0): ReadonlyArray<Candidate> =>
  Array.from({ length: count }, (_, n) => ({
    id: Ids.as(`${name}${n}-${attempts}`),
    webhookId: endpoint(name),
    attempts
  }))

const pool = (
  given: Partial<Pick<PoolState, "usedSlots" | "riskySlots" | "aheadSlots">> & {
    readonly healthy?: ReadonlyArray<string>
    readonly suspect?: ReadonlyArray<string>
    readonly attempts?: Readonly<Record<string, number>>
    readonly held?: ReadonlyArray<string>
  } = {}
): PoolState => ({
  usedSlots: given.usedSlots ?? 0,
  riskySlots: given.riskySlots ?? 0,
  aheadSlots: given.aheadSlots ?? 0,
  attemptsTo: (id) => given.attempts?.[id] ?? 0,
  isHealthy: (id) => given.healthy?.includes(id) ?? false,
  isSuspect: (id) => given.suspect?.includes(id) ?? false,
  has: (id) => given.held?.includes(id) ?? false
})

const selected = (candidates: ReadonlyArray<Candidate>, state: PoolState) =>
  selectDeliveries(candidates, limits, state).map(({ id }) => id as string)

describe("an endpoint's slots", () => {
  it("are one until it has answered, and the limit afterwards, less those in use", () => {
    expect(availableSlots(endpoint("a"), limits, pool())).toBe(1)
    expect(availableSlots(endpoint("a"), limits, pool({ attempts: { a: 1 } }))).toBe(0)
    expect(availableSlots(endpoint("a"), limits, pool({ healthy: ["a"] }))).toBe(3)
    expect(availableSlots(endpoint("a"), limits, pool({ healthy: ["a"], attempts: { a: 2 } }))).toBe(1)
    expect(availableSlots(endpoint("a"), limits, pool({ attempts: { a: 3 } }))).toBe(0)
  })
})

describe("an attempt is risky", () => {
  it("when it is a retry, or its endpoint did not answer the last one", () => {
    const first = { webhookId: endpoint("a"), attempts: 0 }
    expect(isRisky(first, pool())).toBe(false)
    expect(isRisky({ ...first, attempts: 1 }, pool())).toBe(true)
    expect(isRisky(first, pool({ suspect: ["a"] }))).toBe(true)
  })
})

describe("deliveries are selected", () => {
  it("endpoint by endpoint in turn: none gets its second before each had its first", () => {
    const state = pool({ healthy: ["a", "b"] })
    expect(selected([...due("a", 5), ...due("b", 2), ...due("c", 2)], state)).toEqual([
      "a0-0",
      "b0-0",
      "c0-0",
      "a1-0",
      "b1-0",
      "a2-0"
    ])
  })

  it("beyond the free slots where they may wait: first attempts to endpoints that answer, and nothing else", () => {
    const candidates = [...due("retried", 1, 1), ...due("new", 1), ...due("well", 3), ...due("suspect", 1)]
    const state = pool({ usedSlots: 8, aheadSlots: 2, healthy: ["well", "retried"], suspect: ["suspect"] })
    expect(selected(candidates, state)).toEqual(["well0-0", "well1-0"])
    expect(selected(candidates, { ...state, usedSlots: 7 })).toEqual(["retried0-1", "well0-0", "well1-0"])
  })

  it("into free slots alone", () => {
    const many = ["a", "b", "c", "d"].flatMap((name) => due(name, 1))
    expect(selected(many, pool({ usedSlots: 6 }))).toEqual(["a0-0", "b0-0"])
    expect(selected(many, pool({ usedSlots: 8 }))).toEqual([])
  })

  it("so that retries and suspect endpoints leave the reserved slots to first attempts", () => {
    const risky = Array.from({ length: 10 }, (_, n) => due(`r${n}`, 1, 1)).flat()
    const first = Array.from({ length: 4 }, (_, n) => due(`f${n}`, 1)).flat()
    expect(selected(risky, pool())).toHaveLength(6)
    expect(selected([...risky, ...first], pool()).slice(6)).toEqual(["f00-0", "f10-0"])
    expect(selected([...risky, ...first], pool({ usedSlots: 6, riskySlots: 6 }))).toEqual(["f00-0", "f10-0"])
    expect(selected(due("s", 1), pool({ usedSlots: 6, riskySlots: 6, suspect: ["s"] }))).toEqual([])
  })

  it("without those whose end this process has yet to write", () => {
    expect(selected(due("a", 2), pool({ held: ["a0-0"] }))).toEqual(["a1-0"])
  })

  it("within every limit, whatever is due and under way", () => {
    const name = fc.constantFrom("a", "b", "c", "d", "e")
    const candidates = fc.array(fc.tuple(name, fc.integer({ min: 0, max: 2 })), { maxLength: 40 })
    const state = fc.record({
      riskySlots: fc.integer({ min: 0, max: 6 }),
      usedFirst: fc.integer({ min: 0, max: 2 }),
      healthy: fc.array(name),
      suspect: fc.array(name),
      attempts: fc.dictionary(name, fc.integer({ min: 0, max: 4 }))
    })
    fc.assert(
      fc.property(candidates, state, (given, { usedFirst, ...rest }) => {
        const rows = given.map(([host, attempts], n) => ({
          id: Ids.as<"Delivery">(`${n}`),
          webhookId: endpoint(host),
          attempts
        }))
        const now = pool({ ...rest, usedSlots: rest.riskySlots + usedFirst })
        const chosen = selectDeliveries(rows, limits, now)
        expect(new Set(chosen).size).toBe(chosen.length)
        expect(now.usedSlots + chosen.length).toBeLessThanOrEqual(limits.slots)
        const risky = chosen.filter((one) => isRisky(one, now)).length
        if (risky > 0) expect(now.riskySlots + risky).toBeLessThanOrEqual(limits.slots - limits.reservedSlots)
        for (const [webhookId, own] of Map.groupBy(chosen, (one) => one.webhookId)) {
          expect(own.length).toBeLessThanOrEqual(availableSlots(webhookId, limits, now))
        }
      })
    )
  })
})
