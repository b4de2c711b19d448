/** What statements say about whole rows: all of a table's columns, without listing them again. */
import { snakeName } from "@trunkline/core/storage"
import type { Column, Kind } from "./Columns.ts"
import { type Database, tables } from "./Tables.ts"

type Table = keyof Database
type Field<T extends Table> = keyof Database[T] & string

/** All columns by name: a table that a newer release has widened still answers with what this release knows. */
export const fieldsOf = <T extends Table>(table: T): ReadonlyArray<Field<T>> =>
  Object.keys(tables[table]) as Array<Field<T>>

export const kindOf = <T extends Table>(table: T, field: Field<T>): Kind =>
  (tables[table] as Readonly<Record<string, Column<unknown>>>)[field]!.kind

/** The end of a text that inserts whole rows: those that have the same key are replaced. */
export const replacing = (fields: ReadonlyArray<string>, key: ReadonlyArray<string>): string => {
  if (key.length === 0) return ""
  const quoted = (names: ReadonlyArray<string>) => names.map((name) => `"${snakeName(name)}"`)
  const values = quoted(fields.filter((field) => !key.includes(field))).map((name) => `${name} = excluded.${name}`)
  return ` on conflict (${quoted(key).join(", ")}) do update set ${values.join(", ")}`
}

/** The values of a new row. */
export const valuesOf = <T extends Table>(table: T, value: Database[T]): Database[T] =>
  Object.fromEntries(fieldsOf(table).map((field) => [field, value[field]])) as Database[T]

/** The values of a changed row, without what never changes: SQLite would write every index of a column named here anew. */
export const changesOf = <T extends Table, F extends Field<T>>(
  table: T,
  value: Database[T],
  fixed: ReadonlyArray<F>
): Omit<Database[T], F> =>
  Object.fromEntries(
    fieldsOf(table)
      .filter((field) => !(fixed as ReadonlyArray<string>).includes(field))
      .map((field) => [field, value[field]])
  ) as Omit<Database[T], F>
