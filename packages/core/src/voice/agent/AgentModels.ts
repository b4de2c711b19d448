/** Which models an agent may listen, think and speak with. Pure. Source: docs/reference/voice-agent.md#models. */
import { type ModelCaller, type ModelProblem, modelProblem } from "../../gateway/admission/index.ts"
import type { ModelCatalogue, Models } from "../../gateway/catalogue/index.ts"
import type { AgentSettings } from "./AgentSettings.ts"
import { mapChoices } from "./AgentSettingsOf.ts"

export type Stage = "listen" | "think" | "speak"

/** Why a model cannot serve a stage at the moment, in a sentence for the client; null where it can. */
export type StageProblem = (stage: Stage, model: string) => string | null

type Catalogue = Pick<ModelCatalogue["Service"], "get">

/** The protocol's own names of models, and what ours begin with. */
const ownNames = /^(flux|nova-2)(-|$)/
const ownVoices = /^aura-2-([a-z]+)-([a-z]{2})$/

const listenModel = (model: string, { get }: Catalogue): string =>
  get(model) === null && ownNames.test(model) ? `deepgram-${model}` : model

/** The settings with our ids in the place of the protocol's own names. */
export const withOurNames = (settings: AgentSettings, catalogue: Catalogue): AgentSettings => {
  const { fallback, model } = settings.listen
  return {
    ...settings,
    listen: {
      ...settings.listen,
      model: listenModel(model, catalogue),
      fallback: fallback === null ? null : listenModel(fallback, catalogue)
    },
    speak: mapChoices(settings.speak, (choice) => {
      const [, voice, language] = ownVoices.exec(choice.model) ?? []
      if (voice === undefined || catalogue.get(choice.model) !== null) return choice
      return { model: `aura-2-${language}`, voice: choice.voice ?? voice }
    })
  }
}

/** Why an agent cannot be run with its models. */
export interface ModelsRefused {
  readonly code: "INVALID_SETTINGS" | "MODEL_UNAVAILABLE"
  readonly description: string
}

/** Who pays, where models run, and which there are. */
export interface ModelRules {
  readonly catalogue: Catalogue
  readonly caller: ModelCaller
  readonly problem: StageProblem
}

/** Why the models of an agent cannot be used; null where they can. One that does not exist or is not allowed comes first. */
export const modelsRefusal = (
  settings: AgentSettings,
  { caller, catalogue, problem }: ModelRules
): ModelsRefused | null => {
  const used = modelsOf(settings)
  const invalid = used.flatMap(({ model, stage }) => invalidSentence(stage, model, catalogue.get(model), caller) ?? [])
  if (invalid.length > 0) return { code: "INVALID_SETTINGS", description: invalid.join(" ") }
  // A fallback that is out of service is passed over when it is needed.
  const firsts = used.filter(({ isFallback }) => !isFallback)
  const closed = firsts.flatMap(({ model, stage }) => outOfService(model, catalogue) ?? problem(stage, model) ?? [])
  return closed.length === 0 ? null : { code: "MODEL_UNAVAILABLE", description: closed.join(" ") }
}

const modelsOf = ({ listen, speak, think }: AgentSettings) => {
  const choices = (stage: Stage, models: ReadonlyArray<string>) =>
    models.map((model, nth) => ({ stage, model, isFallback: nth > 0 }))
  return [
    ...choices("listen", listen.fallback === null ? [listen.model] : [listen.model, listen.fallback]),
    ...choices(
      "think",
      think.map(({ model }) => model)
    ),
    ...choices(
      "speak",
      speak.map(({ model }) => model)
    )
  ]
}

/** Whether a model can do what a stage needs. */
export const fitsStage = (stage: Stage, { category, voice }: Models.Model): boolean => {
  if (stage === "listen") return category === "stt" && voice
  return category === (stage === "think" ? "llm" : "tts")
}

/** A name of a client's may be of any length. */
const shown = (model: string): string => (model.length > 100 ? `${model.slice(0, 100)}…` : model)

const invalidSentence = (stage: Stage, id: string, model: Models.Model | null, caller: ModelCaller): string | null => {
  const wrong = modelProblem(id, model, caller)
  const sentence = wrong === null ? null : problemSentences[wrong]?.(shown(id))
  if (sentence !== null && sentence !== undefined) return sentence
  return model !== null && !fitsStage(stage, model)
    ? `The model ${shown(id)} cannot ${stage} in a voice session.`
    : null
}

/** A model that is known and out of service is no fault of the settings. */
const problemSentences: { readonly [P in ModelProblem]?: (id: string) => string } = {
  unknown: (id) => `There is no model ${id}.`,
  not_allowed: (id) => `The API key may not use the model ${id}.`,
  not_in_plan: (id) => `The plan does not have the model ${id}.`
}

const outOfService = (id: string, { get }: Catalogue): string | null => {
  const model = get(id)
  if (model === null || model.status === "active") return null
  return `The model ${id} is out of service.${model.successor === null ? "" : ` Use ${model.successor}.`}`
}
