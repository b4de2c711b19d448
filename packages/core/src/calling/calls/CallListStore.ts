/** Port: calls as people read them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PhoneNumber } from "../../platform/numbers/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { Call } from "./Call.ts"

export class CallListStore extends Context.Service<
  CallListStore,
  {
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
