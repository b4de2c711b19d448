/** The errors of `/v1/*` as they are sent, and the one way from a refusal to its answer. Source: docs/reference/errors.md#inference. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import { CurrentRequestId, pathOf } from "../../platform/http/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import {
  attemptsHeader,
  errorBodyOf,
  errorTypes,
  type InferenceRefused,
  retryAfterOf,
  storageUnavailable
} from "./InferenceErrors.ts"
import { isMessages } from "./InferencePath.ts"

/** `param` is null rather than absent: client libraries declare it so. */
const error = {
  error: Schema.Struct({
    message: Schema.String,
    type: Schema.Literals(errorTypes),
    code: Schema.String,
    param: Schema.NullOr(Schema.String),
    request_id: Schema.optionalKey(Schema.String)
  })
}

/** The same on the messages API. One class stands for every status: the document has them from the envelope. */
export class MessagesRefused extends Schema.Error<MessagesRefused>("MessagesRefused")(
  { type: Schema.Literal("error"), ...error, request_id: Schema.String },
  { httpApiStatus: 400 }
) {}

// What routes declare, one class for each status. Nothing is made of them here: answers are written by `refusal`.
export class InferenceBadRequest extends Schema.Error<InferenceBadRequest>("InferenceBadRequest")(error, {
  httpApiStatus: 400
}) {}
export class InferenceUnauthorized extends Schema.Error<InferenceUnauthorized>("InferenceUnauthorized")(error, {
  httpApiStatus: 401
}) {}
export class InferenceUnpaid extends Schema.Error<InferenceUnpaid>("InferenceUnpaid")(error, { httpApiStatus: 402 }) {}
export class InferenceForbidden extends Schema.Error<InferenceForbidden>("InferenceForbidden")(error, {
  httpApiStatus: 403
}) {}
export class InferenceNotFound extends Schema.Error<InferenceNotFound>("InferenceNotFound")(error, {
  httpApiStatus: 404
}) {}
export class InferenceConflict extends Schema.Error<InferenceConflict>("InferenceConflict")(error, {
  httpApiStatus: 409
}) {}
export class InferenceTooLarge extends Schema.Error<InferenceTooLarge>("InferenceTooLarge")(error, {
  httpApiStatus: 413
}) {}
export class InferenceUnprocessable extends Schema.Error<InferenceUnprocessable>("InferenceUnprocessable")(error, {
  httpApiStatus: 422
}) {}
export class InferenceTooMany extends Schema.Error<InferenceTooMany>("InferenceTooMany")(error, {
  httpApiStatus: 429
}) {}
export class InferenceBadGateway extends Schema.Error<InferenceBadGateway>("InferenceBadGateway")(error, {
  httpApiStatus: 502
}) {}
export class InferenceUnavailable extends Schema.Error<InferenceUnavailable>("InferenceUnavailable")(error, {
  httpApiStatus: 503
}) {}

/** What every route that runs a model may answer. Its middleware adds 401. */
export const inferenceErrors = [
  InferenceBadRequest,
  InferenceUnpaid,
  InferenceForbidden,
  InferenceNotFound,
  InferenceConflict,
  InferenceTooLarge,
  InferenceUnprocessable,
  InferenceTooMany,
  InferenceBadGateway,
  InferenceUnavailable
] as const

/** What the product's own headers begin with, on routes behind `InferenceAuth`. */
export const HeaderPrefix = Context.Reference<string>("@trunkline/core/gateway/errors/HeaderPrefix", {
  defaultValue: () => ""
})

export interface Answering {
  readonly path: string
  readonly requestId: string
  readonly headerPrefix?: string
}

/** Writes the answer to a request that is refused or has failed. */
export const refusal = (
  refused: InferenceRefused,
  { headerPrefix = "", path, requestId }: Answering
): HttpServerResponse.HttpServerResponse => {
  const { attempts, status } = refused
  const retryAfter = retryAfterOf(refused)
  const body = errorBodyOf(refused, requestId)
  return HttpServerResponse.jsonUnsafe(isMessages(path) ? { type: "error", ...body, request_id: requestId } : body, {
    status,
    headers: {
      ...(retryAfter === null ? {} : { "retry-after": String(retryAfter) }),
      ...(refused.isPermanent ? { "x-should-retry": "false" } : {}),
      ...(attempts > 1 ? { [`${headerPrefix}${attemptsHeader}`.toLowerCase()]: String(attempts) } : {})
    }
  })
}

/** Answers with a refusal. */
export const refuseWith = (refused: InferenceRefused): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.withFiber(({ context }) => {
    const request = Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest)
    return Effect.succeed(
      refusal(refused, {
        path: request === undefined ? "" : pathOf(request.url),
        requestId: Context.get(context, CurrentRequestId),
        headerPrefix: Context.get(context, HeaderPrefix)
      })
    )
  })

/** Answers that the storage cannot be reached, and logs why. */
export const refuseForStorage = (error: StorageError): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.andThen(Effect.logError(error), refuseWith(storageUnavailable))

/** Answers with a use case's result, or with its refusal as it is sent. */
export const answerInference = <A, R>(
  program: Effect.Effect<A, InferenceRefused | StorageError, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catch(
    program,
    (error): Effect.Effect<A | HttpServerResponse.HttpServerResponse> =>
      error._tag === "StorageError" ? refuseForStorage(error) : refuseWith(error)
  )
