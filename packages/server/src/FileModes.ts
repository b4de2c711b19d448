/** Checks whether other users of the machine can read the server's files. Source: docs/reference/operations.md#start. */
import { statSync } from "node:fs"
import type { Database } from "./Database.ts"
import { secretFile } from "./Secret.ts"

const groupAndOthers = 0o077

/** The server creates files for their owner only; files of an earlier version or of another program may be open. */
const isOpenToOthers = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & groupAndOthers) !== 0
}

/** A sentence with the command that closes the files to others; null where there is nothing to close. */
export const openFiles = (database: Database): string | null => {
  // A mode does not decide there who may read.
  if (process.platform === "win32") return null
  const files = database._tag === "File" ? [database.path, `${database.path}-wal`, `${database.path}-shm`] : []
  const open = [...files, secretFile].filter(isOpenToOthers)
  return open.length === 0
    ? null
    : `other users of this machine can read ${open.join(", ")}: run chmod 600 ${open.map((path) => JSON.stringify(path)).join(" ")}`
}
