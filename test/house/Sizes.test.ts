/** Ports of a size that one can hold in mind. Long functions are an advice: Advice.ts. */
import { describe, expect, it } from "vitest"
import { isPackageSource, sources } from "./Sources.ts"
import { functionsOf, portsOf } from "./Syntax.ts"

/** Members of a service. */
const maxVerbs = 12

const own = sources("packages").filter(({ path }) => isPackageSource(path))

const short = (path: string): string =>
  path
    .replace(/^packages\//, "")
    .replace("/src/", "/")
    .replace(/\.ts$/, "")

/** What is larger than the limit, with its size. */
const over = (limit: number, sizes: ReadonlyArray<readonly [name: string, size: number]>) =>
  sizes.filter(([, size]) => size > limit)

describe("sizes", () => {
  it(`a service has at most ${maxVerbs} members`, () => {
    const sizes = own.flatMap(({ path, text }) =>
      portsOf(text).map(({ name, verbs }) => [`${short(path)}: ${name}`, verbs] as const)
    )
    expect(sizes.length).toBeGreaterThan(80)
    expect(over(maxVerbs, sizes)).toEqual([])
  })

  it("are counted as they are read", () => {
    const inner = "  const inner = () => {\n    one()\n    two()\n  }\n"
    expect(functionsOf(`const outer = () => {\n${inner}  inner()\n}\n`)).toEqual([
      { name: "inner", lines: 4 },
      { name: "outer", lines: 3 }
    ])
    expect(functionsOf('it("is short", () => {\n  xs.map((x) => x.id)\n})\n')).toEqual([
      { name: "is short", lines: 1 },
      { name: "is short", lines: 3 }
    ])
    const port = "class P extends Context.Service<P, { readonly a: () => void; readonly b: number }>()('P') {}"
    expect(portsOf(port)).toEqual([{ name: "P", verbs: 2 }])
    expect(portsOf("interface S { a: 1; b: 2 }\nclass P extends Context.Service<P, S>()('P') {}")).toEqual([
      { name: "P", verbs: 2 }
    ])
  })
})
