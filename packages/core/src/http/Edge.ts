/** What surrounds every route: request ids, the limit per address, and errors that no handler sees, in our envelopes. */
import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { HostPrincipalRefused } from "../access/index.ts"
import { type InferenceCode, refuse } from "../inference/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import type { AddressLimit } from "./AddressLimit.ts"
import { compatibleError, compatiblePaths, ownFault } from "./CompatibleAnswers.ts"
import { clientAddresses } from "./HandOver.ts"
import { refusal } from "./InferenceAnswers.ts"
import { contractPath, isInference } from "./InferencePath.ts"
import { CurrentRequestId, requestIdAnnotation, requestIdOf } from "./RequestId.ts"
import { canonical, pathOf, type RouteTable } from "./RouteTable.ts"

export interface EdgeSettings {
  /** How often one client address may ask; null for no limit. */
  readonly limit: AddressLimit | null
  /** Bytes that a JSON body may have. */
  readonly jsonBodyBytes: number
  /** The messaging channel's word, which is a segment of its paths. */
  readonly channel: string
}

/** What carriers and the chat platform tell comes from few addresses, and must not be lost to a limit that is meant for callers. */
const unlimited = (channel: string): RegExp =>
  new RegExp(`^/api/v1/(?:telephony/providers/[^/]+/callback|${channel}/inbound)$`)

export const sentences: Readonly<Record<number, string>> = {
  400: "The request could not be read.",
  404: "Not Found",
  405: "This method is not allowed here; the Allow header names those that are.",
  413: "The request's body is too large.",
  415: "This content type is not supported here. Send application/json, or multipart/form-data to an upload.",
  429: "Too many requests from this address. Wait for as long as Retry-After says.",
  500: "Something went wrong on our side. It has been logged under this answer's X-Request-Id.",
  503: "The service is shutting down. Try again shortly."
}

const codes: Record<number, InferenceCode> = {
  400: "invalid_request",
  404: "not_found",
  405: "method_not_allowed",
  413: "file_too_large",
  415: "invalid_request",
  429: "rate_limit_exceeded",
  503: "service_unavailable"
}

/** JSON bodies of inference hold images and long conversations. */
const inferenceBodyBytes = 32 * 1024 * 1024

/** Errors in the envelope of the path's family. Source: docs/http-conventions.md#edges. */
export const envelopes = (channel: string) => {
  const isCompatible = compatiblePaths(channel)
  return (path: string, status: number, requestId: string): HttpServerResponse.HttpServerResponse => {
    const message = sentences[status] ?? sentences[500]!
    if (isInference(path)) return refusal(refuse(codes[status] ?? "internal_error", { status, message }), requestId)
    return isCompatible(path)
      ? compatibleError(ownFault({ status, message, details: message, product: channel }), requestId)
      : HttpServerResponse.jsonUnsafe({ detail: message }, { status })
  }
}

type App<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, R>

/** Wraps the routes. What comes out has no errors left: whatever happens, there is an answer. */
export const edge = <R>(app: App<R>, table: RouteTable, settings: EdgeSettings) => {
  const { channel, jsonBodyBytes, limit } = settings
  const envelope = envelopes(channel)
  const isUnlimited = unlimited(channel)
  const platform = ByteSize.bytes(jsonBodyBytes)
  const inference = ByteSize.bytes(Math.max(jsonBodyBytes, inferenceBodyBytes))
  const largest = (path: string): ByteSize.ByteSize => (isInference(path) ? inference : platform)

  const refusedAtOnce = (
    request: HttpServerRequest.HttpServerRequest,
    path: string,
    requestId: string,
    at: Instant.Instant
  ) => {
    const told = (status: number) => envelope(path, status, requestId)
    const methods = table.methodsOf(path)
    if (methods === undefined) return told(404)
    if (!methods.includes(request.method)) {
      return HttpServerResponse.setHeader(told(405), "allow", [...new Set(methods)].join(", "))
    }
    const wait = limit === null || isUnlimited.test(path) ? null : limit.take(addressOf(request), at)
    if (wait !== null) return HttpServerResponse.setHeader(told(429), "retry-after", String(wait))
    const length = Number(request.headers["content-length"] ?? 0)
    return length > ByteSize.toNumberUnsafe(largest(path)) && !isForm(request) ? told(413) : null
  }

  /** Answers that the framework makes by itself have no body of ours. */
  const enveloped = (response: HttpServerResponse.HttpServerResponse, path: string, requestId: string) =>
    response.status === 415 || (response.status === 413 && response.body._tag === "Empty")
      ? envelope(path, response.status, requestId)
      : response

  const rescued = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, path: string, requestId: string) {
    const [response] = yield* HttpServerError.causeResponse(cause)
    if (response.status >= 500 && !Cause.hasInterruptsOnly(cause)) yield* logged(cause)
    return envelope(path, response.status, requestId)
  })

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const requestId = requestIdOf(request.headers) ?? (yield* Ids.fresh())
    const path = pathOf(request.url)
    const refused = refusedAtOnce(request, path, requestId, yield* Instant.now)
    let response: HttpServerResponse.HttpServerResponse
    if (refused !== null) {
      response = refused
    } else {
      const plain = canonical(contractPath(path))
      const inner = plain === path ? request : request.modify({ url: plain + request.url.slice(path.length) })
      response = yield* app.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, inner),
        // A length that was not told is counted while the body is read. Forms are counted by those who read them.
        Effect.provideService(HttpServerRequest.MaxBodySize, isForm(request) ? undefined : largest(path)),
        Effect.provideService(CurrentRequestId, requestId),
        Effect.map((answered) => enveloped(answered, path, requestId)),
        Effect.catchCause((cause) => rescued(cause, path, requestId)),
        Effect.annotateLogs(requestIdAnnotation, requestId)
      )
    }
    if (response.status === 401) response = HttpServerResponse.setHeader(response, "www-authenticate", "Bearer")
    return HttpServerResponse.setHeader(response, "x-request-id", requestId)
  })
}

/** The host's own fault is one sentence that says what to mend; a stack of ours would hide it. */
const logged = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const fault = Cause.squash(cause)
  return fault instanceof HostPrincipalRefused
    ? Effect.logError(fault.message)
    : Effect.logError("a request failed", cause)
}

const addressOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const told = clientAddresses.get(request.source)
  return told ?? Option.getOrElse(request.remoteAddress, () => "unknown")
}

const isForm = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["content-type"]?.startsWith("multipart/") === true
