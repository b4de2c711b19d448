/** A request of the Responses API as one of the chat API. Pure. */
import * as Result from "effect/Result"
import { outputLimitField } from "../../chat/OutputLimitField.ts"
import { isAbsent, isText, listOf, presentFields, type Refusable, refuse } from "../../responses/ResponsesJson.ts"
import type { Json, RequestContext } from "../Translation.ts"
import { chatMessages } from "./ResponsesToChatMessages.ts"
import { chatFormat, chatReasoning, chatToolChoice, chatTools } from "./ResponsesToChatOptions.ts"

/** Without effect on the answer, or done by the gateway itself. */
const passedOver = new Set([
  "metadata",
  "store",
  "max_tool_calls",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "safety_identifier",
  "client_metadata",
  "context_management",
  "stream_options",
  // The caller of the translation has replaced it by the items of that response.
  "previous_response_id",
  // Written first.
  "model",
  "instructions",
  "input"
])

const same = new Set(["temperature", "top_p", "parallel_tool_calls", "user"])

type TranslateField = (value: unknown, request: Json, context: RequestContext) => Refusable<Json>

/** What each further field becomes. A field that is in none of the three tables is refused. */
const translated: ReadonlyMap<string, TranslateField> = new Map<string, TranslateField>([
  ["max_output_tokens", (limit, _, { upstreamModel }) => Result.succeed({ [outputLimitField(upstreamModel)]: limit })],
  ["stream", (stream) => Result.succeed(streamOf(stream))],
  ["tools", chatTools],
  ["tool_choice", chatToolChoice],
  ["text", chatFormat],
  ["reasoning", chatReasoning],
  ["include", (include) => logprobsOf(include)],
  ["top_logprobs", topLogprobsOf],
  ["truncation", only("truncation", "disabled")],
  ["service_tier", only("service_tier", "auto", "default")],
  ["background", only("background", false)]
])

export const responsesToChatRequest = (request: Json, context: RequestContext): Refusable<Json> =>
  Result.gen(function* () {
    const chat: Record<string, unknown> = {
      model: context.upstreamModel,
      messages: yield* messagesOf(request)
    }
    for (const [name, value] of presentFields(request)) {
      if (passedOver.has(name)) continue
      const translate = same.has(name) ? undefined : (translated.get(name) ?? noPlace(name))
      Object.assign(chat, translate === undefined ? { [name]: value } : yield* translate(value, request, context))
    }
    return chat
  })

const noPlace =
  (name: string): TranslateField =>
  () =>
    refuse(name, `The upstream of this model has no place for "${name}". Leave it out.`)

/** A field that may only have values without effect. */
function only(name: string, ...values: ReadonlyArray<unknown>): TranslateField {
  return (value) =>
    values.includes(value)
      ? Result.succeed({})
      : refuse(
          name,
          `The upstream of this model takes "${name}" only as ${values.map((one) => JSON.stringify(one)).join(" or ")}. Change it, or leave it out.`
        )
}

const messagesOf = ({ input, instructions }: Json): Refusable<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const messages = yield* chatMessages(input)
    if (isAbsent(instructions) || instructions === "") return messages
    if (!isText(instructions)) return yield* refuse("instructions", "Send the instructions as a text.")
    return [{ role: "system", content: instructions }, ...messages]
  })

/** The usage of a stream is always needed: it is billed, and stands in the last event. */
const streamOf = (stream: unknown): Json =>
  stream === true ? { stream, stream_options: { include_usage: true } } : { stream }

const logprobsInclude = "message.output_text.logprobs"

export const asksForLogprobs = ({ include }: Json): boolean => listOf(include).includes(logprobsInclude)

const logprobsOf = (include: unknown): Refusable<Json> => {
  if (!Array.isArray(include)) return refuse("include", "Send include as a list of names.")
  const known = ["reasoning.encrypted_content", logprobsInclude]
  const unknown = include.find((name) => !known.includes(name))
  return unknown === undefined
    ? Result.succeed(include.includes(logprobsInclude) ? { logprobs: true } : {})
    : refuse("include", `The upstream of this model cannot include ${JSON.stringify(unknown)}. Take it out of include.`)
}

function topLogprobsOf(top: unknown, request: Json): Refusable<Json> {
  if (asksForLogprobs(request)) return Result.succeed({ top_logprobs: top })
  // 0 is what answers show where nobody asked.
  if (top === 0) return Result.succeed({})
  return refuse("top_logprobs", `Add "${logprobsInclude}" to include, or leave top_logprobs out.`)
}
