/** Thinking: a streamed chat whose text is passed on as it comes. Source: docs/reference/voice-agent.md#thinking. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Models } from "../../gateway/catalogue/index.ts"
import { LlmRun, type LlmSink, llmCandidate, outputLimitField, readLlmRequest } from "../../gateway/llm/index.ts"
import { maxStreamMs } from "../../gateway/run/index.ts"
import {
  type ChatMessage,
  type ChatTool,
  type Json,
  type LlmEvent,
  type ToolCall,
  wellFormedCall
} from "../../gateway/upstreams/index.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import type { ThinkModel } from "../agent/index.ts"
import { ChatPieces } from "./ChatPieces.ts"
import { Deadline } from "./Deadline.ts"
import { type AttemptFailed, ModelFallbacks } from "./ModelFallbacks.ts"
import { type PipelineOptions, StageFailed, type ThinkRequest, type Thought } from "./Pipeline.ts"
import { maxPauseMs, maxReplyTokens } from "./PipelineSettings.ts"
import type { SessionRuns } from "./StageRuns.ts"
import type { Separated } from "./ThoughtTags.ts"

/** Passes an answer's pieces from the upstream on to the conversation. */
class ThoughtSink implements LlmSink {
  readonly #request: Pick<ThinkRequest, "onText" | "onThought">
  readonly #deadline: Deadline
  readonly pieces = new ChatPieces()
  text = ""

  constructor(request: Pick<ThinkRequest, "onText" | "onThought">, deadline: Deadline) {
    this.#request = request
    this.#deadline = deadline
  }

  get hasBegun(): boolean {
    return this.pieces.hasPieces
  }

  readonly write = (events: ReadonlyArray<LlmEvent>): Effect.Effect<void> =>
    Effect.map(Instant.now, (at) => {
      for (const event of events) this.#pass(this.pieces.push(event))
      if (this.hasBegun) this.#deadline.extend(at, maxPauseMs)
    })

  end(): void {
    this.#pass(this.pieces.end())
  }

  #pass(separated: ReadonlyArray<Separated>): void {
    for (const { kind, text } of separated) {
      if (kind === "thought") this.#request.onThought(text)
      else {
        this.text += text
        this.#request.onText(text)
      }
    }
  }
}

const messageJson = (message: ChatMessage): Json => {
  switch (message.role) {
    case "assistant":
      return {
        role: "assistant",
        content: message.text === "" && message.toolCalls.length > 0 ? null : message.text,
        ...(message.toolCalls.length === 0 ? {} : { tool_calls: message.toolCalls.map(callJson) })
      }
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text }
    default:
      return { role: message.role, content: message.text }
  }
}

const callJson = (call: ToolCall): Json => {
  const { arguments: written, id, name } = wellFormedCall(call)
  return { id, type: "function", function: { name, arguments: written } }
}

const toolJson = ({ description, name, parameters }: ChatTool): Json => ({
  type: "function",
  function: { name, description, parameters }
})

/** The chat as its public API has it. */
const chatBody = (
  { messages, tools }: Pick<ThinkRequest, "messages" | "tools">,
  { model, temperature }: ThinkModel
): Json => ({
  model,
  messages: messages.map(messageJson),
  ...(tools.length === 0 ? {} : { tools: tools.map(toolJson) }),
  ...(temperature === null ? {} : { temperature }),
  stream: true,
  stream_options: { include_usage: true }
})

const candidateFor = Effect.fnUntraced(function* (
  body: Json,
  model: Models.Model,
  sink: ThoughtSink,
  deadline: Deadline
) {
  const next = yield* Ids.source
  const freshId = (prefix: string) => `${prefix}_${next()}`
  const createdAt = Math.floor((yield* Instant.now) / Instant.second)
  const request = readLlmRequest({ api: "chat_completions", body, bytes: 0, headers: {} })
  const maxOutputTokens = Math.min(model.limits.maxOutputTokens ?? maxReplyTokens, maxReplyTokens)
  const answer = { id: freshId("chatcmpl"), freshId, createdAt }
  const run = new LlmRun({ request, model, maxOutputTokens, answer, outlet: sink, isForAgent: true })
  return {
    ...llmCandidate(run, request, model, maxOutputTokens),
    maxMs: maxStreamMs,
    work: (route) =>
      Result.map(run.workFor(route), (work) =>
        work.api === "chat_completions"
          ? { ...work, body: { ...work.body, [outputLimitField(route.model)]: maxOutputTokens } }
          : work
      ),
    run: (route, work, place) => deadline.bound(run.run(route, work, place))
  } satisfies ReturnType<typeof llmCandidate>
})

/** The thinking of a session. */
export const makeThinkStage = (
  runs: SessionRuns,
  { onWarning, timeoutMs }: Pick<PipelineOptions, "onWarning"> & { readonly timeoutMs: number }
) => {
  const fallbacks = new ModelFallbacks()

  const ask = (request: ThinkRequest, choice: ThinkModel): Effect.Effect<Thought, AttemptFailed> =>
    Effect.gen(function* () {
      const { turnId } = request
      const deadline = new Deadline(Instant.plus(yield* Instant.now, timeoutMs))
      const sink = new ThoughtSink(request, deadline)
      const ran = yield* Effect.result(
        runs.run({
          capability: "generate",
          model: choice.model,
          turnId,
          candidate: (model) => candidateFor(chatBody(request, choice), model, sink, deadline),
          answer: () => sink.end()
        })
      )
      const isBroken = Result.isFailure(ran)
      const toolCalls = isBroken ? [] : sink.pieces.toolCalls
      const isNothing = sink.text.trim() === "" && toolCalls.length === 0
      if (isBroken && isNothing) return yield* Effect.fail({ error: ran.failure, isLast: false })
      if (isNothing) return yield* Effect.fail({ error: empty, isLast: false })
      return { text: sink.text, toolCalls, model: choice.model, isBroken }
    })

  return (request: ThinkRequest): Effect.Effect<Thought, StageFailed> =>
    fallbacks.first({
      choices: request.choices,
      ask: (choice) => ask(request, choice),
      onFallback: () => onWarning("THINK_REQUEST_FAILED")
    })
}

const empty = new StageFailed({ reason: "failed", detail: "the model answered neither text nor a call" })
