/** Errors of requests at the preview desk. */
import * as Schema from "effect/Schema"
import { Instant } from "../../platform/kernel/index.ts"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const previewErrors = {
  ContactHeld: { status: 409, code: "contact_held" }
} as const satisfies ErrorTable

export class ContactHeld extends Schema.TaggedError<ContactHeld>()("ContactHeld", {
  holder: Schema.String,
  until: Schema.Number
}) {
  override get message() {
    return `${this.holder} is looking at this contact, until ${Instant.toIso(Instant.make(this.until))} at the latest`
  }
}
