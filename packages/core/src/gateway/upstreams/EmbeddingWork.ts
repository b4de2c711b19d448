/** What an upstream is given to embed, and what it returns. Source: docs/reference/upstreams.md#embeddings. */
import type { Json } from "./GenerateWork.ts"

export interface EmbedWork {
  /** A request of OpenAI's embeddings API, with the model's name at the upstream. */
  readonly body: Json
}

/** Finite numbers, or such numbers as an upstream has written them. */
export type Vector = ArrayLike<number> | WrittenVector

/**
 * A vector that its upstream has checked and not decoded. Its text is what an answer in Base64 has, so a megabyte of vectors is
 * neither decoded nor made into texts.
 */
export interface WrittenVector {
  /** How many numbers it has. */
  readonly length: number
  /** Bytes of the standard Base64 of its 32-bit floats, little-endian. */
  readonly base64: Uint8Array
  readonly decode: () => ArrayLike<number>
}

export const isWritten = (vector: Vector): vector is WrittenVector => "base64" in vector

export const numbersOf = (vector: Vector): ArrayLike<number> => (isWritten(vector) ? vector.decode() : vector)

export interface EmbedAnswer {
  /** One for each input, in their order. */
  readonly vectors: ReadonlyArray<Vector>
  /** As the upstream counts them; null where it does not. */
  readonly inputTokens: number | null
}
