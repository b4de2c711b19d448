/** What is refused before an upstream hears of it, each in its place of the one order. Pure. Source: docs/gateway.md#order. */
import type { ApiKeys } from "../access/index.ts"
import type { BudgetExceeded, CreditsExceeded, Plan, QuotaExceeded } from "../billing/index.ts"
import { mayUseModel } from "./Admission.ts"
import { type InferenceRefused, refuse } from "./InferenceErrors.ts"
import { type Model, mayCall } from "./Model.ts"
import { mostBytes, type UnservedOption } from "./SpeechRequest.ts"
import type { UpstreamFailed } from "./Upstream.ts"

/** Who asks, as far as models are concerned. */
export interface Asking {
  readonly plan: Plan
  readonly key: Pick<ApiKeys.ApiKey, "allowedModels"> | null
}

/** Why a file may not be given to a model by whoever asks; null when it may. */
export const modelRefusal = (id: string, model: Model | null, { key, plan }: Asking): InferenceRefused | null => {
  const about = (message: string) => ({ message, param: "model" })
  if (model === null) return refuse("model_not_found", about(`There is no model ${id}.`))
  if (!mayUseModel(key, id)) return refuse("model_not_allowed", about(`This API key may not use the model ${id}.`))
  if (!mayCall(model, plan)) {
    return refuse("model_not_available", about(`The model ${id} is not part of the plan ${plan}. Choose another plan.`))
  }
  if (model.status !== "active") return refuse("model_under_maintenance", about(outOfService(model)))
  if (model.category !== "stt") {
    return refuse(
      "invalid_request",
      about(`The model ${id} does not transcribe: it is of the category ${model.category}.`)
    )
  }
  return model.streamingOnly ? refuse("invalid_request", about(streamsOnly(model))) : null
}

const outOfService = ({ id, status, successor }: Model): string =>
  status === "maintenance"
    ? `The model ${id} is out of service for the moment.`
    : `The model ${id} has been retired.${successor === null ? "" : ` Use ${successor}.`}`

const streamsOnly = ({ alternative, id }: Model): string =>
  `The model ${id} takes no files: it is for voice sessions.${alternative === null ? "" : ` Use ${alternative} for files.`}`

const unservedOptions: Readonly<Record<UnservedOption, string>> = {
  timestamp_granularities: "No model here returns word timestamps. Send segment, or omit timestamp_granularities.",
  include: "No model here returns log probabilities. Omit include.",
  chunking_strategy: "How audio is split cannot be set here. Send chunking_strategy auto, or omit it.",
  known_speaker_names: "Speakers cannot be named in advance here. Omit known_speaker_names.",
  known_speaker_references: "Speakers cannot be identified in advance here. Omit known_speaker_references."
}

/** Refusal of an option that no model can serve; null when the request has none. */
export const optionRefusal = (option: UnservedOption | null): InferenceRefused | null =>
  option === null ? null : refuse("invalid_request", { message: unservedOptions[option], param: option })

/** Why a file of so many bytes is not taken; null when it is. */
export const sizeRefusal = (size: number, model: Model): InferenceRefused | null => {
  if (size === 0) return refuse("invalid_request", { message: "The file is empty.", param: "file" })
  const most = Math.min(mostBytes, model.limits.bytes ?? mostBytes)
  return size <= most
    ? null
    : refuse("file_too_large", {
        message: `The file has ${bytes(size)}; the model ${model.id} takes at most ${bytes(most)}.`,
        param: "file"
      })
}

const bytes = (count: number): string => `${count.toLocaleString("en-US")} bytes`

/** Why audio of so many seconds is not taken; null when it is, or when nobody knows its length. */
export const lengthRefusal = (seconds: number | null, { id, limits }: Model): InferenceRefused | null =>
  seconds === null || limits.seconds === null || seconds <= limits.seconds
    ? null
    : refuse("audio_too_long", {
        message: `The audio is ${seconds.toFixed(1)} seconds long; the model ${id} takes at most ${limits.seconds}.`,
        param: "file"
      })

/** What cannot be paid for. Source: docs/metering.md#reserve. */
export const spendingRefusal = (refused: QuotaExceeded | BudgetExceeded | CreditsExceeded): InferenceRefused => {
  switch (refused._tag) {
    case "BudgetExceeded":
      return refuse("budget_exceeded")
    case "CreditsExceeded":
      return refuse("insufficient_credits")
    case "QuotaExceeded":
      return refuse("quota_exceeded", {
        message:
          refused.reason === "plan"
            ? "The plan's transcription calls of this month are used up. They begin anew on the 1st."
            : "The account's budget of this month is used up. It begins anew on the 1st.",
        retryAfterSeconds: refused.retryAfterSeconds
      })
  }
}

/** What is told of an upstream's failure: never a word of its own. Source: docs/gateway.md#upstream-failures. */
export const upstreamRefusal = ({ advice, retryAfterSeconds, why }: UpstreamFailed): InferenceRefused => {
  const shown = { showsRequestId: true, ...(advice === null ? {} : { message: advice }) }
  switch (why) {
    case "refused_input":
      return refuse("invalid_request", {
        message: advice ?? "The model could not read the file as audio.",
        param: "file"
      })
    case "too_large":
      return refuse("file_too_large", { message: "The file is too large for this model.", param: "file" })
    case "throttled":
      return refuse("rate_limit_exceeded", {
        message: "The model is asked too often at the moment. Wait for as long as Retry-After says.",
        retryAfterSeconds: retryAfterSeconds ?? 1,
        showsRequestId: true
      })
    case "operator":
      return refuse("provider_error", shown)
    case "failed":
    case "timeout":
    case "unreachable":
    case "unreadable":
      return refuse("service_unavailable", shown)
    case "unsupported":
      return refuse("service_unavailable", { ...shown, isPermanent: true })
  }
}

/** No upstream is configured to run the model. The operator's log says what to configure. */
export const noRoute = (id: string): InferenceRefused =>
  refuse("service_unavailable", {
    message: `The model ${id} is not available here. GET /v1/models shows which models are.`,
    showsRequestId: true,
    isPermanent: true
  })
