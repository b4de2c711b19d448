/** The tables whose rows are copied from one database to another, in the order in which they are copied. */
import type { Copied, Table } from "./Table.ts"
import { tableDescriptions } from "./TableDescriptions.ts"
import type { Database } from "./Tables.ts"

export interface MovedTable extends Copied {
  readonly table: keyof Database
}

const entries = Object.entries(tableDescriptions) as ReadonlyArray<readonly [keyof Database, Table]> // entries knows no keys

export const movedTables: ReadonlyArray<MovedTable> = entries.flatMap(([table, { rows }]) =>
  "because" in rows ? [] : [{ table, ...rows }]
)
