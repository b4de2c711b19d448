/** Every statement finds its rows by an index, and lists come from the index in their order. */
import { migrationsOf, sqliteDialect, statements } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { afterAll, assert, describe, it } from "vitest"
import { expectedIndexes, importTables, queueTables, sorts, walks } from "../../storage-kysely/test/ExpectedIndexes.ts"
import { storeStatements } from "../../storage-kysely/test/StoreStatements.ts"

const db = new BetterSqlite(":memory:")
for (const migration of migrationsOf(sqliteDialect)) for (const text of migration.statements) db.exec(text)
afterAll(() => db.close())

const planOf = (statement: ReturnType<typeof statements>[number]): ReadonlyArray<string> => {
  const { sql, values } = statement.compile(sqliteDialect)
  const steps = db.prepare<Array<unknown>>(`explain query plan ${sql}`).all(...values.map(() => null))
  return steps.map((step) => (step as { detail: string }).detail)
}

describe("plans of SQLite", () => {
  // Verifies: D-220.
  it.each(storeStatements())("$name walks no table and sorts nothing", (statement) => {
    const plan = planOf(statement)
    assert.isFalse(
      plan.some((step) => step.includes("TEMP B-TREE")) && sorts[statement.name] === undefined,
      plan.join("\n")
    )
    const own = statement.name.startsWith("imports.") ? importTables : (queueTables[statement.name] ?? [])
    const allowed = ["json_each", "jsonb_each", walks[statement.name]?.table, ...own]
    const scanned = plan.filter((step) => step.startsWith("SCAN")).map((step) => step.split(" ")[1])
    assert.deepStrictEqual(
      scanned.filter((table) => !allowed.includes(table)),
      []
    )
  })

  it.each(Object.entries(expectedIndexes))("%s uses %s", (name, index) => {
    const statement = statements().find((declared) => declared.name === name)
    assert.isDefined(statement)
    assert.match(planOf(statement!).join("\n"), new RegExp(`USING (COVERING )?INDEX ${index}\\b`))
  })

  it("the counts of the live view are read from their index alone", () => {
    const statement = statements().find(({ name }) => name === "calls.answerCounts")!
    assert.match(planOf(statement).join("\n"), /COVERING INDEX calls_answered/)
  })
})
