/** Reads a request in JSON and answers it, for routes whose body goes to an upstream as it is. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { StorageError } from "../storage/index.ts"
import type { Json } from "./GenerateWork.ts"
import { answerInference } from "./InferenceAnswers.ts"
import { CurrentCaller } from "./InferenceAuth.ts"
import type { InferenceRefused } from "./InferenceErrors.ts"
import type { InferenceCaller } from "./InferenceRoutes.ts"
import { type JsonRequest, unwritableRefusal, withoutNullFields } from "./JsonRequest.ts"
import { encodeResult } from "./RouteResultHttp.ts"
import type { RouteResult } from "./RunOnce.ts"

export interface JsonInput {
  readonly json: JsonRequest
  readonly idempotencyKey: string | null
}

/** What a request has beside its fields, which the contract has checked. */
export const readJsonRequest = Effect.fnUntraced(function* (payload: Json) {
  const refused = unwritableRefusal(payload)
  if (refused !== null) return yield* refused
  const { arrayBuffer, headers } = yield* HttpServerRequest.HttpServerRequest
  // Read before, when the body was decoded.
  const { byteLength: bytes } = yield* Effect.orDie(arrayBuffer)
  return { bytes, headers, idempotencyKey: headers["idempotency-key"] ?? null }
})

/** Answers a body whose fields the contract has checked. `headerPrefix` is the brand's. */
export const answerJson = (
  payload: Json,
  headerPrefix: string,
  run: (caller: InferenceCaller, input: JsonInput) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
) =>
  answerInference(
    Effect.gen(function* () {
      const caller = yield* CurrentCaller
      const { bytes, idempotencyKey } = yield* readJsonRequest(payload)
      const json = { body: withoutNullFields(payload), bytes }
      const result = yield* run(caller, { json, idempotencyKey })
      return encodeResult(result, headerPrefix)
    })
  )
