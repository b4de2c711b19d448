/**
 * Spending as transactional parts: what a request may cost is held before its work begins, and what it did cost is
 * charged after, together with its row of the usage log.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type NewEvent, Outbox } from "../events/index.ts"
import { type Ids, Instant } from "../kernel/index.ts"
import { lock, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { type BudgetOf, budgetEvent, reached } from "./BudgetEvents.ts"
import { CreditStore } from "./CreditStore.ts"
import { Credits, type Spender } from "./Credits.ts"
import type { Nano } from "./Money.ts"
import * as Month from "./Month.ts"
import { capOf, isCounted, plans, type Service } from "./Plans.ts"
import type { Unit } from "./Price.ts"
import { type Mark, type UsageHold, UsageStore } from "./UsageStore.ts"

/** Who pays: an account, and the key that asks, where there is one. */
export interface Payer extends Spender {
  readonly key: {
    readonly id: Ids.KeyId
    readonly name: string | null
    readonly prefix: string
    readonly budget: Nano | null
    readonly budgetPeriod: "total" | "month"
  } | null
}

export interface Metered {
  /** Of the request: under it the work is settled or released. */
  readonly id: Ids.UsageId
  readonly payer: Payer
  readonly service: Service
  /** The most that it can cost. */
  readonly atMost: Nano
  /** After so long the hold ends by itself: longer than the work may take. */
  readonly leaseMs: number
}

/** What was used; it becomes a row of the usage log. Source: docs/metering.md#log. */
export interface Used {
  readonly requestId: string
  readonly model: string
  /** The status of the answer. */
  readonly httpStatus: number
  readonly units: number
  readonly unit: Unit
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  readonly latencyMs: number
  readonly sessionId: string | null
  readonly traceId: string | null
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
      ? `the plan's calls of ${this.service} are used up for this month`
      : "the account's budget is used up for this month"
  }
}

/** The key has its own budget, and this does not fit into what is left of it. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {}) {}

/** The balance does not cover what this may cost. */
export class CreditsExceeded extends Schema.TaggedError<CreditsExceeded>()("CreditsExceeded", {}) {}

/** Expired holds are looked for so many at a time, and each is given back in a transaction of its own. */
const together = 100

/** So long after a hold has lapsed its request may still be settled. Longer than any work takes. */
const lateMs = Instant.day

const forgottenTogether = 1000

const budgetOf = ({ key }: Payer): BudgetOf | null =>
  key === null || key.budget === null ? null : { ...key, budget: key.budget }

export class Metering extends Context.Service<
  Metering,
  {
    /**
     * Holds all of it or nothing: a call of the plan's, credit, the key's budget, the account's monthly budget. Refuses in this
     * order: quota, credit, key budget. Whatever runs side by side, no balance, cap or budget is ever overdrawn.
     * Whoever is interrupted here releases all the same: the hold may stand.
     * Source: docs/metering.md#reserve.
     */
    readonly reserve: (
      wanted: Metered
    ) => Effect.Effect<void, QuotaExceeded | BudgetExceeded | CreditsExceeded | StorageError>
    /**
     * Charges `due` under a hold, frees the rest and writes the usage log, in one transaction; a hold that has run out meanwhile
     * is charged as far as there is free credit. Tells what was charged. A second time, or after a release, does nothing.
     * `along` is committed with it: the answer that was paid for. Where it fails nothing is charged, and the hold stands.
     */
    readonly settle: <E = never>(
      wanted: Metered,
      due: Nano,
      used: Used,
      along?: Effect.Effect<void, E | StorageError, Tx>
    ) => Effect.Effect<Nano, E | StorageError>
    /** Frees a hold; with `used`, what reached an upstream and failed gets its row, with zero credits. A second time does nothing. */
    readonly release: (wanted: Metered, used: Used | null) => Effect.Effect<void, StorageError>
    /** Ends holds whose time is over; tells how many. */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Rows of the usage log that this process has written, by service and status. */
    readonly ended: () => ReadonlyArray<{ readonly service: Service; readonly httpStatus: number; readonly n: number }>
    /** What they cost, whether or not it was deducted. */
    readonly spent: () => Nano
  }
>()("@trunkline/core/billing/Metering") {
  static readonly layer = Layer.effect(
    Metering,
    Effect.gen(function* () {
      const credits = yield* Credits
      const creditStore = yield* CreditStore
      const outbox = yield* Outbox
      const storage = yield* Storage
      const store = yield* UsageStore

      const relaxed = storage.transactWith({ durability: "relaxed" })

      const counts = new Map<string, { readonly service: Service; readonly httpStatus: number; n: number }>()
      let spent = 0n

      /** Counts a row that is committed. */
      const tally = ({ service }: Metered, { httpStatus }: Used, charged: Nano) => {
        const key = `${service} ${httpStatus}`
        const known = counts.get(key) ?? { service, httpStatus, n: 0 }
        known.n += 1
        counts.set(key, known)
        spent += charged
      }

      /** All changes of an account's meters take turns, so that the order in which they touch their rows is no matter. */
      const hold = Effect.fnUntraced(function* ({ atMost, id, leaseMs, payer, service }: Metered) {
        const { monthlyBudget, plan, tenantId } = payer
        yield* lock("account", tenantId)
        const at = yield* Instant.now
        const month = Month.of(at)
        const quota = (reason: QuotaExceeded["reason"]) =>
          new QuotaExceeded({ reason, service, retryAfterSeconds: Month.secondsUntilNext(at) })

        if (isCounted(service) && !(yield* store.beginCall(tenantId, service, month, capOf(plan, service)))) {
          return yield* quota("plan")
        }
        if (!(yield* store.holdSpend(tenantId, month, atMost, monthlyBudget))) return yield* quota("monthly_budget")
        const reserved = plans[plan].deducts ? atMost : 0n
        if (reserved > 0n && !(yield* creditStore.reserve(tenantId, reserved))) return yield* new CreditsExceeded()
        const key = budgetOf(payer)
        const period = key === null ? null : key.budgetPeriod === "month" ? month : key.budgetPeriod
        if (key !== null && period !== null && !(yield* store.holdSpend(key.id, period, atMost, key.budget))) {
          return yield* new BudgetExceeded()
        }
        yield* store.addHold({
          id,
          tenantId,
          keyId: payer.key?.id ?? null,
          service,
          month,
          period,
          amount: atMost,
          reserved,
          lapsed: false,
          expiresAt: Instant.plus(at, leaseMs)
        })
        // What a power cut takes with it would have been given back: nobody is left to settle it.
      }, relaxed)

      /** The refusal stands, and so does its event: they are not one transaction. */
      const tellRefused = Effect.fnUntraced(function* (payer: Payer) {
        const key = budgetOf(payer)
        if (key === null) return []
        const period = key.budgetPeriod === "month" ? Month.of(yield* Instant.now) : key.budgetPeriod
        const spent = yield* store.mark(key.id, period, "exceeded")
        return spent === null ? [] : yield* outbox.append([budgetEvent("exceeded", payer.tenantId, key, period, spent)])
      }, storage.transact)

      const reserve = Effect.fn("Metering.reserve")((wanted: Metered) =>
        hold(wanted).pipe(
          Effect.catch((refused) =>
            refused._tag === "StorageError"
              ? Effect.fail(refused)
              : Effect.flatMap(sweepPage(wanted.payer.tenantId), ({ ended }) =>
                  ended > 0 ? hold(wanted) : Effect.fail(refused)
                )
          ),
          Effect.tapErrorTag("BudgetExceeded", () => Effect.flatMap(tellRefused(wanted.payer), outbox.publish))
        )
      )

      /** Gives back whatever a hold still holds but credit; `used` calls and `spent` credit of it count. */
      const end = Effect.fnUntraced(function* (held: UsageHold, used: 0 | 1, spent: Nano) {
        const amount = held.lapsed ? 0n : held.amount
        if (isCounted(held.service)) {
          yield* store.endCall(held.tenantId, held.service, held.month, { pending: held.lapsed ? 0 : 1, used })
        }
        yield* store.endSpend(held.tenantId, held.month, amount, spent)
        return held.keyId === null || held.period === null
          ? null
          : yield* store.endSpend(held.keyId, held.period, amount, spent)
      })

      const giveBack = Effect.fnUntraced(function* (held: UsageHold) {
        if (held.reserved > 0n && !held.lapsed) yield* creditStore.settle(held.tenantId, held.reserved, 0n)
        yield* end(held, 0, 0n)
      })

      /** Marks that were not set yet are set, and told. */
      const tellReached = Effect.fnUntraced(function* (
        { key, tenantId }: { readonly key: BudgetOf; readonly tenantId: Ids.AccountId },
        period: string,
        spend: Readonly<Record<Mark, boolean>> & { readonly spent: Nano }
      ) {
        const fresh = reached(spend.spent, key.budget).filter((mark) => !spend[mark])
        yield* Effect.forEach(fresh, (mark) => store.mark(key.id, period, mark), { discard: true })
        return fresh.map((mark) => budgetEvent(mark, tenantId, key, period, spend.spent))
      })

      const settled = Effect.fnUntraced(function* <E>(
        { id, payer }: Metered,
        due: Nano,
        used: Used,
        along: Effect.Effect<void, E | StorageError, Tx>
      ) {
        const { tenantId } = payer
        yield* lock("account", tenantId)
        const held = yield* store.takeHold(id)
        if (held === null) return null
        yield* along
        const at = yield* Instant.now
        const events: Array<NewEvent> = []
        let charged = due
        if (plans[payer.plan].deducts) {
          const taken = yield* credits.charge(id, tenantId, held.lapsed ? 0n : held.reserved, due, "inference", at)
          charged = taken.charged
          events.push(...taken.events)
        }
        const spend = yield* end(held, 1, charged)
        const key = budgetOf(payer)
        if (spend !== null && key !== null && held.period !== null && charged > 0n) {
          events.push(...(yield* tellReached({ key, tenantId }, held.period, spend)))
        }
        yield* store.addRow({ ...used, ...rowOf(held), credits: charged, createdAt: at })
        return { charged, events: yield* outbox.append(events) }
      }, storage.transact)

      const settle = Effect.fn("Metering.settle")(function* <E = never>(
        wanted: Metered,
        due: Nano,
        used: Used,
        along: Effect.Effect<void, E | StorageError, Tx> = Effect.void
      ) {
        const end = yield* settled(wanted, due, used, along)
        if (end === null) return 0n
        tally(wanted, used, end.charged)
        yield* outbox.publish(end.events)
        return end.charged
      })

      const released = Effect.fnUntraced(function* ({ id, payer }: Metered, used: Used | null) {
        yield* lock("account", payer.tenantId)
        const held = yield* store.takeHold(id)
        if (held === null) return false
        yield* giveBack(held)
        if (used === null) return false
        yield* store.addRow({ ...used, ...rowOf(held), credits: 0n, createdAt: yield* Instant.now })
        return true
      }, storage.transact)

      const release = Effect.fn("Metering.release")(function* (wanted: Metered, used: Used | null) {
        if ((yield* released(wanted, used)) && used !== null) tally(wanted, used, 0n)
      })

      const lapse = Effect.fnUntraced(function* ({ id, tenantId }: Pick<UsageHold, "id" | "tenantId">) {
        yield* lock("account", tenantId)
        const at = yield* Instant.now
        const held = yield* store.lapse(id, at, Instant.plus(at, lateMs))
        if (held === null) return 0
        yield* giveBack({ ...held, lapsed: false })
        return 1
      }, storage.transact)

      const sweepPage = Effect.fnUntraced(function* (tenantId: Ids.AccountId | null) {
        const found = yield* storage.read(store.expired(tenantId, yield* Instant.now, together))
        const ended = yield* Effect.forEach(found, lapse)
        return { ended: ended.reduce<number>((sum, n) => sum + n, 0), isLast: found.length < together }
      })

      const sweep = Effect.gen(function* () {
        yield* storage.transact(store.forget(yield* Instant.now, forgottenTogether))
        let sum = 0
        for (;;) {
          const { ended, isLast } = yield* sweepPage(null)
          sum += ended
          if (isLast) return sum
        }
      }).pipe(Effect.withSpan("Metering.sweep"))

      return Metering.of({
        reserve,
        settle,
        release,
        sweep,
        ended: () => [...counts.values()].map((one) => ({ ...one })),
        spent: () => spent
      })
    })
  )
}

const rowOf = ({ id, keyId, service, tenantId }: UsageHold) => ({ id, keyId, service, tenantId })
