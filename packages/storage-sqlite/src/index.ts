/** Trunkline on SQLite: one file, one command, no server. */
export { classify, reasons } from "./SqliteErrors.ts"
export { layer, type SqliteOptions } from "./SqliteStorage.ts"
