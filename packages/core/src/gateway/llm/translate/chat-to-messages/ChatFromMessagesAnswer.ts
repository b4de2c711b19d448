/** An answer of the messages API as one of the chat API. Source: docs/reference/language-models.md#translations. Pure. */
import * as Result from "effect/Result"
import { utf8Length } from "../../../../platform/kernel/index.ts"
import { filledTextOf, listOf, objectOf, textOf } from "../../JsonFields.ts"
import { asChatUsage, estimatedUsage, messagesUsage } from "../../tokens/LlmUsage.ts"
import { type AnswerContext, type Json, Unreadable } from "../Translation.ts"

export const unreadable = (detail: string): Result.Result<never, Unreadable> => Result.fail(new Unreadable({ detail }))

const finishReasons: ReadonlyMap<unknown, string> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"]
])

/** A word that nobody knows is no success. */
export const finishReasonOf = (stopReason: unknown): Result.Result<string, Unreadable> => {
  const finish = finishReasons.get(stopReason ?? "end_turn")
  return finish === undefined ? unreadable("the answer ended with an unknown stop_reason") : Result.succeed(finish)
}

export const chatFromMessagesAnswer = (answer: Json, context: AnswerContext): Result.Result<Json, Unreadable> =>
  Result.gen(function* () {
    const blocks = listOf(answer.content)
    if (blocks === null) return yield* unreadable("the answer has no content")
    const pieces = yield* Result.all(blocks.map(pieceOf))
    const finish_reason = yield* finishReasonOf(answer.stop_reason)
    const usage = messagesUsage(objectOf(answer.usage)) ?? estimatedUsage(context, bytesOf(pieces))
    return {
      id: context.id,
      object: "chat.completion",
      created: context.createdAt,
      model: context.model,
      choices: [{ index: 0, message: messageOf(pieces), logprobs: null, finish_reason }],
      usage: asChatUsage(usage)
    }
  })

/** A block of the answer in the form that the chat API has for it. */
interface Piece {
  readonly text?: string
  readonly reasoning?: string
  readonly call?: { readonly id: string; readonly name: string; readonly written: string }
}

const pieceOf = (value: unknown): Result.Result<Piece, Unreadable> => {
  const block = objectOf(value) ?? {}
  switch (block.type) {
    case "text":
      return fieldOf(block.text, "text", (text) => ({ text }))
    case "thinking":
      return fieldOf(block.thinking, "thinking", (reasoning) => ({ reasoning }))
    case "tool_use":
      return Result.map(toolUseOf(block), ({ id, input, name }) => ({
        call: { id, name, written: JSON.stringify(input) }
      }))
    default:
      // Encrypted thoughts, and blocks of tools that no request can have.
      return Result.succeed({})
  }
}

const fieldOf = (value: unknown, name: string, piece: (text: string) => Piece): Result.Result<Piece, Unreadable> => {
  const text = textOf(value)
  return text === null ? unreadable(`a block has no ${name}`) : Result.succeed(piece(text))
}

/** What identifies a call, and its input so far. */
export const toolUseOf = ({ id, input, name }: Json) => {
  const [filledId, filledName, object] = [filledTextOf(id), filledTextOf(name), objectOf(input ?? {})]
  return filledId === null || filledName === null || object === null
    ? unreadable("a tool_use block has no id, no name or no input")
    : Result.succeed({ id: filledId, name: filledName, input: (input ?? {}) as Json })
}

const joined = (pieces: ReadonlyArray<Piece>, name: "text" | "reasoning"): string =>
  pieces.map((piece) => piece[name] ?? "").join("")

const messageOf = (pieces: ReadonlyArray<Piece>): Json => {
  const [content, reasoning] = [joined(pieces, "text"), joined(pieces, "reasoning")]
  const calls = pieces.flatMap(({ call }) => call ?? [])
  return {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCallOf) })
  }
}

const toolCallOf = ({ id, name, written }: NonNullable<Piece["call"]>): Json => ({
  id,
  type: "function",
  function: { name, arguments: written }
})

const bytesOf = (pieces: ReadonlyArray<Piece>): number =>
  pieces
    .map(({ call, reasoning = "", text = "" }) => utf8Length(`${text}${reasoning}${call?.written ?? ""}`))
    .reduce((sum, bytes) => sum + bytes, 0)
