/** No test fails because the machine is slow: docs/contributing.md#tests-and-time. */
import { describe, expect, it } from "vitest"
import { findings } from "./Findings.ts"
import { sources } from "./Sources.ts"

const tests = ["packages", "test", "examples"]
  .flatMap((folder) => sources(folder))
  .filter(({ path }) => /(^|\/)test\//.test(path) || path.startsWith("packages/testing/"))

/** How a test, a suite or a hook says how long it may take. */
const ownTimes: ReadonlyArray<RegExp> = [
  /^\s*\}, \d[\d_]{3,}\)$/gm,
  /^\s*\d{2,}_000\n\s*\)$/gm,
  /\b(?:it|test|describe)\b[\w.]*\([^\n]*\{[^\n}]*\btimeout:/g,
  /\b(?:before|after)(?:All|Each)\([\w.]+, \d/g
]

describe("a test", () => {
  it("has no timeout of its own, and no suite or hook has one", () => {
    const found = findings(tests, ({ code }) => ownTimes.flatMap((one) => code.match(one) ?? []))
    expect(found).toEqual([])
  })
})
