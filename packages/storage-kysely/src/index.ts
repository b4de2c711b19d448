/** Tables, migrations, codecs and queries that both databases share. Internal to the two storage packages. */
export { migrationsOf } from "./Migrations.ts"
export type { Session } from "./Session.ts"
export * as Sessions from "./Session.ts"
export {
  bind,
  type Compiled,
  type Dialect,
  decodeRow,
  encoder,
  holdsBig,
  type ResultColumn,
  resultColumns,
  Statement,
  statement
} from "./Statement.ts"
export { stores } from "./Stores.ts"
export { type Database, tables } from "./Tables.ts"
