/** Credit as transactional parts: reserve before, settle after, release when nothing came of it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../events/index.ts"
import type { Instant } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { lock, type Read, type StorageError, type Tx } from "../storage/index.ts"
import { BudgetStore } from "./BudgetStore.ts"
import { lowEvents } from "./CreditEvents.ts"
import { type CreditBalance, CreditStore, type LedgerEntry, type ReservedCredit } from "./CreditStore.ts"
import type { Nano } from "./Money.ts"
import * as Month from "./Month.ts"
import { type Plan, plans } from "./Plans.ts"

/** What was charged, and the events of it. */
interface Settled {
  readonly charged: Nano
  readonly events: ReadonlyArray<NewEvent>
}

/** An account, as far as it decides what it may spend. */
export interface Spender {
  readonly tenantId: Ids.AccountId
  readonly plan: Plan
  /** Of a calendar month of UTC; null for none. */
  readonly monthlyBudget: Nano | null
}

/** Why a reservation does not fit. */
export type Shortage = "monthly_budget" | "credits"

/** The credit and the budget that are left; null where nothing bounds one. */
export interface Headroom {
  readonly credits: Nano | null
  readonly budget: Nano | null
}

/** True when every part of a reservation is reserved of the balance too. */
const isDeducted = ({ amount, budgeted }: ReservedCredit): boolean => amount > 0n && amount >= budgeted

/** The end of a reservation: the amount due, and the kind of its entry in the ledger. */
export interface Settlement {
  readonly id: string
  readonly tenantId: Ids.AccountId
  readonly due: Nano
  readonly kind: LedgerEntry["kind"]
  readonly at: Instant.Instant
}

/** An amount that is charged, and what the work had reserved of the balance. */
interface Charge extends Omit<Settlement, "id"> {
  readonly ref: string
  /** Reserved of the balance. */
  readonly held: Nano
}

export interface CreditReservation {
  readonly id: string
  readonly amount: Nano
  /** When the work began: the reservation counts in the budget of this month. */
  readonly since: Instant.Instant
  /** Nothing has been reserved under this id. */
  readonly isNew?: boolean
}

export class Credits extends Context.Service<
  Credits,
  {
    readonly balance: (tenantId: Ids.AccountId) => Effect.Effect<CreditBalance, StorageError, Read>
    /** The balance of each of these accounts, in their order. */
    readonly balances: (
      tenantIds: ReadonlyArray<Ids.AccountId>
    ) => Effect.Effect<ReadonlyArray<CreditBalance>, StorageError, Read>
    /** What an account may spend at an instant, beside its reservations. */
    readonly headroom: (spender: Spender, at: Instant.Instant) => Effect.Effect<Headroom, StorageError, Read>
    /**
     * Reserves an amount on top of what the reservation has already: of the account's monthly budget, and of its credit where
     * its plan deducts. Null when it is reserved; else what has no room for it, and nothing is changed.
     */
    readonly reserve: (
      spender: Spender,
      reservation: CreditReservation
    ) => Effect.Effect<Shortage | null, StorageError, Tx | Read>
    /**
     * Ends a reservation: charges `due`, counts it in the month's budget, releases the rest. Where more is due than is reserved,
     * the rest is charged as far as there is free credit, so that no balance falls below zero; work of which a part was never
     * reserved of the credit, because a plan deducted nothing, is charged no more than is reserved. Returns what was charged; a
     * reservation that has ended charges nothing. The caller writes and announces the events.
     */
    readonly settle: (settlement: Settlement) => Effect.Effect<Settled, StorageError, Tx | Read>
    /** The same, and no more is charged than is reserved. */
    readonly settleReserved: (settlement: Settlement) => Effect.Effect<Settled, StorageError, Tx | Read>
    /** Adds credit to an account; `ref` says what for, where there is more to say than that it was added. */
    readonly grant: (
      tenantId: Ids.AccountId,
      amount: Nano,
      at: Instant.Instant,
      ref?: string | null
    ) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/Credits") {
  static readonly layer = Layer.effect(
    Credits,
    Effect.gen(function* () {
      const store = yield* CreditStore
      const budgets = yield* BudgetStore

      const unopened = (tenantId: Ids.AccountId): CreditBalance => ({ tenantId, balance: 0n, reserved: 0n })

      const balance = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        return (yield* store.balance(tenantId)) ?? unopened(tenantId)
      })

      const balances = Effect.fnUntraced(function* (tenantIds: ReadonlyArray<Ids.AccountId>) {
        const found = new Map((yield* store.balances(tenantIds)).map((one) => [one.tenantId, one]))
        return tenantIds.map((tenantId) => found.get(tenantId) ?? unopened(tenantId))
      })

      const headroom = Effect.fnUntraced(function* ({ monthlyBudget, plan, tenantId }: Spender, at: Instant.Instant) {
        const { balance: whole, reserved } = yield* balance(tenantId)
        const { pending, spent } = yield* budgets.spending({ ownerId: tenantId, period: Month.of(at) })
        return {
          credits: plans[plan].deducts ? whole - reserved : null,
          budget: monthlyBudget === null ? null : monthlyBudget - spent - pending
        }
      })

      const reserve = Effect.fnUntraced(function* (
        { monthlyBudget, plan, tenantId }: Spender,
        { amount, id, isNew = false, since }: CreditReservation
      ) {
        yield* lock("account", tenantId)
        const held = isNew ? null : yield* store.findReservation(id)
        const deducted = plans[plan].deducts && (held === null || isDeducted(held)) ? amount : 0n
        const ofMonth = { ownerId: tenantId, period: Month.of(since) }
        if (!(yield* budgets.reserve(ofMonth, { amount, limit: monthlyBudget }))) return "monthly_budget" as const
        if (deducted > 0n && !(yield* store.reserve(tenantId, deducted))) {
          yield* budgets.settle(ofMonth, { reserved: amount, spent: 0n })
          return "credits" as const
        }
        yield* store.addToReservation({ id, tenantId, amount: deducted, budgeted: amount, createdAt: since })
        return null
      })

      const settling = (isBounded: boolean) =>
        Effect.fnUntraced(function* ({ at, due, id, kind, tenantId }: Settlement) {
          const held = yield* store.removeReservation(id)
          if (held === null) return { charged: 0n, events: [] }
          yield* lock("account", tenantId)
          const { amount, budgeted, createdAt } = held
          const isWhole = !isBounded && isDeducted(held)
          const chargeable = isWhole || due < amount ? due : amount
          const settled = yield* charge({ ref: id, tenantId, held: amount, due: chargeable, kind, at })
          // What a plan does not deduct is spent all the same.
          const spent = isWhole ? settled.charged : due
          yield* budgets.settle({ ownerId: tenantId, period: Month.of(createdAt) }, { reserved: budgeted, spent })
          return settled
        })

      const charge = Effect.fnUntraced(function* ({ at, due, held, kind, ref, tenantId }: Charge) {
        const { balance: after, charged } = yield* store.settle(tenantId, { reserved: held, charge: due })
        if (charged === 0n) return { charged, events: [] }
        yield* store.log({ id: yield* Ids.fresh(), tenantId, amount: -charged, kind, ref, createdAt: at })
        return { charged, events: lowEvents(tenantId, after + charged, after) }
      })

      const grant = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        amount: Nano,
        at: Instant.Instant,
        ref: string | null = null
      ) {
        yield* store.open(tenantId)
        yield* store.add(tenantId, amount)
        yield* store.log({ id: yield* Ids.fresh(), tenantId, amount, kind: "grant", ref, createdAt: at })
      })

      return Credits.of({
        balance,
        balances,
        headroom,
        reserve,
        settle: settling(false),
        settleReserved: settling(true),
        grant
      })
    })
  )
}
