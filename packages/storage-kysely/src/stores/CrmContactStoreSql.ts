/** The account's address book in SQL: a number is found by one range seek. */
import { type CrmContactSearch as ContactSearch, ContactStore, PhoneNumber } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { SearchedText } from "../SearchedText.ts"
import { changed, count, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
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

interface Filtered extends OfTenant {
  readonly search: SearchedText
  readonly tag: string
}

type Filter = keyof ContactSearch

const fullName = sql`first_name || ' ' || last_name`

const matching = (
  eb: ExpressionBuilder<Database, "crmContacts">,
  { search, tag, tenantId }: Filtered,
  asked: ReadonlyArray<Filter>,
  dialect: SqlDialect
) =>
  eb.and([
    eb("tenantId", "=", tenantId),
    ...asked.map((filter) =>
      filter === "tag"
        ? dialect.hasElement("tags", tag)
        : eb.or(
            ["name", "first_name", "last_name", fullName, "email", "company"].map((text) =>
              dialect.hasPart(text, search)
            )
          )
    )
  ])

const shapes = byFilters<Filter>(["text", "tag"])

const listOf = shapes((asked, suffix) =>
  page<Filtered & { limit: number; offset: number }>(`crm.list${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("crmContacts")
      .select(fieldsOf("crmContacts"))
      .where((eb) => matching(eb, value, asked, dialect))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Filtered>(`crm.count${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("crmContacts")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked, dialect))
  )
)

const betweenOf = shapes((asked, suffix) =>
  statement<Filtered & { from: Contact["matchKey"]; to: Contact["matchKey"] }>(`crm.between${suffix}`)(
    (db, value, dialect) =>
      db
        .selectFrom("crmContacts")
        .select(fieldsOf("crmContacts"))
        .where((eb) => matching(eb, value, asked, dialect))
        .where("matchKey", ">=", value.from)
        .where("matchKey", "<", value.to)
        .orderBy("id", "desc")
  )
)

const filtered = (tenantId: Contact["tenantId"], { tag, text }: ContactSearch): Filtered => ({
  tenantId,
  search: new SearchedText(text ?? ""),
  tag: tag ?? ""
})

const add = statement<Contact>("crm.add")((db, contact) =>
  db
    .insertInto("crmContacts")
    .values(valuesOf("crmContacts", contact))
    .onConflict((on) => on.columns(["tenantId", "matchKey"]).doNothing())
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
  list: (tenantId, search, page) => rows(listOf(search), { ...filtered(tenantId, search), ...page }),
  count: (tenantId, search) => count(countOf(search), filtered(tenantId, search)),
  add: (contact) => changed(add, contact),
  save: (contact) => Effect.asVoid(write(save, contact)),
  remove: (tenantId, id) => changed(remove, { tenantId, id }),
  between: (tenantId, { from, to }, search) =>
    rows(betweenOf(search), {
      ...filtered(tenantId, search),
      from: PhoneNumber.as(from),
      to: PhoneNumber.as(to)
    })
})
