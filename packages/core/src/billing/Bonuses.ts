/** Credit that a plan includes: booked once in each calendar month. Source: docs/plans.md#bonus. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Ids, Instant } from "../kernel/index.ts"
import { Storage, type StorageError, type Tx } from "../storage/index.ts"
import { Credits } from "./Credits.ts"
import * as Month from "./Month.ts"
import { type Plan, plans } from "./Plans.ts"
import { UsageStore } from "./UsageStore.ts"

/** Accounts that are looked at together, and booked in one transaction. */
const together = 100

interface Booked {
  readonly booked: number
  /** Where the next page begins; null after the last one. */
  readonly last: Ids.AccountId | null
}

export class Bonuses extends Context.Service<
  Bonuses,
  {
    /** Books the bonus of a plan for the present month, unless it was booked; tells whether. Part of the change of the plan. */
    readonly book: (tenantId: Ids.AccountId, plan: Plan) => Effect.Effect<boolean, StorageError, Tx>
    /** Books what a new month owes to all active accounts; tells how many. Between months it asks nothing. */
    readonly tick: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/billing/Bonuses") {
  static readonly layer = Layer.effect(
    Bonuses,
    Effect.gen(function* () {
      const credits = yield* Credits
      const storage = yield* Storage
      const store = yield* UsageStore
      /** Every plan that is chosen later has its bonus booked then, so one walk is enough for a month. */
      let walked: Month.Month | null = null

      const book = Effect.fnUntraced(function* (tenantId: Ids.AccountId, plan: Plan) {
        const { bonus } = plans[plan]
        if (bonus === 0n) return false
        const at = yield* Instant.now
        const month = Month.of(at)
        if (!(yield* store.bookBonus(tenantId, month, plan))) return false
        yield* credits.grant(tenantId, bonus, at, `bonus ${month} ${plan}`)
        return true
      })

      const bookPage = Effect.fnUntraced(function* (after: Ids.AccountId | null) {
        const accounts = yield* store.bonusAccounts(after, together)
        const booked = yield* Effect.forEach(accounts, ({ id, plan }) => book(id, plan))
        const last = accounts.length < together ? null : (accounts.at(-1)?.id ?? null)
        return { booked: booked.filter((isNew) => isNew).length, last }
      })

      const tick = Effect.gen(function* () {
        const month = Month.of(yield* Instant.now)
        if (walked === month) return 0
        let after: Ids.AccountId | null = null
        let sum = 0
        for (;;) {
          const page: Booked = yield* storage.transact(bookPage(after))
          sum += page.booked
          if (page.last === null) break
          after = page.last
        }
        walked = month
        return sum
      }).pipe(Effect.withSpan("Bonuses.tick"))

      return Bonuses.of({ book, tick })
    })
  )
}
