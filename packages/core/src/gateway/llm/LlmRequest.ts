/** A request of a language model's route, as far as the gateway reads it. Pure. Source: docs/reference/language-models.md. */
import type * as Effect from "effect/Effect"
import { jsonFingerprint, withoutNullFields } from "../routes/JsonRequest.ts"
import { type PromptSize, promptSize } from "./tokens/PromptSize.ts"
import type { Json, LlmApi } from "./translate/Translation.ts"

export interface LlmRequest {
  readonly api: LlmApi
  /** Without fields that are null. */
  readonly body: Json
  /** Bytes of the body as it was received. */
  readonly bytes: number
  /** Headers that belong to the API: `anthropic-version` and `anthropic-beta`. */
  readonly headers: Readonly<Record<string, string>>
  readonly isStreamed: boolean
  /** Answers that were asked for. */
  readonly answers: number
  /** The field and the number; null where the caller names no limit. */
  readonly outputLimit: { readonly field: string; readonly tokens: number } | null
  readonly size: PromptSize
}

const apiHeaders = ["anthropic-version", "anthropic-beta"] as const

const ofTheApi = (headers: Readonly<Record<string, string | undefined>>): LlmRequest["headers"] =>
  Object.fromEntries(apiHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))

/** Reads a body whose fields have been checked by the contract. `headers`: all that the request has. */
export const readLlmRequest = (given: {
  readonly api: LlmApi
  readonly body: Json
  readonly bytes: number
  readonly headers: Readonly<Record<string, string | undefined>>
}): LlmRequest => {
  const body = withoutNullFields(given.body)
  return {
    ...given,
    headers: ofTheApi(given.headers),
    body,
    isStreamed: body.stream === true,
    answers: given.api === "chat_completions" && typeof body.n === "number" ? body.n : 1,
    outputLimit: outputLimitOf(body),
    size: promptSize(given.api, body)
  }
}

const limitFields = ["max_completion_tokens", "max_tokens", "max_output_tokens"] as const

/** The greatest of the limits. */
const outputLimitOf = (body: Json): LlmRequest["outputLimit"] =>
  limitFields.reduce<LlmRequest["outputLimit"]>((greatest, field) => {
    const tokens = body[field]
    return typeof tokens === "number" && tokens > (greatest?.tokens ?? 0) ? { field, tokens } : greatest
  }, null)

/** Bytes of a request, with the conversation that it continues. */
export const sizeOf = ({ bytes, size }: LlmRequest): number => Math.max(bytes, size.textBytes + size.documentBytes)

/** Of route and JSON, however it was written. */
export const llmFingerprint = (request: LlmRequest, route: string = request.api): Effect.Effect<string> =>
  jsonFingerprint(route, request)
