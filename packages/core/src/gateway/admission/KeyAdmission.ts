/** Who may use `/v1/*`, and how often, whatever brings the request: a route, or a socket. Source: docs/reference/access.md#inference. */
import * as Effect from "effect/Effect"
import {
  type ApiKeys,
  type AuthenticatedRequest,
  Authentication,
  type KeyMemory,
  type NotIdentified,
  type Principal,
  type Unauthenticated
} from "../../platform/accounts/index.ts"
import {
  type AccessChanged,
  type Allowance,
  type ConcurrencySlot,
  type KeyLimitRequest,
  KeyLimits,
  Plans,
  type RateLimited,
  type TooManyAtOnce
} from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { type InferenceRefused, refuse, storageUnavailable } from "../errors/InferenceErrors.ts"
import { movingRefusal } from "./AccountRefusals.ts"
import * as Admission from "./Admission.ts"

/** A refusal, and the rest of the key's minute, which its answer shows all the same. */
export interface NotAdmitted {
  readonly refused: InferenceRefused
  /** Null where nobody is known, or the key has no limit. */
  readonly allowance: Allowance | null
}

export interface Admitted {
  readonly principal: Principal
  readonly at: Instant.Instant
}

/** The headers of an answer to a key that has a limit. */
export const allowanceHeaders = (allowance: Allowance | null): Readonly<Record<string, string>> =>
  allowance === null
    ? {}
    : {
        "x-ratelimit-limit": String(allowance.limit),
        "x-ratelimit-remaining": String(allowance.remaining),
        "x-ratelimit-reset": String(allowance.resetSeconds)
      }

export const keyOf = ({ caller }: Principal): ApiKeys.ApiKey | null => (caller._tag === "Key" ? caller.key : null)

const notAdmitted = (refused: InferenceRefused, allowance: Allowance | null): Effect.Effect<never, NotAdmitted> =>
  Effect.fail({ refused, allowance })

const unavailable = (error: StorageError): Effect.Effect<never, NotAdmitted> =>
  Effect.andThen(Effect.logError(error), notAdmitted(storageUnavailable, null))

const unauthenticated = ({ detail, reason }: Unauthenticated): InferenceRefused =>
  refuse(reason === "key_expired" ? "api_key_expired" : "invalid_api_key", { message: detail })

const notIdentified = (error: NotIdentified): Effect.Effect<never, NotAdmitted> => {
  switch (error._tag) {
    case "StorageError":
      return unavailable(error)
    case "Unauthenticated":
      return notAdmitted(unauthenticated(error), null)
    case "CrossOrigin":
      return notAdmitted(refuse("permission_denied", { message: error.message }), null)
    case "AccountMoved":
    case "AccountMoving":
      return notAdmitted(movingRefusal(error), null)
  }
}

const limitOf = (key: ApiKeys.ApiKey, { account, tenantId }: Principal) => ({
  tenantId,
  keyId: key.id,
  perMinute: Plans.requestsPerMinute(account.plan, key.requestsPerMinute)
})

/** Null for a caller that was read for this request. */
const versionOf = ({ caller }: Principal): number | null => (caller._tag === "Key" ? (caller.version ?? null) : null)

/** A request as the limits of its key see it. */
export const limitRequestOf = (
  key: ApiKeys.ApiKey,
  principal: Principal,
  { id }: Pick<ConcurrencySlot, "id">
): KeyLimitRequest => ({
  id,
  ...limitOf(key, principal),
  concurrency: Plans.concurrency(key.concurrency),
  version: versionOf(principal)
})

export const keyAdmission = Effect.gen(function* () {
  const { identify } = yield* Authentication
  const limits = yield* KeyLimits

  /** Refuses without acquiring anything. */
  const refuseUnacquired = (principal: Principal, refused: InferenceRefused): Effect.Effect<never, NotAdmitted> => {
    const key = keyOf(principal)
    const limit = key === null ? null : limitOf(key, principal)
    if (limit === null || limit.perMinute === null) return notAdmitted(refused, null)
    return limits.allowance(limit).pipe(
      Effect.catch((error) => Effect.as(Effect.logError(error), null)),
      Effect.flatMap((allowance) => notAdmitted(refused, allowance))
    )
  }

  const overLimit = (error: RateLimited | TooManyAtOnce | StorageError, principal: Principal) => {
    switch (error._tag) {
      case "StorageError":
        return unavailable(error)
      case "TooManyAtOnce":
        return refuseUnacquired(principal, refuse("too_many_concurrent_requests", { retryAfterSeconds: 1 }))
      case "RateLimited": {
        const { limit, retryAfterSeconds } = error
        return notAdmitted(refuse("rate_limit_exceeded", { retryAfterSeconds }), {
          limit,
          remaining: 0,
          resetSeconds: retryAfterSeconds
        })
      }
    }
  }

  // Every request comes through here, as functions: a generator would cost as much as a look into a table in memory.
  /** Identifies who is asking, and checks whether it may. `memory`: `renew` after a key that was remembered has changed. */
  const admit = (
    credential: string,
    request: AuthenticatedRequest,
    needs: Admission.Needs,
    memory: KeyMemory
  ): Effect.Effect<Admitted, NotAdmitted> =>
    Effect.matchEffect(identify(credential, request, { portal: false, people: needs.signedIn !== "nobody", memory }), {
      onFailure: notIdentified,
      onSuccess: (principal) =>
        Effect.flatMap(Instant.now, (at) => {
          const { origin, referer } = request.headers
          const refused = Admission.refusalOf(principal, needs, { origin, referer }, at)
          if (refused === null) return Effect.succeed({ principal, at })
          return versionOf(principal) === null
            ? refuseUnacquired(principal, refused)
            : admit(credential, request, needs, "renew")
        })
    })

  /** Acquires one request of the key's minute and one of its places, or neither. Fails where the key must be admitted anew. */
  const acquire = (
    key: ApiKeys.ApiKey,
    principal: Principal,
    slot: ConcurrencySlot
  ): Effect.Effect<Allowance | null, NotAdmitted | AccessChanged> =>
    Effect.catch(
      limits.acquire(limitRequestOf(key, principal, slot)),
      (error): Effect.Effect<never, NotAdmitted | AccessChanged> =>
        error._tag === "AccessChanged" ? Effect.fail(error) : overLimit(error, principal)
    )

  /** Releases a place, unless it was released already. */
  const release = (slot: ConcurrencySlot): Effect.Effect<void> =>
    Effect.catchCause(
      Effect.suspend(() => limits.release(slot)),
      (cause) => Effect.logError("a concurrency slot could not be released, and is held for another 20 seconds", cause)
    )

  return { admit, acquire, release }
})
