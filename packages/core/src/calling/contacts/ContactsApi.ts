/** The contract of the account's CRM contacts. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Ids, isLonger } from "../../platform/kernel/index.ts"
import { maxKeyLength } from "../csv/index.ts"
import { address, maxLengths } from "./ContactImport.ts"
import { CrmContactRecord } from "./CrmContact.ts"

export const ContactBody = CrmContactRecord.schema.annotate({ identifier: "Contact" })

const words = (maximum: number) => Fields.optional(Fields.text(1, maximum))

const Email = Fields.text(1, maxLengths.email).check(
  Schema.makeFilter((value: string) => address.test(value) || "Expected an e-mail address", {
    toJsonSchema: () => ({ format: "email" })
  })
)

/** Tags of one contact, and keys of its `custom`. */
const maxEntries = 1000

const Custom = Schema.Record(Schema.String, Fields.text(0, maxLengths.custom)).check(
  Schema.isMaxProperties(maxEntries),
  Schema.makeFilter(
    (custom: object) =>
      Object.keys(custom).every((key) => key !== "" && !isLonger(key, maxKeyLength)) ||
      `Expected keys of 1 to ${maxKeyLength} characters`,
    { toJsonSchema: () => ({ propertyNames: { minLength: 1, maxLength: maxKeyLength } }) }
  )
)

/** What an import may say of a person, and that consent was withdrawn. Source: docs/reference/contacts.md#crm. */
export const ContactChange = Schema.Struct({
  name: words(maxLengths.name),
  first_name: words(maxLengths.name),
  last_name: words(maxLengths.name),
  email: Fields.optional(Email),
  company: words(maxLengths.name),
  tags: Schema.optionalKey(Schema.Array(Fields.text(1, maxLengths.tag)).check(Schema.isMaxLength(maxEntries))),
  notes: words(maxLengths.notes),
  opted_in: Schema.optionalKey(Schema.Boolean),
  custom: Schema.optionalKey(Custom)
}).annotate({ identifier: "ContactChange" })

const NewContact = Schema.Struct({ phone: Fields.text(1, maxLengths.phone), ...ContactChange.fields }).annotate({
  identifier: "NewCrmContact"
})

const one = { contact_id: Ids.schema<"CrmContact">() }

export const crmTexts = {
  "query.phone": "Returns only items whose number ends with these digits",
  "query.q": "Returns only contacts with this text in a name, the email address or the company, in any case",
  "query.tag": "Returns only contacts with this tag",
  phone: "Phone number as it was given",
  name: "Full name",
  first_name: "First name",
  last_name: "Last name",
  email: "Email address",
  company: "Company",
  tags: "Tags, in the order in which they were given",
  notes: "Notes",
  opted_in: "True when the person has agreed to be messaged",
  custom: "Further columns of the import, by name"
}

export const contactsGroup = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...Fields.page({ limit: 500, standard: 100, offset: 1_000_000 }),
        phone: Schema.optionalKey(Fields.text(1, 64)),
        q: Schema.optionalKey(Fields.search),
        tag: Schema.optionalKey(Fields.text(1, maxLengths.tag))
      },
      success: Schema.Array(ContactBody)
    })
      .annotate(NeedsScope, "contacts:read")
      .annotateMerge(
        OpenApi.annotations({ summary: "List contacts", description: "Returns the account's contacts, newest first." })
      ),
    HttpApiEndpoint.post("create", "/", {
      payload: NewContact,
      success: ContactBody.pipe(HttpApiSchema.status(201)),
      error: [Conflict, Unprocessable]
    })
      .annotate(NeedsScope, "contacts:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a contact",
          description: "Creates one contact; its number must not be that of another."
        })
      ),
    HttpApiEndpoint.get("get", "/:contact_id", {
      params: one,
      success: ContactBody,
      error: NotFound
    })
      .annotate(NeedsScope, "contacts:read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Get a contact", description: "Returns one contact with its custom fields." })
      ),
    HttpApiEndpoint.patch("change", "/:contact_id", {
      params: one,
      payload: ContactChange,
      success: ContactBody,
      error: NotFound
    })
      .annotate(NeedsScope, "contacts:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a contact",
          description: "Changes the fields that you send and keeps the others; null clears a field."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:contact_id", {
      params: one,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(NeedsScope, "contacts:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a contact",
          description: "Deletes one contact from the address book; campaigns keep it on their lists."
        })
      )
  )
  .prefix("/api/v1/contacts")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "The account's address book")
  .annotate(BodyExamples, {
    create: { phone: "+91 98765 43210", first_name: "Asha", tags: ["customer"] },
    change: { first_name: "Asha", tags: ["customer"], notes: "Prefers mornings", opted_in: true }
  })
  .annotate(FieldTexts, crmTexts)
