/** The operations of the ledger, and which rows a flush of them reads. Pure. */
import type * as Effect from "effect/Effect"
import { type AskedRun, begunRun, type KeptAnswer, type KeyedRun } from "../idempotency/index.ts"
import { Instant } from "../kernel/index.ts"
import type { AccountId, ProcessId, UsageId } from "../PlatformIds.ts"
import type { StorageError, Tx } from "../storage/index.ts"
import { lifetime } from "./BudgetEvents.ts"
import { type ConcurrencySlot, type KeyLimitRequest, windowMs } from "./KeyLimitRequest.ts"
import { holdNameOf, type LedgerAdmission } from "./LedgerDecision.ts"
import { runName } from "./LedgerRuns.ts"
import type { LedgerQuery } from "./LedgerStore.ts"
import type { MeteredRequest, Used } from "./MeteredRequest.ts"
import type { Nano } from "./Money.ts"
import { type HoldName, holdName, type Reservation, type RunningRequests, type SlotKey } from "./RunningRequests.ts"

/** The end of a request. */
export interface LedgerEnd<E = never> {
  readonly request: MeteredRequest
  /** What it costs; null where it is released. */
  readonly due: Nano | null
  /** What it used, for the log; null for a request that reached no upstream. */
  readonly used: Used | null
  /** Committed with it: the answer that is paid for. */
  readonly along: Effect.Effect<void, E | StorageError, Tx> | null
  /** The answer under its Idempotency-Key, which is stored with it; null where it has none. A run that has lost its claim ends nothing. */
  readonly answer: KeptAnswer<E> | null
  /** The slot of its key, which is released with it. */
  readonly slot: ConcurrencySlot | null
}

export type Operation =
  | { readonly _tag: "Admit"; readonly admission: LedgerAdmission }
  | { readonly _tag: "Acquire"; readonly request: KeyLimitRequest }
  | { readonly _tag: "Claim"; readonly run: AskedRun }
  | { readonly _tag: "Reserve"; readonly request: MeteredRequest }
  | { readonly _tag: "End"; readonly end: LedgerEnd<unknown> }
  | { readonly _tag: "Release slot"; readonly slot: ConcurrencySlot }
  /** Removes what has lapsed of an account, and compares rows that are in doubt. */
  | { readonly _tag: "Recover"; readonly tenantId: AccountId }

/** Whether the caller of an operation waits until a power cut cannot undo it. */
export const mustLast = (operation: Operation): boolean =>
  operation._tag === "End" && operation.end.request.durability !== "relaxed"

const unique = <A>(values: Iterable<A>): ReadonlyArray<A> => [...new Set(values)]

export const tenantOf = (operation: Operation): AccountId => {
  switch (operation._tag) {
    case "Admit":
      return operation.admission.reserve.payer.tenantId
    case "Acquire":
      return operation.request.tenantId
    case "Claim":
      return operation.run.tenantId
    case "Reserve":
      return operation.request.payer.tenantId
    case "End":
      return operation.end.request.payer.tenantId
    case "Release slot":
      return operation.slot.tenantId
    case "Recover":
      return operation.tenantId
  }
}

type Counted = Pick<LedgerQuery, "accounts" | "owners" | "services" | "months" | "periods">

/** The counters in which holds under these names count. */
const countersOf = (names: ReadonlyArray<HoldName>): Counted => ({
  accounts: unique(names.map(({ tenantId }) => tenantId)),
  owners: unique(names.flatMap(({ ownerId, tenantId }) => [tenantId, ownerId])),
  services: unique(names.map(({ service }) => service)),
  months: unique(names.map(({ month }) => month)),
  periods: unique(names.flatMap(({ month, period }) => (period === "none" ? [month] : [month, period])))
})

const both = (one: Counted, other: Counted): Counted => ({
  accounts: unique([...one.accounts, ...other.accounts]),
  owners: unique([...one.owners, ...other.owners]),
  services: unique([...one.services, ...other.services]),
  months: unique([...one.months, ...other.months]),
  periods: unique([...one.periods, ...other.periods])
})

/** What keys have spent is counted for the month and their lifetime, whether or not they have a budget. */
const countersOfKeys = (ending: ReadonlyArray<Pick<Reservation, "keyId" | "month">>): Counted => {
  const ofKeys = ending.filter(({ keyId }) => keyId !== null)
  const periods = ofKeys.length === 0 ? [] : [...ofKeys.map(({ month }) => month), lifetime]
  return { ...countersOf([]), owners: unique(ofKeys.flatMap(({ keyId }) => keyId ?? [])), periods: unique(periods) }
}

/** A query that also reads the counters of what has lapsed. */
export const withLapsed = (query: LedgerQuery, lapsed: ReadonlyArray<HoldName>): LedgerQuery => ({
  ...query,
  ...both(query, countersOf(lapsed))
})

/** What an operation reserves. */
const reservedBy = (operation: Operation): ReadonlyArray<MeteredRequest> => {
  if (operation._tag === "Admit") return [operation.admission.reserve]
  return operation._tag === "Reserve" ? [operation.request] : []
}

/** What an operation acquires of a key. */
const acquiredBy = (operation: Operation): ReadonlyArray<KeyLimitRequest> => {
  if (operation._tag === "Admit") return [operation.admission.limits]
  return operation._tag === "Acquire" ? [operation.request] : []
}

/** The run that an operation claims a key for. */
const claimedBy = (operation: Operation): ReadonlyArray<AskedRun> => {
  if (operation._tag === "Claim") return [operation.run]
  return operation._tag === "Admit" && operation.admission.run !== null ? [operation.admission.run] : []
}

/** The claims of those that ask first for their keys. */
const firstClaims = (operations: ReadonlyArray<Operation>, at: Instant.Instant): ReadonlyArray<KeyedRun> => {
  const first = new Map<string, KeyedRun>()
  for (const run of operations.flatMap(claimedBy)) {
    const name = runName(run)
    if (!first.has(name)) first.set(name, begunRun(run, at))
  }
  return [...first.values()]
}

export const endOf = (operation: Operation): ReadonlyArray<LedgerEnd<unknown>> =>
  operation._tag === "End" ? [operation.end] : []

/** The slot that an operation releases. */
export const releasedBy = (operation: Operation): ReadonlyArray<UsageId> => {
  if (operation._tag === "Release slot") return [operation.slot.id]
  return operation._tag === "End" && operation.end.slot !== null ? [operation.end.slot.id] : []
}

/** Whether an operation begins something that the lease of the process is for. */
export const begins = ({ _tag }: Operation): boolean => _tag === "Admit" || _tag === "Acquire" || _tag === "Reserve"

interface QueryStart {
  readonly at: Instant.Instant
  readonly processId: ProcessId
  readonly running: RunningRequests
  /** Whether there is a limit to the bytes of kept answers. */
  readonly limitsKeptBytes: boolean
}

export const queryOf = (
  operations: ReadonlyArray<Operation>,
  { at, limitsKeptBytes, processId, running }: QueryStart
): LedgerQuery => {
  const reserves = operations.flatMap(reservedBy).map((request) => holdNameOf(request, at))
  const acquires = operations.flatMap(acquiredBy)
  const ending = operations.flatMap(endOf).flatMap(({ request }) => running.reservation(request.id) ?? [])
  const released = operations.flatMap(releasedBy).flatMap((id) => running.slot(id)?.of ?? [])
  const recovered = operations.flatMap((one) => (one._tag === "Recover" ? [one.tenantId] : []))
  const doubtful = recovered.map((tenantId) => running.doubtful(tenantId))
  const holds = new Map(
    [...reserves, ...ending.map(({ of }) => of), ...doubtful.flatMap((rows) => rows.holds)].map((name) => [
      holdName(name),
      name
    ])
  )
  const slots = new Map<string, SlotKey>(
    [...acquires, ...released, ...doubtful.flatMap((rows) => rows.slots)].map((slot) => [slot.keyId, slot])
  )
  const names = [...holds.values()]
  const claims = firstClaims(operations, at)
  return {
    processId,
    locked: unique(operations.map(tenantOf)).toSorted(),
    at,
    windowStart: Instant.plus(at, -windowMs),
    ...both(countersOf(names), countersOfKeys(ending.map(({ of }) => of))),
    remembered: unique(acquires.flatMap(({ tenantId, version = null }) => (version === null ? [] : [tenantId]))),
    keys: unique(acquires.map(({ keyId }) => keyId)),
    holds: names,
    slots: [...slots.values()],
    lapsing: recovered,
    doubted: ending.flatMap(({ forgottenAt, of }) => (forgottenAt === null ? [] : [of.id])),
    claims,
    answering: operations.flatMap(endOf).flatMap(({ answer }) => (answer === null ? [] : [answer.run])),
    keptBytesOf: limitsKeptBytes ? unique(claims.map(({ tenantId }) => tenantId)) : []
  }
}
