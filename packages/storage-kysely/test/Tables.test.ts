/** The tables as rooms describe them, against those that the migrations make. */
import { readdirSync } from "node:fs"
import { migrationsOf, sqliteDialect } from "@trunkline/storage-kysely"
import { assert, describe, it } from "vitest"
import { movedTables } from "../src/MovedTables.ts"
import { descriptions } from "../src/Tables.ts"
import { tableOf } from "./FilledTables.ts"

const folder = new URL("../src/tables/", import.meta.url)

const texts = migrationsOf(sqliteDialect).flatMap(({ statements }) => statements)

/** The tables at the end of the history. */
const made = texts.reduce((tables, text) => {
  const [, verb, name = "", to] = /^(create|drop|alter) table (\w+)(?: rename to (\w+))?/.exec(text) ?? []
  if (verb === "create") tables.add(name)
  if (verb === "drop" || to !== undefined) tables.delete(name)
  return to === undefined ? tables : tables.add(to)
}, new Set<string>())

/** Which tables the rows of a table belong to: by a key of the database's, or by the account that it takes from there. */
const owners = texts.flatMap((text): ReadonlyArray<readonly [table: string, owner: string]> => {
  const [, table = ""] =
    /^create (?:table (?=[\s\S]* references )|trigger (?=\w+_account ))(\w+?)(?:_account)? /.exec(text) ?? []
  return table === ""
    ? []
    : [...text.matchAll(/\b(?:references|from) (\w+)/g)].map(([, owner]) => [table, owner!] as const)
})

describe("tables", () => {
  it("belong to one room each, and each is of the migrations", async () => {
    const rooms = await Promise.all(
      readdirSync(folder).map(async (name): Promise<ReadonlyArray<string>> => {
        const values: ReadonlyArray<unknown> = Object.values(await import(new URL(name, folder).href))
        return values.flatMap((value) => (Array.isArray(value) ? [] : Object.keys(value as object)))
      })
    )
    assert.deepStrictEqual(rooms.flat().sort(), Object.keys(descriptions).sort())
    assert.deepStrictEqual(rooms.flat().sort(), [...made].map(tableOf).sort())
  })

  it("that others belong to are copied before these", () => {
    const places = new Map<string, number>(movedTables.map(({ table }, place) => [table, place]))
    const placeOf = (name: string) => places.get(tableOf(name)) ?? -1
    const copied = owners.filter(([table]) => places.has(tableOf(table)))
    assert.isAbove(copied.length, 15)
    assert.deepStrictEqual(
      copied.filter(([table, owner]) => placeOf(table) < placeOf(owner)),
      []
    )
  })
})
