/**
 * Decides what requests reserve and are charged, one after the other, on counters in memory. What it decides is written by one
 * flush of the ledger. Pure. Source: docs/reference/metering.md#reserve, docs/reference/plans.md#rate.
 */
import type { NewEvent } from "../events/index.ts"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { budgetEvent, budgetPeriodOf, type KeyBudget, thresholdsReached } from "./BudgetEvents.ts"
import { lowEvents } from "./CreditEvents.ts"
import type { CreditBalance, LedgerEntry } from "./CreditStore.ts"
import {
  AccessChanged,
  type Allowance,
  allowanceOf,
  type KeyLimitRequest,
  RateLimited,
  TooManyAtOnce,
  untilLeft
} from "./KeyLimitRequest.ts"
import type { KeyWindow, LedgerChanges, LedgerRows, PeriodSpending, ServiceCounts, SlotCounts } from "./LedgerStore.ts"
import type { KeyRequest } from "./LimitStore.ts"
import {
  BudgetExceeded,
  CreditsExceeded,
  type MeteredRequest,
  type Payer,
  QuotaExceeded,
  type SpendingRefused,
  type Used
} from "./MeteredRequest.ts"
import type { Nano } from "./Money.ts"
import * as Month from "./Month.ts"
import { capOf, isCounted, plans, type Service } from "./Plans.ts"
import type { Reservation } from "./ReservationStore.ts"
import type { UsageDetails, UsageRow } from "./UsageRow.ts"

/** More calls than a month can have, and more credit than there is: the limits where there are none. */
const unbounded = { calls: 2_147_483_647, credit: 9_223_372_036_854_775_807n } as const

type Writable<A> = { -readonly [Name in keyof A]: A[Name] }

/** Rows by a name, and which of them have changed. A row that `of` has returned is the present one until the end of the flush. */
class Counters<A> {
  readonly #rows: Map<string, Writable<A>>
  readonly #nameOf: (row: A) => string
  readonly #changed = new Set<Writable<A>>()

  constructor(rows: ReadonlyArray<A>, nameOf: (row: A) => string) {
    this.#nameOf = nameOf
    this.#rows = new Map(rows.map((row) => [nameOf(row), { ...row }]))
  }

  /** The row of this name, or the one that stands for it where nothing has been counted. */
  of(none: A): Readonly<A> {
    const name = this.#nameOf(none)
    const found = this.#rows.get(name)
    if (found !== undefined) return found
    this.#rows.set(name, none)
    return none
  }

  /** Changes a row that `of` has returned. */
  change(row: Writable<A>, to: Partial<A>): A {
    this.#changed.add(row)
    return Object.assign(row, to)
  }

  get changed(): ReadonlyArray<A> {
    return [...this.#changed]
  }
}

/** What a request got of its key: a slot, and one request of the minute where there is a limit; or why it got neither. */
export type Acquired =
  | { readonly error: null; readonly allowance: Allowance | null }
  | { readonly error: TooManyAtOnce | AccessChanged }
  /** `waitsFor`: the number of the request that must leave the minute first, where its instant is still to be read. */
  | { readonly error: RateLimited; readonly waitsFor: number | null }

/** One admission of a request: of its key's minute and slots, and of its reservation. The key is the payer's. */
export interface LedgerAdmission {
  readonly limits: KeyLimitRequest
  readonly reserve: MeteredRequest
}

/**
 * What became of an admission. With `acquired.error` nothing is acquired and nothing reserved. With `refused` the slot is acquired, and
 * nothing is reserved.
 */
export interface LedgerAdmitted {
  readonly acquired: Acquired
  readonly refused: SpendingRefused | null
}

export interface Charged {
  readonly charged: Nano
  readonly events: ReadonlyArray<NewEvent>
}

export interface DecisionStart {
  readonly at: Instant.Instant
  readonly rows: LedgerRows
  /** Makes the id of an entry of the credit ledger. */
  readonly nextId: () => string
}

const unspent = (ownerId: string, period: string): PeriodSpending => ({
  ownerId,
  period,
  spent: 0n,
  pending: 0n,
  alerted: false,
  exceeded: false
})

const uncounted = (tenantId: Ids.AccountId, service: Service, month: Month.Month): ServiceCounts => ({
  tenantId,
  service,
  month,
  used: 0,
  pending: 0
})

/** The budget of the key that pays; null where it has none. */
export const keyBudgetOf = ({ key }: Payer): KeyBudget | null =>
  key === null || key.budget === null ? null : { ...key, budget: key.budget }

export class LedgerDecision {
  readonly #at: Instant.Instant
  readonly #month: Month.Month
  readonly #nextId: () => string
  readonly #balances: Counters<CreditBalance>
  readonly #counts: Counters<ServiceCounts>
  readonly #spending: Counters<PeriodSpending>
  readonly #windows: Counters<KeyWindow>
  readonly #slotCounts: Counters<SlotCounts>
  readonly #oldest: Map<Ids.KeyId, KeyRequest>
  readonly #versions: ReadonlyMap<Ids.AccountId, number>
  /** The last number of each key before this flush. */
  readonly #loaded: ReadonlyMap<Ids.KeyId, number>
  /** The first request of each key in this flush, which stands for the others: they have its instant, and numbers without gaps. */
  readonly #firsts = new Map<Ids.KeyId, LedgerChanges["requests"][number]>()
  readonly #slots: Array<LedgerChanges["slots"][number]> = []
  readonly #reservations: Array<Reservation> = []
  readonly #usage: Array<UsageRow> = []
  readonly #entries: Array<LedgerEntry> = []

  constructor({ at, nextId, rows }: DecisionStart) {
    this.#at = at
    this.#month = Month.of(at)
    this.#nextId = nextId
    this.#balances = new Counters(rows.balances, ({ tenantId }) => tenantId)
    this.#counts = new Counters(rows.counts, ({ month, service, tenantId }) => `${tenantId} ${service} ${month}`)
    this.#spending = new Counters(rows.spending, ({ ownerId, period }) => `${ownerId} ${period}`)
    this.#windows = new Counters(rows.windows, ({ keyId }) => keyId)
    this.#slotCounts = new Counters(rows.slots, ({ keyId }) => keyId)
    this.#loaded = new Map(rows.windows.map(({ keyId, seq }) => [keyId, seq]))
    this.#versions = new Map(rows.versions.map(({ tenantId, version }) => [tenantId, version]))
    this.#oldest = new Map(rows.oldest.map(({ at, keyId, seq }) => [keyId, { at, seq }]))
  }

  get changes(): LedgerChanges {
    return {
      balances: this.#balances.changed,
      counts: this.#counts.changed,
      spending: this.#spending.changed,
      windows: this.#windows.changed,
      requests: [...this.#firsts.values()],
      slots: this.#slots,
      reservations: this.#reservations,
      usage: this.#usage,
      entries: this.#entries
    }
  }

  /** One request of the key's minute and one of its slots, or neither. */
  acquire({ concurrency, id, keyId, leaseMs, perMinute, tenantId, version = null }: KeyLimitRequest): Acquired {
    const now = this.#at
    if (version !== null && version !== (this.#versions.get(tenantId) ?? 0)) return { error: new AccessChanged() }
    const window = this.#windows.of({ keyId, tenantId, seq: 0 })
    const seq = window.seq + 1
    const oldest = this.#oldest.get(keyId)
    const before = oldest === undefined ? 0 : seq - oldest.seq
    if (perMinute !== null && before >= perMinute) return this.#usedUp(keyId, perMinute, seq)
    const slots = this.#slotCounts.of({ keyId, acquired: 0, stored: 0 })
    if (slots.acquired >= concurrency) return { error: new TooManyAtOnce({ limit: concurrency }) }
    this.#slotCounts.change(slots, { acquired: slots.acquired + 1 })
    this.#slots.push({ id, keyId, tenantId, until: Instant.plus(now, leaseMs) })
    if (perMinute === null) return { error: null, allowance: null }
    this.#windows.change(window, { seq })
    if (!this.#firsts.has(keyId)) this.#firsts.set(keyId, { keyId, tenantId, seq, at: now })
    if (oldest === undefined) this.#oldest.set(keyId, { seq, at: now })
    return {
      error: null,
      allowance: allowanceOf({ limit: perMinute, used: before + 1, oldest: oldest?.at ?? now, now })
    }
  }

  /** The wait is until the request leaves that makes room for one more: the oldest one, unless the limit was lowered. */
  #usedUp(keyId: Ids.KeyId, limit: number, seq: number): Acquired {
    const waitsFor = seq - limit
    const oldest = this.#oldest.get(keyId)
    const isOldest = oldest !== undefined && oldest.seq >= waitsFor
    const isOfNow = waitsFor > (this.#loaded.get(keyId) ?? 0)
    return {
      error: new RateLimited({ limit, retryAfterSeconds: untilLeft(isOldest ? oldest.at : this.#at, this.#at) }),
      waitsFor: isOldest || isOfNow ? null : waitsFor
    }
  }

  /** Acquires of the key what a request needs, then reserves. */
  admit({ limits, reserve }: LedgerAdmission): LedgerAdmitted {
    const acquired = this.acquire(limits)
    return { acquired, refused: acquired.error === null ? this.reserve(reserve) : null }
  }

  /** Reserves everything or nothing, and refuses in this order: calls of the plan, the account's budget, credit, the key's budget. */
  reserve({ calls = 1, id, leaseMs, maxCost, payer, service }: MeteredRequest): SpendingRefused | null {
    const { monthlyBudget, plan, tenantId } = payer
    const month = this.#month
    const counts = this.#counts.of(uncounted(tenantId, service, month))
    const takesCalls = calls > 0 && isCounted(service)
    if (takesCalls && counts.used + counts.pending > (capOf(plan, service) ?? unbounded.calls) - calls)
      return this.#quotaExceeded("plan", service)
    const ofAccount = this.#spending.of(unspent(tenantId, month))
    if (!hasRoom(ofAccount, maxCost, monthlyBudget)) return this.#quotaExceeded("monthly_budget", service)
    const reserved = plans[plan].deducts ? maxCost : 0n
    const balance = this.#balances.of({ tenantId, balance: 0n, reserved: 0n })
    if (reserved > 0n && balance.balance - balance.reserved < reserved) return new CreditsExceeded()
    const key = keyBudgetOf(payer)
    const period = key === null ? null : budgetPeriodOf(key, this.#at)
    if (key !== null && period !== null) {
      const ofKey = this.#spending.of(unspent(key.id, period))
      if (!hasRoom(ofKey, maxCost, key.budget)) return new BudgetExceeded()
      this.#spending.change(ofKey, { pending: ofKey.pending + maxCost })
    }
    if (takesCalls) this.#counts.change(counts, { pending: counts.pending + calls })
    this.#spending.change(ofAccount, { pending: ofAccount.pending + maxCost })
    if (reserved > 0n) this.#balances.change(balance, { reserved: balance.reserved + reserved })
    this.#reservations.push({
      id,
      tenantId,
      keyId: payer.key?.id ?? null,
      service,
      month,
      period,
      calls,
      amount: maxCost,
      reserved,
      lapsed: false,
      expiresAt: Instant.plus(this.#at, leaseMs)
    })
    return null
  }

  #quotaExceeded(reason: QuotaExceeded["reason"], service: Service): SpendingRefused {
    return new QuotaExceeded({ reason, service, retryAfterSeconds: Month.secondsUntilNext(this.#at) })
  }

  /** Charges what is due as far as there is credit that nobody else has reserved, releases the rest, and logs it. */
  settle(reservation: Reservation, payer: Payer, due: Nano, { calls, ...used }: Used): Charged {
    const { charged, events } = this.#charge(reservation, payer, due)
    const state = this.#endMeters(reservation, { calls: calls ?? reservation.calls, spent: charged })
    const reports = state === null || charged === 0n ? [] : this.#reports(payer, state)
    this.#log(reservation, used, charged)
    return { charged, events: [...events, ...reports] }
  }

  /** Releases all that is reserved. A request that reached an upstream is logged with zero credits. */
  release(reservation: Reservation, used: UsageDetails | null): void {
    const { lapsed, reserved, tenantId } = reservation
    if (reserved > 0n && !lapsed) {
      const balance = this.#balances.of({ tenantId, balance: 0n, reserved: 0n })
      this.#balances.change(balance, { reserved: balance.reserved - reserved })
    }
    this.#endMeters(reservation, { calls: 0, spent: 0n })
    if (used !== null) this.#log(reservation, used, 0n)
  }

  #charge({ id, lapsed, reserved, tenantId }: Reservation, { plan }: Payer, due: Nano): Charged {
    if (!plans[plan].deducts) return { charged: due, events: [] }
    const before = this.#balances.of({ tenantId, balance: 0n, reserved: 0n })
    const held = lapsed ? 0n : reserved
    const free = before.balance - before.reserved + held
    const charged = due < free ? due : free
    const balance = before.balance - charged
    const events = charged === 0n ? [] : lowEvents(tenantId, before.balance, balance)
    if (charged > 0n || held > 0n) this.#balances.change(before, { balance, reserved: before.reserved - held })
    if (charged > 0n) {
      const entry = { id: this.#nextId(), tenantId, amount: -charged, kind: "inference", ref: id } as const
      this.#entries.push({ ...entry, createdAt: this.#at })
    }
    return { charged, events }
  }

  /** Releases what a reservation holds beside credit, and counts what was used; returns the spending of the key that has a budget. */
  #endMeters(
    { amount, calls: pending, keyId, lapsed, month, period, service, tenantId }: Reservation,
    { calls, spent }: { readonly calls: number; readonly spent: Nano }
  ): PeriodSpending | null {
    if (isCounted(service) && (pending > 0 || calls > 0)) {
      const counts = this.#counts.of(uncounted(tenantId, service, month))
      this.#counts.change(counts, {
        used: counts.used + calls,
        pending: counts.pending - (lapsed ? 0 : pending)
      })
    }
    const ended = (state: PeriodSpending) =>
      this.#spending.change(state, { spent: state.spent + spent, pending: state.pending - (lapsed ? 0n : amount) })
    ended(this.#spending.of(unspent(tenantId, month)))
    return keyId === null || period === null ? null : ended(this.#spending.of(unspent(keyId, period)))
  }

  /** The events of thresholds that are reached and were not reported. */
  #reports(payer: Payer, state: PeriodSpending): ReadonlyArray<NewEvent> {
    const key = keyBudgetOf(payer)
    if (key === null) return []
    const { period, spent } = state
    const reached = thresholdsReached(spent, key.budget).filter((threshold) => !state[threshold])
    for (const threshold of reached) this.#spending.change(state, { [threshold]: true })
    return reached.map((threshold) => budgetEvent({ threshold, tenantId: payer.tenantId, key, period, spent }))
  }

  #log({ id, keyId, service, tenantId }: Reservation, used: UsageDetails, credits: Nano): void {
    this.#usage.push({ ...used, id, keyId, service, tenantId, credits, createdAt: this.#at })
  }
}

/** By subtraction alone: no sum may need more than 64 bits. */
const hasRoom = ({ pending, spent }: PeriodSpending, amount: Nano, limit: Nano | null): boolean =>
  (limit ?? unbounded.credit) - spent - pending >= amount
