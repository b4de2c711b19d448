/** Which passage is the better answer, and which word was meant. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  type AskedTerm,
  type Candidate,
  mayBeMisspelt,
  neighboursOf,
  ranked,
  spellingsOf,
  stepsBetween,
  weightOf
} from "../src/KnowledgeRank.ts"

const asked = (...terms: ReadonlyArray<readonly [term: string, weight: number]>): ReadonlyArray<AskedTerm> =>
  terms.map(([term, weight]) => ({ weight, spellings: new Map([[term, 1]]) }))

const passage = (entryId: string, terms: string, titleTerms = "", position = 1): Candidate => ({
  entryId,
  position,
  terms,
  titleTerms
})

const order = (terms: ReadonlyArray<AskedTerm>, ...candidates: ReadonlyArray<Candidate>) =>
  ranked(terms, candidates).map(({ entryId }) => entryId)

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
  const terms = asked(["lamp", 1], ["dimmable", 4])

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
    const found = ranked(terms, [
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
        const wanted = asked(["a", 1], ["b", 2], ["c", 3], ["d", 0.1])
        const scoreOf = (words: ReadonlyArray<string>) =>
          ranked(wanted, [passage("e", words.join(" "), title.join(" "))])[0]?.score ?? 0
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
    const [near] = ranked(misspelt, [passage("a", "lamp")])
    const [same] = ranked(asked(["lamp", 1]), [passage("a", "lamp")])
    assert.isBelow(near!.score, same!.score)
  })
})

describe("a word that may have been meant", () => {
  it.each([
    ["password", "password", 0],
    ["pasword", "password", 1],
    ["passwrod", "password", 1],
    ["passsword", "password", 1],
    ["possword", "password", 1],
    ["pasxwrod", "password", 2],
    ["", "abc", 3],
    ["abc", "", 3],
    ["ca", "abc", 3]
  ])("%s is from %s %i steps", (a, b, steps) => {
    assert.strictEqual(stepsBetween(a, b, 9), steps)
    assert.strictEqual(stepsBetween(b, a, 9), steps)
    if (steps > 0) assert.strictEqual(stepsBetween(a, b, steps - 1), steps)
  })

  it("is near, the nearest first, or begins alike", () => {
    const words = ["password", "passport", "passage", "word", "pasture", "reset"]
    assert.deepStrictEqual([...spellingsOf("pasword", words).keys()], ["password"])
    assert.deepStrictEqual([...spellingsOf("rucksendekost", ["rucksend", "ruck"]).keys()], ["rucksend"])
    assert.deepStrictEqual(
      [...spellingsOf("kettl", ["kettles", "kettlebell", "metal"]).keys()],
      ["kettlebell", "kettles"]
    )
    assert.deepStrictEqual([...spellingsOf("kettel", ["kettl", "kett", "nettel"]).keys()], ["kettl", "nettel"])
    assert.deepStrictEqual(spellingsOf("kettle", []).size, 0)
  })

  it("stands where it is looked for", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-zäß]{5,12}$/),
        fc.nat(),
        fc.constantFrom("drop", "swap", "change"),
        (word, at, how) => {
          const i = 1 + (at % (word.length - 1))
          const head = word.slice(0, i)
          const typed =
            how === "drop"
              ? head + word.slice(i + 1)
              : how === "change"
                ? `${head}z${word.slice(i + 1)}`
                : head + word.slice(i + 1, i + 2) + word[i]! + word.slice(i + 2)
          if (!mayBeMisspelt(typed) || !spellingsOf(typed, [word]).has(word)) return
          assert.isTrue(
            neighboursOf(typed).some(
              ({ from, longest, shortest, until }) =>
                word >= from && word < until && word.length >= shortest && word.length <= longest
            )
          )
        }
      ),
      { numRuns: 500 }
    )
  })

  it("is looked for in place of words alone: codes, short words and pairs of characters are what they are", () => {
    for (const term of ["e1042", "lamp", "返品", "0x80070070", ""]) assert.isFalse(mayBeMisspelt(term))
    for (const term of ["pasword", "пароль", "रिफंडडड"]) assert.isTrue(mayBeMisspelt(term))
  })
})
