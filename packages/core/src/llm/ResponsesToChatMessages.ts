/** The input of the Responses API as messages of the chat API. Pure. */
import * as Result from "effect/Result"
import { isObject } from "../kernel/index.ts"
import { present } from "./JsonFields.ts"
import { isAbsent, isText, listOf, onlyFields, type Refusable, refuse } from "./ResponsesJson.ts"
import type { Json } from "./Translation.ts"

export const chatMessages = (input: unknown): Refusable<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    if (isText(input)) return [{ role: "user", content: input }]
    if (!Array.isArray(input)) return yield* refuse("input", "Send the input as a text or as a list of items.")
    const messages: Array<Json> = []
    for (const item of input) {
      const message = yield* messageOf(item)
      if (message !== undefined) join(messages, message)
    }
    return messages
  })

/** Calls stand in the assistant's message before them. */
const join = (messages: Array<Json>, message: Json): void => {
  const before = messages.at(-1)
  if (message.tool_calls === undefined || before?.role !== "assistant") {
    messages.push(message)
    return
  }
  messages[messages.length - 1] = {
    ...before,
    // Null, and not an empty text, which some servers refuse.
    content: before.content === "" ? null : before.content,
    tool_calls: [...listOf(before.tool_calls), ...listOf(message.tool_calls)]
  }
}

const messageOf = (item: unknown): Refusable<Json | undefined> => {
  if (!isObject(item)) return refuse("input", "Send each item of the input as an object.")
  const type = item.type ?? (isAbsent(item.role) ? undefined : "message")
  switch (type) {
    case "message":
      return textMessage(item)
    case "function_call":
      return callMessage(item)
    case "function_call_output":
      return resultMessage(item)
    case "reasoning":
      return Result.succeed(undefined)
    default:
      return refuse(
        "input",
        `The upstream of this model takes no items of type ${JSON.stringify(type ?? null)}. Leave them out.`
      )
  }
}

const roles: Readonly<Record<string, string>> = {
  user: "user",
  assistant: "assistant",
  system: "system",
  developer: "system"
}

const messageFields = ["type", "id", "role", "content", "status", "phase"]

const textMessage = (item: Json): Refusable<Json> =>
  Result.gen(function* () {
    yield* onlyFields(item, messageFields, "input")
    const role = isText(item.role) && Object.hasOwn(roles, item.role) ? roles[item.role] : undefined
    if (role === undefined) {
      return yield* refuse("input", "Send each message with the role user, assistant, system or developer.")
    }
    if (isText(item.content)) return { role, content: item.content }
    if (!Array.isArray(item.content))
      return yield* refuse("input", "Send each message with a content: a text or a list of parts.")
    const parts = yield* Result.all(item.content.map(partOf))
    if (parts.every(isTextPart)) return { role, content: parts.map(({ text }) => text).join("") }
    if (role === "user") return { role, content: parts }
    return yield* refuse(
      "input",
      "Send pictures and files in messages of the user: the upstream of this model takes them nowhere else."
    )
  })

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

const callFields = ["type", "id", "call_id", "name", "arguments", "status", "created_by"]

const callMessage = (item: Json): Refusable<Json> =>
  Result.gen(function* () {
    yield* onlyFields(item, callFields, "input")
    const { arguments: written, call_id: id, name } = item
    if (!isText(id) || !isText(name) || !isText(written)) {
      return yield* refuse("input", "Send each function_call with call_id, name and arguments, each a text.")
    }
    const call = { id, type: "function", function: { name, arguments: written } }
    return { role: "assistant", content: null, tool_calls: [call] }
  })

const resultFields = ["type", "id", "call_id", "name", "output", "status", "created_by"]

const resultMessage = (item: Json): Refusable<Json> =>
  Result.gen(function* () {
    yield* onlyFields(item, resultFields, "input")
    const { call_id: id, output } = item
    if (!isText(id)) return yield* refuse("input", "Send each function_call_output with the call_id of its call.")
    if (isText(output)) return { role: "tool", tool_call_id: id, content: output }
    if (!Array.isArray(output))
      return yield* refuse("input", "Send each function_call_output with an output: a text or parts.")
    const parts = yield* Result.all(output.map(partOf))
    if (!parts.every(isTextPart)) {
      return yield* refuse("input", "Send results of functions as texts: the upstream of this model takes no others.")
    }
    return { role: "tool", tool_call_id: id, content: parts.map(({ text }) => text).join("") }
  })
