/** Port: voice sessions. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { VoiceSession } from "./VoiceSession.ts"

export class VoiceStore extends Context.Service<
  VoiceStore,
  {
    readonly add: (session: VoiceSession) => Effect.Effect<void, StorageError, Tx>
    readonly find: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<VoiceSession | null, StorageError, Read>
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
  }
>()("@trunkline/core/voice/VoiceStore") {}
