/** Handlers of batches. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { CurrentCaller } from "../admission/InferenceAuth.ts"
import { answerInference } from "../errors/InferenceAnswers.ts"
import { refuseFields } from "../errors/InferenceErrors.ts"
import type { InferenceCaller } from "../routes/InferenceRoutes.ts"
import { type JsonInput, jsonFingerprint } from "../routes/JsonRequest.ts"
import { answerJson } from "../routes/JsonRequestHttp.ts"
import { listAnswer } from "../routes/ListAnswer.ts"
import { encodeResult } from "../routes/RouteResultHttp.ts"
import { batchIdOf } from "./Batch.ts"
import { Batches } from "./Batches.ts"
import { batchesGroup, defaultBatchLimit } from "./BatchesApi.ts"
import { batchRecord } from "./BatchRecord.ts"

const api = contract.add(batchesGroup)

export const layer = ({ headerPrefix }: Pick<Brand, "headerPrefix">) =>
  RouteHandlers.group(
    api,
    "batches",
    Effect.fnUntraced(function* (handlers) {
      const batches = yield* Batches

      const list = Effect.fnUntraced(function* (query: { readonly limit?: number; readonly after?: string }) {
        const { payer } = yield* CurrentCaller
        const { limit = defaultBatchLimit } = query
        const after = query.after === undefined ? null : batchIdOf(query.after)
        if (after === null && query.after !== undefined) return yield* noBatchId
        const page = yield* batches.list(payer.tenantId, { after, limit })
        return listAnswer(page.map(batchRecord), limit)
      })

      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { key, payer } = yield* CurrentCaller
          const create = Effect.fnUntraced(function* (_: InferenceCaller, { idempotencyKey, json }: JsonInput) {
            return yield* batches.create({
              tenantId: payer.tenantId,
              keyId: key?.id ?? null,
              endpoint: payload.endpoint,
              inputFileId: payload.input_file_id,
              labels: payload.metadata ?? null,
              idempotency:
                idempotencyKey === null
                  ? null
                  : { key: idempotencyKey, fingerprint: yield* jsonFingerprint("batches", json) }
            })
          })
          return yield* answerJson(payload, headerPrefix, create)
        }),
        list: ({ query }) => answerInference(list(query)),
        get: Effect.fnUntraced(function* ({ params }) {
          const { payer } = yield* CurrentCaller
          return yield* answerInference(Effect.map(batches.get(payer.tenantId, params.batch_id), batchRecord))
        }),
        cancel: Effect.fnUntraced(function* ({ params }) {
          const { payer } = yield* CurrentCaller
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const cancelled = batches.cancel(payer.tenantId, params.batch_id, headers["idempotency-key"] ?? null)
          return yield* answerInference(Effect.map(cancelled, (result) => encodeResult(result, headerPrefix)))
        })
      })
    })
  )

const noBatchId = refuseFields([{ field: "after", message: "Expected the id of a batch" }])
