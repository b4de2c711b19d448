/** Port: voice sessions that a process of ours runs, and their leases. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { VoiceSession } from "./VoiceSession.ts"

/** A process's right to a session. */
export interface SessionLease {
  readonly id: Ids.VoiceSessionId
  readonly claim: string
}

/** How long the leases last, and when that was decided. */
export interface LeaseTimes {
  readonly lastSeenAt: Instant.Instant
  readonly leaseUntil: Instant.Instant
}

export class LiveSessionStore extends Context.Service<
  LiveSessionStore,
  {
    /** The session whose token has this digest, of any account: one indexed read. */
    readonly byToken: (digest: string) => Effect.Effect<VoiceSession | null, StorageError, Read>
    /** Locks the session until the end of the transaction. */
    readonly lock: (id: Ids.VoiceSessionId) => Effect.Effect<VoiceSession | null, StorageError, Tx>
    /** Locks the active session of a call. */
    readonly lockOfCall: (callId: Ids.CallId) => Effect.Effect<VoiceSession | null, StorageError, Tx>
    /** Adds turns of the caller to a locked session. */
    readonly addTurns: (id: Ids.VoiceSessionId, turns: number) => Effect.Effect<void, StorageError, Tx>
    /** Active sessions of an account whose lease lasts beyond an instant. */
    readonly countActive: (tenantId: Ids.AccountId, at: Instant.Instant) => Effect.Effect<number, StorageError, Read>
    /** Renews the leases of active sessions in one statement; returns those that were renewed. */
    readonly renew: (
      leases: ReadonlyArray<SessionLease>,
      times: LeaseTimes
    ) => Effect.Effect<ReadonlyArray<Ids.VoiceSessionId>, StorageError, Tx>
    /** Sessions by their ids, in no order. */
    readonly byIds: (
      ids: ReadonlyArray<Ids.VoiceSessionId>
    ) => Effect.Effect<ReadonlyArray<VoiceSession>, StorageError, Read>
    /** Locks up to `limit` active sessions whose lease is over, the longest over first; skips locked ones. */
    readonly lockLapsed: (
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<VoiceSession>, StorageError, Tx>
    /** When the next lease is over. */
    readonly nextLapse: Effect.Effect<Instant.Instant | null, StorageError, Read>
  }
>()("@trunkline/core/voice/sessions/LiveSessionStore") {}
