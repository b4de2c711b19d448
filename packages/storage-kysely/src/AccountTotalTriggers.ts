/**
 * Counts rows as they are added, changed and removed, by whatever statement: also by sweeps, by rows that go with another row, and
 * by moves of accounts. SQLite counts row by row; Postgres once for each statement, since a thousand updates of one row in one
 * transaction would be read through again and again.
 */
import type { AccountTotal } from "@trunkline/core/storage"
import type { Text } from "./MigrationSteps.ts"

interface Counted {
  readonly table: string
  readonly name: AccountTotal
  /** What a row adds: 1, or the bytes of columns. */
  readonly bytesOf: ReadonlyArray<string> | null
  /** Whether a row that is there may change in them. */
  readonly changes?: true
}

const counted: ReadonlyArray<Counted> = [
  { table: "suppression_entries", name: "suppression_entries", bytesOf: null },
  { table: "knowledge", name: "knowledge_bytes", bytesOf: ["title", "content"] },
  { table: "kept_responses", name: "kept_responses", bytesOf: null },
  { table: "kept_responses", name: "kept_response_bytes", bytesOf: ["response", "before"] },
  { table: "kept_items", name: "kept_response_bytes", bytesOf: ["item"] },
  { table: "idempotency_keys", name: "kept_answer_bytes", bytesOf: ["answer"], changes: true }
]

/** What one row adds. SQLite knows the length of a column without reading it. */
const added = ({ bytesOf }: Counted, row: string, cast: string): string =>
  bytesOf === null ? "1" : bytesOf.map((column) => `coalesce(octet_length(${row}.${column}${cast}), 0)`).join(" + ")

const text = "::text"

const sqliteTriggers = (one: Counted): ReadonlyArray<string> => {
  const { changes, name, table } = one
  const [before, now] = [added(one, "old", ""), added(one, "new", "")]
  const made = (suffix: string, event: string, when: string, amount: string) =>
    `create trigger ${table}_${name}_${suffix} after ${event} on ${table} when ${when} begin
      insert into account_totals (tenant_id, name, n)
        values (${event === "delete" ? "old" : "new"}.tenant_id, '${name}', ${amount})
        on conflict (tenant_id, name) do update set n = n + excluded.n;
    end`
  return [
    made("added", "insert", `${now} <> 0`, now),
    made("removed", "delete", `${before} <> 0`, `-(${before})`),
    ...(changes === true ? [made("changed", "update", `${now} <> ${before}`, `${now} - (${before})`)] : [])
  ]
}

/** Sorted, so that two statements that count rows of several accounts lock the totals in one order. */
const postgresTriggers = (one: Counted): ReadonlyArray<string> => {
  const { changes, name, table } = one
  const plus = `select tenant_id, ${added(one, "added", text)} as n from added`
  const minus = `select tenant_id, -(${added(one, "removed", text)}) as n from removed`
  const made = (event: string, referencing: string, parts: string): ReadonlyArray<string> => [
    `create function ${table}_${name}_${event}() returns trigger language plpgsql as $$ begin
      insert into account_totals (tenant_id, name, n)
        select tenant_id, '${name}', sum(n) from (${parts}) as parts group by tenant_id having sum(n) <> 0 order by tenant_id
        on conflict (tenant_id, name) do update set n = account_totals.n + excluded.n;
      return null; end $$`,
    `create trigger ${table}_${name}_${event} after ${event} on ${table} referencing ${referencing}
      for each statement execute function ${table}_${name}_${event}()`
  ]
  return [
    ...made("insert", "new table as added", plus),
    ...made("delete", "old table as removed", minus),
    ...(changes === true ? made("update", "old table as removed new table as added", `${minus} union all ${plus}`) : [])
  ]
}

/** The totals of the rows that are there when the triggers are made. */
const fill = (cast: string): ReadonlyArray<string> =>
  counted.map(
    (one) => `insert into account_totals (tenant_id, name, n)
      select tenant_id, '${one.name}', sum(${added(one, one.table, cast)}) from ${one.table} group by tenant_id having true
      on conflict (tenant_id, name) do update set n = account_totals.n + excluded.n`
  )

export const accountTotalStatements: ReadonlyArray<Text> = [
  `create table account_totals (tenant_id {uuid} not null, name text not null, n {big} not null, primary key (tenant_id, name)){by-key}`,
  {
    sqlite: [...fill(""), ...counted.flatMap(sqliteTriggers)],
    // Nothing is written between the count and the trigger that counts from then on.
    postgres: [
      `lock table ${[...new Set(counted.map(({ table }) => table))].join(", ")} in share row exclusive mode`,
      ...fill(text),
      ...counted.flatMap(postgresTriggers)
    ]
  }
]
