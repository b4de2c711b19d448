/** Imports into a database file: on a thread of their own, whose rows nobody sees before the commit. */
import type { ImportPlaces, StorageError } from "@trunkline/core/storage"
import { stagingTables } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import type { SqliteWriter } from "./SqliteWriter.ts"
import { ThreadConnection } from "./ThreadConnection.ts"

/** The definition of a staging table. The thread's statements use a temporary table of the same name instead. */
const definition = "select sql from main.sqlite_schema where type = 'table' and name = ?"

const makeStaging = (connection: ThreadConnection, table: string): Effect.Effect<void, StorageError> =>
  Effect.flatMap(connection.execute("staging", { sql: definition, values: [table] }), (found) => {
    const text = "rows" in found ? String(found.rows[0]![0]) : ""
    return connection.run(text.replace(/^create table/i, "create temp table"))
  })

/**
 * Rows are gathered in a temporary table of the thread: they block nobody, flush nothing to the disk and end with the
 * thread. Only the commit writes to the database, and the writer pauses for it.
 */
export const open =
  (path: string, writer: SqliteWriter): ImportPlaces["Service"]["open"] =>
  () =>
    Effect.gen(function* () {
      const connection = yield* ThreadConnection.open(path)
      for (const table of stagingTables) yield* makeStaging(connection, table)
      return {
        gather: (program) => connection.transact("begin", program),
        commit: (program) => Effect.uninterruptible(writer.pausedFor(connection.transact("begin immediate", program)))
      }
    })
