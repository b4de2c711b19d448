/** Work through a pooler in transaction mode: nothing of a connection outlives its transaction. Source: docs/reference/storage.md#poolers. */
import { StorageError } from "@trunkline/core/storage"
import { latestVersion, migrationsOf, postgresDialect } from "@trunkline/storage-kysely"
import pg from "pg"
import type { SqlConnection } from "./PostgresSession.ts"

/** Looks for a connection that is shared. Other clients of a busy pooler may get in between. */
const maxLooks = 5

/** The process that serves a connection. */
const backendOf = async (client: pg.Client): Promise<number> =>
  (await client.query("select pg_backend_pid() as pid")).rows[0].pid

/**
 * True where two connections, both open, are served by one process, or one connection by several: only a pooler in transaction
 * mode does that. A server itself names its process to the client that connects; a pooler names another.
 */
export const sharesConnections = async (connect: () => Promise<pg.Client>): Promise<boolean> => {
  const one = await connect()
  const opened = [one]
  try {
    const backend = await backendOf(one)
    // @types/pg does not have it.
    if (backend === (one as unknown as { readonly processID: number | null }).processID) return false
    const other = await connect()
    opened.push(other)
    for (let look = 0; look < maxLooks; look++) {
      if ((await backendOf(other)) === (await backendOf(one)) || (await backendOf(one)) !== backend) return true
    }
    return false
  } finally {
    await Promise.all(opened.map((client) => client.end().catch(() => undefined)))
  }
}

export const optionMissing = (): StorageError =>
  new StorageError({
    reason: "unavailable",
    detail:
      'Postgres is behind a pooler in transaction mode: set "pooler" to "transaction" (database.pooler of the configuration, the option pooler of the library), or connect directly'
  })

/** The same connection without prepared statements: the next transaction may be on another one, which does not have them. */
export const unprepared = (client: SqlConnection): SqlConnection => ({
  query: ({ name: _, ...query }) => client.query(query)
})

/** Each statement outside a transaction in a transaction of its own, for which alone its settings are made. */
export const readsOn = (pool: pg.Pool, settings: string): SqlConnection => ({
  query: async (query) => {
    const client = await pool.connect()
    let failure: unknown = null
    try {
      await client.query(`begin read only; ${settings}`)
      const result = await unprepared(client).query(query)
      await client.query("commit")
      return result
    } catch (error) {
      failure = error
      throw error
    } finally {
      // To end the connection is to end the transaction.
      client.release(failure !== null)
    }
  }
})

/** Fails where the schema is not that of this release: a migration needs a connection of its own. */
export const requireSchema = async (on: Pick<pg.Pool, "query">, schema: string): Promise<void> => {
  const applied = await appliedVersions(on, schema)
  const version = Math.max(0, ...applied)
  if (version > latestVersion) {
    throw new StorageError({
      reason: "corrupt",
      detail: `the database is at version ${version} of the schema, this release knows ${latestVersion}: use a newer release`
    })
  }
  if (migrationsOf(postgresDialect).every((one) => applied.has(one.version))) return
  throw new StorageError({
    reason: "unavailable",
    detail: `the database is at version ${version} of the schema, this release needs ${latestVersion}, and a pooler in transaction mode cannot change it: set "direct_url" (database.direct_url of the configuration, the option directUrl of the library) to the server itself`
  })
}

const appliedVersions = async (on: Pick<pg.Pool, "query">, schema: string): Promise<ReadonlySet<number>> => {
  const table = `${pg.escapeIdentifier(schema)}.trunkline_migrations`
  const found = await on.query("select to_regclass($1) as oid", [table])
  if (found.rows[0].oid === null) return new Set()
  const { rows } = await on.query(`select version from ${table}`)
  return new Set(rows.map((row) => Number(row.version)))
}
