/** Handlers of voice sessions. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { contract } from "../http/RoomContract.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import { answerInference, CurrentCaller } from "../inference/index.ts"
import { voiceGroup } from "./VoiceApi.ts"
import { SessionRecord } from "./VoiceSession.ts"
import { VoiceSessions } from "./VoiceSessions.ts"

const api = contract.add(voiceGroup)

const record = SessionRecord.toWire

export const layer = () =>
  RouteHandlers.group(
    api,
    "voiceSessions",
    Effect.fnUntraced(function* (handlers) {
      const voice = yield* VoiceSessions
      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { key, payer } = yield* CurrentCaller
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const idempotencyKey = headers["idempotency-key"]
          const caller = { plan: payer.plan, key }
          const wanted = {
            botId: payload.bot_id,
            maxDurationSeconds: payload.max_duration_seconds ?? null,
            sttModel: payload.stt_model ?? null,
            language: payload.language ?? null
          }
          return yield* answerInference(
            idempotencyKey === undefined
              ? Effect.map(voice.create(payer.tenantId, caller, wanted), record)
              : Effect.map(voice.createOnce(payer.tenantId, caller, wanted, idempotencyKey), (created) =>
                  created._tag === "Created" ? record(created.session) : replayed(created.body)
                )
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

const replayed = (body: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { contentType: "application/json", headers: { "idempotent-replayed": "true" } })
