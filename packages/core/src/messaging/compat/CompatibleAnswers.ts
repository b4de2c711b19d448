/** The errors of the compatible send as they are sent: in the shape of the platform whose body it takes. Source: docs/reference/errors.md#compatible-send. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { CurrentRequestId, withErrorCode } from "../../platform/http/index.ts"
import type { EdgeFamily } from "../../platform/room/index.ts"
import { type StorageError, storageErrors } from "../../platform/storage/index.ts"

const error = {
  error: Schema.Struct({
    message: Schema.String,
    type: Schema.String,
    code: Schema.Int,
    error_subcode: Schema.optionalKey(Schema.Int),
    error_data: Schema.Struct({ messaging_product: Schema.String, details: Schema.String }),
    fbtrace_id: Schema.String
  })
}

// What the routes declare, one class for each status. Nothing is made of them here: answers are written by `compatibleError`.
export class CompatibleBadRequest extends Schema.Error<CompatibleBadRequest>("CompatibleBadRequest")(error, {
  httpApiStatus: 400
}) {}
export class CompatibleUnauthorized extends Schema.Error<CompatibleUnauthorized>("CompatibleUnauthorized")(error, {
  httpApiStatus: 401
}) {}
export class CompatibleForbidden extends Schema.Error<CompatibleForbidden>("CompatibleForbidden")(error, {
  httpApiStatus: 403
}) {}
export class CompatibleNotFound extends Schema.Error<CompatibleNotFound>("CompatibleNotFound")(error, {
  httpApiStatus: 404
}) {}
export class CompatibleTooMany extends Schema.Error<CompatibleTooMany>("CompatibleTooMany")(error, {
  httpApiStatus: 429
}) {}
export class CompatibleBadGateway extends Schema.Error<CompatibleBadGateway>("CompatibleBadGateway")(error, {
  httpApiStatus: 502
}) {}
export class CompatibleUnavailable extends Schema.Error<CompatibleUnavailable>("CompatibleUnavailable")(error, {
  httpApiStatus: 503
}) {}

/** An error on the wire. */
export interface CompatibleFault {
  readonly status: number
  /** Programs branch on it: a number of the platform's own. */
  readonly code: number
  readonly message: string
  readonly details: string
  /** The product value that the request was sent under; the channel's own while that is not known. */
  readonly product: string
  readonly type: string
  readonly subcode: number | null
  readonly retryAfterSeconds: number | null
}

/** A bad request, and any other refusal after which a caller must change something. */
const invalid = 100

/** What the platform's own numbers are for what a status says. */
const codes: Readonly<Record<number, number>> = { 401: 190, 403: 10, 429: 4, 500: 1 }

export const codeOf = (status: number): number => codes[status] ?? (status > 500 ? 2 : invalid)

export const errorType = "OAuthException"

/** An error of ours: its code follows from the status unless one is given. */
export const ownFault = ({
  status,
  code = codeOf(status),
  message,
  ...fault
}: Pick<CompatibleFault, "status" | "message" | "details" | "product"> & {
  readonly code?: number
}): CompatibleFault => ({
  ...fault,
  status,
  code,
  message: `(#${code}) ${message}`,
  type: errorType,
  subcode: null,
  retryAfterSeconds: null
})

/** The body of the answer to a request that is refused or has failed. */
export const compatibleBody = (fault: CompatibleFault, requestId: string): object => {
  const { code, details, message, product, subcode, type } = fault
  return {
    error: {
      message,
      type,
      code,
      ...(subcode === null ? {} : { error_subcode: subcode }),
      error_data: { messaging_product: product, details },
      fbtrace_id: requestId
    }
  }
}

/** Writes the answer. */
const compatibleError = (fault: CompatibleFault, requestId: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(compatibleBody(fault, requestId), {
    status: fault.status,
    headers: fault.retryAfterSeconds === null ? {} : { "retry-after": String(fault.retryAfterSeconds) }
  })

/** Answers with an error. */
export const failCompatible = (fault: CompatibleFault): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(CurrentRequestId, (requestId) => compatibleError(fault, requestId))

/** Answers that the storage cannot be reached, and logs why. A message that was on its way then has another answer. */
export const failForStorage = (
  error: StorageError,
  product: string
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.logError(error).pipe(
    Effect.andThen(withErrorCode(storageErrors.StorageError.code)),
    Effect.andThen(
      failCompatible(
        ownFault({
          status: 503,
          message: "The service is not available for the moment",
          details: "It cannot reach its storage, so nothing was sent. Try again shortly.",
          product
        })
      )
    )
  )

/**
 * Recognises the compatible send's paths: the route itself, and everything below a version of the platform, where its client
 * libraries look for more than there is. A version that is none belongs to the route too, which refuses it.
 */
export const compatiblePaths = (channel: string): ((path: string) => boolean) => {
  const pattern = new RegExp(
    `^/api/v1/${channel}/(?:v\\d+\\.\\d+(?:/|$)|(?:(?!conversations/)[^/]+/)?[^/]+/messages/?$)`
  )
  return (path) => pattern.test(path)
}

/** Errors that the edge makes on these paths. */
export const compatibleEdge = ({ channel }: Brand): EdgeFamily => ({
  owns: compatiblePaths(channel),
  namesCodes: true,
  answer: ({ message, requestId, status }) =>
    compatibleError(ownFault({ status, message, details: message, product: channel }), requestId)
})
