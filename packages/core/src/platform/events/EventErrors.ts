/** How an event of the host is refused. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const eventErrors = {
  EventRefused: { status: 422, code: "event_refused" }
} as const satisfies ErrorTable

export class EventRefused extends Schema.TaggedError<EventRefused>()("EventRefused", { detail: Schema.String }) {
  override get message() {
    return this.detail
  }
}
