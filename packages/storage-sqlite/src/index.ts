/** Trunkline on SQLite: one file, one command, no server. */
export { type BulkStatement, bulkStatement, runInWorker, SqliteBulk } from "./BulkWorker.ts"
export { classify, reasons } from "./SqliteErrors.ts"
export { layer, type SqliteOptions } from "./SqliteStorage.ts"
