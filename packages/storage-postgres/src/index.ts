/** Trunkline on Postgres: any number of processes. */

export { classify, connectionFailure } from "./PostgresErrors.ts"
export { isInUse } from "./PostgresInUse.ts"

import type { StorageProvider } from "@trunkline/core"
import { storageProvider } from "@trunkline/core/storage"
import { layer, type PostgresOptions } from "./PostgresStorage.ts"

export { layer, type PostgresOptions }

/** Trunkline's storage on one Postgres database. */
export const postgres = (url: string, options: Omit<PostgresOptions, "url"> = {}): StorageProvider =>
  storageProvider(layer({ url, ...options }))
