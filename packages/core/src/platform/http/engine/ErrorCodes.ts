/** The code of a platform error, for programs: a header beside the body. Source: docs/reference/errors.md#codes. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Codes of errors that no use case has. Those of use cases stand in the rooms' tables. */
export const edgeCodes: Readonly<Record<number, string>> = {
  400: "invalid_request",
  401: "unauthenticated",
  403: "permission_denied",
  404: "not_found",
  405: "method_not_allowed",
  408: "body_too_slow",
  413: "body_too_large",
  415: "unsupported_media_type",
  422: "schema_refused",
  426: "upgrade_required",
  429: "rate_limit_exceeded",
  500: "internal_error",
  503: "unavailable"
}

/** The header of a code, under the brand's prefix. */
export const errorHeader = (headerPrefix: string): string => `${headerPrefix}Error`

/** Codes of requests whose answers are on their way to the edge, which knows the brand's name of the header. */
const codes = new WeakMap<object, string>()

/** Gives the answer to the present request the code of its error. */
export const withErrorCode = (code: string): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ source }) => void codes.set(source, code))

/** Puts the code of an error on its answer; one that brings none has that of its status. */
export const namingCode = (headerPrefix: string) => {
  const name = errorHeader(headerPrefix).toLowerCase()
  return (
    response: HttpServerResponse.HttpServerResponse,
    request: HttpServerRequest.HttpServerRequest | undefined
  ): HttpServerResponse.HttpServerResponse => {
    const own = request === undefined ? undefined : codes.get(request.source)
    return HttpServerResponse.setHeader(response, name, own ?? edgeCodes[response.status] ?? edgeCodes[500]!)
  }
}
