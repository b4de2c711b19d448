/** An answer of the chat API as one of the messages API. Source: docs/reference/language-models.md#translations. Pure. */
import * as Result from "effect/Result"
import { utf8Length } from "../../../../platform/kernel/index.ts"
import { type Finish, finishOf } from "../../chat/FinishReason.ts"
import { filledTextOf, listOf, objectOf, parseObject, textOf } from "../../JsonFields.ts"
import { asMessagesUsage, chatUsage, estimatedUsage } from "../../tokens/LlmUsage.ts"
import { unreadable } from "../chat-to-messages/ChatFromMessagesAnswer.ts"
import { idsOfMessages, NewCallIds } from "../NewCallIds.ts"
import type { AnswerContext, Json, Unreadable } from "../Translation.ts"

const stopReasons: Readonly<Record<Finish, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal"
}

/** Some servers say `stop` where the model has called tools. */
export const stopReasonOf = (finish: Finish, hasTools: boolean): string =>
  hasTools && finish !== "length" ? "tool_use" : stopReasons[finish]

/** A text, or the texts of its parts, without those in which some models think. */
export const chatText = (content: unknown): string =>
  textOf(content) ??
  (listOf(content) ?? [])
    .map((part) => (objectOf(part)?.type === "text" ? (textOf(objectOf(part)?.text) ?? "") : ""))
    .join("")

/** The reasoning of a message or of a delta, by either of its names. */
export const reasoningOf = (message: Json): string =>
  filledTextOf(message.reasoning_content) ?? textOf(message.reasoning) ?? ""

/** True where the caller's request permits blocks of thinking. */
export const allowsThinking = ({ request }: AnswerContext): boolean => {
  const type = objectOf(request.thinking)?.type
  return type === "enabled" || type === "adaptive"
}

/** Arguments as text: some servers send the object. Null for anything else. */
export const argumentsText = (value: unknown): string | null =>
  objectOf(value) === null ? textOf(value ?? "") : JSON.stringify(value)

export const messagesFromChatAnswer = (answer: Json, context: AnswerContext): Result.Result<Json, Unreadable> =>
  Result.gen(function* () {
    const choice = objectOf(listOf(answer.choices)?.[0])
    const message = objectOf(choice?.message)
    if (message === null) return yield* unreadable("the answer has no choice with a message")
    const text = filledTextOf(chatText(message.content)) ?? chatText(message.refusal)
    const reasoning = reasoningOf(message)
    const callIds = callIdsOf(context)
    const calls = yield* Result.all((listOf(message.tool_calls) ?? []).map((call) => toolUseOf(call, callIds)))
    const bytes = utf8Length(text + reasoning) + utf8Length(calls.map(({ input }) => JSON.stringify(input)).join(""))
    const usage = chatUsage(objectOf(answer.usage)) ?? estimatedUsage(context, bytes)
    return {
      id: context.id,
      type: "message",
      role: "assistant",
      model: context.model,
      content: [
        ...(reasoning !== "" && allowsThinking(context) ? [thinkingBlock(reasoning)] : []),
        ...(text === "" ? [] : [{ type: "text", text }]),
        ...calls
      ],
      stop_reason: stopReasonOf(finishOf(textOf(choice?.finish_reason) ?? "") ?? "stop", calls.length > 0),
      stop_sequence: null,
      usage: asMessagesUsage(usage)
    }
  })

export const callIdsOf = ({ freshId, request }: AnswerContext): NewCallIds =>
  new NewCallIds(
    () => idsOfMessages(request),
    () => freshId("toolu")
  )

/** Without a signature: it is removed from requests before an upstream reads them. */
const thinkingBlock = (thinking: string): Json => ({ type: "thinking", thinking, signature: "" })

const toolUseOf = (value: unknown, callIds: NewCallIds) => {
  const call = objectOf(value)
  const called = objectOf(call?.function)
  const name = filledTextOf(called?.name)
  const input = parseObject(argumentsText(called?.arguments) ?? "null")
  return name === null || input === null
    ? unreadable("a tool call has no name, or arguments that are no JSON object")
    : Result.succeed({ type: "tool_use", id: callIds.of(filledTextOf(call?.id)), name, input })
}
