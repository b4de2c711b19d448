/** Port: what was said on a call. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { TranscriptEntry } from "./Transcript.ts"

export interface CallTranscripts {
  /** In its order; empty for a call on which no agent has spoken. */
  readonly find: (
    tenantId: Ids.AccountId,
    callId: Ids.CallId
  ) => Effect.Effect<ReadonlyArray<TranscriptEntry>, StorageError, Read>
}

/** Without voice sessions no agent speaks on a call. */
export const CallTranscripts = Context.Reference<CallTranscripts>("@trunkline/core/calling/calls/CallTranscripts", {
  defaultValue: () => ({ find: () => Effect.succeed([]) })
})
