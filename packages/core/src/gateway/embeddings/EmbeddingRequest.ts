/** A request for embeddings, as far as the gateway reads it. Pure. Source: docs/reference/embeddings.md#fields. */
import type { Prices } from "../../platform/billing/index.ts"
import { utf8Length } from "../../platform/kernel/index.ts"
import type * as Models from "../catalogue/Model.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { bytesRefusal, type JsonRequest } from "../routes/JsonRequest.ts"
import { otherCategoryRefusal } from "../run/InferenceRefusals.ts"
import type { Json } from "../upstreams/GenerateWork.ts"

export interface EmbeddingRequest extends JsonRequest {
  readonly model: string
  readonly inputs: number
  /** Null where the caller leaves the size of the vectors to the model. */
  readonly dimensions: number | null
  readonly format: EncodingFormat
  /** The most tokens that the input can be. */
  readonly maxTokens: number
  /** Tokens of the input where no upstream counts them. */
  readonly estimatedTokens: number
}

export const encodingFormats = ["float", "base64"] as const
export type EncodingFormat = (typeof encodingFormats)[number]

/** A text, a list of token numbers, or a list of either. */
type EmbeddingInput = string | ReadonlyArray<string> | ReadonlyArray<number> | ReadonlyArray<ReadonlyArray<number>>

const isToken = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

const isFilled = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isOne)

/** True of an input that is not empty, and in which nothing is. */
export const isEmbeddingInput = (value: unknown): value is EmbeddingInput => {
  const isText = (one: unknown) => typeof one === "string" && one !== ""
  return (
    isText(value) ||
    isFilled(value, isText) ||
    isFilled(value, isToken) ||
    isFilled(value, (one) => isFilled(one, isToken))
  )
}

interface EmbeddingBody extends Json {
  readonly model: string
  readonly input: EmbeddingInput
  readonly dimensions?: number | null
  readonly encoding_format?: EncodingFormat | null
}

/** Beside its texts and numbers: no model wraps an input in more. */
const tokensOfInput = 16

const bytesOfToken = 4

/** Reads a body whose fields the contract has checked. */
export const readEmbeddingRequest = (json: JsonRequest): EmbeddingRequest => {
  const { dimensions, encoding_format, input, model } = json.body as EmbeddingBody
  const each = Array.isArray(input) && typeof input[0] !== "number" ? input : [input]
  const sizes = each.map((one) => (typeof one === "string" ? utf8Length(one) : one.length))
  const size = sizes.reduce((sum, one) => sum + one, 0)
  return {
    ...json,
    model,
    inputs: each.length,
    dimensions: dimensions ?? null,
    format: encoding_format ?? "float",
    maxTokens: size + each.length * tokensOfInput,
    estimatedTokens: typeof each[0] === "string" ? Math.ceil(size / bytesOfToken) : size
  }
}

/** Texts at a time, of models that set no limit. */
const standardInputs = 128

/** The first reason not to run a request; null where there is none. */
export const embeddingRefusal = (request: EmbeddingRequest, model: Models.Model): InferenceRefused | null =>
  otherCategoryRefusal(model, "embedding") ??
  bytesRefusal(request, model) ??
  limitRefusal("input", request.inputs, model.limits.inputs ?? standardInputs, model) ??
  limitRefusal("dimensions", request.dimensions, model.limits.dimensions, model)

const limitRefusal = (
  param: "input" | "dimensions",
  asked: number | null,
  limit: number | null,
  { id }: Models.Model
): InferenceRefused | null =>
  asked === null || limit === null || asked <= limit
    ? null
    : refuse("invalid_request", {
        message: `${param} asks for ${asked} ${param === "input" ? "inputs" : "dimensions"}; the model ${id} has at most ${limit}.`,
        param
      })

export const tokens = (inputTokens: number): Prices.Amount => ({
  unit: "tokens",
  inputTokens,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0
})
