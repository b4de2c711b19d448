/** Trunkline on Postgres: any number of processes. */

export { classify, connectionFailure } from "./PostgresErrors.ts"
export { isInUse } from "./PostgresInUse.ts"

import type { StorageProvider } from "@trunkline/core"
import { storageProvider } from "@trunkline/core/storage"
import { layer, type PostgresOptions, type PostgresSettings } from "./PostgresStorage.ts"

export { layer, type PostgresOptions, type PostgresSettings }

/** Trunkline's storage on one Postgres database. */
export const postgres = (url: string, options: PostgresSettings = {}): StorageProvider =>
  storageProvider(layer({ url, ...options }))
