/** The list of tables follows from the folder in which they stand, and its order from the migrations. */
import { expect, it } from "vitest"
import { owners, tableFiles } from "./TableOwners.ts"

type TableFile = (typeof tableFiles)[number]

const fileOf = (table: string): TableFile | undefined => tableFiles.find(({ tables }) => table in tables)

/** The files with tables that the rows of this one belong to. All rows with an account come after the accounts. */
const ownersOf = (file: TableFile): ReadonlyArray<TableFile> =>
  ["accounts", ...owners.flatMap(([table, owner]) => (table in file.tables ? [owner] : []))]
    .flatMap((table) => fileOf(table) ?? [])
    .filter((owner) => owner !== file)

/** Files by their names, each after those that its rows belong to. */
const inOrder = (files: ReadonlyArray<TableFile>, within: ReadonlyArray<TableFile> = []): ReadonlyArray<TableFile> => [
  ...new Set(
    files.flatMap((file) => {
      if (within.includes(file)) throw new Error(`rows of ${file.name} belong to rows that belong to them`)
      return file.list === "accountTables" ? [file] : [...inOrder(ownersOf(file), [...within, file]), file]
    })
  )
]

const ordered = inOrder(tableFiles)

const text = `/**
 * The tables of all rooms. A move copies them in this order, in which tables that others belong to come first: the database finds the
 * account of a row by the row that it belongs to. Generated: test/TableDescriptions.test.ts.
 */
// biome-ignore lint/correctness/noUnusedImports: by it the compiler finds a name for each type of a column.
import type * as _Core from "@trunkline/core/storage"
${tableFiles.map(({ name, list }) => `import { ${list} } from "./tables/${name}.ts"\n`).join("")}
export const tableDescriptions = {
${ordered.map(({ list }) => `  ...${list}`).join(",\n")}
}
`

it("TableDescriptions.ts has every table; `vitest run TableDescriptions.test.ts --update` writes it anew", async () => {
  expect(ordered.length).toBe(tableFiles.length)
  await expect(text).toMatchFileSnapshot("../src/TableDescriptions.ts")
})
