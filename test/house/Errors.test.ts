/** An error is written in one place: its class, its status and its code. */
import { describe, expect, it } from "vitest"
import { files, read } from "./Sources.ts"

const sources = files("packages/core/src").filter((path) => path.endsWith("Errors.ts"))

/** Rows of tables whose class stands in another file, and why. */
const exceptions: Readonly<Record<string, string>> = {
  LimitReached: "its sentence is made from the limits, in AccountLimits.ts",
  MoveRefused: "its sentence is made from the table of a campaign's moves, in Campaign.ts"
}

const tableIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^ {2}(\w+): \{ status: \d+, code: "\w+" \},?$/gm)].map(([, tag = ""]) => tag)

const classesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/TaggedError<\w+>\(\)\(\s*"(\w+)"/g)].map(([, tag = ""]) => tag))

describe("an error", () => {
  it("has its class, its status and its code in one file", () => {
    const tables = sources.map((path) => ({ tags: tableIn(read(path)), classes: classesIn(read(path)) }))
    expect(tables.filter(({ tags }) => tags.length > 0).length).toBeGreaterThanOrEqual(12)
    const apart = tables.flatMap(({ classes, tags }) => tags.filter((tag) => !classes.has(tag)))
    expect(apart.sort()).toEqual(Object.keys(exceptions).sort())
  })
})
