/** Which speech model a voice session uses, and in which language. Pure. Source: docs/reference/voice.md#speech-model. */
import * as Result from "effect/Result"
import { type ModelCaller, type ModelProblem, modelProblem } from "../../gateway/admission/index.ts"
import type { Models } from "../../gateway/catalogue/index.ts"
import { type InferenceRefused, refuse } from "../../gateway/errors/index.ts"

/** The model, if a session may use it: known, allowed to the key, part of the plan, in service and for voice, in this order. */
export const selectSpeechModel = (
  id: string,
  model: Models.Model | null,
  caller: ModelCaller
): Result.Result<Models.Model, InferenceRefused> => {
  const problem = modelProblem(id, model, caller)
  if (model === null || problem !== null) return Result.fail(refusalOf(problem ?? "unknown", id, model, sttParam))
  return model.voice ? Result.succeed(model) : Result.fail(unfit(id, sttParam))
}

/** The models that think and speak, where the request names them: known, allowed, in service and of their category. */
export const selectModels = (
  { llmModel, ttsModel }: { readonly llmModel: string | null; readonly ttsModel: string | null },
  find: (id: string) => Models.Model | null,
  caller: ModelCaller
): Result.Result<void, InferenceRefused> => {
  const named = [
    [llmModel, "llm", "llm_model"],
    [ttsModel, "tts", "tts_model"]
  ] as const
  for (const [id, category, param] of named) {
    if (id === null) continue
    const model = find(id)
    const problem = modelProblem(id, model, caller)
    if (model === null || problem !== null) return Result.fail(refusalOf(problem ?? "unknown", id, model, param))
    if (model.category !== category) return Result.fail(unfit(id, param))
  }
  return Result.succeed(undefined)
}

const sttParam = "stt_model"

const unfit = (id: string, param: string): InferenceRefused =>
  refuse("invalid_request", { param, message: `The model ${id} cannot be used in voice sessions.` })

const refusalOf = (problem: ModelProblem, id: string, model: Models.Model | null, param: string): InferenceRefused => {
  switch (problem) {
    case "unknown":
      return refuse("model_not_found", { param, message: `There is no model ${id}.` })
    case "not_allowed":
      return refuse("model_not_allowed", { param })
    case "not_in_plan":
      return refuse("model_not_available", { param })
    case "maintenance":
    case "retired": {
      const instead = model?.successor == null ? "" : ` Use ${model.successor}.`
      return refuse("model_under_maintenance", { param, message: `The model ${id} is out of service.${instead}` })
    }
  }
}

interface SelectedLanguage {
  readonly language: string | null
  /** True when the model lacks the requested language, which is no error. */
  readonly isFallback: boolean
}

/**
 * The language that a model gets. A model with a fallback language gets one of its own languages, by the language of a tag,
 * or else the fallback; other models get what was requested.
 */
export const selectLanguage = (
  { dialects, fallbackLanguage }: Pick<Models.Model, "dialects" | "fallbackLanguage">,
  requested: string | null
): SelectedLanguage => {
  if (requested === null || fallbackLanguage === null || dialects.includes(requested)) {
    return { language: requested, isFallback: false }
  }
  const language = requested.split("-")[0]!.toLowerCase()
  return dialects.includes(language)
    ? { language, isFallback: false }
    : { language: fallbackLanguage, isFallback: true }
}
