/** Port: calls as people read them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Page } from "../../platform/kernel/index.ts"
import type { PhoneNumber } from "../../platform/numbers/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { Call } from "./Call.ts"
import type { CallSearch } from "./CallSearch.ts"

export class CallListStore extends Context.Service<
  CallListStore,
  {
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      search: CallSearch,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    /** The newest of those before a call; null: of all. There are more unless none is returned. */
    readonly before: (
      tenantId: Ids.AccountId,
      search: CallSearch,
      before: Ids.CallId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, search: CallSearch) => Effect.Effect<number, StorageError, Read>
    /** In no order. */
    readonly many: (
      tenantId: Ids.AccountId,
      ids: ReadonlyArray<Ids.CallId>
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    /** The newest calls to the person who has a number. */
    readonly toPerson: (
      tenantId: Ids.AccountId,
      key: PhoneNumber.MatchKey,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
  }
>()("@trunkline/core/calling/calls/CallListStore") {}
