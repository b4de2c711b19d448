/**
 * What a model used, from its answer or its events: the upstream's own figures, else the estimate, which the answer then shows too.
 * Pure. Source: docs/language-models.md#tokens.
 */
import { isObject } from "../kernel/index.ts"
import { listOf } from "./JsonFields.ts"
import {
  asChatUsage,
  asMessagesUsage,
  chatUsage,
  type LlmUsage,
  laterMessagesUsage,
  messagesUsage
} from "./LlmUsage.ts"
import { answerBytes, eventBytes } from "./OutputBytes.ts"
import { asResponsesUsage, responsesUsage } from "./ResponsesUsage.ts"
import { estimatedOutput } from "./TokenCount.ts"
import type { Json, LlmApi, LlmEvent } from "./Translation.ts"

/** What stands for figures that an upstream does not report. */
export interface UsageEstimate {
  readonly inputTokens: number
  readonly maxOutputTokens: number
}

interface UsageForm {
  readonly read: (usage: Json | null) => LlmUsage | null
  readonly write: (usage: LlmUsage) => Json
}

const forms: Readonly<Record<LlmApi, UsageForm>> = {
  chat_completions: { read: chatUsage, write: asChatUsage },
  messages: { read: messagesUsage, write: asMessagesUsage },
  responses: { read: responsesUsage, write: asResponsesUsage }
}

const objectOrNull = (value: unknown): Json | null => (isObject(value) ? value : null)

/** A whole answer with its usage, and the usage. */
export const meterAnswer = (
  api: LlmApi,
  answer: Json,
  estimate: UsageEstimate
): { readonly answer: Json; readonly usage: LlmUsage } => {
  const { read, write } = forms[api]
  const reported = read(objectOrNull(answer.usage))
  if (reported !== null) return { answer, usage: reported }
  const usage = estimated(estimate, answerBytes(api, answer))
  return { answer: { ...answer, usage: write(usage) }, usage }
}

const estimated = ({ inputTokens, maxOutputTokens }: UsageEstimate, outputBytes: number): LlmUsage => ({
  input: inputTokens,
  cacheRead: 0,
  cacheWrite: 0,
  output: estimatedOutput(outputBytes, maxOutputTokens),
  reasoning: null
})

/**
 * Meters one stream. Its events are passed on with the usage at one place: a last chunk of the chat API, the `message_delta` of the
 * messages API, the last event of a response.
 */
export class UsageMeter {
  readonly #api: LlmApi
  readonly #estimate: UsageEstimate
  #outputBytes = 0
  #reported: Json | null = null
  #lastChunk: Json = {}
  readonly #openChoices = new Set<unknown>()
  #hasEnded = false

  constructor(api: LlmApi, estimate: UsageEstimate) {
    this.#api = api
    this.#estimate = estimate
  }

  /** What is billed once the stream is whole. */
  get usage(): LlmUsage {
    return forms[this.#api].read(this.#reported) ?? estimated(this.#estimate, this.#outputBytes)
  }

  /** What is billed where the client leaves in the middle: the output is what has come. */
  get usageSoFar(): LlmUsage {
    const { output } = estimated(this.#estimate, this.#outputBytes)
    const reported = forms[this.#api].read(
      this.#reported === null ? null : { output_tokens: 0, completion_tokens: 0, ...this.#reported }
    )
    return reported === null ? estimated(this.#estimate, this.#outputBytes) : { ...reported, output, reasoning: null }
  }

  /** Whether the answer is complete, whatever the upstream does now. */
  get isWhole(): boolean {
    return this.#hasEnded && this.#openChoices.size === 0
  }

  push(event: LlmEvent): ReadonlyArray<LlmEvent> {
    this.#outputBytes += eventBytes(this.#api, event.data)
    switch (this.#api) {
      case "chat_completions":
        return this.#pushChunk(event)
      case "messages":
        return [this.#pushMessageEvent(event)]
      case "responses":
        return [this.#pushResponseEvent(event)]
    }
  }

  /** The events after the upstream's last one. */
  end(): ReadonlyArray<LlmEvent> {
    if (this.#api !== "chat_completions") return []
    const usage = chatUsage(this.#reported) === null ? asChatUsage(this.usage) : this.#reported
    return [{ event: null, data: { ...this.#lastChunk, choices: [], usage } }]
  }

  #pushChunk({ data, event }: LlmEvent): ReadonlyArray<LlmEvent> {
    const { usage, ...rest } = data
    if (isObject(usage)) this.#reported = usage
    for (const choice of listOf(data.choices) ?? []) if (isObject(choice)) this.#trackChoice(choice)
    const isUsageAlone = isObject(usage) && (listOf(data.choices) ?? []).length === 0
    if (isUsageAlone) return []
    const { choices: _, ...shape } = rest
    this.#lastChunk = shape
    return [usage === undefined ? { data, event } : { event, data: rest }]
  }

  #trackChoice({ finish_reason, index }: Json): void {
    if (typeof finish_reason === "string") {
      this.#openChoices.delete(index)
      this.#hasEnded = true
    } else this.#openChoices.add(index)
  }

  #pushMessageEvent({ data, event }: LlmEvent): LlmEvent {
    if (data.type === "message_start" && isObject(data.message)) {
      this.#reported = laterMessagesUsage(this.#reported, objectOrNull(data.message.usage))
    }
    if (data.type !== "message_delta") return { data, event }
    this.#reported = laterMessagesUsage(this.#reported, objectOrNull(data.usage))
    this.#hasEnded ||= isObject(data.delta) && typeof data.delta.stop_reason === "string"
    return { event, data: { ...data, usage: { ...objectOrNull(data.usage), ...asMessagesUsage(this.usage) } } }
  }

  #pushResponseEvent({ data, event }: LlmEvent): LlmEvent {
    const { response } = data
    if (!isObject(response) || !(data.type === "response.completed" || data.type === "response.incomplete")) {
      return { data, event }
    }
    this.#hasEnded = true
    this.#reported = objectOrNull(response.usage)
    return responsesUsage(this.#reported) === null
      ? { event, data: { ...data, response: { ...response, usage: asResponsesUsage(this.usage) } } }
      : { data, event }
  }
}
