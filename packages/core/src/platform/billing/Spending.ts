/** What has been spent of budgets, as an operator reads it. Source: docs/reference/metering.md#budgets. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError } from "../storage/index.ts"
import { budgetPeriodOf, type KeyBudget } from "./BudgetEvents.ts"
import { BudgetStore } from "./BudgetStore.ts"
import type { Nano } from "./Money.ts"
import * as Month from "./Month.ts"

export class Spending extends Context.Service<
  Spending,
  {
    /** Nano-credits that each account has spent in the present calendar month of UTC; an account without an entry: none. */
    readonly ofAccounts: (
      ids: ReadonlyArray<Ids.AccountId>
    ) => Effect.Effect<ReadonlyMap<string, Nano>, StorageError, Read>
    /** Nano-credits that each key has spent in the present period of its budget; a key without an entry: none. */
    readonly ofKeys: (
      keys: ReadonlyArray<Pick<KeyBudget, "id" | "budgetPeriod">>
    ) => Effect.Effect<ReadonlyMap<string, Nano>, StorageError, Read>
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

      const ofKeys = Effect.fnUntraced(function* (keys: ReadonlyArray<Pick<KeyBudget, "id" | "budgetPeriod">>) {
        const at = yield* Instant.now
        const periods = new Map<string, string>(keys.map((key) => [key.id, budgetPeriodOf(key, at)]))
        const found = yield* store.spendingOf([...periods.keys()], ["total", Month.of(at)])
        return new Map(
          found
            .filter(({ ownerId, period }) => periods.get(ownerId) === period)
            .map(({ ownerId, spent }) => [ownerId, spent])
        )
      })

      return Spending.of({ ofAccounts, ofKeys })
    })
  )
}
