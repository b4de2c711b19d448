/** One run of the model that answers a turn: it thinks, calls functions, and thinks again. Source: docs/voice-agent.md#functions. */
import * as Effect from "effect/Effect"
import type { ChatMessage, ChatTool, ToolCall } from "../inference/index.ts"
import type { Ids } from "../kernel/index.ts"
import { type AgentSettings, functionFaults } from "../voice-agent/index.ts"
import type { SessionPipeline, StageFailed, Thought } from "../voice-pipeline/index.ts"

/** Rounds of functions in a reply; after them the model must answer. */
const maxRounds = 4
/** Calls in one round. */
const maxCalls = 8

/** What has come of a call. */
export interface CallResult {
  /** For the model: data, no instructions. */
  readonly content: string
  /** What follows once the reply has been played. */
  readonly after: "end" | "transfer" | null
}

/** The functions of a session: the host's and the built-in ones. */
export interface FunctionTable {
  readonly offered: () => ReadonlyArray<ChatTool>
  /**
   * Runs the calls of one round, side by side, and returns their results in the same order. It has no error: what is wrong is a
   * result. An interruption cancels those that wait.
   */
  readonly run: (turnId: Ids.TurnId, calls: ReadonlyArray<ToolCall>) => Effect.Effect<ReadonlyArray<CallResult>>
}

export interface ReplyRunOptions {
  readonly turnId: Ids.TurnId
  readonly settings: AgentSettings
  readonly pipeline: Pick<SessionPipeline, "think">
  readonly functions: FunctionTable
  /** The system's message and the history, the caller's words last. */
  readonly messages: ReadonlyArray<ChatMessage>
  readonly onText: (text: string) => void
  readonly onThought: (text: string) => void
  readonly onFunctions: (areRunning: boolean) => void
}

export interface RunEnded {
  readonly model: string
  readonly after: "end" | "transfer" | null
}

const tooMany: CallResult = { content: functionFaults.tooMany(maxCalls).content, after: null }

/** Where a sentence of the last round ends and the next round begins, the words must not run into each other. */
const gap = "\n"

/** Runs until the model has answered without a call. */
export const replyRun = (options: ReplyRunOptions): Effect.Effect<RunEnded, StageFailed> =>
  Effect.gen(function* () {
    const { functions, messages, onFunctions, onText, turnId } = options
    const worked: Array<ChatMessage> = []
    let after: RunEnded["after"] = null
    for (let round = 0; ; round++) {
      const thought = yield* think(options, [...messages, ...worked], round < maxRounds ? functions.offered() : [])
      const { isBroken, model, text, toolCalls } = thought
      if (toolCalls.length === 0 || isBroken || round >= maxRounds) return { model, after }
      if (text !== "") onText(gap)
      onFunctions(true)
      const ran = yield* functions.run(turnId, toolCalls.slice(0, maxCalls))
      onFunctions(false)
      worked.push({ role: "assistant", text, toolCalls })
      for (const [nth, call] of toolCalls.entries()) {
        const result = ran[nth] ?? tooMany
        after = result.after ?? after
        worked.push({ role: "tool", callId: call.id, text: result.content })
      }
      // A call that ends the conversation after words that were spoken needs no further answer.
      if (after !== null && text.trim() !== "") return { model, after }
    }
  })

const think = (
  { onText, onThought, pipeline, settings, turnId }: ReplyRunOptions,
  messages: ReadonlyArray<ChatMessage>,
  tools: ReadonlyArray<ChatTool>
): Effect.Effect<Thought, StageFailed> =>
  pipeline.think({ turnId, choices: settings.think, messages, tools, onText, onThought })
