/** Parts of a chat message as blocks of the messages API. Pure. */
import * as Result from "effect/Result"
import { objectOf, present } from "../../JsonFields.ts"
import { objectAt, refuse, type Translated, textAt } from "../RequestFields.ts"
import type { Json } from "../Translation.ts"

/** No block where the text is empty: the messages API refuses empty ones. `mark` is the caller's `cache_control`. */
export const textBlocks = (text: string, mark?: unknown): ReadonlyArray<Json> =>
  text === "" ? [] : [marked({ type: "text", text }, mark)]

const isBlank = ({ text, type }: Json): boolean => type === "text" && typeof text === "string" && text.trim() === ""

/** The messages API refuses a content whose texts are all blank: they are left out. */
export const withoutBlanks = (blocks: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  blocks.some((block) => block.type === "text" && !isBlank(block)) ? blocks : blocks.filter((block) => !isBlank(block))

/** The messages API has this field on its blocks and tools: it is passed on as it was sent. */
export const marked = (block: Json, mark: unknown): Json =>
  mark === undefined ? block : { ...block, cache_control: mark }

/** A message's mark is that of its last block. */
export const lastMarked = (blocks: ReadonlyArray<Json>, mark: unknown): ReadonlyArray<Json> =>
  mark === undefined ? blocks : blocks.map((block, nth) => (nth === blocks.length - 1 ? marked(block, mark) : block))

/** Hints for caches, which have no effect on the answer. */
const hints = ["prompt_cache_breakpoint", "cache_control"]

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
    const { cache_control, text } = yield* objectAt(part, at, ["type", "text", ...hints])
    return textBlocks(yield* textAt(text, `${at}.text`), cache_control)
  })

const imagePart = (part: unknown, at: string): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const { cache_control, image_url } = yield* objectAt(part, at, ["type", "image_url", ...hints])
    const inside = `${at}.image_url`
    const { url: given } = yield* objectAt(image_url, inside, ["url", "detail"])
    const url = yield* textAt(given, `${inside}.url`)
    const source = /^https?:\/\//i.test(url) ? { type: "url", url } : base64Source(url)
    if (source !== null) return [marked({ type: "image", source }, cache_control)]
    return yield* refuse(`${inside}.url`, "Send a picture as an http(s) address or as a base64 `data:` URL.")
  })

const filePart = (part: unknown, at: string): Translated<ReadonlyArray<Json>> =>
  Result.gen(function* () {
    const { cache_control, file } = yield* objectAt(part, at, ["type", "file", ...hints])
    const inside = `${at}.file`
    const { file_data, filename } = yield* objectAt(file, inside, ["file_data", "filename"])
    const source = base64Source(yield* textAt(file_data, `${inside}.file_data`))
    if (source?.media_type === "application/pdf") {
      return [marked(present({ type: "document", source, title: filename }), cache_control)]
    }
    return yield* refuse(`${inside}.file_data`, "This model takes PDF files alone, as a base64 `data:` URL.")
  })

/** Names of types that the messages API does not know, and the ones that it does. */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  ["image/jpg", "image/jpeg"],
  ["image/pjpeg", "image/jpeg"],
  ["image/x-png", "image/png"]
])

/** Base64 without its line ends, which the messages API refuses. */
const base64Source = (url: string): Json | null => {
  const head = /^data:([\w.+/-]+)(?:;[\w.+-]+=[^;,]*)*;base64,/i.exec(url)
  const type = head?.[1]?.toLowerCase()
  if (head === null || type === undefined) return null
  const media_type = mediaTypes.get(type) ?? type
  return { type: "base64", media_type, data: url.slice(head[0].length).replace(/\s+/g, "") }
}
