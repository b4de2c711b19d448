/** docs/conformance.md names files and tests that are there. */
import { describe, expect, it } from "vitest"
import { read, sources } from "./Sources.ts"

const all = sources()

const rows = [...read("docs/conformance.md").matchAll(/^\| ([CDEGHMNW]-\d+) \| .* \| (.*?) \| (.*?) \|$/gm)].map(
  ([, id, where, test]) => ({
    id: id!,
    where: where!,
    tests: test! === "…" || test! === "documentation" ? [] : test!.split(/; (?=`)/)
  })
)

const named = (file: string) => all.filter(({ path }) => path.endsWith(`/${file}`))

const place = /%[sijo]|\$\{[^}]*\}/

/** A title as it stands in the source, where `%s` or `${name}` may hold a place, as a pattern for what is reported. */
const pattern = (title: string): RegExp =>
  new RegExp(
    `^${title
      .split(place)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`
  )

/** What is all places would fit everything; the titles of such tests stand in their tables. */
const saysSomething = (title: string): boolean => title.split(place).join("").trim().length > 3

const titlesOf = (text: string): ReadonlyArray<RegExp> =>
  [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, quoted, template]) => (quoted ?? template ?? "").replace(/\\(.)/g, "$1"))
    .filter(saysSomething)
    .map(pattern)

describe("conformance", () => {
  it("numbers every rule once", () => {
    expect(rows.length).toBeGreaterThan(400)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  it("names files that are there", () => {
    const missing = rows.flatMap(({ id, where }) =>
      [...where.matchAll(/`([\w.-]+\.ts)`/g)]
        .filter(([, file]) => named(file!).length === 0)
        .map(([, file]) => `${id}: ${file}`)
    )
    expect(missing).toEqual([])
  })

  it("names tests that are there", () => {
    const missing = rows.flatMap(({ id, tests }) =>
      tests.flatMap((cited) => {
        const [, file, title] = /^`([\w.-]+)`: (.*)$/.exec(cited) ?? []
        if (file === undefined || title === undefined) return [`${id}: ${cited}`]
        const candidates = [...named(`${file}.test.ts`), ...named(`${file}.ts`)]
        const texts = file === "dialer" ? named("DialerModel.ts") : candidates
        return texts.some(({ text }) => titlesOf(text).some((one) => one.test(title))) ? [] : [`${id}: ${cited}`]
      })
    )
    expect(missing).toEqual([])
  })
})
