/** Port: which bonuses have been granted. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Month } from "./Month.ts"
import type { Plan } from "./Plans.ts"

export interface BonusGrant {
  readonly tenantId: Ids.AccountId
  readonly month: Month
  readonly plan: Plan
}

export class BonusStore extends Context.Service<
  BonusStore,
  {
    /** Records a grant: false when it was recorded before. */
    readonly record: (grant: BonusGrant) => Effect.Effect<boolean, StorageError, Tx>
    /** Active accounts after an id whose plan has a bonus, in the order of their ids. */
    readonly accounts: (
      after: Ids.AccountId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly id: Ids.AccountId; readonly plan: Plan }>, StorageError, Read>
  }
>()("@trunkline/core/platform/billing/BonusStore") {}
