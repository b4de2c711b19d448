/** The maximum number of tokens of a chat, and the number that is billed. Pure. Source: docs/reference/upstreams.md#tokens. */
import type { Prices } from "../../platform/billing/index.ts"
import type { ChatAnswer, ChatWork } from "../upstreams/ChatWork.ts"

/** As an upstream counts them: input includes what was cached. */
export type Tokens = NonNullable<ChatAnswer["tokens"]>

/** What a model's own template adds around a prompt and around its tools. */
const aroundPrompt = 1024
const aroundMessage = 16

/** No listed model counts a picture as more, whatever its size. */
const maxImageTokens = 10_000

const utf8 = new TextEncoder()

/** No tokenizer makes two tokens of one byte of UTF-8. */
const maxTextTokens = (text: string): number => utf8.encode(text).length

/** An upper bound of what an upstream can count. */
export const maxTokens = ({ maxOutputTokens, messages, tools }: Omit<ChatWork, "model" | "requestedModel">): Tokens => {
  const texts = messages.map((message) => {
    const images = message.role === "user" ? message.images.length * maxImageTokens : 0
    const calls = message.role === "assistant" ? maxCallTokens(message.toolCalls) : 0
    return aroundMessage + maxTextTokens(message.text) + images + calls
  })
  const input = sum(texts) + (tools.length === 0 ? 0 : maxTextTokens(JSON.stringify(tools))) + aroundPrompt
  return { input, cachedInput: 0, output: maxOutputTokens }
}

/**
 * Billed tokens: the upstream's figures, where it returns plausible ones; else the upper bound of the input and of the visible
 * output.
 */
export const billedTokens = ({ text, tokens, toolCalls }: ChatAnswer, bound: Tokens): Tokens =>
  tokens !== null && isCount(tokens.input) && isCount(tokens.output)
    ? { ...tokens, cachedInput: isCount(tokens.cachedInput) ? Math.min(tokens.cachedInput, tokens.input) : 0 }
    : { ...bound, output: Math.min(bound.output, maxTextTokens(text) + maxCallTokens(toolCalls)) }

export const amountOf = ({ cachedInput, input, output }: Tokens): Prices.Amount & { readonly unit: "tokens" } => ({
  unit: "tokens",
  inputTokens: input - cachedInput,
  outputTokens: output,
  cacheReadTokens: cachedInput,
  cacheCreationTokens: 0
})

/** A thousand million tokens are more than any model takes, and fit into every database's integer. */
const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 1_000_000_000

const maxCallTokens = (calls: ChatAnswer["toolCalls"]): number =>
  sum(
    calls.map(
      ({ arguments: written, id, name }) =>
        aroundMessage + maxTextTokens(id) + maxTextTokens(name) + maxTextTokens(written)
    )
  )

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((total, one) => total + one, 0)
