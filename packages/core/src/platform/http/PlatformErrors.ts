/** The errors of `/api/v1/*` as they are sent: one class for each status. Which error is which stands in the tables of the rooms. */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as Schema from "effect/Schema"
import { FeatureDisabled } from "../accounts/index.ts"
import { leavesNothing } from "../idempotency/index.ts"
import { LruCache, Wire as WireNames } from "../kernel/index.ts"
import type { ErrorTable } from "../room/index.ts"
import { StorageError } from "../storage/index.ts"
import { withErrorCode } from "./engine/index.ts"

const detail = { detail: Schema.String }

export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(detail, { httpApiStatus: 400 }) {}
export class PaymentRequired extends Schema.Error<PaymentRequired>("PaymentRequired")(detail, { httpApiStatus: 402 }) {}
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(detail, { httpApiStatus: 401 }) {}
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(detail, { httpApiStatus: 403 }) {}
export class NotFound extends Schema.Error<NotFound>("NotFound")(detail, { httpApiStatus: 404 }) {}
export class Conflict extends Schema.Error<Conflict>("Conflict")(detail, { httpApiStatus: 409 }) {}
export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequests")(detail, {
  httpApiStatus: 429
}) {}
export class BadGateway extends Schema.Error<BadGateway>("BadGateway")(detail, { httpApiStatus: 502 }) {}
export class Unavailable extends Schema.Error<Unavailable>("Unavailable")(detail, { httpApiStatus: 503 }) {}

export const FieldError = Schema.Struct({
  loc: Schema.Array(Schema.Union([Schema.String, Schema.Int])),
  msg: Schema.String,
  type: Schema.String
})
export type FieldError = typeof FieldError.Type

/** A request whose fields are not what they must be: every failing field at once. Source: docs/reference/http-conventions.md#schema-errors. */
export class Unprocessable extends Schema.Error<Unprocessable>("Unprocessable")(
  { detail: Schema.Array(FieldError) },
  { httpApiStatus: 422 }
) {}

/** A refusal that has a word for programs beside its sentence: the email routes'. Source: docs/reference/errors.md. */
export class UnprocessableReason extends Schema.Error<UnprocessableReason>("UnprocessableReason")(
  { detail: Schema.Struct({ reason: Schema.String, error: Schema.String }) },
  { httpApiStatus: 422 }
) {}

/** A refusal in a sentence, where no field is wrong: the chat channel's. Source: docs/reference/errors.md. */
export class UnprocessableSentence extends Schema.Error<UnprocessableSentence>("UnprocessableSentence")(detail, {
  httpApiStatus: 422
}) {}

/** Turns schema failures of a request into `Unprocessable`, and declares it for every endpoint. */
export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()(
  "@trunkline/core/platform/http/RequestErrors",
  {
    error: [Unprocessable, Unavailable]
  }
) {}

/** The class of a status. A 422 has one of two: with fields to blame, or with a sentence alone. */
export const classes = {
  400: BadRequest,
  401: Unauthorized,
  402: PaymentRequired,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  429: TooManyRequests,
  502: BadGateway,
  503: Unavailable
} as const

type Classes = typeof classes

/** A fault of one field of the request's body that only the rules could see, under the code's name for it: `name`, or `config.functions.0.name`. */
interface RuleFault {
  readonly field: string
  readonly message: string
}

/** An error whose tag stands in the table of errors that a handler is written with. */
export interface Placed<Table extends ErrorTable> {
  readonly _tag: keyof Table & string
  readonly message: string
}

type WireOf<Status, E> = Status extends keyof Classes
  ? InstanceType<Classes[Status]>
  : E extends { readonly faults: ReadonlyArray<RuleFault> }
    ? Unprocessable
    : UnprocessableSentence

export type Wire<Table extends ErrorTable, E> = E extends { readonly _tag: infer T extends keyof Table }
  ? WireOf<Table[T]["status"], E>
  : never

export const unavailableDetail =
  "The service cannot reach its storage at the moment. Nothing was changed; try again shortly."

/** Callers of an account without the feature must not learn that the feature exists. */
export const hiddenDetail = "Not Found"

/** Accounts whose 404 was logged in this process: a caller must not be able to fill the log. */
const explained = new LruCache<string, true>(1000)

/** Logs the reason of a 404 whose answer hides it, once for an account: for the operator. */
export const explainHidden = (error: FeatureDisabled): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (explained.get(error.accountId) === true) return Effect.void
    explained.set(error.accountId, true)
    return Effect.logWarning(`A request was answered with 404. ${error.message}`)
  })

/**
 * Answers with a use case's result, or with its error as the wire has it. The table has the errors of the rooms that the handler
 * asks: an error that is not in it does not compile.
 */
export const answering =
  <const Table extends ErrorTable>(table: Table) =>
  <A, E extends Placed<Table>, R>(
    program: Effect.Effect<A, E, R>
  ): Effect.Effect<A, Wire<Table, E>, R | HttpServerRequest.HttpServerRequest> =>
    Effect.catch(program, (error) => {
      const { code, status } = table[error._tag]!
      const certain = isCertain(error, status)
        ? Effect.andThen(leavesNothing, beside(error, code))
        : beside(error, code)
      return Effect.andThen(certain, Effect.fail(wire(error, status) as Wire<Table, E>))
    })

interface Tagged {
  readonly _tag: string
  readonly message: string
}

/** True where nothing of what was asked for stands: errors of others say so themselves, and what is refused was not done. */
const isCertain = (error: Tagged, status: number): boolean =>
  "isCertain" in error ? error.isCertain === true : status < 500

/** What an error needs beside its body: its code, a line in the log, a header. What is hidden has the code of its status. */
const beside = (error: Tagged, code: string): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> => {
  if (error instanceof FeatureDisabled) return explainHidden(error)
  const coded = withErrorCode(code)
  if (error instanceof StorageError) return Effect.andThen(Effect.logError(error), coded)
  return "retryAfterSeconds" in error
    ? Effect.andThen(retryAfter({ retryAfterSeconds: Number(error.retryAfterSeconds) }), coded)
    : coded
}

/** Adds when the request may be sent again. */
export const retryAfter = ({
  retryAfterSeconds
}: {
  readonly retryAfterSeconds: number
}): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> => {
  const seconds = String(retryAfterSeconds)
  return HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", seconds))
  )
}

const detailOf = (error: Tagged): string =>
  error instanceof StorageError ? unavailableDetail : error instanceof FeatureDisabled ? hiddenDetail : error.message

/** What stands inside a field has the names of the wire already. */
const wirePath = (field: string): ReadonlyArray<string | number> => {
  const [first, ...inside] = WireNames.pathOf(field)
  return [WireNames.snakeName(String(first)), ...inside]
}

const wire = (error: Tagged, status: number) => {
  if ("faults" in error) {
    return new Unprocessable({
      detail: (error.faults as ReadonlyArray<RuleFault>).map(({ field, message }) => ({
        loc: ["body", ...wirePath(field)],
        msg: message,
        type: "value_error"
      }))
    })
  }
  const detail = detailOf(error)
  return status === 422 ? new UnprocessableSentence({ detail }) : new classes[status as keyof Classes]({ detail })
}
