/**
 * docs/conformance.md has a row for every rule, and the tests of each row come from the tests themselves: a comment
 * `// Verifies: C-20, D-13.` above a test, or above its row in a table of cases. `npx vitest run Conformance -u` writes the page.
 */
import { describe, expect, it } from "vitest"
import { read, sources } from "./Sources.ts"

interface Verifier {
  readonly ids: ReadonlyArray<string>
  readonly file: string
  readonly title: string
}

const tag = /^[ \t]*\/\/ Verifies: ([CDEGHMNW]-\d+(?:, [CDEGHMNW]-\d+)*)\.\n/gm
const literal = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/

/** The title of a test is the first text after its tag; that of `it.each(cases)(title, …)` stands behind the cases. */
const titleAfter = (text: string): string => {
  const cases = /^\s*\w+(\.\w+)*\.each\b/.test(text) ? text.search(/\)\(\s*["`]/) : 0
  const [, quoted, template] = literal.exec(text.slice(Math.max(0, cases))) ?? []
  return (quoted ?? template ?? "").replace(/\\(.)/g, "$1").replace(/\s+/g, " ").replaceAll("|", "\\|")
}

const nameOf = (path: string): string => path.replace(/^.*\//, "").replace(/(\.test)?\.ts$/, "")

const verifiers: ReadonlyArray<Verifier> = sources().flatMap(({ path, text }) =>
  [...text.matchAll(tag)].map(({ 0: whole, 1: list = "", index }) => ({
    ids: list.split(", "),
    file: nameOf(path),
    title: titleAfter(text.slice(index + whole.length))
  }))
)

const page = read("docs/conformance.md")

const row = /^\| ([CDEGHMNW]-\d+) \| (.*) \| (.*?) ?\|$/gm

const rows = [...page.matchAll(row)].map(([, id = "", rule = "", tests = ""]) => ({ id, rule, tests }))

/** Without a test a row says why: the rule is not built, or a page alone keeps it. */
const byHand = /^(not built: |documentation: )/

const testsOf = (id: string): string =>
  verifiers
    .filter(({ ids }) => ids.includes(id))
    .map(({ file, title }) => `\`${file}\`: ${title}`)
    .sort()
    .join("; ")

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
    expect(verifiers.filter(({ title }) => title.length < 3)).toEqual([])
  })

  it("lists the tests of each rule as the tests name them", async () => {
    const written = page.replace(row, (_, id: string, rule: string, tests: string) => {
      const found = testsOf(id)
      return `| ${id} | ${rule} | ${found === "" ? tests : found} |`
    })
    await expect(written).toMatchFileSnapshot("../../docs/conformance.md")
  })
})
