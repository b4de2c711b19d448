/**
 * One flush of the ledger, as the program of one transaction: it reads what its operations name, decides them one after the other, and
 * writes what has changed. Source: docs/reference/metering.md#flush.
 */
import * as Effect from "effect/Effect"
import { type Event, type NewEvent, Outbox } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import type { AccountId, ProcessId } from "../PlatformIds.ts"
import { AccountLimits } from "../storage/index.ts"
import { type KeyLimitRequest, RateLimited, untilLeft, windowMs } from "./KeyLimitRequest.ts"
import { type Acquired, LedgerDecision } from "./LedgerDecision.ts"
import { begins, endOf, type LedgerEnd, type Operation, queryOf, releasedBy, withLapsed } from "./LedgerOperation.ts"
import { type LedgerChanges, type LedgerRows, LedgerStore, type ProcessLease } from "./LedgerStore.ts"
import { LimitStore } from "./LimitStore.ts"
import type { Nano } from "./Money.ts"
import * as Month from "./Month.ts"
import { processLeaseMs, type Reservation, type RunningRequests } from "./RunningRequests.ts"

/** What became of an operation. A refusal is an answer too: what else is in its flush stands. */
export interface Answer<A = unknown, E = Event> {
  readonly value: A
  readonly events: ReadonlyArray<E>
}

/** The run of a request has lost its claim: nothing of its end was done. */
export class Lost<out E> {
  readonly error: E

  constructor(error: E) {
    this.error = error
  }
}

/** The answers of a flush, and the changes of the list of running requests once it is committed. */
interface Flushed {
  readonly answers: ReadonlyArray<Answer>
  readonly apply: () => void
}

/** How often a process renews its lease while it runs requests. */
export const renewalMs = processLeaseMs / 4

/**
 * Old rows of a key's minute are removed with every 256th request, at most 1,024 of them: more than were added since, so that they never
 * accumulate. Small flushes, in which nearly every request has a row, remove some with every 16th one too.
 */
const trims = { small: { every: 16, batch: 64 }, large: { every: 256, batch: 1024 } } as const

/** How many old rows are removed after the requests from one number to another. */
const trimmed = (before: number, seq: number): number => {
  const batch = ({ batch, every }: (typeof trims)["small" | "large"]) =>
    (Math.floor(seq / every) - Math.floor(before / every)) * batch
  return batch(trims.large) || (seq - before < trims.small.every ? batch(trims.small) : 0)
}

/** Makes what decides operations, as the program of one transaction. */
export const makeFlush = Effect.fnUntraced(function* (processId: ProcessId, running: RunningRequests) {
  const limits = yield* LimitStore
  const outbox = yield* Outbox
  const store = yield* LedgerStore
  const { keptAnswerBytes: maxKeptBytes } = yield* AccountLimits
  let renewedAt = Number.NEGATIVE_INFINITY

  const queryAt = (operations: ReadonlyArray<Operation>, at: Instant.Instant) =>
    queryOf(operations, { at, processId, running, limitsKeptBytes: maxKeptBytes !== null })

  const load = Effect.fnUntraced(function* (operations: ReadonlyArray<Operation>) {
    const query = queryAt(operations, yield* Instant.now)
    const rows = yield* store.load(query)
    // Read only now: a caller that waited for the lock would otherwise write an instant before that of its predecessor.
    const at = yield* Instant.now
    const hasLeft = rows.oldest.some((request) => request.at <= at - windowMs)
    const isOfMonth = Month.of(query.at) === Month.of(at)
    if (rows.lapsed.length === 0 && !hasLeft && isOfMonth) return { at, query, rows }
    const now = { ...withLapsed(queryAt(operations, at), rows.lapsed), lapsing: [], claims: query.claims }
    const { lapsed, lapsedSlots } = rows
    const again = yield* store.load(now)
    const claimed = [...rows.claimed, ...again.claimed]
    const replaced = [...again.replaced, ...rows.replaced]
    return { at, query: now, rows: { ...again, lapsed, lapsedSlots, claimed, replaced } }
  })

  /** Removes requests that no longer count in the minute of their key. */
  const tidy = Effect.fnUntraced(function* (
    { windows: loaded }: LedgerRows,
    { windows }: LedgerChanges,
    at: Instant.Instant
  ) {
    const before = new Map(loaded.map(({ keyId, seq }) => [keyId, seq]))
    for (const { keyId, seq } of windows) {
      const rows = trimmed(before.get(keyId) ?? 0, seq)
      if (rows > 0) yield* limits.trimRequests(keyId, Instant.plus(at, -windowMs), rows)
    }
  })

  /** Reads when the request leaves the minute that must leave it first. */
  const withWait = ({ keyId }: KeyLimitRequest, { error: { limit }, waitsFor }: Unread, at: Instant.Instant) =>
    Effect.map(limits.requestAt(keyId, waitsFor, Instant.plus(at, -windowMs)), (blocking): Acquired => {
      const retryAfterSeconds = untilLeft(blocking ?? at, at)
      return { error: new RateLimited({ limit, retryAfterSeconds }), waitsFor: null }
    })

  const leaseAt = (at: Instant.Instant): ProcessLease => ({ id: processId, until: Instant.plus(at, processLeaseMs) })

  const flush = Effect.fnUntraced(function* (operations: ReadonlyArray<Operation>) {
    const { at, query, rows } = yield* load(operations)
    // A clock that was set back must not delay a renewal.
    const renews = Math.abs(at - renewedAt) >= renewalMs && operations.some(begins)
    const decision = new LedgerDecision({
      ...{ at, rows, compared: query, running, processId, maxKeptBytes },
      lease: renews ? leaseAt(at) : null,
      nextId: yield* Ids.source
    })
    const outcomes = new Map<Operation, Answer<unknown, NewEvent>>()
    const [billed, ended] = [new Set(rows.billed), new Set<string>()]
    for (const operation of operations) {
      if (operation._tag === "Release slot") decision.releaseSlot(operation.slot.id)
      if (operation._tag !== "End") continue
      const { end } = operation
      const reservation = running.reservation(end.request.id)?.of
      // One end of a request counts.
      const isFirst = reservation !== undefined && !ended.has(reservation.id)
      const isBilled = isFirst && billed.has(reservation.id)
      if (isFirst && !isBilled && end.answer !== null && !decision.hasClaim(end.answer.run)) {
        outcomes.set(operation, { value: new Lost(end.answer.lost), events: [] })
        continue
      }
      if (end.slot !== null) decision.releaseSlot(end.slot.id)
      if (!isFirst) continue
      ended.add(reservation.id)
      if (isBilled) {
        // An earlier end was committed, although the storage said that it was not.
        decision.release(reservation, null)
        continue
      }
      if (end.along !== null) yield* end.along
      if (end.answer !== null) decision.answer(end.answer)
      outcomes.set(operation, settled(decision, end, reservation))
    }
    for (const operation of operations) {
      if (operation._tag === "Admit") {
        const { limits } = operation.admission
        const { acquired, claimed, refused } = decision.admit(operation.admission)
        const value = {
          acquired: isUnread(acquired) ? yield* withWait(limits, acquired, at) : acquired,
          claimed,
          refused
        }
        outcomes.set(operation, { value, events: [] })
      }
      if (operation._tag === "Claim") outcomes.set(operation, { value: decision.claim(operation.run), events: [] })
      if (operation._tag === "Reserve")
        outcomes.set(operation, { value: decision.reserve(operation.request), events: [] })
      if (operation._tag === "Acquire") {
        const acquired = decision.acquire(operation.request)
        const value = isUnread(acquired) ? yield* withWait(operation.request, acquired, at) : acquired
        outcomes.set(operation, { value, events: [] })
      }
      if (operation._tag === "Recover")
        outcomes.set(operation, { value: lapsedOf(operation.tenantId, rows), events: [] })
    }
    const { changes, runningChanges } = decision
    const inOrder = operations.map((operation) => outcomes.get(operation) ?? nothing)
    const events = yield* outbox.append(inOrder.flatMap((outcome) => outcome.events))
    yield* tidy(rows, changes, at)
    yield* store.save(changes)
    let place = 0
    const answers = inOrder.map(({ events: { length }, value }): Answer => {
      place += length
      return { value, events: events.slice(place - length, place) }
    })
    const apply = () => {
      running.apply(runningChanges, query)
      if (renews) renewedAt = at
    }
    return { answers, apply } satisfies Flushed
  })

  return {
    flush,
    /** The transaction of these operations has failed. */
    failed: (operations: ReadonlyArray<Operation>) =>
      Effect.map(Instant.now, (at) => {
        const ends = operations.flatMap(endOf)
        const ended = ends.map(({ request }) => request.id)
        running.failed({ ended, released: operations.flatMap(releasedBy) }, queryAt(operations, at), at)
      }),
    leaseAt,
    renewed: (at: Instant.Instant) => {
      renewedAt = at
    }
  }
})

/** How many requests and slots of an account have lapsed. */
const lapsedOf = (tenantId: AccountId, { lapsed, lapsedSlots }: LedgerRows): number => {
  const isOfAccount = (row: { readonly tenantId: AccountId }) => row.tenantId === tenantId
  const requests = lapsed.filter(isOfAccount).reduce((sum, { running }) => sum + running, 0)
  return lapsedSlots.filter(isOfAccount).reduce((sum, { acquired }) => sum + acquired, requests)
}

const nothing: Answer<null, NewEvent> = { value: null, events: [] }

/** Refused until a request leaves the minute whose instant is still to be read: the limit was lowered. */
type Unread = Extract<Acquired, { readonly error: RateLimited }> & { readonly waitsFor: number }

const isUnread = (acquired: Acquired): acquired is Unread => "waitsFor" in acquired && acquired.waitsFor !== null

const settled = (
  decision: LedgerDecision,
  { due, request, used }: LedgerEnd<unknown>,
  reservation: Reservation
): Answer<Nano, NewEvent> => {
  if (due !== null && used !== null) {
    const { charged, events } = decision.settle(reservation, request.payer, due, used)
    return { value: charged, events }
  }
  decision.release(reservation, used)
  return { value: 0n, events: [] }
}
