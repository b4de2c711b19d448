/** Port: what was said in voice sessions. Entries are added and never changed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { TranscriptEntry } from "../../calling/calls/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { VoiceSession } from "./VoiceSession.ts"

/** What somebody said, without its times. */
export type SaidText = Pick<TranscriptEntry, "role" | "text">

export class TranscriptStore extends Context.Service<
  TranscriptStore,
  {
    /** The index of the next entry. Exact while the session is locked. */
    readonly nextIndex: (sessionId: Ids.VoiceSessionId) => Effect.Effect<number, StorageError, Tx>
    readonly add: (
      session: Pick<VoiceSession, "id" | "tenantId" | "botId" | "callId">,
      entries: ReadonlyArray<TranscriptEntry>
    ) => Effect.Effect<void, StorageError, Tx>
    /** In their order. */
    readonly list: (sessionId: Ids.VoiceSessionId) => Effect.Effect<ReadonlyArray<TranscriptEntry>, StorageError, Read>
    /** Entries of all sessions of a call, the first session's first. */
    readonly ofCall: (
      tenantId: Ids.AccountId,
      callId: Ids.CallId
    ) => Effect.Effect<ReadonlyArray<TranscriptEntry>, StorageError, Read>
    /** What caller and agent said, the last first, at most `limit` entries. */
    readonly lastSaid: (
      sessionId: Ids.VoiceSessionId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SaidText>, StorageError, Read>
  }
>()("@trunkline/core/voice/sessions/TranscriptStore") {}
