/** The texts of the pages, and the list of them on their page: docs/reference/dashboard.md#words. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { english } from "../src/DashboardWords.ts"

const page = "../../../docs/reference/dashboard.md"
const text = () => readFileSync(new URL(page, import.meta.url), "utf8")
const start = "<!-- The list is made from the catalogue: `vitest run DashboardWords.test.ts --update`. -->\n"

describe("the words of the pages", () => {
  it("stand on the page about the dashboard; `vitest run DashboardWords.test.ts --update` writes the list anew", async () => {
    const rows = Object.entries(english).map(([key, words]) => `| \`${key}\` | ${words.replaceAll("|", "\\|")} |\n`)
    const [before, after] = text().split(start)
    expect(after).toBeDefined()
    await expect(`${before}${start}\n| Key | English text |\n|---|---|\n${rows.join("")}`).toMatchFileSnapshot(page)
  })

  it("have a general form for every text about a number", () => {
    const ones = Object.keys(english).filter((key) => key.endsWith(".one"))
    expect(ones.filter((key) => !(key.replace(/one$/, "other") in english))).toEqual([])
  })

  it("name neither this software nor its maker", () => {
    expect(Object.values(english).filter((words) => /trunkline/i.test(words))).toEqual([])
  })

  it("have an example whose keys are right", () => {
    const [, words = ""] = /^dashboard\(\{ words: \{([^}]*)\} \}\)$/m.exec(text()) ?? []
    const keys = [...words.matchAll(/"([\w.-]+)":/g)].map(([, key = ""]) => key)
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter((key) => !(key in english))).toEqual([])
  })
})
