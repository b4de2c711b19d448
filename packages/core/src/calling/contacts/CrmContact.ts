/** A person in the account's address book, whom campaigns and conversations may refer to. Pure. */
import * as Schema from "effect/Schema"
import { Entity, Ids, Instant } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"

/** Its row. Source: docs/reference/contacts.md#crm. */
export const crmContactEntity = Schema.Struct({
  id: Ids.schema<"CrmContact">(),
  tenantId: Ids.schema<"Account">(),
  /** As it was given. */
  phone: Schema.String,
  matchKey: PhoneNumber.MatchKey,
  name: Schema.NullOr(Schema.String),
  firstName: Schema.NullOr(Schema.String),
  lastName: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  notes: Schema.NullOr(Schema.String),
  /** Consent to be messaged. An import may give it and never takes it away. */
  optedIn: Schema.Boolean,
  custom: Schema.Record(Schema.String, Schema.String),
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso
})
export interface CrmContact extends Schema.Struct.Type<typeof crmContactEntity.fields> {}

/** How a contact is shown. */
export const CrmContactRecord = Entity.recordOf(crmContactEntity, [
  "id",
  "phone",
  "name",
  "firstName",
  "lastName",
  "email",
  "company",
  "tags",
  "notes",
  "optedIn",
  "custom",
  "createdAt",
  "updatedAt"
])
