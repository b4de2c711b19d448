/**
 * The flow that every inference route shares: idempotency, admission of the model, metered run, response. A route adds its
 * codec, its price rule and its capability. Source: docs/reference/gateway.md#order, docs/contributing.md#inference-route.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ApiKeys } from "../../platform/accounts/index.ts"
import {
  type ClaimLost,
  Idempotency,
  keptAnswerOf,
  type RunRequest,
  type StoredResponse,
  type StoreResponse,
  type WrittenResponse
} from "../../platform/idempotency/index.ts"
import { tracedFn } from "../../platform/kernel/index.ts"
import type { StorageError, Tx } from "../../platform/storage/index.ts"
import type { Model } from "../catalogue/Model.ts"
import { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import { attemptsHeader, type InferenceRefused, inferenceCodes } from "../errors/InferenceErrors.ts"
import {
  type FailureCodes,
  failureRefusal,
  type InputFaults,
  modelRefusal,
  noUpstreamRefusal,
  spendingRefusal
} from "../run/InferenceRefusals.ts"
import { MeteredRun, type MeteredRunError, type MeteredWork, type RunContext } from "../run/MeteredRun.ts"
import type { Answered, Attempt, Candidate } from "../run/RunAttempt.ts"
import { type RouteResult, runOnce } from "../run/RunOnce.ts"
import { type Capabilities, type Capability, serviceOf } from "../upstreams/Upstream.ts"

export interface InferenceCaller extends RunContext {
  /** Null for people. */
  readonly key: Pick<ApiKeys.ApiKey, "allowedModels"> | null
}

/** An admitted request: what its upstreams are asked, and what becomes of an answer. */
export interface Prepared<
  C extends Capability,
  Answer = Capabilities[C]["answer"],
  Response extends WrittenResponse = StoredResponse
> {
  readonly candidate: Candidate<C, Answer>
  readonly encode: (answered: Answered<C, Answer>) => Response
  /** Keeps what outlives the answer, in the transaction of the bill. Where it fails nothing is charged. */
  readonly keep?: (answer: Answer) => Effect.Effect<void, StorageError, Tx>
}

/** The particulars of a route. `Request` is the request as the route has read it. */
export interface InferenceRoute<
  C extends Capability,
  Request,
  Answer = Capabilities[C]["answer"],
  Response extends WrittenResponse = StoredResponse
> {
  readonly capability: C
  readonly failureCodes: FailureCodes
  readonly inputFaults: InputFaults
  /** The first reason why the model does not take the request; null where there is none. */
  readonly refusal: (request: Request, model: Model) => InferenceRefused | null
  /** Makes the work and its price rule, for a model that the caller may use. */
  readonly prepare: (
    request: Request,
    model: Model,
    caller: InferenceCaller
  ) => Effect.Effect<Prepared<C, Answer, Response>, InferenceRefused | StorageError>
}

export interface RouteRequest<Request> {
  readonly request: Request
  readonly model: string
  /** Null for a request without an Idempotency-Key. */
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null
}

/** The header that names who ran the model, without the brand's prefix. */
const servedByHeader = "served-by"

export class InferenceRoutes extends Context.Service<
  InferenceRoutes,
  {
    /**
     * Answers an admitted request. Everything that is refused is refused before anything is spent; whatever ends the request
     * early, its reservation is released; an answer of an upstream is billed whether or not the client is still there.
     */
    readonly run: <C extends Capability, Request, Answer, Response extends WrittenResponse>(
      route: InferenceRoute<C, Request, Answer, Response>,
      caller: InferenceCaller,
      request: RouteRequest<Request>
    ) => Effect.Effect<RouteResult<Response | StoredResponse>, InferenceRefused | StorageError>
    /** The same for work without a client: `store` stores the response in the transaction of the bill. Where it fails nothing is charged. */
    readonly answer: <C extends Capability, Request, Answer, Response extends WrittenResponse>(
      route: InferenceRoute<C, Request, Answer, Response>,
      caller: InferenceCaller,
      request: Omit<RouteRequest<Request>, "idempotency">,
      store: StoreResponse
    ) => Effect.Effect<Response, ClaimLost | InferenceRefused | StorageError>
    /**
     * Ends the work of an admitted request whose one attempt was made elsewhere: charges or releases the reservation, and ends the
     * run under an Idempotency-Key, which has begun. `keyed` is null for a request without one.
     */
    readonly conclude: <C extends Capability, Answer, Response extends WrittenResponse>(
      route: RouteFailures<C>,
      work: MeteredWork<C, Answer, Response>,
      attempt: Attempt<C, Answer>,
      keyed: Omit<RunRequest, "leaseMs"> | null
    ) => Effect.Effect<RouteResult<Response | StoredResponse>, InferenceRefused | StorageError>
  }
>()("@trunkline/core/gateway/routes/InferenceRoutes") {
  static readonly layer = Layer.effect(
    InferenceRoutes,
    Effect.gen(function* () {
      const catalogue = yield* ModelCatalogue
      const idempotency = yield* Idempotency
      const metered = yield* MeteredRun

      const prepare = Effect.fnUntraced(function* <
        C extends Capability,
        Request,
        Answer,
        Response extends WrittenResponse
      >(
        route: InferenceRoute<C, Request, Answer, Response>,
        caller: InferenceCaller,
        { model: id, request }: Omit<RouteRequest<Request>, "idempotency">
      ) {
        const { key, payer } = caller
        const model = catalogue.get(id)
        const refused = modelRefusal(id, model, { key, plan: payer.plan }) ?? route.refusal(request, model!)
        return refused === null ? yield* route.prepare(request, model!, caller) : yield* refused
      })

      const execute = Effect.fnUntraced(function* <
        C extends Capability,
        Request,
        Answer,
        Response extends WrittenResponse
      >(
        route: InferenceRoute<C, Request, Answer, Response>,
        caller: InferenceCaller,
        request: Omit<RouteRequest<Request>, "idempotency">,
        store: StoreResponse
      ) {
        const prepared = yield* prepare(route, caller, request)
        return yield* ended(route, metered.run(meteredWork(route, caller, prepared, store)))
      })

      const conclude: InferenceRoutes["Service"]["conclude"] = (route, work, attempt, keyed) =>
        runOnce(idempotency, keyed, () => ended(route, metered.conclude(work, metered.reservationOf(work), attempt)))

      const run = tracedFn("InferenceRoutes.run")(function* <
        C extends Capability,
        Request,
        Answer,
        Response extends WrittenResponse
      >(route: InferenceRoute<C, Request, Answer, Response>, caller: InferenceCaller, request: RouteRequest<Request>) {
        const { tenantId } = caller.payer
        const claim = caller.attempt?.claim ?? null
        const keyed = request.idempotency === null ? null : { tenantId, ...request.idempotency, claim }
        return yield* runOnce(idempotency, keyed, (store) => execute(route, caller, request, store))
      })

      return InferenceRoutes.of({ run, answer: execute, conclude })
    })
  )
}

/** What a route calls the failures of its upstreams. */
type RouteFailures<C extends Capability> = Pick<InferenceRoute<C, never>, "capability" | "failureCodes" | "inputFaults">

/** The metered work of an admitted request. `store`: in the transaction of the bill. */
export const meteredWork = <C extends Capability, Answer, Response extends WrittenResponse>(
  { capability, failureCodes }: RouteFailures<C>,
  context: RunContext,
  { candidate, encode, keep = () => Effect.void }: Prepared<C, Answer, Response>,
  store: StoreResponse
): MeteredWork<C, Answer, Response> => ({
  capability,
  context,
  candidate,
  failureStatus: (why) => inferenceCodes[failureCodes[why]].status,
  encode: (answered) => withHeaders(answered, encode(answered)),
  keptAnswer: (encoded) => keptAnswerOf(store, encoded),
  // The response of a run is stored by the ledger.
  store: (encoded, answer) => (store.run === undefined ? Effect.andThen(store(encoded), keep(answer)) : keep(answer))
})

const ended = <C extends Capability, A>(route: RouteFailures<C>, run: Effect.Effect<A, MeteredRunError>) =>
  run.pipe(
    Effect.tapError(logForOperator),
    Effect.mapError((error) => refusalOf(error, route))
  )

type Ran = Pick<Answered<Capability>, "attempts" | "upstream">

const withHeaders = <Response extends WrittenResponse>(answered: Ran, response: Response): Response => ({
  ...response,
  headers: { ...response.headers, ...runHeaders(answered) }
})

/** What an answer says about its run, under names without the brand's prefix. */
export const runHeaders = ({ attempts, upstream: { servedBy } }: Ran): Readonly<Record<string, string>> => ({
  ...(servedBy === null ? {} : { [servedByHeader]: servedBy }),
  ...(attempts > 1 ? { [attemptsHeader]: String(attempts) } : {})
})

/** What only the operator can change, and may read. */
const logForOperator = (error: MeteredRunError): Effect.Effect<void> =>
  error._tag === "NoUpstream" || error._tag === "RunFailed" ? Effect.logWarning(error.message) : Effect.void

const refusalOf = <C extends Capability>(
  error: MeteredRunError,
  { capability, failureCodes, inputFaults }: RouteFailures<C>
): InferenceRefused | ClaimLost | StorageError => {
  switch (error._tag) {
    case "ClaimLost":
    case "StorageError":
    case "InferenceRefused":
      return error
    case "NoUpstream":
      return noUpstreamRefusal(error)
    case "RunFailed":
      return failureRefusal(error, failureCodes, inputFaults)
    default:
      return spendingRefusal(error, serviceOf[capability])
  }
}
