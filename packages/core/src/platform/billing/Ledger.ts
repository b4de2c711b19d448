/**
 * The one writer of what requests reserve and are charged. One flush takes all requests that wait, as one transaction: it reads
 * the counters that they name, decides one after the other, and writes each counter once. Ends come first, because what they
 * release is free for those that ask. Source: docs/reference/metering.md#flush.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { type Event, type NewEvent, Outbox } from "../events/index.ts"
import { guarded, Ids, Instant } from "../kernel/index.ts"
import type { AccountId } from "../PlatformIds.ts"
import { Storage, StorageError, type Tx } from "../storage/index.ts"
import { budgetPeriodOf } from "./BudgetEvents.ts"
import {
  type AccessChanged,
  type Allowance,
  type ConcurrencySlot,
  type KeyLimitRequest,
  RateLimited,
  type TooManyAtOnce,
  untilLeft,
  windowMs
} from "./KeyLimitRequest.ts"
import {
  type Acquired,
  keyBudgetOf,
  type LedgerAdmission,
  type LedgerAdmitted,
  LedgerDecision
} from "./LedgerDecision.ts"
import { LedgerQueue, type WaitingFor } from "./LedgerQueue.ts"
import { type LedgerChanges, type LedgerQuery, type LedgerRows, LedgerStore } from "./LedgerStore.ts"
import { LimitStore } from "./LimitStore.ts"
import type { MeteredRequest, SpendingRefused, Used } from "./MeteredRequest.ts"
import type { Nano } from "./Money.ts"
import * as Month from "./Month.ts"
import type { Reservation } from "./ReservationStore.ts"

/** The end of a request. */
export interface LedgerEnd<E = never> {
  readonly request: MeteredRequest
  /** What it costs; null where it is released. */
  readonly due: Nano | null
  /** What it used, for the log; null for a request that reached no upstream. */
  readonly used: Used | null
  /** Committed with it: the answer that is paid for. */
  readonly along: Effect.Effect<void, E | StorageError, Tx> | null
  /** The slot of its key, which is released with it. */
  readonly slot: ConcurrencySlot | null
}

/** What became of the end of a request: what was charged, null where it had ended already, and events that are still to be published. */
export type LedgerEnded = Answer<Nano | null>

type Operation =
  | { readonly _tag: "Admit"; readonly admission: LedgerAdmission }
  | { readonly _tag: "Acquire"; readonly request: KeyLimitRequest }
  | { readonly _tag: "Reserve"; readonly request: MeteredRequest }
  | { readonly _tag: "End"; readonly end: LedgerEnd<unknown> }
  | { readonly _tag: "Release slot"; readonly slot: ConcurrencySlot }

/** What became of an operation. A refusal is an answer too: what else is in its flush stands. */
interface Answer<A = unknown, E = Event> {
  readonly value: A
  readonly events: ReadonlyArray<E>
}

type Waiting = WaitingFor<Operation, Answer>

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

export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Acquires one request of the key's minute and one of its slots, or neither. Null where there is no limit a minute. A remembered
     * key or account that has changed is refused before anything else.
     */
    readonly acquire: (
      request: KeyLimitRequest
    ) => Effect.Effect<Allowance | null, AccessChanged | RateLimited | TooManyAtOnce | StorageError>
    /** Reserves everything or nothing. */
    readonly reserve: (request: MeteredRequest) => Effect.Effect<void, SpendingRefused | StorageError>
    /**
     * Ends a request, once: null where it has ended already, else what was charged. Succeeds when a power cut cannot undo it,
     * unless the request says that its bill is relaxed. Where `along` fails nothing is changed. The events are still to be published.
     */
    readonly end: <E = never>(end: LedgerEnd<E>) => Effect.Effect<LedgerEnded, E | StorageError>
    readonly releaseSlot: (slot: ConcurrencySlot) => Effect.Effect<void, StorageError>
    /**
     * The same as `acquire` with `reserve` after it, and as `end`, for callers without a fiber. `done` is called once, after the call
     * has returned.
     */
    readonly withoutFiber: {
      /**
       * The function that it returns takes back an admission that no flush has taken yet, of which `done` is not called then. It
       * returns whether it has taken it back.
       */
      readonly admit: (
        admission: LedgerAdmission,
        done: (exit: Exit.Exit<LedgerAdmitted, StorageError>) => void
      ) => () => boolean
      readonly end: (end: LedgerEnd, done: (exit: Exit.Exit<LedgerEnded, StorageError>) => void) => void
    }
  }
>()("@trunkline/core/platform/billing/Ledger") {
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const storage = yield* Storage
      const flushOf = yield* makeFlush
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const relaxed = storage.transactWith({ durability: "relaxed" })

      const answer = (group: ReadonlyArray<Waiting>, exit: Exit.Exit<ReadonlyArray<Answer>, unknown>) => {
        for (const [nth, { settle }] of group.entries()) settle(Exit.map(exit, (answers) => answers[nth]!))
      }

      /** Those that must last wait for a turn of the disk, which they share; the next flush does not. */
      const committed = (group: ReadonlyArray<Waiting>, answers: ReadonlyArray<Answer>) => {
        const part = (which: boolean) => {
          const has = (_: unknown, nth: number) => mustLast(group[nth]!.operation) === which
          return [group.filter(has), answers.filter(has)] as const
        }
        const [quick, quickAnswers] = part(false)
        answer(quick, Exit.succeed(quickAnswers))
        const [lasting, lastingAnswers] = part(true)
        if (lasting.length === 0) return
        run(
          Effect.map(Effect.exit(storage.durable), (exit) =>
            answer(
              lasting,
              Exit.map(exit, () => lastingAnswers)
            )
          )
        )
      }

      /** Runs the operations, and succeeds with what answers them. */
      const flush = (group: ReadonlyArray<Waiting>): Effect.Effect<() => void> => {
        const [first] = group
        const program = flushOf(group.map(({ operation }) => operation))
        // What is alone waits for nobody, and its commit is its turn of the disk.
        if (group.length === 1)
          return Effect.map(
            Effect.exit(mustLast(first!.operation) ? storage.transact(program) : relaxed(program)),
            (exit) => () => answer(group, exit)
          )
        return Effect.matchCauseEffect(relaxed(program), {
          onSuccess: (answers) => Effect.succeed(() => committed(group, answers)),
          onFailure: (cause) =>
            isOfAll(cause)
              ? Effect.succeed(() => answer(group, Exit.failCause(cause)))
              : // One of them cannot be written, or may not be: alone it takes nobody else with it.
                Effect.map(
                  Effect.forEach(group, (one) => flush([one])),
                  (answers) => () => {
                    for (const one of answers) one()
                  }
                )
        })
      }

      const queue: LedgerQueue<Waiting> = new LedgerQueue(
        (turn) => run(Effect.andThen(Effect.yieldNow, Effect.sync(turn))),
        (group) =>
          run(
            Effect.matchCause(flush(group), {
              // The flush has ended before its callers go on: what they ask for next need not wait for it.
              onSuccess: (answered) => {
                queue.end(group)
                answered()
              },
              onFailure: (cause) => {
                queue.end(group)
                answer(group, Exit.failCause(cause))
              }
            })
          )
      )

      /** Adds an operation, and returns the function that removes it while it waits. */
      const add = <A, E>(operation: Operation, settle: (exit: Exit.Exit<Answer<A>, E | StorageError>) => void) => {
        const waiting: Waiting = {
          tenantId: tenantOf(operation),
          operation,
          settle: settle as Waiting["settle"]
        }
        queue.add(waiting)
        return () => queue.remove(waiting)
      }

      const ask = <A, E>(operation: Operation) =>
        Effect.callback<Answer<A>, E | StorageError>((resume) => {
          const remove = add<A, E>(operation, resume)
          return Effect.sync(remove)
        })

      /** Not before `add` has returned: what comes alone is answered within it where the storage answers at once. */
      const later = <A>(done: (answer: A) => void) => {
        const call = guarded(done, (fault) => {
          run(Effect.logError("A function failed that the ledger called with an answer", Cause.die(fault)))
        })
        return (answer: A) => queueMicrotask(() => call(answer))
      }

      return Ledger.of({
        acquire: (request) =>
          Effect.flatMap(ask<Acquired, never>({ _tag: "Acquire", request }), ({ value }) =>
            value.error === null ? Effect.succeed(value.allowance) : Effect.fail(value.error)
          ),
        reserve: (request) =>
          Effect.flatMap(ask<SpendingRefused | null, never>({ _tag: "Reserve", request }), ({ value }) =>
            value === null ? Effect.void : Effect.fail(value)
          ),
        end: <E>(end: LedgerEnd<E>) => ask<Nano | null, E>({ _tag: "End", end }),
        releaseSlot: (slot) => Effect.asVoid(ask<null, never>({ _tag: "Release slot", slot })),
        withoutFiber: {
          admit: (admission, done) =>
            add<LedgerAdmitted, never>(
              { _tag: "Admit", admission },
              later((exit) => done(Exit.map(exit, ({ value }) => value)))
            ),
          end: (end, done) => void add<Nano | null, never>({ _tag: "End", end }, later(done))
        }
      })
    })
  )
}

/** Whether the caller of an operation waits until a power cut cannot undo it. */
const mustLast = (operation: Operation): boolean =>
  operation._tag === "End" && operation.end.request.durability !== "relaxed"

/** Each operation would fail alone too: the storage is not there, is full, or does not answer in time. */
const isOfAll = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.findErrorOption(cause)
  return error._tag === "Some" && error.value instanceof StorageError && error.value.reason !== "defect"
}

/** Makes what decides operations, as the program of one transaction. */
const makeFlush = Effect.gen(function* () {
  const limits = yield* LimitStore
  const outbox = yield* Outbox
  const store = yield* LedgerStore

  const load = Effect.fnUntraced(function* (operations: ReadonlyArray<Operation>) {
    const query = queryOf(operations, yield* Instant.now)
    const rows = yield* store.load(query)
    // Read only now: a caller that waited for the lock would otherwise write an instant before that of its predecessor.
    const at = yield* Instant.now
    const unexpected = rows.ended.filter((reservation) => !covers(query, reservation))
    const hasLeft = rows.oldest.some((request) => request.at <= at - windowMs)
    if (unexpected.length === 0 && !hasLeft && query.months[0] === Month.of(at)) return { at, rows }
    const now = withReservations(queryOf(operations, at), unexpected)
    return { at, rows: { ...(yield* store.load({ ...now, ending: [], released: [] })), ended: rows.ended } }
  })

  /** Removes what no longer counts. */
  const tidy = Effect.fnUntraced(function* (
    { slots, windows: loaded }: LedgerRows,
    { windows }: LedgerChanges,
    at: Instant.Instant
  ) {
    const before = new Map(loaded.map(({ keyId, seq }) => [keyId, seq]))
    for (const { keyId, seq } of windows) {
      const rows = trimmed(before.get(keyId) ?? 0, seq)
      if (rows > 0) yield* limits.trimRequests(keyId, Instant.plus(at, -windowMs), rows)
    }
    for (const { acquired, keyId, stored } of slots) if (acquired < stored) yield* limits.removeExpiredSlots(keyId, at)
  })

  /** Reads when the request leaves the minute that must leave it first. */
  const withWait = ({ keyId }: KeyLimitRequest, { error: { limit }, waitsFor }: Unread, at: Instant.Instant) =>
    Effect.map(limits.requestAt(keyId, waitsFor, Instant.plus(at, -windowMs)), (blocking): Acquired => {
      const retryAfterSeconds = untilLeft(blocking ?? at, at)
      return { error: new RateLimited({ limit, retryAfterSeconds }), waitsFor: null }
    })

  return Effect.fnUntraced(function* (operations: ReadonlyArray<Operation>) {
    const { at, rows } = yield* load(operations)
    const reservations = new Map<string, Reservation>(rows.ended.map((one) => [one.id, one]))
    const decision = new LedgerDecision({ at, rows, nextId: yield* Ids.source })
    const outcomes = new Map<Operation, Answer<unknown, NewEvent>>()
    for (const operation of operations) {
      if (operation._tag !== "End") continue
      const { end } = operation
      const reservation = reservations.get(end.request.id)
      if (reservation === undefined) continue
      if (end.along !== null) yield* end.along
      outcomes.set(operation, ended(decision, end, reservation))
      // One end of a request counts.
      reservations.delete(reservation.id)
    }
    for (const operation of operations) {
      if (operation._tag === "Admit") {
        const { limits } = operation.admission
        const { acquired, refused } = decision.admit(operation.admission)
        const value = { acquired: isUnread(acquired) ? yield* withWait(limits, acquired, at) : acquired, refused }
        outcomes.set(operation, { value, events: [] })
      }
      if (operation._tag === "Reserve")
        outcomes.set(operation, { value: decision.reserve(operation.request), events: [] })
      if (operation._tag === "Acquire") {
        const acquired = decision.acquire(operation.request)
        const value = isUnread(acquired) ? yield* withWait(operation.request, acquired, at) : acquired
        outcomes.set(operation, { value, events: [] })
      }
    }
    const { changes } = decision
    const inOrder = operations.map((operation) => outcomes.get(operation) ?? nothing)
    const events = yield* outbox.append(inOrder.flatMap((outcome) => outcome.events))
    yield* tidy(rows, changes, at)
    yield* store.save(changes)
    let place = 0
    return inOrder.map(({ events: { length }, value }): Answer => {
      place += length
      return { value, events: events.slice(place - length, place) }
    })
  })
})

const nothing: Answer<null, NewEvent> = { value: null, events: [] }

/** Refused until a request leaves the minute whose instant is still to be read: the limit was lowered. */
type Unread = Extract<Acquired, { readonly error: RateLimited }> & { readonly waitsFor: number }

const isUnread = (acquired: Acquired): acquired is Unread => "waitsFor" in acquired && acquired.waitsFor !== null

const ended = (
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

const unique = <A>(values: Iterable<A>): ReadonlyArray<A> => [...new Set(values)]

const tenantOf = (operation: Operation): AccountId => {
  switch (operation._tag) {
    case "Admit":
      return operation.admission.reserve.payer.tenantId
    case "Acquire":
      return operation.request.tenantId
    case "Reserve":
      return operation.request.payer.tenantId
    case "End":
      return operation.end.request.payer.tenantId
    case "Release slot":
      return operation.slot.tenantId
  }
}

/** A request that ends may have begun in the month before. */
const monthsOf = (at: Instant.Instant, hasEnds: boolean): ReadonlyArray<Month.Month> => {
  const month = Month.of(at)
  return hasEnds ? [month, Month.of(Instant.plus(Month.startOf(month), -1))] : [month]
}

/** Whether a query reads all counters that the end of a reservation changes. */
const covers = ({ months, owners, periods, services }: LedgerQuery, reservation: Reservation): boolean => {
  const { keyId, month, period, service } = reservation
  const ofKey = keyId === null || period === null || (owners.includes(keyId) && periods.includes(period))
  return ofKey && months.includes(month) && services.includes(service)
}

/** The same query with the counters of reservations of long ago. */
const withReservations = (query: LedgerQuery, reservations: ReadonlyArray<Reservation>): LedgerQuery => {
  const months = reservations.map(({ month }) => month)
  const budgets = reservations.filter(({ period }) => period !== null)
  return {
    ...query,
    months: unique([...query.months, ...months]),
    periods: unique([...query.periods, ...months, ...budgets.map(({ period }) => period!)]),
    owners: unique([...query.owners, ...budgets.flatMap(({ keyId }) => keyId ?? [])]),
    services: unique([...query.services, ...reservations.map(({ service }) => service)])
  }
}

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

const queryOf = (operations: ReadonlyArray<Operation>, at: Instant.Instant): LedgerQuery => {
  const reserves = operations.flatMap(reservedBy)
  const acquires = operations.flatMap(acquiredBy)
  const ends = operations.flatMap((one) => (one._tag === "End" ? [one.end] : []))
  const slots = operations.flatMap((one) => (one._tag === "Release slot" ? [one.slot] : []))
  const metered = [...reserves, ...ends.map(({ request }) => request)]
  const budgets = metered.flatMap(({ payer }) => keyBudgetOf(payer) ?? [])
  const months = monthsOf(at, ends.length > 0)
  const accounts = unique(metered.map(({ payer }) => payer.tenantId))
  return {
    locked: unique(operations.map(tenantOf)).toSorted(),
    at,
    windowStart: Instant.plus(at, -windowMs),
    accounts,
    owners: [...accounts, ...unique(budgets.map(({ id }) => id))],
    services: unique(metered.map(({ service }) => service)),
    months,
    periods: unique([...months, ...budgets.map((key) => budgetPeriodOf(key, at))]),
    remembered: unique(acquires.flatMap(({ tenantId, version = null }) => (version === null ? [] : [tenantId]))),
    keys: unique(acquires.map(({ keyId }) => keyId)),
    ending: unique(ends.map(({ request }) => request.id)),
    released: [...slots, ...ends.flatMap(({ slot }) => slot ?? [])].map(({ id, keyId }) => ({ id, keyId }))
  }
}
