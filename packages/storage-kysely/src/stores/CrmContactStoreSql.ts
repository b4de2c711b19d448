/** The account's address book in SQL: a number is found by one range seek. */
import { ContactStore } from "@trunkline/core/effect"
import * as Layer from "effect/Layer"
import { count, row, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Contact = Database["crmContacts"]
type OfTenant = Pick<Contact, "tenantId">

const find = statement<Pick<Contact, "tenantId" | "id">>("crm.find")((db, value) =>
  db
    .selectFrom("crmContacts")
    .select(fieldsOf("crmContacts"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

const list = statement<OfTenant & { limit: number; offset: number }>("crm.list")((db, value) =>
  db
    .selectFrom("crmContacts")
    .select(fieldsOf("crmContacts"))
    .where("tenantId", "=", value.tenantId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countOf = statement<OfTenant>("crm.count")((db, value) =>
  db
    .selectFrom("crmContacts")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
)

const between = statement<OfTenant & { from: Contact["matchKey"]; to: Contact["matchKey"] }>("crm.between")(
  (db, value) =>
    db
      .selectFrom("crmContacts")
      .select(fieldsOf("crmContacts"))
      .where("tenantId", "=", value.tenantId)
      .where("matchKey", ">=", value.from)
      .where("matchKey", "<", value.to)
      .orderBy("id", "desc")
)

export const layer = Layer.succeed(ContactStore, {
  find: (tenantId, id) => row(find, { tenantId, id }),
  list: (tenantId, page) => rows(list, { tenantId, ...page }),
  count: (tenantId) => count(countOf, { tenantId }),
  between: (tenantId, from, to) =>
    rows(between, { tenantId, from: from as Contact["matchKey"], to: to as Contact["matchKey"] })
})
