/** Credit as transactional parts: reserve before, settle after, release when nothing came of it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../events/index.ts"
import { Ids, type Instant } from "../kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../storage/index.ts"
import { lowEvents } from "./CreditEvents.ts"
import { type CreditBalance, CreditStore, type LedgerEntry } from "./CreditStore.ts"
import type { Nano } from "./Money.ts"

/** The end of a hold, and what others are to be told of it. */
export interface Settled {
  readonly charged: Nano
  readonly events: ReadonlyArray<NewEvent>
}

export class Credits extends Context.Service<
  Credits,
  {
    readonly balance: (tenantId: Ids.AccountId) => Effect.Effect<CreditBalance, StorageError, Read>
    /** The balance of each of these accounts, in their order. */
    readonly balances: (
      tenantIds: ReadonlyArray<Ids.AccountId>
    ) => Effect.Effect<ReadonlyArray<CreditBalance>, StorageError, Read>
    /** Holds `amount` under `id` on top of what it holds already; false, and nothing changed, when it does not fit. */
    readonly reserve: (
      id: string,
      tenantId: Ids.AccountId,
      amount: Nano,
      at: Instant.Instant
    ) => Effect.Effect<boolean, StorageError, Tx>
    /**
     * Ends a hold: charges `due`, frees the rest. Where more is due than is held, the rest is taken from free credit as
     * far as there is any, so that no balance falls below zero. Tells what was charged; a hold that has ended charges nothing.
     * The caller writes and announces the events.
     */
    readonly settle: (
      id: string,
      tenantId: Ids.AccountId,
      due: Nano,
      kind: LedgerEntry["kind"],
      at: Instant.Instant
    ) => Effect.Effect<Settled, StorageError, Tx | Read>
    /** The same, and no more than is held. */
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

      const unopened = (tenantId: Ids.AccountId): CreditBalance => ({ tenantId, balance: 0n, reserved: 0n })

      const balance = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        return (yield* store.balance(tenantId)) ?? unopened(tenantId)
      })

      const balances = Effect.fnUntraced(function* (tenantIds: ReadonlyArray<Ids.AccountId>) {
        const found = new Map((yield* store.balances(tenantIds)).map((one) => [one.tenantId, one]))
        return tenantIds.map((tenantId) => found.get(tenantId) ?? unopened(tenantId))
      })

      const reserve = Effect.fnUntraced(function* (
        id: string,
        tenantId: Ids.AccountId,
        amount: Nano,
        at: Instant.Instant
      ) {
        if (!(yield* store.reserve(tenantId, amount))) return false
        yield* store.hold(id, tenantId, amount, at)
        return true
      })

      const settling = (owed: (due: Nano, held: Nano) => Nano) =>
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
          return yield* charge(id, tenantId, held, owed(due, held), kind, at)
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
        reserve,
        settle: settling((due) => due),
        settleHeld: settling((due, held) => (due < held ? due : held)),
        charge,
        grant
      })
    })
  )
}
