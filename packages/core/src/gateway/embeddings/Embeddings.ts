/** The route of embeddings: from texts or token numbers to one vector for each. Source: docs/reference/embeddings.md. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Prices } from "../../platform/billing/index.ts"
import { type WrittenResponse, writtenJson } from "../../platform/idempotency/index.ts"
import type * as Models from "../catalogue/Model.ts"
import { refuse } from "../errors/InferenceErrors.ts"
import type { JsonRoute } from "../routes/JsonRoute.ts"
import { languageModelFailureCodes } from "../run/InferenceRefusals.ts"
import type { Candidate } from "../run/RunAttempt.ts"
import type { EmbedAnswer } from "../upstreams/EmbeddingWork.ts"
import { UpstreamFailed } from "../upstreams/Upstream.ts"
import { embeddingAnswer } from "./EmbeddingAnswer.ts"
import { type EmbeddingRequest, embeddingRefusal, readEmbeddingRequest, tokens } from "./EmbeddingRequest.ts"
import { fitted } from "./EmbeddingVectors.ts"

const candidateOf = (request: EmbeddingRequest, model: Models.Model): Candidate<"embed"> => ({
  model,
  work: ({ model: name, upstream }) => {
    const work = { body: { ...request.body, model: name } }
    const cannot = upstream.embedRefusal?.(work) ?? null
    return cannot === null ? Result.succeed(work) : Result.fail(refuse("invalid_request", cannot))
  },
  run: ({ run }, work) => Effect.flatMap(run(work), (answer) => fit(answer, request)),
  maxAmount: tokens(request.maxTokens),
  amountOf: ({ inputTokens }) => tokens(inputTokens ?? request.estimatedTokens)
})

const fit = (answer: EmbedAnswer, request: EmbeddingRequest): Effect.Effect<EmbedAnswer, UpstreamFailed> =>
  Result.match(fitted(answer.vectors, request), {
    onFailure: (detail) =>
      Effect.fail(new UpstreamFailed({ why: "unreadable", detail, retryAfterSeconds: null, advice: null })),
    onSuccess: (vectors) => Effect.succeed({ ...answer, vectors })
  })

const inputTokensOf = (amount: Prices.Amount): number => (amount.unit === "tokens" ? amount.inputTokens : 0)

export const embeddingRoute: JsonRoute<"embed", EmbeddingRequest, WrittenResponse> = {
  name: "embeddings",
  capability: "embed",
  failureCodes: languageModelFailureCodes,
  inputFaults: {
    param: "input",
    refused: "The model refused the request as it is. Check its fields.",
    tooLarge: "The request is too large for this model."
  },
  read: readEmbeddingRequest,
  refusal: embeddingRefusal,
  prepare: (request, model) =>
    Effect.succeed({
      candidate: candidateOf(request, model),
      encode: ({ amount, answer }) => writtenJson(embeddingAnswer(request, answer.vectors, inputTokensOf(amount)))
    })
}
