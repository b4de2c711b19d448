/** Requests to `/embeddings`, and their answers, whatever form the vectors have. Source: docs/reference/upstreams.md#embeddings. */
import type { EmbedAnswer, EmbedWork, Run, Vector } from "@trunkline/core/provider"
import { tracedFn } from "@trunkline/core/provider"
import * as Schema from "effect/Schema"
import { type BoundedHttp, jsonBody, plainJsonIn } from "../http/index.ts"
import { Part, reading } from "../upstream/Lenient.ts"
import type { UpstreamSettings } from "../upstream/UpstreamOptions.ts"
import { type AnswerReader, makeWire } from "../upstream/UpstreamWire.ts"
import { type Extracted, floatsOf, VectorExtractor } from "./VectorText.ts"

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
    const request = { path: "/embeddings", headers, body: jsonBody(body), namesParam: true }
    return yield* wire.askWhile(request, () => new EmbedAnswerReader())
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

/** Reads an answer of which every vector in Base64 stays as it was written. */
export class EmbedAnswerReader implements AnswerReader<EmbedAnswer> {
  readonly #extractor = new VectorExtractor()

  write(chunk: Uint8Array): void {
    this.#extractor.write(chunk)
  }

  end(chunks: ReadonlyArray<Uint8Array>): EmbedAnswer | undefined {
    const left = this.#extractor.end()
    return left === null ? embedAnswerOf(plainJsonIn(chunks)) : embedAnswerOf(plainJsonIn([left.rest]), left)
  }
}

/** The vectors in the order of their inputs; undefined where one cannot be read, or its place is not clear. */
export const embedAnswerOf = (
  json: unknown,
  taken: Pick<Extracted, "vectorOf"> = nothingTaken
): EmbedAnswer | undefined => {
  const body = readBody(json)
  if (body === undefined) return undefined
  const written = new Map(body.data.map(({ embedding, index }, nth) => [index ?? nth, embedding]))
  const vectors = body.data.map((_, at) => vectorOf(written.get(at), taken))
  return vectors.every((vector) => vector !== undefined)
    ? { vectors, inputTokens: inputTokensOf(body.usage) }
    : undefined
}

const nothingTaken: Pick<Extracted, "vectorOf"> = { vectorOf: () => undefined }

const vectorOf = (embedding: unknown, taken: Pick<Extracted, "vectorOf">): Vector | undefined => {
  if (typeof embedding !== "string") return isVector(embedding) ? embedding : undefined
  return taken.vectorOf(embedding) ?? floatsOf(embedding)
}

const isVector = (value: unknown): value is ReadonlyArray<number> =>
  Array.isArray(value) && value.length > 0 && areFinite(value)

/** A loop: an answer has hundreds of thousands of numbers. */
const areFinite = (numbers: ReadonlyArray<unknown>): boolean => {
  for (let at = 0; at < numbers.length; at++) if (!Number.isFinite(numbers[at])) return false
  return true
}
