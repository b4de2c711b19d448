/** Reads an update of the Bot API as messages of the domain. Pure. Source: docs/reference/messaging.md#telegram. */
import {
  type ContactCard,
  type InboundMessage,
  Instant,
  isObject,
  type JsonObject,
  type MediaContent,
  type MediaKind,
  type MessageContent
} from "@trunkline/core/provider"

/** A message, and the answer to its update. */
export interface UpdateRead {
  readonly messages: ReadonlyArray<InboundMessage>
  readonly reply: JsonObject | null
}

const nothing: UpdateRead = { messages: [], reply: null }

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)
const idOf = (value: unknown): string | null => (Number.isSafeInteger(value) ? String(value) : null)
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Ids of messages count within a chat. */
export const messageIdOf = (chat: string, message: string): string => `${chat}:${message}`

/** Messages to the bot itself, their edits, and taps on its buttons. A bot learns of no deletions. */
export const readUpdate = (update: unknown): UpdateRead => {
  const { callback_query, edited_message, message } = objectOf(update)
  if (isObject(message)) return readMessage(message)
  if (isObject(edited_message)) return readEdit(edited_message)
  return isObject(callback_query) ? readTap(callback_query) : nothing
}

const readMessage = (message: JsonObject): UpdateRead => {
  const writer = writerOf(message)
  const id = idOf(message.message_id)
  if (writer === null || id === null) return nothing
  const answered = idOf(objectOf(message.reply_to_message).message_id)
  return {
    messages: [
      {
        ...writer,
        id: messageIdOf(writer.userRef, id),
        at: instantOf(message.date),
        content: contentOf(message),
        contextId: answered === null ? null : messageIdOf(writer.userRef, answered)
      }
    ],
    reply: null
  }
}

/** An edit is the whole message as it is then, under its own id. */
const readEdit = (edited: JsonObject): UpdateRead => {
  const { messages, reply } = readMessage(edited)
  const at = instantOf(edited.edit_date)
  return {
    messages: messages.map((message) => {
      const { content, id } = message
      return { ...message, id: `${id}:edit-${at}`, at, change: { msgid: id, edited: content } }
    }),
    reply
  }
}

/** The button shows that it is busy until its tap is answered. */
const readTap = (tap: JsonObject): UpdateRead => {
  const message = objectOf(tap.message)
  const writer = writerOf({ chat: message.chat, from: tap.from })
  const [id, data] = [textOf(tap.id), textOf(tap.data)]
  if (writer === null || id === null || data === null) return nothing
  const buttons = listOf(objectOf(message.reply_markup).inline_keyboard).flatMap(listOf).map(objectOf)
  const title = textOf(buttons.find(({ callback_data }) => callback_data === data)?.text) ?? data
  const answered = idOf(message.message_id)
  return {
    messages: [
      {
        ...writer,
        id: messageIdOf(writer.userRef, `tap-${id}`),
        at: null,
        content: { _tag: "Choice", id: data, title },
        contextId: answered === null ? null : messageIdOf(writer.userRef, answered)
      }
    ],
    reply: { method: "answerCallbackQuery", callback_query_id: id }
  }
}

type Writer = Omit<InboundMessage, "id" | "at" | "content" | "contextId"> & {
  readonly userRef: string
}

/** Null for groups, channels and other bots: a bot answers people, one by one. */
const writerOf = ({ chat, from }: JsonObject): Writer | null => {
  const { id, type } = objectOf(chat)
  const { first_name, is_bot, last_name, username } = objectOf(from)
  const userRef = idOf(id)
  if (type !== "private" || userRef === null || is_bot === true) return null
  const name = [textOf(first_name), textOf(last_name)].filter((one) => one !== null).join(" ")
  return {
    from: null,
    userRef,
    name: name === "" ? textOf(username) : name,
    to: null,
    toRef: null,
    isEcho: false,
    newPhone: null,
    newUserRef: null
  }
}

const contentOf = (message: JsonObject): MessageContent => {
  const text = textOf(message.text)
  if (text !== null) return { _tag: "Text", text }
  const caption = textOf(message.caption)
  for (const [name, kind, more] of files) {
    const given = name === "photo" ? listOf(message.photo).at(-1) : message[name]
    const file = isObject(given) ? fileOf(given) : null
    if (file !== null) return { _tag: "Media", kind, ...file, ...more, caption: caption ?? undefined }
  }
  if (isObject(message.location)) return placeOf(message)
  if (isObject(message.contact)) return { _tag: "Contacts", cards: [cardOf(message.contact)] }
  return { _tag: "Raw", type: "unsupported", text: caption, json: {} }
}

/** What holds a file, of which kind it is, and what Telegram does not say of it. */
const files: ReadonlyArray<readonly [name: string, kind: MediaKind, more: Partial<MediaContent>]> = [
  ["photo", "image", { mediaType: "image/jpeg" }],
  ["voice", "audio", { isVoice: true }],
  ["audio", "audio", {}],
  ["animation", "video", {}],
  ["video", "video", {}],
  ["video_note", "video", {}],
  ["sticker", "sticker", {}],
  ["document", "document", {}]
]

const fileOf = ({
  file_id,
  file_name,
  mime_type
}: JsonObject): Pick<MediaContent, "file" | "fileName" | "mediaType"> | null => {
  const id = textOf(file_id)
  if (id === null) return null
  return { file: { id }, fileName: textOf(file_name) ?? undefined, mediaType: textOf(mime_type) ?? undefined }
}

const placeOf = ({ location, venue }: JsonObject): MessageContent => {
  const { latitude, longitude } = objectOf(location)
  const { address, title } = objectOf(venue)
  return {
    _tag: "Location",
    latitude: Number(latitude),
    longitude: Number(longitude),
    name: textOf(title) ?? undefined,
    address: textOf(address) ?? undefined
  }
}

const cardOf = ({ first_name, last_name, phone_number }: JsonObject): ContactCard => ({
  name: [textOf(first_name), textOf(last_name)].filter((one) => one !== null).join(" "),
  phones: [textOf(phone_number)].filter((one) => one !== null)
})

/** 2001 to 2100, in seconds: outside of that it is nobody's clock. */
const instantOf = (seconds: unknown): Instant.Instant | null =>
  typeof seconds === "number" && seconds >= 1e9 && seconds <= 4_102_444_800
    ? Instant.make(Math.floor(seconds) * Instant.second)
    : null
