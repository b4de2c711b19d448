/**
 * test/house/conformance.md has a row for every rule. The files in a row come from the tests: a comment `// Verifies: C-20, D-13.`
 * stands above each test, or above its row in a table of cases. `npx vitest run Conformance -u` writes the page.
 */
import { describe, expect, it } from "vitest"
import { read, sources } from "./Sources.ts"

interface Verifier {
  readonly ids: ReadonlyArray<string>
  readonly file: string
}

const tag = /^[ \t]*\/\/ Verifies: ([BCDEGHMNVW]-\d+(?:, [BCDEGHMNVW]-\d+)*)\.\n/gm

const nameOf = (path: string): string => path.replace(/^.*\//, "").replace(/(\.test)?\.ts$/, "")

const verifiers: ReadonlyArray<Verifier> = sources().flatMap(({ path, text }) =>
  [...text.matchAll(tag)].map(({ 1: list = "" }) => ({ ids: list.split(", "), file: nameOf(path) }))
)

const page = read("test/house/conformance.md")

const row = /^\| ([BCDEGHMNVW]-\d+) \| (.*) \| (.*?) ?\|$/gm

const rows = [...page.matchAll(row)].map(([, id = "", rule = "", tests = ""]) => ({ id, rule, tests }))

/** Without a test a row says why: the rule is not built, or a page alone keeps it. */
const byHand = /^(not built: |documentation: )/

const testsOf = (id: string): string =>
  [...new Set(verifiers.filter(({ ids }) => ids.includes(id)).map(({ file }) => `\`${file}\``))].sort().join(", ")

describe("conformance", () => {
  it("numbers every rule once", () => {
    expect(rows.length).toBeGreaterThan(400)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  it("has a test or a reason in every row, never both", () => {
    const wrong = rows.filter(({ id, tests }) => byHand.test(tests) === (testsOf(id) !== "")).map(({ id }) => id)
    expect(wrong).toEqual([])
  })

  it("knows every rule that a test says it verifies", () => {
    const known = new Set(rows.map(({ id }) => id))
    expect(
      verifiers.flatMap(({ file, ids }) => ids.filter((id) => !known.has(id)).map((id) => `${file}: ${id}`))
    ).toEqual([])
  })

  it("lists the files whose tests verify each rule", async () => {
    const written = page.replace(row, (_, id: string, rule: string, tests: string) => {
      const found = testsOf(id)
      return `| ${id} | ${rule} | ${found === "" ? tests : found} |`
    })
    await expect(written).toMatchFileSnapshot("./conformance.md")
  })
})
