/** The errors of `/v1/*` as they are sent, and the one way from a refusal to its answer. Source: docs/reference/errors.md#inference. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
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

const InferenceError = Schema.Struct(error).annotate({ identifier: "InferenceError" })

/** The same on the messages API. One status stands for all: the document has them from the envelope. */
export const MessagesError = Schema.Struct({ type: Schema.Literal("error"), ...error, request_id: Schema.String })
  .annotate({ identifier: "MessagesError" })
  .pipe(HttpApiSchema.status(400))

/** What routes declare of the statuses by which they refuse. Answers are written by `refusal`. */
export const refusedBy = (...statuses: ReadonlyArray<number>) =>
  statuses.map((status) => InferenceError.pipe(HttpApiSchema.status(status)))

/** What every route that runs a model may answer. Its middleware adds 401. */
export const inferenceErrors = refusedBy(400, 402, 403, 404, 409, 413, 422, 429, 502, 503)

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
