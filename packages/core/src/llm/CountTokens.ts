/** Counts the tokens of a prompt: by the upstream where it can, else by estimate. Costs nothing. Source: docs/language-models.md#count-tokens. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Idempotency, type StoredResponse, storedJson } from "../idempotency/index.ts"
import {
  failureRefusal,
  type InferenceCaller,
  type InferenceRefused,
  idempotencyRefusal,
  languageModelFailureCodes,
  ModelCatalogue,
  modelRefusal,
  NoUpstream,
  noUpstreamRefusal,
  type RouteResult,
  routeResult,
  UpstreamFailed,
  type UpstreamRoute,
  Upstreams
} from "../inference/index.ts"
import type { StorageError } from "../storage/index.ts"
import { Storage } from "../storage/index.ts"
import type { LlmInput } from "./Llm.ts"
import { llmRefusal } from "./LlmChecks.ts"
import { inputFaults } from "./LlmInputFaults.ts"
import { type LlmRequest, llmFingerprint } from "./LlmRequest.ts"
import { passThrough } from "./PassThrough.ts"
import { estimatedInput } from "./TokenCount.ts"

interface CountedTokens {
  readonly tokens: number
  readonly by: "upstream" | "estimate"
}

export class CountTokens extends Context.Service<
  CountTokens,
  {
    /** Answers with the tokens of the input of a message, for a caller that has been admitted. */
    readonly run: (
      caller: InferenceCaller,
      input: LlmInput
    ) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
  }
>()("@trunkline/core/llm/CountTokens") {
  static readonly layer = Layer.effect(
    CountTokens,
    Effect.gen(function* () {
      const catalogue = yield* ModelCatalogue
      const idempotency = yield* Idempotency
      const storage = yield* Storage
      const upstreams = yield* Upstreams

      const admit = ({ key, payer: { plan } }: InferenceCaller, request: LlmRequest) => {
        const id = String(request.body.model)
        const model = catalogue.get(id)
        const refused = modelRefusal(id, model, { key, plan }) ?? llmRefusal(request, model!)
        const entry = upstreams.route("generate", id)?.entries[0]
        if (refused !== null || entry === undefined) {
          return Effect.fail(refused ?? noUpstreamRefusal(new NoUpstream({ model: id })))
        }
        return Effect.succeed(entry)
      }

      const ask = Effect.fnUntraced(function* (route: UpstreamRoute<"generate">, request: LlmRequest) {
        const context = { model: String(request.body.model), upstreamModel: route.model, maxOutputTokens: 1 }
        const body = yield* Effect.orDie(Effect.fromResult(passThrough.messages.request(request.body, context)))
        const { headers } = request
        const { json } = yield* route.run({ api: "messages", task: "count", body, headers, onEvent: null })
        const tokens = json?.input_tokens
        return typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : yield* uncounted
      })

      const count = Effect.fnUntraced(function* (caller: InferenceCaller, request: LlmRequest) {
        const estimate: CountedTokens = { tokens: estimatedInput(request.size), by: "estimate" }
        const route = yield* admit(caller, request)
        if (route.upstream.apis?.includes("messages") !== true) return estimate
        const asked = yield* Effect.result(ask(route, request))
        if (Result.isSuccess(asked)) return { tokens: asked.success, by: "upstream" } as const
        if (asked.failure.why === "wrong_route") return estimate
        yield* Effect.logWarning(`upstream ${route.upstream.name}: ${asked.failure.why}: ${asked.failure.detail}`)
        return yield* failureRefusal({ ...asked.failure, attempts: 1 }, languageModelFailureCodes, inputFaults.messages)
      })

      const run = Effect.fn("CountTokens.run")(function* (
        caller: InferenceCaller,
        { idempotencyKey: key, request }: LlmInput
      ) {
        const counted = Effect.map(count(caller, request), responseOf)
        if (key === null) return { response: yield* counted, isReplayed: false }
        const { tenantId } = caller.payer
        const fingerprint = llmFingerprint(request, "count_tokens")
        return yield* idempotency
          .run({ tenantId, key, fingerprint, leaseMs: upstreams.maxMs + marginMs }, (store) =>
            Effect.tap(counted, (response) => storage.transact(store(response)))
          )
          .pipe(
            Effect.map(routeResult),
            Effect.mapError((error) => (error._tag === "IdempotencyRefused" ? idempotencyRefusal(error) : error))
          )
      })

      return CountTokens.of({ run })
    })
  )
}

/** For reading the answer and recording it. */
const marginMs = 30_000

const responseOf = ({ by, tokens }: CountedTokens): StoredResponse => ({
  ...storedJson({ input_tokens: tokens }),
  headers: { "token-count": by }
})

const uncounted = new UpstreamFailed({
  why: "unreadable",
  detail: "answered without a number of tokens",
  retryAfterSeconds: null,
  advice: null,
  hasBegun: false
})
