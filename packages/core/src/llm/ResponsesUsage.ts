/** Token counts of answers, as the chat API and the Responses API write them. Pure. */
import { isObject } from "../kernel/index.ts"
import type { LlmUsage } from "./LlmUsage.ts"
import { objectOf } from "./ResponsesJson.ts"
import type { Json } from "./Translation.ts"

/** Tokens by price. `output` includes `reasoning`; `input` has neither what was read from a cache nor what was written to one. */
export interface ResponsesTokens {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
}

const maxCount = 1_000_000_000

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxCount

/** A share cannot be larger than the whole. A missing or impossible share is none. */
const share = (value: unknown, whole: number): number => (isCount(value) ? Math.min(value, whole) : 0)

const tokensOf = (input: unknown, inputDetails: unknown, output: unknown, outputDetails: unknown) => {
  if (!isCount(input) || !isCount(output)) return null
  const { cache_write_tokens, cached_tokens } = objectOf(inputDetails)
  const cacheRead = share(cached_tokens, input)
  const cacheWrite = share(cache_write_tokens, input - cacheRead)
  const reasoning = share(objectOf(outputDetails).reasoning_tokens, output)
  return { input: input - cacheRead - cacheWrite, cacheRead, cacheWrite, output, reasoning }
}

/** What the usage of a response says; null where it is missing or its figures cannot be. */
export const responsesUsage = (usage: unknown): ResponsesTokens | null => {
  const { input_tokens, input_tokens_details, output_tokens, output_tokens_details } = objectOf(usage)
  return tokensOf(input_tokens, input_tokens_details, output_tokens, output_tokens_details)
}

/** As the Responses API writes it. */
export const asResponsesUsage = (usage: LlmUsage): Json => {
  const { cacheRead, cacheWrite, output, reasoning } = usage
  const input = usage.input + cacheRead + cacheWrite
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: input + output
  }
}

/** The usage of a chat's answer as a response has it; null where it is missing or its figures cannot be. */
export const usageFromChat = (usage: unknown): Json | null => {
  if (!isObject(usage)) return null
  const { completion_tokens, completion_tokens_details, prompt_tokens, prompt_tokens_details, total_tokens } = usage
  const tokens = tokensOf(prompt_tokens, prompt_tokens_details, completion_tokens, completion_tokens_details)
  if (tokens === null) return null
  const input = tokens.input + tokens.cacheRead + tokens.cacheWrite
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: tokens.cacheRead, cache_write_tokens: tokens.cacheWrite },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: tokens.reasoning },
    total_tokens: isCount(total_tokens) ? total_tokens : input + tokens.output
  }
}
