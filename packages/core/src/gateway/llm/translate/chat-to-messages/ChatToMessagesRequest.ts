/** A request of the chat API as one of the messages API. Source: docs/reference/language-models.md#translations. Pure. */
import * as Result from "effect/Result"
import { listOf, objectOf, present } from "../../JsonFields.ts"
import { eachAt, objectAt, onlyKnown, refuse, type Translated, textAt } from "../RequestFields.ts"
import type { Json, RequestContext } from "../Translation.ts"
import { chatConversation } from "./ChatConversation.ts"
import { chatToolChoice, chatTools } from "./ChatTools.ts"

const translated = [
  "model",
  "messages",
  "max_completion_tokens",
  "max_tokens",
  "temperature",
  "top_p",
  "stop",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "response_format",
  "reasoning_effort",
  "user",
  "safety_identifier",
  "cache_control",
  "stream",
  "stream_options"
]

/** Without effect on the answer. */
const passedOver = ["store", "metadata", "prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"]

const isZero = (value: unknown) => value === 0

/** Values that request nothing, of fields that are refused otherwise. */
const neutral: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    n: (value: unknown) => value === 1,
    logprobs: (value: unknown) => value === false,
    presence_penalty: isZero,
    frequency_penalty: isZero,
    logit_bias: (value: unknown) => Object.keys(objectOf(value) ?? { other: value }).length === 0,
    modalities: (value: unknown) => listOf(value)?.every((one) => one === "text") === true,
    service_tier: (value: unknown) => value === "auto" || value === "default"
  })
)

const fieldsOf = (request: Json): Translated<Json> => {
  const asked = Object.entries(present(request)).filter(([name, value]) => neutral.get(name)?.(value) !== true)
  return onlyKnown(Object.fromEntries(asked), [...translated, ...passedOver])
}

export const chatToMessagesRequest = (request: Json, context: RequestContext): Translated<Json> =>
  Result.gen(function* () {
    const fields = yield* fieldsOf(request)
    const { messages, system } = yield* chatConversation(fields.messages)
    const tools = yield* chatTools(fields.tools)
    const effort = yield* effortOf(fields.reasoning_effort)
    const output = present({ effort, format: yield* formatOf(fields.response_format) })
    return present({
      model: context.upstreamModel,
      max_tokens: fields.max_completion_tokens ?? fields.max_tokens ?? context.maxOutputTokens,
      system,
      messages,
      ...(yield* samplingOf(fields)),
      stop_sequences: yield* stopSequencesOf(fields.stop),
      tools,
      tool_choice: yield* chatToolChoice(fields, tools !== null),
      output_config: Object.keys(output).length === 0 ? null : output,
      thinking: fields.reasoning_effort === "none" ? { type: "disabled" } : null,
      metadata: yield* metadataOf(fields),
      cache_control: fields.cache_control,
      stream: fields.stream
    })
  })

/** Newer models refuse both: a neutral 1 of one is left out where the other is there. */
const samplingOf = ({ temperature, top_p }: Json): Translated<Json> => {
  if (typeof temperature === "number" && temperature > 1) {
    return refuse("temperature", "This model takes a `temperature` of at most 1. Send a smaller one.")
  }
  if (temperature === undefined || top_p === undefined) return Result.succeed({ temperature, top_p })
  if (top_p === 1) return Result.succeed({ temperature })
  return Result.succeed(temperature === 1 ? { top_p } : { temperature, top_p })
}

const stopSequencesOf = (stop: unknown): Translated<ReadonlyArray<string> | null> =>
  Result.map(eachAt(typeof stop === "string" ? [stop] : stop, "stop", textAt), (texts) =>
    texts.length === 0 ? null : texts
  )

const efforts: ReadonlyArray<unknown> = ["low", "medium", "high", "xhigh", "max"]

const effortOf = (effort: unknown): Translated<unknown> => {
  if (effort === undefined || effort === "none") return Result.succeed(null)
  if (efforts.includes(effort)) return Result.succeed(effort)
  const values = efforts.map((one) => `\`${one}\``).join(", ")
  return refuse("reasoning_effort", `This model takes a \`reasoning_effort\` of \`none\`, ${values}. Send one of them.`)
}

const formatOf = (value: unknown): Translated<Json | null> =>
  Result.gen(function* () {
    if (value === undefined) return null
    const format = yield* objectAt(value, "response_format", ["type", "json_schema"])
    if (format.type === "text") return null
    if (format.type !== "json_schema") {
      return yield* refuse(
        "response_format.type",
        "This model takes a `response_format` of type `text` or `json_schema`. Send a schema of the JSON that you expect."
      )
    }
    const at = "response_format.json_schema"
    const { schema } = yield* objectAt(format.json_schema, at, ["name", "description", "schema", "strict"])
    if (objectOf(schema) === null) return yield* refuse(`${at}.schema`, `\`${at}.schema\` must be a JSON schema.`)
    return { type: "json_schema", schema }
  })

const metadataOf = ({ safety_identifier, user }: Json): Translated<Json | null> => {
  if (user !== undefined) return Result.map(textAt(user, "user"), (user_id) => ({ user_id }))
  if (safety_identifier === undefined) return Result.succeed(null)
  return Result.map(textAt(safety_identifier, "safety_identifier"), (user_id) => ({ user_id }))
}
