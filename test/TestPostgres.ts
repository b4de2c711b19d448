/** Databases for tests on the Postgres server of their worker, each new and empty. */
import { layer, type PostgresOptions } from "@trunkline/storage-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { inject } from "vitest"
import type {} from "./EmbeddedPostgres.ts"

/** Null when the tests can run; else why not. */
export const missing = (): string | null => {
  const server = inject("postgres")
  return "missing" in server ? server.missing : null
}

const serverUrl = (): string => {
  const server = inject("postgres")
  if ("missing" in server) throw new Error(server.missing)
  // Workers are numbered from one, and one that has ended leaves its number to the next.
  return server.urls[Number(process.env.VITEST_POOL_ID) - 1] ?? server.urls[0]
}

const command = async (text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** The URL of a database that is dropped with the scope. */
export const database = Effect.acquireRelease(
  Effect.promise(async () => {
    const name = `trunkline_test_${crypto.randomUUID().replaceAll("-", "")}`
    await command(`create database ${name}`)
    const url = new URL(serverUrl())
    url.pathname = name
    return { name, url: url.href }
  }),
  ({ name }) => Effect.promise(() => command(`drop database ${name} with (force)`))
).pipe(Effect.map(({ url }) => url))

/** A storage on a database of its own. */
export const storage = (options: Omit<PostgresOptions, "url"> = {}) =>
  Layer.unwrap(Effect.map(database, (url) => layer({ url, ...options })))
