/** Whether a process has a database file open. */
import BetterSqlite from "better-sqlite3"

/** Two connections share a file, so that an exclusive one is refused while there is another: here or in another process. */
export const isInUse = (path: string): boolean => {
  const db = new BetterSqlite(path, { timeout: 0, fileMustExist: true })
  try {
    db.pragma("locking_mode = exclusive")
    db.exec("begin exclusive; commit")
    return false
  } catch (error) {
    if (error instanceof BetterSqlite.SqliteError && error.code.startsWith("SQLITE_BUSY")) return true
    throw error
  } finally {
    db.close()
  }
}
