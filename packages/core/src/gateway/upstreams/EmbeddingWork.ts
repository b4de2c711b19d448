/** What an upstream is given to embed, and what it returns. Source: docs/reference/upstreams.md#embeddings. */
import type { Json } from "./GenerateWork.ts"

export interface EmbedWork {
  /** A request of OpenAI's embeddings API, with the model's name at the upstream. */
  readonly body: Json
}

export type Vector = ArrayLike<number>

export interface EmbedAnswer {
  /** One for each input, in their order. */
  readonly vectors: ReadonlyArray<Vector>
  /** The same as Base64 of 32-bit floats, little-endian, where the upstream has written them so: they need not be encoded again. */
  readonly base64?: ReadonlyArray<string>
  /** As the upstream counts them; null where it does not. */
  readonly inputTokens: number | null
}
