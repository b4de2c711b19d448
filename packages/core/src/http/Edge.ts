/** What surrounds every route: request ids, the limit per address, and errors that no handler sees, in our envelopes. */
import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { Ids, Instant } from "../kernel/index.ts"
import type { AddressLimit } from "./AddressLimit.ts"
import { requestIdAnnotation, requestIdOf } from "./RequestId.ts"
import { canonical, pathOf, type RouteTable } from "./RouteTable.ts"

export interface EdgeSettings {
  /** How often one client address may ask; null for no limit. */
  readonly limit: AddressLimit | null
  /** Bytes that a JSON body may have. */
  readonly jsonBodyBytes: number
}

/** The client's address as the host knows it, by the request object that the host handed over. */
export const clientAddresses = new WeakMap<object, string>()

/** Carrier callbacks come from few addresses and must not be lost to a limit that is meant for callers. */
const unlimited = /^\/api\/v1\/telephony\/providers\/[^/]+\/callback$/

const sentences: Record<number, string> = {
  400: "The request could not be read.",
  404: "Not Found",
  405: "This method is not allowed here; the Allow header names those that are.",
  413: "The request's body is too large.",
  415: "This content type is not supported here. Send application/json, or multipart/form-data to an upload.",
  429: "Too many requests from this address. Wait for as long as Retry-After says.",
  500: "Something went wrong on our side. It has been logged under this answer's X-Request-Id.",
  503: "The service is shutting down. Try again shortly."
}

const codes: Record<number, readonly [type: string, code: string]> = {
  400: ["invalid_request_error", "invalid_request"],
  404: ["invalid_request_error", "not_found"],
  405: ["invalid_request_error", "method_not_allowed"],
  413: ["invalid_request_error", "file_too_large"],
  415: ["invalid_request_error", "invalid_request"],
  429: ["rate_limit_error", "rate_limit_exceeded"],
  500: ["api_error", "internal_error"],
  503: ["api_error", "service_unavailable"]
}

/** An error in the envelope of the path's family. Source: docs/http-conventions.md#edges. */
export const envelope = (path: string, status: number): HttpServerResponse.HttpServerResponse => {
  const message = sentences[status] ?? sentences[500]!
  const [type, code] = codes[status] ?? codes[500]!
  const body = path.startsWith("/v1/") ? { error: { message, type, code } } : { detail: message }
  return HttpServerResponse.jsonUnsafe(body, { status })
}

type App<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, R>

/** Wraps the routes. What comes out has no errors left: whatever happens, there is an answer. */
export const edge = <R>(app: App<R>, table: RouteTable, settings: EdgeSettings) => {
  const jsonBody = ByteSize.bytes(settings.jsonBodyBytes)
  const { limit } = settings

  const refusal = (request: HttpServerRequest.HttpServerRequest, path: string, at: Instant.Instant) => {
    const methods = table.methodsOf(path)
    if (methods === undefined) return envelope(path, 404)
    if (!methods.includes(request.method)) {
      return HttpServerResponse.setHeader(envelope(path, 405), "allow", [...new Set(methods)].join(", "))
    }
    const wait = limit === null || unlimited.test(path) ? null : limit.take(addressOf(request), at)
    if (wait !== null) return HttpServerResponse.setHeader(envelope(path, 429), "retry-after", String(wait))
    const length = Number(request.headers["content-length"] ?? 0)
    return length > settings.jsonBodyBytes && !isForm(request) ? envelope(path, 413) : null
  }

  /** Answers that the framework makes by itself have no body of ours. */
  const enveloped = (response: HttpServerResponse.HttpServerResponse, path: string) =>
    response.status === 415 || (response.status === 413 && response.body._tag === "Empty")
      ? envelope(path, response.status)
      : response

  const rescued = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, path: string) {
    const [response] = yield* HttpServerError.causeResponse(cause)
    if (response.status >= 500 && !Cause.hasInterruptsOnly(cause)) yield* Effect.logError("a request failed", cause)
    return envelope(path, response.status)
  })

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const requestId = requestIdOf(request.headers) ?? (yield* Ids.fresh())
    const path = pathOf(request.url)
    const refused = refusal(request, path, yield* Instant.now)
    let response: HttpServerResponse.HttpServerResponse
    if (refused !== null) {
      response = refused
    } else {
      const plain = canonical(path)
      const inner = plain === path ? request : request.modify({ url: plain + request.url.slice(path.length) })
      response = yield* app.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, inner),
        // A length that was not told is counted while the body is read. Forms are counted by those who read them.
        Effect.provideService(HttpServerRequest.MaxBodySize, isForm(request) ? undefined : jsonBody),
        Effect.map((answered) => enveloped(answered, path)),
        Effect.catchCause((cause) => rescued(cause, path)),
        Effect.annotateLogs(requestIdAnnotation, requestId)
      )
    }
    if (response.status === 401) response = HttpServerResponse.setHeader(response, "www-authenticate", "Bearer")
    return HttpServerResponse.setHeader(response, "x-request-id", requestId)
  })
}

const addressOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const told = clientAddresses.get(request.source)
  return told ?? Option.getOrElse(request.remoteAddress, () => "unknown")
}

const isForm = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["content-type"]?.startsWith("multipart/") === true
