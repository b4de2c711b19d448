/** Who may use `/v1/*`, and how often, as middleware of the contract: what an endpoint needs stands in its annotations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type * as Types from "effect/Types"
import type { ApiKeys, KeyMemory, Principal } from "../../platform/accounts/index.ts"
import type { Allowance, ConcurrencySlot, Payer } from "../../platform/billing/index.ts"
import { atRequestEnd, CurrentRequestId } from "../../platform/http/index.ts"
import { withNotice } from "../../platform/http/PaymentNotice.ts"
import { NeedsPermission, NeedsScope } from "../../platform/http/PlatformAuth.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import { HeaderPrefix, refusedBy, refuseWith } from "../errors/InferenceAnswers.ts"
import { isMessages } from "../errors/InferencePath.ts"
import * as Ids from "../GatewayIds.ts"
import type * as Admission from "./Admission.ts"
import { DirectRequests } from "./DirectRequests.ts"
import { type FailedAttempt, type HandedOver, handedOver } from "./HandedOver.ts"
import { allowanceHeaders, keyAdmission, keyOf, type NotAdmitted } from "./KeyAdmission.ts"

/** Which signed-in persons may use a route, besides API keys. */
export const SignedInAccess = Context.Reference<Admission.SignedIn>(
  "@trunkline/core/gateway/admission/SignedInAccess",
  {
    defaultValue: () => "nobody"
  }
)

/** Who is asking on `/v1/*`, and what their work is booked under. */
export interface Caller {
  readonly principal: Principal
  /** Null for people. */
  readonly key: ApiKeys.ApiKey | null
  readonly payer: Payer
  /** Of this request: what it may be metered under. */
  readonly usageId: Ids.UsageId
  /** The key's concurrency slot; null for people. */
  readonly slot: ConcurrencySlot | null
  readonly requestId: string
  readonly sessionId: string | null
  readonly traceId: string | null
  readonly startedAt: Instant.Instant
  /** The attempt that its relay has made; null or absent for none. */
  readonly attempt?: FailedAttempt | null
}

export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("@trunkline/core/http/CurrentCaller") {}

export class InferenceAuth extends HttpApiMiddleware.Service<InferenceAuth, { provides: CurrentCaller }>()(
  "@trunkline/core/http/InferenceAuth",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: refusedBy(401, 402, 403, 429, 503)
  }
) {}

interface InferenceAuthSettings {
  /** What the product's own headers begin with. */
  readonly headerPrefix: string
}

/** An id that a caller gives is kept in every row of the usage log, and therefore bounded. */
const maxIdLength = 256

const idOf = (given: string | undefined): string | null =>
  given === undefined || given === "" || given.length > maxIdLength ? null : given

type Answer = HttpServerResponse.HttpServerResponse

/** Adds to every answer, those included that the edge makes of a defect. */
const adding = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

const addingAllowance = (allowance: Allowance | null) =>
  allowance === null ? Effect.void : adding(allowanceHeaders(allowance))

/** Answers as what was not admitted is answered. */
const refuseNotAdmitted = ({ allowance, refused }: NotAdmitted) =>
  Effect.andThen(addingAllowance(allowance), refuseWith(refused))

/** A request as far as its caller is made of it. */
interface Asking {
  readonly principal: Principal
  readonly usageId: Ids.UsageId
  readonly requestId: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly startedAt: Instant.Instant
}

export const callerOf = ({ headers, principal, requestId, startedAt, usageId }: Asking): Caller => {
  const key = keyOf(principal)
  return {
    principal,
    key,
    payer: {
      tenantId: principal.tenantId,
      plan: principal.account.plan,
      monthlyBudget: principal.account.monthlyBudget,
      key
    },
    usageId,
    slot: key === null ? null : { id: usageId, tenantId: principal.tenantId, keyId: key.id, isReleased: false },
    requestId,
    sessionId: idOf(headers["x-session-id"]),
    traceId: idOf(headers["x-trace-id"]),
    startedAt
  }
}

/** What the middleware does with a credential; a route whose credential stands elsewhere has a scheme of its own. */
const admission = ({ headerPrefix }: InferenceAuthSettings) =>
  Effect.gen(function* () {
    const { acquire, admit, release } = yield* keyAdmission
    const { answering } = yield* DirectRequests
    const ids = yield* Ids.IdSource

    /** Answers in a slot that was acquired, and releases it at every end of the answer. */
    const holding = <R>(
      handled: Effect.Effect<Answer, Types.unhandled, R>,
      slot: ConcurrencySlot,
      allowance: Allowance | null
    ) =>
      Effect.matchCauseEffect(Effect.andThen(addingAllowance(allowance), handled), {
        onFailure: (cause) => Effect.andThen(release(slot), Effect.failCause(cause)),
        onSuccess: (response) => whenSent(response, release(slot))
      })

    /** Holds a slot of the key for as long as the answer takes. */
    const inSlot = <R, R2>(
      handled: Effect.Effect<Answer, Types.unhandled, R>,
      key: ApiKeys.ApiKey,
      principal: Principal,
      slot: ConcurrencySlot,
      again: Effect.Effect<Answer, Types.unhandled, R2>
    ) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.matchEffect(acquire(key, principal, slot), {
          onFailure: (error): Effect.Effect<Answer, Types.unhandled, R2 | HttpServerRequest.HttpServerRequest> =>
            "refused" in error ? refuseNotAdmitted(error) : restore(again),
          onSuccess: (allowance) => holding(restore(handled), slot, allowance)
        })
      )

    /** Answers a caller with what its route needs to know of it. */
    const inside = <R>(handled: Effect.Effect<Answer, Types.unhandled, R>, caller: Caller) => {
      const provided = Effect.provideService(
        Effect.provideService(handled, CurrentCaller, caller),
        HeaderPrefix,
        headerPrefix
      )
      return Effect.andThen(withNotice(caller.principal.account, headerPrefix), provided)
    }

    /** `again`: what a key is answered that has changed since it was remembered. */
    const admitted = <R, R2>(
      handled: Effect.Effect<Answer, Types.unhandled, R>,
      principal: Principal,
      headers: Headers.Headers,
      at: Instant.Instant,
      again: Effect.Effect<Answer, Types.unhandled, R2>
    ) =>
      Effect.flatMap(CurrentRequestId, (requestId) => {
        const usageId = Ids.as<"Usage">(ids.next(at))
        const caller = callerOf({ principal, usageId, requestId, headers, startedAt: at })
        const { key, slot } = caller
        const answered = inside(handled, caller)
        return answering(key === null || slot === null ? answered : inSlot(answered, key, principal, slot, again))
      })

    /** Goes on with a request that its relay has admitted. */
    const goOn = <R>(
      handled: Effect.Effect<Answer, Types.unhandled, R>,
      headers: Headers.Headers,
      { allowance, attempt, principal, slot, startedAt, usageId }: HandedOver
    ) =>
      Effect.flatMap(CurrentRequestId, (requestId) => {
        const caller = callerOf({ principal, usageId, requestId, headers, startedAt })
        const answered = inside(handled, { ...caller, slot, attempt })
        const ended = Effect.suspend(() => (attempt === null || attempt.isTaken ? Effect.void : attempt.release))
        return answering(
          Effect.uninterruptibleMask((restore) => holding(Effect.ensuring(restore(answered), ended), slot, allowance))
        )
      })

    return <R>(
      handled: Effect.Effect<Answer, Types.unhandled, R>,
      credential: Redacted.Redacted,
      needs: Admission.Needs
    ) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const handed = handedOver.get(request.source)
        if (handed !== undefined) return goOn(handled, request.headers, handed)
        const asked = <R2>(memory: KeyMemory, again: Effect.Effect<Answer, Types.unhandled, R2>) =>
          Effect.matchEffect(admit(Redacted.value(credential), request, needs, memory), {
            onFailure: refuseNotAdmitted,
            onSuccess: ({ at, principal }) => admitted(handled, principal, request.headers, at, again)
          })
        return asked(
          "use",
          Effect.suspend(() => asked("renew", changedAgain))
        )
      })
  })

const changedAgain = Effect.die(new Error("a key that was read for its request has no version that can change"))

/** Ends something when an answer is out: at once, unless it is a stream that is yet to run. */
const whenSent = (response: Answer, end: Effect.Effect<void>) => {
  const { body } = response
  if (body._tag !== "Stream") return Effect.as(end, response)
  let isOpen = true
  const once = Effect.suspend(() => {
    if (!isOpen) return Effect.void
    isOpen = false
    return end
  })
  // A stream that is not read, as for a HEAD request, ends with the request; one that is read ends before its last byte is sent.
  const ending = Stream.onExit(body.stream, () => once)
  const streamed = HttpServerResponse.setBody(response, HttpBody.stream(ending, body.contentType, body.contentLength))
  return Effect.as(atRequestEnd(once), streamed)
}

/** The header of the messages API; it counts before the other one. */
const apiKeyIn = (headers: Headers.Headers): Redacted.Redacted | null => {
  const given = headers["x-api-key"]
  return given === undefined || given === "" ? null : Redacted.make(given)
}

export const needsOf = ({ annotations }: HttpApiEndpoint.Top): Admission.Needs => {
  const permission = Context.get(annotations, NeedsPermission)
  return {
    signedIn: Context.get(annotations, SignedInAccess),
    permissions: permission === null ? [] : [permission],
    scope: Context.get(annotations, NeedsScope)
  }
}

export const layer = (settings: InferenceAuthSettings) =>
  Layer.effect(
    InferenceAuth,
    Effect.map(admission(settings), (admit) => {
      const known = new WeakMap<object, Admission.Needs>()
      const needed = (endpoint: HttpApiEndpoint.Top) => {
        const needs = known.get(endpoint) ?? needsOf(endpoint)
        known.set(endpoint, needs)
        return needs
      }
      return InferenceAuth.of({
        bearer: (handled, { credential, endpoint }) =>
          isMessages(endpoint.path)
            ? Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
                admit(handled, apiKeyIn(headers) ?? credential, needed(endpoint))
              )
            : admit(handled, credential, needed(endpoint))
      })
    })
  )
