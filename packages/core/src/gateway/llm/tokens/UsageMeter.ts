/**
 * What a model used, from its answer or its events: the upstream's own figures, else the estimate, which the answer then shows too.
 * Pure. Source: docs/reference/language-models.md#tokens.
 */
import { isObject } from "../../../platform/kernel/index.ts"
import { listOf } from "../JsonFields.ts"
import type { Json, LlmApi, LlmEvent } from "../translate/Translation.ts"
import {
  asChatUsage,
  asMessagesUsage,
  asResponsesUsage,
  chatUsage,
  chunkUsage,
  type LlmUsage,
  laterMessagesUsage,
  messagesUsage,
  responsesUsage
} from "./LlmUsage.ts"
import { answerBytes, eventBytes } from "./OutputBytes.ts"
import { estimatedOutput } from "./TokenCount.ts"

/** What stands for figures that an upstream does not report. */
export interface UsageEstimate {
  readonly inputTokens: number
  readonly maxOutputTokens: number
}

interface UsageForm {
  readonly read: (usage: Json | null) => LlmUsage | null
  readonly write: (usage: LlmUsage) => Json
  /** The names of the figures without which nothing can be billed. */
  readonly input: string
  readonly output: string
}

const forms: Readonly<Record<LlmApi, UsageForm>> = {
  chat_completions: { read: chatUsage, write: asChatUsage, input: "prompt_tokens", output: "completion_tokens" },
  messages: { read: messagesUsage, write: asMessagesUsage, input: "input_tokens", output: "output_tokens" },
  responses: { read: responsesUsage, write: asResponsesUsage, input: "input_tokens", output: "output_tokens" }
}

const objectOrNull = (value: unknown): Json | null => (isObject(value) ? value : null)

/** The usage that an upstream reports; of a figure that is missing or cannot be, the estimate. */
const usageOf = (api: LlmApi, usage: Json | null, estimate: LlmUsage): LlmUsage => {
  const { input, output, read } = forms[api]
  const reported = read(usage)
  if (reported !== null) return reported
  const withInput = read({ ...usage, [output]: 0 })
  if (withInput !== null) return { ...withInput, output: estimate.output, reasoning: null }
  const withOutput = read({ [input]: 0, [output]: usage?.[output] })
  return withOutput === null ? estimate : { ...estimate, output: withOutput.output }
}

/** A whole answer with its usage, and the usage. */
export const meterAnswer = (
  api: LlmApi,
  answer: Json,
  estimate: UsageEstimate
): { readonly answer: Json; readonly usage: LlmUsage } => {
  const { read, write } = forms[api]
  const reported = objectOrNull(answer.usage)
  const usage = usageOf(api, reported, estimated(estimate, answerBytes(api, answer)))
  return { answer: read(reported) === null ? { ...answer, usage: write(usage) } : answer, usage }
}

const estimated = ({ inputTokens, maxOutputTokens }: UsageEstimate, outputBytes: number): LlmUsage => ({
  input: inputTokens,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
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
  readonly #endedChoices = new Set<unknown>()
  readonly #answers: number
  #hasEnded = false

  /** `answers`: the number of choices that were asked for. */
  constructor(api: LlmApi, estimate: UsageEstimate, answers: number) {
    this.#api = api
    this.#estimate = estimate
    this.#answers = answers
  }

  /** The billed usage of a whole stream. */
  get usage(): LlmUsage {
    return usageOf(this.#api, this.#reported, estimated(this.#estimate, this.#outputBytes))
  }

  /** The billed usage of a client that disconnects early: its output so far. */
  get usageSoFar(): LlmUsage {
    const reported = { ...this.#reported, [forms[this.#api].output]: null }
    return usageOf(this.#api, reported, estimated(this.#estimate, this.#outputBytes))
  }

  /** Whether the answer is complete, whatever the upstream does now. */
  get isWhole(): boolean {
    return this.#api === "chat_completions"
      ? this.#openChoices.size === 0 && this.#endedChoices.size >= this.#answers
      : this.#hasEnded
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
    const { choices: _, ...shape } = this.#lastChunk
    return [{ event: null, data: { ...shape, choices: [], usage } }]
  }

  #pushChunk({ data, event }: LlmEvent): ReadonlyArray<LlmEvent> {
    this.#reported = chunkUsage(data) ?? this.#reported
    const choices = listOf(data.choices) ?? []
    for (const choice of choices) if (isObject(choice)) this.#trackChoice(choice)
    if (isObject(data.usage) && choices.length === 0) return []
    const rest = withoutUsage(data)
    this.#lastChunk = rest
    const hasInner = choices.some((choice) => isObject(choice) && choice.usage !== undefined)
    return [{ event, data: hasInner ? { ...rest, choices: choices.map(withoutInnerUsage) } : rest }]
  }

  #trackChoice({ finish_reason, index }: Json): void {
    if (typeof finish_reason === "string") {
      this.#openChoices.delete(index)
      this.#endedChoices.add(index)
    } else if (!this.#endedChoices.has(index)) this.#openChoices.add(index)
  }

  #pushMessageEvent({ data, event }: LlmEvent): LlmEvent {
    if (data.type === "message_start" && isObject(data.message)) {
      this.#reported = laterMessagesUsage(this.#reported, objectOrNull(data.message.usage))
    }
    if (data.type !== "message_delta") return { data, event }
    this.#reported = laterMessagesUsage(this.#reported, objectOrNull(data.usage))
    this.#hasEnded ||= isObject(data.delta) && typeof data.delta.stop_reason === "string"
    if (messagesUsage(this.#reported) !== null) return { data, event }
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

/** Most chunks have none, and are not copied. */
const withoutUsage = (fields: Json): Json => {
  if (!("usage" in fields)) return fields
  const { usage: _, ...rest } = fields
  return rest
}

const withoutInnerUsage = (choice: unknown): unknown => (isObject(choice) ? withoutUsage(choice) : choice)
