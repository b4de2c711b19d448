/** `system` and `messages` of a messages request as the messages of the chat API. Pure. */
import * as Result from "effect/Result"
import { listOf, objectOf } from "./JsonFields.ts"
import { blockFields, messagesPart, type Part, textOfBlock } from "./MessagesBlocks.ts"
import { eachAt, objectAt, refuse, refuseField, type Translated, textAt } from "./RequestFields.ts"
import type { Json } from "./Translation.ts"

/** The separator of blocks that become one text. */
const emptyLine = "\n\n"

export const messagesConversation = ({ messages, system }: Json): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const first = system === undefined ? "" : yield* systemTextAt(system, "system")
    const turns = yield* eachAt(messages, "messages", turnsAt)
    return [...(first === "" ? [] : [{ role: "system", content: first }]), ...turns.flat()]
  })

const systemTextAt = (content: unknown, at: string): Translated<string> => {
  if (typeof content === "string") return Result.succeed(content)
  if (!Array.isArray(content)) return refuse(at, `\`${at}\` must be a text or a list of text blocks.`)
  return Result.map(eachAt(content, at, textOfBlock), (texts) => texts.join(emptyLine))
}

const turnsAt = (value: unknown, at: string): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const { content, role } = yield* objectAt(value, at, ["role", "content"])
    const inside = `${at}.content`
    switch (role) {
      case "system":
        return [{ role, content: yield* systemTextAt(content, inside) }]
      case "user":
        return typeof content === "string" ? [{ role, content }] : yield* userTurns(content, inside)
      case "assistant":
        return [typeof content === "string" ? assistantTurn([content], []) : yield* assistantAt(content, inside)]
      default:
        return yield* refuse(`${at}.role`, `\`${at}.role\` must be \`user\`, \`assistant\` or \`system\`.`)
    }
  })

const isResult = (block: unknown) => objectOf(block)?.type === "tool_result"

/** Results of tools come first: the chat API requires them right after the calls. */
const userTurns = (content: unknown, at: string): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const blocks = listOf(content)
    if (blocks === null) return yield* refuse(at, `\`${at}\` must be a text or a list of blocks.`)
    const placed = blocks.map((block, nth) => ({ block, at: `${at}[${nth}]` }))
    const results = yield* Result.all(
      placed.filter(({ block }) => isResult(block)).map(({ at, block }) => resultAt(block, at))
    )
    const parts = yield* Result.all(
      placed.filter(({ block }) => !isResult(block)).map(({ at, block }) => messagesPart(block, at))
    )
    return parts.length === 0 && results.length > 0
      ? results
      : [...results, { role: "user", content: asContent(parts) }]
  })

const asContent = (parts: ReadonlyArray<Part>): string | ReadonlyArray<Part> =>
  parts.every(({ type }) => type === "text") ? parts.map(({ text }) => text).join(emptyLine) : parts

const resultAt = (value: unknown, at: string): Translated<Json> =>
  Result.gen(function* () {
    const known = ["type", "tool_use_id", "content", "is_error", "cache_control"]
    const { content, is_error, tool_use_id } = yield* objectAt(value, at, known)
    const texts = typeof content === "string" ? [content] : yield* eachAt(content, `${at}.content`, textOfBlock)
    return {
      role: "tool",
      tool_call_id: yield* textAt(tool_use_id, `${at}.tool_use_id`),
      content: `${is_error === true ? "Error: " : ""}${texts.join("")}`
    }
  })

const assistantTurn = (texts: ReadonlyArray<string>, calls: ReadonlyArray<Json>): Json => {
  const text = texts.join("")
  const content = text === "" ? null : text
  return { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
}

const assistantAt = (content: unknown, at: string): Translated<Json> =>
  Result.gen(function* () {
    if (listOf(content) === null) return yield* refuse(at, `\`${at}\` must be a text or a list of blocks.`)
    const blocks = (yield* eachAt(content, at, assistantBlock)).filter((block) => block !== null)
    const texts = blocks.filter((block) => typeof block === "string")
    return assistantTurn(
      texts,
      blocks.filter((block) => typeof block !== "string")
    )
  })

/** A text, a call, or null: what a model thinks belongs to the model that wrote it. */
const assistantBlock = (value: unknown, at: string): Translated<string | Json | null> => {
  switch (objectOf(value)?.type) {
    case "text":
      return textOfBlock(value, at)
    case "tool_use":
      return callAt(value, at)
    case "thinking":
    case "redacted_thinking":
      return Result.succeed(null)
    default:
      return refuse(at, "This model takes blocks of text and tool calls in an assistant's message. Remove other ones.")
  }
}

/** Without a generator: there may be tens of thousands of them. */
const callAt = (value: unknown, at: string): Translated<Json> =>
  Result.flatMap(objectAt(value, at, callFields), ({ caller, id, input, name }) => {
    if (caller !== undefined && objectOf(caller)?.type !== "direct") return refuseField(`${at}.caller`)
    if (objectOf(input ?? {}) === null) return refuse(`${at}.input`, `\`${at}.input\` must be an object.`)
    return Result.flatMap(textAt(id, `${at}.id`), (id) =>
      Result.map(textAt(name, `${at}.name`), (name) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(input ?? {}) }
      }))
    )
  })

const callFields = [...blockFields, "id", "name", "input", "caller"]
