/** The tokens that a request can use at most, what it used, and the estimate where no upstream counts. Pure. Source: docs/reference/language-models.md#tokens. */
import type { Prices } from "../../../platform/billing/index.ts"
import type { LlmUsage } from "./LlmUsage.ts"
import type { PromptSize } from "./PromptSize.ts"

type TokenPrice = Extract<Prices.Price, { readonly unit: "tokens" }>
type TokenAmount = Extract<Prices.Amount, { readonly unit: "tokens" }>

/** What the model's own template adds, to a prompt and to each message. */
const templateTokens = 1024
const messageTokens = 16

/** No model of the catalogue counts a picture as more, whatever its size. */
const pictureTokens = 10_000

const estimatedMessageTokens = 4
const estimatedPictureTokens = 1000
const bytesOfToken = 4

/** The most that the input can be: no tokenizer makes two tokens of one byte. */
export const maxInputTokens = ({ documentBytes, messages, pictures, textBytes }: PromptSize): number =>
  textBytes + documentBytes + messages * messageTokens + pictures * pictureTokens + templateTokens

/** The most that a request can cost: input at the dearest of the prices that it can have. */
export const maxAmount = (price: TokenPrice, size: PromptSize, outputTokens: number): TokenAmount => {
  const tokens = maxInputTokens(size)
  const none = { inputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 }
  const ways: ReadonlyArray<readonly [price: bigint, input: Partial<TokenAmount>]> = [
    [price.input, { inputTokens: tokens }],
    [price.cacheWrite, { cacheCreationTokens: tokens }],
    [price.cachedInput, { cacheReadTokens: tokens }],
    [size.cachesForHour ? price.cacheWriteHour : 0n, { cacheCreationTokens: tokens, cacheCreationHourTokens: tokens }]
  ]
  const [, input] = ways.reduce((dearest, way) => (way[0] > dearest[0] ? way : dearest))
  return { unit: "tokens", ...none, ...input, outputTokens }
}

/** Tokens of an input that no upstream has counted. */
export const estimatedInput = (size: PromptSize): number =>
  Math.min(
    maxInputTokens(size),
    Math.ceil(size.textBytes / bytesOfToken) +
      size.messages * estimatedMessageTokens +
      size.pictures * estimatedPictureTokens
  )

/** Tokens of an output with this number of bytes of text, reasoning and tool arguments. */
export const estimatedOutput = (bytes: number, maxOutputTokens: number): number =>
  Math.min(maxOutputTokens, Math.ceil(bytes / bytesOfToken))

/** Tokens as they are billed. */
export const amountOf = ({ cacheRead, cacheWrite, cacheWriteHour, input, output }: LlmUsage): TokenAmount => ({
  unit: "tokens",
  inputTokens: input,
  outputTokens: output,
  cacheReadTokens: cacheRead,
  cacheCreationTokens: cacheWrite,
  cacheCreationHourTokens: cacheWriteHour
})
