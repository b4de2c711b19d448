/** Databases for tests on the Postgres server of their worker, each new and empty. */

import { layer, type PostgresOptions } from "@trunkline/storage-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { inject } from "vitest"
import { databaseUrl } from "./EmbeddedPostgres.ts"

/** Null when the tests can run; else why not. */
export const missing = (): string | null => {
  const server = inject("postgres")
  return "missing" in server ? server.missing : null
}

const servers = () => {
  const given = inject("postgres")
  if ("missing" in given) throw new Error(given.missing)
  return given
}

export const serverUrl = (): string => {
  const { urls } = servers()
  // Workers are numbered from one, and one that has ended leaves its number to the next.
  return urls[Number(process.env.VITEST_POOL_ID) - 1] ?? urls[0]
}

let connected: Promise<pg.Client> | undefined

/** One connection of this worker, which lasts: to open another takes as long as to make a database. */
const administrator = (): Promise<pg.Client> => {
  if (connected !== undefined) return connected
  const client = new pg.Client({ connectionString: serverUrl() })
  // A test may have its server end all connections.
  client.on("error", () => {
    connected = undefined
  })
  connected = client.connect().then(() => client)
  return connected
}

const administer = async (text: string): Promise<void> => {
  const client = await administrator()
  await client.query(text)
}

/** The URL of a database that is dropped with the scope: an empty one, or a copy of another. */
const made = (like = "") =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const name = `trunkline_test_${crypto.randomUUID().replaceAll("-", "")}`
      await administer(`create database ${name} ${like}`)
      return { name, url: databaseUrl(serverUrl(), name) }
    }),
    ({ name }) => Effect.promise(() => administer(`drop database ${name} with (force)`))
  ).pipe(Effect.map(({ url }) => url))

/** The URL of an empty database that is dropped with the scope. */
export const database = made()

/** The URL of a database with every table and no row that is dropped with the scope. */
export const migratedDatabase = Effect.suspend(() => made(`template ${servers().template} strategy file_copy`))

/** It only ends a statement that hangs: a machine that other work slows down tenfold is no fault. */
const statementTimeoutMs = 300_000

/** A storage on a database of its own. */
export const storage = (options: Omit<PostgresOptions, "url"> = {}) =>
  Layer.unwrap(Effect.map(migratedDatabase, (url) => layer({ url, statementTimeoutMs, ...options })))
