/** Counts the tokens of an input: by the upstream where it can, else by estimate. Costs nothing. Source: docs/reference/language-models.md#count-tokens. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Prices } from "../../platform/billing/index.ts"
import { Idempotency, type StoredResponse, storedJson } from "../../platform/idempotency/index.ts"
import { Ids, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Models from "../catalogue/Model.ts"
import { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import { attemptsHeader, type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import type { InferenceCaller } from "../routes/InferenceRoutes.ts"
import { CircuitBreakers } from "../run/CircuitBreakers.ts"
import { failureRefusal, languageModelFailureCodes, modelRefusal, noUpstreamRefusal } from "../run/InferenceRefusals.ts"
import { type Candidate, NoUpstream } from "../run/RunAttempt.ts"
import { runAttempts, Turns } from "../run/RunAttempts.ts"
import { type RouteResult, runOnce } from "../run/RunOnce.ts"
import type { GenerateAnswer } from "../upstreams/GenerateWork.ts"
import { UpstreamFailed, Upstreams } from "../upstreams/Upstream.ts"
import { KeptResponses } from "./kept/KeptResponses.ts"
import { type LlmInput, passes } from "./Llm.ts"
import { llmRefusal, visionRefusal } from "./LlmChecks.ts"
import { inputFaults } from "./LlmInputFaults.ts"
import { type LlmRequest, llmFingerprint } from "./LlmRequest.ts"
import { estimatedInput } from "./tokens/TokenCount.ts"
import { passThrough } from "./translate/PassThrough.ts"
import type { Json } from "./translate/Translation.ts"

/** A request of one of the APIs that count. */
interface CountRequest extends LlmRequest {
  readonly api: "messages" | "responses"
}

interface CountInput extends LlmInput {
  readonly request: CountRequest
}

interface CountedTokens {
  readonly tokens: number
  readonly by: "upstream" | "estimate"
}

/** Costs nothing, also where it fails. */
const candidateOf = (
  { api, body, bytes, headers, size }: CountRequest,
  model: Models.Model
): Candidate<"generate", CountedTokens> => {
  const estimated: CountedTokens = { tokens: estimatedInput(size), by: "estimate" }
  return {
    model,
    work: ({ model: upstreamModel }) =>
      Result.mapBoth(passThrough[api].request(body, { model: model.id, upstreamModel, maxOutputTokens: 1 }), {
        onFailure: ({ message, param }) => refuse("invalid_request", { message, param }),
        onSuccess: (sent) => ({ api, task: "count", body: countedBody(sent), bytes, headers, onEvents: null })
      }),
    run: ({ run, upstream }, work) =>
      upstream.apis?.includes(api) === true
        ? Effect.matchEffect(run(work), {
            onFailure: (error) => (error.why === "not_found" ? Effect.succeed(estimated) : Effect.fail(error)),
            onSuccess: (answer) => countIn(answer)
          })
        : Effect.succeed(estimated),
    maxAmount: Prices.nothing("tokens"),
    amountOf: () => Prices.nothing("tokens")
  }
}

const countIn = ({ json }: GenerateAnswer): Effect.Effect<CountedTokens, UpstreamFailed> => {
  const tokens = json?.input_tokens
  return typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0
    ? Effect.succeed({ tokens, by: "upstream" })
    : Effect.fail(uncounted)
}

/** A request that is only counted is not stored. */
const countedBody = ({ store: _, ...body }: Json): Json => body

export interface CountTokens {
  /** Answers with the tokens of the input of a message or of a response, for a caller that has been admitted. */
  readonly run: (
    caller: InferenceCaller,
    input: CountInput
  ) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
}

export const makeCountTokens = Effect.gen(function* () {
  const breakers = yield* CircuitBreakers
  const catalogue = yield* ModelCatalogue
  const idempotency = yield* Idempotency
  const responses = yield* KeptResponses
  const storage = yield* Storage
  const upstreams = yield* Upstreams

  const admit = Effect.fnUntraced(function* ({ key, payer }: InferenceCaller, asked: CountRequest) {
    const id = String(asked.body.model)
    const found = catalogue.get(id)
    yield* passes(modelRefusal(id, found, { key, plan: payer.plan }) ?? llmRefusal(asked, found!))
    const model = found!
    const next = yield* Ids.source
    const freshId = (prefix: string) => `${prefix}_${next().replaceAll("-", "")}`
    const unkept = { ...asked, body: { ...asked.body, store: false } }
    const { request } = yield* responses.resolve(payer.tenantId, unkept, freshId)
    yield* passes(visionRefusal(request, model))
    return { model, request: { ...request, api: asked.api } }
  })

  const count = Effect.fnUntraced(function* (caller: InferenceCaller, asked: CountRequest) {
    const { model, request } = yield* admit(caller, asked)
    const plan = upstreams.route("generate", model.id)
    if (plan === null) return yield* noUpstreamRefusal(new NoUpstream({ model: model.id }))
    const turns = new Turns(candidateOf(request, model), plan, breakers)
    const ended = yield* Effect.uninterruptibleMask((interruptible) =>
      runAttempts(turns, { interruptible, record: ({ error }) => Effect.logWarning(error.message) })
    )
    if (ended._tag === "Answered") return { ...ended.answer, attempts: ended.attempts }
    if (ended._tag === "Broken") return yield* Effect.failCause(ended.cause)
    yield* Effect.logWarning(ended.error.message)
    return yield* failureRefusal(ended.error, languageModelFailureCodes, inputFaults[request.api])
  })

  const run = tracedFn("CountTokens.run")(function* (
    caller: InferenceCaller,
    { idempotencyKey: key, request }: CountInput
  ) {
    const { api } = request
    const counted = Effect.map(count(caller, request), (tokens) => responseOf(api, tokens))
    if (key === null) return { response: yield* counted, isReplayed: false }
    const { tenantId } = caller.payer
    const keyed = { tenantId, key, fingerprint: yield* llmFingerprint(request, routeNames[api]) }
    return yield* runOnce(idempotency, keyed, (store) =>
      Effect.tap(counted, (response) => storage.transact(store(response)))
    )
  })

  return { run } satisfies CountTokens
})

const routeNames = { messages: "count_tokens", responses: "input_tokens" } as const

const answers: Readonly<Record<CountRequest["api"], (tokens: number) => Json>> = {
  messages: (tokens) => ({ input_tokens: tokens }),
  responses: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens })
}

const responseOf = (
  api: CountRequest["api"],
  { attempts, by, tokens }: CountedTokens & { readonly attempts: number }
): StoredResponse => ({
  ...storedJson(answers[api](tokens)),
  headers: { "token-count": by, ...(attempts > 1 ? { [attemptsHeader]: String(attempts) } : {}) }
})

const uncounted = new UpstreamFailed({
  why: "unreadable",
  detail: "answered without a number of tokens",
  retryAfterSeconds: null,
  advice: null,
  hasBegun: false
})
