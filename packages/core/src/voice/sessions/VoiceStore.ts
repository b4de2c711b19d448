/** Port: voice sessions. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { VoiceSession, VoiceStatus } from "./VoiceSession.ts"

export interface VoiceSessionFilter {
  readonly status: VoiceStatus | null
  readonly botId: Ids.BotId | null
  readonly callId: Ids.CallId | null
}

export class VoiceStore extends Context.Service<
  VoiceStore,
  {
    readonly add: (session: VoiceSession) => Effect.Effect<void, StorageError, Tx>
    readonly find: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<VoiceSession | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: VoiceSessionFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<VoiceSession>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, filter: VoiceSessionFilter) => Effect.Effect<number, StorageError, Read>
    /** Locks the session until the end of the transaction, and returns it as it is then. */
    readonly lock: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<VoiceSession | null, StorageError, Tx>
    /** Writes a locked session. */
    readonly save: (session: VoiceSession) => Effect.Effect<void, StorageError, Tx>
    /** Locks up to `limit` sessions that are due, the soonest first; skips those that another transaction has locked. */
    readonly lockDue: (
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<VoiceSession>, StorageError, Tx>
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Locks up to `limit` sessions that ended at or before an instant and have a recording, oldest first; skips locked ones. */
    readonly lockRecorded: (
      endedBy: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<VoiceSession>, StorageError, Tx>
  }
>()("@trunkline/core/voice/sessions/VoiceStore") {}
