/**
 * Decides what requests reserve and are charged, one after the other, on counters in memory. What it decides is written by one
 * flush of the ledger. Pure. Source: docs/reference/metering.md#reserve, docs/reference/plans.md#rate.
 */
import type { NewEvent } from "../events/index.ts"
import type { AskedRun, ClaimDecided, ClaimedRun, KeptAnswer } from "../idempotency/index.ts"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { budgetEvent, budgetPeriodOf, type KeyBudget, lifetime, thresholdsReached } from "./BudgetEvents.ts"
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
import { LedgerRuns } from "./LedgerRuns.ts"
import type {
  KeyWindow,
  LedgerChanges,
  LedgerQuery,
  LedgerRows,
  PeriodSpending,
  ProcessLease,
  ServiceCounts,
  SlotCounts
} from "./LedgerStore.ts"
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
import {
  type AcquiredSlot,
  addHeld,
  type ComparedRows,
  type Held,
  type HoldName,
  holdName,
  isSameHold,
  noHold,
  type ProcessHold,
  type Reservation,
  type RunningChanges,
  type RunningRequests
} from "./RunningRequests.ts"
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

/** One admission of a request: of its key's minute and slots, of its Idempotency-Key, and of its reservation. The key is the payer's. */
export interface LedgerAdmission {
  readonly limits: KeyLimitRequest
  /** Null without an Idempotency-Key. */
  readonly run: AskedRun | null
  readonly reserve: MeteredRequest
}

/**
 * What became of an admission. With `acquired.error` nothing is acquired, claimed or reserved. Where its Idempotency-Key is not claimed,
 * or with `refused`, the slot is acquired, and nothing else.
 */
export interface LedgerAdmitted {
  readonly acquired: Acquired
  /** Null without an Idempotency-Key, and with `acquired.error`. */
  readonly claimed: ClaimDecided | null
  readonly refused: SpendingRefused | null
}

export interface Charged {
  readonly charged: Nano
  readonly events: ReadonlyArray<NewEvent>
}

export interface DecisionStart {
  readonly at: Instant.Instant
  readonly rows: LedgerRows
  /** The rows of this process that were asked for, and the claims that were offered. */
  readonly compared: ComparedRows & Pick<LedgerQuery, "claims">
  /** Bytes of kept answers that an account may have; null for no limit. */
  readonly maxKeptBytes: number | null
  readonly running: RunningRequests
  readonly processId: Ids.ProcessId
  readonly lease: ProcessLease | null
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

/** What a payer's request is held by: its key where that has a budget, else its account. */
export const holdNameOf = (
  { payer, service }: Pick<MeteredRequest, "payer" | "service">,
  at: Instant.Instant
): HoldName => {
  const key = keyBudgetOf(payer)
  const owner =
    key === null ? { ownerId: payer.tenantId, period: "none" } : { ownerId: key.id, period: budgetPeriodOf(key, at) }
  return { tenantId: payer.tenantId, service, month: Month.of(at), ...owner }
}

export class LedgerDecision {
  readonly #at: Instant.Instant
  readonly #nextId: () => string
  readonly #balances: Counters<CreditBalance>
  readonly #counts: Counters<ServiceCounts>
  readonly #spending: Counters<PeriodSpending>
  readonly #windows: Counters<KeyWindow>
  readonly #holds: Counters<ProcessHold>
  readonly #slots: Counters<SlotCounts>
  readonly #running: RunningRequests
  readonly #runs: LedgerRuns
  readonly #process: Pick<LedgerChanges, "processId" | "lease">
  readonly #lapsed = new Set<string>()
  readonly #lapsedKeys = new Set<Ids.KeyId>()
  readonly #oldest: Map<Ids.KeyId, KeyRequest>
  readonly #versions: ReadonlyMap<Ids.AccountId, number>
  /** The last number of each key before this flush. */
  readonly #loaded: ReadonlyMap<Ids.KeyId, number>
  /** The first request of each key in this flush, which stands for the others: they have its instant, and numbers without gaps. */
  readonly #firsts = new Map<Ids.KeyId, LedgerChanges["requests"][number]>()
  readonly #began: Array<Reservation> = []
  readonly #ended: Array<Ids.UsageId> = []
  readonly #acquired: Array<AcquiredSlot> = []
  readonly #released: Array<Ids.UsageId> = []
  readonly #usage: Array<UsageRow> = []
  readonly #entries: Array<LedgerEntry> = []

  constructor({ at, compared, lease, maxKeptBytes, nextId, processId, rows, running }: DecisionStart) {
    this.#at = at
    this.#nextId = nextId
    this.#balances = new Counters(rows.balances, ({ tenantId }) => tenantId)
    this.#counts = new Counters(rows.counts, ({ month, service, tenantId }) => `${tenantId} ${service} ${month}`)
    this.#spending = new Counters(rows.spending, ({ ownerId, period }) => `${ownerId} ${period}`)
    this.#windows = new Counters(rows.windows, ({ keyId }) => keyId)
    this.#holds = new Counters(rows.holds, holdName)
    this.#slots = new Counters(rows.slots, ({ keyId }) => keyId)
    this.#running = running
    this.#runs = new LedgerRuns({ at, rows, offered: compared.claims, maxKeptBytes })
    this.#process = { processId, lease }
    this.#loaded = new Map(rows.windows.map(({ keyId, seq }) => [keyId, seq]))
    this.#versions = new Map(rows.versions.map(({ tenantId, version }) => [tenantId, version]))
    this.#oldest = new Map(rows.oldest.map(({ at, keyId, seq }) => [keyId, { at, seq }]))
    this.#compare(compared, rows)
    for (const hold of rows.lapsed) this.#count(hold, -1)
  }

  /**
   * Compares the stored rows with the running requests. A missing row has lapsed. Any other difference is that of a commit of which this
   * process has not heard that it was made.
   */
  #compare({ holds, slots }: ComparedRows, rows: Pick<LedgerRows, "holds" | "slots">): void {
    const stored = new Set(rows.holds.map(holdName))
    for (const name of holds) {
      const known = this.#running.hold(name)
      const row = this.#holds.of(noHold(name))
      if (isSameHold(row, known)) continue
      if (stored.has(holdName(name))) {
        this.#count(row, -1)
        this.#count(known, 1)
        this.#holds.change(row, known)
      } else this.#lapsed.add(holdName(name))
    }
    for (const { keyId, tenantId } of slots) {
      const row = this.#slots.of({ keyId, tenantId, own: null, others: 0 })
      const known = this.#running.slots(keyId)
      if (row.own === null && known > 0) this.#lapsedKeys.add(keyId)
      else if (row.own !== null && row.own !== known) this.#slots.change(row, { own: known })
    }
  }

  get changes(): LedgerChanges {
    return {
      balances: this.#balances.changed,
      counts: this.#counts.changed,
      spending: this.#spending.changed,
      windows: this.#windows.changed,
      requests: [...this.#firsts.values()],
      holds: this.#holds.changed,
      slots: this.#slots.changed.map(({ keyId, own, tenantId }) => ({ keyId, tenantId, acquired: own ?? 0 })),
      ...this.#process,
      usage: this.#usage,
      entries: this.#entries,
      ...this.#runs.changes
    }
  }

  /** The changes of the list of running requests, once the flush is committed. */
  get runningChanges(): RunningChanges {
    return {
      began: this.#began,
      ended: this.#ended,
      acquired: this.#acquired,
      released: this.#released,
      lapsed: this.#lapsed,
      lapsedKeys: this.#lapsedKeys
    }
  }

  /** One request of the key's minute and one of its slots, or neither. */
  acquire({ concurrency, id, keyId, perMinute, tenantId, version = null }: KeyLimitRequest): Acquired {
    const now = this.#at
    if (version !== null && version !== (this.#versions.get(tenantId) ?? 0)) return { error: new AccessChanged() }
    const window = this.#windows.of({ keyId, tenantId, seq: 0 })
    const seq = window.seq + 1
    const oldest = this.#oldest.get(keyId)
    const before = oldest === undefined ? 0 : seq - oldest.seq
    if (perMinute !== null && before >= perMinute) return this.#usedUp(keyId, perMinute, seq)
    const slots = this.#slots.of({ keyId, tenantId, own: null, others: 0 })
    const own = slots.own ?? 0
    if (own + slots.others >= concurrency) return { error: new TooManyAtOnce({ limit: concurrency }) }
    this.#slots.change(slots, { own: own + 1 })
    this.#acquired.push({ id, keyId, tenantId })
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

  /** Releases a slot, once. */
  releaseSlot(id: Ids.UsageId): void {
    const slot = this.#running.slot(id)
    if (slot === null || this.#released.includes(id)) return
    this.#released.push(id)
    const { keyId, tenantId } = slot.of
    if (slot.hasLapsed || this.#lapsedKeys.has(keyId)) return
    const slots = this.#slots.of({ keyId, tenantId, own: null, others: 0 })
    this.#slots.change(slots, { own: (slots.own ?? 0) - 1 })
  }

  /** Acquires of the key what a request needs, claims its Idempotency-Key, then reserves. */
  admit({ limits, reserve, run }: LedgerAdmission): LedgerAdmitted {
    const acquired = this.acquire(limits)
    if (acquired.error !== null) return { acquired, claimed: null, refused: null }
    const claimed = run === null ? null : this.claim(run)
    if (claimed !== null && !hasClaimed(claimed)) return { acquired, claimed, refused: null }
    const refused = this.reserve(reserve)
    if (run !== null && refused !== null) this.#runs.takeBack(run)
    return { acquired, claimed, refused }
  }

  /** Claims an Idempotency-Key for a request that is yet to reserve. */
  claim(run: AskedRun): ClaimDecided {
    return this.#runs.claim(run)
  }

  /** Whether a run under an Idempotency-Key has its claim. */
  hasClaim(run: ClaimedRun): boolean {
    return this.#runs.has(run)
  }

  /** Stores the answer of a run that has its claim. */
  answer(answer: KeptAnswer<unknown>): void {
    this.#runs.answer(answer)
  }

  /** Reserves everything or nothing, and refuses in this order: calls of the plan, the account's budget, credit, the key's budget. */
  reserve(request: MeteredRequest): SpendingRefused | null {
    const { calls = 1, id, maxCost, payer, service } = request
    const { monthlyBudget, plan, tenantId } = payer
    const name = holdNameOf(request, this.#at)
    if (calls > 0 && isCounted(service)) {
      const counts = this.#counts.of(uncounted(tenantId, service, name.month))
      if (counts.used + counts.pending > (capOf(plan, service) ?? unbounded.calls) - calls)
        return this.#quotaExceeded("plan", service)
    }
    if (!hasRoom(this.#spending.of(unspent(tenantId, name.month)), maxCost, monthlyBudget))
      return this.#quotaExceeded("monthly_budget", service)
    const reserved = plans[plan].deducts ? maxCost : 0n
    const balance = this.#balances.of({ tenantId, balance: 0n, reserved: 0n })
    if (reserved > 0n && balance.balance - balance.reserved < reserved) return new CreditsExceeded()
    const key = keyBudgetOf(payer)
    if (key !== null && !hasRoom(this.#spending.of(unspent(key.id, name.period)), maxCost, key.budget))
      return new BudgetExceeded()
    const reservation = { id, keyId: payer.key?.id ?? null, ...name, calls, amount: maxCost, reserved }
    this.#began.push(reservation)
    this.#hold(reservation, 1)
    return null
  }

  /** Adds what a request of this process holds to its sum and to all counters, or takes it away. */
  #hold(held: Held, by: 1 | -1): void {
    const hold = this.#holds.of(noHold(held))
    this.#holds.change(hold, addHeld(hold, held, by))
    this.#count(held, by)
  }

  /** Adds a hold to all counters, or takes it away. */
  #count({ amount, calls, month, ownerId, period, reserved, service, tenantId }: Held, by: 1 | -1): void {
    if (reserved > 0n) {
      const balance = this.#balances.of({ tenantId, balance: 0n, reserved: 0n })
      this.#balances.change(balance, { reserved: balance.reserved + BigInt(by) * reserved })
    }
    if (calls > 0 && isCounted(service)) {
      const counts = this.#counts.of(uncounted(tenantId, service, month))
      this.#counts.change(counts, { pending: counts.pending + by * calls })
    }
    const pend = (owner: string, of: string) => {
      const spending = this.#spending.of(unspent(owner, of))
      this.#spending.change(spending, { pending: spending.pending + BigInt(by) * amount })
    }
    pend(tenantId, month)
    if (period !== "none") pend(ownerId, period)
  }

  #quotaExceeded(reason: QuotaExceeded["reason"], service: Service): SpendingRefused {
    return new QuotaExceeded({ reason, service, retryAfterSeconds: Month.secondsUntilNext(this.#at) })
  }

  /** Charges the amount due as far as there is credit that nobody else has reserved, releases the rest, and logs it. */
  settle(reservation: Reservation, payer: Payer, due: Nano, { calls = reservation.calls, ...used }: Used): Charged {
    const { id, keyId, month, period, service, tenantId } = reservation
    this.#end(reservation)
    const { charged, events } = this.#charge(id, payer, due)
    if (calls > 0 && isCounted(service)) {
      const counts = this.#counts.of(uncounted(tenantId, service, month))
      this.#counts.change(counts, { used: counts.used + calls })
    }
    const spend = (owner: string, of: string) => {
      const spending = this.#spending.of(unspent(owner, of))
      return this.#spending.change(spending, { spent: spending.spent + charged })
    }
    spend(tenantId, month)
    // Counted without a budget too, so that one that is set later knows what was spent.
    const ofKey = keyId === null || charged === 0n ? [] : [month, lifetime].map((of) => spend(keyId, of))
    const ofBudget = ofKey.find((state) => state.period === period)
    const reports = ofBudget === undefined ? [] : this.#reports(payer, ofBudget)
    this.#log(reservation, used, charged)
    return { charged, events: [...events, ...reports] }
  }

  /** Releases all that is reserved. A request that reached an upstream is logged with zero credits. */
  release(reservation: Reservation, used: UsageDetails | null): void {
    this.#end(reservation)
    if (used !== null) this.#log(reservation, used, 0n)
  }

  /** Releases what a reservation holds, unless it has lapsed. */
  #end(reservation: Reservation): void {
    this.#ended.push(reservation.id)
    const hasLapsed = this.#running.reservation(reservation.id)?.hasLapsed === true
    if (!(hasLapsed || this.#lapsed.has(holdName(reservation)))) this.#hold(reservation, -1)
  }

  #charge(id: Ids.UsageId, { plan, tenantId }: Payer, due: Nano): Charged {
    if (!plans[plan].deducts) return { charged: due, events: [] }
    const before = this.#balances.of({ tenantId, balance: 0n, reserved: 0n })
    const free = before.balance - before.reserved
    const charged = due < free ? due : free
    if (charged === 0n) return { charged, events: [] }
    const balance = before.balance - charged
    const events = lowEvents(tenantId, before.balance, balance)
    this.#balances.change(before, { balance })
    const entry = { id: this.#nextId(), tenantId, amount: -charged, kind: "inference", ref: id } as const
    this.#entries.push({ ...entry, createdAt: this.#at })
    return { charged, events }
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

/** Whether a request runs under its key. */
export const hasClaimed = (claimed: ClaimDecided): boolean => claimed.error === null && !claimed.isAnswered

/** By subtraction alone: no sum may need more than 64 bits. */
const hasRoom = ({ pending, spent }: PeriodSpending, amount: Nano, limit: Nano | null): boolean =>
  (limit ?? unbounded.credit) - spent - pending >= amount
