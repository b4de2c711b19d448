/** The answer to a request for embeddings, as JSON. Pure. Source: docs/reference/embeddings.md#answer. */
import { joinedBytes } from "../../platform/kernel/index.ts"
import { isWritten, type Vector } from "../upstreams/EmbeddingWork.ts"
import type { EmbeddingRequest } from "./EmbeddingRequest.ts"
import { encodeVector } from "./EmbeddingVectors.ts"

type Asked = Pick<EmbeddingRequest, "format" | "model">

/**
 * Bytes where every vector stands in the form that was asked for already: then no vector becomes a text, and the answer is the same
 * byte for byte.
 */
export const embeddingAnswer = (
  { format, model }: Asked,
  vectors: ReadonlyArray<Vector>,
  tokens: number
): string | Uint8Array =>
  format === "base64" && vectors.every(isWritten)
    ? filled(
        jsonOf(
          model,
          vectors.map(() => ""),
          tokens
        ),
        vectors.map(({ base64 }) => base64)
      )
    : jsonOf(
        model,
        vectors.map((vector) => encodeVector(vector, format)),
        tokens
      )

const jsonOf = (model: string, embeddings: ReadonlyArray<string | ReadonlyArray<number>>, tokens: number): string =>
  JSON.stringify({
    object: "list",
    data: embeddings.map((embedding, index) => ({ object: "embedding", index, embedding })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens }
  })

/** Where a vector is missing. No text in JSON can have it: the quotes in a text are escaped. */
const gap = '"embedding":""'

const utf8 = new TextEncoder()

/** The bytes of an answer whose vectors are empty, with these vectors in their places. */
const filled = (json: string, vectors: ReadonlyArray<Uint8Array>): Uint8Array => {
  // All that stands before a gap is ASCII, so that it is as long in bytes.
  const bytes = utf8.encode(json)
  const pieces: Array<Uint8Array> = []
  let from = 0
  for (const vector of vectors) {
    const to = json.indexOf(gap, from) + gap.length - 1
    pieces.push(bytes.subarray(from, to), vector)
    from = to
  }
  return joinedBytes([...pieces, bytes.subarray(from)])
}
