/** The translations of an API into itself: ids and model are ours, everything else is as it was sent. Pure. Source: docs/gateway.md#language-models. */
import * as Result from "effect/Result"
import { isObject } from "../kernel/index.ts"
import { listOf } from "./JsonFields.ts"
import {
  type AnswerContext,
  type EventTranslator,
  type Json,
  type LlmApi,
  type LlmEvent,
  type Translation,
  Unreadable
} from "./Translation.ts"

const broken = Result.fail(new Unreadable({ detail: "the stream ended before its answer was complete" }))
const nothing = Result.succeed<ReadonlyArray<LlmEvent>>([])

/** Fields that are about what is stored at the upstream, where nothing is. */
const withoutStore = ({ metadata: _, store: __, ...request }: Json): Json => request

const chat: Translation = {
  request: (request, { upstreamModel }) =>
    Result.succeed({
      ...withoutStore(request),
      model: upstreamModel,
      ...(request.stream === true
        ? { stream_options: { ...(isObject(request.stream_options) ? request.stream_options : {}), include_usage: true } }
        : {})
    }),
  answer: (answer, { id, model }) =>
    (listOf(answer.choices) ?? []).some((choice) => isObject(choice) && isObject(choice.message))
      ? Result.succeed({ ...answer, id, model })
      : Result.fail(new Unreadable({ detail: "answered without a choice" })),
  events: (context) => new ChatEvents(context)
}

/** Of chunks: whole when every choice that was seen has its `finish_reason`. */
class ChatEvents implements EventTranslator {
  readonly #id: string
  readonly #model: string
  readonly #showsUsage: boolean
  readonly #open = new Set<unknown>()
  #hasEnded = false

  constructor({ id, model, request }: AnswerContext) {
    this.#id = id
    this.#model = model
    this.#showsUsage = isObject(request.stream_options) && request.stream_options.include_usage === true
  }

  push({ data, event }: LlmEvent) {
    const choices = listOf(data.choices) ?? []
    if (choices.length === 0 && isObject(data.usage) && !this.#showsUsage) return nothing
    for (const choice of choices) if (isObject(choice)) this.#track(choice)
    return Result.succeed([{ event, data: { ...data, id: this.#id, model: this.#model } }])
  }

  end() {
    return this.#hasEnded && this.#open.size === 0 ? nothing : broken
  }

  #track({ finish_reason, index }: Json): void {
    if (typeof finish_reason === "string") {
      this.#open.delete(index)
      this.#hasEnded = true
    } else this.#open.add(index)
  }
}

const messages: Translation = {
  request: (request, { upstreamModel }) => Result.succeed({ ...withoutOurThinking(request), model: upstreamModel }),
  answer: (answer, { id, model }) =>
    Array.isArray(answer.content)
      ? Result.succeed({ ...answer, id, model })
      : Result.fail(new Unreadable({ detail: "answered without content" })),
  events: (context) => new MessageEvents(context)
}

/** Thinking with an empty signature is of a translation of ours: the upstream would refuse it. */
const withoutOurThinking = (request: Json): Json => ({
  ...request,
  messages: (listOf(request.messages) ?? []).map((message) =>
    isObject(message) && Array.isArray(message.content)
      ? { ...message, content: message.content.filter((block: unknown) => !isOurThinking(block)) }
      : message
  )
})

const isOurThinking = (block: unknown): boolean =>
  isObject(block) && block.type === "thinking" && (block.signature === "" || block.signature === undefined)

/** Whole when a `message_delta` had a `stop_reason`; a `message_stop` that is missing then is added. */
class MessageEvents implements EventTranslator {
  readonly #id: string
  readonly #model: string
  #hasStopReason = false
  #hasStopped = false

  constructor({ id, model }: AnswerContext) {
    this.#id = id
    this.#model = model
  }

  push({ data, event }: LlmEvent) {
    if (data.type === "message_stop") this.#hasStopped = true
    if (data.type === "message_delta" && isObject(data.delta)) this.#hasStopReason ||= typeof data.delta.stop_reason === "string"
    const { message } = data
    const isStart = data.type === "message_start" && isObject(message)
    return Result.succeed([
      { event, data: isStart ? { ...data, message: { ...message, id: this.#id, model: this.#model } } : data }
    ])
  }

  end() {
    if (this.#hasStopped) return nothing
    return this.#hasStopReason
      ? Result.succeed([{ event: "message_stop", data: { type: "message_stop" } }])
      : broken
  }
}

const responses: Translation = {
  request: (request, { upstreamModel }) => Result.succeed({ ...withoutStore(request), model: upstreamModel, store: false }),
  answer: (answer, context) =>
    Array.isArray(answer.output)
      ? Result.succeed(responseOf(answer, context))
      : Result.fail(new Unreadable({ detail: "answered without output" })),
  events: (context) => new ResponseEvents(context)
}

/** The response as the caller has asked for it. */
const responseOf = (response: Json, { id, model, request }: AnswerContext): Json => ({
  ...response,
  id,
  model,
  store: request.store !== false,
  metadata: request.metadata ?? {},
  previous_response_id: request.previous_response_id ?? null
})

/** Whole when its last event came, which has the whole response. */
class ResponseEvents implements EventTranslator {
  readonly #context: AnswerContext
  #isWhole = false

  constructor(context: AnswerContext) {
    this.#context = context
  }

  push({ data, event }: LlmEvent) {
    this.#isWhole ||= data.type === "response.completed" || data.type === "response.incomplete"
    const { response } = data
    return Result.succeed([
      { event, data: isObject(response) ? { ...data, response: responseOf(response, this.#context) } : data }
    ])
  }

  end() {
    return this.#isWhole ? nothing : broken
  }
}

export const passThrough: Readonly<Record<LlmApi, Translation>> = { chat_completions: chat, messages, responses }
