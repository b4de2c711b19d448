/** Called in the transaction in which voice sessions end, by rooms that go on with them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type { VoiceSession } from "./VoiceSession.ts"

export interface SessionWatcher {
  /** The sessions have been saved as they have ended; a failure keeps them from ending. */
  readonly ended: (sessions: ReadonlyArray<VoiceSession>) => Effect.Effect<void, StorageError, Tx | Read>
}

/** Does nothing by default. */
export const SessionWatcher = Context.Reference<SessionWatcher>("@trunkline/core/voice/sessions/SessionWatcher", {
  defaultValue: () => ({ ended: () => Effect.void })
})
