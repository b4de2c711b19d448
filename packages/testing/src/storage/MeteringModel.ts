/**
 * The reference for metering in plain code, and random days for it. Requests may run under an Idempotency-Key, and any of
 * them may stall past its lease while others ask again. All run in one process, whose own lease may end too; another process sweeps.
 */

import { type Ids, Instant } from "@trunkline/core/effect"
import { Plans } from "@trunkline/core/provider"
import type { Service } from "@trunkline/core/storage"
import type { MeteredRequest, Payer } from "@trunkline/core/testing"
import { Months } from "@trunkline/core/testing"
import * as fc from "fast-check"

export type Step =
  | {
      readonly do: "reserve"
      readonly service: Service
      readonly maxCost: bigint
      readonly calls: number
      readonly key: 0 | 1 | 2
    }
  /** `fewer`: calls that it has reserved and does not count. */
  | { readonly do: "settle"; readonly which: number; readonly due: bigint; readonly fewer: number }
  | { readonly do: "release"; readonly which: number; readonly reached: boolean }
  /** A request under an Idempotency-Key begins, reserves and waits for its upstream. */
  | { readonly do: "ask"; readonly under: "a" | "b"; readonly maxCost: bigint; readonly lease: number }
  /** The upstream of such a request has answered; any time may have passed since, as in a process that stood still. */
  | { readonly do: "answer"; readonly which: number; readonly due: bigint }
  /** The process renews its lease. */
  | { readonly do: "renew" }
  /** Another process releases what has lapsed. */
  | { readonly do: "sweep" }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "next month" }

const amount = fc.bigInt({ min: 0n, max: 6n })

/** Mostly reservations and ends; a request is ended by its number, also one that never passed or has ended. */
export const day: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant("reserve" as const),
        service: fc.constantFrom<Service>("stt", "stt", "embedding", "image"),
        maxCost: amount,
        calls: fc.constantFrom(1, 1, 1, 2, 4),
        key: fc.constantFrom(0 as const, 1 as const, 2 as const)
      })
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("settle" as const),
        which: fc.nat(20),
        due: fc.oneof(amount, fc.constant(100n)),
        fewer: fc.constantFrom(0, 0, 1, 3)
      })
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("release" as const), which: fc.nat(20), reached: fc.boolean() })
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("ask" as const),
        under: fc.constantFrom("a" as const, "a" as const, "b" as const),
        maxCost: amount,
        lease: fc.integer({ min: 1, max: 60 })
      })
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("answer" as const), which: fc.nat(5), due: amount }) },
    { weight: 1, arbitrary: fc.constant({ do: "renew" as const }) },
    { weight: 2, arbitrary: fc.constant({ do: "sweep" as const }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(3, 5, 19, 20, 60, 86_400) })
    },
    { weight: 1, arbitrary: fc.constant({ do: "next month" as const }) }
  ),
  { minLength: 10, maxLength: 60 }
)

interface ModelReservation {
  readonly service: Service
  readonly calls: number
  readonly month: string
  readonly owners: ReadonlyArray<string>
  readonly maxCost: bigint
  readonly reserved: bigint
  lapsed: boolean
}

class Meter {
  used = 0
  pending = 0
}

class Purse {
  spent = 0n
  pending = 0n
}

/** What stands under an Idempotency-Key. */
interface Keyed {
  /** Of the request that has the key; null once it is answered. */
  claim: Ids.UsageId | null
  leaseUntil: number
  expiresAt: number
  answer: string | null
}

const at = <V>(map: Map<string, V>, name: string, make: () => V): V => {
  const found = map.get(name) ?? make()
  map.set(name, found)
  return found
}

/** The reference: one account, no database, nothing at the same time. */
export class MeteringModel {
  balance: bigint
  readonly reservations = new Map<string, ModelReservation>()
  readonly meters = new Map<string, Meter>()
  readonly purses = new Map<string, Purse>()
  readonly keys = new Map<string, Keyed>()
  /** When the process has renewed its lease; null before its first request. */
  renewedAt: Instant.Instant | null = null
  rows = 0
  billed = 0n

  constructor(balance: bigint) {
    this.balance = balance
  }

  get open(): ReadonlyArray<ModelReservation> {
    return [...this.reservations.values()].filter(({ lapsed }) => !lapsed)
  }

  get reserved(): bigint {
    return this.open.reduce((sum, { reserved }) => sum + reserved, 0n)
  }

  meter(service: Service, month: string): Meter {
    return at(this.meters, `${service} ${month}`, () => new Meter())
  }

  purse(owner: string): Purse {
    return at(this.purses, owner, () => new Purse())
  }

  refusal({ calls = 1, maxCost, payer, service }: MeteredRequest, month: string): string | null {
    const cap = Plans.capOf(payer.plan, service)
    const { pending, used: over } = this.meter(service, month)
    if (cap !== null && over + pending + calls > cap) return "QuotaExceeded plan"
    const room = (owner: string, budget: bigint | null) => {
      const purse = this.purse(owner)
      return budget === null || purse.spent + purse.pending + maxCost <= budget
    }
    if (!room(`${payer.tenantId} ${month}`, payer.monthlyBudget)) return "QuotaExceeded monthly_budget"
    if (Plans.plans[payer.plan].deducts && this.balance - this.reserved < maxCost) return "CreditsExceeded"
    return payer.key === null || room(periodOf(payer.key, month), payer.key.budget) ? null : "BudgetExceeded"
  }

  reserve(wanted: MeteredRequest, now: Instant.Instant): string | null {
    const month = Months.of(now)
    // A process renews its lease with a request, unless it has done so in the last five seconds.
    if (this.renewedAt === null || now - this.renewedAt >= 5 * Instant.second) this.renewedAt = now
    const refused = this.refusal(wanted, month)
    if (refused !== null) return refused
    const { calls = 1, maxCost, id, payer, service } = wanted
    const owners = [`${payer.tenantId} ${month}`, ...(payer.key === null ? [] : [periodOf(payer.key, month)])]
    const reserved = Plans.plans[payer.plan].deducts ? maxCost : 0n
    this.reservations.set(id, { service, calls, month, owners, maxCost, reserved, lapsed: false })
    this.meter(service, month).pending += calls
    for (const owner of owners) this.purse(owner).pending += maxCost
    return null
  }

  #unreserve(reservation: ModelReservation): void {
    if (reservation.lapsed) return
    this.meter(reservation.service, reservation.month).pending -= reservation.calls
    for (const owner of reservation.owners) this.purse(owner).pending -= reservation.maxCost
  }

  renew(now: Instant.Instant): void {
    if (this.reservations.size > 0) this.renewedAt = now
  }

  /** Returns how many requests have lapsed. */
  sweep(now: Instant.Instant): number {
    if (this.renewedAt === null || this.renewedAt + 20 * Instant.second > now) return 0
    const { open } = this
    for (const reservation of open) {
      this.#unreserve(reservation)
      reservation.lapsed = true
    }
    return open.length
  }

  settle(id: Ids.UsageId, due: bigint, deducts: boolean, fewer = 0): bigint {
    const reservation = this.reservations.get(id)
    if (reservation === undefined) return 0n
    this.#unreserve(reservation)
    this.reservations.delete(id)
    const free = this.balance - this.reserved
    const charged = deducts && due > free ? free : due
    if (deducts) this.balance -= charged
    this.meter(reservation.service, reservation.month).used += Math.max(0, reservation.calls - fewer)
    for (const owner of reservation.owners) this.purse(owner).spent += charged
    this.rows += 1
    this.billed += charged
    return charged
  }

  /** Null: it waits for its upstream. */
  ask(under: string, wanted: MeteredRequest, leaseMs: number, now: Instant.Instant): Outcome | null {
    const stands = this.keys.get(under)
    if (stands !== undefined && stands.expiresAt > now) {
      if (stands.answer !== null) return { kept: stands.answer }
      if (stands.leaseUntil > now) return inProgress
    }
    const leaseUntil = now + leaseMs
    this.keys.set(under, { claim: wanted.id, leaseUntil, expiresAt: now + Instant.day, answer: null })
    const refused = this.reserve(wanted, now)
    if (refused !== null) this.keys.delete(under)
    return refused === null ? null : { no: refused }
  }

  answer(under: string, id: Ids.UsageId, due: bigint, deducts: boolean, now: Instant.Instant): Outcome {
    const stands = this.keys.get(under)
    if (stands?.claim !== id) {
      this.release(id, true)
      return stands?.answer != null && stands.expiresAt > now ? { kept: stands.answer } : inProgress
    }
    this.keys.set(under, { claim: null, leaseUntil: 0, expiresAt: now + Instant.day, answer: id })
    return { ran: id, charged: this.settle(id, due, deducts) }
  }

  release(id: Ids.UsageId, reached: boolean): void {
    const reservation = this.reservations.get(id)
    if (reservation === undefined) return
    this.#unreserve(reservation)
    this.reservations.delete(id)
    if (reached) this.rows += 1
  }
}

/** What a request under an Idempotency-Key came to: what it answered and charged, what was answered before, or its refusal. */
export type Outcome =
  | { readonly ran: string; readonly charged: bigint }
  | { readonly kept: string }
  | { readonly no: string }

const inProgress: Outcome = { no: "IdempotencyRefused in_progress" }

export const refusalWord = (no: { readonly _tag: string; readonly reason?: string }): string =>
  no.reason === undefined ? no._tag : `${no._tag} ${no.reason}`

const periodOf = ({ budgetPeriod, id }: NonNullable<Payer["key"]>, month: string): string =>
  `${id} ${budgetPeriod === "month" ? month : "total"}`
