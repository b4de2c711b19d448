/** Reads a request in JSON and answers it, for routes whose body goes to an upstream as it is. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Brand } from "../../platform/brand/index.ts"
import type { WrittenResponse } from "../../platform/idempotency/index.ts"
import { needsExactJson, ownTurn, parseExactJson } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { CurrentCaller } from "../admission/InferenceAuth.ts"
import { answerInference } from "../errors/InferenceAnswers.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import type { RouteResult } from "../run/RunOnce.ts"
import type { Json } from "../upstreams/GenerateWork.ts"
import type { Capability } from "../upstreams/Upstream.ts"
import { type InferenceCaller, InferenceRoutes } from "./InferenceRoutes.ts"
import { type JsonInput, withoutNullFields } from "./JsonRequest.ts"
import { type JsonRoute, runJson } from "./JsonRoute.ts"
import { encodeResult } from "./RouteResultHttp.ts"

/** A request whose fields the contract has checked, and so that all of it is JSON, with all digits of its numbers. */
export const readJsonRequest = Effect.fnUntraced(function* <Body extends Json>(payload: Body) {
  const { arrayBuffer, headers } = yield* HttpServerRequest.HttpServerRequest
  // Read before, when the body was decoded.
  const read = new Uint8Array(yield* Effect.orDie(arrayBuffer))
  const body = yield* ownTurn(read.length, () =>
    Effect.succeed(needsExactJson(read) ? (parseExactJson(read) as Body) : payload)
  )
  return { body, bytes: read.length, headers, idempotencyKey: headers["idempotency-key"] ?? null }
})

/** Answers a body whose fields the contract has checked. `headerPrefix` is the brand's. */
export const answerJson = (
  payload: Json,
  headerPrefix: string,
  run: (
    caller: InferenceCaller,
    input: JsonInput
  ) => Effect.Effect<RouteResult<WrittenResponse>, InferenceRefused | StorageError>
) =>
  answerInference(
    Effect.gen(function* () {
      const caller = yield* CurrentCaller
      const { body, bytes, idempotencyKey } = yield* readJsonRequest(payload)
      const json = { body: withoutNullFields(body), bytes }
      const result = yield* run(caller, { json, idempotencyKey })
      return encodeResult(result, headerPrefix)
    })
  )

/** The handler of a route whose body goes to an upstream as it is. */
export const jsonHandler = <
  C extends Capability,
  Request extends { readonly model: string },
  Response extends WrittenResponse
>(
  route: JsonRoute<C, Request, Response>,
  { headerPrefix }: Pick<Brand, "headerPrefix">
) =>
  Effect.map(
    InferenceRoutes,
    (routes) =>
      ({ payload }: { readonly payload: Json }) =>
        answerJson(payload, headerPrefix, (caller, input) => runJson(routes, route, caller, input))
  )
