/** How many tokens a chat can come to at most, and how many are billed. Pure. Source: docs/upstreams.md#tokens. */
import type { Prices } from "../billing/index.ts"
import type { ChatAnswer, ChatWork } from "./Upstream.ts"

/** As an upstream counts them: input includes what was cached. */
export type Tokens = NonNullable<ChatAnswer["tokens"]>

/** What a model's own template adds around a prompt and around its tools. */
const aroundPrompt = 1024
const aroundMessage = 16

/** No listed model makes more of a picture, whatever its size. */
const mostOfImage = 10_000

const utf8 = new TextEncoder()

/** No tokenizer makes two tokens of one byte of UTF-8. */
const mostOf = (text: string): number => utf8.encode(text).length

/** The most that a request can be counted as. */
export const atMost = ({ maxOutputTokens, messages, tools }: Omit<ChatWork, "model" | "asked">): Tokens => {
  const texts = messages.map((message) => {
    const images = message.role === "user" ? message.images.length * mostOfImage : 0
    const calls = message.role === "assistant" ? mostOfCalls(message.toolCalls) : 0
    return aroundMessage + mostOf(message.text) + images + calls
  })
  const input = sum(texts) + (tools.length === 0 ? 0 : mostOf(JSON.stringify(tools))) + aroundPrompt
  return { input, cachedInput: 0, output: maxOutputTokens }
}

/**
 * What is billed: the upstream's figures, where it tells any that can be; else the bound of the input, and of the output what
 * can be seen of it.
 */
export const counted = ({ text, tokens, toolCalls }: ChatAnswer, bound: Tokens): Tokens =>
  tokens !== null && isCount(tokens.input) && isCount(tokens.output)
    ? { ...tokens, cachedInput: isCount(tokens.cachedInput) ? Math.min(tokens.cachedInput, tokens.input) : 0 }
    : { ...bound, output: Math.min(bound.output, mostOf(text) + mostOfCalls(toolCalls)) }

export const amountOf = ({ cachedInput, input, output }: Tokens): Prices.Amount & { readonly unit: "tokens" } => ({
  unit: "tokens",
  inputTokens: input - cachedInput,
  outputTokens: output,
  cacheReadTokens: cachedInput,
  cacheCreationTokens: 0
})

/** A thousand million tokens are more than any model takes, and fit into every database's integer. */
const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 1_000_000_000

const mostOfCalls = (calls: ChatAnswer["toolCalls"]): number =>
  sum(calls.map(({ arguments: written, id, name }) => aroundMessage + mostOf(id) + mostOf(name) + mostOf(written)))

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((total, one) => total + one, 0)
