/** What surrounds every route: request ids, the limit per address, and envelopes for errors that no handler sees. */
import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentLogAnnotations } from "effect/References"
import { HostPrincipalRefused } from "../../accounts/index.ts"
import { Ids, Instant } from "../../kernel/index.ts"
import type { EdgeFamily } from "../../room/index.ts"
import type { AddressLimit } from "./AddressLimit.ts"
import { type CompiledRoute, type CompiledRoutes, MatchedTarget, type RouteServices } from "./CompiledRoutes.ts"
import { enter } from "./EffectInternals.ts"
import { namingCode } from "./ErrorCodes.ts"
import { addressOf, countedAddresses, lostBodies } from "./HandOver.ts"
import { CurrentRequestId, requestIdAnnotation, requestIdOf } from "./RequestId.ts"
import { type ContractPath, canonical, contractPaths, type PathMatch, pathOf } from "./RouteTable.ts"

export interface EdgeSettings {
  /** Rate limit of client addresses; null for none. */
  readonly limit: AddressLimit | null
  /** Maximum length of a JSON body. */
  readonly jsonBodyBytes: number
  /** Paths whose errors have envelopes of their own. */
  readonly families: ReadonlyArray<EdgeFamily>
  /** What the product's own headers begin with. */
  readonly headerPrefix: string
  /** True of a path on which a WebSocket is served. Left out: there is none. */
  readonly isSocket?: (path: string) => boolean
}

export const sentences: Readonly<Record<number, string>> = {
  400: "The request could not be read.",
  404: "Not Found",
  405: "This method is not allowed here; the Allow header names those that are.",
  408: "The request's body did not come: 64 KiB are expected every 10 seconds. Send it again.",
  413: "The request's body is too large.",
  415: "This content type is not supported here. Send application/json, or multipart/form-data to an upload.",
  426: "Only a WebSocket is served here: connect with Upgrade: websocket and Sec-WebSocket-Version: 13.",
  429: "Too many requests from this address. Wait for as long as Retry-After says.",
  500: "Something went wrong on our side. It has been logged under this answer's X-Request-Id.",
  503: "The service is shutting down. Try again shortly."
}

/** Makes error responses in the envelope of the path's family. Source: docs/reference/http-conventions.md#edges. */
export const envelopes =
  (families: ReadonlyArray<EdgeFamily>) =>
  (path: string, status: number, requestId: string): HttpServerResponse.HttpServerResponse => {
    const message = sentences[status] ?? sentences[500]!
    const family = families.find(({ owns }) => owns(path))
    return family === undefined
      ? HttpServerResponse.jsonUnsafe({ detail: message }, { status })
      : family.answer({ path, status, message, requestId })
  }

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** A request that the edge handles. */
interface EdgeRequest {
  readonly request: Request
  readonly path: string
  readonly requestId: string
}

type Envelope = ReturnType<typeof envelopes>

type FamilySettings = Pick<EdgeSettings, "families" | "headerPrefix">

/** A request that is answered; of a handshake only what stands in its target. */
type Finished = Pick<EdgeRequest, "path" | "requestId"> & Partial<Pick<EdgeRequest, "request">>

/**
 * Adds the headers of every response: the request's id, those of the path's family, with a 401 how to authenticate, and the code of an
 * error whose envelope has none.
 */
export const finishing = ({ families, headerPrefix }: FamilySettings) => {
  const withCode = namingCode(headerPrefix)
  return (answer: Response, { path, request, requestId }: Finished): Response => {
    const family = families.find(({ owns }) => owns(path))
    const namesCode = answer.status >= 400 && (family === undefined || family.namesCodes === true)
    const response = namesCode ? withCode(answer, request) : answer
    if (family?.headers === undefined && response.status !== 401) {
      return HttpServerResponse.setHeader(response, "x-request-id", requestId)
    }
    return HttpServerResponse.setHeaders(response, {
      ...family?.headers?.({ path, requestId }),
      ...(response.status === 401 ? { "www-authenticate": "Bearer" } : {}),
      "x-request-id": requestId
    })
  }
}

/** An answer of the edge, whole. */
export type EdgeAnswers = (
  status: number,
  request: Pick<EdgeRequest, "path" | "requestId">,
  headers?: Readonly<Record<string, string>>
) => Response

/** Answers of the edge to handshakes and other requests that have no route. */
export const edgeAnswers = (settings: FamilySettings): EdgeAnswers => {
  const envelope = envelopes(settings.families)
  const finished = finishing(settings)
  return (status, request, headers = {}) =>
    finished(HttpServerResponse.setHeaders(envelope(request.path, status, request.requestId), headers), request)
}

/** Responses that the framework makes have no body of ours. */
const enveloped = (response: Response, { path, requestId }: EdgeRequest, envelope: Envelope): Response =>
  response.status === 415 || (response.status === 413 && response.body._tag === "Empty")
    ? envelope(path, response.status, requestId)
    : response

/** The response to a defect or an interruption. */
const responseToCause = (cause: Cause.Cause<unknown>, { path, requestId }: EdgeRequest, envelope: Envelope) =>
  Effect.flatMap(HttpServerError.causeResponse(cause), ([{ status }]) => {
    const response = envelope(path, status, requestId)
    return status >= 500 && !Cause.hasInterruptsOnly(cause)
      ? Effect.as(logged(cause), response)
      : Effect.succeed(response)
  })

/** Maximum bytes of a request's body; null where its own reader counts them, as of forms. */
type BodyLimit = (current: Pick<EdgeRequest, "path" | "request">, route: CompiledRoute) => number | null

export const bodyLimits =
  ({ families, jsonBodyBytes }: EdgeSettings): BodyLimit =>
  ({ path, request }, { maxBodyBytes }) => {
    if (maxBodyBytes !== null) return maxBodyBytes
    if (isForm(request)) return null
    return Math.max(jsonBodyBytes, families.find(({ owns }) => owns(path))?.jsonBodyBytes ?? 0)
  }

/** What a callback is answered that has proven nothing. */
const unproven: ReadonlySet<number> = new Set([401, 403, 404, 413, 432])

type Counted = (response: Response, current: EdgeRequest, at: Instant.Instant) => Response

/** Counts a callback that was refused as a request of its address. One that is genuine has no limit. */
const countingRefusals =
  ({ limit }: EdgeSettings, envelope: Envelope): Counted =>
  (response, { path, request, requestId }, at) => {
    if (limit === null || !unproven.has(response.status)) return response
    const wait = limit.acquire(clientAddress(request), at)
    return wait === null ? response : tooMany(envelope(path, 429, requestId), wait)
  }

const tooMany = (response: Response, wait: number): Response =>
  HttpServerResponse.setHeader(response, "retry-after", String(wait))

export const clientAddress = (request: Request): string => addressOf(request) ?? "unknown"

/** Refuses by path, method, rate and length before a route runs; returns null for a request that may go on. */
const admission =
  ({ isSocket, limit }: EdgeSettings, bodyLimit: BodyLimit, envelope: Envelope) =>
  (current: EdgeRequest, match: PathMatch<CompiledRoute> | undefined, at: Instant.Instant): Response | null => {
    const { path, request, requestId } = current
    const refused = (status: number) => envelope(path, status, requestId)
    if (match === undefined) {
      if (isSocket === undefined || !isSocket(path)) return refused(404)
      return request.method === "GET" || request.method === "HEAD"
        ? HttpServerResponse.setHeader(refused(426), "upgrade", "websocket")
        : HttpServerResponse.setHeader(refused(405), "allow", "GET")
    }
    const route = match.routes.get(request.method)
    if (route === undefined) {
      return HttpServerResponse.setHeader(refused(405), "allow", [...match.routes.keys()].join(", "))
    }
    const isCounted = limit === null || route.isCallback || route.isFile || countedAddresses.has(request.source)
    const wait = isCounted ? null : limit.acquire(clientAddress(request), at)
    if (wait !== null) return tooMany(refused(429), wait)
    const length = request.headers["content-length"]
    return length !== undefined && Number(length) > (bodyLimit(current, route) ?? Number.POSITIVE_INFINITY)
      ? refused(413)
      : null
  }

/** The request under the contract's path: without an alias and without a trailing slash. */
const contractRequest = ({ path, request }: EdgeRequest, contractPath: ContractPath): Request => {
  const plain = canonical(contractPath(path))
  return plain === path ? request : request.modify({ url: plain + request.url.slice(path.length) })
}

/** Services of a route: the request, its matched target, its id, and the maximum length of its body. */
const routeContext = (
  context: Context.Context<never>,
  current: EdgeRequest,
  params: Readonly<Record<string, string>>,
  { contractPath, maxBytes }: { readonly maxBytes: number | null; readonly contractPath: ContractPath }
): Context.Context<never> => {
  const { path, request, requestId } = current
  const inner = contractRequest(current, contractPath)
  const annotations = { ...Context.get(context, CurrentLogAnnotations), [requestIdAnnotation]: requestId }
  let own: Context.Context<never> = context.pipe(
    Context.add(MatchedTarget, { path, params, query: request.url.slice(path.length + 1) }),
    Context.add(CurrentRequestId, requestId),
    Context.add(CurrentLogAnnotations, annotations)
  )
  if (inner !== request) own = Context.add(own, HttpServerRequest.HttpServerRequest, inner)
  if (request.method === "GET") return own
  // Without a Content-Length the body is counted while it is read. Forms are counted by their own reader.
  return Context.add(own, HttpServerRequest.MaxBodySize, maxBytes === null ? undefined : ByteSize.bytes(maxBytes))
}

/** Wraps the routes. The effect has no errors: every request gets a response. */
export const edge = (
  routes: Pick<CompiledRoutes, "find">,
  settings: EdgeSettings
): Effect.Effect<Response, never, RouteServices> => {
  const envelope = envelopes(settings.families)
  const contractPath = contractPaths(settings.families)
  const bodyLimit = bodyLimits(settings)
  const refusedAtOnce = admission(settings, bodyLimit, envelope)
  const finished = finishing(settings)
  const counted = countingRefusals(settings, envelope)

  // Plain functions instead of a generator, which costs as much as a point read from memory.
  return Effect.withFiber((fiber) => {
    const { context } = fiber
    const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
    const at = Instant.make(Context.get(context, Clock.Clock).currentTimeMillisUnsafe())
    const requestId = requestIdOf(request.headers) ?? Context.get(context, Ids.IdSource).next(at)
    const current = { request, requestId, path: pathOf(request.url) }
    const match = routes.find(current.path)
    const route = match?.routes.get(request.method)
    const answered = (response: Response): Response =>
      finished(route?.isCallback === true ? counted(response, current, at) : response, current)
    const refused = refusedAtOnce(current, match, at)
    if (refused !== null) return Effect.succeed(answered(refused))
    const lost = lostBodies.get(request.source)
    if (lost !== undefined) return Effect.as(Effect.logError(lost), answered(envelope(current.path, 500, requestId)))
    const params = route!.paramsOf(match!.segments)
    if (params === null) return Effect.succeed(answered(envelope(current.path, 400, requestId)))
    enter(fiber, routeContext(context, current, params, { contractPath, maxBytes: bodyLimit(current, route!) }))
    return Effect.matchCauseEffect(Effect.interruptible(route!.answer as Effect.Effect<Response>), {
      onSuccess: (response) => Effect.succeed(answered(enveloped(response, current, envelope))),
      onFailure: (cause) => Effect.map(responseToCause(cause, current, envelope), answered)
    })
  })
}

/** A fault of the host is one sentence with the fix; a stack trace of ours would hide it. */
const logged = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const fault = Cause.squash(cause)
  return fault instanceof HostPrincipalRefused
    ? Effect.logError(fault.message)
    : Effect.logError("a request failed", cause)
}

const isForm = (request: Request): boolean => request.headers["content-type"]?.startsWith("multipart/") === true
