/** The stream of the messages API as chunks of the chat API. Source: docs/reference/language-models.md#translations. Pure but for its own state. */
import * as Result from "effect/Result"
import { utf8Length } from "../../../../platform/kernel/index.ts"
import { filledTextOf, objectOf, textOf } from "../../JsonFields.ts"
import { asChatUsage, estimatedUsage, laterMessagesUsage, messagesUsage } from "../../tokens/LlmUsage.ts"
import type { AnswerContext, EventTranslator, Json, LlmEvent, Unreadable } from "../Translation.ts"
import { finishReasonOf, toolUseOf, unreadable } from "./ChatFromMessagesAnswer.ts"

type Events = Result.Result<ReadonlyArray<LlmEvent>, Unreadable>

/** A `tool_use` block that is open. */
interface OpenTool {
  /** Counts tools from 0. */
  readonly nth: number
  /** Of the block's start; sent at its end where no JSON came. */
  readonly input: Json
  empty: boolean
}

interface StreamState {
  readonly context: AnswerContext
  /** By the index of their block. */
  readonly openTools: Map<unknown, OpenTool>
  toolCount: number
  started: boolean
  finished: boolean
  ended: boolean
  usage: Json | null
  outputBytes: number
}

export const chatFromMessagesEvents = (context: AnswerContext): EventTranslator => {
  const state: StreamState = {
    context,
    openTools: new Map(),
    toolCount: 0,
    started: false,
    finished: false,
    ended: false,
    usage: null,
    outputBytes: 0
  }
  return {
    push: ({ data, event }) => (state.ended ? none : translated(state, textOf(data.type) ?? event, data)),
    end: () => (state.ended ? none : ending(state))
  }
}

const none: Events = Result.succeed([])

const translated = (state: StreamState, type: string | null, data: Json): Events => {
  switch (type) {
    case "message_start":
      state.usage = objectOf(objectOf(data.message)?.usage)
      return Result.succeed(firstChunk(state))
    case "content_block_start":
      return blockStart(state, data)
    case "content_block_delta":
      return blockDelta(state, data)
    case "content_block_stop":
      return Result.succeed(blockStop(state, data.index))
    case "message_delta":
      return messageDelta(state, data)
    case "message_stop":
      return ending(state)
    case "error":
      return unreadable(`the upstream reported an error: ${JSON.stringify(data.error ?? null)}`)
    default:
      return none
  }
}

const chunkOf = ({ context: { createdAt, id, model } }: StreamState, fields: Json): LlmEvent => ({
  event: null,
  data: { id, object: "chat.completion.chunk", created: createdAt, model, ...fields }
})

const deltaChunk = (state: StreamState, delta: Json, finish_reason: string | null = null): LlmEvent =>
  chunkOf(state, { choices: [{ index: 0, delta, logprobs: null, finish_reason }] })

/** The chunk before all others, once. */
const firstChunk = (state: StreamState): ReadonlyArray<LlmEvent> => {
  if (state.started) return []
  state.started = true
  return [deltaChunk(state, { role: "assistant", content: "" })]
}

const chunks = (state: StreamState, delta: Json): ReadonlyArray<LlmEvent> => [
  ...firstChunk(state),
  deltaChunk(state, delta)
]

/** A delta of text; none where it is empty. */
const textChunks = (state: StreamState, name: "content" | "reasoning_content", value: unknown): Events => {
  const text = textOf(value)
  if (text === null) return unreadable(`an event has no text for ${name}`)
  if (text === "") return none
  state.outputBytes += utf8Length(text)
  return Result.succeed(chunks(state, { [name]: text }))
}

const blockStart = (state: StreamState, data: Json): Events => {
  const block = objectOf(data.content_block) ?? {}
  switch (block.type) {
    case "text":
      return textChunks(state, "content", block.text ?? "")
    case "thinking":
      return textChunks(state, "reasoning_content", block.thinking ?? "")
    case "tool_use":
      return Result.map(toolUseOf(block), ({ id, input, name }) => {
        const nth = state.toolCount++
        state.openTools.set(data.index, { nth, input, empty: true })
        return toolChunks(state, { index: nth, id, type: "function", function: { name, arguments: "" } })
      })
    default:
      return none
  }
}

const toolChunks = (state: StreamState, call: Json) => chunks(state, { tool_calls: [call] })

const argumentChunks = (state: StreamState, tool: OpenTool, written: string): ReadonlyArray<LlmEvent> => {
  tool.empty = false
  state.outputBytes += utf8Length(written)
  return toolChunks(state, { index: tool.nth, function: { arguments: written } })
}

const blockDelta = (state: StreamState, data: Json): Events => {
  const delta = objectOf(data.delta) ?? {}
  switch (delta.type) {
    case "text_delta":
      return textChunks(state, "content", delta.text)
    case "thinking_delta":
      return textChunks(state, "reasoning_content", delta.thinking)
    case "input_json_delta": {
      const tool = state.openTools.get(data.index)
      const written = textOf(delta.partial_json ?? "")
      if (tool === undefined || written === null) return unreadable("an input_json_delta has no block or no text")
      return Result.succeed(written === "" ? [] : argumentChunks(state, tool, written))
    }
    default:
      return none
  }
}

/** A tool without JSON has the input that its block began with. */
const blockStop = (state: StreamState, index: unknown): ReadonlyArray<LlmEvent> => {
  const tool = state.openTools.get(index)
  state.openTools.delete(index)
  return tool?.empty === true ? argumentChunks(state, tool, JSON.stringify(tool.input)) : []
}

const messageDelta = (state: StreamState, data: Json): Events => {
  state.usage = laterMessagesUsage(state.usage, objectOf(data.usage))
  const reason = filledTextOf(objectOf(data.delta)?.stop_reason)
  if (reason === null || state.finished) return none
  return Result.map(finishReasonOf(reason), (finish) => {
    state.finished = true
    const open = [...state.openTools.keys()].flatMap((index) => blockStop(state, index))
    return [...firstChunk(state), ...open, deltaChunk(state, {}, finish)]
  })
}

const ending = (state: StreamState): Events => {
  if (!state.finished) return unreadable("the stream ended without a stop_reason")
  state.ended = true
  const asked = objectOf(state.context.request.stream_options)?.include_usage === true
  const usage = messagesUsage(state.usage) ?? estimatedUsage(state.context, state.outputBytes)
  return Result.succeed(asked ? [chunkOf(state, { choices: [], usage: asChatUsage(usage) })] : [])
}
