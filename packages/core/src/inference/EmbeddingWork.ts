/** What an upstream is given to embed, and what it returns. Source: docs/upstreams.md#embeddings. */
import type { Json } from "./GenerateWork.ts"

export interface EmbedWork {
  /** A request of OpenAI's embeddings API, with the model's name at the upstream. */
  readonly body: Json
}

export type Vector = ArrayLike<number>

export interface EmbedAnswer {
  /** One for each input, in their order. */
  readonly vectors: ReadonlyArray<Vector>
  /** As the upstream counts them; null where it does not. */
  readonly inputTokens: number | null
}
