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
    /** The session as it is now, which nobody else changes until this transaction's end: two that want it take turns. */
    readonly hold: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<VoiceSession | null, StorageError, Tx>
    /** Writes a held session. */
    readonly save: (session: VoiceSession) => Effect.Effect<void, StorageError, Tx>
    /** Holds up to `limit` sessions that are due, soonest first; those that somebody else holds are passed over. */
    readonly holdDue: (
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<VoiceSession>, StorageError, Tx>
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError, Read>
  }
>()("@trunkline/core/voice/VoiceStore") {}
