/** Credit as transactional parts: reserve before, settle after, release when nothing came of it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../events/index.ts"
import { Ids, type Instant } from "../kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../storage/index.ts"
import { lowEvents } from "./CreditEvents.ts"
import { type CreditBalance, type CreditHold, CreditStore, type LedgerEntry } from "./CreditStore.ts"
import type { Nano } from "./Money.ts"
import * as Month from "./Month.ts"
import { type Plan, plans } from "./Plans.ts"
import { UsageStore } from "./UsageStore.ts"

/** The end of a hold, and what others are to be told of it. */
export interface Settled {
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

/** What has no room for a reservation. */
export type Shortage = "monthly_budget" | "credits"

/** What is left; null where nothing bounds it. */
export interface Room {
  readonly credits: Nano | null
  readonly budget: Nano | null
}

/** True when every part of a hold is held of the balance too. */
const isDeducted = ({ amount, budgeted }: CreditHold): boolean => amount > 0n && amount >= budgeted

export class Credits extends Context.Service<
  Credits,
  {
    readonly balance: (tenantId: Ids.AccountId) => Effect.Effect<CreditBalance, StorageError, Read>
    /** The balance of each of these accounts, in their order. */
    readonly balances: (
      tenantIds: ReadonlyArray<Ids.AccountId>
    ) => Effect.Effect<ReadonlyArray<CreditBalance>, StorageError, Read>
    /** What an account may spend at an instant, beside what is held already. */
    readonly room: (spender: Spender, at: Instant.Instant) => Effect.Effect<Room, StorageError, Read>
    /**
     * Holds `amount` under `id` on top of what it holds already: of the account's budget of the month of `since`, when the work
     * began, and of its credit where its plan deducts. Null when it is held; else what has no room for it, and nothing is changed.
     */
    readonly reserve: (
      id: string,
      spender: Spender,
      amount: Nano,
      since: Instant.Instant
    ) => Effect.Effect<Shortage | null, StorageError, Tx | Read>
    /**
     * Ends a hold: charges `due`, counts it in the month's budget, frees the rest. Where more is due than is held, the rest is taken
     * from free credit as far as there is any, so that no balance falls below zero; work of which a part was never held of the
     * credit, because a plan deducted nothing, is charged no more than it holds. Tells what was charged; a hold that has ended
     * charges nothing. The caller writes and announces the events.
     */
    readonly settle: (
      id: string,
      tenantId: Ids.AccountId,
      due: Nano,
      kind: LedgerEntry["kind"],
      at: Instant.Instant
    ) => Effect.Effect<Settled, StorageError, Tx | Read>
    /** The same, and no more is charged than is held. */
    readonly settleHeld: (
      id: string,
      tenantId: Ids.AccountId,
      due: Nano,
      kind: LedgerEntry["kind"],
      at: Instant.Instant
    ) => Effect.Effect<Settled, StorageError, Tx | Read>
    /** The same for what is held under another room's name: gives `held` back and charges `due`, as far as there is credit. */
    readonly charge: (
      ref: string,
      tenantId: Ids.AccountId,
      held: Nano,
      due: Nano,
      kind: LedgerEntry["kind"],
      at: Instant.Instant
    ) => Effect.Effect<Settled, StorageError, Tx | Read>
    /** Adds credit to an account; `ref` says what for, where there is more to say than that it was added. */
    readonly grant: (
      tenantId: Ids.AccountId,
      amount: Nano,
      at: Instant.Instant,
      ref?: string | null
    ) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/billing/Credits") {
  static readonly layer = Layer.effect(
    Credits,
    Effect.gen(function* () {
      const store = yield* CreditStore
      const usage = yield* UsageStore

      const unopened = (tenantId: Ids.AccountId): CreditBalance => ({ tenantId, balance: 0n, reserved: 0n })

      const balance = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        return (yield* store.balance(tenantId)) ?? unopened(tenantId)
      })

      const balances = Effect.fnUntraced(function* (tenantIds: ReadonlyArray<Ids.AccountId>) {
        const found = new Map((yield* store.balances(tenantIds)).map((one) => [one.tenantId, one]))
        return tenantIds.map((tenantId) => found.get(tenantId) ?? unopened(tenantId))
      })

      const room = Effect.fnUntraced(function* ({ monthlyBudget, plan, tenantId }: Spender, at: Instant.Instant) {
        const { balance: whole, reserved } = yield* balance(tenantId)
        const { pending, spent } = yield* usage.spend(tenantId, Month.of(at))
        return {
          credits: plans[plan].deducts ? whole - reserved : null,
          budget: monthlyBudget === null ? null : monthlyBudget - spent - pending
        }
      })

      const reserve = Effect.fnUntraced(function* (
        id: string,
        { monthlyBudget, plan, tenantId }: Spender,
        amount: Nano,
        since: Instant.Instant
      ) {
        yield* lock("account", tenantId)
        const held = yield* store.findHold(id)
        const deducted = plans[plan].deducts && (held === null || isDeducted(held)) ? amount : 0n
        const month = Month.of(since)
        if (!(yield* usage.holdSpend(tenantId, month, amount, monthlyBudget))) return "monthly_budget" as const
        if (deducted > 0n && !(yield* store.reserve(tenantId, deducted))) {
          yield* usage.endSpend(tenantId, month, amount, 0n)
          return "credits" as const
        }
        yield* store.hold({ id, tenantId, amount: deducted, budgeted: amount, createdAt: since })
        return null
      })

      const settling = (isBounded: boolean) =>
        Effect.fnUntraced(function* (
          id: string,
          tenantId: Ids.AccountId,
          due: Nano,
          kind: LedgerEntry["kind"],
          at: Instant.Instant
        ) {
          const held = yield* store.takeHold(id)
          if (held === null) return { charged: 0n, events: [] }
          yield* lock("account", tenantId)
          const { amount, budgeted, createdAt } = held
          const isWhole = !isBounded && isDeducted(held)
          const settled = yield* charge(id, tenantId, amount, isWhole || due < amount ? due : amount, kind, at)
          // What a plan does not deduct is spent all the same.
          yield* usage.endSpend(tenantId, Month.of(createdAt), budgeted, isWhole ? settled.charged : due)
          return settled
        })

      const charge = Effect.fnUntraced(function* (
        ref: string,
        tenantId: Ids.AccountId,
        held: Nano,
        due: Nano,
        kind: LedgerEntry["kind"],
        at: Instant.Instant
      ) {
        const charged = yield* store.settle(tenantId, held, due)
        if (charged === 0n) return { charged, events: [] }
        yield* store.log({ id: yield* Ids.fresh(), tenantId, amount: -charged, kind, ref, createdAt: at })
        const after = (yield* balance(tenantId)).balance
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
        room,
        reserve,
        settle: settling(false),
        settleHeld: settling(true),
        charge,
        grant
      })
    })
  )
}
