/** How many items a request to a model may have, and how many parts an item. Pure. Source: docs/reference/language-models.md#bounds. */
import * as Schema from "effect/Schema"
import { isObject } from "../../platform/kernel/index.ts"

/** Items that a model is sent at a time, those of a conversation that is continued included. */
export const maxItems = 2048
/** Entries of a list in an item: parts of its content, calls, results. */
export const maxParts = 256

const atMostItems = Schema.isMaxLength(maxItems, { message: `Expected at most ${maxItems} items` })

/** The first list of an item that is too long. */
const longList = (item: unknown): string | undefined =>
  isObject(item)
    ? Object.keys(item).find((name) => {
        const value = item[name]
        return Array.isArray(value) && value.length > maxParts
      })
    : undefined

const atMostParts = Schema.makeFilter(
  (item: unknown) => {
    const name = longList(item)
    return name === undefined || { path: [name], issue: `Expected at most ${maxParts} entries` }
  },
  { toJsonSchema: () => ({}) }
)

/** The items of a prompt, at least one. */
export const promptItems = <A, I>(item: Schema.Codec<A, I>) =>
  Schema.Array(item.check(atMostParts)).check(
    Schema.isMinLength(1, { message: "Expected at least 1 entry" }),
    atMostItems
  )
