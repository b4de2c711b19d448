/** Figures of usage in the forms of the public APIs. Source: docs/gateway.md. Pure. */
import { objectOf } from "./JsonFields.ts"
import type { AnswerContext, Json } from "./Translation.ts"

export interface LlmUsage {
  /** Without tokens that were read from a cache or written to one. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
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

/** `usage` of the chat API; null where its figures are missing. More cached tokens than there are count as all. */
export const chatUsage = (usage: Json | null): LlmUsage | null => {
  const prompt = figureOf(usage?.prompt_tokens)
  const output = figureOf(usage?.completion_tokens)
  if (prompt === null || output === null) return null
  const cacheRead = Math.min(detailOf(usage?.prompt_tokens_details, "cached_tokens") ?? 0, prompt)
  const written = detailOf(usage?.prompt_tokens_details, "cache_write_tokens") ?? 0
  const cacheWrite = Math.min(written, prompt - cacheRead)
  const reasoning = detailOf(usage?.completion_tokens_details, "reasoning_tokens")
  return { input: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite, output, reasoning }
}

/** `usage` of the messages API; null where its figures are missing. */
export const messagesUsage = (usage: Json | null): LlmUsage | null => {
  const input = figureOf(usage?.input_tokens)
  const output = figureOf(usage?.output_tokens)
  if (input === null || output === null) return null
  return {
    input,
    cacheRead: figureOf(usage?.cache_read_input_tokens) ?? 0,
    cacheWrite: figureOf(usage?.cache_creation_input_tokens) ?? 0,
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
  output_tokens_details: later?.output_tokens_details ?? earlier?.output_tokens_details ?? null
})

/** For an upstream that reports no usage: a token for every four bytes of the output. */
export const estimatedUsage = ({ inputEstimate }: AnswerContext, outputBytes: number): LlmUsage => ({
  input: inputEstimate,
  cacheRead: 0,
  cacheWrite: 0,
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
