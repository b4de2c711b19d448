/** Handlers of analyses of voice sessions. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import { CurrentCaller } from "../../gateway/admission/index.ts"
import { answerInference } from "../../gateway/errors/index.ts"
import { idempotencyRefusal, limitRefusal } from "../../gateway/run/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Idempotency, requestFingerprint, type StoredResponse, storedJson } from "../../platform/idempotency/index.ts"
import { leaseMs } from "../../platform/kernel/index.ts"
import { AnalysisBody, AnalysisRecord } from "../sessions/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { VoiceAnalyses } from "./VoiceAnalyses.ts"
import { voiceAnalysisGroup } from "./VoiceAnalysisApi.ts"

const api = contract.add(voiceAnalysisGroup)

const encode = Schema.encodeSync(AnalysisBody)

const stored = (body: typeof AnalysisBody.Type): StoredResponse => ({ ...storedJson(encode(body)), status: 202 })

const replayed = ({ body, contentType, status }: StoredResponse): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { status, contentType, headers: { "idempotent-replayed": "true" } })

export const layer = () =>
  RouteHandlers.group(
    api,
    "voiceAnalyses",
    Effect.fnUntraced(function* (handlers) {
      const analyses = yield* VoiceAnalyses
      const idempotency = yield* Idempotency

      const requested = (tenantId: Ids.AccountId, sessionId: Ids.VoiceSessionId) =>
        Effect.map(analyses.request(tenantId, sessionId), AnalysisRecord.toWire)

      /** An analysis spends: under its key it is requested once. */
      const requestedOnce = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        sessionId: Ids.VoiceSessionId,
        key: string
      ) {
        const fingerprint = requestFingerprint("voice/sessions/analysis", sessionId)
        const ran = yield* idempotency
          .perform({ tenantId, key, fingerprint, leaseMs }, requested(tenantId, sessionId), (body) =>
            Effect.succeed(stored(body))
          )
          .pipe(
            Effect.catchTags({
              IdempotencyRefused: (error) => Effect.fail(idempotencyRefusal(error)),
              LimitReached: (error) => Effect.fail(limitRefusal(error))
            })
          )
        return ran._tag === "Executed" ? yield* ran.result : replayed(ran.response)
      })

      return handlers.handleAll({
        analyse: Effect.fnUntraced(function* ({ params: { session_id } }) {
          const { payer } = yield* CurrentCaller
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const key = headers["idempotency-key"]
          if (key === undefined) return yield* answerInference(requested(payer.tenantId, session_id))
          return yield* answerInference(requestedOnce(payer.tenantId, session_id, key))
        })
      })
    })
  )
