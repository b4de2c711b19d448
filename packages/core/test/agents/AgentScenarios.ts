/** Scenarios about agents' answers on SQLite in memory: the product's real services, and a model that the test plays. */
import type { TrunklineOptions } from "@trunkline/core"
import { Ids, Knowledge, type Services, UsageLog } from "@trunkline/core/effect"
import type { UsageRow } from "@trunkline/core/testing"
import { FakeChat } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import { type AgentAsked, type AgentFailed, makeAgent } from "../../src/agents/replying/index.ts"
import { ChatModel, type ChatRefused, type ChatRequest } from "../../src/gateway/run/index.ts"
import { type Stage, scenario } from "../calling/calls/Scenarios.ts"

export const botId = Ids.as<"Bot">("01936f00-0000-7000-8000-000000000001")
export const turnId = Ids.as<"Turn">("01936f00-0000-7000-8000-000000000002")
export const conversationId = Ids.as<"Conversation">("01936f00-0000-7000-8000-000000000003")

const entryId = Ids.as<"Knowledge">("01936f00-0000-7000-8000-0000000000aa")

type Plan = AgentAsked["payer"]["plan"]

export class AgentStage {
  readonly stage: Stage
  readonly model = new FakeChat()
  /** What was looked up, in order. */
  readonly searches: Array<string> = []
  /** What is found, whatever is asked. */
  entries: ReadonlyArray<{ readonly title: string; readonly snippet: string }> = []

  constructor(stage: Stage, model: FakeChat) {
    this.stage = stage
    this.model = model
  }

  /** Has the agent search a knowledge that the test plays. */
  readonly #onKnowledge = Effect.updateService(Knowledge, (real) => ({
    ...real,
    search: (_: Ids.BotId, question: string) =>
      Effect.sync(() => {
        this.searches.push(question)
        return this.entries.map((entry) => ({ ...entry, id: entryId, score: 0.5 }))
      })
  }))

  #payer(plan: Plan, monthlyBudget: bigint | null = null) {
    return { tenantId: this.stage.tenant, plan, monthlyBudget }
  }

  /** One run of a model. */
  readonly running = (
    asked: Partial<ChatRequest> & { readonly plan?: Plan; readonly monthlyBudget?: bigint } = {}
  ): Effect.Effect<{ readonly text: string }, ChatRefused | { readonly _tag: "StorageError" }, Services> => {
    const { monthlyBudget, plan = "free", ...over } = asked
    const messages = [{ role: "user", text: "hi", images: [] }] as const
    return ChatModel.use((chat) =>
      chat.run({
        ...{ payer: { ...this.#payer(plan, monthlyBudget), key: null }, model: "oss-120b", messages, tools: [] },
        ...{ maxOutputTokens: 100, sessionId: conversationId, traceId: turnId },
        ...over
      })
    )
  }

  readonly run = (asked: Parameters<AgentStage["running"]>[0] = {}) => this.stage.run(this.running(asked))
  readonly refused = (asked: Parameters<AgentStage["running"]>[0] = {}) =>
    this.stage.fails(this.running(asked)) as Effect.Effect<ChatRefused>

  /** An answer to a conversation. */
  readonly answering = (
    text: string,
    {
      config = {},
      plan = "free",
      ...more
    }: Partial<Pick<AgentAsked, "history">> & {
      readonly config?: AgentAsked["bot"]["config"]
      readonly plan?: Plan
    } = {}
  ): Effect.Effect<string, AgentFailed | { readonly _tag: "StorageError" }, Services> =>
    Effect.flatMap(makeAgent, (agent) =>
      Effect.map(
        agent.answer({
          ...{
            bot: { id: botId, systemPrompt: "You sell tea.", config },
            payer: this.#payer(plan),
            turnId,
            conversationId
          },
          ...{ history: more.history ?? [{ role: "user", text, images: [] }] }
        }),
        ({ text }) => text
      )
    ).pipe(this.#onKnowledge)

  readonly answer = (...asked: Parameters<AgentStage["answering"]>) => this.stage.run(this.answering(...asked))
  readonly silent = (...asked: Parameters<AgentStage["answering"]>) =>
    this.stage.fails(this.answering(...asked)) as Effect.Effect<AgentFailed>

  /** Of the usage log, oldest first. */
  readonly rows: Effect.Effect<ReadonlyArray<UsageRow>> = Effect.suspend(() =>
    Effect.orDie(
      this.stage.run(
        UsageLog.use((log) =>
          log.list(
            this.stage.tenant,
            { service: null, model: null, keyId: null, sessionId: null, traceId: null, from: null, to: null },
            { limit: 1000, offset: 0 }
          )
        )
      )
    ).pipe(Effect.map(({ items }) => items.toReversed()))
  )
}

/** Declares a scenario; every model goes to the one that the test plays unless the routes say otherwise. */
export const agentScenario = (
  title: string,
  play: (agent: AgentStage) => Generator<Effect.Effect<unknown, unknown>, void, never>,
  {
    catalogue,
    routes = { "*": { upstream: "fake" } }
  }: {
    readonly catalogue?: unknown
    readonly routes?: NonNullable<TrunklineOptions["models"]>["routes"]
  } = {}
): void => {
  const model = new FakeChat()
  scenario(title, (stage) => play(new AgentStage(stage, model)), {
    host: { models: { upstreams: { fake: model.provider }, routes, ...(catalogue === undefined ? {} : { catalogue }) } }
  })
}
