/** SQLite's side of what the two databases do differently. */
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely"
import { SearchedText, withoutSharpS } from "../SearchedText.ts"
import { encodeText } from "../StorableText.ts"
import { compileOnly, type SqlDialect } from "./SqlDialect.ts"

/** A column with a sign before it is looked for in no index. */
const idsBetween: SqlDialect["idsBetween"] = (column, first, last) =>
  sql<boolean>`+${sql.ref(column)} between ${first} and ${last}`

/**
 * Writes each parameter as an expression. Beside `order by` or `limit`, SQLite prepares a statement with a bare parameter again at
 * every run, because its value might change the plan. That costs more than most of these statements.
 */
class SteadyPlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return "ifnull(?, null)"
  }
}

export const sqliteDialect: SqlDialect = {
  name: "sqlite",
  queries: compileOnly({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SteadyPlanCompiler()
  }),
  encode: (value) => {
    if (value instanceof SearchedText) return encodeText(value.glob)
    return typeof value === "boolean" ? (value ? 1 : 0) : encodeText(value)
  },
  pageWithin: ({ sql }) => sql,
  ddl: {
    uuid: "text",
    instant: "integer",
    int: "integer",
    big: "integer",
    real: "real",
    bool: "integer",
    blob: "blob",
    json: "text",
    "merged-json": "text",
    scratch: "",
    strict: " strict",
    "by-key": " strict, without rowid",
    "outbox-order": "position integer primary key autoincrement",
    numbered: "position integer primary key",
    arrival: "position integer primary key",
    bytes: "collate binary",
    // Triggers of a migration write the index.
    searchable: ""
  },

  forUpdate: (query) => query,
  forUpdateSkipLocked: (query) => query,
  forUpdateSkipLockedOf: (query) => query,
  forKeyShare: (query) => query,

  list: (values) => sql`(select value from json_each(${values}))`,
  records: (values, alias, columns) =>
    sql`(select ${sql.raw(
      Object.keys(columns)
        .map((name) => `value ->> '${name}' as "${name}"`)
        .join(", ")
    )} from jsonb_each(${values})) as ${sql.raw(alias)}`,
  tuples: (values, types) => ({
    columns: sql.raw(types.map((_, i) => `value->>${i}`).join(", ")),
    from: sql`jsonb_each(${values})`
  }),

  idsBetween,

  isOneOf: (column, ids, first, last) =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${ids})) and ${idsBetween(column, first, last)}`,
  isOneOfJoined: (column, ids, first, last) =>
    sql<boolean>`+${sql.ref(column)} in (select value from json_each(${ids})) and ${idsBetween(column, first, last)}`,

  cast: (value) => sql`${value}`,
  mergeJson: (earlier, later) => sql.raw(`json_patch(${earlier}, ${later})`),
  jsonText: (column) => sql.raw(column),
  isAmong: (value, subquery) => sql<boolean>`${value} in (${subquery})`,
  // There is no lateral join: the rows are looked up a second time, by their ids.
  joinEach: (table, alias, found) =>
    sql`join ${sql.raw(`${table} as ${alias} on ${alias}.id in (select x.id from ${table} as x`)} ${found})`,

  // SQLite would walk the key's index and sort afterwards, which takes several times as long.
  fullScan: (table) => sql.raw(`${table} not indexed`),
  insertionOrder: () => sql.raw("rowid"),

  // A range of the index for each interval: there is no function that finds the interval of a value.
  intervals: (column, { bounds, first, last }) => ({
    from: sql`(select key as place, value as since, lead(value) over (order by key) as before
      from json_each(${bounds})) as intervals cross join`,
    isWithin: sql<boolean>`+${sql.ref(column)} >= ${first} and +${sql.ref(column)} < ${last}
      and ${sql.ref(column)} >= intervals.since and ${sql.ref(column)} < intervals.before`,
    place: sql<number>`intervals.place`
  }),

  // One transaction is written after the other.
  outbox: {
    cursor: sql<string>`'0.' || position`,
    isAfter: ({ position }) => sql<boolean>`position > ${position}`,
    compared: (op, { position }) => sql<boolean>`position ${sql.raw(op)} ${position}`,
    epoch: sql<string>`'0'`,
    order: sql`position`
  },

  hasPart: (text, search) => sql<boolean>`coalesce(${withoutSharpS(text)} glob ${search}, false)`,
  hasElement: (column, text) =>
    sql<boolean>`exists (select 1 from json_each(${sql.ref(column)}) as element where element.value = ${text})`,
  countElements: (column, texts) =>
    sql<number>`(select count(distinct element.value) from json_each(${sql.ref(column)}) as element
      where element.value in (select value from json_each(${texts})))`,

  searchPassages: (lexemes, limit) =>
    sql`select knowledge_search.rowid as position from json_each(${lexemes}) cross join knowledge_search
      where knowledge_search match '"' || replace(json_each.value ->> 'lexeme', '"', '""') || '"'
      group by knowledge_search.rowid order by sum(json_each.value ->> 'weight') desc, knowledge_search.rowid desc limit ${limit}`
}
