/** Handlers of analyses of voice sessions. */
import * as Effect from "effect/Effect"
import { contract } from "../http/RoomContract.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import { answerInference, CurrentCaller } from "../inference/index.ts"
import { AnalysisRecord } from "../voice/index.ts"
import { VoiceAnalyses } from "./VoiceAnalyses.ts"
import { voiceAnalysisGroup } from "./VoiceAnalysisApi.ts"

const api = contract.add(voiceAnalysisGroup)

export const layer = () =>
  RouteHandlers.group(
    api,
    "voiceAnalyses",
    Effect.fnUntraced(function* (handlers) {
      const analyses = yield* VoiceAnalyses
      return handlers.handleAll({
        analyse: Effect.fnUntraced(function* ({ params }) {
          const { payer } = yield* CurrentCaller
          const requested = analyses.request(payer.tenantId, params.session_id)
          return yield* answerInference(Effect.map(requested, AnalysisRecord.toWire))
        })
      })
    })
  )
