/** An agent's answer to a conversation: a model with the agent's prompt, which searches the agent's knowledge as it needs. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ModelCatalogue } from "../../gateway/catalogue/index.ts"
import { ChatModel, ChatReason, type ChatRefused } from "../../gateway/run/index.ts"
import type { ChatMessage, ChatTool } from "../../gateway/upstreams/index.ts"
import type { Money, Payer } from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../AgentsIds.ts"
import type { Bot } from "../bots/BotStore.ts"
import { Knowledge } from "../bots/Knowledge.ts"
import { closingPromptOf, type HistoryMessage, type PromptContext, promptOf, replyOf } from "./AgentPrompt.ts"
import { fault, searchTool, type ToolUse, toolbox } from "./AgentTools.ts"

/**
 * There is no answer. `silent`: the model had nothing to say. `timeout`: its upstream took too long. The others are
 * `ChatRefused`'s. `detail` is for the operator's log.
 */
export class AgentFailed extends Schema.TaggedError<AgentFailed>()("AgentFailed", {
  reason: Schema.Literals([...ChatReason.literals, "timeout", "silent"]),
  detail: Schema.String,
  /** Whether a retry of the same turn may succeed. */
  isRetryable: Schema.Boolean,
  /** The wait before; null where the upstream names none. */
  retryAfterSeconds: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return this.detail
  }
}

export interface AgentAsked {
  readonly bot: Pick<Bot, "id" | "systemPrompt" | "config">
  /** The account. No key pays for an agent: the plan's calls, the credit and the monthly budget apply, limits of keys do not. */
  readonly payer: Omit<Payer, "key">
  /** The trace of the turn's runs in the usage log. */
  readonly turnId: Ids.TurnId
  /** The session of the conversation's runs; null where no customer is in it. */
  readonly conversationId: Ids.ConversationId | null
  /** Oldest first. */
  readonly history: ReadonlyArray<HistoryMessage>
}

/** Which model answers for an agent: its own, from `config.model`, or the catalogue's default. Source: docs/reference/messaging.md#model. */
export const modelOf = (
  { config }: Pick<Bot, "config">,
  { defaultModels }: Pick<ModelCatalogue["Service"], "defaultModels">
): string => (typeof config.model === "string" && config.model.trim() !== "" ? config.model.trim() : defaultModels.llm)

/** Whether an agent can answer pictures. Source: docs/reference/messaging.md#model. */
export const seesImages = (
  bot: Pick<Bot, "config">,
  catalogue: Pick<ModelCatalogue["Service"], "get" | "defaultModels">
): boolean => catalogue.get(modelOf(bot, catalogue))?.vision ?? false

/** Answers that ask for tools; after them the model must reply. */
const maxRounds = 4
/** Calls of tools in one answer. */
const maxCalls = 8
/** About four messages of full length; models that think count their thoughts as well. */
const maxOutputTokens = 4096

/** What an agent says next, and how it has come to it. */
export interface AgentAnswer {
  /** Never empty. */
  readonly text: string
  readonly model: string
  readonly tools: ReadonlyArray<ToolUse>
  /** Of all runs. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: Money.Nano
}

export interface Agent {
  /**
   * What the agent says next. Runs the model up to five times, each of them billed. The caller bounds the time:
   * an interruption ends the model's work and releases what it reserved. Source: docs/reference/messaging.md#agent.
   */
  readonly answer: (asked: AgentAsked) => Effect.Effect<AgentAnswer, AgentFailed | StorageError>
}

export const makeAgent = Effect.gen(function* () {
  const catalogue = yield* ModelCatalogue
  const chat = yield* ChatModel
  const knowledge = yield* Knowledge

  const answer = Effect.fnUntraced(function* (asked: AgentAsked) {
    const { bot, conversationId, history, payer, turnId } = asked
    const context: PromptContext = { bot, at: yield* Instant.now, history, seesImages: seesImages(bot, catalogue) }
    const prompt = promptOf(context)
    const tools = toolbox(knowledge, bot.id)
    const model = modelOf(bot, catalogue)
    const used = { inputTokens: 0, outputTokens: 0, cost: 0n as Money.Nano }
    const run = Effect.fnUntraced(function* (messages: ReadonlyArray<ChatMessage>, offered: ReadonlyArray<ChatTool>) {
      const ran = yield* Effect.catchTag(
        chat.run({
          messages,
          tools: offered,
          maxOutputTokens,
          model,
          payer: { ...payer, key: null },
          sessionId: conversationId,
          traceId: turnId
        }),
        "ChatRefused",
        (refused) => Effect.fail(failedBy(refused))
      )
      used.inputTokens += ran.used.inputTokens
      used.outputTokens += ran.used.outputTokens
      used.cost += ran.cost
      return ran
    })
    const answered = (said: string) =>
      Effect.map(spoken(said), (text): AgentAnswer => ({ text, model, tools: tools.uses(), ...used }))

    const worked: Array<ChatMessage> = []
    for (let round = 0; round < maxRounds; round++) {
      const { text, toolCalls } = yield* run([...prompt, ...worked], [searchTool])
      if (toolCalls.length === 0) return yield* answered(text)
      worked.push({ role: "assistant", text, toolCalls })
      for (const [nth, call] of toolCalls.entries()) {
        const result = nth < maxCalls ? yield* tools.use(call) : fault(`At most ${maxCalls} calls at a time.`)
        worked.push({ role: "tool", callId: call.id, text: result })
      }
    }
    return yield* answered((yield* run(closingPromptOf(context, tools.found()), [])).text)
  })

  return { answer } satisfies Agent
})

const spoken = (text: string): Effect.Effect<string, AgentFailed> => {
  const reply = replyOf(text)
  return reply === ""
    ? Effect.fail(
        // A model that decides to say nothing decides so again.
        new AgentFailed({
          reason: "silent",
          detail: "the model said nothing",
          isRetryable: false,
          retryAfterSeconds: null
        })
      )
    : Effect.succeed(reply)
}

/** An upstream that refuses a request, or us, refuses it again; everything else may pass. */
const failedBy = ({ detail, reason, retryAfterSeconds, why }: ChatRefused): AgentFailed => {
  const passes = why === "timeout" || why === "unreachable" || why === "failed" || why === "unreadable"
  return new AgentFailed({
    reason: why === "timeout" ? why : reason,
    detail,
    isRetryable: reason === "throttled" || passes,
    retryAfterSeconds
  })
}
