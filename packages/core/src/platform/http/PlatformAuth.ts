/** The authentication of `/api/v1/*` as middleware of the contract: what an endpoint needs stands in its annotations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import {
  Authentication,
  accessErrors,
  CurrentPrincipal,
  type Feature,
  type FeatureDisabled,
  missing,
  NotAllowed,
  type NotIdentified,
  Scopes
} from "../accounts/index.ts"
import type { Brand } from "../brand/index.ts"
import { leavesNothing } from "../idempotency/index.ts"
import { movingErrors } from "../moving/index.ts"
import { storageErrors } from "../storage/index.ts"
import { edgeCodes, withErrorCode } from "./engine/index.ts"
import {
  explainHidden,
  Forbidden,
  hiddenDetail,
  NotFound,
  retryAfter,
  Unauthorized,
  Unavailable,
  unavailableDetail
} from "./PlatformErrors.ts"

/** The scope that a key must have; for a person it stands for a role. */
export const NeedsScope = Context.Reference<Scopes.Scope | null>("@trunkline/core/platform/http/NeedsScope", {
  defaultValue: () => null
})

/** A second scope that the caller must have; null where one will do. */
export const AlsoNeedsScope = Context.Reference<Scopes.Scope | null>("@trunkline/core/platform/http/AlsoNeedsScope", {
  defaultValue: () => null
})

/** The permission that a key must have on `/v1/*`. */
export const NeedsPermission = Context.Reference<Scopes.Permission | null>(
  "@trunkline/core/platform/http/NeedsPermission",
  {
    defaultValue: () => null
  }
)

/** The feature that the account must have for the route to exist. */
export const NeedsFeature = Context.Reference<Feature | null>("@trunkline/core/platform/http/NeedsFeature", {
  defaultValue: () => null
})

/** What is managed, such as `webhooks`, where a person must be an owner or admin; null where every role will do. */
export const NeedsManager = Context.Reference<string | null>("@trunkline/core/platform/http/NeedsManager", {
  defaultValue: () => null
})

/** True where every role reads although the scope is one to write with. */
export const RolesRead = Context.Reference<boolean>("@trunkline/core/platform/http/RolesRead", {
  defaultValue: () => false
})

/** `alone`: no key may ask. `without scope`: people need no scope, and keys do. */
export const ForPeople = Context.Reference<"alone" | "without scope" | null>(
  "@trunkline/core/platform/http/ForPeople",
  {
    defaultValue: () => null
  }
)

/** True where the token of the portal page is accepted. */
export const AcceptsPortalTokens = Context.Reference<boolean>("@trunkline/core/platform/http/AcceptsPortalTokens", {
  defaultValue: () => false
})

export class PlatformAuth extends HttpApiMiddleware.Service<PlatformAuth, { provides: CurrentPrincipal }>()(
  "@trunkline/core/platform/http/PlatformAuth",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized, Forbidden, NotFound, Unavailable]
  }
) {}

const needsOf = ({ annotations }: HttpApiEndpoint.Top) => ({
  needs: {
    scope: Context.get(annotations, NeedsScope),
    alsoScope: Context.get(annotations, AlsoNeedsScope),
    feature: Context.get(annotations, NeedsFeature),
    manager: Context.get(annotations, NeedsManager),
    rolesRead: Context.get(annotations, RolesRead),
    people: Context.get(annotations, ForPeople)
  },
  accepts: { portal: Context.get(annotations, AcceptsPortalTokens) }
})

type Refused = NotIdentified | NotAllowed | FeatureDisabled

/** The code of a caller's refusal; what is hidden has that of its status. */
const codeOf = (error: Refused): string => {
  switch (error._tag) {
    case "Unauthenticated":
      return error.reason === "key_expired" ? "api_key_expired" : edgeCodes[401]!
    case "NotAllowed":
      return error.code
    case "AccountMoved":
    case "AccountMoving":
      return movingErrors[error._tag].code
    case "CrossOrigin":
      return accessErrors.CrossOrigin.code
    case "FeatureDisabled":
      return edgeCodes[404]!
    case "StorageError":
      return storageErrors.StorageError.code
  }
}

/** Gives the answer the code of a caller's refusal. */
export const withRefusalCode = (error: Refused) => withErrorCode(codeOf(error))

/** Asks for a further scope of the caller, on a route where only some requests need it. */
export const alsoNeeds = (scope: Scopes.Scope, { channel }: Brand) =>
  Effect.flatMap(CurrentPrincipal, ({ caller }) => {
    const detail = missing(caller, scope, Scopes.render(scope, channel))
    if (detail === null) return Effect.void
    const refusal = new NotAllowed({ code: "permission_denied", detail })
    return Effect.andThen(
      Effect.andThen(leavesNothing, withRefusalCode(refusal)),
      Effect.fail(new Forbidden({ detail }))
    )
  })

/** The errors of authentication as they are sent. */
const refused = (
  error: Refused
): Effect.Effect<never, Unauthorized | Forbidden | NotFound | Unavailable, HttpServerRequest.HttpServerRequest> =>
  Effect.andThen(withRefusalCode(error), wire(error))

const wire = (error: Refused) => {
  switch (error._tag) {
    case "Unauthenticated":
      return Effect.fail(new Unauthorized({ detail: error.detail }))
    case "NotAllowed":
      return Effect.fail(new Forbidden({ detail: error.detail }))
    case "AccountMoved":
    case "CrossOrigin":
      return Effect.fail(new Forbidden({ detail: error.message }))
    case "AccountMoving":
      return Effect.andThen(retryAfter(error), Effect.fail(new Unavailable({ detail: error.message })))
    case "FeatureDisabled":
      return Effect.andThen(explainHidden(error), Effect.fail(new NotFound({ detail: hiddenDetail })))
    case "StorageError":
      return Effect.andThen(Effect.logError(error), Effect.fail(new Unavailable({ detail: unavailableDetail })))
  }
}

export const layer = Layer.effect(
  PlatformAuth,
  Effect.map(Authentication, ({ admit, identify }) => {
    const known = new WeakMap<object, ReturnType<typeof needsOf>>()
    const needed = (endpoint: HttpApiEndpoint.Top) => {
      const needs = known.get(endpoint) ?? needsOf(endpoint)
      known.set(endpoint, needs)
      return needs
    }
    return PlatformAuth.of({
      // Plain functions instead of a generator, which costs as much as a point read from memory.
      bearer: (handled, { credential, endpoint }) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          const { accepts, needs } = needed(endpoint)
          return Effect.flatMap(identify(Redacted.value(credential), request, accepts), (principal) =>
            Effect.as(admit(principal, needs), principal)
          ).pipe(
            Effect.matchEffect({
              onFailure: refused,
              onSuccess: (principal) => Effect.provideService(handled, CurrentPrincipal, principal)
            })
          )
        })
    })
  })
)
