/** Parts of a chat message as blocks of the messages API. Pure. */
import * as Result from "effect/Result"
import { objectOf, present } from "./JsonFields.ts"
import { objectAt, refuse, refuseField, type Translated, textAt } from "./RequestFields.ts"
import type { Json } from "./Translation.ts"

/** No block where the text is empty: the messages API refuses empty ones. */
export const textBlocks = (text: string): ReadonlyArray<Json> => (text === "" ? [] : [{ type: "text", text }])

/** A hint for caches, which has no effect on the answer. */
const hint = "prompt_cache_breakpoint"

export const chatBlock = (part: unknown, at: string): Translated<ReadonlyArray<Json>> => {
  switch (objectOf(part)?.type) {
    case "text":
      return textPart(part, at)
    case "image_url":
      return imagePart(part, at)
    case "file":
      return filePart(part, at)
    default:
      return refuse(at, "This model takes parts of the types `text`, `image_url` and `file`. Remove other ones.")
  }
}

const textPart = (part: unknown, at: string): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const { text } = yield* objectAt(part, at, ["type", "text", hint])
    return textBlocks(yield* textAt(text, `${at}.text`))
  })

const imagePart = (part: unknown, at: string): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const { image_url } = yield* objectAt(part, at, ["type", "image_url", hint])
    const inside = `${at}.image_url`
    const { detail, url: given } = yield* objectAt(image_url, inside, ["url", "detail"])
    if (detail !== undefined && detail !== "auto") return yield* refuseField(`${inside}.detail`)
    const url = yield* textAt(given, `${inside}.url`)
    if (/^https?:\/\//i.test(url)) return [{ type: "image", source: { type: "url", url } }]
    const source = base64Source(url)
    if (source !== null) return [{ type: "image", source }]
    return yield* refuse(`${inside}.url`, "Send a picture as an http(s) address or as a base64 `data:` URL.")
  })

const filePart = (part: unknown, at: string): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const { file } = yield* objectAt(part, at, ["type", "file", hint])
    const inside = `${at}.file`
    const { file_data, filename } = yield* objectAt(file, inside, ["file_data", "filename"])
    const source = base64Source(yield* textAt(file_data, `${inside}.file_data`))
    if (source?.media_type === "application/pdf") return [present({ type: "document", source, title: filename })]
    return yield* refuse(`${inside}.file_data`, "This model takes PDF files alone, as a base64 `data:` URL.")
  })

const base64Source = (url: string): Json | null => {
  const head = /^data:([\w.+/-]+)(?:;[\w.+-]+=[^;,]*)*;base64,/i.exec(url)
  return head === null ? null : { type: "base64", media_type: head[1]?.toLowerCase(), data: url.slice(head[0].length) }
}
