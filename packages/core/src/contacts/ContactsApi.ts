/** The contract of the account's CRM contacts. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as Fields from "../http/Fields.ts"
import { NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { NotFound, RequestErrors } from "../http/PlatformErrors.ts"
import { Ids, Instant } from "../kernel/index.ts"

/** Source: docs/contacts.md#crm. */
const ContactRecord = Schema.Struct({
  id: Ids.schema<"CrmContact">(),
  phone: Schema.String,
  name: Schema.NullOr(Schema.String),
  first_name: Schema.NullOr(Schema.String),
  last_name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  notes: Schema.NullOr(Schema.String),
  opted_in: Schema.Boolean,
  custom: Schema.Record(Schema.String, Schema.String),
  created_at: Instant.Iso,
  updated_at: Instant.Iso
}).annotate({ identifier: "Contact" })

export const contactsGroup = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...Fields.page({ limit: 500, standard: 100, offset: 1_000_000 }),
        phone: Schema.optionalKey(Fields.text(1, 64))
      },
      success: Schema.Array(ContactRecord)
    }).annotate(NeedsScope, "contacts:read"),
    HttpApiEndpoint.get("get", "/:contact_id", {
      params: { contact_id: Ids.schema<"CrmContact">() },
      success: ContactRecord,
      error: NotFound
    }).annotate(NeedsScope, "contacts:read")
  )
  .prefix("/api/v1/contacts")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
