/** Checks of a speech request against its model, in the documented order. Pure. Source: docs/reference/gateway.md#order. */

import type { Model } from "../catalogue/Model.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { maxUploadBytes, type UnservedOption } from "./SpeechRequest.ts"

/** Refuses a model that cannot transcribe a file; null when it can. */
export const modelUseRefusal = (model: Model): InferenceRefused | null => {
  const about = (message: string) => refuse("invalid_request", { message, param: "model" })
  if (model.category !== "stt") {
    return about(`The model ${model.id} does not transcribe: it is of the category ${model.category}.`)
  }
  return model.streamingOnly ? about(streamsOnly(model)) : null
}

const streamsOnly = ({ alternative, id }: Model): string =>
  `The model ${id} takes no files: it is for voice sessions.${alternative === null ? "" : ` Use ${alternative} for files.`}`

const unservedOptions: Readonly<Record<UnservedOption, string>> = {
  timestamp_granularities: "No model here returns word timestamps. Send segment, or omit timestamp_granularities.",
  include: "No model here returns log probabilities. Omit include.",
  chunking_strategy: "How audio is split cannot be set here. Send chunking_strategy auto, or omit it.",
  known_speaker_names: "Speakers cannot be named in advance here. Omit known_speaker_names.",
  known_speaker_references: "Speakers cannot be identified in advance here. Omit known_speaker_references."
}

/** Refuses an option that no model can serve; null when the request has none. */
export const optionRefusal = (option: UnservedOption | null): InferenceRefused | null =>
  option === null ? null : refuse("invalid_request", { message: unservedOptions[option], param: option })

/** Refuses a file that is empty or too large for the model; null when it fits. */
export const sizeRefusal = (size: number, model: Model): InferenceRefused | null => {
  if (size === 0) return refuse("invalid_request", { message: "The file is empty.", param: "file" })
  const max = Math.min(maxUploadBytes, model.limits.bytes ?? maxUploadBytes)
  return size <= max
    ? null
    : refuse("file_too_large", {
        message: `The file has ${bytes(size)}; the model ${model.id} takes at most ${bytes(max)}.`,
        param: "file"
      })
}

const bytes = (count: number): string => `${count.toLocaleString("en-US")} bytes`

/** Refuses audio that is too long for the model; null when it fits, or when its length is unknown. */
export const lengthRefusal = (seconds: number | null, { id, limits }: Model): InferenceRefused | null =>
  seconds === null || limits.seconds === null || seconds <= limits.seconds
    ? null
    : refuse("audio_too_long", {
        message: `The audio is ${seconds.toFixed(1)} seconds long; the model ${id} takes at most ${limits.seconds}.`,
        param: "file"
      })
