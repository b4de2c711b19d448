/** Blocks of a user's message of the messages API as parts of the chat API. Pure. */
import * as Result from "effect/Result"
import { filledTextOf, objectOf } from "../../JsonFields.ts"
import { objectAt, refuse, refuseField, type Translated, textAt } from "../RequestFields.ts"
import type { Json } from "../Translation.ts"

export interface Part extends Json {
  readonly type: string
}

/** Fields of every block. A hint for caches has no effect on the answer. */
export const blockFields = ["type", "cache_control"]

const textFields = [...blockFields, "text", "citations"]

export const messagesPart = (block: unknown, at: string): Translated<Part> => {
  switch (objectOf(block)?.type) {
    case "text":
      return Result.map(textOfBlock(block, at), textPart)
    case "image":
      return imagePart(block, at)
    case "document":
      return documentPart(block, at)
    default:
      return refuse(
        at,
        "This model takes blocks of text, pictures and PDF documents. Remove other ones, or send their text."
      )
  }
}

/** Thinking that came from a chat has no signature. A thinking model of a chat goes on from it; the messages API refuses it. */
export const isOurThinking = ({ signature, type }: Json): boolean =>
  type === "thinking" && (signature === "" || signature === undefined)

const textPart = (text: string): Part => ({ type: "text", text })

/** The text of a text block; other blocks are refused. */
export const textOfBlock = (block: unknown, at: string): Translated<string> =>
  // Without a generator: there may be tens of thousands of them.
  objectOf(block)?.type === "text"
    ? Result.flatMap(objectAt(block, at, textFields), ({ citations, text }) =>
        areOff(citations) ? textAt(text, `${at}.text`) : refuseField(`${at}.citations`)
      )
    : refuse(at, `\`${at}\` must be a text block for this model.`)

/** Of a text block citations are a list, of a document they are a switch. */
const areOff = (citations: unknown): boolean => {
  if (citations === undefined) return true
  if (Array.isArray(citations)) return citations.length === 0
  const fields = objectOf(citations)
  return fields !== null && (fields.enabled ?? false) === false
}

const imagePart = (block: unknown, at: string): Translated<Part> =>
  Result.gen(function* () {
    const { source } = yield* objectAt(block, at, [...blockFields, "source"])
    const inside = `${at}.source`
    switch (objectOf(source)?.type) {
      case "base64": {
        const { data, media_type } = yield* objectAt(source, inside, ["type", "media_type", "data"])
        return imageUrl(yield* dataUrl(media_type, data, inside))
      }
      case "url": {
        const { url } = yield* objectAt(source, inside, ["type", "url"])
        return imageUrl(yield* textAt(url, `${inside}.url`))
      }
      default:
        return yield* refuse(inside, "Send a picture with a source of type `base64` or `url`.")
    }
  })

const imageUrl = (url: string): Part => ({ type: "image_url", image_url: { url } })

const dataUrl = (mediaType: unknown, data: unknown, at: string): Translated<string> =>
  Result.gen(function* () {
    const type = yield* textAt(mediaType, `${at}.media_type`)
    return `data:${type};base64,${yield* textAt(data, `${at}.data`)}`
  })

const documentPart = (block: unknown, at: string): Translated<Part> =>
  Result.gen(function* () {
    const { citations, source, title } = yield* objectAt(block, at, [...blockFields, "source", "title", "citations"])
    if (!areOff(citations)) return yield* refuseField(`${at}.citations`)
    const inside = `${at}.source`
    const { data, media_type, type } = objectOf(source) ?? {}
    if (type === "text") {
      yield* objectAt(source, inside, ["type", "media_type", "data"])
      return textPart(yield* textAt(data, `${inside}.data`))
    }
    if (type !== "base64" || media_type !== "application/pdf") {
      return yield* refuse(
        inside,
        "Send a document as a `base64` source of type `application/pdf`, or as a `text` source."
      )
    }
    yield* objectAt(source, inside, ["type", "media_type", "data"])
    const file_data = yield* dataUrl(media_type, data, inside)
    return { type: "file", file: { filename: filledTextOf(title) ?? "document.pdf", file_data } }
  })
