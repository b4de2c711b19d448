/** Port: analyses of voice sessions, and the queue of those that wait. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { Analysis } from "./Analysis.ts"

export interface AnalysisClaim {
  readonly sessionId: Ids.VoiceSessionId
  readonly claim: string
}

export class AnalysisStore extends Context.Service<
  AnalysisStore,
  {
    /** Those of these sessions that there are, in no order. */
    readonly ofSessions: (
      ids: ReadonlyArray<Ids.VoiceSessionId>
    ) => Effect.Effect<ReadonlyArray<Analysis>, StorageError, Read>
    /** Writes an analysis in place of its session's earlier one. The call is that of the session: it shows the analysis. */
    readonly put: (analysis: Analysis, callId: Ids.CallId | null) => Effect.Effect<void, StorageError, Tx>
    /** Writes a claimed analysis; false where another process has claimed it, or another one has been asked for. */
    readonly save: (
      analysis: Analysis,
      claim: string,
      callId: Ids.CallId | null
    ) => Effect.Effect<boolean, StorageError, Tx>
    /**
     * Claims analyses that are due until `until`, the longest due first, and counts an attempt of each; two processes never get
     * the same one. One whose claim has run out is due again. Waits for no other transaction.
     */
    readonly claimDue: (wanted: {
      readonly at: Instant.Instant
      readonly until: Instant.Instant
      readonly claim: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Analysis>, StorageError, Tx>
    /** Renews a claim; false where it is lost. */
    readonly renew: (claim: AnalysisClaim, until: Instant.Instant) => Effect.Effect<boolean, StorageError, Tx>
    /** When the next analysis is due, or a claim runs out. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError, Read>
  }
>()("@trunkline/core/voice/analysis/AnalysisStore") {}
