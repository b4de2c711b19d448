/** What can be wrong with a request about the do-not-call list. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const suppressionErrors = {
  EntryNotFound: { status: 404, code: "entry_not_found" }
} as const satisfies ErrorTable

export class EntryNotFound extends Schema.TaggedError<EntryNotFound>()("EntryNotFound", { id: Schema.String }) {
  override get message() {
    return "Do-not-call entry not found"
  }
}
