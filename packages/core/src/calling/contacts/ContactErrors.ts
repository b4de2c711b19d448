/** What can be wrong with a request about contacts. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const contactErrors = {
  ContactExists: { status: 409, code: "contact_exists" },
  CrmContactNotFound: { status: 404, code: "crm_contact_not_found" }
} as const satisfies ErrorTable

export class ContactExists extends Schema.TaggedError<ContactExists>()("ContactExists", {
  /** The contact that has the number. */
  id: Schema.String
}) {
  override get message() {
    return `Another contact has this number: change that one, ${this.id}`
  }
}

export class CrmContactNotFound extends Schema.TaggedError<CrmContactNotFound>()("CrmContactNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Contact not found"
  }
}
