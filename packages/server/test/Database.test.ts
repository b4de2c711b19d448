import { describe, expect, it } from "vitest"
import { databaseOf, nameOf, unusable } from "../src/Database.ts"

describe("DATABASE_URL", () => {
  it.each([
    ["sqlite:./data/x.db", { _tag: "File", path: "./data/x.db" }],
    ["sqlite:/srv/x.db", { _tag: "File", path: "/srv/x.db" }],
    ["sqlite:///srv/x.db", { _tag: "File", path: "/srv/x.db" }],
    ["sqlite::memory:", { _tag: "Memory" }],
    ["postgres://u:p@h/db", { _tag: "Postgres", url: "postgres://u:p@h/db" }],
    ["postgresql://h/db", { _tag: "Postgres", url: "postgresql://h/db" }],
    ["postgres://u:p@a:5432,b:5433/db", { _tag: "Postgres", url: "postgres://u:p@a:5432,b:5433/db" }]
  ])("%s is read", (url, database) => {
    expect(databaseOf(url)).toEqual(database)
  })

  it.each([
    "sqlite:",
    "sqlite://data/x.db",
    "mysql://h/db",
    "data/x.db",
    "postgres://h:port/db",
    "postgres://a,b:port/db"
  ])("%s is refused", (url) => {
    expect(databaseOf(url)).toHaveProperty("fault")
  })

  it("is shown without its password", () => {
    const database = databaseOf("postgres://me:hunter2@db.example:5433/calls?sslmode=require&password=hunter2")
    if ("fault" in database) throw new Error(database.fault)
    expect(nameOf(database)).toBe("postgres://me@db.example:5433/calls")
    expect(unusable(database, "unavailable", "refused\n  twice")).not.toMatch(/hunter2|\n/)
    expect(nameOf({ _tag: "Postgres", url: "postgres://me:hunter2@a:5432,b:5433/calls" })).toBe(
      "postgres://me@a:5432,b:5433/calls"
    )
  })
})
