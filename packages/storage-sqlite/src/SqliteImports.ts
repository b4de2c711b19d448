/** Imports of files of a database: on a thread of their own, which keeps what it gathers to itself until the commit. */
import type { ImportStore, StorageError } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import type { SqliteWriter } from "./SqliteWriter.ts"
import { ThreadConnection } from "./ThreadConnection.ts"

/** The staging table as the schema has it. A temporary table of the same name is what the thread's statements then mean. */
const stagingTable = "select sql from main.sqlite_schema where type = 'table' and name = 'import_rows'"

const makeStaging = (connection: ThreadConnection): Effect.Effect<void, StorageError> =>
  Effect.flatMap(connection.order("staging", { sql: stagingTable, values: [] }), (found) => {
    const text = "rows" in found ? String(found.rows[0]![0]) : ""
    return connection.run(text.replace(/^create table/i, "create temp table"))
  })

/**
 * Rows are gathered in a temporary table of the thread: nobody waits for them, no disk is flushed for them, and they go
 * with the thread. Only the commit takes the database, and the writer leaves it for that long.
 */
export const open =
  (path: string, writer: SqliteWriter): ImportStore["Service"]["open"] =>
  () =>
    Effect.gen(function* () {
      const connection = yield* ThreadConnection.open(path)
      yield* makeStaging(connection)
      return {
        gather: (program) => connection.transact("begin", program),
        commit: (program) => Effect.uninterruptible(writer.aside(connection.transact("begin immediate", program)))
      }
    })
