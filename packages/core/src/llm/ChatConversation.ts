/** The messages of a chat request as `system` and `messages` of the messages API. Pure. */
import * as Result from "effect/Result"
import { chatBlock, textBlocks } from "./ChatParts.ts"
import { objectOf, parseObject } from "./JsonFields.ts"
import { eachAt, objectAt, refuse, type Translated, textAt } from "./RequestFields.ts"
import type { Json } from "./Translation.ts"

/** A message of the chat API in the form that it has in the other one. */
type Entry =
  | { readonly _tag: "System"; readonly texts: ReadonlyArray<string> }
  | { readonly _tag: "Result"; readonly block: Json }
  | { readonly _tag: "User"; readonly content: string | ReadonlyArray<Json> }
  | { readonly _tag: "Assistant"; readonly content: ReadonlyArray<Json> }

interface Conversation {
  readonly system: string | ReadonlyArray<Json> | null
  readonly messages: ReadonlyArray<Json>
}

export const chatConversation = (messages: unknown): Translated<Conversation> =>
  Result.map(eachAt(messages, "messages", entryOf), (entries) => ({
    system: systemOf(entries.flatMap((entry) => (entry._tag === "System" ? entry.texts : []))),
    messages: turnsOf(entries)
  }))

const systemOf = (texts: ReadonlyArray<string>): Conversation["system"] => {
  const filled = texts.filter((text) => text !== "")
  return filled.length > 1 ? filled.flatMap(textBlocks) : (filled[0] ?? null)
}

/** Results in a row are one message of the user, to which the user's message after them is joined. */
const turnsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Json> => {
  const turns: Array<{ readonly role: string; readonly content: string | ReadonlyArray<Json> }> = []
  let open: Array<Json> | null = null
  for (const entry of entries) {
    if (entry._tag === "System") continue
    if (entry._tag === "Result") {
      if (open === null) {
        open = []
        turns.push({ role: "user", content: open })
      }
      open.push(entry.block)
      continue
    }
    const { content } = entry
    // The messages API refuses a message without blocks, which has nothing to lose.
    if (entry._tag === "Assistant" && content.length === 0) continue
    if (entry._tag === "User" && open !== null) {
      open.push(...(typeof content === "string" ? textBlocks(content) : content))
    } else {
      turns.push({ role: entry._tag === "User" ? "user" : "assistant", content })
    }
    open = null
  }
  return turns
}

const entryOf = (value: unknown, at: string): Translated<Entry> => {
  switch (objectOf(value)?.role) {
    case "system":
    case "developer":
      return systemEntry(value, at)
    case "user":
      return userEntry(value, at)
    case "assistant":
      return assistantEntry(value, at)
    case "tool":
      return resultEntry(value, at)
    default:
      return refuse(
        `${at}.role`,
        "This model takes messages of the roles `system`, `developer`, `user`, `assistant` and `tool`. Send results of functions as `tool` messages."
      )
  }
}

const systemEntry = (value: unknown, at: string): Translated<Entry> =>
  Result.gen(function* () {
    const { content } = yield* objectAt(value, at, ["role", "content", "name"])
    return { _tag: "System", texts: yield* textsAt(content, `${at}.content`) }
  })

const userEntry = (value: unknown, at: string): Translated<Entry> =>
  Result.gen(function* () {
    const { content } = yield* objectAt(value, at, ["role", "content", "name"])
    return { _tag: "User", content: yield* contentAt(content, `${at}.content`) }
  })

const resultEntry = (value: unknown, at: string): Translated<Entry> =>
  Result.gen(function* () {
    const { content, tool_call_id } = yield* objectAt(value, at, ["role", "content", "tool_call_id", "name"])
    return {
      _tag: "Result",
      block: {
        type: "tool_result",
        tool_use_id: idOf(yield* textAt(tool_call_id, `${at}.tool_call_id`)),
        content: yield* contentAt(content, `${at}.content`)
      }
    }
  })

const assistantFields = ["role", "content", "refusal", "tool_calls", "name", "reasoning_content", "annotations"]

const assistantEntry = (value: unknown, at: string): Translated<Entry> =>
  Result.gen(function* () {
    const message = yield* objectAt(value, at, assistantFields)
    const { annotations, content, refusal, tool_calls } = message
    if (Array.isArray(annotations) ? annotations.length > 0 : annotations !== undefined) {
      return yield* refuse(`${at}.annotations`, "This model does not accept annotations of messages. Remove them.")
    }
    const texts = content === undefined ? [] : yield* textsAt(content, `${at}.content`)
    const refused = refusal === undefined ? "" : yield* textAt(refusal, `${at}.refusal`)
    const calls = yield* eachAt(tool_calls, `${at}.tool_calls`, callOf)
    return { _tag: "Assistant", content: [...[...texts, refused].flatMap(textBlocks), ...calls] }
  })

const callOf = (value: unknown, at: string): Translated<Json> =>
  Result.gen(function* () {
    if ((objectOf(value)?.type ?? "function") !== "function") {
      return yield* refuse(`${at}.type`, "This model takes tool calls of type `function` alone. Send no other ones.")
    }
    const call = yield* objectAt(value, at, ["id", "type", "function"])
    const inside = `${at}.function`
    const { arguments: written, name } = yield* objectAt(call.function, inside, ["name", "arguments"])
    const input = parseObject(yield* textAt(written, `${inside}.arguments`))
    if (input === null) {
      return yield* refuse(`${inside}.arguments`, "The arguments of a tool call must be the text of a JSON object.")
    }
    return {
      type: "tool_use",
      id: idOf(yield* textAt(call.id, `${at}.id`)),
      name: yield* textAt(name, `${inside}.name`),
      input
    }
  })

/** The messages API takes no other characters. A call and its result have the same id, so both are changed alike. */
const idOf = (id: string): string => id.replace(/[^A-Za-z0-9_-]/g, "_")

/** A text, or the blocks of its parts. */
const contentAt = (content: unknown, at: string): Translated<string | ReadonlyArray<Json>> => {
  if (typeof content === "string") return Result.succeed(content)
  if (!Array.isArray(content)) return refuse(at, `\`${at}\` must be a text or a list of parts.`)
  return Result.map(eachAt(content, at, chatBlock), (blocks) => blocks.flat())
}

const textsAt = (content: unknown, at: string): Translated<ReadonlyArray<string>> => {
  if (typeof content === "string") return Result.succeed([content])
  if (!Array.isArray(content)) return refuse(at, `\`${at}\` must be a text or a list of parts.`)
  return eachAt(content, at, textPartAt)
}

/** A part of text, or of a refusal, which is text too. */
const textPartAt = (part: unknown, at: string): Translated<string> =>
  Result.gen(function* () {
    const type = objectOf(part)?.type
    if (type !== "text" && type !== "refusal") {
      return yield* refuse(at, `\`${at}\` must be a part of type \`text\` in a message of this role.`)
    }
    const fields = yield* objectAt(part, at, ["type", type, "prompt_cache_breakpoint"])
    return yield* textAt(fields[type], `${at}.${type}`)
  })
