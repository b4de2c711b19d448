/**
 * Statements that touch very many rows, as one transaction on a thread of its own: the event loop goes on meanwhile.
 * Programs of the writer wait for its end without blocking anybody.
 */
import { Worker } from "node:worker_threads"
import { StorageError } from "@trunkline/core/effect"
import { bind, type Statement, sqliteDialect } from "@trunkline/storage-kysely"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { BulkAnswer, BulkOrder, BulkStatement } from "./BulkThread.ts"
import { classify } from "./SqliteErrors.ts"

export type { BulkStatement } from "./BulkThread.ts"

const encode = sqliteDialect.encode

/** A statement of the stores with its values. */
export const bulkStatement = <P, R>(statement: Statement<P, R>, params: P): BulkStatement => {
  const compiled = statement.compile(sqliteDialect)
  return { sql: compiled.sql, values: bind(compiled, params as Record<string, unknown>, encode) }
}

/** Bulk work on the database that a storage has open. */
export class SqliteBulk extends Context.Service<
  SqliteBulk,
  {
    /**
     * Runs the statements as one transaction, all of them or none, and tells how many rows each changed. Other
     * transactions come before or after. Cannot be interrupted. For work of more than some thousand rows: less is
     * done faster inside a transaction of the storage.
     */
    readonly run: (statements: ReadonlyArray<BulkStatement>) => Effect.Effect<ReadonlyArray<number>, StorageError>
  }
>()("@trunkline/storage-sqlite/SqliteBulk") {}

/** From sources a thread runs the source, from a build the build. */
const thread = new URL(import.meta.url.endsWith(".ts") ? "./BulkThread.ts" : "./BulkThread.js", import.meta.url)

/**
 * Runs statements as one transaction on a thread with a connection of its own to the database file `path`. Waits up to
 * 10 s for whoever is writing. Source: docs/storage.md#bulk.
 */
export const runInWorker = (
  path: string,
  statements: ReadonlyArray<BulkStatement>
): Effect.Effect<ReadonlyArray<number>, StorageError> =>
  Effect.uninterruptible(
    Effect.callback<ReadonlyArray<number>, StorageError>((resume) => {
      const order: BulkOrder = { path, statements }
      const worker = new Worker(thread, { workerData: order })
      worker.once("message", (answer: BulkAnswer) =>
        resume("changes" in answer ? Effect.succeed(answer.changes) : Effect.fail(classify(revived(answer), "bulk")))
      )
      worker.once("error", (error) => resume(Effect.fail(classify(error, "bulk"))))
      worker.once("exit", (code) =>
        resume(
          Effect.fail(
            new StorageError({ reason: "unavailable", detail: `bulk: the thread ended with ${code} and no answer` })
          )
        )
      )
    })
  )

/** An error loses its own fields on the way between threads. */
const revived = ({ code, message }: Extract<BulkAnswer, { message: string }>): Error =>
  Object.assign(new Error(message), { code })
