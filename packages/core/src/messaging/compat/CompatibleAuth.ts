/**
 * Who may use the compatible send, as middleware of the contract, and requests to it that do not decode: with the errors that
 * its callers know. Source: docs/reference/errors.md#compatible-send.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpApiError from "effect/http-api/HttpApiError"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Authentication, CurrentPrincipal } from "../../platform/accounts/index.ts"
import { bodyFaultOf } from "../../platform/http/index.ts"
import { NeedsScope, withRefusalCode } from "../../platform/http/PlatformAuth.ts"
import { retryAfter } from "../../platform/http/PlatformErrors.ts"
import { slotOf } from "../../platform/http/SchemaFaults.ts"
import {
  CompatibleBadRequest,
  CompatibleForbidden,
  CompatibleUnauthorized,
  CompatibleUnavailable,
  failCompatible,
  failForStorage,
  ownFault
} from "./CompatibleAnswers.ts"

export class CompatibleAuth extends HttpApiMiddleware.Service<CompatibleAuth, { provides: CurrentPrincipal }>()(
  "@trunkline/core/http/CompatibleAuth",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [CompatibleUnauthorized, CompatibleForbidden, CompatibleUnavailable]
  }
) {}

/** Turns schema failures of a request into errors of the platform's shape, and declares them for every endpoint. */
export class CompatibleRequestErrors extends HttpApiMiddleware.Service<CompatibleRequestErrors>()(
  "@trunkline/core/http/CompatibleRequestErrors",
  { error: [CompatibleBadRequest, CompatibleUnavailable] }
) {}

const auth = (channel: string) =>
  Layer.effect(
    CompatibleAuth,
    Effect.map(Authentication, ({ admit, identify }) => {
      const refused = (status: number, message: string, details: string) =>
        failCompatible(ownFault({ status, message, details, product: channel }))
      return CompatibleAuth.of({
        bearer: Effect.fnUntraced(function* (handled, { credential, endpoint }) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const scope = Context.get(endpoint.annotations, NeedsScope)
          return yield* identify(Redacted.value(credential), request).pipe(
            Effect.tap((principal) => admit(principal, { scope, feature: null, manager: null })),
            Effect.matchEffect({
              onFailure: Effect.fnUntraced(function* (error) {
                yield* withRefusalCode(error)
                switch (error._tag) {
                  case "StorageError":
                    return yield* failForStorage(error, channel)
                  case "AccountMoving":
                    yield* retryAfter(error)
                    return yield* refused(503, "The service is not available for the moment", error.message)
                  case "Unauthenticated":
                    return yield* refused(401, "The access token cannot be used", error.detail)
                  default:
                    return yield* refused(403, "The access token does not have the permission for this", error.message)
                }
              }),
              onSuccess: (principal) => Effect.provideService(handled, CurrentPrincipal, principal)
            })
          )
        })
      })
    })
  )

const faults = (channel: string) =>
  HttpApiMiddleware.layerSchemaErrorTransform(CompatibleRequestErrors, (error: HttpApiError.HttpApiSchemaError) => {
    const slot = slotOf(error)
    // An answer of ours that does not encode is our fault, and stays a 500.
    if (slot === undefined) return Effect.fail(error)
    const said =
      slot === "path"
        ? { status: 404, message: "There is no such path", details: "A version in the path looks like v23.0." }
        : { status: 400, message: bodyFault(error), details: "Send the message as one JSON object." }
    return failCompatible(ownFault({ ...said, product: channel }))
  })

const bodyFault = ({ cause }: HttpApiError.HttpApiSchemaError): string =>
  bodyFaultOf(cause.issue)?.msg ?? "The body must be a JSON object"

/** `channel`: the channel's word, which errors name as the product until the body is read. */
export const layer = (channel: string) => Layer.mergeAll(auth(channel), faults(channel))
