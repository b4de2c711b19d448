/** Which passage is the better answer. Verifies: FIND-2. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  type CandidatePassage,
  type QueryTerm,
  rankPassages,
  weightOf
} from "../../../src/agents/search/PassageRank.ts"

const query = (...terms: ReadonlyArray<readonly [term: string, weight: number]>): ReadonlyArray<QueryTerm> =>
  terms.map(([term, weight]) => ({ weight, spellings: new Map([[term, 1]]) }))

const passage = (entryId: string, terms: string, titleTerms = "", position = 1): CandidatePassage => ({
  entryId,
  position,
  terms,
  titleTerms
})

const order = (terms: ReadonlyArray<QueryTerm>, ...candidates: ReadonlyArray<CandidatePassage>) =>
  rankPassages(terms, candidates).map(({ entryId }) => entryId)

describe("a term's weight", () => {
  it("falls with every entry that has it, and is never nothing", () => {
    for (const all of [1, 2, 10, 10_000]) {
      const weights = Array.from({ length: Math.min(all, 50) + 1 }, (_, entries) => weightOf(entries, all))
      assert.deepStrictEqual(
        weights.toSorted((a, b) => b - a),
        weights
      )
      assert.isAbove(weightOf(all, all), 0)
    }
  })
})

describe("the better answer", () => {
  const terms = query(["lamp", 1], ["dimmable", 4])

  it("has the rarer word", () => {
    assert.deepStrictEqual(order(terms, passage("a", "lamp lamp lamp lamp"), passage("b", "dimmable")), ["b", "a"])
  })

  it("has more of the words", () => {
    assert.deepStrictEqual(order(terms, passage("a", "dimmable x"), passage("b", "dimmable lamp")), ["b", "a"])
  })

  it("has the word in its title", () => {
    assert.deepStrictEqual(order(terms, passage("a", "dimmable x x"), passage("b", "x x x", "dimmable")), ["b", "a"])
  })

  it("has it among fewer other words", () => {
    assert.deepStrictEqual(order(terms, passage("a", `dimmable${" x".repeat(150)}`), passage("b", "dimmable x")), [
      "b",
      "a"
    ])
  })

  it("is the newer one of two that are equal, shown by its first passage that is best", () => {
    const found = rankPassages(terms, [
      passage("a", "lamp", "", 1),
      passage("b", "x lamp x", "", 4),
      passage("b", "lamp", "", 3),
      passage("b", "lamp", "", 2)
    ])
    assert.deepStrictEqual(
      found.map(({ entryId, position }) => `${entryId} ${position}`),
      ["b 2", "a 1"]
    )
  })

  it("is none that has no word", () => {
    assert.deepStrictEqual(order(terms, passage("a", "x"), passage("b", "")), [])
    assert.deepStrictEqual(order([], passage("a", "x")), [])
  })

  it("scores above 0 and below 1, and more with every word that it has", () => {
    const word = fc.constantFrom("a", "b", "c", "d", "x", "y")
    fc.assert(
      fc.property(fc.array(word), fc.array(word), word, (title, text, more) => {
        const wanted = query(["a", 1], ["b", 2], ["c", 3], ["d", 0.1])
        const scoreOf = (words: ReadonlyArray<string>) =>
          rankPassages(wanted, [passage("e", words.join(" "), title.join(" "))])[0]?.score ?? 0
        const score = scoreOf(text)
        assert.isTrue(score >= 0 && score < 1)
        // In the place of another word, or the text would be longer too.
        const at = text.findIndex((other) => other === "x" || other === "y")
        if (at >= 0) assert.isAtLeast(scoreOf(text.with(at, more)), score)
      })
    )
  })

  it("counts a spelling for less than the word itself", () => {
    const misspelt = [{ weight: 1, spellings: new Map([["lamp", 0.8]]) }]
    const [near] = rankPassages(misspelt, [passage("a", "lamp")])
    const [same] = rankPassages(query(["lamp", 1]), [passage("a", "lamp")])
    assert.isBelow(near!.score, same!.score)
  })
})
