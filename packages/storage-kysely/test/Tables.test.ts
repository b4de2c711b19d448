/** The tables as rooms describe them, against those that the migrations make. */
import { assert, describe, it } from "vitest"
import { movedTables } from "../src/MovedTables.ts"
import { tableDescriptions } from "../src/TableDescriptions.ts"
import { tableOf } from "./FilledTables.ts"
import { owners, tableFiles, texts } from "./TableOwners.ts"

/** The tables at the end of the history. */
const made = texts.reduce((tables, text) => {
  const [, verb, name = "", to] = /^(create|drop|alter) table (\w+)(?: rename to (\w+))?/.exec(text) ?? []
  if (verb === "create") tables.add(name)
  if (verb === "drop" || to !== undefined) tables.delete(name)
  return to === undefined ? tables : tables.add(to)
}, new Set<string>())

describe("tables", () => {
  it("belong to one room each, and each is of the migrations", () => {
    const names = tableFiles.flatMap(({ tables }) => Object.keys(tables)).sort()
    assert.deepStrictEqual(names, Object.keys(tableDescriptions).sort())
    assert.deepStrictEqual(names, [...made].map(tableOf).sort())
  })

  it("that others belong to are copied before these", () => {
    const places = new Map<string, number>(movedTables.map(({ table }, place) => [table, place]))
    const placeOf = (name: string) => places.get(name) ?? -1
    const copied = owners.filter(([table]) => places.has(table))
    assert.isAbove(copied.length, 15)
    assert.deepStrictEqual(
      copied.filter(([table, owner]) => placeOf(table) < placeOf(owner)),
      []
    )
    assert.strictEqual(placeOf("accounts"), 0)
  })
})
