/** What is true of every statement of the stores. */
import {
  migrationsOf,
  postgresDialect,
  resultColumns,
  type SqlDialect,
  sqliteDialect,
  statement,
  statements
} from "@trunkline/storage-kysely"
import { assert, describe, it } from "vitest"
import { storeStatements } from "./StoreStatements.ts"

describe("statements", () => {
  it("have names that differ, and that Postgres keeps whole", () => {
    const names = statements().map(({ name }) => name)
    assert.isAbove(names.length, 50)
    assert.strictEqual(new Set(names).size, names.length)
    for (const name of names) assert.isAtMost(Buffer.byteLength(name), 63)
  })

  it("are refused when their name is taken or too long", () => {
    assert.throws(
      () => statement("calls.findInAnyAccount")((db) => db.selectFrom("calls").select("id")),
      /must be unique/
    )
    assert.throws(() => statement("x".repeat(64))((db) => db.selectFrom("calls").select("id")), /at most 63 bytes/)
  })

  it.each(storeStatements())("$name asks both databases for the same values in the same order", (declared) => {
    const names = (dialect: SqlDialect) =>
      declared.compile(dialect).values.map((value) => (value as { name?: string } | null)?.name ?? value)
    if (declared.name !== "outbox.after") assert.deepStrictEqual(names(sqliteDialect), names(postgresDialect))
  })

  it.each(storeStatements())("$name names every column that it answers with", (declared) => {
    for (const dialect of [sqliteDialect, postgresDialect])
      assert.notMatch(declared.compile(dialect).sql, /select \*|returning \*/)
  })

  it("answer with columns that the tables know", () => {
    assert.throws(() => resultColumns(["id", "no_such_column"]), /noSuchColumn/)
  })
})

describe("migrations", () => {
  it("are the same history on both databases, without a word left untranslated", () => {
    const histories = [sqliteDialect, postgresDialect].map(migrationsOf)
    const [sqlite, postgres] = histories.map((all) => all.map(({ name, version }) => `${version} ${name}`))
    assert.deepStrictEqual(sqlite, postgres)
    for (const text of histories.flat().flatMap((migration) => migration.statements)) {
      assert.notMatch(text, /undefined|\{[a-z-]+\}/)
    }
  })
})
