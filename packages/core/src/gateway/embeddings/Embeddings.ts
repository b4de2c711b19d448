/** The route of embeddings: from texts or token numbers to one vector for each. Source: docs/reference/embeddings.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Prices } from "../../platform/billing/index.ts"
import {
  type ClaimLost,
  type StoredResponse,
  type StoreResponse,
  storedJson
} from "../../platform/idempotency/index.ts"
import { tracedFn } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Models from "../catalogue/Model.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { type InferenceCaller, type InferenceRoute, InferenceRoutes } from "../routes/InferenceRoutes.ts"
import { type JsonRequest, jsonFingerprint } from "../routes/JsonRequest.ts"
import type { JsonInput } from "../routes/JsonRequestHttp.ts"
import { languageModelFailureCodes } from "../run/InferenceRefusals.ts"
import type { Answered, Candidate } from "../run/RunAttempt.ts"
import type { RouteResult } from "../run/RunOnce.ts"
import type { EmbedAnswer } from "../upstreams/EmbeddingWork.ts"
import { UpstreamFailed } from "../upstreams/Upstream.ts"
import { type EmbeddingRequest, embeddingRefusal, readEmbeddingRequest, tokens } from "./EmbeddingRequest.ts"
import { encodeVector, fitted } from "./EmbeddingVectors.ts"

export class Embeddings extends Context.Service<
  Embeddings,
  {
    /** Answers a request of a caller that has been admitted. */
    readonly run: (
      caller: InferenceCaller,
      input: JsonInput
    ) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
    /** Answers a request without a client: `store` stores the response in the transaction of the bill. */
    readonly answer: (
      caller: InferenceCaller,
      json: JsonRequest,
      store: StoreResponse
    ) => Effect.Effect<StoredResponse, ClaimLost | InferenceRefused | StorageError>
  }
>()("@trunkline/core/gateway/embeddings/Embeddings") {
  static readonly layer = Layer.effect(
    Embeddings,
    Effect.gen(function* () {
      const routes = yield* InferenceRoutes

      const run = tracedFn("Embeddings.run")(function* (caller: InferenceCaller, { idempotencyKey, json }: JsonInput) {
        const request = readEmbeddingRequest(json)
        return yield* routes.run(route, caller, {
          request,
          model: request.model,
          idempotency:
            idempotencyKey === null
              ? null
              : { key: idempotencyKey, fingerprint: yield* jsonFingerprint("embeddings", json) }
        })
      })

      const answer = tracedFn("Embeddings.answer")(function* (
        caller: InferenceCaller,
        json: JsonRequest,
        store: StoreResponse
      ) {
        const request = readEmbeddingRequest(json)
        return yield* routes.answer(route, caller, { request, model: request.model }, store)
      })

      return Embeddings.of({ run, answer })
    })
  )
}

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
    onSuccess: (vectors) =>
      Effect.succeed(vectors === answer.vectors ? answer : { vectors, inputTokens: answer.inputTokens })
  })

const route: InferenceRoute<"embed", EmbeddingRequest> = {
  capability: "embed",
  failureCodes: languageModelFailureCodes,
  inputFaults: {
    param: "input",
    refused: "The model refused the request as it is. Check its fields.",
    tooLarge: "The request is too large for this model."
  },
  prepare: (request, model) => {
    const refused = embeddingRefusal(request, model)
    return refused === null ? Effect.succeed(candidateOf(request, model)) : Effect.fail(refused)
  },
  encode: (request, answered) => storedJson(bodyOf(request, answered))
}

const bodyOf = ({ format, model }: EmbeddingRequest, { amount, answer }: Answered<"embed">) => {
  const count = inputTokensOf(amount)
  const texts = format === "base64" ? answer.base64 : undefined
  return {
    object: "list",
    data: answer.vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: texts?.[index] ?? encodeVector(vector, format)
    })),
    model,
    usage: { prompt_tokens: count, total_tokens: count }
  }
}

const inputTokensOf = (amount: Prices.Amount): number => (amount.unit === "tokens" ? amount.inputTokens : 0)
