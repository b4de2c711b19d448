/**
 * Translates contents between the words of the public API, in which they are given, stored and shown, and those of the domain. Pure.
 * Nothing is lost: an object that is read and written again is the same. Source: docs/reference/messaging.md#contents.
 */
import { isObject } from "../../platform/kernel/index.ts"
import type { JsonObject } from "./JsonObject.ts"
import type { StoredContent } from "./Message.ts"
import {
  type ButtonsContent,
  type ContactCard,
  type ContentOption,
  type KnownContent,
  type ListContent,
  type MediaKind,
  type MessageContent,
  mediaKinds
} from "./MessageContent.ts"
import { readableText } from "./PublicContent.ts"

/** An object of the public API under its type. A list stands in it under the type's name. */
export interface TypedJson {
  readonly type: string
  readonly json: JsonObject
}

/** Reads the object that `type` names in the public API. One that the domain has no words for is `Raw`. */
export const contentOf = (type: string, json: JsonObject): MessageContent => {
  const known = readers.get(type)?.(json) ?? null
  if (known === null) return { _tag: "Raw", type, text: readableText(type, json), json }
  const extra = difference(written(known).json, json)
  return Object.keys(extra).length === 0 ? known : { ...known, extra }
}

/** A content as it is stored and shown. */
export const storedContent = (content: MessageContent): StoredContent => {
  const { json, type } = contentJson(content)
  const text = wordsOf(content)
  return { type, text: text === undefined || text === "" ? null : text, content: json }
}

/** What can be read of a content. */
const wordsOf = (content: MessageContent): string | null | undefined => {
  switch (content._tag) {
    case "Media":
      return content.caption
    case "Choice":
      return content.title
    default:
      return "text" in content ? content.text : null
  }
}

/** Writes a content in the words of the public API. */
export const contentJson = (content: MessageContent): TypedJson => {
  if (content._tag === "Raw") return { type: content.type, json: content.json }
  const { json, type } = written(content)
  return { type, json: content.extra === undefined ? json : withDifference(json, content.extra) }
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
const nameIn = (value: unknown): string | undefined => (value === "" ? undefined : textIn(value))
const isTrue = (value: unknown): true | undefined => (value === true ? true : undefined)
const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** A number, or a text that has nothing else. */
const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

/** Reads every item of a list; undefined where it is no list, or where one item cannot be read. */
const listOf = <A>(value: unknown, read: (item: JsonObject) => A | undefined): ReadonlyArray<A> | undefined => {
  if (!Array.isArray(value)) return undefined
  const items = value.flatMap((item: unknown) => read(objectIn(item)) ?? [])
  return items.length === value.length ? items : undefined
}

const optionIn = (value: unknown) => {
  const { id, title } = objectIn(value)
  return typeof id === "string" && typeof title === "string" ? { id, title } : undefined
}

const readText = ({ body, preview_url }: JsonObject): KnownContent | null =>
  typeof body === "string"
    ? { _tag: "Text", text: body, linkPreview: typeof preview_url === "boolean" ? preview_url : undefined }
    : null

/** An id counts where both are there. */
const readMedia =
  (kind: MediaKind) =>
  ({ caption, filename, id, link, mime_type, voice }: JsonObject): KnownContent | null => {
    const name = nameIn(id ?? link)
    if (name === undefined) return null
    return {
      _tag: "Media",
      kind,
      file: id === undefined || id === null ? { link: name } : { id: name },
      caption: textIn(caption),
      fileName: textIn(filename),
      mediaType: textIn(mime_type),
      isVoice: isTrue(voice)
    }
  }

const readLocation = ({ address, latitude, longitude, name }: JsonObject): KnownContent | null => {
  const [north, east] = [numberIn(latitude), numberIn(longitude)]
  if (north === undefined || east === undefined) return null
  return { _tag: "Location", latitude: north, longitude: east, name: textIn(name), address: textIn(address) }
}

const readInteractive = (json: JsonObject): KnownContent | null => {
  const choice = optionIn(json.type === "list_reply" ? json.list_reply : json.button_reply)
  if (choice !== undefined) return { _tag: "Choice", ...choice }
  const text = textIn(objectIn(json.body).text)
  if (text === undefined) return null
  const { button, buttons, sections } = objectIn(json.action)
  const options = listOf(buttons, ({ reply }) => optionIn(reply))
  if (json.type === "button" && options !== undefined && options.length > 0) {
    return { _tag: "Buttons", text, buttons: options }
  }
  const rows = listOf(sections, sectionIn)
  const isList = json.type === "list" && rows !== undefined && typeof button === "string"
  return isList ? { _tag: "List", text, button, sections: rows } : null
}

const sectionIn = ({ rows, title }: JsonObject) => {
  const read = listOf(rows, (row) => {
    const option = optionIn(row)
    return option === undefined ? undefined : { ...option, description: textIn(row.description) }
  })
  return read === undefined ? undefined : { title: textIn(title), rows: read }
}

const readContacts = ({ contacts }: JsonObject): KnownContent | null => {
  const cards = listOf(contacts, ({ name, phones }): ContactCard | undefined => {
    const formatted = textIn(objectIn(name).formatted_name)
    const numbers = listOf(phones ?? [], ({ phone }) => textIn(phone))
    return formatted === undefined || numbers === undefined ? undefined : { name: formatted, phones: numbers }
  })
  return cards === undefined ? null : { _tag: "Contacts", cards }
}

const readReaction = ({ emoji, message_id: messageId }: JsonObject): KnownContent | null =>
  typeof messageId === "string" ? { _tag: "Reaction", messageId, emoji: textIn(emoji) ?? "" } : null

const readTemplate = ({ language, name }: JsonObject): KnownContent | null => {
  const code = textIn(objectIn(language).code)
  return typeof name === "string" && code !== undefined ? { _tag: "Template", name, language: code } : null
}

const readers: ReadonlyMap<string, (json: JsonObject) => KnownContent | null> = new Map([
  ["text", readText],
  ...mediaKinds.map((kind) => [kind, readMedia(kind)] as const),
  ["location", readLocation],
  ["interactive", readInteractive],
  ["contacts", readContacts],
  ["reaction", readReaction],
  ["template", readTemplate]
])

/** An object without the fields that are undefined. */
const given = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Writes a content without its `extra`. */
const written = (content: KnownContent): TypedJson => {
  switch (content._tag) {
    case "Text":
      return { type: "text", json: given({ body: content.text, preview_url: content.linkPreview }) }
    case "Media": {
      const { caption, file, fileName: filename, isVoice: voice, kind, mediaType: mime_type } = content
      return { type: kind, json: given({ ...file, mime_type, filename, voice, caption }) }
    }
    case "Location": {
      const { address, latitude, longitude, name } = content
      return { type: "location", json: given({ latitude, longitude, name, address }) }
    }
    case "Contacts":
      return { type: "contacts", json: { contacts: content.cards.map(cardJson) } }
    case "Reaction":
      return { type: "reaction", json: { message_id: content.messageId, emoji: content.emoji } }
    case "Template":
      return { type: "template", json: { name: content.name, language: { code: content.language } } }
    case "Choice":
      return { type: "interactive", json: { type: "button_reply", button_reply: optionJson(content) } }
    case "Buttons":
      return { type: "interactive", json: buttonsJson(content) }
    case "List":
      return { type: "interactive", json: listJson(content) }
  }
}

const cardJson = ({ name, phones }: ContactCard): JsonObject => ({
  name: { formatted_name: name },
  phones: phones.map((phone) => ({ phone }))
})

const optionJson = ({ id, title }: ContentOption): JsonObject => ({ id, title })

const buttonsJson = ({ buttons, text }: ButtonsContent): JsonObject => ({
  type: "button",
  body: { text },
  action: { buttons: buttons.map((button) => ({ type: "reply", reply: optionJson(button) })) }
})

const listJson = ({ button, sections, text }: ListContent): JsonObject => ({
  type: "list",
  body: { text },
  action: {
    button,
    sections: sections.map(({ rows, title }) =>
      given({ title, rows: rows.map((row) => given({ ...optionJson(row), description: row.description })) })
    )
  }
})

const own = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

/** What makes `to` of `from`: `withDifference(from, difference(from, to))` is `to`. A list that differs stands in it as a whole. */
const difference = (from: JsonObject, to: JsonObject): JsonObject => {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return Object.fromEntries(
    [...names].flatMap((name): ReadonlyArray<[string, unknown]> => {
      const [before, after] = [own(from, name), own(to, name)]
      if (JSON.stringify(before) === JSON.stringify(after)) return []
      return [[name, isObject(before) && isObject(after) ? difference(before, after) : after]]
    })
  )
}

/** An object after a difference. */
const withDifference = (from: JsonObject, by: JsonObject): JsonObject =>
  given(
    Object.fromEntries([
      ...Object.entries(from),
      ...Object.entries(by).map(([name, after]) => {
        const before = own(from, name)
        return [name, isObject(before) && isObject(after) ? withDifference(before, after) : after]
      })
    ])
  )
