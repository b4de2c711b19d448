/** What an event or an answer of a language model's API says: an error, the end, or something that was not asked for. Pure. */
import { type GenerateWork, isObject, type Json, type LlmApi } from "@trunkline/core/provider"

/** The error that stands in the place of an event or of an answer, in the shape that `reportedError` reads; null for none. */
export const errorIn = (event: string | null, json: Json): Json | null => {
  if (json.type === "response.failed") return isObject(json.response) ? json.response : json
  const { error, object, status, type } = json
  const isFailedResponse = object === "response" && (status === "failed" || status === "cancelled")
  const isError = event === "error" || type === "error" || object === "error" || isFailedResponse
  return isError || isObject(error) || (typeof error === "string" && error !== "") ? json : null
}

/** The data that ends a stream of the chat API; other servers send it too. */
export const doneMark = "[DONE]"

const lastEvents: Readonly<Record<LlmApi, ReadonlyArray<unknown>>> = {
  chat_completions: [],
  messages: ["message_stop"],
  responses: ["response.completed", "response.incomplete"]
}

/** Nothing of the stream comes after this event. */
export const isLastEvent = (api: LlmApi, { type }: Json): boolean => lastEvents[api].includes(type)

/** Whether an answer that is not streamed has what was asked for. */
export const isAnswer = ({ api, task }: Pick<GenerateWork, "api" | "task">, json: Json): boolean => {
  if (task === "count") return typeof json.input_tokens === "number"
  switch (api) {
    case "chat_completions":
      return Array.isArray(json.choices) && json.choices.length > 0
    case "messages":
      return Array.isArray(json.content)
    case "responses":
      return Array.isArray(json.output)
  }
}
