/** One run of the model that answers a turn: it thinks, calls functions, and thinks again. Source: docs/reference/voice-agent.md#functions. */
import * as Effect from "effect/Effect"
import type { ChatMessage, ChatTool, ToolCall } from "../../gateway/upstreams/index.ts"
import type { AgentSettings } from "../agent/index.ts"
import type { SessionPipeline, StageFailed, Thought } from "../stages/index.ts"
import type { EndedCall } from "../turns/index.ts"
import type * as Ids from "../VoiceIds.ts"

/** Rounds of functions in a reply; after them the model must answer. */
const maxRounds = 4
/** What has come of a call. */
export interface CallResult {
  /** For the model: data, no instructions. */
  readonly content: string
  /** What follows once the reply has been played. */
  readonly after: "end" | "transfer" | null
}

/** A call as the model reads it again: under an id that no other call of the session has. */
export interface AnsweredCall extends CallResult {
  readonly call: ToolCall
}

/** The functions of a session: the host's and the built-in ones. */
export interface FunctionTable {
  readonly offered: () => ReadonlyArray<ChatTool>
  /**
   * Runs the calls of one round, side by side, and returns their results in the same order. It has no error: a fault is a
   * result. `onEnded` hears of each that was carried out as soon as it has ended. An interruption cancels those that wait, and
   * returns once those have ended that cannot be cancelled.
   */
  readonly run: (
    calls: ReadonlyArray<ToolCall>,
    onEnded: (call: EndedCall) => void
  ) => Effect.Effect<ReadonlyArray<AnsweredCall>>
}

interface ReplyRunOptions {
  readonly turnId: Ids.TurnId
  readonly settings: AgentSettings
  readonly pipeline: Pick<SessionPipeline, "think">
  readonly functions: FunctionTable
  /** The system's message and the history, the caller's words last. */
  readonly messages: () => ReadonlyArray<ChatMessage>
  /** Completes when what was said and done so far is stored: the model is asked after that. */
  readonly stored: Effect.Effect<void>
  readonly onText: (text: string) => void
  readonly onThought: (text: string) => void
  readonly onFunctions: (areRunning: boolean) => void
  readonly onCallEnded: (call: EndedCall) => void
}

export interface RunEnded {
  readonly model: string
  readonly after: "end" | "transfer" | null
}

/** Where a sentence of the last round ends and the next round begins, the words must not run into each other. */
const gap = "\n"

/** Runs until the model has answered without a call. */
export const replyRun = (options: ReplyRunOptions): Effect.Effect<RunEnded, StageFailed> =>
  Effect.gen(function* () {
    const { functions, onCallEnded, onFunctions, onText, stored } = options
    yield* stored
    const messages = options.messages()
    const worked: Array<ChatMessage> = []
    let after: RunEnded["after"] = null
    for (let round = 0; ; round++) {
      const thought = yield* think(options, [...messages, ...worked], round < maxRounds ? functions.offered() : [])
      const { isBroken, model, text, toolCalls } = thought
      if (toolCalls.length === 0 || isBroken || round >= maxRounds) return { model, after }
      if (text !== "") onText(gap)
      onFunctions(true)
      const answered = yield* functions.run(toolCalls, onCallEnded)
      yield* stored
      onFunctions(false)
      worked.push({ role: "assistant", text, toolCalls: answered.map(({ call }) => call) })
      for (const { after: next, call, content } of answered) {
        after = next ?? after
        worked.push({ role: "tool", callId: call.id, text: content })
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
