/** Port: the list of people who have opted out. Lock ("opt-out", …) of a person before their entries are looked for and written. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { OptOut, OptOutSource } from "./OptOut.ts"

/** Which entries are asked for; null for all. */
export interface OptOutFilter {
  readonly source: OptOutSource | null
  readonly phoneNumberId: string | null
}

export class OptOutStore extends Context.Service<
  OptOutStore,
  {
    readonly add: (entry: OptOut) => Effect.Effect<void, StorageError, Tx>
    readonly find: (tenantId: Ids.AccountId, id: Ids.OptOutId) => Effect.Effect<OptOut | null, StorageError, Read>
    /** Entries whose keys are in a half-open range, newest first. */
    readonly near: (
      tenantId: Ids.AccountId,
      range: { readonly from: string; readonly to: string }
    ) => Effect.Effect<ReadonlyArray<OptOut>, StorageError, Read>
    /** Entries with the channel's id of a person, newest first. */
    readonly ofUser: (
      tenantId: Ids.AccountId,
      userId: string
    ) => Effect.Effect<ReadonlyArray<OptOut>, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: OptOutFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<OptOut>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, filter: OptOutFilter) => Effect.Effect<number, StorageError, Read>
    readonly remove: (tenantId: Ids.AccountId, id: Ids.OptOutId) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/messaging/opt-outs/OptOutStore") {}
