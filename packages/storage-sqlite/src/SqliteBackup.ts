/** Copies a database that others go on writing to into one file, checked before it has its name. Source: docs/reference/operations.md#sqlite-backup. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { StorageError } from "@trunkline/core/storage"
import BetterSqlite from "better-sqlite3"
import { classify } from "./SqliteErrors.ts"

export interface Backup {
  /** The copy: one file, without a log beside it. */
  readonly file: string
  readonly bytes: number
}

/** Pages of 4 kB that are copied before the event loop runs again. */
const pagesPerStep = 500

/**
 * Copies the database `from` as it was at one moment into the new file `to`, of mode 600. Readers and writers go on meanwhile. The
 * check of the copy at the end stops the event loop of its process, a second or so for each gigabyte. Rejects with `StorageError`.
 */
export const backup = async (from: string, to: string): Promise<Backup> => {
  const [source, target] = [resolve(from), resolve(to)]
  const part = `${target}.part`
  try {
    const db = openSource(source)
    try {
      reserve(target, part)
      try {
        await copy(db, part)
        check(part)
        syncFile(part)
        renameSync(part, target)
        if (process.platform !== "win32") syncFile(dirname(target))
      } finally {
        rmSync(part, { force: true })
      }
    } finally {
      db.close()
    }
  } catch (error) {
    throw error instanceof StorageError ? error : classify(error, "backup")
  }
  return { file: target, bytes: statSync(target).size }
}

const openSource = (path: string): BetterSqlite.Database => {
  if (!existsSync(path)) throw refused("unavailable", `there is no database ${path}`)
  const db = new BetterSqlite(path, { readonly: true, timeout: 10_000 })
  const table = db.prepare("select 1 from sqlite_schema where type = 'table' and name = 'trunkline_migrations'").get()
  if (table !== undefined) return db
  db.close()
  throw refused("corrupt", `${path} is the database of another application`)
}

/** The name of a backup is never that of an unfinished one, whatever ends this process. */
const reserve = (target: string, part: string): void => {
  if (existsSync(target)) throw refused("unavailable", `${target} exists: name another file`)
  try {
    closeSync(openSync(part, "wx", 0o600))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw refused(
      "unavailable",
      code === "EEXIST"
        ? `${part} exists: another backup runs, or was ended: remove the file`
        : `${target} cannot be made (${code}): name a file in a folder that exists and that this user may write`
    )
  }
}

/** The read transaction fixes what is copied; without one, SQLite begins anew with each commit of another connection. */
const copy = async (db: BetterSqlite.Database, part: string): Promise<void> => {
  db.exec("begin")
  db.prepare("select count(*) from sqlite_schema").get()
  await db.backup(part, { progress: () => pagesPerStep })
  db.exec("commit")
}

const check = (part: string): void => {
  const db = new BetterSqlite(part, { fileMustExist: true })
  try {
    // Into the file itself: a copy with a log beside it could be moved without that.
    db.pragma("journal_mode = delete")
    const found = db.pragma("integrity_check(1)", { simple: true })
    if (found !== "ok") throw refused("corrupt", `the database is damaged: ${String(found)}`)
  } finally {
    db.close()
  }
}

const syncFile = (path: string): void => {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const refused = (reason: StorageError["reason"], detail: string) => new StorageError({ reason, detail })
