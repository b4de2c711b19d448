/** What a model does not speak, found before anything runs, in the documented order. Pure. Source: docs/speech-synthesis.md#refused. */
import { type InferenceRefused, type Models, otherCategoryRefusal, refuse } from "../inference/index.ts"
import type { SynthesisRequest } from "./SynthesisRequest.ts"

/** The first reason not to run a request; null where there is none. */
export const synthesisRefusal = (request: SynthesisRequest, model: Models.Model): InferenceRefused | null =>
  otherCategoryRefusal(model, "tts") ?? sizeRefusal(request, model) ?? lengthRefusal(request, model)

const sizeRefusal = ({ bytes }: SynthesisRequest, { limits }: Models.Model): InferenceRefused | null =>
  limits.bytes === null || bytes <= limits.bytes
    ? null
    : refuse("file_too_large", {
        message: `The request has more than the ${limits.bytes} bytes that this model accepts.`
      })

const lengthRefusal = ({ characters }: SynthesisRequest, { id, limits }: Models.Model): InferenceRefused | null =>
  limits.characters === null || characters <= limits.characters
    ? null
    : refuse("invalid_request", {
        message: `The input has ${characters} characters; the model ${id} takes at most ${limits.characters}.`,
        param: "input"
      })
