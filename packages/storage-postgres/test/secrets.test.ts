/** Verifies: HOOK-8, CHAT-7, VOIC-4. */
import { storageProvider } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-postgres"
import { storedSecretsSuite } from "@trunkline/testing/http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import pg from "pg"
import { describe } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"

const reason = missing()

describe.skipIf(reason !== null)(`stored secrets${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  storedSecretsSuite("postgres", async () => {
    const scope = Effect.runSync(Scope.make())
    const url = await Effect.runPromise(Effect.provideService(database, Scope.Scope, scope))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return {
      storage: () => storageProvider(layer({ url })),
      rows: async () => {
        const tables = await client.query(
          "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'"
        )
        const rows: Array<unknown> = []
        for (const { name } of tables.rows) rows.push((await client.query(`select t::text from ${name} t`)).rows)
        return JSON.stringify(rows)
      },
      close: async () => {
        await client.end()
        await Effect.runPromise(Scope.close(scope, Exit.void))
      }
    }
  })
})
