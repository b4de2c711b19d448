/** Figures of usage in the forms of the public APIs. Source: docs/reference/language-models.md#tokens. Pure. */
import { isObject } from "../../../platform/kernel/index.ts"
import { listOf, objectOf } from "../JsonFields.ts"
import type { AnswerContext, Json } from "../translate/Translation.ts"

export interface LlmUsage {
  /** Without tokens that were read from a cache or written to one. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** The part of `cacheWrite` that the cache keeps for an hour. */
  readonly cacheWriteHour: number
  /** With reasoning. */
  readonly output: number
  /** The part of the output that was reasoning; null where it is not reported. */
  readonly reasoning: number | null
}

const maxFigure = 1_000_000_000

/** A number of tokens; null where it is missing or cannot be. */
const figureOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxFigure ? value : null

const detailOf = (details: unknown, name: string): number | null => figureOf(objectOf(details)?.[name])

/** The figures of a usage in which the prompt has all of the input. */
interface Reported {
  readonly prompt: unknown
  readonly cached: ReadonlyArray<unknown>
  readonly written: unknown
  readonly output: unknown
  readonly total: unknown
  readonly reasoning: unknown
}

/** Null where the figures are missing. More cached tokens than there are count as all. */
const withinPrompt = (reported: Reported): LlmUsage | null => {
  const [prompt, output] = [figureOf(reported.prompt), figureOf(reported.output)]
  if (prompt === null || output === null) return null
  const cached = reported.cached.map(figureOf).find((figure) => figure !== null) ?? null
  const cacheRead = Math.min(cached ?? 0, prompt)
  const cacheWrite = Math.min(figureOf(reported.written) ?? 0, prompt - cacheRead)
  const reasoning = figureOf(reported.reasoning)
  // Gemini's and Grok's servers count reasoning in the total alone. What else a total has beside a cache is not known.
  const beside = (figureOf(reported.total) ?? 0) - prompt - output
  const isReasoning = beside > 0 && (reasoning === null ? cached === null : reasoning === beside)
  return {
    input: prompt - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    cacheWriteHour: 0,
    output: isReasoning ? output + beside : output,
    reasoning: isReasoning ? beside : reasoning
  }
}

/**
 * `usage` of the chat API; null where its figures are missing. Cached tokens are where OpenAI reports them, else where
 * Moonshot's and DeepSeek's servers do.
 */
export const chatUsage = (usage: Json | null): LlmUsage | null => {
  const details = objectOf(usage?.prompt_tokens_details)
  return withinPrompt({
    prompt: usage?.prompt_tokens,
    cached: [details?.cached_tokens, usage?.cached_tokens, usage?.prompt_cache_hit_tokens],
    written: details?.cache_write_tokens,
    output: usage?.completion_tokens,
    total: usage?.total_tokens,
    reasoning: objectOf(usage?.completion_tokens_details)?.reasoning_tokens
  })
}

/** The usage of a chunk: its own, else that of its last choice (Moonshot), else Groq's; null where it has none. */
export const chunkUsage = ({ choices, usage, x_groq }: Json): Json | null =>
  objectOf(usage) ?? usageIn(listOf(choices)?.at(-1)) ?? usageIn(x_groq)

const usageIn = (value: unknown): Json | null => (isObject(value) ? objectOf(value.usage) : null)

/** `usage` of the Responses API; null where its figures are missing. */
export const responsesUsage = (usage: Json | null): LlmUsage | null => {
  const details = objectOf(usage?.input_tokens_details)
  return withinPrompt({
    prompt: usage?.input_tokens,
    cached: [details?.cached_tokens],
    written: details?.cache_write_tokens,
    output: usage?.output_tokens,
    total: usage?.total_tokens,
    reasoning: objectOf(usage?.output_tokens_details)?.reasoning_tokens
  })
}

/** `usage` of the messages API; null where its figures are missing. */
export const messagesUsage = (usage: Json | null): LlmUsage | null => {
  const input = figureOf(usage?.input_tokens)
  const output = figureOf(usage?.output_tokens)
  if (input === null || output === null) return null
  const cacheWrite = figureOf(usage?.cache_creation_input_tokens) ?? 0
  return {
    input,
    cacheRead: figureOf(usage?.cache_read_input_tokens) ?? 0,
    cacheWrite,
    cacheWriteHour: Math.min(detailOf(usage?.cache_creation, "ephemeral_1h_input_tokens") ?? 0, cacheWrite),
    output,
    reasoning: detailOf(usage?.output_tokens_details, "thinking_tokens")
  }
}

const messagesFigures = [
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "output_tokens"
] as const

/** The usage of a stream of the messages API: a figure of `later` replaces that of `earlier`, where it is one. */
export const laterMessagesUsage = (earlier: Json | null, later: Json | null): Json => ({
  ...Object.fromEntries(
    messagesFigures.map((name) => [name, figureOf(later?.[name]) ?? figureOf(earlier?.[name]) ?? null])
  ),
  cache_creation: later?.cache_creation ?? earlier?.cache_creation ?? null,
  output_tokens_details: later?.output_tokens_details ?? earlier?.output_tokens_details ?? null
})

/** For an upstream that reports no usage: a token for every four bytes of the output. */
export const estimatedUsage = ({ inputEstimate }: AnswerContext, outputBytes: number): LlmUsage => ({
  input: inputEstimate,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  output: Math.ceil(outputBytes / 4),
  reasoning: null
})

/** As the chat API writes it. */
export const asChatUsage = ({ cacheRead, cacheWrite, input, output, reasoning }: LlmUsage): Json => {
  const prompt = input + cacheRead + cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    ...(reasoning === null ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } })
  }
}

/** As the messages API writes it. */
export const asMessagesUsage = ({ cacheRead, cacheWrite, input, output }: LlmUsage): Json => ({
  input_tokens: input,
  cache_creation_input_tokens: cacheWrite,
  cache_read_input_tokens: cacheRead,
  output_tokens: output
})

/** As the Responses API writes it. */
export const asResponsesUsage = ({ cacheRead, cacheWrite, input, output, reasoning }: LlmUsage): Json => {
  const all = input + cacheRead + cacheWrite
  return {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: all + output
  }
}
