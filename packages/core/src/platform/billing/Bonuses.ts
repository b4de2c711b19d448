/** Credit that a plan includes: granted once in each calendar month. Source: docs/reference/plans.md#bonus. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant, traced } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { Storage, type StorageError, type Tx } from "../storage/index.ts"
import { BonusStore } from "./BonusStore.ts"
import { Credits } from "./Credits.ts"
import * as Month from "./Month.ts"
import { type Plan, plans } from "./Plans.ts"

/** Accounts whose bonuses are granted in one transaction. */
const batchSize = 100

interface GrantedPage {
  readonly granted: number
  /** Where the next page begins; null after the last one. */
  readonly last: Ids.AccountId | null
}

export class Bonuses extends Context.Service<
  Bonuses,
  {
    /** Grants the bonus of a plan for the present month, once; returns whether it did. Part of the change of the plan. */
    readonly grant: (tenantId: Ids.AccountId, plan: Plan) => Effect.Effect<boolean, StorageError, Tx>
    /** Grants the bonuses of a new month to all active accounts; returns how many. Within a month it reads nothing. */
    readonly tick: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/platform/billing/Bonuses") {
  static readonly layer = Layer.effect(
    Bonuses,
    Effect.gen(function* () {
      const credits = yield* Credits
      const storage = yield* Storage
      const store = yield* BonusStore
      /** A plan that is chosen later has its bonus granted then, so one pass is enough for a month. */
      let grantedMonth: Month.Month | null = null

      const grant = Effect.fnUntraced(function* (tenantId: Ids.AccountId, plan: Plan) {
        const { bonus } = plans[plan]
        if (bonus === 0n) return false
        const at = yield* Instant.now
        const month = Month.of(at)
        if (!(yield* store.record({ tenantId, month, plan }))) return false
        yield* credits.grant(tenantId, bonus, at, `bonus ${month} ${plan}`)
        return true
      })

      const grantPage = Effect.fnUntraced(function* (after: Ids.AccountId | null) {
        const accounts = yield* store.accounts(after, batchSize)
        const granted = yield* Effect.forEach(accounts, ({ id, plan }) => grant(id, plan))
        const last = accounts.length < batchSize ? null : (accounts.at(-1)?.id ?? null)
        return { granted: granted.filter((isNew) => isNew).length, last }
      })

      const tick = Effect.gen(function* () {
        const month = Month.of(yield* Instant.now)
        if (grantedMonth === month) return 0
        let after: Ids.AccountId | null = null
        let sum = 0
        for (;;) {
          const page: GrantedPage = yield* storage.transact(grantPage(after))
          sum += page.granted
          if (page.last === null) break
          after = page.last
        }
        grantedMonth = month
        return sum
      }).pipe(traced("Bonuses.tick"))

      return Bonuses.of({ grant, tick })
    })
  )
}
