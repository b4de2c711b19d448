/** Reserves the maximum cost of a request before its work, and charges the actual cost after it. Source: docs/reference/metering.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type NewEvent, Outbox } from "../events/index.ts"
import { Instant, traced, tracedFn } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { lock, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { budgetEvent, budgetPeriodOf, type KeyBudget, thresholdsReached } from "./BudgetEvents.ts"
import { type BudgetState, BudgetStore } from "./BudgetStore.ts"
import { CreditStore } from "./CreditStore.ts"
import { Credits, type Spender } from "./Credits.ts"
import type { Nano } from "./Money.ts"
import * as Month from "./Month.ts"
import { capOf, isCounted, plans, type Service } from "./Plans.ts"
import { QuotaStore } from "./QuotaStore.ts"
import { type Reservation, ReservationStore } from "./ReservationStore.ts"
import { UsageLogStore } from "./UsageLogStore.ts"
import type { UsageDetails } from "./UsageRow.ts"

/** Who pays: an account, and the key of the request, where there is one. */
export interface Payer extends Spender {
  readonly key: {
    readonly id: Ids.KeyId
    readonly name: string | null
    readonly prefix: string
    readonly budget: Nano | null
    readonly budgetPeriod: "total" | "month"
  } | null
}

export interface MeteredRequest {
  /** Under which the work is settled or released. */
  readonly id: Ids.UsageId
  readonly payer: Payer
  readonly service: Service
  readonly maxCost: Nano
  /** Calls of the plan that it may use. Default 1. */
  readonly calls?: number
  /** The reservation lapses after this time, unless it is renewed. */
  readonly leaseMs: number
  /** Of its bill. Absent: a power cut loses none that was written. */
  readonly durability?: "relaxed"
}

/** What a request used. */
export interface Used extends UsageDetails {
  /** Calls of the plan that count, at most those that are reserved. Default: all of them. */
  readonly calls?: number
}

/** The plan's calls of this service, or the account's budget, are used up for this month. */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("QuotaExceeded", {
  reason: Schema.Literals(["plan", "monthly_budget"]),
  service: Schema.String,
  /** Until the first of the next month, in UTC. */
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return this.reason === "plan"
      ? `the plan's calls of ${this.service} do not cover the request in this month`
      : "the account's budget is used up for this month"
  }
}

/** The maximum cost does not fit into what is left of the key's own budget. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {}) {}

/** The balance does not cover the maximum cost. */
export class CreditsExceeded extends Schema.TaggedError<CreditsExceeded>()("CreditsExceeded", {}) {}

/** Expired reservations that are read at a time; each lapses in a transaction of its own. */
const expiredBatch = 100

/** How long after its reservation has lapsed a request may still be settled. Longer than any work takes. */
const lateMs = Instant.day

const lapsedBatch = 1000

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
    readonly reserve: (
      request: MeteredRequest
    ) => Effect.Effect<void, QuotaExceeded | BudgetExceeded | CreditsExceeded | StorageError>
    /** Makes a reservation last until then, as a part of a transaction that is made anyway. One that has lapsed stays lapsed. */
    readonly renew: (
      request: Pick<MeteredRequest, "id">,
      until: Instant.Instant
    ) => Effect.Effect<void, StorageError, Tx>
    /**
     * Charges `due`, releases the rest of the reservation and writes the usage log, in one transaction; a request whose
     * reservation has lapsed is charged as far as there is free credit. Returns what was charged. A second time, or after a
     * release, it does nothing. `along` is committed with it: the answer that is paid for. Where that fails nothing is charged,
     * and the reservation stays.
     */
    readonly settle: <E = never>(
      request: MeteredRequest,
      due: Nano,
      used: Used,
      along?: Effect.Effect<void, E | StorageError, Tx>
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
    /** Lapses expired reservations; returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
    readonly counts: () => ReadonlyArray<UsageCount>
    /** What the counted rows cost, whether or not it was deducted. */
    readonly spent: () => Nano
  }
>()("@trunkline/core/platform/billing/Metering") {
  static readonly layer = Layer.effect(
    Metering,
    Effect.gen(function* () {
      const budgets = yield* BudgetStore
      const credits = yield* Credits
      const creditStore = yield* CreditStore
      const log = yield* UsageLogStore
      const outbox = yield* Outbox
      const quotas = yield* QuotaStore
      const reservations = yield* ReservationStore
      const storage = yield* Storage
      const relaxed = storage.transactWith({ durability: "relaxed" })
      const transactFor = ({ durability }: MeteredRequest) => (durability === "relaxed" ? relaxed : storage.transact)
      const counters = new UsageCounters()

      // All changes of an account's meters are serialized by its lock, so that the order of their rows does not matter.
      const tryReserve = Effect.fnUntraced(function* ({
        calls = 1,
        id,
        leaseMs,
        maxCost,
        payer,
        service
      }: MeteredRequest) {
        const { monthlyBudget, plan, tenantId } = payer
        yield* lock("account", tenantId)
        const at = yield* Instant.now
        const month = Month.of(at)
        const quotaExceeded = (reason: QuotaExceeded["reason"]) =>
          new QuotaExceeded({ reason, service, retryAfterSeconds: Month.secondsUntilNext(at) })

        if (
          calls > 0 &&
          isCounted(service) &&
          !(yield* quotas.begin({ tenantId, service, month }, { calls, cap: capOf(plan, service) }))
        ) {
          return yield* quotaExceeded("plan")
        }
        const ofAccount = { ownerId: tenantId, period: month }
        if (!(yield* budgets.reserve(ofAccount, { amount: maxCost, limit: monthlyBudget }))) {
          return yield* quotaExceeded("monthly_budget")
        }
        const reserved = plans[plan].deducts ? maxCost : 0n
        if (reserved > 0n && !(yield* creditStore.reserve(tenantId, reserved))) return yield* new CreditsExceeded()
        const key = keyBudgetOf(payer)
        const period = key === null ? null : budgetPeriodOf(key, at)
        if (key !== null && period !== null) {
          const isReserved = yield* budgets.reserve({ ownerId: key.id, period }, { amount: maxCost, limit: key.budget })
          if (!isReserved) return yield* new BudgetExceeded()
        }
        yield* reservations.add({
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
          expiresAt: Instant.plus(at, leaseMs)
        })
        // A reservation that a power cut loses would have been released: its request is gone too.
      }, relaxed)

      /** In a transaction of its own, since the refusal rolls back the one that was refused. */
      const reportExceeded = Effect.fnUntraced(function* (payer: Payer) {
        const key = keyBudgetOf(payer)
        if (key === null) return []
        const period = budgetPeriodOf(key, yield* Instant.now)
        const spent = yield* budgets.markReported({ ownerId: key.id, period }, "exceeded")
        if (spent === null) return []
        const { tenantId } = payer
        return yield* outbox.append([budgetEvent({ threshold: "exceeded", tenantId, key, period, spent })])
      }, storage.transact)

      const reserve = tracedFn("Metering.reserve")(function* (request: MeteredRequest) {
        yield* tryReserve(request).pipe(
          Effect.catch((refused) =>
            refused._tag === "StorageError"
              ? Effect.fail(refused)
              : Effect.flatMap(sweepPage(request.payer.tenantId), ({ lapsed }) =>
                  lapsed > 0 ? tryReserve(request) : Effect.fail(refused)
                )
          ),
          Effect.tapErrorTag("BudgetExceeded", () => Effect.flatMap(reportExceeded(request.payer), outbox.publish))
        )
      })

      /** Releases what a reservation holds beside credit, and counts what was used; returns the state of the key's budget. */
      const endMeters = Effect.fnUntraced(function* (
        { amount, calls: pending, keyId, lapsed, month, period, service, tenantId }: Reservation,
        { calls, spent }: { readonly calls: number; readonly spent: Nano }
      ) {
        const reserved = lapsed ? 0n : amount
        if (isCounted(service) && (pending > 0 || calls > 0)) {
          yield* quotas.end({ tenantId, service, month }, { pending: lapsed ? 0 : pending, used: calls })
        }
        yield* budgets.settle({ ownerId: tenantId, period: month }, { reserved, spent })
        return keyId === null || period === null
          ? null
          : yield* budgets.settle({ ownerId: keyId, period }, { reserved, spent })
      })

      const releaseAll = Effect.fnUntraced(function* (reservation: Reservation) {
        const { lapsed, reserved, tenantId } = reservation
        if (reserved > 0n && !lapsed) yield* creditStore.settle(tenantId, { reserved, charge: 0n })
        yield* endMeters(reservation, { calls: 0, spent: 0n })
      })

      /** The events of thresholds that are reached and were not reported. */
      const reportThresholds = Effect.fnUntraced(function* (payer: Payer, period: string, state: BudgetState) {
        const key = keyBudgetOf(payer)
        if (key === null) return []
        const { spent } = state
        const { tenantId } = payer
        const reached = thresholdsReached(spent, key.budget).filter((threshold) => !state[threshold])
        yield* Effect.forEach(reached, (threshold) => budgets.markReported({ ownerId: key.id, period }, threshold), {
          discard: true
        })
        return reached.map((threshold) => budgetEvent({ threshold, tenantId, key, period, spent }))
      })

      const settleReserved = Effect.fnUntraced(function* <E>(
        { id, payer }: MeteredRequest,
        due: Nano,
        { calls, ...used }: Used,
        along: Effect.Effect<void, E | StorageError, Tx>
      ) {
        const { tenantId } = payer
        yield* lock("account", tenantId)
        const reservation = yield* reservations.remove(id)
        if (reservation === null) return null
        yield* along
        const at = yield* Instant.now
        const held = reservation.lapsed ? 0n : reservation.reserved
        const { charged, events } = plans[payer.plan].deducts
          ? yield* credits.charge({ ref: id, tenantId, held, due, kind: "inference", at })
          : { charged: due, events: [] as ReadonlyArray<NewEvent> }
        const state = yield* endMeters(reservation, { calls: calls ?? reservation.calls, spent: charged })
        const reports =
          state !== null && reservation.period !== null && charged > 0n
            ? yield* reportThresholds(payer, reservation.period, state)
            : []
        yield* log.add({ ...used, ...rowOf(reservation), credits: charged, createdAt: at })
        return { charged, events: yield* outbox.append([...events, ...reports]) }
      })

      const settle = tracedFn("Metering.settle")(function* <E = never>(
        request: MeteredRequest,
        due: Nano,
        used: Used,
        along: Effect.Effect<void, E | StorageError, Tx> = Effect.void
      ) {
        const settled = yield* transactFor(request)(settleReserved(request, due, used, along))
        if (settled === null) return 0n
        counters.count(request, used, settled.charged)
        yield* outbox.publish(settled.events)
        return settled.charged
      })

      const releaseReserved = Effect.fnUntraced(function* ({ id, payer }: MeteredRequest, used: UsageDetails | null) {
        yield* lock("account", payer.tenantId)
        const reservation = yield* reservations.remove(id)
        if (reservation === null) return false
        yield* releaseAll(reservation)
        if (used === null) return false
        yield* log.add({ ...used, ...rowOf(reservation), credits: 0n, createdAt: yield* Instant.now })
        return true
      })

      const release = tracedFn("Metering.release")(function* (request: MeteredRequest, used: UsageDetails | null) {
        const isLogged = yield* transactFor(request)(releaseReserved(request, used))
        if (isLogged && used !== null) counters.count(request, used, 0n)
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

      const lapse = Effect.fnUntraced(function* ({ id, tenantId }: Pick<Reservation, "id" | "tenantId">) {
        yield* lock("account", tenantId)
        const at = yield* Instant.now
        const reservation = yield* reservations.lapse(id, { at, removeAt: Instant.plus(at, lateMs) })
        if (reservation === null) return 0
        yield* releaseAll({ ...reservation, lapsed: false })
        return 1
      }, storage.transact)

      const sweepPage = Effect.fnUntraced(function* (tenantId: Ids.AccountId | null) {
        const found = yield* storage.read(reservations.findExpired(tenantId, yield* Instant.now, expiredBatch))
        const lapsed = yield* Effect.forEach(found, lapse)
        return { lapsed: lapsed.reduce<number>((sum, n) => sum + n, 0), isLast: found.length < expiredBatch }
      })

      const sweep = Effect.gen(function* () {
        yield* storage.transact(reservations.removeLapsed(yield* Instant.now, lapsedBatch))
        let sum = 0
        for (;;) {
          const { isLast, lapsed } = yield* sweepPage(null)
          sum += lapsed
          if (isLast) return sum
        }
      }).pipe(traced("Metering.sweep"))

      return Metering.of({
        renew: ({ id }, until) => reservations.renew(id, until),
        reserve,
        settle,
        release,
        logAttempt,
        sweep,
        counts: () => counters.all(),
        spent: () => counters.spent
      })
    })
  )
}

const keyBudgetOf = ({ key }: Payer): KeyBudget | null =>
  key === null || key.budget === null ? null : { ...key, budget: key.budget }

const rowOf = ({ id, keyId, service, tenantId }: Reservation) => ({ id, keyId, service, tenantId })

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
