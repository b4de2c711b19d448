/** Postgres's side of what the two databases do differently. */
import {
  AliasNode,
  ColumnNode,
  type CompiledQuery,
  IdentifierNode,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  ReferenceNode,
  type SelectQueryNode,
  sql
} from "kysely"
import { SearchedText, withoutSharpS } from "../SearchedText.ts"
import { encodeText, hexText } from "../StorableText.ts"
import { compileOnly, type SqlDialect, type SqlType } from "./SqlDialect.ts"

/** One value of a JSON array, by its index. */
const element = (type: SqlType, index: number): string => {
  if (type === "json") return `value->${index}`
  return type === "text" ? `value->>${index}` : `(value->>${index})::${type}`
}

const isOneOf: SqlDialect["isOneOf"] = (column, ids, first, last) =>
  sql<boolean>`${sql.ref(column)} = any (array(select json_array_elements_text(${ids}::json)::uuid))
    and ${sql.ref(column)} between ${first} and ${last}`

/** The names of a query's result columns. */
const columnNames = ({ query }: CompiledQuery): ReadonlyArray<string> => {
  const nameOf = (node: OperationNode): string => {
    if (AliasNode.is(node) && IdentifierNode.is(node.alias)) return node.alias.name
    if (ReferenceNode.is(node)) return nameOf(node.column)
    if (ColumnNode.is(node)) return node.column.name
    throw new Error(`a page selects columns and what has an alias, and no ${node.kind}`)
  }
  return ((query as SelectQueryNode).selections ?? []).map(({ selection }) => nameOf(selection))
}

export const postgresDialect: SqlDialect = {
  name: "postgres",
  queries: compileOnly({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler()
  }),
  encode: (value) => {
    if (value instanceof SearchedText) return encodeText(value.regex)
    return value instanceof Uint8Array ? hexText(value) : encodeText(value)
  },
  pageWithin: (query, maxBytes) => {
    const names = columnNames(query).map((name) => `"${name}"`)
    const bytes = names.map((name) => `coalesce(octet_length(q.${name}::text), 0)`).join(" + ")
    return `select ${names.join(", ")} from (
      select q.*, row_number() over (rows unbounded preceding) as page_place,
        sum(${bytes}) over (rows unbounded preceding) as page_bytes from (${query.sql}) as q
    ) as page where page_place = 1 or page_bytes <= ${maxBytes}`
  },
  ddl: {
    uuid: "uuid",
    instant: "bigint",
    int: "integer",
    big: "bigint",
    real: "double precision",
    bool: "boolean",
    blob: "bytea",
    json: "json",
    "merged-json": "jsonb",
    scratch: "unlogged ",
    strict: "",
    "by-key": "",
    "outbox-order":
      "position bigint generated always as identity, epoch xid8 not null default pg_current_xact_id(), primary key (epoch, position)",
    numbered: "position bigint generated always as identity primary key",
    arrival: "position bigint generated always as identity",
    bytes: 'collate "C"',
    // The same words as SQLite's triggers make.
    searchable: `, search tsvector generated always as (array_to_tsvector(array_remove(string_to_array(
        replace(' ' || title_terms || ' ' || terms, ' ', ' ' || right(bot_id::text, 8)) ||
        replace(' ' || title_terms, ' ', ' t' || right(bot_id::text, 8)), ' '), ''))) stored`
  },

  forUpdate: (query) => query.forUpdate(),
  forUpdateSkipLocked: (query) => query.forUpdate().skipLocked(),
  forUpdateSkipLockedOf: (query, table) => query.forUpdate(table).skipLocked(),
  forKeyShare: (query) => query.forKeyShare(),

  list: (values, type) => sql`(select json_array_elements_text(${values}::json)::${sql.raw(type)} as value)`,
  records: (values, alias, columns) =>
    sql`json_to_recordset(${values}::json) as ${sql.raw(
      `${alias}(${Object.entries(columns)
        .map(([name, type]) => `"${name}" ${type}`)
        .join(", ")})`
    )}`,
  tuples: (values, types) => ({
    columns: sql.raw(types.map(element).join(", ")),
    from: sql`jsonb_array_elements(${values}::jsonb) as value`
  }),

  idsBetween: (column, first, last) => sql<boolean>`${sql.ref(column)} between ${first} and ${last}`,

  isOneOf,
  isOneOfJoined: isOneOf,

  cast: (value, type) => sql`${value}::${sql.raw(type)}`,
  mergeJson: (earlier, later, stored) =>
    sql.raw(stored === "merged-json" ? `${earlier} || ${later}` : `(${earlier}::jsonb || ${later}::jsonb)::json`),
  jsonText: (column) => sql.raw(`${column}::text`),
  // As an array: a join with many rows would be planned as a walk through the whole table.
  isAmong: (value, subquery) => sql<boolean>`${value} = any (array(${subquery}))`,
  joinEach: (table, alias, found) =>
    sql`cross join lateral (select x.* from ${sql.raw(`${table} as x`)} ${found}) as ${sql.raw(alias)}`,

  fullScan: (table) => sql.raw(table),
  insertionOrder: (column) => sql.raw(column),

  // One range of the index, however many intervals it has.
  intervals: (column, { bounds, first, last }) => ({
    from: sql``,
    isWithin: sql<boolean>`${sql.ref(column)} >= ${first} and ${sql.ref(column)} < ${last}`,
    place: sql<number>`width_bucket(${sql.ref(column)},
      array(select json_array_elements_text(${bounds}::json)::bigint)) - 1`
  }),

  // Transactions end in another order than they begin: an event appears once all that began before its own have ended.
  outbox: {
    cursor: sql<string>`concat(epoch, '.', position)`,
    isAfter: ({ epoch, position }) =>
      sql<boolean>`(epoch, position) > (${epoch}::xid8, ${position}::bigint) and epoch < pg_snapshot_xmin(pg_current_snapshot())`,
    compared: (op, { epoch, position }) =>
      sql<boolean>`(epoch, position) ${sql.raw(op)} (${epoch}::xid8, ${position}::bigint)`,
    epoch: sql<string>`epoch`,
    order: sql`epoch, position`
  },

  hasPart: (text, search) => sql<boolean>`coalesce(${withoutSharpS(text)} ~ ${search}, false)`,
  hasElement: (column, text) =>
    sql<boolean>`${text} = any (array(select json_array_elements_text(${sql.ref(column)})))`,
  countElements: (column, texts) =>
    sql<number>`(select count(distinct element) from json_array_elements_text(${sql.ref(column)}) as element
      where element = any (array(select json_array_elements_text(${texts}::json))))`,

  searchPassages: (lexemes, limit) =>
    sql`select position from json_to_recordset(${lexemes}::json) as asked (lexeme text, weight double precision)
      join knowledge_passages on search @@ ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery
      group by position order by sum(weight) desc, position desc limit ${limit}`
}
