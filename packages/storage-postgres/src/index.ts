/** Trunkline on Postgres: any number of processes. */
export { classify, reasons } from "./PostgresErrors.ts"
export { layer, type PostgresOptions } from "./PostgresStorage.ts"
