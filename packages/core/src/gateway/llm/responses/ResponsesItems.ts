/** The items of a response's input: with ids, without references, after those of the conversation before. Pure. */
import * as Result from "effect/Result"
import { isObject, utf8Length, withinListBytes } from "../../../platform/kernel/index.ts"
import type { Json } from "../translate/Translation.ts"
import { isAbsent, isText, listOf } from "./ResponsesJson.ts"

export type Item = Json

/** An item with the id by which it is found. One without an id of its own is sent without any: ours mean nothing to upstreams. */
export interface KeptItem {
  readonly id: string
  readonly item: Item
}

/** An item as it is shown. An id of its own is the same. */
const shownItem = ({ id, item }: KeptItem): Item & { readonly id: string } => ({ ...item, id })

/** The input as items, a text as a message of the user. Items that are no objects were refused before. */
export const itemsOf = (input: unknown): ReadonlyArray<Item> =>
  (isText(input) ? [{ role: "user", content: input }] : listOf(input)).filter(isObject)

/** The items of an output that can be referred to. */
export const outputItems = (output: unknown): ReadonlyArray<KeptItem> =>
  listOf(output)
    .filter(isObject)
    .flatMap((item) => (isText(item.id) && item.id !== "" ? [{ id: item.id, item }] : []))

/** An item of an input with an id, its own or a fresh one, in the form in which it is kept. */
export const identified = (item: Item, freshId: (prefix: string) => string): KeptItem => {
  const type = typeOf(item)
  const { id: given, ...fields } = item
  const own = isText(given) && given !== "" ? given : null
  return {
    id: own ?? freshId(prefixOf(type)),
    item: {
      ...(own === null ? {} : { id: own }),
      ...fields,
      ...(type === "message" ? { content: partsOf(item) } : {}),
      ...(isText(type) ? { type } : {})
    }
  }
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
  ["custom_tool_call", "ctc"],
  ["custom_tool_call_output", "ctco"],
  ["reasoning", "rs"]
])

const prefixOf = (type: unknown): string => prefixes.get(type) ?? "item"

/** The ids of the items to which the input refers, each once. */
export const referencedIds = (items: ReadonlyArray<Item>): ReadonlyArray<string> => [
  ...new Set(items.filter(isReference).map(referencedId))
]

const isReference = (item: Item): boolean => typeOf(item) === reference

/** No item has the empty id. */
const referencedId = ({ id }: Item): string => (isText(id) ? id : "")

/** An item of an input as it is sent, and as it is kept. */
export interface InputItem {
  readonly sent: Item
  readonly kept: KeptItem
}

/** The items with those that are kept in place of the references; the first id that is not kept as the failure. */
export const withoutReferences = (
  items: ReadonlyArray<Item>,
  known: ReadonlyMap<string, KeptItem>,
  freshId: (prefix: string) => string
): Result.Result<ReadonlyArray<InputItem>, { readonly unknownId: string }> => {
  const unknownId = referencedIds(items).find((id) => !known.has(id))
  if (unknownId !== undefined) return Result.fail({ unknownId })
  return Result.succeed(
    items.map((item) => {
      const kept = known.get(referencedId(item))
      return isReference(item) && kept !== undefined
        ? { sent: kept.item, kept }
        : { sent: item, kept: identified(item, freshId) }
    })
  )
}

const isEncrypted = ({ encrypted_content: text }: Item): boolean => isText(text) && text !== ""

/** The items that some upstream accepts: reasoning is of use encrypted, or in the plain text of a chat. */
export const sentItems = (items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.filter((item) => item.type !== "reasoning" || isEncrypted(item) || listOf(item.content).length > 0)

/** The items that an upstream with the Responses API accepts: of reasoning encrypted alone. */
export const ownItems = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  items.filter((item) => !isObject(item) || item.type !== "reasoning" || isEncrypted(item))

/** Bytes of items as JSON. An item may be there many times: each is written once. */
export const bytesOf = (items: ReadonlyArray<Item>): number => {
  const known = new Map<Item, number>()
  return items.reduce((sum, item) => {
    const bytes = known.get(item) ?? utf8Length(JSON.stringify(item))
    known.set(item, bytes)
    return sum + bytes
  }, 0)
}

export interface ItemsQuery {
  readonly limit: number
  readonly order: "asc" | "desc"
  /** The id of the item after which the page begins. */
  readonly after: string | null
}

/** A page in the form of the public API. */
export interface ItemsPage {
  readonly object: "list"
  readonly data: ReadonlyArray<Item & { readonly id: string }>
  readonly first_id: string | null
  readonly last_id: string | null
  readonly has_more: boolean
}

/** A page of the input's items; null where there is no item with the id `after`. */
export const inputItemsPage = (
  kept: ReadonlyArray<KeptItem>,
  { after, limit, order }: ItemsQuery
): ItemsPage | null => {
  const ordered = order === "asc" ? kept : kept.toReversed()
  // A caller may send an item twice: after the last of them, so that pages come to an end.
  const from = after === null ? 0 : ordered.findLastIndex(({ id }) => id === after) + 1
  if (after !== null && from === 0) return null
  const data = withinListBytes(ordered.slice(from, from + limit).map(shownItem))
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + data.length < ordered.length
  }
}
