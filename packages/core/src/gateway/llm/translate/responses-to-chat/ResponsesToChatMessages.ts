/** The input of the Responses API as messages of the chat API. Pure. */
import * as Result from "effect/Result"
import { isObject } from "../../../../platform/kernel/index.ts"
import {
  type AssistantPart,
  type ChatEntry,
  inChatOrder,
  namedPictures,
  type ToolResult
} from "../../chat/ChatOrder.ts"
import { present } from "../../JsonFields.ts"
import { isAbsent, isText, listOf, onlyFields, type Refusable, refuse } from "../../responses/ResponsesJson.ts"
import type { Json } from "../Translation.ts"
import { chatNameOf, customArguments } from "./NamedTools.ts"

export const chatMessages = (input: unknown): Refusable<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    if (isText(input)) return [{ role: "user", content: input }]
    if (!Array.isArray(input)) return yield* refuse("input", "Send the input as a text or as a list of items.")
    const entries: Array<ChatEntry> = []
    let reasoning = ""
    for (const item of input) {
      const entry = yield* entryOf(item)
      if (entry.role === "thought") {
        reasoning += entry.text
        continue
      }
      // What was thought belongs to what was said or called next.
      entries.push(entry.role === "assistant" ? { ...entry, reasoning } : entry)
      reasoning = ""
    }
    const messages = inChatOrder(entries, false)
    return messages.length > 0
      ? messages
      : yield* refuse("input", "Send at least one item that is not empty: the upstream of this model needs a message.")
  })

const nothing: AssistantPart = { role: "assistant", text: "", reasoning: "", calls: [] }

interface Thought {
  readonly role: "thought"
  readonly text: string
}

const entryOf = (item: unknown): Refusable<ChatEntry | Thought> => {
  if (!isObject(item)) return refuse("input", "Send each item of the input as an object.")
  const type = item.type ?? (isAbsent(item.role) ? undefined : "message")
  switch (type) {
    case "message":
      return textMessage(item)
    case "function_call":
      return callMessage(item, "arguments")
    case "custom_tool_call":
      return callMessage(item, "input")
    case "function_call_output":
    case "custom_tool_call_output":
      return resultMessage(item)
    case "reasoning":
      return Result.succeed({ role: "thought", text: reasoningText(item) })
    default:
      return refuse(
        "input",
        `The upstream of this model takes no items of type ${JSON.stringify(type ?? null)}. Leave them out.`
      )
  }
}

/** Reasoning of a chat is in plain text; encrypted reasoning belongs to the model that wrote it. */
const reasoningText = ({ content }: Json): string =>
  listOf(content)
    .map((part) => (isObject(part) && part.type === "reasoning_text" && isText(part.text) ? part.text : ""))
    .join("")

const roles = { user: "user", assistant: "assistant", system: "system", developer: "system" } as const

const isRole = (role: unknown): role is keyof typeof roles => isText(role) && Object.hasOwn(roles, role)

const messageFields = ["type", "id", "role", "content", "status", "phase"]

const textMessage = (item: Json): Refusable<ChatEntry> =>
  Result.gen(function* () {
    yield* onlyFields(item, messageFields, "input")
    if (!isRole(item.role)) {
      return yield* refuse("input", "Send each message with the role user, assistant, system or developer.")
    }
    const role = roles[item.role]
    const content = yield* contentOf(item.content)
    if (!isText(content)) {
      if (role === "user") return { role, content }
      return yield* refuse(
        "input",
        "Send pictures and files in messages of the user: the upstream of this model takes them nowhere else."
      )
    }
    return role === "assistant" ? { ...nothing, text: content } : { role, content }
  })

/** One text where all parts are texts. */
const contentOf = (content: unknown): Refusable<string | ReadonlyArray<Json>> => {
  if (isText(content)) return Result.succeed(content)
  if (!Array.isArray(content)) return refuse("input", "Send each message with a content: a text or a list of parts.")
  return Result.map(Result.all(content.map(partOf)), (parts) =>
    parts.every(isTextPart) ? parts.map(({ text }) => text).join("") : parts
  )
}

const isTextPart = (part: Json): boolean => part.type === "text"

/** Hints for a cache have no effect on the answer. */
const cacheHint = "prompt_cache_breakpoint"

const partOf = (part: unknown): Refusable<Json> => {
  if (!isObject(part)) return refuse("input", "Send each part of a message as an object.")
  switch (part.type) {
    case "input_text":
    case "output_text":
      return textPart(part, "text", ["annotations", "logprobs", cacheHint])
    case "refusal":
      return textPart(part, "refusal", [])
    case "input_image":
      return imagePart(part)
    case "input_file":
      return filePart(part)
    default:
      return refuse(
        "input",
        `The upstream of this model takes no parts of type ${JSON.stringify(part.type ?? null)}. Leave them out.`
      )
  }
}

/** Without a generator: there may be tens of thousands of them. */
const textPart = (part: Json, field: string, further: ReadonlyArray<string>): Refusable<Json> =>
  Result.flatMap(onlyFields(part, ["type", field, ...further], "input"), ({ [field]: text }) =>
    isText(text)
      ? Result.succeed({ type: "text", text })
      : refuse("input", `Send each part ${part.type} with its "${field}", a text.`)
  )

const imagePart = (part: Json): Refusable<Json> =>
  Result.gen(function* () {
    yield* onlyFields(part, ["type", "image_url", "detail", cacheHint], "input")
    const { detail, image_url: url } = part
    if (!isText(url)) return yield* refuse("input", "Send each input_image with an image_url, a text.")
    return { type: "image_url", image_url: present({ url, detail }) }
  })

const filePart = (part: Json): Refusable<Json> =>
  Result.gen(function* () {
    yield* onlyFields(part, ["type", "filename", "file_data", cacheHint], "input")
    const { file_data, filename } = part
    if (!isText(file_data)) return yield* refuse("input", "Send each input_file with its file_data, a text.")
    return { type: "file", file: present({ filename, file_data }) }
  })

/** Fields of a call or of its result, and the values of further ones that have no effect. */
const callFields = ["type", "id", "call_id", "name", "namespace", "status", "created_by"]

const isNeutral = ([name, value]: readonly [name: string, value: unknown]): boolean =>
  (name === "async" && value === false) || (name === "caller" && isObject(value) && value.type === "direct")

const onlyCallFields = (item: Json, field: string): Refusable<Json> =>
  onlyFields(
    Object.fromEntries(Object.entries(item).filter((entry) => !isNeutral(entry))),
    [...callFields, field],
    "input"
  )

/** `field`: where the call has what it is called with. */
const callMessage = (item: Json, field: "arguments" | "input"): Refusable<ChatEntry> =>
  Result.flatMap(onlyCallFields(item, field), ({ call_id: id, name: own, namespace, [field]: given }) => {
    if (!isText(id) || !isText(own) || !isText(given)) {
      return refuse("input", `Send each ${item.type} with call_id, name and ${field}, each a text.`)
    }
    if (!isAbsent(namespace) && !isText(namespace)) {
      return refuse("input", `Send the namespace of each ${item.type} as a text.`)
    }
    const name = chatNameOf(own, namespace)
    const written = field === "input" ? customArguments(given) : given.trim() === "" ? "{}" : given
    return Result.succeed({ ...nothing, calls: [{ id, type: "function", function: { name, arguments: written } }] })
  })

const resultMessage = (item: Json): Refusable<ToolResult> =>
  Result.gen(function* () {
    yield* onlyCallFields(item, "output")
    const { call_id: callId, output } = item
    if (!isText(callId)) return yield* refuse("input", `Send each ${item.type} with the call_id of its call.`)
    if (isText(output)) return { role: "tool", callId, text: output, pictures: [] }
    if (!Array.isArray(output)) {
      return yield* refuse("input", `Send each ${item.type} with an output: a text or parts.`)
    }
    const parts = yield* Result.all(output.map(partOf))
    if (parts.some(({ type }) => type === "file")) {
      return yield* refuse("input", "Send results as texts and pictures: the upstream of this model takes no others.")
    }
    const text = parts
      .filter(isTextPart)
      .map(({ text }) => text)
      .join("")
    const pictures = parts.filter((part) => !isTextPart(part))
    return { role: "tool", callId, text, pictures: namedPictures(callId, pictures) }
  })
