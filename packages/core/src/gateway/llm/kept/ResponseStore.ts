/** Port: the responses that are kept for their accounts, and their items. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../../platform/storage/index.ts"
import type * as Ids from "../../GatewayIds.ts"
import type { KeptItem } from "../responses/ResponsesItems.ts"
import type { KeptResponse } from "./KeptResponse.ts"

/** A verb that has `at` sees no response, and no item of one, that has expired by then, whether or not it has been swept. */
export class ResponseStore extends Context.Service<
  ResponseStore,
  {
    /** Keeps a response with its items. Its id is new. */
    readonly add: (response: KeptResponse) => Effect.Effect<void, StorageError, Tx>
    /** A response of the account, its input apart; null for any other. */
    readonly find: (
      tenantId: Ids.AccountId,
      id: string,
      at: Instant.Instant
    ) => Effect.Effect<Omit<KeptResponse, "input"> | null, StorageError, Read>
    /** The own input of a response of the account, in its order; empty for any other. */
    readonly input: (
      tenantId: Ids.AccountId,
      id: string,
      at: Instant.Instant
    ) => Effect.Effect<ReadonlyArray<KeptItem>, StorageError, Read>
    /** Those of the ids that items of the account have, of input or output, in any order; of equal ids the item that was kept last. */
    readonly items: (
      tenantId: Ids.AccountId,
      ids: ReadonlyArray<string>,
      at: Instant.Instant
    ) => Effect.Effect<ReadonlyArray<KeptItem>, StorageError, Read>
    /** Removes a response of the account with its items; false where there is none. Responses that continue it stay as they are. */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: string,
      at: Instant.Instant
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** Removes up to `limit` responses that have expired by `at`, the oldest first; returns how many. */
    readonly sweep: (at: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/gateway/llm/ResponseStore") {}
