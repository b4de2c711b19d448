/** What has been spent of budgets, as operators and the account's people read it. Source: docs/reference/metering.md#budgets. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { lock, type Read, type StorageError, type Tx } from "../storage/index.ts"
import { budgetPeriodOf, type KeyBudget, lifetime } from "./BudgetEvents.ts"
import { BudgetStore } from "./BudgetStore.ts"
import type { Nano } from "./Money.ts"
import * as Month from "./Month.ts"

type SpendingKey = Pick<KeyBudget, "id" | "budgetPeriod"> & {
  readonly tenantId: Ids.AccountId
  readonly budget: Nano | null
}

export class Spending extends Context.Service<
  Spending,
  {
    /** Nano-credits that each account has spent in the present calendar month of UTC; an account without an entry: none. */
    readonly ofAccounts: (
      ids: ReadonlyArray<Ids.AccountId>
    ) => Effect.Effect<ReadonlyMap<string, Nano>, StorageError, Read>
    /**
     * Nano-credits that each key has spent in the present period of its budget, or in its lifetime where it has none; a key without
     * an entry: none.
     */
    readonly ofKeys: (keys: ReadonlyArray<SpendingKey>) => Effect.Effect<ReadonlyMap<string, Nano>, StorageError, Read>
    /** A key's budget has changed: what is reported once for each budget is reported anew. Part of the change. */
    readonly budgetChanged: (key: Pick<SpendingKey, "id" | "tenantId">) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/Spending") {
  static readonly layer = Layer.effect(
    Spending,
    Effect.gen(function* () {
      const store = yield* BudgetStore

      const ofAccounts = Effect.fnUntraced(function* (ids: ReadonlyArray<Ids.AccountId>) {
        const month = Month.of(yield* Instant.now)
        const found = yield* store.spendingOf(ids, [month])
        return new Map(found.map(({ ownerId, spent }) => [ownerId, spent]))
      })

      const ofKeys = Effect.fnUntraced(function* (keys: ReadonlyArray<SpendingKey>) {
        const at = yield* Instant.now
        const periods = new Map<string, string>(
          keys.map((key) => [key.id, key.budget === null ? lifetime : budgetPeriodOf(key, at)])
        )
        const found = yield* store.spendingOf([...periods.keys()], [lifetime, Month.of(at)])
        return new Map(
          found
            .filter(({ ownerId, period }) => periods.get(ownerId) === period)
            .map(({ ownerId, spent }) => [ownerId, spent])
        )
      })

      const budgetChanged: Spending["Service"]["budgetChanged"] = Effect.fnUntraced(function* ({ id, tenantId }) {
        yield* lock("account", tenantId)
        yield* store.forgetReports(id)
      })

      return Spending.of({ ofAccounts, ofKeys, budgetChanged })
    })
  )
}
