/** Brings a database up to date, in one transaction under a lock: processes that start together take turns. */
import { StorageError } from "@trunkline/core/effect"
import { latestVersion, migrationsOf, postgresDialect } from "@trunkline/storage-kysely"
import pg from "pg"

/** The advisory lock under which a schema is changed: any constant that nobody else uses. */
const migrationLock = "7305810294417213"

/** 0 where there is no schema yet. */
const versionOf = async (client: pg.PoolClient, schema: string): Promise<number> => {
  const table = await client.query("select to_regclass($1) as oid", [
    `${pg.escapeIdentifier(schema)}.trunkline_migrations`
  ])
  if (table.rows[0].oid === null) return 0
  const found = await client.query("select coalesce(max(version), 0) as version from trunkline_migrations")
  return Number(found.rows[0].version)
}

/** Needs the right to create only when there is something to create. */
export const migrate = async (client: pg.PoolClient, schema: string): Promise<void> => {
  const version = await versionOf(client, schema)
  if (version > latestVersion) {
    throw new StorageError({
      reason: "corrupt",
      detail: `the database is at version ${version} of the schema, this release knows ${latestVersion}: use a newer release`
    })
  }
  if (version === latestVersion) return
  await client.query("begin")
  try {
    // Building an index on a large table takes as long as it takes.
    await client.query("set local statement_timeout = 0")
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`)
    await apply(client, schema)
    await client.query("commit")
  } catch (error) {
    await client.query("rollback").catch(() => undefined)
    throw error
  }
}

const apply = async (client: pg.PoolClient, schema: string): Promise<void> => {
  await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`)
  // Not asked for by name first: such a look may not see yet what the last holder of the lock has made.
  await client.query(
    "create table if not exists trunkline_migrations (version integer primary key, name text not null, applied_at bigint not null)"
  )
  const known = await versionOf(client, schema)
  for (const { name, statements, version } of migrationsOf(postgresDialect)) {
    if (version <= known) continue
    for (const statement of statements) await client.query(statement)
    await client.query(
      "insert into trunkline_migrations values ($1, $2, (extract(epoch from clock_timestamp()) * 1000)::bigint)",
      [version, name]
    )
  }
}
