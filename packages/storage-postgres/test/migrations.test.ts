import { migrationsOf, postgresDialect } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import pg from "pg"
import { assert, it } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"
import { ownRecords, recordsVersion, sharedRecords } from "../../storage-kysely/test/SharedRecords.ts"

const reason = missing()
// Verifies: D-252.
const title = "a carrier's record that several calls had stays with the one that began first"

it.skipIf(reason !== null)(reason === null ? title : `${title} [skipped: ${reason}]`, () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const url = yield* database
      const found = yield* Effect.promise(async () => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        try {
          for (const { statements, version } of migrationsOf(postgresDialect)) {
            if (version === recordsVersion) await client.query(sharedRecords("false"))
            for (const text of statements) await client.query(text)
          }
          return await client.query({
            text: "select provider, provider_call_id from calls order by id",
            rowMode: "array"
          })
        } finally {
          await client.end()
        }
      })
      assert.deepStrictEqual(found.rows, ownRecords)
    }).pipe(Effect.scoped)
  )
)
