/** JSON objects of others, as messages carry them. Pure. */
import * as Schema from "effect/Schema"

/** A JSON object that is passed on as it came. */
export type JsonObject = { readonly [name: string]: unknown }
export const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/** Deeper than any message is. JSON may be nested so deeply that writing it again takes all of the stack. */
const maxDepth = 64

/** False of what is nested too deeply to be written again. */
export const isShallow = (value: unknown, depth = 0): boolean =>
  typeof value !== "object" ||
  value === null ||
  (depth < maxDepth && Object.values(value).every((one) => isShallow(one, depth + 1)))
