/** The account's address book in SQL: a number is found by one range seek. */
import {
  type CrmContactSearch as ContactSearch,
  ContactStore,
  Ids,
  PhoneNumber,
  type Segment,
  snakeName
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { SearchedText } from "../SearchedText.ts"
import { changed, count, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { page, plain, statement } from "../Statement.ts"
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

interface Ranges extends OfTenant {
  readonly ranges: ReadonlyArray<PhoneNumber.KeyRange>
}

const fields = sql.join(fieldsOf("crmContacts").map((field) => sql.ref(`c.${snakeName(field)}`)))

const near = statement<Ranges>("crm.near")(
  plain<Ranges, Contact>(
    (value, dialect) => sql`
      select ${fields} from ${dialect.records(value.ranges, "asked", { from: "text", to: "text" })} cross join crm_contacts as c
      where c.tenant_id = ${value.tenantId} and c.match_key >= asked."from" and c.match_key < asked."to"`
  )
)

interface Part extends OfTenant {
  readonly after: Contact["id"]
}

/** The last of the contacts that are looked at; none where they are fewer. */
const lastOfPart = statement<Part & { others: number }>("crm.lastOfPart")((db, value) =>
  db
    .selectFrom("crmContacts")
    .select("id")
    .where("tenantId", "=", value.tenantId)
    .where("id", ">", value.after)
    .orderBy("id")
    .limit(1)
    .offset(value.others)
)

interface PartOfSegment extends Part {
  readonly last: Contact["id"]
  readonly tags: ReadonlyArray<string>
  /** How many of the tags a contact has at least. */
  readonly needed: number
  readonly excluded: ReadonlyArray<string>
  readonly optedIn: boolean
}

const segmentOf = statement<PartOfSegment>("crm.segment")((db, value, dialect) =>
  db
    .selectFrom("crmContacts")
    .select(fieldsOf("crmContacts"))
    .where("tenantId", "=", value.tenantId)
    .where("id", ">", value.after)
    .where("id", "<=", value.last)
    .where(sql<boolean>`(opted_in or not ${dialect.cast(value.optedIn, "boolean")})`)
    .where(sql<boolean>`${dialect.countElements("tags", value.tags)} >= ${value.needed}`)
    .where(sql<boolean>`${dialect.countElements("tags", value.excluded)} = 0`)
    .orderBy("id")
)

const segment = Effect.fnUntraced(function* (
  tenantId: Contact["tenantId"],
  { excludeTags, match, optedIn, tags }: Segment,
  after: Contact["id"] | null,
  limit: number
) {
  const part = { tenantId, after: after ?? Ids.first<"CrmContact">() }
  const next = (yield* row(lastOfPart, { ...part, others: limit - 1 }))?.id ?? null
  const contacts = yield* rows(segmentOf, {
    ...part,
    last: next ?? Ids.last<"CrmContact">(),
    tags,
    needed: match === "all" ? new Set(tags).size : 1,
    excluded: excludeTags,
    optedIn
  })
  return { contacts, next }
})

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
    }),
  near: (tenantId, ranges) => (ranges.length === 0 ? Effect.succeed([]) : rows(near, { tenantId, ranges })),
  segment
})
