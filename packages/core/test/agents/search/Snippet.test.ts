/** What an agent is shown of an entry. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { passagesOf } from "../../../src/agents/search/IndexedText.ts"
import { termsOf } from "../../../src/agents/search/SearchTerms.ts"
import { maxSnippetLength, snippetOf } from "../../../src/agents/search/Snippet.ts"

const whole = (content: string) => ({ start: 0, end: content.length })

describe("a snippet", () => {
  it("is the whole of a short text", () => {
    expect(snippetOf("  Kettles boil.\n", whole("  Kettles boil.\n"), ["boil"])).toBe("Kettles boil.")
  })

  it("is where most of what was asked for stands together", () => {
    const filler = "The handbook tells of cleaning and transport. ".repeat(20)
    const content = `Fuses are sold. ${filler}The green fuse of the centrifuge has four amperes. ${filler}Centrifuges spin.`
    const shown = snippetOf(content, whole(content), ["fus", "centrifug", "amper"])
    expect(shown).toContain("The green fuse of the centrifuge has four amperes.")
    expect(shown.length).toBeGreaterThan(maxSnippetLength / 2)
  })

  it("reaches over the ends of its passage, and shows what leads to the place", () => {
    const content = `${"before ".repeat(200)}needle ${"after ".repeat(200)}`
    const start = content.indexOf("needle")
    const shown = snippetOf(content, { start, end: start + 20 }, ["needl"])
    expect(shown).toMatch(/^before .* needle after .* after$/)
  })

  it("is of the passage's beginning when only the title has what was asked for", () => {
    const content = "one two three four five six seven ".repeat(100)
    expect(snippetOf(content, { start: 1200, end: 2400 }, ["absent"]).length).toBeGreaterThan(500)
  })

  it("finds its place in a text without spaces", () => {
    const content = `${"お客様へのご案内".repeat(60)}遠心分離機のヒューズは緑の蓋の裏にあります${"お客様へのご案内".repeat(60)}`
    expect(snippetOf(content, { start: 0, end: 1000 }, ["遠心", "心分", "蓋"])).toContain(
      "遠心分離機のヒューズは緑の蓋"
    )
  })

  const shownOf = (text: string, at: number) => {
    const passages = passagesOf(text)
    return snippetOf(text, passages[at % passages.length]!, termsOf("kettle 返品 é"))
  }

  it("cuts no word in two", () => {
    const words = ["kettle", "boils", "返品は", "😀😀", "x".repeat(39), "é"]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 400 }), fc.nat(), (all, at) => {
        const shown = shownOf(all.join(" "), at).split(" ")
        expect(shown.filter((word) => !words.includes(word))).toEqual([])
      }),
      { numRuns: 100 }
    )
  })

  it("is at most 600 units of the text, whole characters, also where nothing is a word", () => {
    const long = [
      "返品はできます。",
      "返品はできます",
      "kettle-",
      "é",
      "😀",
      "x",
      " ",
      "x\n",
      "x😀😀😀",
      "x😀 y 😀😀"
    ].map((part) => part.repeat(2000))
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...long), fc.string({ unit: "grapheme", maxLength: 3000 })),
        fc.nat(),
        (text, at) => {
          const shown = shownOf(text.toWellFormed(), at)
          expect(shown.length).toBeLessThanOrEqual(maxSnippetLength)
          expect(shown.isWellFormed()).toBe(true)
          expect(text.toWellFormed()).toContain(shown)
        }
      ),
      { numRuns: 100 }
    )
  })
})
