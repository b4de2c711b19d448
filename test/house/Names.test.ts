/** Names of files: one search finds one file, and the name says what is in it. */
import { describe, expect, it } from "vitest"
import { files, isPackageSource, nameOf } from "./Sources.ts"

const typescript = files().filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
const isTest = (path: string) => path.endsWith(".test.ts")

/** Entries are named for what starts them. */
const entries = new Set(["index", "effect", "domain", "provider", "storage", "testing", "main", "vitest.config"])
const modules = typescript.filter((path) => !isTest(path) && !entries.has(nameOf(path)))
/** Examples are read one at a time, and named after what they show. */
const isExample = (path: string) => /^(examples|bench)\//.test(path)

const pascal = /^[A-Z][A-Za-z0-9]*$/
const kebab = /^[a-z0-9]+([-.][a-z0-9]+)*$/

const repeated = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Map<string, Array<string>>()
  for (const path of paths) seen.set(nameOf(path), [...(seen.get(nameOf(path)) ?? []), path])
  return [...seen.values()].filter((same) => same.length > 1).map((same) => same.join(", "))
}

describe("file names", () => {
  it("are unique in the repository; what tests share may have the name of what it serves", () => {
    const inTests = (path: string) => /^packages\/[^/]+\/test\//.test(path)
    const named = modules.filter((path) => !isExample(path))
    expect(repeated(named.filter((path) => !inTests(path)))).toEqual([])
    expect(repeated(named.filter(inTests))).toEqual([])
  })

  it("are PascalCase, after the file's main export", () => {
    expect(modules.filter((path) => !isExample(path) && !pascal.test(nameOf(path)))).toEqual([])
  })

  it("of tests are PascalCase and unique after what they test, or a topic in kebab-case", () => {
    const names = typescript
      .filter(isTest)
      .map((path) => ({ path, name: nameOf(path).replace(/(\.postgres)?\.test$/, "") }))
    expect(names.filter(({ name }) => !pascal.test(name) && !kebab.test(name)).map(({ path }) => path)).toEqual([])
    expect(repeated(names.filter(({ name }) => pascal.test(name)).map(({ path }) => path))).toEqual([])
  })

  it("of folders are kebab-case, but where a framework reads their names", () => {
    const folders = new Set(files().flatMap((path) => path.split("/").slice(0, -1)))
    const ofNext = "[...path]"
    expect([...folders].filter((folder) => !kebab.test(folder) && folder !== ofNext)).toEqual([])
  })

  it("of a room's files say their kind", () => {
    const vague = /(Manager|Helpers?|Utils?|Impl|Live|Types|Data|Misc|Common)$/
    expect(typescript.filter((path) => isPackageSource(path) && vague.test(nameOf(path)))).toEqual([])
  })
})
