/** Requests to `/embeddings`, and their answers, whatever form the vectors have. Source: docs/reference/upstreams.md#embeddings. */
import { endianness } from "node:os"
import type { EmbedAnswer, EmbedWork, Run, Vector } from "@trunkline/core/provider"
import { tracedFn } from "@trunkline/core/provider"
import * as Schema from "effect/Schema"
import { type BoundedHttp, jsonBody } from "../http/index.ts"
import { Part, reading } from "../upstream/Lenient.ts"
import type { UpstreamSettings } from "../upstream/UpstreamOptions.ts"
import { makeWire } from "../upstream/UpstreamWire.ts"

export interface Embedding {
  readonly embed: Run<"embed">
  /** Maximum duration of it, in milliseconds. */
  readonly maxMs: number
}

export const makeEmbedding = (
  settings: UpstreamSettings,
  headers: Readonly<Record<string, string>>,
  http: BoundedHttp
): Embedding => {
  const wire = makeWire(settings, http)
  const embed = tracedFn("OpenAi.embed")(function* ({ body }: EmbedWork) {
    return yield* wire.ask({ path: "/embeddings", headers, body: jsonBody(body), namesParam: true }, embedAnswerOf)
  })
  return { embed, maxMs: wire.maxMs }
}

const readBody = reading(
  Schema.Struct({ data: Schema.Array(Schema.Struct({ index: Part, embedding: Schema.Unknown })), usage: Part })
)
const figure = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))
const readPrompt = reading(Schema.Struct({ prompt_tokens: figure }))
const readTotal = reading(Schema.Struct({ total_tokens: figure }))

/** There is no output, so the total is the input: Voyage's server reports it alone. Null for no figure. */
const inputTokensOf = (usage: unknown): number | null =>
  readPrompt(usage)?.prompt_tokens ?? readTotal(usage)?.total_tokens ?? null

/** The vectors in the order of their inputs; undefined where one cannot be read, or its place is not clear. */
export const embedAnswerOf = (json: unknown): EmbedAnswer | undefined => {
  const body = readBody(json)
  if (body === undefined) return undefined
  const written = new Map(body.data.map(({ embedding, index }, nth) => [index ?? nth, embedding]))
  const embeddings = body.data.map((_, at) => written.get(at))
  const vectors = embeddings.map(vectorOf)
  if (!vectors.every((vector) => vector !== undefined)) return undefined
  const answer = { vectors, inputTokens: inputTokensOf(body.usage) }
  return embeddings.every(isStandardBase64) ? { ...answer, base64: embeddings } : answer
}

const vectorOf = (embedding: unknown): Vector | undefined => {
  const vector = typeof embedding === "string" ? floatsOf(embedding) : embedding
  return isList(vector) && vector.length > 0 && areFinite(vector) ? vector : undefined
}

const isList = (value: unknown): value is ReadonlyArray<number> | Float32Array =>
  Array.isArray(value) || value instanceof Float32Array

/** A loop: an answer has hundreds of thousands of numbers. */
const areFinite = (numbers: ReadonlyArray<unknown> | Float32Array): boolean => {
  for (let at = 0; at < numbers.length; at++) if (!Number.isFinite(numbers[at])) return false
  return true
}

/** Of what has been decoded: without the two signs of the other alphabet, and padded. */
const isStandardBase64 = (value: unknown): value is string =>
  typeof value === "string" && value.length % 4 === 0 && !value.includes("-") && !value.includes("_")

/** 32-bit floats, little-endian, from Base64; undefined for what is none. Signs that are no Base64 are passed over, and shorten it. */
const floatsOf = (base64: string): Float32Array | undefined => {
  const signs = base64.length - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0)
  const size = Math.floor((signs * 3) / 4)
  if (size % 4 !== 0) return undefined
  const bytes = Buffer.from(new ArrayBuffer(size))
  if (bytes.write(base64, "base64") !== size) return undefined
  if (endianness() === "BE") bytes.swap32()
  return new Float32Array(bytes.buffer)
}
