/** Which model a voice session hears with, and in which language. Pure. Source: docs/voice.md#hearing. */
import * as Result from "effect/Result"
import type { Account, ApiKeys } from "../access/index.ts"
import { Admission, type InferenceCode, type InferenceRefused, Models, refuse } from "../inference/index.ts"

/** Who asks for a session. */
export interface Asking {
  readonly plan: Account["plan"]
  /** Null for the host itself. */
  readonly key: ApiKeys.ApiKey | null
}

/** The model if a session may hear with it: known, the key's, the plan's, in service and for voice, in this order. */
export const usable = (
  model: Models.Model | null,
  id: string,
  { key, plan }: Asking
): Result.Result<Models.Model, InferenceRefused> => {
  const no = (code: InferenceCode, message?: string) =>
    Result.fail(refuse(code, { param: "stt_model", ...(message === undefined ? {} : { message }) }))
  if (model === null) return no("model_not_found", `There is no model ${id}.`)
  if (!Admission.mayUseModel(key, id)) return no("model_not_allowed")
  if (!Models.mayCall(model, plan)) return no("model_not_available")
  if (model.status !== "active") {
    const instead = model.successor === null ? "" : ` Use ${model.successor}.`
    return no("model_under_maintenance", `The model ${id} is out of service.${instead}`)
  }
  return model.voice
    ? Result.succeed(model)
    : no("invalid_request", `The model ${id} cannot be used in voice sessions.`)
}

/** Hears English when it is told a language that it lacks; the others get and tell what was sent. */
const fallsBackToEnglish = "ink-2"

/**
 * The language that a model will hear. A tag with a region stands for its language; `lacks` says that it is another one
 * than was asked for, which is no error.
 */
export const heardLanguage = (
  { dialects, id }: Pick<Models.Model, "dialects" | "id">,
  asked: string | null
): { readonly language: string | null; readonly lacks: boolean } => {
  if (asked === null || id !== fallsBackToEnglish || dialects.includes(asked)) return { language: asked, lacks: false }
  const spoken = asked.split("-")[0]!.toLowerCase()
  return dialects.includes(spoken) ? { language: spoken, lacks: false } : { language: "en", lacks: true }
}
