/** Imports into a database file: on a thread of their own, whose rows nobody sees before the commit. */
import type { ImportStore, StorageError } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import type { SqliteWriter } from "./SqliteWriter.ts"
import { ThreadConnection } from "./ThreadConnection.ts"

/** The definition of the staging table. The thread's statements use a temporary table of the same name instead. */
const stagingTable = "select sql from main.sqlite_schema where type = 'table' and name = 'import_rows'"

const makeStaging = (connection: ThreadConnection): Effect.Effect<void, StorageError> =>
  Effect.flatMap(connection.execute("staging", { sql: stagingTable, values: [] }), (found) => {
    const text = "rows" in found ? String(found.rows[0]![0]) : ""
    return connection.run(text.replace(/^create table/i, "create temp table"))
  })

/**
 * Rows are gathered in a temporary table of the thread: they block nobody, flush nothing to the disk and end with the
 * thread. Only the commit writes to the database, and the writer pauses for it.
 */
export const open =
  (path: string, writer: SqliteWriter): ImportStore["Service"]["open"] =>
  () =>
    Effect.gen(function* () {
      const connection = yield* ThreadConnection.open(path)
      yield* makeStaging(connection)
      return {
        gather: (program) => connection.transact("begin", program),
        commit: (program) => Effect.uninterruptible(writer.pausedFor(connection.transact("begin immediate", program)))
      }
    })
