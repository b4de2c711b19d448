/** Contents of messages in the words of the public API: what can be sent, and how a long text becomes several messages. Pure. Source: docs/reference/messaging.md#sending. */
import * as Result from "effect/Result"
import { isLonger, isObject, jsonFault } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import { type JsonObject, maxContentKib } from "./JsonObject.ts"
import { splitText } from "./Splitter.ts"

/** What can be sent. Each content stands under its own name: `{ "type": "image", "image": { … } }`. */
export const contentTypes = [
  "text",
  "template",
  "image",
  "audio",
  "video",
  "document",
  "sticker",
  "interactive",
  "location",
  "contacts",
  "reaction"
] as const
export type ContentType = (typeof contentTypes)[number]

/** The content of one message, as it is stored and shown. */
export interface PublicContent {
  readonly type: ContentType
  /** What can be read of it: the text, a caption; null where there is none. */
  readonly text: string | null
  /** The object that the type names. A list stands in it under the type's name. */
  readonly body: JsonObject
}

/** One message, as a caller gives it. */
export interface PublicMessage extends PublicContent {
  /** The channel's id of the message that it answers; null where it answers none. */
  readonly answers: string | null
  /** Further fields of the message in the channel's own words. A channel that does not know one ignores it. */
  readonly options: JsonObject
}

/** Characters of a text: sixteen messages of the usual length, which is as many as one customer may get at once. */
export const maxText = 65_536

export interface ContentFault {
  readonly field: string
  readonly message: string
}

/** The digits of an international number, however it is punctuated; undefined where it is none. Source: docs/reference/messaging.md#sending. */
export const digitsOf = (text: string): string | undefined => {
  if (!/^[\d\s+().\-/]+$/.test(text)) return undefined
  const digits = PhoneNumber.fold(text)
  return digits.length >= 6 && digits.length <= 15 ? digits : undefined
}

/**
 * The contents of the messages that one content becomes: one, or several for a text that is longer than `maxTextLength`. A text
 * may be given by itself or as an object. Fails with the fault of the content. Source: docs/reference/messaging.md#sending.
 */
export const parseContent = (
  type: ContentType,
  content: unknown,
  maxTextLength: number
): Result.Result<ReadonlyArray<PublicContent>, ContentFault> => {
  const refuse = (message: string) => Result.fail({ field: type, message })
  if (content === undefined || content === null) return refuse("Field required")
  // A text has a bound of its own, in characters.
  const fault = jsonFault(
    type === "text" ? { ...(isObject(content) ? content : {}), body: "" } : content,
    maxContentKib
  )
  if (fault !== null) return refuse(fault)
  if (type === "text") {
    const text: unknown = typeof content === "string" ? { body: content } : content
    if (!isObject(text)) return refuse("Expected a string, or an object with a body")
    if (typeof text.body !== "string" || text.body.trim() === "") return refuse("Expected a text that is not blank")
    if (isLonger(text.body, maxText)) return refuse(`Expected at most ${maxText} characters`)
    return Result.succeed(
      splitText(text.body, maxTextLength).map((body) => ({ type, text: body, body: { ...text, body } }))
    )
  }
  if (type === "contacts") {
    return Array.isArray(content) && content.length > 0
      ? Result.succeed([{ type, text: null, body: { [type]: content } }])
      : refuse("Expected a list of contact cards")
  }
  return isObject(content)
    ? Result.succeed([{ type, text: readableText(type, content), body: content }])
    : refuse("Expected an object")
}

/** What can be read of a content: its caption, or what stands above its buttons. */
export const readableText = (type: string, { body, caption }: JsonObject): string | null => {
  const words = type === "interactive" && isObject(body) ? body.text : caption
  return typeof words === "string" && words !== "" ? words : null
}
