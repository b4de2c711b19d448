/** The messages of a chat request as `system` and `messages` of the messages API. Pure. */
import * as Result from "effect/Result"
import { objectOf, parseObject } from "../../JsonFields.ts"
import { CallIds } from "../../messages/CallIds.ts"
import { eachAt, objectAt, refuse, type Translated, textAt } from "../RequestFields.ts"
import type { Json } from "../Translation.ts"
import { chatBlock, lastMarked, marked, textBlocks, withoutBlanks } from "./ChatParts.ts"

/** A message of the chat API in the form that it has in the other one, with the ids that it has in the chat. */
type Entry =
  | { readonly _tag: "System"; readonly blocks: ReadonlyArray<Json> }
  | { readonly _tag: "Result"; readonly block: Json; readonly callId: string }
  | { readonly _tag: "User"; readonly content: string | ReadonlyArray<Json> }
  | { readonly _tag: "Assistant"; readonly texts: ReadonlyArray<Json>; readonly calls: ReadonlyArray<Call> }

interface Call {
  readonly id: string
  readonly block: Json
}

interface Conversation {
  readonly system: string | ReadonlyArray<Json> | null
  readonly messages: ReadonlyArray<Json>
}

export const chatConversation = (messages: unknown): Translated<Conversation> =>
  Result.flatMap(eachAt(messages, "messages", entryOf), (entries): Translated<Conversation> => {
    const turns = turnsOf(entries)
    return turns.length === 0
      ? refuse("messages", "This model needs at least one message of the user or the assistant that is not empty.")
      : Result.succeed({ system: systemOf(entries), messages: turns })
  })

const systemOf = (entries: ReadonlyArray<Entry>): Conversation["system"] => {
  const blocks = withoutBlanks(entries.flatMap((entry) => (entry._tag === "System" ? entry.blocks : [])))
  const [first] = blocks
  if (first === undefined) return null
  return blocks.length === 1 && first.cache_control === undefined ? String(first.text) : blocks
}

interface Turn extends Json {
  readonly role: "user" | "assistant"
  readonly content: string | ReadonlyArray<Json>
}

/** Results in a row are one message of the user, to which the user's message after them is joined. */
const turnsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Turn> => {
  const ids = new CallIds()
  const turns: Array<Turn> = []
  let open: Array<Json> | null = null
  for (const entry of entries) {
    if (entry._tag === "System") continue
    if (entry._tag === "Result") {
      if (open === null) {
        open = []
        turns.push({ role: "user", content: open })
      }
      open.push({ ...entry.block, tool_use_id: ids.ofResult(entry.callId) })
      continue
    }
    const content = contentOf(entry, ids)
    const blocks = withoutBlanks(typeof content === "string" ? textBlocks(content) : content)
    // The messages API refuses a message without content, which has nothing to lose.
    if (blocks.length === 0) continue
    if (entry._tag === "User" && open !== null) open.push(...blocks)
    else {
      const role = entry._tag === "User" ? "user" : "assistant"
      turns.push({ role, content: typeof content === "string" ? content : blocks })
    }
    open = null
  }
  return withoutTrail(turns)
}

const contentOf = (entry: Extract<Entry, { readonly _tag: "User" | "Assistant" }>, ids: CallIds): Turn["content"] =>
  entry._tag === "User"
    ? entry.content
    : [...entry.texts, ...entry.calls.map(({ block, id }) => ({ ...block, id: ids.ofCall(id) }))]

/** An assistant's last message is the beginning of the answer: the messages API refuses blanks at its end. */
const withoutTrail = (turns: ReadonlyArray<Turn>): ReadonlyArray<Turn> => {
  const last = turns.at(-1)
  if (last?.role !== "assistant" || typeof last.content === "string") return turns
  const content = last.content.map((block, nth) =>
    nth === last.content.length - 1 && block.type === "text" ? { ...block, text: String(block.text).trimEnd() } : block
  )
  return [...turns.slice(0, -1), { ...last, content: content.filter((block) => block.text !== "") }]
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

const messageFields = ["role", "content", "name", "cache_control"]

const systemEntry = (value: unknown, at: string): Translated<Entry> =>
  Result.gen(function* () {
    const { cache_control, content } = yield* objectAt(value, at, messageFields)
    return { _tag: "System", blocks: lastMarked(yield* textsAt(content, `${at}.content`), cache_control) }
  })

const userEntry = (value: unknown, at: string): Translated<Entry> =>
  Result.gen(function* () {
    const { cache_control, content: given } = yield* objectAt(value, at, messageFields)
    const content = yield* contentAt(given, `${at}.content`)
    if (cache_control === undefined) return { _tag: "User", content }
    return {
      _tag: "User",
      content: lastMarked(typeof content === "string" ? textBlocks(content) : content, cache_control)
    }
  })

const resultEntry = (value: unknown, at: string): Translated<Entry> =>
  Result.gen(function* () {
    const fields = yield* objectAt(value, at, [...messageFields, "tool_call_id"])
    const content = yield* contentAt(fields.content, `${at}.content`)
    // A result may be without content, but its content may not be empty.
    const block = content.length === 0 ? { type: "tool_result" } : { type: "tool_result", content }
    return {
      _tag: "Result",
      callId: yield* textAt(fields.tool_call_id, `${at}.tool_call_id`),
      block: marked(block, fields.cache_control)
    }
  })

/** What a model thought belongs to the model that wrote it. */
const thoughts = ["reasoning_content", "reasoning", "reasoning_details"]

const assistantFields = [...messageFields, ...thoughts, "refusal", "tool_calls", "annotations"]

const assistantEntry = (value: unknown, at: string): Translated<Entry> =>
  Result.gen(function* () {
    const message = yield* objectAt(value, at, assistantFields)
    const { annotations, cache_control, content, refusal, tool_calls } = message
    if (Array.isArray(annotations) ? annotations.length > 0 : annotations !== undefined) {
      return yield* refuse(`${at}.annotations`, "This model does not accept annotations of messages. Remove them.")
    }
    const texts = content === undefined ? [] : yield* textsAt(content, `${at}.content`)
    const refused = refusal === undefined ? "" : yield* textAt(refusal, `${at}.refusal`)
    const calls = yield* eachAt(tool_calls, `${at}.tool_calls`, callOf)
    const all = [...texts, ...textBlocks(refused)]
    return calls.length === 0
      ? { _tag: "Assistant", texts: lastMarked(all, cache_control), calls }
      : { _tag: "Assistant", texts: all, calls: lastCallMarked(calls, cache_control) }
  })

const lastCallMarked = (calls: ReadonlyArray<Call>, mark: unknown): ReadonlyArray<Call> =>
  calls.map((call, nth) => (nth === calls.length - 1 ? { ...call, block: marked(call.block, mark) } : call))

const callOf = (value: unknown, at: string): Translated<Call> =>
  Result.gen(function* () {
    if ((objectOf(value)?.type ?? "function") !== "function") {
      return yield* refuse(`${at}.type`, "This model takes tool calls of type `function` alone. Send no other ones.")
    }
    // A client may keep the place that the call had in a stream.
    const call = yield* objectAt(value, at, ["id", "type", "function", "index", "cache_control"])
    const inside = `${at}.function`
    const { arguments: written, name } = yield* objectAt(call.function, inside, ["name", "arguments"])
    const input = parseObject(yield* textAt(written, `${inside}.arguments`))
    if (input === null) {
      return yield* refuse(`${inside}.arguments`, "The arguments of a tool call must be the text of a JSON object.")
    }
    const id = yield* textAt(call.id, `${at}.id`)
    const block = { type: "tool_use", name: yield* textAt(name, `${inside}.name`), input }
    return { id, block: marked(block, call.cache_control) }
  })

/** A text, or the blocks of its parts. */
const contentAt = (content: unknown, at: string): Translated<string | ReadonlyArray<Json>> => {
  if (typeof content === "string") return Result.succeed(content)
  if (!Array.isArray(content)) return refuse(at, `\`${at}\` must be a text or a list of parts.`)
  return Result.map(eachAt(content, at, chatBlock), (blocks) => blocks.flat())
}

/** The text blocks of a text or of its parts. */
const textsAt = (content: unknown, at: string): Translated<ReadonlyArray<Json>> => {
  if (typeof content === "string") return Result.succeed(textBlocks(content))
  if (!Array.isArray(content)) return refuse(at, `\`${at}\` must be a text or a list of parts.`)
  return Result.map(eachAt(content, at, textPartAt), (blocks) => blocks.flat())
}

/** A part of text, or of a refusal, which is text too. In some answers a part is what the model thought. */
const textPartAt = (part: unknown, at: string): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const type = objectOf(part)?.type
    if (type === "thinking") return []
    if (type !== "text" && type !== "refusal") {
      return yield* refuse(at, `\`${at}\` must be a part of type \`text\` in a message of this role.`)
    }
    const fields = yield* objectAt(part, at, ["type", type, "prompt_cache_breakpoint", "cache_control"])
    return textBlocks(yield* textAt(fields[type], `${at}.${type}`), fields.cache_control)
  })
