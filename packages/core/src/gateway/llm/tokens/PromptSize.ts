/** How large the prompt of a request is, in whichever API it is written. Pure. Source: docs/reference/language-models.md#tokens. */
import { isObject, utf8Length } from "../../../platform/kernel/index.ts"
import type { Json, LlmApi } from "../translate/Translation.ts"

export interface PromptSize {
  /** Bytes in UTF-8 of texts, tools, calls and results. */
  readonly textBytes: number
  /** Bytes of documents and audio. */
  readonly documentBytes: number
  readonly messages: number
  readonly pictures: number
  /** Whether a part of it is to be kept for an hour by the upstream's cache. */
  readonly cachesForHour: boolean
}

/** Adds up the parts of one prompt. */
class Sizes {
  textBytes = 0
  documentBytes = 0
  messages = 0
  pictures = 0
  cachesForHour = false

  /** A place that may be marked for the upstream's cache. */
  marked({ cache_control: mark }: Json): void {
    this.cachesForHour ||= isObject(mark) && mark.ttl === "1h"
  }

  text(value: unknown): void {
    if (typeof value === "string") this.textBytes += utf8Length(value)
  }

  /** What has no form that is known counts as the text that it is written with. */
  json(value: unknown): void {
    if (value !== undefined && value !== null) this.textBytes += utf8Length(JSON.stringify(value))
  }

  document(base64: unknown): void {
    if (typeof base64 === "string") this.documentBytes += decodedLength(base64)
  }
}

/** The size of a prompt. */
export const promptSize = (api: LlmApi, body: Json): PromptSize => {
  const sizes = new Sizes()
  if (list(body.tools).length > 0) sizes.json(body.tools)
  for (const place of [body, ...list(body.tools)]) if (isObject(place)) sizes.marked(place)
  if (api === "responses") inputSize(sizes, body)
  else {
    content(sizes, body.system)
    if (list(body.functions).length > 0) sizes.json(body.functions)
    for (const message of list(body.messages)) messageSize(sizes, message)
  }
  const { cachesForHour, documentBytes, messages, pictures, textBytes } = sizes
  return { cachesForHour, documentBytes, messages, pictures, textBytes }
}

const messageSize = (sizes: Sizes, message: unknown): void => {
  if (!isObject(message)) return
  sizes.messages += 1
  sizes.marked(message)
  content(sizes, message.content)
  sizes.text(message.refusal)
  sizes.text(message.reasoning_content)
  for (const call of [...list(message.tool_calls), { function: message.function_call }]) {
    const called = isObject(call) ? call.function : null
    if (!isObject(called)) continue
    sizes.text(called.name)
    sizes.text(called.arguments)
  }
}

const inputSize = (sizes: Sizes, { input, instructions }: Json): void => {
  sizes.text(instructions)
  if (typeof input === "string") {
    sizes.messages += 1
    sizes.text(input)
  }
  for (const item of list(input)) {
    if (!isObject(item)) continue
    sizes.messages += 1
    itemSize(sizes, item)
  }
}

const itemSize = (sizes: Sizes, item: Json): void => {
  const { arguments: written, content: parts, encrypted_content: encrypted, input, name, output, type } = item
  if (type === undefined || type === "message") content(sizes, parts)
  else if (type === "function_call_output" || type === "custom_tool_call_output") content(sizes, output)
  else if (type === "function_call" || type === "custom_tool_call") {
    for (const text of [name, written, input]) sizes.text(text)
  } else if (type === "reasoning") {
    sizes.text(encrypted)
    content(sizes, parts)
  } else sizes.json(item)
}

const content = (sizes: Sizes, value: unknown): void => {
  sizes.text(value)
  for (const part of list(value)) if (isObject(part)) partSize(sizes, part)
}

/** Where a part of each type has its text. */
const textFields: ReadonlyMap<unknown, string> = new Map([
  ["text", "text"],
  ["input_text", "text"],
  ["output_text", "text"],
  ["reasoning_text", "text"],
  ["refusal", "refusal"],
  ["thinking", "thinking"]
])

const pictureTypes: ReadonlySet<unknown> = new Set(["image_url", "input_image", "image"])

const partSize = (sizes: Sizes, part: Json): void => {
  sizes.marked(part)
  const field = textFields.get(part.type)
  if (field !== undefined) sizes.text(part[field])
  else if (pictureTypes.has(part.type)) sizes.pictures += 1
  else if (part.type === "tool_result") content(sizes, part.content)
  else if (part.type === "tool_use") {
    sizes.text(part.name)
    sizes.json(part.input)
  } else fileSize(sizes, part)
}

const fileSize = (sizes: Sizes, part: Json): void => {
  const source = isObject(part.source) ? part.source : {}
  const file = isObject(part.file) ? part.file : part
  const audio = isObject(part.input_audio) ? part.input_audio : {}
  if (part.type === "document" && source.type === "text") sizes.text(source.data)
  else if (part.type === "document") sizes.document(source.data)
  else if (part.type === "file" || part.type === "input_file") sizes.document(file.file_data)
  else if (part.type === "input_audio") sizes.document(audio.data)
  else sizes.json(part)
}

/** Bytes that a base64 text, or a `data:` URL of one, is decoded to. */
const decodedLength = (text: string): number => {
  const length = text.startsWith("data:") ? text.length - (text.indexOf(",") + 1) : text.length
  return Math.ceil((length * 3) / 4)
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
