/** The errors of `/api/v1/*` as they are sent: one class for each status, and the one table that says which error is which. */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as Schema from "effect/Schema"
import type { FeatureDisabled } from "../access/index.ts"
import { Recent, Wire as WireNames } from "../kernel/index.ts"

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

/** A request whose fields are not what they must be: every failing field at once. Source: docs/http-conventions.md#schema-errors. */
export class Unprocessable extends Schema.Error<Unprocessable>("Unprocessable")(
  { detail: Schema.Array(FieldError) },
  { httpApiStatus: 422 }
) {}

/** A refusal that has a word for programs beside its sentence: the email routes'. Source: docs/errors.md. */
export class UnprocessableReason extends Schema.Error<UnprocessableReason>("UnprocessableReason")(
  { detail: Schema.Struct({ reason: Schema.String, error: Schema.String }) },
  { httpApiStatus: 422 }
) {}

/** A refusal in a sentence, where no field is wrong: the chat channel's. Source: docs/errors.md. */
export class UnprocessableSentence extends Schema.Error<UnprocessableSentence>("UnprocessableSentence")(detail, {
  httpApiStatus: 422
}) {}

/** Turns schema failures of a request into `Unprocessable`, and declares it for every endpoint. */
export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()("@trunkline/core/http/RequestErrors", {
  error: [Unprocessable, Unavailable]
}) {}

/**
 * What every error of the rooms is on the wire. An error that is not here does not compile where a handler may meet it.
 * Compared with docs/errors.md by a test.
 */
export const statuses = {
  AccountInactive: Forbidden,
  AccountNotFound: NotFound,
  BotNotFound: NotFound,
  MonthlyBudgetExceeded: TooManyRequests,
  CallNotFound: NotFound,
  CampaignEnded: Conflict,
  CampaignNotFound: NotFound,
  ConnectedNumberNotFound: NotFound,
  ContactNotFound: NotFound,
  ContactsClosed: Conflict,
  ConversationEnded: Conflict,
  ConversationNotFound: NotFound,
  CrmContactNotFound: NotFound,
  CsvRefused: Unprocessable,
  DeliveryNotFound: NotFound,
  EmailEntryNotFound: NotFound,
  EntryNotFound: NotFound,
  FeatureDisabled: NotFound,
  KnowledgeNotFound: NotFound,
  LetterRefused: Unprocessable,
  MappingRefused: Unprocessable,
  MoveRefused: Conflict,
  NoCallerNumber: Conflict,
  NotPreview: Conflict,
  NotWaiting: Conflict,
  NumberNotFound: NotFound,
  NumberSuppressed: Conflict,
  NumberTaken: Conflict,
  OutOfCredits: PaymentRequired,
  PaymentMethodRequired: PaymentRequired,
  PlatformDown: BadGateway,
  PlatformMissing: Unavailable,
  PlatformRefusal: UnprocessableSentence,
  PlatformThrottled: TooManyRequests,
  RailsRefused: Unprocessable,
  StillInUse: Conflict,
  StorageError: Unavailable,
  TelephonyMissing: Unavailable,
  TemplateNeedsOneSource: Unprocessable,
  TemplateNotFound: NotFound,
  UnusableNumber: Unprocessable,
  WebhookNotFound: NotFound,
  WebhookPaused: BadRequest,
  WebhookUrlRefused: BadRequest,
  WindowClosed: UnprocessableSentence
} as const

type Statuses = typeof statuses

/** The status of an error on the wire. */
export const statusOf = (tag: keyof Statuses): number => statuses[tag].ast.annotations?.httpApiStatus as number

/** A fault of one field of the request's body that only the rules could see, under the code's name for the field. */
export interface RuleFault {
  readonly field: string
  readonly message: string
}

type Plain = { [T in keyof Statuses]: Statuses[T] extends typeof Unprocessable ? never : T }[keyof Statuses]

/** Errors with a `Retry-After`. */
type Waits = "MonthlyBudgetExceeded" | "PlatformThrottled"

type Known =
  | { readonly _tag: Exclude<Plain, "FeatureDisabled" | Waits>; readonly message: string }
  | FeatureDisabled
  | { readonly _tag: Waits; readonly message: string; readonly retryAfterSeconds: number }
  | {
      readonly _tag: Exclude<keyof Statuses, Plain>
      readonly message: string
      readonly faults: ReadonlyArray<RuleFault>
    }

type Wire<E> = E extends { readonly _tag: infer T extends keyof Statuses } ? InstanceType<Statuses[T]> : never

export const unavailableDetail =
  "The service cannot reach its storage at the moment. Nothing was changed; try again shortly."

/** Callers of an account without the feature must not learn that the feature exists. */
export const hiddenDetail = "Not Found"

/** Accounts whose 404 was logged in this process: a caller must not be able to fill the log. */
const explained = new Recent<string, true>(1000)

/** Logs the reason of a 404 whose answer hides it, once for an account: for the operator. */
export const explainHidden = (error: FeatureDisabled): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (explained.get(error.accountId) === true) return Effect.void
    explained.set(error.accountId, true)
    return Effect.logWarning(`A request was answered with 404. ${error.message}`)
  })

/** Answers with a use case's result, or with its error as the wire knows it. */
export const answer = <A, E extends Known, R>(
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, Wire<E>, R | HttpServerRequest.HttpServerRequest> =>
  Effect.catch(program, (error) => Effect.andThen(beside(error), Effect.fail(wire(error) as Wire<E>)))

/** What an error needs beside its body: a line in the log, a header. */
const beside = (error: Known): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> => {
  if (error._tag === "StorageError") return Effect.logError(error)
  if (error._tag === "FeatureDisabled") return explainHidden(error)
  if (!("retryAfterSeconds" in error)) return Effect.void
  const seconds = String(error.retryAfterSeconds)
  return HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", seconds))
  )
}

const detailOf = ({ _tag, message }: Known): string =>
  _tag === "StorageError" ? unavailableDetail : _tag === "FeatureDisabled" ? hiddenDetail : message

const wire = (error: Known): InstanceType<Statuses[keyof Statuses]> => {
  if ("faults" in error) {
    return new Unprocessable({
      detail: error.faults.map(({ field, message }) => ({
        loc: ["body", WireNames.snakeName(field)],
        msg: message,
        type: "value_error"
      }))
    })
  }
  return new statuses[error._tag]({ detail: detailOf(error) })
}
