/** Handlers of voice sessions. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Api } from "../http/Api.ts"
import { answerInference } from "../http/InferenceAnswers.ts"
import { CurrentCaller } from "../http/InferenceAuth.ts"
import { Wire } from "../kernel/index.ts"
import type { VoiceSession } from "./VoiceSession.ts"
import { VoiceSessions } from "./VoiceSessions.ts"

const record = ({ dueAt: _dueAt, keyId: _keyId, tenantId: _tenantId, ...session }: VoiceSession) => Wire.toWire(session)

export const layer = (api: Api) =>
  HttpApiBuilder.group(
    api,
    "voiceSessions",
    Effect.fnUntraced(function* (handlers) {
      const voice = yield* VoiceSessions
      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { key, payer } = yield* CurrentCaller
          const wanted = {
            botId: payload.bot_id,
            maxDurationSeconds: payload.max_duration_seconds ?? null,
            sttModel: payload.stt_model ?? null,
            language: payload.language ?? null
          }
          return yield* answerInference(
            Effect.map(voice.create(payer.tenantId, { plan: payer.plan, key }, wanted), record)
          )
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { payer } = yield* CurrentCaller
          return yield* answerInference(Effect.map(voice.get(payer.tenantId, params.session_id), record))
        }),
        end: Effect.fnUntraced(function* ({ params }) {
          const { payer } = yield* CurrentCaller
          return yield* answerInference(Effect.map(voice.end(payer.tenantId, params.session_id, "api_delete"), record))
        })
      })
    })
  )
