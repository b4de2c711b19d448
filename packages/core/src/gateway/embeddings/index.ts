/**
 * Embeddings in the form of the public API: a vector for each text or list of token numbers.
 *
 * Promises  EMBD-1 there is one vector for each input, in the order of the inputs, or no answer.
 *           EMBD-2 vectors have the size and the form that were asked for, whatever the upstream sends.
 *           EMBD-3 tokens are billed as the upstream counts them, else by estimate, and use no call of the plan.
 * Needs     InferenceRoutes.                     Emits  nothing by itself.
 * Not here  admission, reservation, fallbacks and the usage log (gateway/run); what upstreams speak (packages/providers).
 * Read      EmbeddingRequest.ts, EmbeddingVectors.ts and EmbeddingAnswer.ts, then Embeddings.ts. Source: docs/reference/embeddings.md.
 */
export { embeddingRoute } from "./Embeddings.ts"
export { EmbeddingsRequest } from "./EmbeddingsApi.ts"
