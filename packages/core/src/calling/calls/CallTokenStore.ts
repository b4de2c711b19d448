/** Port: the tokens of calls' media. Only their digests are stored. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"

export class CallTokenStore extends Context.Service<
  CallTokenStore,
  {
    /** Stores a token's digest in the place of an earlier one. False where no such call is open. */
    readonly set: (callId: Ids.CallId, digest: string) => Effect.Effect<boolean, StorageError, Tx>
    /** Removes a token, where the call is open and has it. Of several callers with one token a single one succeeds with true. */
    readonly use: (callId: Ids.CallId, digest: string) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/calling/calls/CallTokenStore") {}
