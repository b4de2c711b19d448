/**
 * What the requests that this process runs have reserved and acquired. Their sums stand in the database, one row for each account or key,
 * service, month and period, and not a row for each request. Each flush of the ledger compares the rows that it changes with the sums
 * that are known here: a row that is missing has lapsed, and one that differs was changed by a commit of which this process has heard
 * nothing. Pure. Source: docs/reference/metering.md#expiry.
 */
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Nano } from "./Money.ts"
import type { Month } from "./Month.ts"
import type { Service } from "./Plans.ts"

/** How long what a process holds outlasts the last renewal of its lease, in milliseconds. */
export const processLeaseMs = 20 * Instant.second

/** The part of an account's counters that is reserved, and of a key's where it has a budget. */
export interface Held {
  readonly tenantId: Ids.AccountId
  /** The key where it has a budget, else the account. */
  readonly ownerId: Ids.KeyId | Ids.AccountId
  readonly service: Service
  /** In which it was reserved: it counts there, whenever it ends. */
  readonly month: Month
  /** Of the key's budget: a month, or `total`; `none` where it has none. */
  readonly period: string
  /** Reserved of the plan. */
  readonly calls: number
  /** Reserved of the budgets. */
  readonly amount: Nano
  /** Reserved of the balance: nothing where the plan deducts nothing. */
  readonly reserved: Nano
}

/** The reservation of a running request. */
export interface Reservation extends Held {
  readonly id: Ids.UsageId
  readonly keyId: Ids.KeyId | null
}

/** What a process holds for its running requests, in sum. */
export interface ProcessHold extends Held {
  readonly running: number
}

/** By what sums differ. */
export type HoldName = Pick<Held, "tenantId" | "ownerId" | "service" | "month" | "period">

/** The name of a sum as a text. */
export const holdName = ({ month, ownerId, period, service, tenantId }: HoldName): string =>
  `${tenantId} ${ownerId} ${service} ${month} ${period}`

export const noHold = ({ month, ownerId, period, service, tenantId }: HoldName): ProcessHold => ({
  ...{ tenantId, ownerId, service, month, period },
  ...{ running: 0, calls: 0, amount: 0n, reserved: 0n }
})

/** A sum with one more, or with one less. */
export const addHeld = (hold: ProcessHold, { amount, calls, reserved }: Held, by: 1 | -1): ProcessHold => ({
  ...hold,
  running: hold.running + by,
  calls: hold.calls + by * calls,
  amount: hold.amount + BigInt(by) * amount,
  reserved: hold.reserved + BigInt(by) * reserved
})

export const isSameHold = (one: ProcessHold, other: ProcessHold): boolean =>
  one.running === other.running &&
  one.calls === other.calls &&
  one.amount === other.amount &&
  one.reserved === other.reserved

export interface AcquiredSlot {
  readonly id: Ids.UsageId
  readonly tenantId: Ids.AccountId
  readonly keyId: Ids.KeyId
}

/** A request that runs, or a slot that is acquired. */
interface Running<A> {
  readonly of: A
  /** Everything that it held was released, because the process has not renewed its lease. */
  hasLapsed: boolean
  /** After an end that failed: when nobody will try again. Null before it. */
  forgottenAt: Instant.Instant | null
}

/** What a flush changes when it is committed. */
export interface RunningChanges {
  readonly began: ReadonlyArray<Reservation>
  readonly ended: ReadonlyArray<Ids.UsageId>
  readonly acquired: ReadonlyArray<AcquiredSlot>
  readonly released: ReadonlyArray<Ids.UsageId>
  /** Names of sums, and keys, whose rows were missing. */
  readonly lapsed: ReadonlySet<string>
  readonly lapsedKeys: ReadonlySet<Ids.KeyId>
}

/** The key of slots, and its account. */
export type SlotKey = Pick<AcquiredSlot, "keyId" | "tenantId">

/** Rows that a flush compares with the running requests. */
export interface ComparedRows {
  readonly holds: ReadonlyArray<HoldName>
  readonly slots: ReadonlyArray<SlotKey>
}

const begun = <A>(of: A): Running<A> => ({ of, hasLapsed: false, forgottenAt: null })

export class RunningRequests {
  #reservations = new Map<Ids.UsageId, Running<Reservation>>()
  readonly #holds = new Map<string, ProcessHold>()
  #slots = new Map<Ids.UsageId, Running<AcquiredSlot>>()
  /** Since the maps of requests and slots were made. */
  #removals = 0
  readonly #counts = new Map<Ids.KeyId, number>()
  readonly #doubtfulHolds = new Map<string, HoldName>()
  readonly #doubtfulSlots = new Map<Ids.KeyId, SlotKey>()

  /** True while there is something for which the process must renew its lease. */
  get isBusy(): boolean {
    return this.#reservations.size > 0 || this.#slots.size > 0
  }

  /** True where nothing runs and no row is in doubt. */
  get isIdle(): boolean {
    return !this.isBusy && this.#doubtfulHolds.size === 0 && this.#doubtfulSlots.size === 0
  }

  /** Null for a request that has ended, and for one that was never admitted here. */
  reservation(id: Ids.UsageId): Readonly<Running<Reservation>> | null {
    return this.#reservations.get(id) ?? null
  }

  slot(id: Ids.UsageId): Readonly<Running<AcquiredSlot>> | null {
    return this.#slots.get(id) ?? null
  }

  /** The hold with a name. */
  hold(name: HoldName): ProcessHold {
    return this.#holds.get(holdName(name)) ?? noHold(name)
  }

  /** How many slots of a key are acquired. */
  slots(keyId: Ids.KeyId): number {
    return this.#counts.get(keyId) ?? 0
  }

  /** Rows of an account of which a flush has failed since they were compared. */
  doubtful(tenantId: Ids.AccountId): ComparedRows {
    const isOfAccount = (row: Pick<Held, "tenantId">) => row.tenantId === tenantId
    return {
      holds: [...this.#doubtfulHolds.values()].filter(isOfAccount),
      slots: [...this.#doubtfulSlots.values()].filter(isOfAccount)
    }
  }

  /** A flush was committed that has compared these rows. */
  apply({ acquired, began, ended, lapsed, lapsedKeys, released }: RunningChanges, compared: ComparedRows): void {
    for (const name of lapsed) this.#lapse(name)
    for (const keyId of lapsedKeys) this.#lapseSlots(keyId)
    for (const id of ended) this.#end(id)
    for (const id of released) this.#release(id)
    for (const one of began) {
      this.#reservations.set(one.id, begun(one))
      this.#sum(addHeld(this.hold(one), one, 1))
    }
    for (const one of acquired) {
      this.#slots.set(one.id, begun(one))
      this.#counts.set(one.keyId, this.slots(one.keyId) + 1)
    }
    for (const name of compared.holds) this.#doubtfulHolds.delete(holdName(name))
    for (const { keyId } of compared.slots) this.#doubtfulSlots.delete(keyId)
    this.#renewMaps(ended.length + released.length)
  }

  /**
   * V8 links the tables that a map has outgrown, so that one of them in the old generation keeps all that were removed after it until the
   * next full collection. A new map has no such link.
   */
  #renewMaps(removals: number): void {
    this.#removals += removals
    if (this.#removals < Math.max(1000, this.#reservations.size + this.#slots.size)) return
    this.#removals = 0
    this.#reservations = new Map(this.#reservations)
    this.#slots = new Map(this.#slots)
  }

  /**
   * A flush has failed, which may have been committed all the same: its rows are in doubt. An end that is not tried again within the
   * time of a lease is forgotten then.
   */
  failed(ends: Pick<RunningChanges, "ended" | "released">, { holds, slots }: ComparedRows, at: Instant.Instant): void {
    const forgottenAt = Instant.plus(at, processLeaseMs)
    for (const id of ends.ended) {
      const one = this.#reservations.get(id)
      if (one !== undefined) one.forgottenAt = forgottenAt
    }
    for (const id of ends.released) {
      const one = this.#slots.get(id)
      if (one !== undefined) one.forgottenAt = forgottenAt
    }
    for (const name of holds) this.#doubtfulHolds.set(holdName(name), name)
    for (const slot of slots) this.#doubtfulSlots.set(slot.keyId, slot)
  }

  /** Forgets requests and slots whose end has failed for good. Returns the accounts of which rows are in doubt. */
  forget(at: Instant.Instant): ReadonlyArray<Ids.AccountId> {
    const isOver = ({ forgottenAt }: Running<unknown>) => forgottenAt !== null && forgottenAt <= at
    for (const one of [...this.#reservations.values()].filter(isOver)) {
      this.#doubtfulHolds.set(holdName(one.of), one.of)
      this.#end(one.of.id)
    }
    for (const one of [...this.#slots.values()].filter(isOver)) {
      this.#doubtfulSlots.set(one.of.keyId, one.of)
      this.#release(one.of.id)
    }
    const rows = [...this.#doubtfulHolds.values(), ...this.#doubtfulSlots.values()]
    return [...new Set(rows.map(({ tenantId }) => tenantId))]
  }

  #sum(hold: ProcessHold): void {
    if (hold.running === 0) this.#holds.delete(holdName(hold))
    else this.#holds.set(holdName(hold), hold)
  }

  #end(id: Ids.UsageId): void {
    const one = this.#reservations.get(id)
    this.#reservations.delete(id)
    if (one !== undefined && !one.hasLapsed) this.#sum(addHeld(this.hold(one.of), one.of, -1))
  }

  #release(id: Ids.UsageId): void {
    const one = this.#slots.get(id)
    this.#slots.delete(id)
    if (one === undefined || one.hasLapsed) return
    const left = this.slots(one.of.keyId) - 1
    if (left === 0) this.#counts.delete(one.of.keyId)
    else this.#counts.set(one.of.keyId, left)
  }

  #lapse(name: string): void {
    this.#holds.delete(name)
    for (const one of this.#reservations.values()) if (holdName(one.of) === name) one.hasLapsed = true
  }

  #lapseSlots(keyId: Ids.KeyId): void {
    this.#counts.delete(keyId)
    for (const one of this.#slots.values()) if (one.of.keyId === keyId) one.hasLapsed = true
  }
}
