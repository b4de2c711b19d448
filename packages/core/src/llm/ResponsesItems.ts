/** The items of a response's input: with ids, without references, after those of the conversation before. Pure. */
import * as Result from "effect/Result"
import { isObject } from "../kernel/index.ts"
import { isAbsent, isText } from "./ResponsesJson.ts"
import type { Json } from "./Translation.ts"

/** An item as it is kept: it has an `id` and a `type`. */
export type Item = Json

/** The input as items with ids: a text is a message of the user. What is no object stays away: it was refused before. */
export const inputItems = (input: unknown, freshId: (prefix: string) => string): ReadonlyArray<Item> => {
  const items = isText(input) ? [{ role: "user", content: input }] : Array.isArray(input) ? input : []
  return items.filter(isObject).map((item) => identified(item, freshId))
}

const identified = (item: Json, freshId: (prefix: string) => string): Item => {
  const type = typeOf(item)
  const { id, ...fields } = item
  const written = type === "message" ? { ...fields, content: partsOf(item) } : fields
  return { id: isText(id) && id !== "" ? id : freshId(prefixOf(type)), ...written, ...(isText(type) ? { type } : {}) }
}

/** An item without a type is a message where it has a role, and a reference where it has an id alone: so the public API. */
const typeOf = ({ id, role, type }: Json): unknown =>
  isAbsent(type) ? (isAbsent(role) ? (isAbsent(id) ? undefined : reference) : "message") : type

const reference = "item_reference"

/** Kept messages have parts, as in the public API. */
const partsOf = ({ content, role }: Json): unknown => {
  if (!isText(content)) return content
  return role === "assistant"
    ? [{ type: "output_text", text: content, annotations: [] }]
    : [{ type: "input_text", text: content }]
}

const prefixes: ReadonlyMap<unknown, string> = new Map([
  ["message", "msg"],
  ["function_call", "fc"],
  ["function_call_output", "fco"],
  ["reasoning", "rs"]
])

const prefixOf = (type: unknown): string => prefixes.get(type) ?? "item"

/** The ids of the items to which the input refers, each once. */
export const referencedIds = (items: ReadonlyArray<Item>): ReadonlyArray<string> => [
  ...new Set(items.filter(isReference).map(({ id }) => String(id)))
]

const isReference = ({ type }: Item): boolean => type === reference

/** The items with those that are kept in place of the references; the first id that is not kept as the failure. */
export const withoutReferences = (
  items: ReadonlyArray<Item>,
  kept: ReadonlyMap<string, Item>
): Result.Result<ReadonlyArray<Item>, { readonly unknownId: string }> => {
  const unknownId = referencedIds(items).find((id) => !kept.has(id))
  return unknownId === undefined
    ? Result.succeed(items.map((item) => (isReference(item) ? kept.get(String(item.id))! : item)))
    : Result.fail({ unknownId })
}

/** What was said before: the whole input of a kept response, with all before it, and its output. */
export interface KeptConversation {
  readonly input: ReadonlyArray<Item>
  readonly output: ReadonlyArray<Item>
}

/** The whole input of a response that goes on from a kept one. */
export const afterConversation = (
  { input, output }: KeptConversation,
  items: ReadonlyArray<Item>
): ReadonlyArray<Item> => [...input, ...output, ...items]

/** What an upstream is sent: none takes reasoning back that is not encrypted. */
export const sentItems = (items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.filter(
    ({ encrypted_content, type }) => type !== "reasoning" || (isText(encrypted_content) && encrypted_content !== "")
  )

export interface ItemsQuery {
  readonly limit: number
  readonly order: "asc" | "desc"
  /** The id of the item after which the page begins. */
  readonly after: string | null
}

/** A page of the input's items; null where there is no item with the id `after`. */
export const inputItemsPage = (items: ReadonlyArray<Item>, { after, limit, order }: ItemsQuery): Json | null => {
  const ordered = order === "asc" ? items : items.toReversed()
  // A caller may send an item twice: after the last of them, so that pages come to an end.
  const from = after === null ? 0 : ordered.findLastIndex(({ id }) => id === after) + 1
  if (after !== null && from === 0) return null
  const data = ordered.slice(from, from + limit)
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length
  }
}
