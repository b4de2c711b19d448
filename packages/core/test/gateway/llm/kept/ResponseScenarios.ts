/** Scenarios about kept responses on SQLite in memory: the product's real services, and an upstream that the test plays. */
import type { TrunklineOptions, UpstreamProvider } from "@trunkline/core"
import { Instant, type Services } from "@trunkline/core/effect"
import {
  type GenerateAnswer,
  type GenerateWork,
  Ids,
  type Json,
  type LlmApi,
  UpstreamFailed,
  upstreamProvider
} from "@trunkline/core/provider"
import { llmBodies, llmEvents } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { InferenceRefused } from "../../../../src/gateway/errors/index.ts"
import { KeptResponses } from "../../../../src/gateway/llm/kept/KeptResponses.ts"
import { Llm, type LlmOutcome } from "../../../../src/gateway/llm/Llm.ts"
import { readLlmRequest } from "../../../../src/gateway/llm/LlmRequest.ts"
import type { ItemsQuery } from "../../../../src/gateway/llm/responses/ResponsesItems.ts"
import { type Stage, scenario } from "../../../calling/calls/Scenarios.ts"

type Answering = (work: GenerateWork) => Effect.Effect<GenerateAnswer, UpstreamFailed>

/** Says its texts in turn, the last one again and again; each answer has an item with an id of its own. */
export class FakeModel {
  readonly works: Array<GenerateWork> = []
  apis: ReadonlyArray<LlmApi> = ["responses"]
  #answering: Answering | null = null
  #texts: ReadonlyArray<string> = ["hello"]

  readonly says = (...texts: ReadonlyArray<string>): void => {
    this.#answering = null
    this.#texts = texts
  }

  readonly does = (answering: Answering): void => {
    this.#answering = answering
  }

  /** Its own answer: whole, or as a stream of which `events` may leave some. */
  answer(work: GenerateWork, events = (all: ReadonlyArray<Json>) => all): Effect.Effect<GenerateAnswer> {
    const nth = this.works.length
    const text = this.#texts[Math.min(nth, this.#texts.length) - 1] ?? ""
    const named = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("item_there", `msg_there_${nth}`))
    const { api, onEvents } = work
    if (onEvents === null) return Effect.succeed({ json: named(llmBodies[api](text)), hasEndMark: false })
    return Effect.as(
      Effect.forEach(events(named(llmEvents[api](text)).filter((event: unknown) => event !== "[DONE]")), (data) =>
        onEvents([{ event: null, data }])
      ),
      { json: null, hasEndMark: true }
    )
  }

  readonly provider: UpstreamProvider = upstreamProvider((name: string) => ({
    name,
    provider: "fake",
    servedBy: null,
    maxMs: 60_000,
    apis: this.apis,
    capabilities: {
      generate: (work) =>
        Effect.suspend(() => {
          this.works.push(work)
          return (this.#answering ?? ((one: GenerateWork) => this.answer(one)))(work)
        })
    }
  }))
}

export const failed = (why: UpstreamFailed["why"]) =>
  new UpstreamFailed({ why, detail: "it broke off", retryAfterSeconds: null, advice: null })

interface Asked {
  readonly tenantId?: Ids.AccountId
  readonly key?: string
}

export class ResponseStage {
  readonly stage: Stage
  readonly model: FakeModel

  constructor(stage: Stage, model: FakeModel) {
    this.stage = stage
    this.model = model
  }

  /** A request as the route passes it on. */
  readonly asking = (body: Json, { key, tenantId = this.stage.tenant }: Asked = {}) =>
    Effect.gen(function* () {
      const llm = yield* Llm
      const caller = {
        payer: { tenantId, plan: "pro", monthlyBudget: null, key: null },
        key: null,
        usageId: yield* Ids.fresh<"Usage">(),
        slot: null,
        requestId: "request",
        sessionId: null,
        traceId: null,
        startedAt: yield* Instant.now
      } as const
      const whole = { model: "gpt-5.4", max_output_tokens: 100, ...body }
      const bytes = JSON.stringify(whole).length
      const request = readLlmRequest({ api: "responses", body: whole, bytes, headers: {} })
      return yield* llm.run(caller, { request, idempotencyKey: key ?? null })
    })

  /** What a request comes to: the response, or of a stream its last one. */
  readonly ask = (body: Json, asked: Asked = {}): Effect.Effect<Json, unknown> =>
    Effect.map(this.text(body, asked), (text) => (body.stream === true ? lastResponse(text) : JSON.parse(text)))

  readonly text = (body: Json, asked: Asked = {}): Effect.Effect<string, unknown> =>
    this.stage.run(Effect.flatMap(this.asking(body, asked), textOf))

  readonly refused = (body: Json, asked: Asked = {}) =>
    this.stage.fails(this.asking(body, asked)) as Effect.Effect<InferenceRefused>

  readonly kept = <A, E>(
    use: (responses: KeptResponses["Service"]) => Effect.Effect<A, E, Services>
  ): Effect.Effect<A, E> => this.stage.run(KeptResponses.use(use))

  readonly get = (id: unknown, tenantId = this.stage.tenant) =>
    this.kept((responses) => responses.get(tenantId, String(id)))

  /** The code by which a response is refused; null where it is kept. */
  readonly codeOf = (id: unknown, tenantId = this.stage.tenant) =>
    Effect.match(this.get(id, tenantId), {
      onFailure: (error) => (error._tag === "InferenceRefused" ? error.code : error._tag),
      onSuccess: () => null
    })

  readonly inputItems = (id: unknown, query: Partial<ItemsQuery> = {}) =>
    this.kept((responses) =>
      responses.inputItems(this.stage.tenant, String(id), { limit: 20, order: "asc", after: null, ...query })
    )

  readonly remove = (id: unknown, tenantId = this.stage.tenant) =>
    this.kept((responses) => responses.remove(tenantId, String(id)))

  /** The input of the latest request to the upstream: its texts, or types where there are none. */
  get sent(): ReadonlyArray<string> {
    const { input } = this.model.works.at(-1)!.body
    return typeof input === "string" ? [input] : (input as ReadonlyArray<Json>).map(wordsOf)
  }
}

const wordsOf = ({ content, type }: Json): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map(({ text, type }) => text ?? type).join("|")
      : String(type)

const textOf = (outcome: LlmOutcome): Effect.Effect<string> =>
  outcome._tag === "Whole"
    ? Effect.succeed(outcome.result.response.body)
    : Effect.map(Stream.runCollect(Stream.fromQueue(outcome.outlet.queue)), (texts) => [...texts].join(""))

/** The texts of a stream, up to the first that holds `word`. */
export const textUntil = Effect.fnUntraced(function* (outcome: LlmOutcome, word: string) {
  if (outcome._tag === "Whole") return yield* Effect.die(new Error("it was answered as a whole"))
  for (let text = ""; ; ) {
    text += yield* Effect.orDie(Queue.take(outcome.outlet.queue))
    if (text.includes(word)) return text
  }
})

export const eventsOf = (text: string): ReadonlyArray<Json> =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))

export const lastResponse = (text: string): Json =>
  eventsOf(text).findLast(({ response }) => response !== undefined)!.response as Json

/** Declares a scenario; every model goes to the upstream. */
export const responseScenario = (
  title: string,
  play: (response: ResponseStage) => Generator<Effect.Effect<unknown, unknown>, void, never>,
  { apis, days }: { readonly days?: number; readonly apis?: ReadonlyArray<LlmApi> } = {}
): void => {
  const model = new FakeModel()
  if (apis !== undefined) model.apis = apis
  const models: NonNullable<TrunklineOptions["models"]> = {
    upstreams: { fake: model.provider },
    routes: { "*": { upstream: "fake" } },
    ...(days === undefined ? {} : { responsesKeptDays: days })
  }
  scenario(title, (stage) => play(new ResponseStage(stage, model)), { host: { models } })
}
