/** Messages of the domain as methods of the Bot API. Pure. Source: docs/reference/messaging.md#telegram. */
import {
  type ContentType,
  isObject,
  type JsonObject,
  type OutboundMessage,
  type Recipient
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

/** What sends a message to a chat; fails with what is wrong with its content. */
export const methodOf = (chat: string, message: OutboundMessage): Result.Result<MethodCall, string> =>
  Result.map(contentOf(message), ({ method, parameters }) => ({
    method,
    parameters: { chat_id: chat, ...parameters, ...quoteOf(chat, message.answers) }
  }))

const fileMethods: Partial<Record<ContentType, readonly [method: string, field: string]>> = {
  image: ["sendPhoto", "photo"],
  audio: ["sendAudio", "audio"],
  video: ["sendVideo", "video"],
  document: ["sendDocument", "document"],
  sticker: ["sendSticker", "sticker"]
}

const contentOf = ({ body, type }: OutboundMessage): Result.Result<MethodCall, string> => {
  if (type === "text")
    return Result.succeed({ method: "sendMessage", parameters: { text: body.body, ...previewOf(body) } })
  if (type === "interactive") return buttonsOf(body)
  if (type === "location") {
    const { latitude, longitude } = body
    return Result.succeed({ method: "sendLocation", parameters: { latitude, longitude } })
  }
  const known = fileMethods[type]
  if (known === undefined) return Result.fail(`Telegram has no messages of the type ${type}.`)
  const [method, field] = known
  const file = body.id ?? body.link
  if (typeof file !== "string" || file === "") return Result.fail(`${type}: name the file by its id or its link.`)
  const caption = typeof body.caption === "string" && type !== "sticker" ? { caption: body.caption } : {}
  return Result.succeed({ method, parameters: { [field]: file, ...caption } })
}

const previewOf = ({ preview_url }: JsonObject): JsonObject =>
  preview_url === false ? { link_preview_options: { is_disabled: true } } : {}

/** Reply buttons, one below the other. */
const buttonsOf = ({ action, body, type }: JsonObject): Result.Result<MethodCall, string> => {
  const buttons = isObject(action) && Array.isArray(action.buttons) ? action.buttons : []
  const text = isObject(body) ? body.text : undefined
  if (type !== "button" || typeof text !== "string" || buttons.length === 0) {
    return Result.fail("interactive: Telegram has reply buttons alone: a body with a text, and buttons.")
  }
  const rows: Array<ReadonlyArray<JsonObject>> = []
  for (const button of buttons) {
    const { id, title } = isObject(button) && isObject(button.reply) ? button.reply : {}
    if (typeof id !== "string" || typeof title !== "string" || new TextEncoder().encode(id).length > 64) {
      return Result.fail("interactive: each button needs a title and an id of at most 64 bytes.")
    }
    rows.push([{ text: title, callback_data: id }])
  }
  return Result.succeed({ method: "sendMessage", parameters: { text, reply_markup: { inline_keyboard: rows } } })
}

/** A message that is gone is answered without a quotation. */
const quoteOf = (chat: string, answers: string | null): JsonObject => {
  const [, of, id] = /^(-?\d+):(\d+)$/.exec(answers ?? "") ?? []
  return of === chat && id !== undefined
    ? { reply_parameters: { message_id: Number(id), allow_sending_without_reply: true } }
    : {}
}
