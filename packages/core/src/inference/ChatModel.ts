/** A language model's answer on an account's bill: judged, held, run, settled. For our own agents; the public route is another. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import {
  type BudgetExceeded,
  type CreditsExceeded,
  type Metered,
  Metering,
  type Payer,
  type QuotaExceeded,
  type Used
} from "../billing/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import type { StorageError } from "../storage/index.ts"
import { amountOf, atMost, counted, type Tokens } from "./ChatTokens.ts"
import { codeless, type InferenceCode, inferenceCodes } from "./InferenceErrors.ts"
import { type Model, mayCall } from "./Model.ts"
import { ModelCatalogue } from "./ModelCatalogue.ts"
import { type ChatAnswer, type ChatWork, type UpstreamFailed, Upstreams, UpstreamWhy } from "./Upstream.ts"
import { cameTo, leaseOf, persistently, quietly } from "./UpstreamWork.ts"

/**
 * - `model_unknown`     there is no language model of this id
 * - `model_not_allowed` the account's plan does not include it
 * - `maintenance`       it is out of service, or retired
 * - `no_upstream`       nobody is configured to run it
 * - `quota`             the plan's calls or the account's budget of this month are used up
 * - `credits`           the balance does not cover what it may cost
 * - `throttled`         its upstream wants to be asked less often
 * - `upstream`          its upstream gave no answer; `why` tells more
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

export interface ChatAsked extends Pick<ChatWork, "messages" | "tools" | "maxOutputTokens"> {
  readonly payer: Payer
  /** As the catalogue calls it. */
  readonly model: string
  /** What the usage log finds it by: a conversation, and one piece of work within it. */
  readonly sessionId: string | null
  readonly traceId: string | null
}

export class ChatModel extends Context.Service<
  ChatModel,
  {
    /**
     * Runs a model once. What it can cost at most is held before, what it did cost is charged after, with a row of the usage
     * log; whatever ends it early gives all back. Nothing is run twice, and no transaction is open meanwhile.
     * Source: docs/messaging.md#agent, docs/upstreams.md#tokens.
     */
    readonly run: (asked: ChatAsked) => Effect.Effect<ChatAnswer, ChatRefused | StorageError>
  }
>()("@trunkline/core/inference/ChatModel") {
  static readonly layer = Layer.effect(
    ChatModel,
    Effect.gen(function* () {
      const catalogue = yield* ModelCatalogue
      const metering = yield* Metering
      const upstreams = yield* Upstreams

      /** Everything that is judged before anything is held. */
      const prepare = ({ model: id, payer }: ChatAsked) => {
        const model = catalogue.get(id)
        const refused = modelRefusal(id, model, payer)
        if (refused !== null) return Effect.fail(refused)
        const route = upstreams.route("llm", id)
        const chat = route?.upstream.chat ?? null
        return route === null || chat === null
          ? Effect.fail(refuse("no_upstream", `no upstream is configured to run the model ${id}: see models.routes`))
          : Effect.succeed({ model: model!, route, chat })
      }

      const run = Effect.fnUntraced(function* (asked: ChatAsked) {
        const { chat, model, route } = yield* prepare(asked)
        const { messages, payer, tools } = asked
        const { longestMs, name } = route.upstream
        const maxOutputTokens = Math.min(asked.maxOutputTokens, model.limits.maxOutputTokens ?? asked.maxOutputTokens)
        const work: ChatWork = { model: route.model, asked: model.id, messages, tools, maxOutputTokens }
        const bound = atMost(work)
        const cost = (tokens: Tokens) => catalogue.cost(model.price, amountOf(tokens))
        const [id, startedAt] = [yield* Ids.fresh<"Usage">(), yield* Instant.now]
        const metered: Metered = { id, payer, service: "llm", atMost: cost(bound), leaseMs: leaseOf(longestMs) }
        const row = (httpStatus: number, tokens: Tokens) =>
          Effect.map(Instant.now, (at) => usedOf(asked, id, httpStatus, tokens, at - startedAt))
        const release = (httpStatus: number) =>
          Effect.flatMap(row(httpStatus, none), (used) => quietly(metering.release(metered, used)))

        return yield* Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            yield* Effect.catch(metering.reserve(metered), (error) =>
              Effect.fail(error._tag === "StorageError" ? error : spendingRefusal(error))
            )
            const came = yield* cameTo(chat(work), longestMs, restore)
            if (Exit.isFailure(came)) {
              const { cause } = came
              const failed = Cause.findErrorOption(cause)
              if (failed._tag === "None") {
                yield* release(Cause.hasInterruptsOnly(cause) ? codeless.abandoned : codeless.failed)
                return yield* Effect.failCause(cause as Cause.Cause<never>) // it has no error
              }
              const { code, refused } = upstreamRefusal(name, failed.value)
              yield* release(inferenceCodes[code].status)
              return yield* refused
            }
            const tokens = counted(came.value, bound)
            const used = yield* row(codeless.answered, tokens)
            yield* Effect.retry(metering.settle(metered, cost(tokens), used), persistently)
            return came.value
          })
        )
      })

      return ChatModel.of({ run })
    })
  )
}

const none: Tokens = { input: 0, cachedInput: 0, output: 0 }

const refuse = (reason: ChatReason, detail: string, more: Partial<ChatRefused> = {}): ChatRefused =>
  new ChatRefused({ reason, detail, retryAfterSeconds: more.retryAfterSeconds ?? null, why: more.why ?? null })

const modelRefusal = (id: string, model: Model | null, { plan }: Payer): ChatRefused | null => {
  if (model === null) return refuse("model_unknown", `there is no model ${id}`)
  if (model.category !== "llm") return refuse("model_unknown", `the model ${id} is no language model`)
  if (!mayCall(model, plan)) return refuse("model_not_allowed", `the model ${id} is not part of the plan ${plan}`)
  if (model.status === "active") return null
  const instead = model.successor === null ? "" : `: use ${model.successor}`
  return refuse(
    "maintenance",
    `the model ${id} is ${model.status === "retired" ? "retired" : "out of service"}${instead}`
  )
}

const spendingRefusal = (error: QuotaExceeded | BudgetExceeded | CreditsExceeded): ChatRefused => {
  switch (error._tag) {
    case "QuotaExceeded":
      return refuse("quota", error.message, { retryAfterSeconds: error.retryAfterSeconds })
    case "CreditsExceeded":
      return refuse("credits", "the account's credit does not cover what this may cost")
    case "BudgetExceeded":
      return refuse("credits", "the key's budget does not cover what this may cost")
  }
}

/** The refusal, and the code whose status stands in the usage log. */
const upstreamRefusal = (
  name: string,
  { detail, retryAfterSeconds, why }: UpstreamFailed
): { readonly code: InferenceCode; readonly refused: ChatRefused } => {
  const said = `upstream ${name}: ${why}: ${detail}`
  const refused =
    why === "throttled"
      ? refuse("throttled", said, { retryAfterSeconds: retryAfterSeconds ?? 1 })
      : refuse("upstream", said, { why })
  return { code: codes[why], refused }
}

const codes: Readonly<Record<UpstreamWhy, InferenceCode>> = {
  refused_input: "invalid_request",
  too_large: "file_too_large",
  throttled: "rate_limit_exceeded",
  timeout: "upstream_timeout",
  unreachable: "upstream_unavailable",
  failed: "upstream_error",
  unreadable: "upstream_error",
  unsupported: "upstream_error",
  operator: "provider_error"
}

const usedOf = (
  { model, sessionId, traceId }: ChatAsked,
  requestId: string,
  httpStatus: number,
  tokens: Tokens,
  latencyMs: number
): Used => ({
  ...amountOf(tokens),
  ...{ requestId, model, httpStatus, units: tokens.input + tokens.output, latencyMs, sessionId, traceId }
})
