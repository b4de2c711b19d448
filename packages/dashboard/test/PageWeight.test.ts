/** What a browser loads until it shows the first page, and for each further one. */
import { describe, expect, it } from "vitest"
import { files } from "../BuiltFiles.ts"

const textOf = (name: string): string => Buffer.from(files[name]?.bytes ?? "", "base64").toString()
const compressed = (name: string): number => Buffer.from(files[name]?.gzip ?? files[name]?.bytes ?? "", "base64").length
const sum = (names: ReadonlyArray<string>): number => names.reduce((total, name) => total + compressed(name), 0)

const page = textOf("index.html")
const first = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name = ""]) => name)

/** What a module imports before it runs. */
const importsOf = (name: string): ReadonlyArray<string> =>
  [...textOf(name).matchAll(/(?:import|from)\s*"\.\/([^"]+\.js)"/g)].map(([, path = ""]) => `assets/${path}`)

const withImports = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all = new Set(names)
  for (const name of all) for (const one of importsOf(name)) all.add(one)
  return [...all]
}

const scripts = withImports(first.filter((name) => name.endsWith(".js")))
const styles = Object.keys(files).filter((name) => name.endsWith(".css"))

describe("the weight of the pages", () => {
  it("is at most 160 kB of script and 20 kB of style for the first one, compressed", () => {
    expect(scripts.length).toBeGreaterThan(0)
    expect(sum(scripts)).toBeLessThan(160_000)
    expect(sum(styles)).toBeLessThan(20_000)
  })

  it("is at most 40 kB for each further one", () => {
    const further = Object.keys(files).filter((name) => name.endsWith(".js") && !scripts.includes(name))
    expect(further.length).toBeGreaterThan(3)
    const heavy = further.filter((name) => sum(withImports([name]).filter((one) => !scripts.includes(one))) > 40_000)
    expect(heavy).toEqual([])
  })
})
