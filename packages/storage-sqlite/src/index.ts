/** Trunkline on SQLite: one file, one command, no server. */
export { isInUse } from "./SqliteInUse.ts"

import type { StorageProvider } from "@trunkline/core"
import { storageProvider } from "@trunkline/core/storage"
import { type Backup, backup } from "./SqliteBackup.ts"
import { layer, type SqliteOptions } from "./SqliteStorage.ts"
import { threadFile } from "./ThreadFile.ts"

export { type Backup, backup, layer, type SqliteOptions }

/**
 * Trunkline's storage on one SQLite file, which is made when it is missing, or on `:memory:`. Throws a `TrunklineError` with the
 * code `storage_bundled` in a bundle that lacks the file of its thread.
 */
export const sqlite = (path: string): StorageProvider => {
  threadFile(import.meta.url)
  return storageProvider(layer({ path }))
}
