/** The files of tables, and which tables the rows of a table belong to, as the migrations say it. */
import { readdirSync } from "node:fs"
import { migrationsOf, sqliteDialect } from "@trunkline/storage-kysely"
import type { Table } from "../src/Table.ts"
import { tableOf } from "./FilledTables.ts"

const folder = new URL("../src/tables/", import.meta.url)

/** Every text of the history. */
export const texts = migrationsOf(sqliteDialect).flatMap(({ statements }) => statements)

/** Which tables the rows of a table belong to: by a key of the database's, or by the account that it takes from there. */
export const owners = texts.flatMap((text): ReadonlyArray<readonly [table: string, owner: string]> => {
  const [, table = ""] =
    /^create (?:table (?=[\s\S]* references )|trigger (?=\w+_account ))(\w+?)(?:_account)? /.exec(text) ?? []
  return table === ""
    ? []
    : [...text.matchAll(/\b(?:references|from) (\w+)/g)].map(([, owner]) => [tableOf(table), tableOf(owner!)] as const)
})

interface TableFile {
  readonly name: string
  /** The name under which it exports its tables. */
  readonly list: string
  readonly tables: Readonly<Record<string, Table>>
}

/** What each file of the folder describes, in the order of their names. */
export const tableFiles: ReadonlyArray<TableFile> = await Promise.all(
  readdirSync(folder)
    .sort()
    .map(async (file) => {
      const exports: Readonly<Record<string, unknown>> = await import(new URL(file, folder).href)
      const [list = "", ...others] = Object.keys(exports).filter((name) => name.endsWith("Tables"))
      if (list === "" || others.length > 0) throw new Error(`${file} has to export one list of tables`)
      return { name: file.replace(/\.ts$/, ""), list, tables: exports[list] as TableFile["tables"] }
    })
)
