/** A chat as the body of `/chat/completions`, and its answer as it is read. Source: docs/reference/upstreams.md#chat. */
import {
  type ChatAnswer,
  type ChatImage,
  type ChatMessage,
  type ChatTool,
  type ChatWork,
  chatUsage,
  choiceFault,
  isObject,
  type Json,
  outputLimitField,
  type ToolCall,
  wellFormedCall
} from "@trunkline/core/provider"
import * as Schema from "effect/Schema"
import { jsonBody, type RequestBody } from "../http/index.ts"
import { Part, reading, readingEach } from "../upstream/Lenient.ts"
import { type ContentPart, inTurns, type OpenAiMessage, type Turns } from "./OpenAiTurns.ts"

/** An answer that is not streamed needs no further fields: some servers refuse fields that they do not know. */
export const chatBody = (work: ChatWork, turns: Turns = "plain"): RequestBody => jsonBody(chatRequest(work, turns))

export const chatRequest = (work: ChatWork, turns: Turns = "plain"): Json => {
  const { maxOutputTokens, model, tools } = work
  return {
    model,
    messages: inTurns(messagesOf(work), turns),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf), tool_choice: "auto" }),
    [outputLimitField(model)]: maxOutputTokens
  }
}

const toolOf = ({ description, name, parameters }: ChatTool) => ({
  type: "function",
  function: { name, description, parameters }
})

export const messagesOf = ({ messages }: ChatWork): ReadonlyArray<OpenAiMessage> => messages.map(messageOf)

const messageOf = (message: ChatMessage): OpenAiMessage => {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text }
    case "user":
      return { role: "user", content: message.images.length === 0 ? message.text : partsOf(message) }
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text }
    case "assistant":
      return message.toolCalls.length === 0
        ? { role: "assistant", content: message.text }
        : // Null, and not an empty text, which some refuse.
          {
            role: "assistant",
            content: message.text === "" ? null : message.text,
            tool_calls: message.toolCalls.map(callOf)
          }
  }
}

const callOf = (call: ToolCall) => {
  const { arguments: written, id, name } = wellFormedCall(call)
  return { id, type: "function", function: { name, arguments: written } }
}

const partsOf = ({
  images,
  text
}: {
  readonly images: ReadonlyArray<ChatImage>
  readonly text: string
}): ReadonlyArray<ContentPart> => [
  ...(text === "" ? [] : [{ type: "text", text } as const]),
  ...images.map((image) => ({ type: "image_url", image_url: { url: dataUrl(image) } }) as const)
]

/** A caller wrote the type, so only one of a picture is passed on. */
const dataUrl = ({ bytes, contentType }: ChatImage): string => {
  const type = /^\s*(image\/[\w.+-]+)\s*(?:;|$)/.exec(contentType.toLowerCase())?.[1] ?? "image/jpeg"
  return `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`
}

const readBody = reading(
  Schema.Struct({
    choices: Schema.NonEmptyArray(Schema.Struct({ message: Part, finish_reason: Part, error: Part })),
    usage: Part
  })
)
const readMessage = reading(Schema.Struct({ content: Part, refusal: Part, tool_calls: Part }))
const readText = reading(Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }))
const readCalls = readingEach(
  Schema.Struct({ id: Part, function: Schema.Struct({ name: Schema.NonEmptyString, arguments: Part }) })
)

/** The first choice's message; undefined where there is none, or its server has failed. Everything in it may be missing, null or of another shape. */
export const chatAnswerOf = (json: unknown): ChatAnswer | undefined => {
  const body = readBody(json)
  const message = readMessage(body?.choices[0].message)
  if (body === undefined || message === undefined || choiceFault(body, false) !== null) return undefined
  const usage = isObject(body.usage) ? chatUsage(body.usage) : null
  return {
    text: textOf(message.content) || textOf(message.refusal),
    toolCalls: readCalls(message.tool_calls).map(({ function: { arguments: written, name }, id }, nth) => ({
      id: typeof id === "string" && id !== "" ? id : `call_${nth}`,
      name,
      arguments: argumentsOf(written)
    })),
    tokens:
      usage === null
        ? null
        : {
            input: usage.input + usage.cacheRead + usage.cacheWrite,
            cachedInput: usage.cacheRead,
            output: usage.output
          }
  }
}

/** Some servers send the object, and nothing for a tool without arguments. */
const argumentsOf = (written: unknown): string => {
  if (typeof written !== "string") return JSON.stringify(written ?? {})
  return written.trim() === "" ? "{}" : written
}

/** A text, or the texts of parts, without those in which a model thinks. */
const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((part) => readText(part)?.text ?? "").join("")
      : ""
