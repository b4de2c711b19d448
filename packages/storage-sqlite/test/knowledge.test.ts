/** The full-text index of SQLite holds what its table holds: triggers keep it. Verifies: BOTS-6. */
import { migrationsOf, sqliteDialect } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { afterAll, assert, describe, it } from "vitest"

const db = new BetterSqlite(":memory:")
for (const migration of migrationsOf(sqliteDialect)) for (const text of migration.statements) db.exec(text)
afterAll(() => db.close())

const bot = "01936f00-0000-7000-8000-00000000beef"
const add = (terms: string, title: string) =>
  db
    .prepare(
      "insert into knowledge_passages (entry_id, bot_id, first_unit, end_unit, title_terms, terms) values ('e', ?, 0, 1, ?, ?)"
    )
    .run(bot, title, terms).lastInsertRowid

const found = (lexeme: string) =>
  db.prepare("select rowid from knowledge_search where knowledge_search match ?").pluck().all(`"${lexeme}"`)

describe("the full-text index of SQLite", () => {
  it("has each term under the end of its agent's id, those of the title twice", () => {
    const at = add("boil 返品 रिफंड ab1", "kettl")
    for (const lexeme of [
      "0000beefboil",
      "0000beef返品",
      "0000beefरिफंड",
      "0000beefab1",
      "0000beefkettl",
      "t0000beefkettl"
    ])
      assert.deepStrictEqual(found(lexeme), [at], lexeme)
    for (const lexeme of ["boil", "kettl", "t0000beefboil", "0000beef返"])
      assert.deepStrictEqual(found(lexeme), [], lexeme)
  })

  it("accepts a passage without a title, or without a word", () => {
    const [bare, empty] = [add("lamp", ""), add("", "")]
    assert.deepStrictEqual(found("0000beeflamp"), [bare])
    assert.notInclude(found("0000beeflamp"), empty)
  })

  it("loses a passage with its row, also where another one replaces it", () => {
    const at = add("candl", "wax")
    db.prepare("delete from knowledge_passages where position = ?").run(at)
    assert.deepStrictEqual(found("0000beefcandl"), [])
    assert.deepStrictEqual(found("t0000beefwax"), [])
    assert.strictEqual(add("torch", "light"), at)
    assert.deepStrictEqual(found("0000beeftorch"), [at])
    assert.deepStrictEqual(found("0000beefcandl"), [])
  })
})
