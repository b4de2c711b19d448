/** The one registry of the codes of `/v1/*`: status, type and whether a retry can help. Source: docs/reference/errors.md#inference. */
import * as Schema from "effect/Schema"

export const errorTypes = [
  "invalid_request_error",
  "authentication_error",
  "insufficient_quota",
  "permission_error",
  "rate_limit_error",
  "api_error"
] as const
export type ErrorType = (typeof errorTypes)[number]

interface Code {
  readonly status: number
  /** `never` where a retry cannot help although client libraries would try. */
  readonly retry: "no" | "never" | "later" | "now"
  /** The sentence where nothing more exact is known. */
  readonly message: string
}

const code = (status: number, retry: Code["retry"], message: string): Code => ({ status, retry, message })

export const inferenceCodes = {
  invalid_request: code(400, "no", "The request is not valid."),
  audio_too_long: code(400, "no", "The audio is longer than this model accepts in one request."),
  context_length_exceeded: code(400, "no", "The input is longer than the model's context window."),
  content_policy_violation: code(400, "no", "The prompt was refused by the model's content policy."),
  max_tokens_too_large: code(400, "no", "max_tokens is above the most that this model can give."),
  invalid_api_key: code(401, "no", "The API key is missing, unknown or revoked. Send Authorization: Bearer and a key."),
  api_key_expired: code(401, "no", "This API key has expired. Use another one."),
  insufficient_credits: code(402, "no", "The account's credit does not cover this request. Add credit."),
  budget_exceeded: code(402, "no", "This request does not fit into what is left of the key's budget."),
  payment_method_required: code(402, "no", "The account has no verified payment method. Add one."),
  permission_denied: code(403, "no", "This API key may not use this service."),
  model_not_available: code(403, "no", "This model is not part of the account's plan."),
  model_not_allowed: code(403, "no", "This API key may not use this model."),
  search_provider_not_allowed: code(403, "no", "This API key may not use this search provider."),
  domain_not_allowed: code(403, "no", "This API key may not be used from this origin."),
  account_inactive: code(403, "no", "This account is inactive."),
  account_terminated: code(403, "no", "This account has been terminated."),
  account_moved: code(403, "no", "This account has moved to another installation. Send its requests there."),
  model_not_found: code(404, "no", "There is no such model."),
  session_not_found: code(404, "no", "There is no such voice session."),
  not_found: code(404, "no", "Not Found"),
  method_not_allowed: code(405, "no", "This method is not allowed here; the Allow header names those that are."),
  idempotency_key_reused: code(409, "never", "This Idempotency-Key was used for another request. Use a new one."),
  idempotency_in_progress: code(409, "later", "The first request with this Idempotency-Key is still running."),
  limit_reached: code(409, "never", "The account has as many of these as it may have."),
  file_too_large: code(413, "no", "The file is too large."),
  rate_limit_exceeded: code(429, "later", "Too many requests. Wait for as long as Retry-After says."),
  quota_exceeded: code(
    429,
    "never",
    "The plan's calls or conversations of this month, or the monthly budget, are used up."
  ),
  too_many_concurrent_requests: code(429, "later", "Too many requests of this key are running. Wait for one to end."),
  internal_error: code(
    500,
    "now",
    "Something went wrong on our side. It has been logged under this answer's X-Request-Id."
  ),
  service_unavailable: code(502, "now", "The model cannot be reached at the moment. Try again shortly."),
  provider_error: code(
    502,
    "now",
    "The model cannot be used at the moment. The fault has been logged under this answer's X-Request-Id."
  ),
  upstream_timeout: code(502, "now", "The model did not answer in time."),
  upstream_error: code(502, "now", "The model failed."),
  upstream_unavailable: code(503, "now", "The model cannot be reached at the moment. Try again shortly."),
  account_moving: code(503, "later", "This account is being moved to another installation. Try again shortly."),
  model_under_maintenance: code(503, "later", "This model is out of service for the moment.")
} as const satisfies Readonly<Record<string, Code>>

export type InferenceCode = keyof typeof inferenceCodes

/** Statuses without a code: an answer, work whose client had disconnected, and an internal error. */
export const codeless = { answered: 200, abandoned: 499, failed: 500 } as const

/** The envelope's `type`, which follows from status and code. */
export const typeOf = (name: InferenceCode, status: number = inferenceCodes[name].status): ErrorType => {
  if (name === "quota_exceeded" || status === 402) return "insufficient_quota"
  if (status === 401) return "authentication_error"
  if (status === 403) return "permission_error"
  if (status === 429) return "rate_limit_error"
  return status >= 500 ? "api_error" : "invalid_request_error"
}

/** A request of `/v1/*` that is refused or has failed, as it is answered. */
export class InferenceRefused extends Schema.TaggedError<InferenceRefused>()("InferenceRefused", {
  code: Schema.Literals(Object.keys(inferenceCodes) as Array<InferenceCode>),
  status: Schema.Int,
  detail: Schema.String,
  /** The field or parameter that it is about, where it is about one. */
  param: Schema.NullOr(Schema.String),
  retryAfterSeconds: Schema.NullOr(Schema.Int),
  /** True where the request's id belongs into the error object too: failures of an upstream. */
  showsRequestId: Schema.Boolean,
  /** True where no retry can help although client libraries would retry. Overrides what the code says. */
  isPermanent: Schema.Boolean,
  /** How many attempts at upstreams were made. */
  attempts: Schema.Int
}) {
  override get message() {
    return this.detail
  }
}

/** The header with the number of attempts where it was more than one, without the brand's prefix. */
export const attemptsHeader = "attempts"

export interface RefuseOptions {
  readonly message?: string
  readonly status?: number
  readonly param?: string
  readonly retryAfterSeconds?: number
  readonly showsRequestId?: boolean
  readonly isPermanent?: boolean
  readonly attempts?: number
}

/** Makes the refusal of a code, with a better sentence where there is one. */
export const refuse = (name: InferenceCode, options: RefuseOptions = {}): InferenceRefused =>
  new InferenceRefused({
    code: name,
    status: options.status ?? inferenceCodes[name].status,
    detail: options.message ?? inferenceCodes[name].message,
    param: options.param ?? null,
    retryAfterSeconds: options.retryAfterSeconds ?? null,
    showsRequestId: options.showsRequestId ?? false,
    isPermanent: options.isPermanent ?? (inferenceCodes[name].retry === "never" || isStanding(name, options.status)),
    attempts: options.attempts ?? 0
  })

/** What the state of a record refuses is refused until somebody changes that; client libraries would ask again. */
const isStanding = (name: InferenceCode, status: number | undefined): boolean =>
  name === "invalid_request" && status === 409
/** Refuses what the present state of a thing does not allow. Client libraries would try a 409 again. */
export const refuseState = (message: string): InferenceRefused =>
  refuse("invalid_request", { status: 409, message, isPermanent: true })

/** A field of a request that is not what it must be. */
export interface FieldFault {
  readonly field: string
  readonly message: string
}

/** Refuses fields, every failing one in the sentence and the first as the parameter. Source: docs/reference/errors.md#inference. */
export const refuseFields = (faults: ReadonlyArray<FieldFault>): InferenceRefused =>
  refuse("invalid_request", {
    status: 422,
    message: faults.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`)).join("; "),
    ...(faults[0] === undefined || faults[0].field === "" ? {} : { param: faults[0].field })
  })

/** The body of the answer to a refusal. */
export const errorBodyOf = ({ code, detail, param, showsRequestId, status }: InferenceRefused, requestId: string) => {
  const error = { message: detail, type: typeOf(code, status), code, param }
  return { error: showsRequestId ? { ...error, request_id: requestId } : error }
}

/** The answer while the storage cannot be reached. */
export const storageUnavailable: InferenceRefused = refuse("service_unavailable", {
  status: 503,
  message: "The service cannot reach its storage at the moment. Try again shortly."
})

/** Seconds of `Retry-After`, or null for none: every 429 has them, and what waits for a run that has not ended. */
export const retryAfterOf = ({ code, retryAfterSeconds, status }: InferenceRefused): number | null =>
  retryAfterSeconds ?? (status === 429 || code === "idempotency_in_progress" ? 1 : null)
