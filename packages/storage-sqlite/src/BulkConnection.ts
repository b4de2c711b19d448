/** Bulk statements on the writer's own connection. Apart from `BulkWorker`, whose declarations users compile without the driver's types. */
import type { StorageError } from "@trunkline/core/effect"
import type BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { BulkStatement } from "./BulkThread.ts"
import { classify } from "./SqliteErrors.ts"

/** Runs statements on a connection that has a transaction open already: a database in memory has no other. */
export const onConnection = (
  db: BetterSqlite.Database,
  statements: ReadonlyArray<BulkStatement>
): Effect.Effect<ReadonlyArray<number>, StorageError> =>
  Effect.try({
    try: () => statements.map(({ sql, values }) => db.prepare<Array<unknown>>(sql).run(...values).changes),
    catch: (error) => classify(error, "bulk")
  })
