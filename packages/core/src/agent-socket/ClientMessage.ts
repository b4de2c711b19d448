/** What a client says on a conversation's socket. Pure. Source: docs/voice-agent.md#messages. */
import { isObject } from "../kernel/index.ts"
import type { JsonObject } from "../voice-agent/index.ts"

export type ClientMessage =
  | { readonly _tag: "Settings"; readonly body: JsonObject }
  | { readonly _tag: "Update"; readonly what: "Listen" | "Prompt" | "Speak" | "Think"; readonly body: JsonObject }
  | { readonly _tag: "UserMessage"; readonly content: string }
  | { readonly _tag: "AgentMessage"; readonly message: string; readonly behavior: "default" | "queue" | "interrupt" }
  | { readonly _tag: "FunctionResponse"; readonly id: string; readonly content: string }
  | { readonly _tag: "ForceEndTurn" | "KeepAlive" }
  | { readonly _tag: "Unparsable" }
  | { readonly _tag: "Unknown"; readonly type: string }

const maxTextLength = 60_000

const behaviors = ["default", "queue", "interrupt"] as const

const textIn = (body: JsonObject, name: string): string | null => {
  const value = body[name]
  return typeof value === "string" && value.trim() !== "" && value.length <= maxTextLength ? value : null
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Anything but a text is sent on as JSON. */
const contentOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

/** Reads one message. It never fails: what cannot be read is one of the last two. */
export const readClientMessage = (text: string): ClientMessage => {
  const body = parsed(text)
  if (!isObject(body) || typeof body.type !== "string") return { _tag: "Unparsable" }
  const { type } = body
  switch (type) {
    case "Settings":
      return { _tag: "Settings", body }
    case "UpdateListen":
    case "UpdatePrompt":
    case "UpdateSpeak":
    case "UpdateThink":
      return { _tag: "Update", what: type.slice("Update".length) as "Listen" | "Prompt" | "Speak" | "Think", body }
    case "ForceEndTurn":
    case "KeepAlive":
      return { _tag: type }
    case "FunctionCallResponse":
      return { _tag: "FunctionResponse", id: textIn(body, "id") ?? "", content: contentOf(body.content) }
    case "InjectUserMessage": {
      const content = textIn(body, "content")
      return content === null ? { _tag: "Unparsable" } : { _tag: "UserMessage", content }
    }
    case "InjectAgentMessage": {
      const message = textIn(body, "message")
      const behavior = behaviors.find((one) => one === (body.behavior ?? "default"))
      return message === null || behavior === undefined
        ? { _tag: "Unparsable" }
        : { _tag: "AgentMessage", message, behavior }
    }
    default:
      return { _tag: "Unknown", type: type.slice(0, 64) }
  }
}
