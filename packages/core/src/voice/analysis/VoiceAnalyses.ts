/** Analyses that somebody asks for. Those of sessions that end begin in EndedSessions. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type InferenceRefused, refuse, refuseState } from "../../gateway/errors/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { lock, Storage, type StorageError } from "../../platform/storage/index.ts"
import { type SessionAnalysis, SpokenSessions } from "../sessions/index.ts"
import * as Ids from "../VoiceIds.ts"
import { requested } from "./Analysis.ts"
import { AnalysisStore } from "./AnalysisStore.ts"

const running = refuseState("The session has not ended: ask for its analysis afterwards")
const silent = refuseState("The caller has said nothing in this session: there is nothing to analyse")

export class VoiceAnalyses extends Context.Service<
  VoiceAnalyses,
  {
    /**
     * Has a session analysed, also again, and whatever its agent's configuration enables; returns the analysis that is pending.
     * Fails while the session runs, and where its caller said nothing.
     */
    readonly request: (
      tenantId: Ids.AccountId,
      sessionId: Ids.VoiceSessionId
    ) => Effect.Effect<SessionAnalysis, InferenceRefused | StorageError>
  }
>()("@trunkline/core/voice/analysis/VoiceAnalyses") {
  static readonly layer = Layer.effect(
    VoiceAnalyses,
    Effect.gen(function* () {
      const spoken = yield* SpokenSessions
      const storage = yield* Storage
      const store = yield* AnalysisStore

      const request = tracedFn("VoiceAnalyses.request")(function* (
        tenantId: Ids.AccountId,
        sessionId: Ids.VoiceSessionId
      ) {
        yield* lock("voice-analysis", sessionId)
        const session = (yield* spoken.find(tenantId, sessionId)) ?? (yield* refuse("session_not_found"))
        if (!session.hasEnded) return yield* running
        if (session.turnCount === 0) return yield* silent
        const [present] = yield* store.ofSessions([sessionId])
        if (present?.status === "pending") return present
        const id = yield* Ids.fresh<"VoiceAnalysis">()
        const analysis = requested({ id, sessionId, tenantId }, yield* Instant.now)
        yield* store.put(analysis, session.callId)
        return analysis
      }, storage.transact)

      return VoiceAnalyses.of({ request })
    })
  )
}
