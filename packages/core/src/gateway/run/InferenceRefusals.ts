/** Errors of a run as they are answered on `/v1/*`: one total table for each kind of error. Pure. Source: docs/reference/errors.md#inference. */
import type { Service } from "../../platform/billing/index.ts"
import type { IdempotencyRefused } from "../../platform/idempotency/index.ts"
import type { LimitReached } from "../../platform/storage/index.ts"
import { type ModelCaller, type ModelProblem, modelProblem } from "../admission/ModelAdmission.ts"
import { routeOfCategory } from "../catalogue/CategoryApi.ts"
import type { Model, ModelCategory } from "../catalogue/Model.ts"
import {
  type InferenceCode,
  type InferenceRefused,
  inferenceCodes,
  type RefuseOptions,
  refuse
} from "../errors/InferenceErrors.ts"
import type { UpstreamWhy } from "../upstreams/Upstream.ts"
import type { SpendingError } from "./MeteredRun.ts"
import type { NoUpstream, RunFailed } from "./RunAttempt.ts"

/** Refuses a model that the caller may not use; null when it may. */
export const modelRefusal = (id: string, model: Model | null, caller: ModelCaller): InferenceRefused | null => {
  const problem = modelProblem(id, model, caller)
  if (problem === null) return null
  const { code, message } = modelProblems[problem]
  return refuse(code, { message: message(id, caller, model), param: "model" })
}

/** Refuses a model of another category than the route's; null where it is of this one. */
export const otherCategoryRefusal = ({ category, id }: Model, served: ModelCategory): InferenceRefused | null =>
  category === served
    ? null
    : refuse("invalid_request", {
        message: `The model ${id} is of the category ${category}: use it at ${routeOfCategory[category]}.`,
        param: "model"
      })

const modelProblems: Readonly<
  Record<
    ModelProblem,
    {
      readonly code: InferenceCode
      readonly message: (id: string, caller: ModelCaller, model: Model | null) => string
    }
  >
> = {
  unknown: { code: "model_not_found", message: (id) => `There is no model ${id}.` },
  not_allowed: { code: "model_not_allowed", message: (id) => `This API key may not use the model ${id}.` },
  not_in_plan: {
    code: "model_not_available",
    message: (id, { plan }) => `The model ${id} is not part of the plan ${plan}. Choose another plan.`
  },
  maintenance: {
    code: "model_under_maintenance",
    message: (id) => `The model ${id} is out of service for the moment.`
  },
  retired: {
    code: "model_under_maintenance",
    message: (id, _, model) =>
      `The model ${id} has been retired.${model?.successor == null ? "" : ` Use ${model.successor}.`}`
  }
}

export const idempotencyRefusal = ({ reason }: IdempotencyRefused): InferenceRefused => {
  switch (reason) {
    case "key_invalid":
      return refuse("invalid_request", {
        message: "An Idempotency-Key has 1 to 255 characters.",
        param: "Idempotency-Key"
      })
    case "key_reused":
    // Only writes of the platform have it, whose routes are others.
    case "outcome_unknown":
      return refuse("idempotency_key_reused")
    case "in_progress":
      // A client that waits for a second finds most first runs ended.
      return refuse("idempotency_in_progress", { retryAfterSeconds: 1 })
  }
}

/** What cannot be paid for. Source: docs/reference/metering.md#reserve. */
export const spendingRefusal = (error: SpendingError, service: Service): InferenceRefused => {
  switch (error._tag) {
    case "BudgetExceeded":
      return refuse("budget_exceeded", service === "llm" ? { message: withLess(inferenceCodes.budget_exceeded) } : {})
    case "CreditsExceeded":
      return refuse(
        "insufficient_credits",
        service === "llm" ? { message: withLess(inferenceCodes.insufficient_credits) } : {}
      )
    case "QuotaExceeded":
      return refuse("quota_exceeded", {
        message:
          error.reason === "plan"
            ? `The plan's ${callsOf[service]} of this month ${service === "image" ? "do not cover this request" : "are used up"}. They begin anew on the 1st.`
            : "The account's budget of this month is used up. It begins anew on the 1st.",
        retryAfterSeconds: error.retryAfterSeconds
      })
  }
}

/** What a language model may give at most is reserved: less of it may fit. */
const withLess = ({ message }: { readonly message: string }): string =>
  `${message} A smaller max_tokens (max_output_tokens of the Responses API) reserves less.`

const callsOf: Readonly<Record<Service, string>> = {
  llm: "language model calls",
  stt: "transcription calls",
  tts: "speech calls",
  image: "images",
  embedding: "embedding calls",
  search: "searches"
}

/** No upstream is configured to run the model. The operator's log says what to configure. */
export const noUpstreamRefusal = ({ model }: NoUpstream): InferenceRefused =>
  refuse("service_unavailable", {
    message: `The model ${model} is not available here. GET /v1/models shows which models are.`,
    showsRequestId: true,
    isPermanent: true
  })

/** What would be more than an account may have. */
export const limitRefusal = ({ message }: LimitReached): InferenceRefused => refuse("limit_reached", { message })

/** The code of each failure of an upstream. Families of routes differ in how exactly they tell them apart. */
export type FailureCodes = Readonly<Record<UpstreamWhy, InferenceCode>>

const commonCodes = {
  refused_input: "invalid_request",
  too_large: "file_too_large",
  throttled: "rate_limit_exceeded",
  operator: "provider_error"
} as const

export const speechFailureCodes: FailureCodes = {
  ...commonCodes,
  content_policy: "invalid_request",
  context_too_long: "invalid_request",
  timeout: "service_unavailable",
  unreachable: "service_unavailable",
  failed: "service_unavailable",
  not_found: "service_unavailable",
  wrong_route: "service_unavailable",
  unreadable: "service_unavailable",
  unsupported: "service_unavailable"
}

export const languageModelFailureCodes: FailureCodes = {
  ...commonCodes,
  content_policy: "invalid_request",
  context_too_long: "context_length_exceeded",
  timeout: "upstream_timeout",
  unreachable: "upstream_unavailable",
  failed: "upstream_error",
  not_found: "upstream_error",
  wrong_route: "upstream_error",
  unreadable: "upstream_error",
  unsupported: "service_unavailable"
}

export const imageFailureCodes: FailureCodes = {
  ...languageModelFailureCodes,
  content_policy: "content_policy_violation"
}

/** What an answer says about an input that an upstream refuses. */
export interface InputFaults {
  readonly param: string
  readonly refused: string
  readonly tooLarge: string
}

type Failure = Pick<RunFailed, "advice" | "attempts" | "param" | "retryAfterSeconds" | "why">

/** The answer to an upstream's failure: never a word of the upstream's own. Source: docs/reference/gateway.md#upstream-failures. */
export const failureRefusal = (
  { advice, attempts, param: named, retryAfterSeconds, why }: Failure,
  codes: FailureCodes,
  { param, refused, tooLarge }: InputFaults
): InferenceRefused => {
  const advised: RefuseOptions = { showsRequestId: true, attempts, ...(advice === null ? {} : { message: advice }) }
  switch (why) {
    case "refused_input":
    case "content_policy":
    case "context_too_long":
      // The sentence of a code that says more than that the input is refused is exact enough without advice.
      return codes[why] === "invalid_request"
        ? refuse(codes[why], { message: advice ?? refused, param: named ?? param, attempts })
        : refuse(codes[why], {
            ...(advice === null ? {} : { message: advice }),
            param: why === "content_policy" ? param : (named ?? param),
            attempts
          })
    case "too_large":
      return refuse(codes[why], { message: tooLarge, param, attempts })
    case "throttled":
      return refuse(codes[why], {
        message: "The model is asked too often at the moment. Wait for as long as Retry-After says.",
        retryAfterSeconds: retryAfterSeconds ?? 1,
        showsRequestId: true,
        attempts
      })
    case "unsupported":
      return refuse(codes[why], { ...advised, isPermanent: true })
    case "operator":
    case "failed":
    case "not_found":
    case "wrong_route":
    case "timeout":
    case "unreachable":
    case "unreadable":
      return refuse(codes[why], advised)
  }
}
