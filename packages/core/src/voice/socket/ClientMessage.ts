/** Reads what a client says on the socket of an agent. Pure. Source: docs/reference/voice-agent.md#socket. */
import { foreignJson, isObject, maxJsonDepth } from "../../platform/kernel/index.ts"

/** When the agent says an injected message. */
export type InjectBehavior = "default" | "queue" | "interrupt"

const behaviors: ReadonlyArray<InjectBehavior> = ["default", "queue", "interrupt"]

/** A message of a client. What it may configure is read where it is applied. */
export type ClientMessage =
  | { readonly _tag: "Settings"; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly _tag: "UpdatePrompt"; readonly prompt: unknown }
  | { readonly _tag: "UpdateThink"; readonly think: unknown }
  | { readonly _tag: "UpdateListen"; readonly listen: unknown }
  | { readonly _tag: "UpdateSpeak"; readonly speak: unknown }
  | { readonly _tag: "InjectUserMessage"; readonly content: string }
  | { readonly _tag: "InjectAgentMessage"; readonly message: string; readonly behavior: InjectBehavior }
  | { readonly _tag: "FunctionCallResponse"; readonly id: string; readonly content: string }
  | { readonly _tag: "ForceEndTurn" }
  | { readonly _tag: "KeepAlive" }
  /** `isObject` is false of a message that is no JSON object at all. */
  | { readonly _tag: "Unparsable"; readonly description: string; readonly isObject: boolean }
  | { readonly _tag: "Unknown"; readonly description: string }

/** Of a text that the agent is to say: more than an hour of speech. */
const maxSaid = 65_536

type Fields = Readonly<Record<string, unknown>>

const unparsable = (description: string): ClientMessage => ({ _tag: "Unparsable", description, isObject: true })

const readers: Readonly<Record<string, (fields: Fields) => ClientMessage>> = {
  Settings: (settings) => ({ _tag: "Settings", settings }),
  UpdatePrompt: ({ prompt }) => ({ _tag: "UpdatePrompt", prompt }),
  UpdateThink: ({ think }) => ({ _tag: "UpdateThink", think }),
  UpdateListen: ({ listen }) => ({ _tag: "UpdateListen", listen }),
  UpdateSpeak: ({ speak }) => ({ _tag: "UpdateSpeak", speak }),
  InjectUserMessage: ({ content }) =>
    isWords(content)
      ? { _tag: "InjectUserMessage", content }
      : unparsable("InjectUserMessage needs content: a text that is not empty"),
  InjectAgentMessage: ({ behavior, message }) => {
    const known = behaviors.find((one) => one === (behavior ?? "default"))
    if (!isWords(message)) return unparsable("InjectAgentMessage needs message: a text that is not empty")
    if (message.length > maxSaid) {
      return unparsable(`InjectAgentMessage: message may have at most ${maxSaid.toLocaleString("en")} characters`)
    }
    if (known === undefined) return unparsable(`InjectAgentMessage: behavior must be one of ${behaviors.join(", ")}`)
    return { _tag: "InjectAgentMessage", message, behavior: known }
  },
  FunctionCallResponse: ({ content, id }) =>
    typeof id === "string"
      ? { _tag: "FunctionCallResponse", id, content: typeof content === "string" ? content : encoded(content) }
      : unparsable("FunctionCallResponse needs id: the text that the request has"),
  ForceEndTurn: () => ({ _tag: "ForceEndTurn" }),
  KeepAlive: () => ({ _tag: "KeepAlive" })
}

const isWords = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""

/** A value that is no text is shown to the model as JSON; an absent one as an empty text. */
const encoded = (content: unknown): string => (content === undefined ? "" : JSON.stringify(content))

/** A text message of a client. Never throws. */
export const readClientMessage = (text: string): ClientMessage => {
  const fields = foreignJson(text)
  if (!isObject(fields))
    return {
      _tag: "Unparsable",
      description: `A text message must be a JSON object, and nested at most ${maxJsonDepth} levels deep`,
      isObject: false
    }
  const { type } = fields
  const read = typeof type === "string" && Object.hasOwn(readers, type) ? readers[type] : undefined
  if (read !== undefined) return read(fields)
  return {
    _tag: "Unknown",
    description:
      typeof type === "string" ? `There is no message of the type ${shown(type)}` : "A message needs a type: a text"
  }
}

/** A client's text may be of any length. */
const shown = (type: string): string => (type.length > 60 ? `${type.slice(0, 60)}…` : type)
