/** What a model does not speak, found before anything runs, in the documented order. Pure. Source: docs/reference/speech-synthesis.md#refused. */

import type * as Models from "../catalogue/Model.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { bytesRefusal } from "../routes/JsonRequest.ts"
import { otherCategoryRefusal } from "../run/InferenceRefusals.ts"
import type { SynthesisRequest } from "./SynthesisRequest.ts"

/** The first reason not to run a request; null where there is none. */
export const synthesisRefusal = (request: SynthesisRequest, model: Models.Model): InferenceRefused | null =>
  otherCategoryRefusal(model, "tts") ?? bytesRefusal(request, model) ?? lengthRefusal(request, model)

const lengthRefusal = ({ characters }: SynthesisRequest, { id, limits }: Models.Model): InferenceRefused | null =>
  limits.characters === null || characters <= limits.characters
    ? null
    : refuse("invalid_request", {
        message: `The input has ${characters} characters; the model ${id} takes at most ${limits.characters}.`,
        param: "input"
      })
