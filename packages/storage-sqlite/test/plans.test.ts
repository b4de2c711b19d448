/** Every statement finds its rows by an index, and lists come from the index in their order. */
import { migrationsOf, sqliteDialect, statements } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { afterAll, assert, describe, it } from "vitest"
import { expectedIndexes, importTables, queueTables, sorts, walks } from "../../storage-kysely/test/ExpectedIndexes.ts"
import { storeStatements } from "../../storage-kysely/test/StoreStatements.ts"

const db = new BetterSqlite(":memory:")
for (const migration of migrationsOf(sqliteDialect)) for (const text of migration.statements) db.exec(text)
afterAll(() => db.close())

type Declared = ReturnType<typeof statements>[number]

interface Step {
  readonly id: number
  /** The step of which this one is a part; 0 for none. Steps of one parent are the loops of one join, the outermost first. */
  readonly parent: number
  readonly detail: string
}

const stepsOf = (statement: Declared): ReadonlyArray<Step> => {
  const { sql, values } = statement.compile(sqliteDialect)
  return db.prepare<Array<unknown>, Step>(`explain query plan ${sql}`).all(...values.map(() => null))
}

const planOf = (statement: Declared): ReadonlyArray<string> => stepsOf(statement).map(({ detail }) => detail)

/** True of a step that runs again for each row of another. */
const isInner = (step: Step, steps: ReadonlyArray<Step>): boolean => {
  const loops = steps.filter(({ detail, parent }) => parent === step.parent && /^(SCAN|SEARCH)/.test(detail))
  const parent = steps.find(({ id }) => id === step.parent)
  return loops[0] !== step || parent?.detail.startsWith("CORRELATED") === true
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

  it.each(storeStatements())("$name walks through a list of values once, not for each row", (statement) => {
    const steps = stepsOf(statement)
    const lists = steps.filter(({ detail }) => /^SCAN jsonb?_each/.test(detail))
    assert.deepStrictEqual(
      lists.filter((step) => isInner(step, steps)),
      [],
      planOf(statement).join("\n")
    )
  })

  it.each(storeStatements())("$name is prepared once: no parameter can change its plan", (statement) => {
    const { sql } = statement.compile(sqliteDialect)
    assert.notInclude(sql.replaceAll("ifnull(?, null)", ""), "?")
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
