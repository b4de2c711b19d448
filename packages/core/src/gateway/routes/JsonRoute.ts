/** A route whose body in JSON goes to an upstream as it is: one value, from which its run and its handler follow. */
import * as Effect from "effect/Effect"
import type { StoredResponse, WrittenResponse } from "../../platform/idempotency/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import type { RouteResult } from "../run/RunOnce.ts"
import type { Capabilities, Capability } from "../upstreams/Upstream.ts"
import type { InferenceCaller, InferenceRoute, InferenceRoutes } from "./InferenceRoutes.ts"
import { type JsonInput, type JsonRequest, jsonFingerprint } from "./JsonRequest.ts"

export interface JsonRoute<
  C extends Capability,
  Request extends { readonly model: string },
  Response extends WrittenResponse = StoredResponse
> extends InferenceRoute<C, Request, Capabilities[C]["answer"], Response> {
  /** Distinguishes the route's requests under an Idempotency-Key from equal bodies of other routes. */
  readonly name: string
  /** Reads a body whose fields the contract has checked. */
  readonly read: (json: JsonRequest) => Request
}

/** Answers a request of a caller that has been admitted. */
export const runJson = Effect.fnUntraced(function* <
  C extends Capability,
  Request extends { readonly model: string },
  Response extends WrittenResponse
>(
  routes: InferenceRoutes["Service"],
  route: JsonRoute<C, Request, Response>,
  caller: InferenceCaller,
  { idempotencyKey, json }: JsonInput
): Effect.fn.Return<RouteResult<Response | StoredResponse>, InferenceRefused | StorageError> {
  const request = route.read(json)
  const idempotency =
    idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: yield* jsonFingerprint(route.name, json) }
  return yield* routes.run(route, caller, { request, model: request.model, idempotency })
})
