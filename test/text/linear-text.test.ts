/** What somebody else writes is read in time in proportion to its length. */
import { describe, expect, it } from "vitest"
import { shapes, variantsOf } from "./ForeignText.ts"
import { foreignTexts } from "./ForeignTexts.ts"
import { growthOf } from "./TimeGrowth.ts"

/** Doubling the text doubles the time of what is linear, and quadruples that of what looks at every pair of places. */
const enough = 3

/** The first shape for which a function takes more than three times as long for twice the text; null where there is none. */
const slowShape = async (
  read: (text: string) => unknown,
  { most, openings = [""] }: { readonly most: number; readonly openings?: ReadonlyArray<string> }
): Promise<string | null> => {
  for (const [shape, textOf] of Object.entries(shapes)) {
    for (const around of variantsOf({ openings })) {
      const growth = await growthOf(read, (length) => around(textOf(length)), { most, enough })
      if (growth === null || growth.factor <= enough) continue
      const { factor, length, ms } = growth
      return `${shape} in ${JSON.stringify(around("…"))}: ${factor.toFixed(1)} times from ${length} characters on, ${ms} ms`
    }
  }
  return null
}

describe("twice the text takes at most three times as long", () => {
  // Other tests share the caches of the processor.
  it.each(foreignTexts.map((row) => [row.name, row] as const))(
    "in %s",
    { retry: 3 },
    async (_, { read, ...bounds }) => {
      expect(await slowShape(read, bounds)).toBeNull()
    }
  )
})

describe("what looks at places more than once is found", () => {
  const placeholder = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g
  const table = /^\s*\|?(?:\s*:?-{3,}:?\s*\|)+\s*:?-*:?\s*$/gm
  const rule = /^\s*(?:[-*_]\s*){3,}$/gm
  const link = /!?\[([^\]]*)\]\([^)]*\)/g

  it.each([
    ["variables with blanks around a name", placeholder, ["{{"]],
    ["tables with blank lines before them", table, [""]],
    ["rules with blank lines before them", rule, [""]],
    ["links whose text never ends", link, [""]],
    ["trailing blanks", /\s+$/, [""]]
  ] as const)("%s", { retry: 3 }, async (_, expression, openings) => {
    const replaced = (text: string) => text.replace(expression, "")
    expect(await slowShape(replaced, { most: 4096, openings })).not.toBeNull()
  })

  it("and what looks at each place once is not", { retry: 3 }, async () => {
    expect(await slowShape((text) => text.replace(/\s+/g, " ").trim(), { most: 16_384 })).toBeNull()
  })
})
