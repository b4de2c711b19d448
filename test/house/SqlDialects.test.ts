/** The two databases differ in `SqlDialect` and nowhere else: a third one is one more object, not an edit of every store. */
import { describe, expect, it } from "vitest"
import { findings } from "./Findings.ts"
import { isPackageSource, packageOf, sources } from "./Sources.ts"

const dialects = "packages/storage-kysely/src/dialect/"

/** A question which database it is: by the dialect's name, by the dialect itself, or by a table with a key for each. */
const forks = [
  /\bdialect(?:\.name)?\s*(?:[=!]==?|\?[^.])/,
  /[=!]==?\s*(?:"sqlite"|"postgres"|sqliteDialect|postgresDialect)/,
  /\bcase\s+"(?:sqlite|postgres)"/,
  /Record<SqlDialect\["name"\]/
]

const forksIn = (code: string): ReadonlyArray<string> => forks.flatMap((fork) => code.match(fork)?.[0] ?? [])

describe("statements", () => {
  it("are the same on both databases but for what a dialect says", () => {
    const shared = sources("packages/storage-kysely").filter(
      ({ path }) => isPackageSource(path) && packageOf(path) === "storage-kysely" && !path.startsWith(dialects)
    )
    expect(shared.length).toBeGreaterThan(20)
    expect(
      findings(shared, ({ code, path }) =>
        // A migration may have a statement of one database alone; the table of these is the history itself.
        /\/Migration(s|Steps)\.ts$/.test(path) ? [] : forksIn(code)
      )
    ).toEqual([])
  })

  it("that ask for the database are found", () => {
    expect(forksIn('dialect === "postgres" ? a : b')).not.toEqual([])
    expect(forksIn('return dialect.name !== "sqlite"')).not.toEqual([])
    expect(forksIn("const sql: Record<SqlDialect[" + '"name"], string> = {}')).not.toEqual([])
    expect(forksIn('dialect.list(value.ids, "uuid")')).toEqual([])
  })
})
