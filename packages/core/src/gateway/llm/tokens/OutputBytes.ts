/** The bytes of text, reasoning and tool arguments in answers and events of each API. Pure. Source: docs/reference/language-models.md#tokens. */
import { isObject, utf8Length } from "../../../platform/kernel/index.ts"
import { listOf } from "../JsonFields.ts"
import type { Json, LlmApi } from "../translate/Translation.ts"

/** Of a whole answer. */
export const answerBytes = (api: LlmApi, answer: Json): number => {
  switch (api) {
    case "chat_completions":
      return sum(answer.choices, (choice) => (isObject(choice.message) ? messageBytes(choice.message) : 0))
    case "messages":
      return sum(answer.content, blockBytes)
    case "responses":
      return sum(answer.output, itemBytes)
  }
}

/** Of one event of a stream. */
export const eventBytes = (api: LlmApi, data: Json): number => {
  switch (api) {
    case "chat_completions":
      return sum(data.choices, (choice) => (isObject(choice.delta) ? messageBytes(choice.delta) : 0))
    case "messages":
      return data.type === "content_block_delta" && isObject(data.delta) ? deltaBytes(data.delta) : 0
    case "responses":
      return typeof data.type === "string" && data.type.endsWith(".delta") ? textBytes(data.delta) : 0
  }
}

const messageBytes = (message: Json): number =>
  (typeof message.content === "string"
    ? textBytes(message.content)
    : sum(message.content, ({ text }) => textBytes(text))) +
  textBytes(message.refusal) +
  textBytes(message.reasoning_content ?? message.reasoning) +
  sum(message.tool_calls, (call) => (isObject(call.function) ? textBytes(call.function.arguments) : 0))

const blockBytes = ({ input, text, thinking }: Json): number =>
  textBytes(text) + textBytes(thinking) + (isObject(input) ? utf8Length(JSON.stringify(input)) : 0)

const deltaBytes = ({ partial_json, text, thinking }: Json): number =>
  textBytes(text) + textBytes(thinking) + textBytes(partial_json)

const itemBytes = (item: Json): number =>
  sum(item.content, ({ refusal, text }) => textBytes(text) + textBytes(refusal)) +
  sum(item.summary, ({ text }) => textBytes(text)) +
  textBytes(item.arguments) +
  textBytes(item.input)

const textBytes = (value: unknown): number => (typeof value === "string" ? utf8Length(value) : 0)

const sum = (list: unknown, bytesOf: (one: Json) => number): number =>
  (listOf(list) ?? []).reduce<number>((total, one) => total + (isObject(one) ? bytesOf(one) : 0), 0)
