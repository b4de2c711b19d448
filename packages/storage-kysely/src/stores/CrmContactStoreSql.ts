/** The account's address book in SQL: a number is found by one range seek. */
import { ContactStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, count, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
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

const list = page<OfTenant & { limit: number; offset: number }>("crm.list")((db, value) =>
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

const save = statement<Contact>("crm.save")((db, contact) =>
  db
    .updateTable("crmContacts")
    .set(changesOf("crmContacts", contact, ["id", "tenantId", "phone", "matchKey", "createdAt"]))
    .where("id", "=", contact.id)
    .where("tenantId", "=", contact.tenantId)
)

const remove = statement<Pick<Contact, "tenantId" | "id">>("crm.remove")((db, value) =>
  db.deleteFrom("crmContacts").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

export const layer = Layer.succeed(ContactStore, {
  find: (tenantId, id) => row(find, { tenantId, id }),
  list: (tenantId, page) => rows(list, { tenantId, ...page }),
  count: (tenantId) => count(countOf, { tenantId }),
  save: (contact) => Effect.asVoid(write(save, contact)),
  remove: (tenantId, id) => changed(remove, { tenantId, id }),
  between: (tenantId, from, to) =>
    rows(between, { tenantId, from: from as Contact["matchKey"], to: to as Contact["matchKey"] })
})
