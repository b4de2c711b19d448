/** JSON objects of others, as messages carry them. Pure. */
import * as Schema from "effect/Schema"

/** A JSON object that is passed on as it came. */
export type JsonObject = { readonly [name: string]: unknown }
export const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/** KiB that a message's content may have as JSON: more than any platform takes. Source: docs/reference/messaging.md#sending. */
export const maxContentKib = 256
