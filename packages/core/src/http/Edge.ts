/** What surrounds every route: request ids, the limit per address, and envelopes for errors that no handler sees. */
import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { CurrentLogAnnotations } from "effect/References"
import { HostPrincipalRefused } from "../access/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import type { EdgeFamily } from "../room/index.ts"
import type { AddressLimit } from "./AddressLimit.ts"
import { type CompiledRoute, type CompiledRoutes, MatchedTarget, type RouteServices } from "./CompiledRoutes.ts"
import { clientAddresses, lostBodies } from "./HandOver.ts"
import { CurrentRequestId, requestIdAnnotation, requestIdOf } from "./RequestId.ts"
import { type ContractPath, canonical, contractPaths, type PathMatch, pathOf } from "./RouteTable.ts"

export interface EdgeSettings {
  /** Rate limit of client addresses; null for none. */
  readonly limit: AddressLimit | null
  /** Maximum length of a JSON body. */
  readonly jsonBodyBytes: number
  /** Paths whose errors have envelopes of their own. */
  readonly families: ReadonlyArray<EdgeFamily>
  /** True of a path on which a WebSocket is served. Left out: there is none. */
  readonly isSocket?: (path: string) => boolean
}

export const sentences: Readonly<Record<number, string>> = {
  400: "The request could not be read.",
  404: "Not Found",
  405: "This method is not allowed here; the Allow header names those that are.",
  413: "The request's body is too large.",
  415: "This content type is not supported here. Send application/json, or multipart/form-data to an upload.",
  426: "Only a WebSocket is served here: connect with Upgrade: websocket and Sec-WebSocket-Version: 13.",
  429: "Too many requests from this address. Wait for as long as Retry-After says.",
  500: "Something went wrong on our side. It has been logged under this answer's X-Request-Id.",
  503: "The service is shutting down. Try again shortly."
}

/** Makes error responses in the envelope of the path's family. Source: docs/http-conventions.md#edges. */
const envelopes =
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

/** Adds the headers of every response: the request's id, those of the path's family, and with a 401 how to authenticate. */
const finishing =
  (families: ReadonlyArray<EdgeFamily>) =>
  (response: Response, { path, requestId }: Pick<EdgeRequest, "path" | "requestId">): Response => {
    const own = families.find(({ headers, owns }) => headers !== undefined && owns(path))?.headers
    if (own === undefined && response.status !== 401) {
      return HttpServerResponse.setHeader(response, "x-request-id", requestId)
    }
    return HttpServerResponse.setHeaders(response, {
      ...own?.({ path, requestId }),
      ...(response.status === 401 ? { "www-authenticate": "Bearer" } : {}),
      "x-request-id": requestId
    })
  }

/** An answer of the edge, whole. */
export type EdgeAnswers = (
  status: number,
  request: Pick<EdgeRequest, "path" | "requestId">,
  headers?: Readonly<Record<string, string>>
) => Response

/** Answers of the edge to what is no request of a route, such as a handshake. */
export const edgeAnswers = (families: ReadonlyArray<EdgeFamily>): EdgeAnswers => {
  const envelope = envelopes(families)
  const finished = finishing(families)
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

/** Maximum bytes of a JSON body. */
type BodyLimit = (path: string) => number

const bodyLimits =
  ({ families, jsonBodyBytes }: EdgeSettings): BodyLimit =>
  (path) =>
    Math.max(jsonBodyBytes, families.find(({ owns }) => owns(path))?.jsonBodyBytes ?? 0)

/** Refuses by path, method, rate and length before a route runs; returns null for a request that may go on. */
const admission =
  ({ isSocket, jsonBodyBytes, limit }: EdgeSettings, bodyLimit: BodyLimit, envelope: Envelope) =>
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
    const wait = limit === null || route.isCallback ? null : limit.acquire(addressOf(request), at)
    if (wait !== null) return HttpServerResponse.setHeader(refused(429), "retry-after", String(wait))
    const length = Number(request.headers["content-length"] ?? 0)
    return length > jsonBodyBytes && length > bodyLimit(path) && !isForm(request) ? refused(413) : null
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
  { bodyLimit, contractPath }: { readonly bodyLimit: BodyLimit; readonly contractPath: ContractPath }
): Context.Context<never> => {
  const { path, request, requestId } = current
  const inner = contractRequest(current, contractPath)
  const annotations = { ...Context.get(context, CurrentLogAnnotations), [requestIdAnnotation]: requestId }
  let own: Context.Context<never> = context.pipe(
    Context.add(MatchedTarget, { params, query: request.url.slice(path.length + 1) }),
    Context.add(CurrentRequestId, requestId),
    Context.add(CurrentLogAnnotations, annotations)
  )
  if (inner !== request) own = Context.add(own, HttpServerRequest.HttpServerRequest, inner)
  if (request.method === "GET") return own
  // Without a Content-Length the body is counted while it is read. Forms are counted by their own reader.
  return Context.add(own, HttpServerRequest.MaxBodySize, isForm(request) ? undefined : ByteSize.bytes(bodyLimit(path)))
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
  const finished = finishing(settings.families)

  // Plain functions instead of a generator, which costs as much as a point read from memory.
  return Effect.withFiber((fiber) => {
    const { context } = fiber
    const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
    const at = Instant.make(Context.get(context, Clock.Clock).currentTimeMillisUnsafe())
    const requestId = requestIdOf(request.headers) ?? Context.get(context, Ids.IdSource).next(at)
    const current = { request, requestId, path: pathOf(request.url) }
    const match = routes.find(current.path)
    const refused = refusedAtOnce(current, match, at)
    if (refused !== null) return Effect.succeed(finished(refused, current))
    const route = match!.routes.get(request.method)!
    const lost = lostBodies.get(request.source)
    if (lost !== undefined) {
      return Effect.as(Effect.logError(lost), finished(envelope(current.path, 500, requestId), current))
    }
    const params = route.paramsOf(match!.segments)
    if (params === null) return Effect.succeed(finished(envelope(current.path, 400, requestId), current))
    // `HttpEffect.toHandled` gives the fiber its context back.
    fiber.setContext(routeContext(context, current, params, { bodyLimit, contractPath }))
    return Effect.matchCauseEffect(Effect.interruptible(route.answer as Effect.Effect<Response>), {
      onSuccess: (response) => Effect.succeed(finished(enveloped(response, current, envelope), current)),
      onFailure: (cause) =>
        Effect.map(responseToCause(cause, current, envelope), (response) => finished(response, current))
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

const addressOf = (request: Request): string => {
  const known = clientAddresses.get(request.source)
  return known ?? Option.getOrElse(request.remoteAddress, () => "unknown")
}

const isForm = (request: Request): boolean => request.headers["content-type"]?.startsWith("multipart/") === true
