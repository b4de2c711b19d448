/** A request of the messages API as one of the chat API. Source: docs/reference/language-models.md#translations. Pure. */
import * as Result from "effect/Result"
import { outputLimitField } from "../../chat/OutputLimitField.ts"
import { objectOf, present } from "../../JsonFields.ts"
import { eachAt, objectAt, onlyKnown, refuse, type Translated, textAt } from "../RequestFields.ts"
import type { Json, RequestContext } from "../Translation.ts"
import { messagesConversation } from "./MessagesConversation.ts"
import { messagesToolChoice, messagesTools } from "./MessagesTools.ts"

const translated = [
  "model",
  "max_tokens",
  "system",
  "messages",
  "temperature",
  "top_p",
  "stop_sequences",
  "tools",
  "tool_choice",
  "output_config",
  "metadata",
  "stream"
]

/** Permissions and hints, which may be dropped. */
const passedOver = ["thinking", "cache_control", "service_tier", "context_management"]

export const messagesToChatRequest = (request: Json, context: RequestContext): Translated<Json> =>
  Result.gen(function* () {
    const { speed, ...rest } = present(request)
    const fields = yield* onlyKnown(speed === "standard" ? rest : present(request), [...translated, ...passedOver])
    const output = yield* outputOf(fields.output_config)
    return present({
      model: context.upstreamModel,
      messages: yield* messagesConversation(fields),
      [outputLimitField(context.upstreamModel)]: fields.max_tokens,
      temperature: fields.temperature,
      top_p: fields.top_p,
      stop: yield* stopOf(fields.stop_sequences),
      tools: yield* messagesTools(fields.tools),
      ...(yield* messagesToolChoice(fields.tool_choice)),
      ...output,
      user: yield* userOf(fields.metadata),
      stream: fields.stream,
      stream_options: fields.stream === true ? { include_usage: true } : null
    })
  })

const stopOf = (sequences: unknown): Translated<ReadonlyArray<string> | null> =>
  Result.map(eachAt(sequences, "stop_sequences", textAt), (texts) => (texts.length === 0 ? null : texts))

const userOf = (metadata: unknown): Translated<unknown> => {
  if (metadata === undefined) return Result.succeed(null)
  const fields = objectOf(metadata)
  if (fields === null) return refuse("metadata", "`metadata` must be an object.")
  return fields.user_id === undefined ? Result.succeed(null) : textAt(fields.user_id, "metadata.user_id")
}

/** `response_format` and `reasoning_effort`. */
const outputOf = (value: unknown): Translated<Json> =>
  Result.gen(function* () {
    if (value === undefined) return {}
    const { effort, format } = yield* objectAt(value, "output_config", ["effort", "format"])
    return {
      response_format: format === undefined ? null : yield* formatOf(format),
      reasoning_effort: effort === undefined ? null : yield* textAt(effort, "output_config.effort")
    }
  })

const formatOf = (value: unknown): Translated<Json> =>
  Result.gen(function* () {
    const at = "output_config.format"
    const { schema, type } = yield* objectAt(value, at, ["type", "schema"])
    if (type !== "json_schema" || objectOf(schema) === null) {
      return yield* refuse(at, `\`${at}\` must have the type \`json_schema\` and a \`schema\`.`)
    }
    return { type: "json_schema", json_schema: { name: "output", strict: true, schema } }
  })
