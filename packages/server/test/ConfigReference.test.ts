/** The reference of the configuration's keys is made from the settings: docs/reference/configuration.md. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { configReference, rows, saidDefault } from "./ConfigReference.ts"

const path = new URL("../../../docs/reference/configuration.md", import.meta.url)
const all = [...rows.values()].flat()

/** A default as a sentence writes it. */
const written = (standard: unknown): string =>
  typeof standard === "string" ? standard : (JSON.stringify(standard) ?? "")

describe("the reference of the configuration", () => {
  it("is the committed one; `vitest run ConfigReference.test.ts --update` writes it anew", async () => {
    await expect(configReference(readFileSync(path, "utf8"))).toMatchFileSnapshot(path.pathname)
  })

  // Verifies: D-247.
  it("has every key with a sentence, in a list of its section", () => {
    expect(all.length).toBeGreaterThan(150)
    expect(all.filter(({ sentence }) => !/^[A-Z`].*\.$/.test(sentence)).map(({ key }) => key)).toEqual([])
    const page = readFileSync(path, "utf8")
    expect([...rows.keys()].filter((name) => !page.includes(`<!-- settings: ${name} -->`))).toEqual([])
  })

  it("says of every setting the default that it has", () => {
    const wrong = all.flatMap((row) => {
      const said = saidDefault(row)
      return said === null || row.form.standard === undefined || said === written(row.form.standard)
        ? []
        : [`${row.key}: ${said} is ${written(row.form.standard)}`]
    })
    expect(wrong).toEqual([])
    const silent = all.filter((row) => row.form.standard != null && saidDefault(row) === null)
    expect(silent.map(({ key }) => key)).toEqual([])
  })
})
