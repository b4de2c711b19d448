/** The authentication of `/api/v1/*` as middleware of the contract: what an endpoint needs stands in its annotations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Authentication, CurrentPrincipal, type Feature, type Scopes } from "../access/index.ts"
import {
  explainHidden,
  Forbidden,
  hiddenDetail,
  NotFound,
  Unauthorized,
  Unavailable,
  unavailableDetail
} from "./PlatformErrors.ts"

/** The scope that a key, or the role that a person, must have. */
export const NeedsScope = Context.Reference<Scopes.Scope | null>("@trunkline/core/http/NeedsScope", {
  defaultValue: () => null
})

/** The feature that the account must have for the route to exist. */
export const NeedsFeature = Context.Reference<Feature | null>("@trunkline/core/http/NeedsFeature", {
  defaultValue: () => null
})

/** True where a person must be an owner or admin. */
export const NeedsManager = Context.Reference<boolean>("@trunkline/core/http/NeedsManager", {
  defaultValue: () => false
})

/** True where the token of the portal page will do. */
export const TakesPortalTokens = Context.Reference<boolean>("@trunkline/core/http/TakesPortalTokens", {
  defaultValue: () => false
})

export class PlatformAuth extends HttpApiMiddleware.Service<PlatformAuth, { provides: CurrentPrincipal }>()(
  "@trunkline/core/http/PlatformAuth",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized, Forbidden, NotFound, Unavailable]
  }
) {}

export const layer = Layer.effect(
  PlatformAuth,
  Effect.map(Authentication, ({ admit, identify }) =>
    PlatformAuth.of({
      bearer: Effect.fnUntraced(function* (handled, { credential, endpoint }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const takes = { portal: Context.get(endpoint.annotations, TakesPortalTokens) }
        const principal = yield* identify(Redacted.value(credential), request, takes).pipe(
          Effect.catchTags({
            Unauthenticated: ({ detail }) => Effect.fail(new Unauthorized({ detail })),
            StorageError: (error) =>
              Effect.andThen(Effect.logError(error), Effect.fail(new Unavailable({ detail: unavailableDetail })))
          })
        )
        yield* admit(principal, {
          scope: Context.get(endpoint.annotations, NeedsScope),
          feature: Context.get(endpoint.annotations, NeedsFeature),
          manager: Context.get(endpoint.annotations, NeedsManager)
        }).pipe(
          Effect.catchTags({
            NotAllowed: ({ detail }) => Effect.fail(new Forbidden({ detail })),
            FeatureDisabled: (error) =>
              Effect.andThen(explainHidden(error), Effect.fail(new NotFound({ detail: hiddenDetail })))
          })
        )
        return yield* Effect.provideService(handled, CurrentPrincipal, principal)
      })
    })
  )
)
