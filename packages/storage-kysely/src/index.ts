/** Tables, migrations, codecs and queries that both databases share. Internal to the two storage packages. */

export { postgresDialect } from "./dialect/PostgresDialect.ts"
export type { SqlDialect } from "./dialect/SqlDialect.ts"
export { sqliteDialect } from "./dialect/SqliteDialect.ts"
export {
  type Backfill,
  constraint,
  indexed,
  type MonthlyKey,
  type OnlineCheck,
  type OnlineIndex,
  type Partitioning,
  plainTexts,
  type Rewrite,
  rewrittenRows,
  rewrittenTexts,
  type Step
} from "./MigrationSteps.ts"
export { latestVersion, type Migration, migrationsOf } from "./Migrations.ts"
export * as MonthlyKeys from "./MonthlyKeys.ts"
export * as Sessions from "./Session.ts"
export {
  addTransaction,
  Bounds,
  inTransaction,
  nested,
  oneWriter,
  type Session,
  withRead,
  withTransaction
} from "./Session.ts"
export { fieldsOf, kindOf, replacing } from "./Shapes.ts"
export {
  bind,
  bindRow,
  type Compiled,
  holdsBig,
  maxPageBytes,
  type ResultColumn,
  readRow,
  resultColumns,
  Statement,
  statement,
  statements,
  UnfitValue
} from "./Statement.ts"
export { stores } from "./Stores.ts"
export { OpenImport, stagingTables } from "./stores/ImportPlacesSql.ts"
export { removeOld } from "./stores/OldRows.ts"
export { clockSlackMs } from "./stores/QueueFloor.ts"
export { type Database, tables } from "./Tables.ts"
