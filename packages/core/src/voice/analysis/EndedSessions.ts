/** Requests an analysis when a session ends, and shows it with its session. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Bots } from "../../agents/bots/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { analysisSettingsOf } from "../agent/index.ts"
import { SessionAnalyses, SessionWatcher, SpokenSessions, type VoiceSession } from "../sessions/index.ts"
import * as Ids from "../VoiceIds.ts"
import { requested } from "./Analysis.ts"
import { AnalysisStore } from "./AnalysisStore.ts"

const requesting = Layer.effect(
  SessionWatcher,
  Effect.gen(function* () {
    const bots = yield* Bots
    const spoken = yield* SpokenSessions
    const store = yield* AnalysisStore

    const enqueue = Effect.fnUntraced(function* ({ botId, id, tenantId }: VoiceSession) {
      const bot = botId === null ? null : yield* bots.find(tenantId, botId)
      if (bot === null || !analysisSettingsOf(bot.config).isEnabled) return
      const session = yield* spoken.find(tenantId, id)
      if (session === null || session.turnCount === 0) return
      const analysis = { id: yield* Ids.fresh<"VoiceAnalysis">(), sessionId: id, tenantId }
      yield* store.put(requested(analysis, yield* Instant.now), session.callId)
    })

    return {
      ended: (sessions: ReadonlyArray<VoiceSession>) => Effect.forEach(sessions, enqueue, { discard: true })
    }
  })
)

const shown = Layer.effect(
  SessionAnalyses,
  Effect.map(AnalysisStore, (store) => ({
    find: (ids: ReadonlyArray<Ids.VoiceSessionId>) =>
      Effect.map(store.ofSessions(ids), (found) => new Map(found.map((analysis) => [analysis.sessionId, analysis])))
  }))
)

export const layer = Layer.merge(requesting, shown)
