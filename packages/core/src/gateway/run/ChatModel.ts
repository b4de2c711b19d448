/** A language model that answers for our own agents, on an account's bill. The public routes are InferenceRoutes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Money, type Payer, Prices } from "../../platform/billing/index.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { modelProblem } from "../admission/ModelAdmission.ts"
import type { Model } from "../catalogue/Model.ts"
import { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import { inferenceCodes } from "../errors/InferenceErrors.ts"
import type { ChatAnswer, ChatWork } from "../upstreams/ChatWork.ts"
import { Upstreams, UpstreamWhy } from "../upstreams/Upstream.ts"
import { amountOf, billedTokens, maxTokens } from "./ChatTokens.ts"
import { languageModelFailureCodes } from "./InferenceRefusals.ts"
import { MeteredRun, type MeteredRunError } from "./MeteredRun.ts"
import type { Candidate } from "./RunAttempt.ts"

/**
 * - `model_unknown`     there is no language model of this id
 * - `model_not_allowed` the account's plan does not include it
 * - `maintenance`       it is out of service, or retired
 * - `no_upstream`       no upstream is configured to run it
 * - `quota`             the plan's calls or the account's budget of this month are used up
 * - `credits`           the balance does not cover what it may cost
 * - `throttled`         its upstream limits the rate
 * - `upstream`          its upstream returned no answer; `why` says more
 */
export const ChatReason = Schema.Literals([
  "model_unknown",
  "model_not_allowed",
  "maintenance",
  "no_upstream",
  "quota",
  "credits",
  "throttled",
  "upstream"
])
export type ChatReason = typeof ChatReason.Type

/** No answer, and nothing was charged. `detail` is for the operator's log, and holds no secret. */
export class ChatRefused extends Schema.TaggedError<ChatRefused>()("ChatRefused", {
  reason: ChatReason,
  detail: Schema.String,
  /** Of `throttled` and `quota`. */
  retryAfterSeconds: Schema.NullOr(Schema.Int),
  /** Of `upstream`. */
  why: Schema.NullOr(UpstreamWhy)
}) {
  override get message() {
    return this.detail
  }
}

export interface ChatRequest extends Pick<ChatWork, "messages" | "tools" | "maxOutputTokens"> {
  readonly payer: Payer
  /** Its id in the catalogue. */
  readonly model: string
  /** By which the usage log finds it: a conversation, and one piece of work within it. */
  readonly sessionId: string | null
  readonly traceId: string | null
}

/** An answer, and what it has used and cost, as its row of the usage log has it. */
export interface ChatRun extends ChatAnswer {
  readonly cost: Money.Nano
  readonly used: Pick<Prices.Figures, "inputTokens" | "outputTokens">
}

export class ChatModel extends Context.Service<
  ChatModel,
  {
    /**
     * Runs a model once. Its maximum cost is reserved before, its actual cost is charged after, with a row of the usage log;
     * an early end releases everything. No transaction is open meanwhile.
     * Source: docs/reference/messaging.md#agent, docs/reference/upstreams.md#tokens.
     */
    readonly run: (request: ChatRequest) => Effect.Effect<ChatRun, ChatRefused | StorageError>
  }
>()("@trunkline/core/gateway/run/ChatModel") {
  static readonly layer = Layer.effect(
    ChatModel,
    Effect.gen(function* () {
      const catalogue = yield* ModelCatalogue
      const metered = yield* MeteredRun
      const upstreams = yield* Upstreams

      /** Everything that is refused before anything is reserved. */
      const admit = ({ model: id, payer }: ChatRequest) => {
        const model = catalogue.get(id)
        const refused = modelRefusal(id, model, payer)
        if (refused !== null || model === null) return Effect.fail(refused ?? noUpstream(id))
        return upstreams.route("chat", id) === null ? Effect.fail(noUpstream(id)) : Effect.succeed(model)
      }

      const run = Effect.fnUntraced(function* (request: ChatRequest) {
        const model = yield* admit(request)
        const { payer, sessionId, traceId } = request
        const usageId = yield* Ids.fresh<"Usage">()
        const startedAt = yield* Instant.now
        const ran = metered.run({
          capability: "chat",
          context: { usageId, requestId: usageId, payer, slot: null, sessionId, traceId, startedAt },
          candidate: candidateOf(request, model),
          failureStatus: (why) => inferenceCodes[languageModelFailureCodes[why]].status,
          encode: ({ amount, answer }): ChatRun => ({
            ...answer,
            cost: catalogue.cost(model.price, amount),
            used: Prices.figuresOf(amount)
          }),
          store: () => Effect.void
        })
        // Without an Idempotency-Key there is no claim to lose.
        return yield* Effect.catch(Effect.catchTag(ran, "ClaimLost", Effect.die), (error) =>
          Effect.fail(error._tag === "StorageError" ? error : refusalOf(error))
        )
      })

      return ChatModel.of({ run })
    })
  )
}

const candidateOf = (request: ChatRequest, model: Model): Candidate<"chat"> => {
  const { messages, tools } = request
  const maxOutputTokens = Math.min(request.maxOutputTokens, model.limits.maxOutputTokens ?? request.maxOutputTokens)
  const max = maxTokens({ messages, tools, maxOutputTokens })
  return {
    model,
    work: (route) => Result.succeed({ model: route.model, requestedModel: model.id, messages, tools, maxOutputTokens }),
    run: ({ run }, work) => run(work),
    maxAmount: amountOf(max),
    amountOf: (answer) => amountOf(billedTokens(answer, max))
  }
}

const refuse = (reason: ChatReason, detail: string, more: Partial<ChatRefused> = {}): ChatRefused =>
  new ChatRefused({ reason, detail, retryAfterSeconds: more.retryAfterSeconds ?? null, why: more.why ?? null })

const noUpstream = (id: string): ChatRefused =>
  refuse("no_upstream", `no upstream is configured to run the model ${id}: see models.routes`)

const modelRefusal = (id: string, model: Model | null, { plan }: Payer): ChatRefused | null => {
  if (model !== null && model.category !== "llm") {
    return refuse("model_unknown", `the model ${id} is no language model`)
  }
  const problem = modelProblem(id, model, { plan, key: null })
  switch (problem) {
    case null:
      return null
    case "unknown":
      return refuse("model_unknown", `there is no model ${id}`)
    case "not_allowed":
    case "not_in_plan":
      return refuse("model_not_allowed", `the model ${id} is not part of the plan ${plan}`)
    case "maintenance":
    case "retired": {
      const state = problem === "retired" ? "retired" : "out of service"
      const instead = model?.successor == null ? "" : `: use ${model.successor}`
      return refuse("maintenance", `the model ${id} is ${state}${instead}`)
    }
  }
}

type Refusable = Exclude<MeteredRunError, { readonly _tag: "StorageError" | "ClaimLost" }>

const refusalOf = (error: Refusable): ChatRefused => {
  switch (error._tag) {
    case "QuotaExceeded":
      return refuse("quota", error.message, { retryAfterSeconds: error.retryAfterSeconds })
    case "CreditsExceeded":
      return refuse("credits", "the account's credit does not cover what this may cost")
    case "BudgetExceeded":
      return refuse("credits", "the key's budget does not cover what this may cost")
    case "InferenceRefused":
      return refuse("upstream", error.message, { why: "refused_input" })
    case "NoUpstream":
      return noUpstream(error.model)
    case "RunFailed":
      return error.why === "throttled"
        ? refuse("throttled", error.message, { retryAfterSeconds: error.retryAfterSeconds ?? 1 })
        : refuse("upstream", error.message, { why: error.why })
  }
}
