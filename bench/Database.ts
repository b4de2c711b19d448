/** SQLite files for benchmarks: made by the product, filled fast, gone afterwards. */
import { mkdtempSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layer } from "@trunkline/storage-sqlite"
import BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The encryption key of an installation under a benchmark. */
export const encryptionKey = "a key of thirty-two characters or more"

/** A folder that is gone when the process ends, however it ends. Refuses to begin where the disk is too small. */
export const folder = (gigabytes = 1): string => {
  const { bavail, bsize } = statfsSync(tmpdir())
  const free = (bavail * bsize) / 1e9
  if (free < gigabytes * 2) {
    throw new Error(
      `${tmpdir()} has ${free.toFixed(1)} GB free; this benchmark needs ${gigabytes} GB and as much again`
    )
  }
  const path = mkdtempSync(join(tmpdir(), "trunkline-bench-"))
  process.once("exit", () => rmSync(path, { recursive: true, force: true }))
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
  return path
}

/** Makes an empty database as the product does, and answers with its path. */
export const database = async (inFolder: string, name: string): Promise<string> => {
  const path = join(inFolder, name)
  await Effect.runPromise(Effect.scoped(Layer.build(layer({ path }))))
  return path
}

/** A connection set up like the one on which the product reads. */
export const readConnection = (path: string): BetterSqlite.Database => new BetterSqlite(path, { readonly: true })

const batch = 50_000

/** Fills tables without waiting for the disk: rows of each table in the order of their columns, none by themselves. */
export const fill = (
  path: string,
  tables: Readonly<Record<string, () => Iterable<Readonly<Record<string, unknown>>>>>
): void => {
  const db = new BetterSqlite(path)
  db.pragma("synchronous = off")
  db.pragma("cache_size = -200000")
  for (const [table, rows] of Object.entries(tables)) {
    let insert: BetterSqlite.Statement<Array<unknown>> | undefined
    let added = 0
    db.exec("begin")
    for (const row of rows()) {
      const columns = Object.keys(row)
      insert ??= db.prepare(
        `insert into ${table} (${columns.map((column) => `"${column}"`).join(", ")}) values (${columns.map(() => "?").join(", ")})`
      )
      insert.run(...Object.values(row))
      added += 1
      if (added % batch === 0) db.exec("commit; begin")
    }
    db.exec("commit")
  }
  db.pragma("wal_checkpoint(truncate)")
  db.close()
}
