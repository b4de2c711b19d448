/** The translations of an API into itself: ids and model are ours, everything else is as it was sent. Pure. Source: docs/reference/language-models.md. */
import * as Result from "effect/Result"
import { isObject } from "../../../platform/kernel/index.ts"
import { listOf } from "../JsonFields.ts"
import { CallIds } from "../messages/CallIds.ts"
import { ownItems } from "../responses/ResponsesItems.ts"
import { withoutBlanks } from "./chat-to-messages/ChatParts.ts"
import { isOurThinking } from "./messages-to-chat/MessagesBlocks.ts"
import {
  type AnswerContext,
  type EventTranslator,
  type Json,
  type LlmApi,
  type LlmEvent,
  type Translation,
  Unreadable
} from "./Translation.ts"

const nothing = Result.succeed<ReadonlyArray<LlmEvent>>([])

/** Without the fields about storage: the upstream stores nothing. */
const withoutStore = ({ metadata: _, previous_response_id: __, store: ___, ...request }: Json): Json => request

const chat: Translation = {
  request: (request, { upstreamModel }) =>
    Result.succeed({
      ...withoutStore(request),
      model: upstreamModel,
      ...(request.stream === true
        ? {
            stream_options: { ...(isObject(request.stream_options) ? request.stream_options : {}), include_usage: true }
          }
        : {})
    }),
  answer: (answer, { id, model }) =>
    (listOf(answer.choices) ?? []).some((choice) => isObject(choice) && isObject(choice.message))
      ? Result.succeed({ ...answer, id, model })
      : Result.fail(new Unreadable({ detail: "answered without a choice" })),
  events: (context) => new ChatEvents(context)
}

class ChatEvents implements EventTranslator {
  readonly #id: string
  readonly #model: string
  readonly #showsUsage: boolean

  constructor({ id, model, request }: AnswerContext) {
    this.#id = id
    this.#model = model
    this.#showsUsage = isObject(request.stream_options) && request.stream_options.include_usage === true
  }

  push({ data, event }: LlmEvent) {
    const isUsage = isObject(data.usage) && (listOf(data.choices) ?? []).length === 0
    if (isUsage && !this.#showsUsage) return nothing
    return Result.succeed([{ event, data: { ...data, id: this.#id, model: this.#model } }])
  }

  end() {
    return nothing
  }
}

const messages: Translation = {
  request: (request, { upstreamModel }) =>
    Result.succeed({ ...request, messages: acceptedMessages(listOf(request.messages) ?? []), model: upstreamModel }),
  answer: (answer, { id, model }) =>
    Array.isArray(answer.content)
      ? Result.succeed({ ...answer, id, model })
      : Result.fail(new Unreadable({ detail: "answered without content" })),
  events: (context) => new MessageEvents(context)
}

/**
 * Messages without what the messages API refuses of answers that came from a chat: our thinking, turns of which nothing is left,
 * and ids that it does not take.
 */
const acceptedMessages = (messages: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const ids = new CallIds()
  return messages.flatMap((message) => {
    if (!isObject(message) || !Array.isArray(message.content)) return [message]
    const content = message.content
      .filter((block: unknown) => !(isObject(block) && isOurThinking(block)))
      .map((block: unknown) => (isObject(block) ? withAcceptedId(block, ids) : block))
    if (message.role !== "assistant") return [{ ...message, content }]
    const said = content.every(isObject) ? withoutBlanks(content) : content
    return said.length === 0 ? [] : [{ ...message, content: said }]
  })
}

const withAcceptedId = (block: Json, ids: CallIds): Json => {
  if (block.type === "tool_use" && typeof block.id === "string") return { ...block, id: ids.ofCall(block.id) }
  if (block.type !== "tool_result" || typeof block.tool_use_id !== "string") return block
  return { ...block, tool_use_id: ids.ofResult(block.tool_use_id) }
}

/** A `message_stop` that is missing is added. */
class MessageEvents implements EventTranslator {
  readonly #id: string
  readonly #model: string
  #hasStopped = false

  constructor({ id, model }: AnswerContext) {
    this.#id = id
    this.#model = model
  }

  push({ data, event }: LlmEvent) {
    this.#hasStopped ||= data.type === "message_stop"
    const { message } = data
    const isStart = data.type === "message_start" && isObject(message)
    return Result.succeed([
      { event, data: isStart ? { ...data, message: { ...message, id: this.#id, model: this.#model } } : data }
    ])
  }

  end() {
    return this.#hasStopped ? nothing : Result.succeed([{ event: "message_stop", data: { type: "message_stop" } }])
  }
}

const responses: Translation = {
  request: (request, { upstreamModel }) =>
    Result.succeed({ ...withoutStore(request), ...acceptedInput(request), model: upstreamModel, store: false }),
  answer: (answer, context) =>
    Array.isArray(answer.output)
      ? Result.succeed(responseOf(answer, context))
      : Result.fail(new Unreadable({ detail: "answered without output" })),
  events: (context) => new ResponseEvents(context)
}

const acceptedInput = ({ input }: Json): Json => (Array.isArray(input) ? { input: ownItems(input) } : {})

/** The response as the caller has asked for it. */
const responseOf = (response: Json, { id, model, request }: AnswerContext): Json => ({
  ...response,
  id,
  model,
  store: request.store !== false,
  metadata: request.metadata ?? {},
  previous_response_id: request.previous_response_id ?? null
})

class ResponseEvents implements EventTranslator {
  readonly #context: AnswerContext

  constructor(context: AnswerContext) {
    this.#context = context
  }

  push({ data, event }: LlmEvent) {
    const { response } = data
    return Result.succeed([
      { event, data: isObject(response) ? { ...data, response: responseOf(response, this.#context) } : data }
    ])
  }

  end() {
    return nothing
  }
}

export const passThrough: Readonly<Record<LlmApi, Translation>> = { chat_completions: chat, messages, responses }
