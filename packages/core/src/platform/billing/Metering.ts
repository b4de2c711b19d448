/** Reserves the maximum cost of a request before its work, and charges the actual cost after it. Source: docs/reference/metering.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Outbox } from "../events/index.ts"
import type { KeptAnswer } from "../idempotency/index.ts"
import { Instant, traced, tracedFn } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { lock, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { budgetEvent, budgetPeriodOf } from "./BudgetEvents.ts"
import { BudgetStore } from "./BudgetStore.ts"
import type { ConcurrencySlot } from "./KeyLimitRequest.ts"
import { Ledger } from "./Ledger.ts"
import { keyBudgetOf } from "./LedgerDecision.ts"
import type { MeteredRequest, Payer, SpendingRefused, Used } from "./MeteredRequest.ts"
import type { Nano } from "./Money.ts"
import type { Service } from "./Plans.ts"
import { UsageLogStore } from "./UsageLogStore.ts"
import type { UsageDetails } from "./UsageRow.ts"

/** The writes that are committed together with a bill. */
export interface Along<E = never> {
  /** What outlives the answer that is paid for. Where it fails nothing is charged, and the reservation stays. */
  readonly store?: Effect.Effect<void, E | StorageError, Tx>
  /** The answer under an Idempotency-Key. Where its run has lost its claim nothing is charged, and the reservation stays. */
  readonly answer?: KeptAnswer<E> | null
  /** The slot of the request's key, which is released. Its caller sets `isReleased`. */
  readonly slot?: ConcurrencySlot | null
}

/** Rows of the usage log that this process has written, by service and status. */
export interface UsageCount {
  readonly service: Service
  readonly httpStatus: number
  readonly n: number
}

export class Metering extends Context.Service<
  Metering,
  {
    /**
     * Reserves everything or nothing: calls of the plan, credit, the key's budget, the account's monthly budget. Refuses in this
     * order: quota, credit, key budget. No concurrency overdraws a balance, cap or budget. A caller that is interrupted here
     * releases all the same: the reservation may have been made. Source: docs/reference/metering.md#reserve.
     */
    readonly reserve: (request: MeteredRequest) => Effect.Effect<void, SpendingRefused | StorageError>
    /**
     * Charges `due`, releases the rest of the reservation and writes the usage log, in one transaction; a request whose
     * reservation has lapsed is charged as far as there is free credit. Returns what was charged. A second time, or after a
     * release, it does nothing.
     */
    readonly settle: <E = never>(
      request: MeteredRequest,
      due: Nano,
      used: Used,
      along?: Along<E>
    ) => Effect.Effect<Nano, E | StorageError>
    /**
     * Releases a reservation. With `used`, a request that reached an upstream and failed gets its row of the usage log, with zero
     * credits. A second time does nothing.
     */
    readonly release: (request: MeteredRequest, used: UsageDetails | null) => Effect.Effect<void, StorageError>
    /** Writes a row of the usage log, with zero credits, for an attempt after which the request goes on. */
    readonly logAttempt: (
      request: MeteredRequest,
      attempt: { readonly id: Ids.UsageId; readonly used: UsageDetails }
    ) => Effect.Effect<void, StorageError>
    /** The same for callers without a fiber. `done` is called once, later than the call returns. */
    readonly withoutFiber: {
      /** Acquires a slot of the key, and reserves. Returns a function that takes it back where nobody has decided it yet. */
      readonly admit: Ledger["Service"]["withoutFiber"]["admit"]
      /** `settle`, with the slot of the request's key, which is released: its caller sets `isReleased`. */
      readonly settle: <E = never>(
        request: MeteredRequest,
        bill: {
          readonly due: Nano
          readonly used: Used
          readonly slot: ConcurrencySlot | null
          readonly answer: KeptAnswer<E> | null
        },
        done: (exit: Exit.Exit<unknown, E | StorageError>) => void
      ) => void
    }
    /** Releases what processes hold that have died; returns of how many requests and slots. */
    readonly sweep: Ledger["Service"]["sweep"]
    readonly counts: () => ReadonlyArray<UsageCount>
    /** What the counted rows cost, whether or not it was deducted. */
    readonly spent: () => Nano
  }
>()("@trunkline/core/platform/billing/Metering") {
  static readonly layer = Layer.effect(
    Metering,
    Effect.gen(function* () {
      const budgets = yield* BudgetStore
      const ledger = yield* Ledger
      const log = yield* UsageLogStore
      const outbox = yield* Outbox
      const storage = yield* Storage
      const counters = new UsageCounters()

      /** In a transaction of its own: whether a refusal is the last word is known after it. */
      const reportExceeded = Effect.fnUntraced(function* (payer: Payer) {
        const key = keyBudgetOf(payer)
        if (key === null) return []
        const period = budgetPeriodOf(key, yield* Instant.now)
        const { tenantId } = payer
        yield* lock("account", tenantId)
        const spent = yield* budgets.markReported({ ownerId: key.id, period }, "exceeded")
        if (spent === null) return []
        return yield* outbox.append([budgetEvent({ threshold: "exceeded", tenantId, key, period, spent })])
      }, storage.transact)

      const reserve = tracedFn("Metering.reserve")(function* (request: MeteredRequest) {
        const { payer } = request
        yield* ledger
          .reserve(request)
          .pipe(Effect.tapErrorTag("BudgetExceeded", () => Effect.flatMap(reportExceeded(payer), outbox.publish)))
      })

      const settle = tracedFn("Metering.settle")(function* <E = never>(
        request: MeteredRequest,
        due: Nano,
        used: Used,
        { answer = null, slot = null, store }: Along<E> = {}
      ) {
        const { events, value } = yield* ledger.end<E>({ request, due, used, along: store ?? null, answer, slot })
        if (value === null) return 0n
        counters.count(request, used, value)
        yield* outbox.publish(events)
        return value
      })

      const fork = Effect.runForkWith(yield* Effect.context<never>())

      const withoutFiber: Metering["Service"]["withoutFiber"] = {
        admit: ledger.withoutFiber.admit,
        settle: (request, { answer, due, slot, used }, done) =>
          ledger.withoutFiber.end({ request, due, used, along: null, answer, slot }, (exit) => {
            if (Exit.isSuccess(exit) && exit.value.value !== null) {
              counters.count(request, used, exit.value.value)
              if (exit.value.events.length > 0) fork(outbox.publish(exit.value.events))
            }
            done(exit)
          })
      }

      const release = tracedFn("Metering.release")(function* (request: MeteredRequest, used: UsageDetails | null) {
        const { value } = yield* ledger.end({ request, due: null, used, along: null, answer: null, slot: null })
        if (value !== null && used !== null) counters.count(request, used, 0n)
      })

      const logAttempt: Metering["Service"]["logAttempt"] = tracedFn("Metering.logAttempt")(function* (
        request,
        { id, used }
      ) {
        const { payer, service } = request
        const row = { id, service, tenantId: payer.tenantId, keyId: payer.key?.id ?? null }
        yield* storage.transact(log.add({ ...used, ...row, credits: 0n, createdAt: yield* Instant.now }))
        counters.count(request, used, 0n)
      })

      return Metering.of({
        reserve,
        settle,
        release,
        logAttempt,
        withoutFiber,
        sweep: ledger.sweep.pipe(traced("Metering.sweep")),
        counts: () => counters.all(),
        spent: () => counters.spent
      })
    })
  )
}

/** Counts rows of the usage log that are committed, for the metrics of this process. */
class UsageCounters {
  readonly #counts = new Map<string, UsageCount>()
  spent: Nano = 0n

  count({ service }: MeteredRequest, { httpStatus }: UsageDetails, charged: Nano): void {
    const name = `${service} ${httpStatus}`
    this.#counts.set(name, { service, httpStatus, n: (this.#counts.get(name)?.n ?? 0) + 1 })
    this.spent += charged
  }

  all(): ReadonlyArray<UsageCount> {
    return [...this.#counts.values()]
  }
}
