/** Messages of the domain as methods of the Bot API. Pure. Source: docs/reference/messaging.md#telegram. */
import {
  type ButtonsContent,
  type ContentType,
  contentJson,
  type JsonObject,
  type MediaContent,
  type MediaKind,
  type MessageContent,
  type OutboundMessage,
  type Recipient,
  type TextContent
} from "@trunkline/core/provider"
import * as Result from "effect/Result"

export interface MethodCall {
  readonly method: string
  readonly parameters: JsonObject
}

/** Contents that a bot can send. */
export const sendableContents: ReadonlyArray<ContentType> = [
  "text",
  "image",
  "audio",
  "video",
  "document",
  "sticker",
  "location",
  "interactive"
]

/** The chat of a person or a group; undefined where Telegram cannot know one. */
export const chatOf = (to: Recipient): string | undefined =>
  to._tag !== "Phone" && /^-?\d{1,20}$/.test(to.id) ? to.id : undefined

/** What sends a message to a chat; fails with the fault of its content. */
export const methodOf = (chat: string, message: OutboundMessage): Result.Result<MethodCall, string> =>
  Result.map(callOf(message.content), ({ method, parameters }) => ({
    method,
    parameters: { chat_id: chat, ...parameters, ...quoteOf(chat, message.answers) }
  }))

const fileMethods: Readonly<Record<MediaKind, readonly [method: string, field: string]>> = {
  image: ["sendPhoto", "photo"],
  audio: ["sendAudio", "audio"],
  video: ["sendVideo", "video"],
  document: ["sendDocument", "document"],
  sticker: ["sendSticker", "sticker"]
}

const callOf = (content: MessageContent): Result.Result<MethodCall, string> => {
  switch (content._tag) {
    case "Text":
      return Result.succeed({ method: "sendMessage", parameters: { text: content.text, ...previewOf(content) } })
    case "Media":
      return Result.succeed(fileCall(content))
    case "Location": {
      const { latitude, longitude } = content
      return Result.succeed({ method: "sendLocation", parameters: { latitude, longitude } })
    }
    case "Buttons":
      return buttonsCall(content)
    default:
      return Result.fail(faultOf(contentJson(content).type))
  }
}

const previewOf = ({ linkPreview }: TextContent): JsonObject =>
  linkPreview === false ? { link_preview_options: { is_disabled: true } } : {}

const fileCall = ({ caption, file, kind }: MediaContent): MethodCall => {
  const [method, field] = fileMethods[kind]
  const words = caption === undefined || kind === "sticker" ? {} : { caption }
  return { method, parameters: { [field]: "id" in file ? file.id : file.link, ...words } }
}

/** Reply buttons, one below the other. */
const buttonsCall = ({ buttons, text }: ButtonsContent): Result.Result<MethodCall, string> => {
  if (buttons.some(({ id }) => new TextEncoder().encode(id).length > 64)) {
    return Result.fail("interactive: each button needs a title and an id of at most 64 bytes.")
  }
  const rows = buttons.map(({ id, title }) => [{ text: title, callback_data: id }])
  return Result.succeed({ method: "sendMessage", parameters: { text, reply_markup: { inline_keyboard: rows } } })
}

/** Why a bot cannot send a content of a type. */
const faultOf = (type: string): string => {
  if (type === "interactive") {
    return "interactive: Telegram has reply buttons alone: a body with a text, and buttons with an id and a title."
  }
  if (type === "location") return "location: give the latitude and the longitude as numbers."
  return type in fileMethods
    ? `${type}: name the file by its id or its link.`
    : `Telegram has no messages of the type ${type}.`
}

/** A message that is gone is answered without a quotation. */
const quoteOf = (chat: string, answers: string | null): JsonObject => {
  const [, of, id] = /^(-?\d+):(\d+)$/.exec(answers ?? "") ?? []
  return of === chat && id !== undefined
    ? { reply_parameters: { message_id: Number(id), allow_sending_without_reply: true } }
    : {}
}
