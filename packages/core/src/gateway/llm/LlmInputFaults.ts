/** What an answer says about an input that an upstream refuses. */
import type { InputFaults } from "../run/InferenceRefusals.ts"
import type { LlmApi } from "./translate/Translation.ts"

const faultsAt = (param: string): InputFaults => ({
  param,
  refused: "The model refused the request as it is. Check its fields.",
  tooLarge: "The request is too large for this model."
})

export const inputFaults: Readonly<Record<LlmApi, InputFaults>> = {
  chat_completions: faultsAt("messages"),
  messages: faultsAt("messages"),
  responses: faultsAt("input")
}
