/** `system` and `messages` of a messages request as the messages of the chat API. Pure. */
import * as Result from "effect/Result"
import {
  type AssistantPart,
  type ChatEntry,
  inChatOrder,
  namedPictures,
  type ToolResult
} from "../../chat/ChatOrder.ts"
import { listOf, objectOf, textOf } from "../../JsonFields.ts"
import { eachAt, objectAt, refuse, refuseField, type Translated, textAt } from "../RequestFields.ts"
import type { Json } from "../Translation.ts"
import { blockFields, isOurThinking, messagesPart, type Part, textOfBlock } from "./MessagesBlocks.ts"

/** The separator of blocks that become one text. */
const emptyLine = "\n\n"

export const messagesConversation = ({ messages, system }: Json): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const first = system === undefined ? "" : yield* systemTextAt(system, "system")
    const entries = yield* eachAt(messages, "messages", entriesAt)
    const turns = inChatOrder(entries.flat(), true)
    if (turns.length === 0) {
      return yield* refuse("messages", "This model needs at least one message that is not empty. Send one of the user.")
    }
    return [...(first === "" ? [] : [{ role: "system", content: first }]), ...turns]
  })

const systemTextAt = (content: unknown, at: string): Translated<string> => {
  if (typeof content === "string") return Result.succeed(content)
  if (!Array.isArray(content)) return refuse(at, `\`${at}\` must be a text or a list of text blocks.`)
  return Result.map(eachAt(content, at, textOfBlock), (texts) => texts.join(emptyLine))
}

const entriesAt = (value: unknown, at: string): Translated<ReadonlyArray<ChatEntry>> =>
  Result.gen(function* () {
    const { content, role } = yield* objectAt(value, at, ["role", "content"])
    const inside = `${at}.content`
    switch (role) {
      case "system":
        return [{ role, content: yield* systemTextAt(content, inside) }]
      case "user":
        return typeof content === "string" ? [{ role, content }] : yield* userEntries(content, inside)
      case "assistant":
        return typeof content === "string" ? [{ ...nothing, text: content }] : yield* assistantAt(content, inside)
      default:
        return yield* refuse(`${at}.role`, `\`${at}.role\` must be \`user\`, \`assistant\` or \`system\`.`)
    }
  })

const isResult = (block: unknown) => objectOf(block)?.type === "tool_result"

/** Results of tools come first, with their pictures at the beginning of what the user says. */
const userEntries = (content: unknown, at: string): Translated<ReadonlyArray<ChatEntry>> =>
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
    const said = [...results.flatMap(({ pictures }) => pictures), ...parts]
    const withoutPictures = results.map((result) => ({ ...result, pictures: [] }))
    return said.length === 0 && results.length > 0
      ? withoutPictures
      : [...withoutPictures, { role: "user", content: asContent(said) }]
  })

const asContent = (parts: ReadonlyArray<Json>): string | ReadonlyArray<Json> =>
  parts.every(({ type }) => type === "text") ? parts.map(({ text }) => text).join(emptyLine) : parts

const resultFields = ["type", "tool_use_id", "content", "is_error", "cache_control"]

const resultAt = (value: unknown, at: string): Translated<ToolResult> =>
  Result.gen(function* () {
    const { content, is_error, tool_use_id } = yield* objectAt(value, at, resultFields)
    const callId = yield* textAt(tool_use_id, `${at}.tool_use_id`)
    const parts = typeof content === "string" ? [] : yield* eachAt(content, `${at}.content`, resultPart)
    const texts = typeof content === "string" ? [content] : parts.filter(isText).map(({ text }) => text)
    return {
      role: "tool",
      callId,
      text: `${is_error === true ? "Error: " : ""}${texts.join("")}`,
      pictures: namedPictures(
        callId,
        parts.filter((part) => !isText(part))
      )
    }
  })

const isText = ({ type }: Part): boolean => type === "text"

/** Texts and pictures: the chat API has no place for others. */
const resultPart = (block: unknown, at: string): Translated<Part> =>
  objectOf(block)?.type === "image"
    ? messagesPart(block, at)
    : Result.map(textOfBlock(block, at), (text) => ({ type: "text", text }))

const nothing: AssistantPart = { role: "assistant", text: "", reasoning: "", calls: [] }

const assistantAt = (content: unknown, at: string): Translated<ReadonlyArray<AssistantPart>> =>
  listOf(content) === null
    ? refuse(at, `\`${at}\` must be a text or a list of blocks.`)
    : eachAt(content, at, assistantBlock)

/** A part of the turn. What another model thinks, with its signature, belongs to that model. */
const assistantBlock = (value: unknown, at: string): Translated<AssistantPart> => {
  const block = objectOf(value)
  switch (block?.type) {
    case "text":
      return Result.map(textOfBlock(value, at), (text) => ({ ...nothing, text }))
    case "tool_use":
      return Result.map(callAt(value, at), (call) => ({ ...nothing, calls: [call] }))
    case "thinking":
      return Result.succeed({ ...nothing, reasoning: isOurThinking(block) ? (textOf(block.thinking) ?? "") : "" })
    case "redacted_thinking":
      return Result.succeed(nothing)
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
