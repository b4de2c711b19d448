/** A line of a batch: where it stands in the input, and its line in the results. Pure. Source: docs/reference/batches.md#results. */

import { Instant, isObject } from "../../platform/kernel/index.ts"
import { errorBodyOf, type InferenceRefused, inferenceCodes } from "../errors/InferenceErrors.ts"
import type * as Ids from "../GatewayIds.ts"
import { chatUsage, responsesUsage } from "../llm/index.ts"

export type LineOutcome = "failed" | "succeeded"

export interface BatchLine {
  readonly batchId: Ids.BatchId
  /** From 1, blank lines included. */
  readonly n: number
  /** As JSON: it may have characters that a column cannot store. */
  readonly customId: string
  readonly fromByte: number
  readonly byteLength: number
  /** Null while it has no result. */
  readonly outcome: LineOutcome | null
  /** The line of the results; null while there is none. */
  readonly result: string | null
}

/** What a line has used. */
export interface LineUsage {
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

const part = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

/** The tokens that an answer says it used, as they are billed, in the words of any of the endpoints. One of embeddings has no output. */
export const usageOf = (body: string): LineUsage => {
  const usage = part(part(JSON.parse(body)).usage)
  const read = "input_tokens" in usage ? responsesUsage(usage) : chatUsage({ completion_tokens: 0, ...usage })
  return {
    inputTokens: read === null ? 0 : read.input + read.cacheRead + read.cacheWrite,
    cachedTokens: read?.cacheRead ?? 0,
    outputTokens: read?.output ?? 0,
    reasoningTokens: read?.reasoning ?? 0
  }
}

export interface LineAnswer {
  readonly customId: string
  /** Of the result. */
  readonly id: string
  readonly requestId: string
}

const requestPrefix = "batch_req_"

/** The line of the results for an answer, whose body is JSON already. */
export const answeredLine = ({ customId, id, requestId }: LineAnswer, status: number, body: string): string =>
  `{"id":"${requestPrefix}${id}","custom_id":${customId},"response":{"status_code":${status},` +
  `"request_id":${JSON.stringify(requestId)},"body":${body}},"error":null}`

export const refusedLine = (line: LineAnswer, refused: InferenceRefused): string =>
  answeredLine(line, refused.status, JSON.stringify(errorBodyOf(refused, line.requestId)))

const unrunMessages = {
  batch_cancelled: "The batch was cancelled before this request ran.",
  batch_expired: "The batch expired before this request ran."
}

/** The line of the results for a request that never ran. */
export const unrunLine = ({ customId, id }: Omit<LineAnswer, "requestId">, code: keyof typeof unrunMessages): string =>
  `{"id":"${requestPrefix}${id}","custom_id":${customId},"response":null,` +
  `"error":${JSON.stringify({ code, message: unrunMessages[code] })}}`

export const maxAttempts = 3

/** Milliseconds until a line is tried again; null where the failure is final. */
export const retryAfterMs = (refused: InferenceRefused, attempts: number): number | null => {
  if (attempts >= maxAttempts || refused.isPermanent) return null
  if (refused.code === "rate_limit_exceeded") return (refused.retryAfterSeconds ?? 1) * Instant.second
  return inferenceCodes[refused.code].retry === "now" ? 2 ** (attempts - 1) * Instant.second : null
}
