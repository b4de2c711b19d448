/** Makes partitions ahead of time, and drops those that are old enough. Source: docs/reference/storage.md#growth. */
import { Ids, Instant } from "@trunkline/core/storage"
import { clockSlackMs } from "@trunkline/storage-kysely"
import pg from "pg"
import { fewAttempts, shortly } from "./MigrationRun.ts"
import { instantOf, monthName, monthStart } from "./Months.ts"

/** A partition is made this number of months before it is written. */
const monthsAhead = 1

export interface Partition {
  readonly name: string
  /** The first instant after it; null where it has no end, as the default partition. */
  readonly end: Instant.Instant | null
  readonly isDefault: boolean
}

/** The tables with monthly partitions of a schema. */
export const partitionedTables = async (client: pg.ClientBase, schema: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query(
    `select relname as name from pg_class where relkind = 'p' and relnamespace = (select oid from pg_namespace where nspname = $1)
      order by relname`,
    [schema]
  )
  return rows.map(({ name }) => name)
}

/** In the order of their months; the default partition last. */
export const partitionsOf = async (
  client: pg.ClientBase,
  schema: string,
  table: string
): Promise<ReadonlyArray<Partition>> => {
  const { rows } = await client.query(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT' as is_default,
        substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([0-9a-f-]{36})''\\)') as bound
      from pg_class t join pg_inherits h on h.inhparent = t.oid join pg_class c on c.oid = h.inhrelid
      where t.relname = $2 and t.relnamespace = (select oid from pg_namespace where nspname = $1)
      order by is_default, bound nulls last`,
    [schema, table]
  )
  return rows.map(({ bound, is_default, name }) => ({
    name,
    end: bound === null ? null : instantOf(bound),
    isDefault: is_default
  }))
}

/** The months that are to have a partition and have none, as their first instants. */
export const missingMonths = (partitions: ReadonlyArray<Partition>, at: number): ReadonlyArray<Instant.Instant> => {
  const months = partitions.filter(({ isDefault }) => !isDefault)
  // One partition without an end has every month.
  if (months.some(({ end }) => end === null)) return []
  const from = months.length === 0 ? monthStart(at) : Instant.make(Math.max(...months.map(({ end }) => end ?? 0)))
  const missing: Array<Instant.Instant> = []
  for (let month = from; month <= monthStart(at, monthsAhead); month = monthStart(month, 1)) missing.push(month)
  return missing
}

/** What was written of a month before it had its partition comes out of the default one. */
const addMonth = async (client: pg.ClientBase, table: string, start: Instant.Instant): Promise<void> => {
  const name = `${table}_${monthName(start)}`
  const [from, to] = [Ids.firstOf(start), Ids.firstOf(monthStart(start, 1))]
  await client.query(`create table ${name} (like ${table} including defaults including constraints)`)
  await client.query(`lock table ${table}_default in access exclusive mode`)
  await client.query(`with moved as (delete from ${table}_default where id >= '${from}' and id < '${to}' returning *)
    insert into ${name} select * from moved`)
  // Unlike a partition that is created in its place, one that is attached keeps no reader and no writer of others waiting.
  await client.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`)
}

const addDefault = async (client: pg.ClientBase, table: string): Promise<void> => {
  const name = `${table}_default`
  await client.query(`create table ${name} (like ${table} including defaults including constraints)`)
  await client.query(`alter table ${table} attach partition ${name} default`)
}

/** A backup that reads a table for hours keeps no start waiting. */
const briefly = <A>(client: pg.ClientBase, schema: string, work: () => Promise<A>): Promise<A> =>
  shortly(client, schema, work, fewAttempts)

/** Makes what is missing of one table. Several processes may do it at once. */
const prepareTable = async (client: pg.ClientBase, schema: string, table: string, at: number): Promise<void> => {
  const isComplete = (partitions: ReadonlyArray<Partition>) =>
    partitions.some(({ isDefault }) => isDefault) && missingMonths(partitions, at).length === 0
  if (isComplete(await partitionsOf(client, schema, table))) return
  await briefly(client, schema, async () => {
    const partitions = await partitionsOf(client, schema, table)
    if (!partitions.some(({ isDefault }) => isDefault)) await addDefault(client, table)
  })
  // One at a time: after a long standstill there are many.
  for (;;) {
    const isDone = await briefly(client, schema, async () => {
      const [month] = missingMonths(await partitionsOf(client, schema, table), at)
      if (month !== undefined) await addMonth(client, table, month)
      return month === undefined
    })
    if (isDone) return
  }
}

/** The tables that workers look through, and which of their rows they look for and retention keeps: conditions with an index each. */
const queues: Readonly<Record<string, ReadonlyArray<string>>> = {
  webhook_deliveries: ["next_at is not null"],
  calls: ["ended_at is null", "check_at is not null"],
  chat_messages: ["turn_id is not null and status in ('queued', 'sending')", "turn_id is null and status = 'sending'"]
}

/** Where the ids of pending rows begin: months in which all have ended are looked at no more. */
const raiseFloor = async (client: pg.ClientBase, schema: string, table: string, at: number): Promise<void> => {
  const own = (name: string) => `${pg.escapeIdentifier(schema)}.${name}`
  let floor = Instant.make(0)
  for (const { end } of await partitionsOf(client, schema, table)) {
    if (end === null || end > at - clockSlackMs) break
    // Of the parent: a role that only reads and writes has rights on no partition.
    const looks = (queues[table] ?? []).map(
      (
        isPending
      ) => `exists (select from ${own(table)} where id >= '${Ids.firstOf(floor)}' and id < '${Ids.firstOf(end)}'
        and ${isPending})`
    )
    const pending = await client.query(`select ${looks.join(" or ")} as found`)
    if (pending.rows[0].found) break
    floor = end
  }
  await client.query(
    `insert into ${own("queue_floors")} (name, floor) values ($1, $2) on conflict (name) do update set floor = excluded.floor`,
    [table, Ids.firstOf(floor)]
  )
}

export const prepare = async (client: pg.ClientBase, schema: string, at: number): Promise<void> => {
  for (const table of await partitionedTables(client, schema)) await prepareTable(client, schema, table, at)
  for (const queue of Object.keys(queues)) await raiseFloor(client, schema, queue, at)
}

/** Drops the partitions of a table that ended before an instant, but for those with rows that are pending. */
export const drop = async (
  client: pg.ClientBase,
  schema: string,
  { before, table }: { readonly table: string; readonly before: number }
): Promise<ReadonlyArray<string>> => {
  const dropped: Array<string> = []
  for (const { end, isDefault, name } of await partitionsOf(client, schema, table)) {
    if (isDefault || end === null || end > before) continue
    const isDropped = await briefly(client, schema, async () => {
      const known = await client.query("select to_regclass($1) is not null as known", [name])
      if (!known.rows[0].known) return false
      for (const isPending of queues[table] ?? []) {
        const pending = await client.query(`select from ${name} where ${isPending} limit 1`)
        if (pending.rowCount === 1) return false
      }
      await client.query(`drop table ${name}`)
      return true
    })
    if (isDropped) dropped.push(name)
  }
  return dropped
}
