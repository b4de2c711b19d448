/** Trunkline on Postgres: any number of processes. */
export { classify, connectionFailure } from "./PostgresErrors.ts"

import { layer, type PostgresOptions } from "./PostgresStorage.ts"

export { layer, type PostgresOptions }

/** Trunkline's storage on one Postgres database. */
export const postgres = (url: string, options: Omit<PostgresOptions, "url"> = {}) => ({
  kind: "storage" as const,
  layer: layer({ url, ...options }) as unknown
})
