/** Trunkline on SQLite: one file, one command, no server. */
export { isInUse } from "./SqliteInUse.ts"

import type { StorageProvider } from "@trunkline/core"
import { storageProvider } from "@trunkline/core/effect"
import { type Backup, backup } from "./SqliteBackup.ts"
import { layer, type SqliteOptions } from "./SqliteStorage.ts"

export { type Backup, backup, layer, type SqliteOptions }

/** Trunkline's storage on one SQLite file, which is made when it is missing, or on `:memory:`. */
export const sqlite = (path: string): StorageProvider => storageProvider(layer({ path }))
