/** The list of people who have opted out, in SQL: one range seek for a phone, one look for an id. */
import { type Ids, OptOutStore, PhoneNumber } from "@trunkline/core/storage"
import * as Layer from "effect/Layer"
import type { ExpressionBuilder } from "kysely"
import { changed, count, insert, row, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Entry = Database["optOuts"]
type Of<K extends keyof Entry> = Pick<Entry, K>

const find = statement<Of<"tenantId" | "id">>("optOuts.find")((db, value) =>
  db.selectFrom("optOuts").select(fieldsOf("optOuts")).where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const near = statement<Of<"tenantId"> & { readonly from: PhoneNumber.MatchKey; readonly to: PhoneNumber.MatchKey }>(
  "optOuts.near"
)((db, value) =>
  db
    .selectFrom("optOuts")
    .select(fieldsOf("optOuts"))
    .where("tenantId", "=", value.tenantId)
    .where("matchKey", "is not", null)
    .where("matchKey", ">=", value.from)
    .where("matchKey", "<", value.to)
    .orderBy("id", "desc")
)

const ofUser = statement<{ readonly tenantId: Entry["tenantId"]; readonly userId: string }>("optOuts.ofUser")(
  (db, value) =>
    db
      .selectFrom("optOuts")
      .select(fieldsOf("optOuts"))
      .where("tenantId", "=", value.tenantId)
      .where("userId", "is not", null)
      .where("userId", "=", value.userId)
      .orderBy("id", "desc")
)

type Filter = "source" | "phoneNumberId"
type Asked = ReadonlyArray<Filter>
type Found = Of<"tenantId" | Filter>

const shapes = byFilters<Filter>(["source", "phoneNumberId"])

const matching = (eb: ExpressionBuilder<Database, "optOuts">, value: Found, asked: Asked) =>
  eb.and([eb("tenantId", "=", value.tenantId), ...asked.map((column) => eb(column, "=", value[column]))])

const listOf = shapes((asked, suffix) =>
  page<Found & { readonly limit: number; readonly offset: number }>(`optOuts.list${suffix}`)((db, value) =>
    db
      .selectFrom("optOuts")
      .select(fieldsOf("optOuts"))
      .where((eb) => matching(eb, value, asked))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Found>(`optOuts.count${suffix}`)((db, value) =>
    db
      .selectFrom("optOuts")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked))
  )
)

const remove = statement<{ readonly tenantId: Ids.AccountId; readonly id: Entry["id"] }>("optOuts.remove")(
  (db, value) => db.deleteFrom("optOuts").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

export const layer = Layer.succeed(OptOutStore, {
  add: (entry) => insert("optOuts", [entry]),
  find: (tenantId, id) => row(find, { tenantId, id }),
  near: (tenantId, { from, to }) => rows(near, { tenantId, from: PhoneNumber.as(from), to: PhoneNumber.as(to) }),
  ofUser: (tenantId, userId) => rows(ofUser, { tenantId, userId }),
  list: (tenantId, filter, page) => rows(listOf({ ...filter }), { tenantId, ...filter, ...page } as never),
  count: (tenantId, filter) => count(countOf({ ...filter }), { tenantId, ...filter } as never),
  remove: (tenantId, id) => changed(remove, { tenantId, id })
})
