/** Reads a request in JSON and answers it, for routes whose body goes to an upstream as it is. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { isWritableJson, utf8Length } from "../kernel/index.ts"
import type { StorageError } from "../storage/index.ts"
import type { Json } from "./GenerateWork.ts"
import { answerInference } from "./InferenceAnswers.ts"
import { CurrentCaller } from "./InferenceAuth.ts"
import { type InferenceRefused, refuse } from "./InferenceErrors.ts"
import type { InferenceCaller, RouteResult } from "./InferenceRoutes.ts"
import { type JsonRequest, withoutNullFields } from "./JsonRequest.ts"
import { encodeResult } from "./RouteResultHttp.ts"

export interface JsonInput {
  readonly json: JsonRequest
  readonly idempotencyKey: string | null
}

/** Answers a body whose fields the contract has checked. `headerPrefix` is the brand's. */
export const answerJson = (
  payload: Json,
  headerPrefix: string,
  run: (caller: InferenceCaller, input: JsonInput) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
) =>
  answerInference(
    Effect.gen(function* () {
      const caller = yield* CurrentCaller
      if (!isWritableJson(payload)) return yield* refuse("invalid_request", { message: tooDeep })
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const length = Number(headers["content-length"])
      const bytes = Number.isSafeInteger(length) ? length : utf8Length(JSON.stringify(payload))
      const json = { body: withoutNullFields(payload), bytes }
      const result = yield* run(caller, { json, idempotencyKey: headers["idempotency-key"] ?? null })
      return encodeResult(result, headerPrefix)
    })
  )

const tooDeep = "The body is nested too deeply, or has a number that is out of range."
