/** The do-not-call list in SQL: one range seek per question. */
import { Ids, PhoneNumber, SuppressionStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { SearchedText } from "../SearchedText.ts"
import { changed, count, rows } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { page, plain, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Entry = Database["suppressionEntries"]

const add = statement<Entry>("suppression.add")((db, entry) =>
  db
    .insertInto("suppressionEntries")
    .values(valuesOf("suppressionEntries", entry))
    .onConflict((on) => on.columns(["tenantId", "matchKey"]).doNothing())
)

const remove = statement<Pick<Entry, "tenantId" | "id">>("suppression.remove")((db, value) =>
  db.deleteFrom("suppressionEntries").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const keysBetween = statement<{ tenantId: Entry["tenantId"]; from: Entry["matchKey"]; to: Entry["matchKey"] }>(
  "suppression.keysBetween"
)((db, value) =>
  db
    .selectFrom("suppressionEntries")
    .select("matchKey")
    .where("tenantId", "=", value.tenantId)
    .where("matchKey", ">=", value.from)
    .where("matchKey", "<", value.to)
)

interface Ranges {
  readonly tenantId: Entry["tenantId"]
  readonly ranges: ReadonlyArray<PhoneNumber.KeyRange>
}

const keysNear = statement<Ranges>("suppression.keysNear")(
  plain<Ranges, Pick<Entry, "matchKey">>(
    (value, dialect) => sql`
      select e.match_key from ${dialect.records(value.ranges, "asked", { from: "text", to: "text" })}
        cross join suppression_entries as e
      where e.tenant_id = ${value.tenantId} and e.match_key >= asked."from" and e.match_key < asked."to"`
  )
)

const keysOf = (found: ReadonlyArray<Pick<Entry, "matchKey">>) => found.map(({ matchKey }) => matchKey)

interface Found {
  readonly tenantId: Entry["tenantId"]
  readonly search: SearchedText
}

type Filter = "reason"
type Asked = ReadonlyArray<Filter>

/** By whether entries are asked for by their reason. */
const shapes = byFilters<Filter>(["reason"])

const matching = (
  eb: ExpressionBuilder<Database, "suppressionEntries">,
  value: Found,
  asked: Asked,
  dialect: SqlDialect
) => eb.and([eb("tenantId", "=", value.tenantId), ...asked.map((column) => dialect.hasPart(column, value.search))])

const nearOf = shapes((asked, suffix) =>
  statement<Found & { from: Entry["matchKey"]; to: Entry["matchKey"] }>(`suppression.near${suffix}`)(
    (db, value, dialect) =>
      db
        .selectFrom("suppressionEntries")
        .select(fieldsOf("suppressionEntries"))
        .where((eb) => matching(eb, value, asked, dialect))
        .where("matchKey", ">=", value.from)
        .where("matchKey", "<", value.to)
        .orderBy("id", "desc")
  )
)

const listOf = shapes((asked, suffix) =>
  page<Found & { before: Ids.EntryId; limit: number; offset: number }>(`suppression.list${suffix}`)(
    (db, value, dialect) =>
      db
        .selectFrom("suppressionEntries")
        .select(fieldsOf("suppressionEntries"))
        .where((eb) => matching(eb, value, asked, dialect))
        .where("id", "<", value.before)
        .orderBy("id", "desc")
        .limit(value.limit)
        .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Found>(`suppression.count${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("suppressionEntries")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked, dialect))
  )
)

/** Behind every id. */
const end = Ids.last<"SuppressionEntry">()

const found = (tenantId: Entry["tenantId"], reason: string | null): Found => ({
  tenantId,
  search: new SearchedText(reason ?? "")
})

export const layer = Layer.succeed(SuppressionStore, {
  add: (entry) => changed(add, entry),
  remove: (tenantId, id) => changed(remove, { tenantId, id }),
  keysBetween: (tenantId, from, to) =>
    Effect.map(rows(keysBetween, { tenantId, from: PhoneNumber.as(from), to: PhoneNumber.as(to) }), keysOf),
  keysNear: (tenantId, ranges) =>
    ranges.length === 0 ? Effect.succeed([]) : Effect.map(rows(keysNear, { tenantId, ranges }), keysOf),
  near: (tenantId, { from, to }, reason) =>
    rows(nearOf({ reason }), { ...found(tenantId, reason), from: PhoneNumber.as(from), to: PhoneNumber.as(to) }),
  list: (tenantId, reason, page) => rows(listOf({ reason }), { ...found(tenantId, reason), before: end, ...page }),
  before: (tenantId, reason, before, limit) =>
    rows(listOf({ reason }), { ...found(tenantId, reason), before: before ?? end, limit, offset: 0 }),
  count: (tenantId, reason) => count(countOf({ reason }), found(tenantId, reason))
})
