/** Chunks of the chat API as the stream of the messages API. Source: docs/reference/language-models.md#translations. Pure but for its own state. */
import * as Result from "effect/Result"
import { utf8Length } from "../../../../platform/kernel/index.ts"
import { type Finish, finishOf } from "../../chat/FinishReason.ts"
import { StreamedCalls } from "../../chat/StreamedCalls.ts"
import { filledTextOf, listOf, objectOf, parseObject, textOf } from "../../JsonFields.ts"
import {
  addText,
  addTool,
  type BlockQueue,
  drain,
  emptyQueue,
  messagesEvent,
  type ToolBlock
} from "../../messages/BlockQueue.ts"
import { asMessagesUsage, chatUsage, estimatedUsage, type LlmUsage } from "../../tokens/LlmUsage.ts"
import { unreadable } from "../chat-to-messages/ChatFromMessagesAnswer.ts"
import type { AnswerContext, EventTranslator, Json, LlmEvent, Unreadable } from "../Translation.ts"
import {
  allowsThinking,
  argumentsText,
  callIdsOf,
  chatText,
  reasoningOf,
  stopReasonOf
} from "./MessagesFromChatAnswer.ts"

type Events = Result.Result<ReadonlyArray<LlmEvent>, Unreadable>

interface StreamState {
  readonly context: AnswerContext
  readonly queue: BlockQueue
  readonly tools: StreamedCalls<ToolBlock>
  started: boolean
  ended: boolean
  hasContent: boolean
  finish: Finish | null
  usage: LlmUsage | null
  outputBytes: number
}

export const messagesFromChatEvents = (context: AnswerContext): EventTranslator => {
  const queue = emptyQueue(callIdsOf(context))
  const state: StreamState = {
    context,
    queue,
    tools: new StreamedCalls(() => addTool(queue)),
    started: false,
    ended: false,
    hasContent: false,
    finish: null,
    usage: null,
    outputBytes: 0
  }
  return {
    push: ({ data, event }) => (state.ended ? Result.succeed([]) : translated(state, event, data)),
    end: () => (state.ended ? Result.succeed([]) : ending(state))
  }
}

const translated = (state: StreamState, event: string | null, data: Json): Events => {
  const { choices, error, usage } = objectOf(data) ?? {}
  if (error !== undefined || event === "error") {
    return unreadable(`the upstream reported an error: ${JSON.stringify(error ?? data)}`)
  }
  // Some servers send null for the choices of the chunk with the usage.
  if (choices !== undefined ? !Array.isArray(choices) : usage === undefined) return unreadable("a chunk has no choices")
  const first = start(state)
  state.usage = chatUsage(objectOf(usage)) ?? state.usage
  const choice = (listOf(choices) ?? []).map(objectOf).find((one) => (one?.index ?? 0) === 0)
  const added = addDelta(state, objectOf(choice?.delta) ?? {})
  state.finish = finishOf(textOf(choice?.finish_reason) ?? "") ?? state.finish
  return Result.map(added, () => [...first, ...drain(state.queue, false)])
}

const start = (state: StreamState): ReadonlyArray<LlmEvent> => {
  if (state.started) return []
  state.started = true
  const { id, model } = state.context
  const message = {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: asMessagesUsage(estimatedUsage(state.context, 0))
  }
  return [messagesEvent("message_start", { message }), messagesEvent("ping")]
}

const addDelta = (state: StreamState, delta: Json): Result.Result<unknown, Unreadable> => {
  const reasoning = reasoningOf(delta)
  if (allowsThinking(state.context)) addText(state.queue, "thinking", reasoning)
  const content = chatText(delta.content)
  state.hasContent ||= content !== ""
  // A refusal counts where there is no content.
  const text = state.hasContent ? content : chatText(delta.refusal)
  addText(state.queue, "text", text)
  state.outputBytes += utf8Length(reasoning) + utf8Length(text)
  return Result.all((listOf(delta.tool_calls) ?? []).map((call) => addCall(state, objectOf(call) ?? {})))
}

const addCall = (state: StreamState, call: Json): Result.Result<unknown, Unreadable> => {
  const called = objectOf(call.function) ?? {}
  const written = argumentsText(called.arguments)
  if (written === null) return unreadable("the arguments of a tool call are no text")
  const [id, name] = [filledTextOf(call.id), filledTextOf(called.name)]
  const tool = state.tools.of({ index: call.index, id, name })
  if (tool.closed && written.trim() !== "") return unreadable("a tool call goes on after its arguments were complete")
  tool.written += written
  tool.waiting += written
  state.outputBytes += utf8Length(written)
  return Result.succeed(tool)
}

const ending = (state: StreamState): Events => {
  const { finish, tools } = state
  const allTools = tools.all
  if (finish === null) return unreadable("the stream ended without a finish_reason")
  if (allTools.some(({ name }) => name === null)) return unreadable("a tool call has no name")
  // A limit may cut arguments off: the caller has read their beginning, as it would at the original.
  if (finish !== "length" && allTools.some(({ written }) => parseObject(written) === null)) {
    return unreadable("the arguments of a tool call are no JSON object")
  }
  state.ended = true
  const usage = state.usage ?? estimatedUsage(state.context, state.outputBytes)
  const delta = { stop_reason: stopReasonOf(finish, allTools.length > 0), stop_sequence: null }
  return Result.succeed([
    ...drain(state.queue, true),
    messagesEvent("message_delta", { delta, usage: asMessagesUsage(usage) }),
    messagesEvent("message_stop")
  ])
}
