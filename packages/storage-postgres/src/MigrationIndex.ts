/** Builds an index while others write, on a table or on each of its partitions. */
import { setTimeout as pause } from "node:timers/promises"
import { indexed, type OnlineIndex } from "@trunkline/storage-kysely"
import pg from "pg"
import { inStep, type Run, recordDone } from "./MigrationRun.ts"

const lookAgainMs = 200

type State = "absent" | "invalid" | "valid" | "building"

/** A process that was killed leaves an index that is not valid, and perhaps a server that goes on building it. */
const stateOf = async ({ client, schema }: Run, table: string, name: string): Promise<State> => {
  const { rows } = await client.query(
    `select i.indisvalid as valid, exists (select from pg_stat_progress_create_index p where p.relid = t.oid) as building
      from pg_class t left join (pg_class c join pg_index i on i.indexrelid = c.oid) on i.indrelid = t.oid and c.relname = $3
      where t.relnamespace = (select oid from pg_namespace where nspname = $1) and t.relname = $2`,
    [schema, table, name]
  )
  const { building = false, valid = null } = rows[0] ?? {}
  if (valid === true) return "valid"
  if (building) return "building"
  return valid === null ? "absent" : "invalid"
}

const build = async (run: Run, step: OnlineIndex, table: string, name: string): Promise<void> => {
  const own = (text: string) => `${pg.escapeIdentifier(run.schema)}.${text}`
  for (;;) {
    const state = await stateOf(run, table, name)
    if (state === "valid") return
    if (state === "building") {
      await pause(lookAgainMs)
      continue
    }
    // What runs outside a transaction has no settings of its own; these need no lock that a reader or writer waits for.
    await run.client.query("set statement_timeout = 0")
    if (state === "invalid") await run.client.query(`drop index concurrently if exists ${own(name)}`)
    const on = indexed({ ...step, table: own(table) })
    await run.client.query(`create ${step.isUnique === true ? "unique " : ""}index concurrently ${name} ${on}`)
  }
}

const partitionsOf = async ({ client, schema }: Run, table: string): Promise<ReadonlyArray<string> | null> => {
  const { rows } = await client.query(
    `select t.relkind = 'p' as partitioned, array(select c.relname::text from pg_inherits h join pg_class c on c.oid = h.inhrelid
        where h.inhparent = t.oid order by c.relname) as partitions
      from pg_class t where t.relnamespace = (select oid from pg_namespace where nspname = $1) and t.relname = $2`,
    [schema, table]
  )
  return rows[0]?.partitioned === true ? rows[0].partitions : null
}

/** Names of Postgres have 63 bytes. */
const nameOn = (partition: string, { name, table }: OnlineIndex): string =>
  `${partition}_${name.replace(`${table}_`, "")}`.slice(0, 63)

const attach = (run: Run, step: OnlineIndex, partitions: ReadonlyArray<string>): Promise<unknown> =>
  inStep(run, async () => {
    const { client } = run
    const on = indexed({ ...step, table: `only ${step.table}` })
    await client.query(`create ${step.isUnique === true ? "unique " : ""}index if not exists ${step.name} ${on}`)
    for (const partition of partitions) {
      await client.query(`alter index ${step.name} attach partition ${nameOn(partition, step)}`)
    }
    await recordDone(run)
  })

/** An index of one table. */
export const buildIndex = (run: Run, step: OnlineIndex): Promise<void> => build(run, step, step.table, step.name)

export const runIndex = async (run: Run, step: OnlineIndex): Promise<void> => {
  const partitions = await partitionsOf(run, step.table)
  for (const partition of partitions ?? []) await build(run, step, partition, nameOn(partition, step))
  if (partitions === null) await buildIndex(run, step)
  run.at(`${run.version}.${run.step} done`)
  if (partitions === null) await inStep(run, () => recordDone(run))
  else await attach(run, step, partitions)
}
