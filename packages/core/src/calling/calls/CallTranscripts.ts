/** Port: what was said on a call. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, TranscriptEntry } from "../../platform/kernel/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"

export class CallTranscripts extends Context.Service<
  CallTranscripts,
  {
    /** In its order; empty for a call on which no agent has spoken. */
    readonly find: (
      tenantId: Ids.AccountId,
      callId: Ids.CallId
    ) => Effect.Effect<ReadonlyArray<TranscriptEntry>, StorageError, Read>
  }
>()("@trunkline/core/calling/calls/CallTranscripts") {}
