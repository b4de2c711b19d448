/** The routes that a batch may be for: one line of the table each. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { ClaimLost, StoreResponse, WrittenResponse } from "../../platform/idempotency/index.ts"
import { ownTurn } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { EmbeddingsRequest, embeddingRoute } from "../embeddings/index.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import { Llm, readLlmLine } from "../llm/index.ts"
import { type InferenceCaller, InferenceRoutes } from "../routes/InferenceRoutes.ts"
import { lineReaderOf } from "../routes/JsonLine.ts"
import { batchEndpoints } from "./BatchesApi.ts"

/** Runs the body of a line as its route would; `bytes` is its size. `store` stores the response in the transaction of the bill. */
export type BatchEndpoint = (
  caller: InferenceCaller,
  body: unknown,
  bytes: number,
  store: StoreResponse
) => Effect.Effect<WrittenResponse, ClaimLost | InferenceRefused | StorageError>

const read = <A>(bytes: number, line: () => Result.Result<A, InferenceRefused>) =>
  ownTurn(bytes, () => Effect.fromResult(line()))

const readEmbeddings = lineReaderOf(EmbeddingsRequest)

export class BatchEndpoints extends Context.Service<
  BatchEndpoints,
  { readonly find: (endpoint: string) => BatchEndpoint | null }
>()("@trunkline/core/gateway/batches/BatchEndpoints") {
  static readonly layer = Layer.effect(
    BatchEndpoints,
    Effect.gen(function* () {
      const llm = yield* Llm
      const routes = yield* InferenceRoutes

      const languageModel =
        (api: Parameters<typeof readLlmLine>[0]): BatchEndpoint =>
        (caller, body, bytes, store) =>
          Effect.flatMap(
            read(bytes, () => readLlmLine(api, body, bytes)),
            (request) => llm.answer(caller, request, store)
          )

      const embedding: BatchEndpoint = (caller, body, bytes, store) =>
        Effect.flatMap(
          read(bytes, () => Result.map(readEmbeddings(body, bytes), embeddingRoute.read)),
          (request) => routes.answer(embeddingRoute, caller, { request, model: request.model }, store)
        )

      const table = new Map<string, BatchEndpoint>([
        [batchEndpoints.chat, languageModel("chat_completions")],
        [batchEndpoints.responses, languageModel("responses")],
        [batchEndpoints.embeddings, embedding]
      ])

      return BatchEndpoints.of({ find: (endpoint) => table.get(endpoint) ?? null })
    })
  )
}
