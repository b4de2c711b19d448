/** Reads a request for its relay, and acquires and reserves for it. */
import type { ApiKeys, Principal } from "../../platform/accounts/index.ts"
import type { ConcurrencySlot, LedgerAdmission } from "../../platform/billing/index.ts"
import type { RelayedExchange } from "../../platform/http/index.ts"
import {
  type AskedRun,
  type Idempotency,
  type StoredResponse,
  type StoreResponse,
  storedJson,
  storedText
} from "../../platform/idempotency/index.ts"
import { isObject, largeBytes, leaseMs, needsExactJson } from "../../platform/kernel/index.ts"
import { type Caller, callerOf, limitRequestOf } from "../admission/index.ts"
import type { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import * as Ids from "../GatewayIds.ts"
import {
  type ChosenTranslation,
  endMark,
  type LlmAnswer,
  type LlmRequest,
  type LlmRun,
  llmFailures,
  llmRefusal,
  llmWork,
  type RelayedApi,
  translationTo
} from "../llm/index.ts"
import { readLlmRequest } from "../llm/LlmRequest.ts"
import type { LlmUsage } from "../llm/tokens/LlmUsage.ts"
import { amountOf } from "../llm/tokens/TokenCount.ts"
import { meteredWork } from "../routes/InferenceRoutes.ts"
import { smallJsonFingerprint } from "../routes/JsonRequest.ts"
import type { CircuitBreakers } from "../run/CircuitBreakers.ts"
import { modelRefusal } from "../run/InferenceRefusals.ts"
import type { MeteredRun, MeteredWork } from "../run/MeteredRun.ts"
import type { Answered } from "../run/RunAttempt.ts"
import { storesNothing } from "../run/RunOnce.ts"
import type { GenerateWork } from "../upstreams/GenerateWork.ts"
import type { OpenGenerate, UpstreamRoute } from "../upstreams/Upstream.ts"

/** A request that may be admitted. */
export interface RelayedRequest {
  readonly caller: Caller & { readonly slot: ConcurrencySlot }
  readonly request: LlmRequest
  readonly run: LlmRun
  readonly chosen: ChosenTranslation
  readonly route: UpstreamRoute<"generate">
  readonly open: OpenGenerate
  readonly sent: GenerateWork
  readonly work: MeteredWork<"generate", LlmAnswer, StoredResponse>
  readonly admission: LedgerAdmission
  readonly stream: BegunStream
}

/** What has been sent of a stream. */
interface BegunStream {
  /** It is stored under the Idempotency-Key. Null without one. */
  readonly kept: Array<string> | null
  /** Returns the billed usage of a client that disconnects now. It is null before the first part. */
  usageSoFar: (() => LlmUsage) | null
}

/** What a request is read with. */
export interface RelayReading {
  readonly breakers: Pick<CircuitBreakers["Service"], "isClosed">
  readonly catalogue: Pick<ModelCatalogue["Service"], "get">
  readonly metered: Pick<MeteredRun["Service"], "planOf" | "reservationOf">
  readonly nextId: (at: RelayedExchange["at"]) => string
  readonly storing: Idempotency["Service"]["storing"]
}

export interface Asked {
  readonly api: RelayedApi
  readonly exchange: RelayedExchange
  readonly principal: Principal
  readonly key: ApiKeys.ApiKey
  readonly idempotencyKey: string | null
  readonly body: Uint8Array
}

/** Returns the request, or null where its route must answer. The route refuses the same requests, by the same rules. */
export const relayedRequest = (
  { api, body, exchange, idempotencyKey, key, principal }: Asked,
  { breakers, catalogue, metered, nextId, storing }: RelayReading
): RelayedRequest | null => {
  const { at, request: received, requestId } = exchange
  if (body.byteLength >= largeBytes || needsExactJson(body)) return null
  const payload = exchange.payload(body)
  if (!isObject(payload)) return null
  const request = readLlmRequest({ api, body: payload, bytes: body.byteLength, headers: received.headers })
  const id = String(request.body.model)
  const model = catalogue.get(id)
  const refused = modelRefusal(id, model, { key, plan: principal.account.plan }) ?? llmRefusal(request, model!)
  if (refused !== null) return null
  const next = () => nextId(at)
  const usageId = Ids.as<"Usage">(next())
  const caller = callerOf({ principal, usageId, requestId, headers: received.headers, startedAt: at })
  const { slot } = caller
  const { candidate, run } = llmWork(request, model!, { at, next, outlet: null })
  const stream: BegunStream = { kept: idempotencyKey === null ? null : [], usageSoFar: null }
  const amountSoFar = () => (stream.usageSoFar === null ? null : amountOf(stream.usageSoFar()))
  const encode = ({ answer }: Answered<"generate", LlmAnswer>) => responseOf(answer, request, stream)
  const prepared = { candidate: { ...candidate, amountSoFar }, encode }
  const asked = idempotencyKey === null ? null : askedRun(request, { principal, key: idempotencyKey, claim: next() })
  const store: StoreResponse = asked === null ? storesNothing : storing(asked, asked.claim)
  const work = meteredWork(llmFailures(api), caller, prepared, store)
  const route = metered.planOf(work)?.entries[0]
  const open = route?.upstream.openGenerate
  const chosen = translationTo(api, route?.upstream.apis ?? [])
  if (slot === null || route === undefined || open === undefined || chosen?.api !== api) return null
  const carried = run.workFor(route)
  if (carried._tag === "Failure" || !breakers.isClosed(route)) return null
  const admission = {
    limits: limitRequestOf(key, principal, slot),
    run: asked,
    reserve: metered.reservationOf(work)
  }
  const sent = carried.success
  return { caller: { ...caller, slot }, request, run, chosen, route, open, sent, work, admission, stream }
}

interface Keyed {
  readonly principal: Principal
  readonly key: string
  readonly claim: string
}

const askedRun = (request: LlmRequest, { claim, key, principal: { tenantId } }: Keyed): AskedRun => ({
  ...{ tenantId, key, claim, leaseMs },
  fingerprint: smallJsonFingerprint(request.api, request)
})

/** Of a stream nothing is left to be sent: its response is what a retry gets. */
const responseOf = ({ body }: LlmAnswer, { api }: LlmRequest, { kept }: BegunStream): StoredResponse => {
  if (body !== null) return storedJson(body)
  return storedText("text/event-stream", kept === null ? "" : `${kept.join("")}${endMark[api]}`)
}
